//! Reads the records of a page's list, and the entity that each is about.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, NodeId, Tag};
use quarry_value::ValueKind;
use url::Url;

use super::{EntityRecord, Title, identity};
use crate::find::{Boundary, RecordSpan, Region};
use crate::links::{KnownEntities, LinkMap, ListedEntity};
use crate::region::RegionEvidence;
use crate::template::{Aligned, DataUnit};

/// A region with a lower score is no answer where nothing else speaks for it.
const ANSWER: f64 = 0.5;

/// The best region of a page whose records have no entity links.
pub(super) fn answer(map: &LinkMap) -> Option<&Region> {
    map.regions.first().filter(|region| region.score >= ANSWER)
}

/// The region with most records that hold exactly one entity link, if most of its records do.
pub(super) fn region<'m>(document: &Document, map: &'m LinkMap) -> Option<&'m Region> {
    let links = links(map);
    let single = |region: &Region| {
        region.records.iter().filter(|span| inside(document, &links, span).len() == 1).count()
    };
    let mut best: Option<(usize, &Region)> = None;
    for region in &map.regions {
        let fits = single(region);
        if fits > best.map_or(0, |(most, _)| most) && 2 * fits > region.records.len() {
            best = Some((fits, region));
        }
    }
    best.map(|(_, region)| region)
}

/// Fewer records on a page do not show what records are made of.
const MIN_RECORDS: usize = 3;
/// A style of records that is more than so many times rarer than the most frequent one was a mistake.
const RARE_STYLE_DIVISOR: usize = 10;
/// An element begins records if it is so many times as often first as not.
const MIN_FIRST_RATIO: usize = 3;
/// The same as for styles of records, for what follows their first element: a badge, a former price.
const RARE_PART_DIVISOR: usize = 50;

/// What the records of lists look like: name and classes of their elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Looks {
    /// Of the one element, or of the first of several. Empty where the first cannot be told from the others.
    pub(super) first: Vec<String>,
    /// Of the others.
    pub(super) following: Vec<String>,
}

/// Learns what records look like from the regions of lists.
pub(super) fn looks(found: &[(&Document, &Region)]) -> Looks {
    // Records of one element, and of several.
    let mut counts: [BTreeMap<String, usize>; 2] = Default::default();
    let mut behind: BTreeMap<String, usize> = BTreeMap::new();
    for (document, region) in found.iter().filter(|(_, region)| region.records.len() >= MIN_RECORDS)
    {
        for record in &region.records {
            let mut nodes = record.nodes.iter().filter(|&&node| document.is_element(node));
            let Some(&first) = nodes.next() else { continue };
            let mut rest: Vec<String> = nodes.map(|&node| look(document, node)).collect();
            *counts[usize::from(!rest.is_empty())].entry(look(document, first)).or_default() += 1;
            rest.sort_unstable();
            rest.dedup();
            rest.into_iter().for_each(|look| *behind.entry(look).or_default() += 1);
        }
    }
    let [single, several] = counts;
    if several.values().sum::<usize>() <= single.values().sum() {
        return Looks { first: frequent(single, RARE_STYLE_DIVISOR), following: Vec::new() };
    }
    // Regions that begin in the middle of a record are a minority.
    let often = |counts: &BTreeMap<String, usize>, look: &str| counts.get(look).copied();
    let leads =
        |look: &String| often(&several, look) > often(&behind, look).map(|n| n * MIN_FIRST_RATIO);
    let follows =
        |look: &String| often(&behind, look) > often(&several, look).map(|n| n * MIN_FIRST_RATIO);
    let first: Vec<String> =
        frequent(several.clone(), RARE_STYLE_DIVISOR).into_iter().filter(leads).collect();
    let following =
        frequent(behind.clone(), RARE_PART_DIVISOR).into_iter().filter(follows).collect();
    match first.is_empty() {
        true => Looks::default(),
        false => Looks { first, following },
    }
}

fn frequent(mut counts: BTreeMap<String, usize>, share: usize) -> Vec<String> {
    let most = counts.values().copied().max().unwrap_or(0);
    counts.retain(|_, count| *count * share >= most);
    counts.into_keys().collect()
}

/// `li.card.product`: the name and the classes of an element, but for those with digits.
fn look(document: &Document, node: NodeId) -> String {
    let own = |class: &&str| !class.bytes().any(|b| b.is_ascii_digit());
    let mut classes: Vec<&str> = document.classes(node).filter(own).collect();
    classes.sort_unstable();
    classes.dedup();
    let name = document.tag_name(node);
    classes.iter().fold(name.to_owned(), |look, class| look + "." + class)
}

/// The records around the entity links of a page. Where one holds several entities, there are none.
pub(super) fn around(document: &Document, links: &[NodeId], looks: &Looks) -> Vec<RecordSpan> {
    let spans = spans(document, links, looks);
    let firsts: Vec<NodeId> = spans.iter().map(|span| span.nodes[0]).collect();
    match firsts.windows(2).any(|pair| pair[0] == pair[1]) {
        true => Vec::new(),
        false => spans,
    }
}

/// The record around each link that has one: the nearest element of a known look, and what follows it.
pub(super) fn spans(document: &Document, links: &[NodeId], looks: &Looks) -> Vec<RecordSpan> {
    links.iter().filter_map(|&link| looks.span_around(document, link)).collect()
}

