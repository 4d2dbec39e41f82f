//! What do the pages say? Every value of every entity, with its source and its place.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use quarry_assemble::{Naming, Sighting};
use quarry_crawl::Address;
use quarry_crawl::query::QueryGraph;
use quarry_dom::{NodeId, XPaths};
use quarry_extract::links::names_action;
use quarry_extract::model::{LabelSource, SiteModel};
use quarry_extract::site::{EntityRecord, PageData, SiteFit, SitePage, read_page};
use quarry_extract::spec::{IdKind, ProductId, Spec, SpecPair, product_id};
use quarry_extract::template::Unit;
use quarry_extract::value::Kind;
use quarry_model::{ValueRow, ValueSource};
use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use super::pages::Page;
use super::samples::{self, Sample};
use crate::commands::strategy;

/// How sure a value of a list is whose record fits the template.
const LISTED: f64 = 0.9;
/// How sure the main heading of a page is what the page is about.
const HEADED: f64 = 0.9;

/// What the addresses of records without a link have in them.
const RECORD: &str = "#record-";

/// A value, and what it is said to be.
pub(in crate::commands) struct Seen {
    row: ValueRow,
    says: Said,
}

enum Said {
    Attribute,
    Slot { slot: String, naming: Naming },
    Title,
    Key,
}

impl Seen {
    /// The entity's address.
    pub(super) fn entity(&self) -> &str {
        &self.row.entity
    }

    /// The value as shown.
    pub(super) fn value(&self) -> &str {
        &self.row.value
    }

    /// The page that shows it.
    pub(super) fn page(&self) -> &str {
        &self.row.page
    }

    /// The slot of a list's template that it was read from.
    pub(super) fn slot(&self) -> Option<&str> {
        match &self.says {
            Said::Slot { slot, .. } => Some(slot),
            Said::Attribute | Said::Title | Said::Key => None,
        }
    }

    /// Whether a facet of this site says so.
    pub(super) fn is_facet_of(&self, site: &str) -> bool {
        self.row.source == ValueSource::Facet && self.row.site == site
    }

    /// The row, and the slot of the template that it was read from; none for keys, which an attribute says too.
    pub(in crate::commands) fn into_row(self) -> Option<(ValueRow, Option<String>)> {
        match self.says {
            Said::Attribute | Said::Title => Some((self.row, None)),
            Said::Slot { slot, .. } => Some((self.row, Some(slot))),
            Said::Key => None,
        }
    }

    /// As assembling takes it.
    pub(super) fn sighting(&self) -> Sighting<'_> {
        match &self.says {
            Said::Attribute => Sighting::printed(&self.row),
            Said::Slot { slot, naming } => Sighting::in_slot(&self.row, slot, *naming),
            Said::Title => Sighting::title(&self.row),
            Said::Key => Sighting::key(&self.row),
        }
    }
}

/// A site's lists show an entity again and again; so many equal sightings are kept, to tell what most say.
const WITNESSES: u8 = 3;

/// What was seen so far, to leave further repetitions out: memory grows with the entities, not with the lists that show them.
#[derive(Default)]
pub(super) struct Repeated(HashMap<u64, u8>);

impl Repeated {
    /// Whether enough equal ones were kept before.
    pub(super) fn is_enough(&mut self, seen: &Seen) -> bool {
        let Seen { row, says } = seen;
        let (kind, place) = match says {
            Said::Attribute => ('a', row.attribute.as_str()),
            Said::Slot { slot, .. } => ('s', slot.as_str()),
            Said::Title => ('t', ""),
            Said::Key => ('k', ""),
        };
        let parts = [row.source.as_str(), place, &row.entity, &row.value];
        let mut hash = Xxh3::with_seed(kind as u64);
        for part in parts {
            hash.update(part.as_bytes());
            hash.update(&[0]);
        }
        let count = self.0.entry(hash.digest()).or_default();
        let enough = *count >= WITNESSES;
        *count = count.saturating_add(1);
        enough
    }
}

/// The facet values of a query graph.
pub(super) fn facets<'a>(
    graphs: impl Iterator<Item = &'a QueryGraph>,
) -> impl Iterator<Item = Seen> {
    let rows = graphs.flat_map(strategy::values);
    rows.map(|row| Seen { row, says: Said::Attribute })
}

