//! Which records are a page's list, and which entity is each about?

use quarry_dom::{Document, NodeId};
use url::Url;

use super::{EntityRecord, Title};
use crate::find::{RecordSpan, Region};
use crate::links::{EntityLink, LinkMap};
use crate::page::hash;
use crate::template::Aligned;

/// A region with a lower score is no answer where nothing else speaks for it.
const ANSWER: f64 = 0.5;

/// The best region of a page whose records have no entity links.
pub(super) fn answer(map: &LinkMap) -> Option<&Region> {
    map.regions.first().filter(|region| region.score >= ANSWER)
}

/// The region that most entity links part into records of one link each.
pub(super) fn region<'m>(document: &Document, map: &'m LinkMap) -> Option<&'m Region> {
    let links = links(map);
    let single = |region: &Region| {
        region.records.iter().filter(|span| inside(document, &links, span).len() == 1).count()
    };
    let mut best: Option<(usize, &Region)> = None;
    for region in &map.regions {
        let fits = single(region);
        if fits > best.map_or(0, |(most, _)| most) {
            best = Some((fits, region));
        }
    }
    best.map(|(_, region)| region)
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
