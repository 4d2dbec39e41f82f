//! Which records are a page's list, and which entity is each about?

use std::collections::BTreeMap;

use quarry_dom::{Document, NodeId};
use url::Url;

use super::{EntityRecord, Title};
use crate::find::{Boundary, RecordSpan, Region};
use crate::links::{EntityLink, LinkMap};
use crate::page::hash;
use crate::region::Evidence;
use crate::template::Aligned;

/// A region with a lower score is no answer where nothing else speaks for it.
const ANSWER: f64 = 0.5;

/// The best region of a page whose records have no entity links.
pub(super) fn answer(map: &LinkMap) -> Option<&Region> {
    map.regions.first().filter(|region| region.score >= ANSWER)
}

/// The region that most entity links part into records of one link each, if most of its records are such.
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
const TAUGHT_BY: usize = 3;
/// A look with less than this share of the most frequent one's records was a mistake.
const SHARE: usize = 10;

/// What the records of lists look like: name and classes of their elements. Empty where records are made of several
/// elements.
pub(super) fn looks(found: &[(&Document, &Region)]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (document, region) in found.iter().filter(|(_, region)| region.records.len() >= TAUGHT_BY) {
        for record in &region.records {
            let [node] = record.nodes[..] else { return Vec::new() };
            *counts.entry(look(document, node)).or_default() += 1;
        }
    }
    let most = counts.values().copied().max().unwrap_or(0);
    counts.retain(|_, count| *count * SHARE >= most);
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

/// The records around the entity links of a page: the nearest element of a known look. One that holds several
/// entities is none.
pub(super) fn around(document: &Document, map: &LinkMap, looks: &[String]) -> Vec<RecordSpan> {
    let is_known = |node: &NodeId| looks.binary_search(&look(document, *node)).is_ok();
    let mut nodes: Vec<NodeId> = links(map)
        .into_iter()
        .filter_map(|link| std::iter::once(link).chain(document.ancestors(link)).find(is_known))
        .collect();
    let all = nodes.len();
    nodes.dedup();
    let single = nodes.len() == all;
    nodes.into_iter().filter(|_| single).map(|node| RecordSpan { nodes: vec![node] }).collect()
}

/// These records as a region.
pub(super) fn region_of(document: &Document, records: Vec<RecordSpan>) -> Region {
    let first = records.first().and_then(|record| record.nodes.first().copied());
    let node = first.and_then(|node| document.parent(node)).unwrap_or(NodeId::ROOT);
    Region {
        node,
        score: 1.0,
        records,
        evidence: Evidence::default(),
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
    map: &LinkMap,
    links: &[NodeId],
    span: &RecordSpan,
    aligned: Aligned,
) -> Option<EntityRecord> {
    let own = inside(document, links, span);
    let entity = &map.entities[*own.first()?];
    let Aligned { units, fit } = aligned;
    Some(EntityRecord { units, fit, node: *span.nodes.first()?, ..bare(entity) })
}

/// An entity of which a page shows nothing but the link.
pub(super) fn bare(link: &EntityLink) -> EntityRecord {
    let title = Title { text: link.text.clone(), node: link.node };
    EntityRecord {
        entity: link.href.clone(),
        title: (!title.text.is_empty()).then_some(title),
        fit: 0.0,
        node: link.node,
        units: Vec::new(),
    }
}

/// A record without a link, known by what it says: the same on whatever page it is shown.
pub(super) fn unlinked(address: &Url, span: &RecordSpan, aligned: Aligned) -> EntityRecord {
    let Aligned { units, fit } = aligned;
    let said = units.iter().filter(|unit| unit.attribute.is_none() && !unit.constant);
    let key = said.fold(0, |key, unit| hash::then(key, hash::of(&unit.text)));
    let mut root = address.clone();
    root.set_query(None);
    root.set_fragment(Some(&format!("record-{key:016x}")));
    let node = span.nodes.first().copied().unwrap_or(NodeId::ROOT);
    EntityRecord { entity: root.into(), title: None, fit, node, units }
}