/// What some pages say, and how well they fit the model.
pub(in crate::commands) fn values(
    site: &str,
    pages: &[Page],
    model: &SiteModel,
    fit: &mut SiteFit,
) -> Vec<Seen> {
    gather(site, pages, model, fit, &mut Vec::new())
}

/// The same; pages are offered as samples.
pub(super) fn gather(
    site: &str,
    pages: &[Page],
    model: &SiteModel,
    fit: &mut SiteFit,
    samples: &mut Vec<Sample>,
) -> Vec<Seen> {
    let slots = Slots::of(model);
    let read: Vec<(PageData, Vec<Seen>)> =
        pages.par_iter().map(|page| read_one(site, page, model, &slots)).collect();
    let mut all = Vec::new();
    for (page, (data, seen)) in pages.iter().zip(read) {
        samples::offer(samples, page, &data);
        fit.add(&data, &model.usual);
        all.extend(seen);
    }
    all
}

fn read_one(site: &str, page: &Page, model: &SiteModel, slots: &Slots) -> (PageData, Vec<Seen>) {
    let Page { id, address, document, .. } = page;
    let data = read_page(&SitePage { id, address, document }, model);
    let xpaths = document.xpaths();
    let place = Place { site, page: id, xpaths: &xpaths, slots };
    let mut seen = Vec::new();
    for record in &data.records {
        place.record(record, &mut seen);
    }
    if let Some(title) = &data.title {
        let path = xpaths.xpath(title.node);
        let row = place.row(page.name(), "title", &title.text, ValueSource::Spec, path, HEADED);
        seen.push(Seen { row, says: Said::Title });
    }
    for spec in &data.specs {
        for pair in &spec.pairs {
            place.pair(page.name(), spec, pair, &mut seen);
        }
    }
    for found in &data.matched {
        let path = xpaths.xpath(found.node);
        let (name, value) = (&found.attribute, &found.value);
        let row = place.row(page.name(), name, value, ValueSource::Match, path, found.confidence);
        seen.push(Seen { row, says: Said::Attribute });
    }
    drop(xpaths);
    (data, seen)
}

/// Where values are read.
struct Place<'a> {
    site: &'a str,
    page: &'a str,
    xpaths: &'a XPaths<'a>,
    slots: &'a Slots,
}

impl Place<'_> {
    fn row(
        &self,
        entity: &str,
        attribute: &str,
        value: &str,
        source: ValueSource,
        path: String,
        confidence: f64,
    ) -> ValueRow {
        ValueRow {
            site: self.site.to_owned(),
            entity: entity.to_owned(),
            attribute: attribute.to_owned(),
            value: value.to_owned(),
            source,
            page: self.page.to_owned(),
            path,
            confidence,
        }
    }

    /// The path of a node, or of one of its attributes.
    fn path(&self, node: NodeId, attribute: Option<&str>) -> String {
        let path = self.xpaths.xpath(node);
        match attribute {
            Some(attribute) => format!("{path}/@{attribute}"),
            None => path,
        }
    }

    fn pair(&self, entity: &str, spec: &Spec, pair: &SpecPair, seen: &mut Vec<Seen>) {
        let path = self.path(pair.value_node, pair.attribute);
        let row = self.row(entity, &pair.name, &pair.value, ValueSource::Spec, path, spec.score);
        // Only numbers that the whole world agrees on tell entities apart.
        let is_key = |id: &ProductId| matches!(id.kind, IdKind::Gtin | IdKind::Isbn);
        let id = product_id(&pair.name, &pair.value).filter(is_key);
        let key = id.map(|_| Seen { row: row.clone(), says: Said::Key });
        seen.push(Seen { row, says: Said::Attribute });
        seen.extend(key);
    }

    fn record(&self, record: &EntityRecord, seen: &mut Vec<Seen>) {
        let entity = &address_of(record);
        if let Some(title) = &record.title {
            let path = self.xpaths.xpath(title.node);
            let row = self.row(entity, "title", &title.text, ValueSource::List, path, LISTED);
            seen.push(Seen { row, says: Said::Title });
        }
        for unit in &record.units {
            if self.slots.is_idle(unit, record) {
                continue;
            }
            let (name, naming) = self.slots.name(unit);
            let path = self.path(unit.node, unit.attribute.as_deref());
            let sure = LISTED * record.fit;
            let value = without_label(&unit.text, name);
            let row = self.row(entity, name, value, ValueSource::List, path, sure);
            seen.push(Seen { row, says: Said::Slot { slot: unit.slot.clone(), naming } });
        }
    }
}

