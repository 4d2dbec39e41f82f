//! Which links lead to the entities of the list? In the records of the answer region, the link that
//! stands at the same place in most of them and is most like a title; elsewhere, links of the same
//! shape are promotions (query-centric crawling, §4.2, step 1).

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, NodeId, Tag};

use super::anchor::{Anchors, Frame};
use super::shape::{Change, Parts, UrlShape};
use super::total::Said;
use super::words::{PROMOTION, has};
use super::{EntityLink, LinkMap};
use crate::find::{PageInput, RecordSpan, RecordsConfig, find_records};
use crate::page::{Facts, hash, template};

/// The list of the page.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Positions of the entity links, one a record.
    pub(super) entities: Vec<usize>,
    shape: Option<UrlShape>,
    /// The records' nodes, sorted; none lies in another.
    records: Vec<NodeId>,
    pub(super) signature: Vec<u64>,
}

impl Found {
    pub(super) fn is_entity(&self, at: usize) -> bool {
        self.entities.binary_search(&at).is_ok()
    }

    /// Whether a node stands in a record of the list.
    pub(super) fn in_records(&self, document: &Document, node: NodeId) -> bool {
        let next = self.records.partition_point(|&record| record <= node);
        next > 0 && document.contains(self.records[next - 1], node)
    }
}

/// A list of records with its entity links.
struct List {
    entities: Vec<usize>,
    nodes: Vec<NodeId>,
    shape: Option<UrlShape>,
    score: f64,
}

/// Finds the list.
pub(super) fn find(anchors: &Anchors<'_>, said: &Said) -> Found {
    let document = anchors.document;
    let signature = template::signature(&Facts::new(document));
    let pages = [PageInput { id: "", document, cluster: Some(0) }];
    let regions =
        find_records(&pages, &RecordsConfig { min_score: 0.2, ..RecordsConfig::default() });
    let regions = regions.into_iter().flat_map(|page| page.regions);
    let lists = regions.filter_map(|region| list(anchors, &region.records, region.score, said));
    let best = lists.reduce(|best, next| if next.score > best.score { next } else { best });
    let Some(mut best) = best.filter(|best| best.score > 0.0) else {
        return Found { signature, ..Found::default() };
    };
    extend(anchors, &mut best);
    best.nodes.sort_unstable();
    Found { entities: best.entities, shape: best.shape, records: best.nodes, signature }
}

/// The entity links of some records, and how much they look like the list of the page.
fn list(
    anchors: &Anchors<'_>,
    records: &[RecordSpan],
    region_score: f64,
    said: &Said,
) -> Option<List> {
    let places = places(anchors, records);
    let best = places.iter().map(|place| (place_score(anchors, place, records.len()), place));
    let (score, place) = best.max_by(|one, other| one.0.total_cmp(&other.0))?;
    if score <= 0.0 {
        return None;
    }
    let shape = UrlShape::of_parts(place.iter().map(|&(_, at)| &anchors.list[at].parts));
    let mut entities: Vec<usize> = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let own = place.iter().find(|&&(of, _)| of == number).map(|&(_, at)| at);
        let other = || {
            let shape = shape.as_ref()?;
            let links = record.nodes.iter().flat_map(|&node| anchors.range_in(node));
            links.into_iter().find(|&at| shape.fits_parts(&anchors.list[at].parts))
        };
        entities.extend(own.or_else(other));
    }
    entities.sort_unstable();
    entities.dedup();
    let first = *entities.first()?;
    let mut score = region_score * 4.0 + score;
    let heading = anchors.gaps[first].label.map(|(node, _)| anchors.document.folded_text(node));
    if heading.is_some_and(|heading| heading.len() < 60 && has(&heading, PROMOTION)) {
        score -= 6.0;
    }
    if let Some((from, to)) = said.shown {
        let expected = (to - from + 1) as usize;
        score += if expected == entities.len() { 4.0 } else { 0.0 };
    }
    if anchors.list[first].frame != Frame::None {
        score -= 3.0;
    }
    let nodes = records.iter().flat_map(|record| record.nodes.iter().copied()).collect();
    Some(List { entities, nodes, shape, score })
}

/// Links that stand at the same place of the records: (record, position), at most one a record.
type Place = Vec<(usize, usize)>;

fn places(anchors: &Anchors<'_>, records: &[RecordSpan]) -> Vec<Place> {
    let mut places: BTreeMap<u64, Place> = BTreeMap::new();
    for (number, record) in records.iter().enumerate() {
        for (nth, &root) in record.nodes.iter().enumerate() {
            for at in anchors.range_in(root) {
                let anchor = &anchors.list[at];
                if anchor.taken || anchor.is_self {
                    continue;
                }
                let mut key = hash::then(nth as u64, anchor.parts.coarse_key());
                let mut node = anchor.node;
                while node > root {
                    key = hash::then(key, hash::of(anchors.document.tag_name(node)));
                    node = anchors.document.parent(node).unwrap_or(root);
                }
                let place = places.entry(key).or_default();
                if place.last().is_none_or(|&(of, _)| of != number) {
                    place.push((number, at));
                }
            }
        }
    }
    places.into_values().collect()
}

