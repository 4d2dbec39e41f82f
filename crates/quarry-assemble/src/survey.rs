//! The first pass over the evidence: which entities are one by a common key, which slots tell of the query instead of the
//! entity, and which entities are a fair sample.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use quarry_model::{EntityEvidence, Evidence, EvidenceRole, EvidenceStore, PortError};
use quarry_value::Format;

use crate::assembly::AssembleConfig;
use crate::groups::Groups;
use crate::hash::{self, Lookup};
use crate::index::{ColumnParts, address, entity_kind};
use crate::parsed::ParsedValue;

/// A key that more addresses share names no entity: "n/a", the number of a family of products.
const MAX_ADDRESSES: usize = 8;
/// A key of fewer letters and digits names none either.
const MIN_KEY: usize = 4;
/// Entities that several lists must show before a slot is judged by them; fewer prove nothing.
const MIN_REPEATED_ENTITIES: usize = 5;
/// Entities of each column in the sample, at most. Columns are compared on 2,000 shared ones ([`crate::agreement`]).
const MAX_COLUMN_SAMPLE: usize = 4_000;
/// Bytes that a piece of evidence takes in memory besides its texts.
const EVIDENCE_BYTES: usize = size_of::<Evidence>() + 64;

/// What the first pass found.
pub(crate) struct Survey {
    /// The sample; all entities if they fit.
    pub(crate) sample: Vec<EntityEvidence>,
    /// Whether the sample is all there is.
    pub(crate) is_whole: bool,
    /// Slots that are left out because they tell of the query.
    pub(crate) query_slots: QuerySlots,
}

/// Slots of sites that tell of the query instead of the entity: words found, excerpts, relevance.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuerySlots {
    /// Hashes of site and slot.
    hashes: BTreeSet<u64>,
    pub(crate) names: BTreeSet<(String, String)>,
}

impl QuerySlots {
    /// Whether evidence is of such a slot.
    pub(crate) fn has(&self, evidence: &Evidence) -> bool {
        let slot = evidence.slot.as_deref().filter(|_| !self.hashes.is_empty());
        slot.is_some_and(|slot| self.hashes.contains(&hash::of((&*evidence.site, slot))))
    }
}

/// Joins entities by keys and looks at all of them.
pub(crate) fn survey(
    store: &mut dyn EvidenceStore,
    site: Option<&str>,
    config: &AssembleConfig,
) -> Result<Survey, PortError> {
    let mut found = look(store, site, config)?;
    let shared = std::mem::take(&mut found.keys).shared();
    if !shared.is_empty() {
        let mut addresses: Lookup<u64, (String, String)> = Lookup::default();
        let ids: BTreeSet<u64> = shared.iter().flat_map(|(a, b)| [*a, *b]).collect();
        store.each_entity(site, &mut |entity| {
            let order = order(&entity.evidence);
            if ids.contains(&order) {
                addresses.insert(order, (entity.site, address(&entity.evidence).to_owned()));
            }
            Ok(())
        })?;
        for (site, from, to) in joins(&shared, &addresses) {
            store.join(&site, &from, &to)?;
        }
        found = look(store, site, config)?;
    }
    let query_slots = found.slots.about_the_query(config.max_varying_share);
    let sample = match found.whole {
        Some(whole) => whole,
        None => {
            let wanted = wanted(found.samples, config.sample_bytes);
            let mut sample = Vec::new();
            store.each_entity(site, &mut |entity| {
                if wanted.binary_search(&order(&entity.evidence)).is_ok() {
                    sample.push(entity);
                }
                Ok(())
            })?;
            sample
        }
    };
    let is_whole = sample.len() == found.entities;
    Ok(Survey { sample, is_whole, query_slots })
}

/// What is gathered entity by entity.
struct FirstPass {
    entities: usize,
    keys: Keys,
    slots: Slots,
    /// All evidence, as long as it is no more than a sample.
    whole: Option<Vec<EntityEvidence>>,
    /// For each column the first entities in the order of a hash, and the bytes of their evidence.
    samples: Lookup<u64, BinaryHeap<(u64, usize)>>,
}

fn look(
    store: &mut dyn EvidenceStore,
    site: Option<&str>,
    config: &AssembleConfig,
) -> Result<FirstPass, PortError> {
    let mut look = FirstPass {
        entities: 0,
        keys: Keys::default(),
        slots: Slots::default(),
        whole: Some(Vec::new()),
        samples: Lookup::default(),
    };
    let mut bytes = 0;
    let mut columns: Vec<u64> = Vec::new();
    store.each_entity(site, &mut |entity| {
        let EntityEvidence { site, evidence } = &entity;
        look.entities += 1;
        look.keys.add(site, evidence);
        look.slots.add(evidence);
        let own = evidence.iter().map(size_of_evidence).sum::<usize>();
        bytes += own;
        let order = order(evidence);
        columns.clear();
        let kind = entity_kind(evidence);
        columns.extend(evidence.iter().map(|own| ColumnParts::of(own, kind).hash()));
        columns.dedup();
        for column in &columns {
            let sample = look.samples.entry(*column).or_default();
            if sample.len() < MAX_COLUMN_SAMPLE {
                sample.push((order, own));
            } else if let Some(mut last) = sample.peek_mut()
                && order < last.0
            {
                *last = (order, own);
            }
        }
        if bytes > config.sample_bytes {
            look.whole = None;
        } else if let Some(whole) = &mut look.whole {
            whole.push(entity);
        }
        Ok(())
    })?;
    Ok(look)
}