/// The address of a record's entity as the crawl writes it: without session ids and the like. A record without a link
/// is known by its contents.
fn address_of(record: &EntityRecord) -> Cow<'_, str> {
    let own = record.entity.as_str();
    match Address::normalise(own) {
        Ok(address) if !own.contains(RECORD) => Cow::Owned(address.into_string()),
        _ => Cow::Borrowed(own),
    }
}

/// What is known of the slots of a site.
struct Slots {
    /// Slots that say nothing of their own: copies of others, and what every record shows.
    idle: BTreeSet<String>,
    /// The word that most classes begin with, such as `card` in `card price`.
    prefix: Option<String>,
}

impl Slots {
    fn of(model: &SiteModel) -> Self {
        let mut idle = BTreeSet::new();
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        let mut classes = 0;
        for template in &model.templates {
            for slot in &template.slots {
                if slot.copy_of.is_some() || (slot.constant && !slot.optional) {
                    idle.insert(format!("{}.{}", template.template, slot.slot));
                }
                let class = slot.label.as_deref().filter(|_| is_guess(slot.label_source));
                if let Some((word, _)) = class.and_then(|class| class.split_once(' ')) {
                    *first.entry(word).or_default() += 1;
                }
                classes += usize::from(class.is_some());
            }
        }
        let most = first.into_iter().max_by_key(|&(_, slots)| slots);
        let prefix = most.filter(|&(_, slots)| slots >= 3 && 2 * slots > classes);
        Self { idle, prefix: prefix.map(|(word, _)| word.to_owned()) }
    }

    /// Whether a unit is idle, the entity's address, its title once more, or a button.
    fn is_idle(&self, unit: &Unit, record: &EntityRecord) -> bool {
        let own = record.title.as_ref().is_some_and(|title| title.text == unit.text);
        let acts = unit.kind == Kind::Link && names_action(&unit.text);
        own || acts || is_link_to(unit, &record.entity) || self.idle.contains(&unit.slot)
    }

    /// What a unit is called, and who called it so.
    fn name<'u>(&self, unit: &'u Unit) -> (&'u str, Naming) {
        match (&unit.label, unit.attribute.as_deref()) {
            (Some(label), _) if is_guess(unit.label_source) => {
                let prefix = self.prefix.as_deref().unwrap_or_default();
                let short = label.strip_prefix(prefix).map(str::trim_start);
                (short.filter(|short| !short.is_empty()).unwrap_or(label), Naming::Guessed)
            }
            (Some(label), _) => (label, Naming::Printed),
            (None, Some("src")) => ("image", Naming::Slot),
            (None, Some("href")) => ("link", Naming::Slot),
            (None, Some(attribute)) => (attribute, Naming::Slot),
            (None, None) => (unit.kind.as_str(), Naming::Slot),
        }
    }
}

/// Whether a label was not printed for readers.
fn is_guess(source: Option<LabelSource>) -> bool {
    matches!(source, Some(LabelSource::Class | LabelSource::Property | LabelSource::Meaning))
}

/// A value whose text begins with its label and a colon, without these.
fn without_label<'t>(text: &'t str, label: &str) -> &'t str {
    let rest = text.get(..label.len()).filter(|start| start.eq_ignore_ascii_case(label));
    let rest = rest.and_then(|_| text[label.len()..].trim_start().strip_prefix(':'));
    rest.map(str::trim_start).filter(|rest| !rest.is_empty()).unwrap_or(text)
}

/// Whether a unit is the address of the record's entity, in whatever spelling.
fn is_link_to(unit: &Unit, entity: &str) -> bool {
    unit.attribute.as_deref() == Some("href")
        && (entity.ends_with(unit.text.trim_start_matches(['.', '/'])) || entity == unit.text)
}