/// The entities of a site but for the one that a page is about.
#[derive(Clone, Copy)]
pub(super) struct OtherEntities<'a> {
    pub(super) document: &'a Document,
    pub(super) address: &'a Url,
    pub(super) known: &'a KnownEntities,
}

impl OtherEntities<'_> {
    /// Whether a link leads to one of them.
    pub(super) fn lead(&self, link: NodeId) -> bool {
        let href = self.document.known_attr(link, Attr::HREF).map(str::trim);
        let Some(href) = href.filter(|href| !href.is_empty() && !href.starts_with('#')) else {
            return false;
        };
        let Ok(mut target) = self.document.base_url(self.address).join(href) else { return false };
        target.set_fragment(None);
        target != *self.address && self.known.leads_to(&target)
    }
}

/// The records of other entities that an entity's page shows.
pub(super) fn spans_of_others(
    document: &Document,
    address: &Url,
    known: &KnownEntities,
    looks: &Looks,
) -> Vec<RecordSpan> {
    let others = OtherEntities { document, address, known };
    let mut spans = Vec::new();
    for link in document.elements(Tag::A) {
        if let Some(span) = looks.span_around(document, link)
            && others.lead(link)
        {
            spans.push(span);
        }
    }
    spans
}

impl Looks {
    /// The record around a link.
    fn span_around(&self, document: &Document, link: NodeId) -> Option<RecordSpan> {
        let is = |looks: &[String], node| looks.iter().any(|look| has_look(document, node, look));
        let begins = |node: &NodeId| document.is_element(*node) && is(&self.first, *node);
        let first = std::iter::once(link).chain(document.ancestors(link)).find(begins)?;
        let mut nodes = vec![first];
        let mut next = document.next_sibling(first);
        while let Some(node) = next.filter(|_| !self.following.is_empty()) {
            match document.is_element(node) {
                true if is(&self.following, node) => nodes.push(node),
                true => break,
                false => {}
            }
            next = document.next_sibling(node);
        }
        Some(RecordSpan { nodes })
    }
}

/// Whether an element has the name and classes that [`look`] writes.
fn has_look(document: &Document, node: NodeId, look: &str) -> bool {
    let Some(classes) = look.strip_prefix(document.tag_name(node)) else { return false };
    let own = || document.classes(node).filter(|class| !class.bytes().any(|b| b.is_ascii_digit()));
    let mut wanted = classes.split('.');
    // Before the first dot there is nothing, or the rest of a longer name.
    wanted.next() == Some("")
        && own().all(|class| classes.split('.').skip(1).any(|other| other == class))
        && wanted.all(|class| own().any(|other| other == class))
}

/// These records as a region.
pub(super) fn region_of(document: &Document, records: Vec<RecordSpan>) -> Region {
    let first = records.first().and_then(|record| record.nodes.first().copied());
    let node = first.and_then(|node| document.parent(node)).unwrap_or(NodeId::ROOT);
    Region {
        node,
        score: 1.0,
        template: 0,
        records,
        evidence: RegionEvidence::default(),
        boundary: Boundary::Element,
        anchor_sets: 0,
    }
}

/// The entity links in document order.
pub(super) fn links(map: &LinkMap) -> Vec<NodeId> {
    map.entities.iter().map(|entity| entity.node).collect()
}

/// The positions of the links that stand in a record; `links` are sorted.
fn inside(document: &Document, links: &[NodeId], span: &RecordSpan) -> Vec<usize> {
    let mut found = Vec::new();
    for &root in &span.nodes {
        let from = links.partition_point(|&link| link < root);
        let to = links.partition_point(|&link| link < document.subtree_end(root));
        found.extend(from..to);
    }
    found
}

/// A record and the entity that its link leads to; `None` for a record without one.
pub(super) fn linked(
    document: &Document,
    entities: &[ListedEntity],
    links: &[NodeId],
    span: &RecordSpan,
    aligned: Aligned,
) -> Option<EntityRecord> {
    let own = inside(document, links, span);
    let entity = &entities[*own.first()?];
    let Aligned { units, fit } = aligned;
    Some(EntityRecord { units, fit, node: *span.nodes.first()?, ..bare(entity) })
}

/// An entity of which a page shows nothing but the link.
pub(super) fn bare(link: &ListedEntity) -> EntityRecord {
    let title = Title { text: link.text.clone(), node: link.node };
    EntityRecord {
        entity: link.href.clone(),
        entity_kind: None,
        title: (!title.text.is_empty()).then_some(title),
        fit: 0.0,
        node: link.node,
        units: Vec::new(),
    }
}

/// A record without a link, known by what identifies it: the same on whatever page it is shown.
pub(super) fn unlinked(
    address: &Url,
    span: &RecordSpan,
    aligned: Aligned,
    identity: &BTreeSet<String>,
) -> EntityRecord {
    let Aligned { units, fit } = aligned;
    let entity = identity::address(address, &units, identity).into();
    let node = span.nodes.first().copied().unwrap_or(NodeId::ROOT);
    // What tells records apart and is a text is what they are called.
    let is_name = |unit: &&DataUnit| {
        identity.contains(&unit.slot) && unit.kind == ValueKind::Text && unit.attribute.is_none()
    };
    let name = units.iter().find(is_name);
    let title = name.map(|unit| Title { text: unit.text.clone(), node: unit.node });
    EntityRecord { entity, entity_kind: None, title, fit, node, units }
}