fn size_of_evidence(evidence: &Evidence) -> usize {
    let Evidence { entity, value, page, path, .. } = evidence;
    entity.len() + value.len() + page.len() + path.len() + EVIDENCE_BYTES
}

/// The place of an entity in a fair order.
pub(crate) fn order(evidence: &[Evidence]) -> u64 {
    hash::of((evidence.first().map(|own| &*own.site), address(evidence)))
}

/// The entities of the sample, in order: of each column equally many, as many as there is room for.
fn wanted(samples: Lookup<u64, BinaryHeap<(u64, usize)>>, most_bytes: usize) -> Vec<u64> {
    // The order of the columns does not show: what comes out is a set.
    let samples: Vec<Vec<(u64, usize)>> =
        samples.into_values().map(BinaryHeap::into_sorted_vec).collect();
    let mut of_each = MAX_COLUMN_SAMPLE;
    loop {
        let chosen: BTreeMap<u64, usize> =
            samples.iter().flat_map(|sample| sample.iter().take(of_each)).copied().collect();
        if of_each == 1 || chosen.values().sum::<usize>() <= most_bytes {
            return chosen.into_keys().collect();
        }
        of_each /= 2;
    }
}

/// Keys, and the places of the entities that have them: 16 bytes an entity with a key.
#[derive(Default)]
struct Keys(Vec<(u64, u64)>);

impl Keys {
    fn add(&mut self, site: &str, evidence: &[Evidence]) {
        let mut own: Vec<u64> = Vec::new();
        for key in evidence.iter().filter(|own| own.role == EvidenceRole::Key) {
            let letters = key.value.chars().filter(|c| c.is_alphanumeric()).count();
            let parsed = ParsedValue::read(&key.value, &Format::default(), None);
            if letters >= MIN_KEY && !parsed.is_empty() {
                own.push(hash::of((site, parsed.exact)));
            }
        }
        if !own.is_empty() {
            let order = order(evidence);
            own.sort_unstable();
            own.dedup();
            self.0.extend(own.into_iter().map(|key| (key, order)));
        }
    }

    /// Pairs of entities with the same key.
    fn shared(mut self) -> Vec<(u64, u64)> {
        self.0.sort_unstable();
        let mut pairs = Vec::new();
        for same in self.0.chunk_by(|a, b| a.0 == b.0) {
            if (2..=MAX_ADDRESSES).contains(&same.len()) {
                pairs.extend(same[1..].iter().map(|(_, entity)| (same[0].1, *entity)));
            }
        }
        pairs
    }
}

/// Site, address, and the address of the entity that it belongs to: the first in the order of the alphabet of all that share a key.
fn joins(
    shared: &[(u64, u64)],
    addresses: &Lookup<u64, (String, String)>,
) -> Vec<(String, String, String)> {
    let of = |entity: &u64| addresses.get(entity);
    let mut entities: Vec<&(String, String)> =
        shared.iter().flat_map(|(a, b)| [of(a), of(b)]).flatten().collect();
    entities.sort_unstable();
    entities.dedup();
    let mut groups = Groups::new(entities.len());
    for (a, b) in shared {
        let number = |entity: &u64| of(entity).and_then(|own| entities.binary_search(&own).ok());
        if let (Some(a), Some(b)) = (number(a), number(b)) {
            groups.unite(a as u32, b as u32);
        }
    }
    let mut joins = Vec::new();
    for (at, (site, address)) in (0_u32..).zip(&entities) {
        let first = groups.find(at);
        if first != at {
            joins.push((site.clone(), address.clone(), entities[first as usize].1.clone()));
        }
    }
    joins
}

/// How the values of each slot vary with the lists that show an entity.
#[derive(Default)]
struct Slots(BTreeMap<(String, String), SlotCounts>);

#[derive(Default)]
struct SlotCounts {
    /// Entities that several pages show.
    several: usize,
    /// Of them, those with other values on some of the pages.
    varying: usize,
}

impl Slots {
    fn add(&mut self, evidence: &[Evidence]) {
        let mut pages = evidence.iter().filter(|own| own.slot.is_some()).map(|own| &own.page);
        let first = pages.next();
        if pages.all(|page| Some(page) == first) {
            return;
        }
        // The values of each slot of the entity, by page.
        let mut shown: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
        for own in evidence {
            if let Some(slot) = own.slot.as_deref() {
                shown.entry(slot).or_default().entry(&own.page).or_default().insert(&own.value);
            }
        }
        for (slot, pages) in shown.into_iter().filter(|(_, pages)| pages.len() > 1) {
            let site = evidence.first().map_or("", |own| &own.site);
            let counts = self.0.entry((site.to_owned(), slot.to_owned())).or_default();
            let values: BTreeSet<&BTreeSet<&str>> = pages.values().collect();
            counts.several += 1;
            counts.varying += usize::from(values.len() > 1);
        }
    }

    /// Slots that differ between the lists that show an entity: words found, excerpts, relevance.
    fn about_the_query(self, max_share: f64) -> QuerySlots {
        let varies = |counts: &SlotCounts| {
            counts.several >= MIN_REPEATED_ENTITIES
                && counts.varying as f64 >= max_share * counts.several as f64
        };
        let mut found = QuerySlots::default();
        for ((site, slot), _) in self.0.into_iter().filter(|(_, counts)| varies(counts)) {
            found.hashes.insert(hash::of((&*site, &*slot)));
            found.names.insert((site, slot));
        }
        found
    }
}