/// How much the links at one place look like the titles of the records.
fn place_score(anchors: &Anchors<'_>, place: &Place, records: usize) -> f64 {
    let document = anchors.document;
    let links = || place.iter().map(|&(_, at)| &anchors.list[at]);
    let share = |count: usize| count as f64 / place.len() as f64;
    let hrefs: BTreeSet<&str> = links().map(|link| link.url.as_str()).collect();
    let texts: BTreeSet<&str> = links().map(|link| link.text.as_str()).collect();
    let titled = links().filter(|link| {
        document
            .ancestors(link.node)
            .take(3)
            .any(|node| super::attribute::is_heading(document, node))
            || document
                .subtree(link.node)
                .take(6)
                .any(|n| super::attribute::is_heading(document, n))
    });
    let repeated = place.iter().filter(|&&(_, at)| {
        let near = at.saturating_sub(3)..(at + 4).min(anchors.list.len());
        near.into_iter().any(|other| other != at && anchors.list[other].url == anchors.list[at].url)
    });
    let refining = links().filter(|link| {
        let changes = anchors.changes(link);
        changes.len() == 1
            && matches!(
                changes[0],
                Change::Added { .. } | Change::Changed { .. } | Change::Removed { .. }
            )
    });
    let counted = links().filter(|link| anchors.counted(link).count.is_some());
    let elsewhere = links().filter(|link| link.parts.origin != anchors.address.origin);
    let letters: usize = links().map(|link| link.text.chars().count().min(60)).sum();
    let blank = links().filter(|link| link.text.is_empty());
    4.0 * (place.len() as f64 / records.max(1) as f64)
        + 2.0 * share(hrefs.len())
        + 2.0 * share(texts.len())
        + 1.5 * share(titled.count())
        + 0.5 * share(repeated.count())
        + share(letters) / 30.0
        - 1.0 * share(blank.count())
        - 4.0 * share(refining.count())
        - 3.0 * share(counted.count())
        - 2.5 * share(elsewhere.count())
        - 6.0
}

/// The same list can go on in another box: links whose elements have the same names and classes all
/// the way up.
fn extend(anchors: &Anchors<'_>, list: &mut List) {
    let Some(shape) = &list.shape else { return };
    let looks: BTreeSet<u64> =
        list.entities.iter().map(|&at| look(anchors.document, anchors.list[at].node)).collect();
    let known: BTreeSet<usize> = list.entities.iter().copied().collect();
    let hrefs: BTreeSet<&str> =
        list.entities.iter().map(|&at| anchors.list[at].url.as_str()).collect();
    let mut more: Vec<usize> = Vec::new();
    for (at, anchor) in anchors.list.iter().enumerate() {
        if !known.contains(&at)
            && shape.fits_parts(&anchor.parts)
            && !hrefs.contains(anchor.url.as_str())
            && !anchor.is_self
            && looks.contains(&look(anchors.document, anchor.node))
        {
            more.push(at);
        }
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    more.retain(|&at| seen.insert(anchors.list[at].url.to_string()));
    list.entities.extend(more);
    list.entities.sort_unstable();
}

/// The names, classes and ids of an element and of all around it.
fn look(document: &Document, node: NodeId) -> u64 {
    let own = std::iter::once(node).chain(document.ancestors(node));
    own.fold(0, |all, node| {
        let id = document.id(node).filter(|id| !id.bytes().any(|b| b.is_ascii_digit()));
        let classes = document.classes(node).filter(|c| !c.bytes().any(|b| b.is_ascii_digit()));
        let classes = hash::of_set(classes.map(hash::of));
        let name = hash::then(hash::of(document.tag_name(node)), classes);
        hash::then(hash::then(all, name), id.map_or(0, hash::of))
    })
}

/// Takes entities and promotions out of the links that are left.
pub(super) fn take(anchors: &mut Anchors<'_>, found: &Found, map: &mut LinkMap) {
    let xpaths = anchors.document.xpaths();
    let link = |anchors: &Anchors<'_>, at: usize| EntityLink {
        href: anchors.list[at].url.to_string(),
        text: anchors.list[at].text.clone(),
        path: xpaths.xpath(anchors.list[at].node),
    };
    for &at in &found.entities {
        map.entities.push(link(anchors, at));
        anchors.list[at].taken = true;
    }
    let Some(shape) = &found.shape else { return };
    map.entity_shape = Some(shape.to_string());
    let hrefs: BTreeSet<String> = map.entities.iter().map(|entity| entity.href.clone()).collect();
    for at in 0..anchors.list.len() {
        let anchor = &anchors.list[at];
        if anchor.taken || anchor.is_self || !fits(shape, &anchor.parts, anchor.frame) {
            continue;
        }
        // A second link of the same record.
        let again =
            hrefs.contains(anchor.url.as_str()) && found.in_records(anchors.document, anchor.node);
        if !again
            && !anchors.document.ancestors(anchor.node).any(|n| anchors.document.is(n, Tag::HEAD))
        {
            let href = anchor.url.to_string();
            match map.promoted.iter_mut().find(|other| other.href == href) {
                // The picture came first; the text says more.
                Some(other) if other.text.len() < anchor.text.len() => *other = link(anchors, at),
                Some(_) => {}
                None => map.promoted.push(link(anchors, at)),
            }
        }
        anchors.list[at].taken = true;
    }
}

fn fits(shape: &UrlShape, parts: &Parts, frame: Frame) -> bool {
    shape.fits_parts(parts) && (frame == Frame::None || !shape.is_vague())
}
