//! Finds the links to the entities of a list: in the records of the answer region, the link that
//! stands at the same place in most of them and is most like a title; elsewhere, links of the same
//! shape are promotions (query-centric crawling, §4.2, step 1).

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, LinkKind, NodeId, Tag};

use super::anchor::{Anchors, Frame};
use super::known::{KnownEntities, StyleChains};
use super::shape::{Parts, UrlChange, UrlShape, is_number};
use super::total::ClaimedTotal;
use super::words::{PROMOTION, has};
use super::{EntityLink, LinkMap};
use crate::find::{RecordSpan, RecordsConfig, Region};
use quarry_dom::key;

/// The list of the page.
#[derive(Debug, Default)]
pub(super) struct PageList {
    /// Positions of the entity links, one a record.
    pub(super) entities: Vec<usize>,
    shape: Option<UrlShape>,
    /// The records' nodes, sorted; none lies in another.
    records: Vec<NodeId>,
    /// The regions that it was looked for in.
    pub(super) regions: Vec<Region>,
    /// How the entity links look, with the number of links of each look.
    pub(super) looks: Vec<(u64, usize)>,
}

impl PageList {
    pub(super) fn is_entity(&self, at: usize) -> bool {
        self.entities.binary_search(&at).is_ok()
    }

    /// The first node of the records and the one behind the last.
    pub(super) fn extent(&self, document: &Document) -> Option<(NodeId, NodeId)> {
        Some((*self.records.first()?, document.subtree_end(*self.records.last()?)))
    }

    /// Whether a node stands in a record of the list.
    pub(super) fn in_records(&self, document: &Document, node: NodeId) -> bool {
        self.record_of(document, node).is_some()
    }

    /// The record of the list that a node stands in.
    pub(super) fn record_of(&self, document: &Document, node: NodeId) -> Option<NodeId> {
        let next = self.records.partition_point(|&record| record <= node);
        let record = *self.records.get(next.checked_sub(1)?)?;
        document.contains(record, node).then_some(record)
    }
}

/// Links that may be those of the list.
#[derive(Clone)]
struct List {
    entities: Vec<usize>,
    nodes: Vec<NodeId>,
    shape: Option<UrlShape>,
    score: f64,
}

/// Regions that score less are not looked at. Lower than what `quarry records` reports: the entity
/// links say more than the region alone.
const MIN_REGION: f64 = 0.2;

/// How regions with entity links are looked for.
pub(super) fn records_config() -> RecordsConfig {
    RecordsConfig { min_score: MIN_REGION, min_other_score: MIN_REGION, ..RecordsConfig::default() }
}

/// What a heading of promotions takes from the score of the list below it.
const PROMOTED: f64 = 6.0;

/// Finds the list: the records of the regions of the page, each as found, and each set of their links
/// that stand in boxes of the same look; where the page says how many it shows, any set of links
/// of one look with that many. The best of all.
pub(super) fn find(
    anchors: &Anchors<'_>,
    regions: Vec<Region>,
    said: &ClaimedTotal,
    known: &KnownEntities,
) -> PageList {
    let mut chains = StyleChains::new(anchors.index);
    let looks: Vec<u64> = anchors.list.iter().map(|anchor| chains.of(anchor.node)).collect();
    let mut lists: Vec<List> = Vec::new();
    for region in &regions {
        if let Some(list) = list(anchors, &region.records, region.score) {
            lists.extend(by_look(anchors, &list, &looks));
            lists.push(list);
        }
    }
    let shown = said.shown.and_then(|(from, to)| usize::try_from(to - from + 1).ok());
    for list in &mut lists {
        extend(anchors, list, &looks);
        list.score += fit(anchors, list, shown);
    }
    lists.extend(by_knowledge(anchors, known, &looks));
    if let Some(shown) = shown
        && !lists.iter().any(|list| list.entities.len() == shown && list.score > PROMOTED)
    {
        // What promotions are made of, the list is made of.
        let promoted =
            lists.iter().find(|list| list.entities.iter().any(|&at| is_promoted(anchors, at)));
        let known = promoted.and_then(|list| list.shape.clone());
        lists.extend(by_number(anchors, said, shown, known.as_ref(), &looks));
    }
    let best =
        lists.into_iter().reduce(|best, next| if next.score > best.score { next } else { best });
    let Some(mut best) = best.filter(|best| best.score > 0.0) else {
        return PageList { regions, ..PageList::default() };
    };
    best.nodes.sort_unstable();
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for &at in &best.entities {
        *counts.entry(looks[at]).or_default() += 1;
    }
    let looks = counts.into_iter().collect();
    let List { entities, shape, nodes: records, .. } = best;
    PageList { entities, shape, records, looks, regions }
}

/// What outweighs everything that a page says alone.
const KNOWN: f64 = 20.0;

/// Links that look like the entity links of other pages of the site and lead where those lead.
fn by_knowledge(anchors: &Anchors<'_>, known: &KnownEntities, looks: &[u64]) -> Option<List> {
    if known.is_empty() {
        return None;
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut entities: Vec<usize> = Vec::new();
    for (at, anchor) in anchors.list.iter().enumerate() {
        if !anchor.is_self
            && known.has(looks[at], &anchor.parts)
            && seen.insert(anchor.url.as_str())
        {
            entities.push(at);
        }
    }
    let shape = known.shape(looks[*entities.first()?]).cloned();
    let nodes = entities.iter().map(|&at| anchors.list[at].item).collect();
    Some(List { entities, nodes, shape, score: KNOWN })
}

/// The entity links of some records, and how much they look like titles.
fn list(anchors: &Anchors<'_>, records: &[RecordSpan], region_score: f64) -> Option<List> {
    let places = places(anchors, records);
    let letters = |record: usize| {
        let nodes = records[record].nodes.iter();
        nodes.map(|&node| anchors.document.folded_len(node)).sum::<usize>()
    };
    let best =
        places.iter().map(|place| (place_score(anchors, place, records.len(), &letters), place));
    let (score, place) = best.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    if score <= 0.0 {
        return None;
    }
    let shape = UrlShape::of_parts(place.iter().map(|&(_, at)| &anchors.list[at].parts));
    let mut entities: Vec<usize> = Vec::new();
    // Both are in the order of the records.
    let mut own = place.iter().peekable();
    for (number, record) in records.iter().enumerate() {
        let own = own.next_if(|&&(of, _)| of == number).map(|&(_, at)| at);
        let other = || {
            let shape = shape.as_ref()?;
            let links = record.nodes.iter().flat_map(|&node| anchors.range_in(node));
            links.into_iter().find(|&at| shape.fits_parts(&anchors.list[at].parts))
        };
        entities.extend(own.or_else(other));
    }
    // What does not lead where the others lead only looks like a record.
    if let Some(common) = common_shape(anchors, &entities) {
        entities.retain(|&at| common.fits_parts(&anchors.list[at].parts));
        let shape = Some(common);
        return finish(anchors, records, entities, shape, region_score * 4.0 + score);
    }
    finish(anchors, records, entities, shape, region_score * 4.0 + score)
}

fn finish(
    anchors: &Anchors<'_>,
    records: &[RecordSpan],
    mut entities: Vec<usize>,
    shape: Option<UrlShape>,
    score: f64,
) -> Option<List> {
    entities.sort_unstable();
    entities.dedup();
    // What has no entity link is no record.
    let holds = |record: &&RecordSpan| {
        let mut links = record.nodes.iter().flat_map(|&node| anchors.range_in(node));
        links.any(|at| entities.binary_search(&at).is_ok())
    };
    let nodes =
        records.iter().filter(holds).flat_map(|record| record.nodes.iter().copied()).collect();
    (!entities.is_empty()).then_some(List { entities, nodes, shape, score })
}

/// The shape of most of the links, where it says more than that of all.
fn common_shape(anchors: &Anchors<'_>, entities: &[usize]) -> Option<UrlShape> {
    let mut first: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    for &at in entities {
        let parts = &anchors.list[at].parts;
        // Years and other numbers are data: entities of one list may have several.
        let is_kind = |head: &&String| parts.segments.len() > 1 && !is_number(head);
        let head = parts.segments.first().filter(is_kind);
        first.entry((parts.segments.len(), head.map_or("", String::as_str))).or_default().push(at);
    }
    let most = first.into_values().max_by_key(Vec::len)?;
    // Less than most: the first segment is no kind but data.
    let share = most.len() as f64 / entities.len() as f64;
    if share < 0.75 || most.len() < 2 {
        return None;
    }
    UrlShape::of_parts(most.iter().map(|&at| &anchors.list[at].parts))
}

/// Where the links of a list look differently, each kind as a list of its own.
fn by_look(anchors: &Anchors<'_>, list: &List, looks: &[u64]) -> Vec<List> {
    let mut kinds: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for &at in &list.entities {
        kinds.entry(looks[at]).or_default().push(at);
    }
    if kinds.len() < 2 {
        return Vec::new();
    }
    let document = anchors.document;
    // A part is less than the whole; it must fit better to win.
    let part = |entities: Vec<usize>| {
        let inside = |node: &NodeId| {
            let next = entities.partition_point(|&at| anchors.list[at].node < *node);
            entities.get(next).is_some_and(|&at| document.contains(*node, anchors.list[at].node))
        };
        let nodes = list.nodes.iter().copied().filter(inside).collect();
        List { nodes, entities, shape: list.shape.clone(), score: list.score - 0.5 }
    };
    kinds.into_values().map(part).collect()
}

/// What speaks for and against a list beside its links.
fn fit(anchors: &Anchors<'_>, list: &List, shown: Option<usize>) -> f64 {
    let Some(&first) = list.entities.first() else { return -PROMOTED };
    let mut score = 0.0;
    let promoted = list.entities.iter().filter(|&&at| is_promoted(anchors, at)).count();
    if promoted > 0 {
        score -= PROMOTED;
    }
    if anchors.list[first].frame != Frame::None {
        score -= 3.0;
    }
    match shown {
        Some(shown) if shown == list.entities.len() => score += 5.0,
        Some(shown) if shown < list.entities.len() => score -= 5.0,
        Some(_) => score -= 2.0,
        None => {}
    }
    score
}

/// Whether the heading right before a link says that the list is not the answer.
fn is_promoted(anchors: &Anchors<'_>, at: usize) -> bool {
    let Some((node, _)) = anchors.gaps[at].label else {
        return anchors.gaps[at]
            .last_text(anchors.document)
            .is_some_and(|text| says_promotion(&text));
    };
    says_promotion(&anchors.document.folded_text(node))
}

fn says_promotion(text: &str) -> bool {
    text.chars().count() < 40 && has(text, PROMOTION)
}

/// Sets of links of one look that are as many as the page says it shows.
fn by_number(
    anchors: &Anchors<'_>,
    said: &ClaimedTotal,
    shown: usize,
    known: Option<&UrlShape>,
    looks: &[u64],
) -> Vec<List> {
    let mut kinds: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut seen: BTreeSet<(u64, &str)> = BTreeSet::new();
    for (at, anchor) in anchors.list.iter().enumerate() {
        let usable = !anchor.is_self
            && anchor.frame == Frame::None
            && anchor.kind == LinkKind::Anchor
            && !widens(&anchor.changes);
        if usable && seen.insert((looks[at], anchor.url.as_str())) {
            kinds.entry(looks[at]).or_default().push(at);
        }
    }
    let mut found = Vec::new();
    for entities in kinds.into_values().filter(|entities| entities.len() == shown) {
        let place: Place = entities.iter().copied().enumerate().collect();
        let shape = UrlShape::of_parts(place.iter().map(|&(_, at)| &anchors.list[at].parts));
        let mut score =
            place_score(anchors, &place, shown, &|_| 0) + fit_alone(anchors, &entities, said);
        if known.is_some_and(|known| {
            entities.iter().all(|&at| known.fits_parts(&anchors.list[at].parts))
        }) {
            score += 6.0;
        }
        let nodes = entities.iter().map(|&at| anchors.list[at].item).collect();
        let shape = known
            .cloned()
            .filter(|k| entities.iter().all(|&at| k.fits_parts(&anchors.list[at].parts)))
            .or(shape);
        found.push(List { entities, nodes, shape, score });
    }
    found
}

/// What speaks for and against links that no region holds.
fn fit_alone(anchors: &Anchors<'_>, entities: &[usize], said: &ClaimedTotal) -> f64 {
    let document = anchors.document;
    let links = || entities.iter().map(|&at| &anchors.list[at]);
    let share = |count: usize| count as f64 / entities.len() as f64;
    let behind = links().filter(|link| said.node.is_none_or(|node| link.node > node)).count();
    let titled = links().filter(|link| is_titled(document, link.node)).count();
    let promoted = entities.iter().filter(|&&at| is_promoted(anchors, at)).count();
    let near = links().filter(|link| {
        let changes = &link.changes;
        !changes.is_empty() && !changes.contains(&UrlChange::Elsewhere)
    });
    let words = links().filter(|link| link.text.split_whitespace().count() >= 3).count();
    share(behind) + 2.0 * share(titled) + share(words)
        - PROMOTED * share(promoted)
        - 2.0 * share(near.count())
        - 1.5
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
                let mut key = key::then(nth as u64, anchor.parts.coarse_key());
                let mut node = anchor.node;
                while node > root {
                    key = key::then(key, key::of(anchors.document.tag_name(node)));
                    node = anchors.document.parent(node).unwrap_or(root);
                }
                let place = places.entry(key).or_default();
                if place.last().is_none_or(|&(of, _)| of != number) {
                    place.push((number, at));
                }
            }
        }
    }
    // In the order of the page: hashes differ with the host's name.
    let mut places: Vec<Place> = places.into_values().collect();
    places.sort_by_key(|place| place.first().map(|&(_, at)| at));
    places
}

/// Characters of a record beyond its link, up to which a number behind the link is its count.
const MAX_COUNT_CHARS: usize = 16;

/// How much the links at one place look like the titles of the records, which have so many letters.
fn place_score(
    anchors: &Anchors<'_>,
    place: &Place,
    records: usize,
    letters_of: &dyn Fn(usize) -> usize,
) -> f64 {
    let document = anchors.document;
    let links = || place.iter().map(|&(_, at)| &anchors.list[at]);
    let share = |count: usize| count as f64 / place.len() as f64;
    let hrefs: BTreeSet<&str> = links().map(|link| link.url.as_str()).collect();
    let texts: BTreeSet<&str> = links().map(|link| link.text.as_str()).collect();
    let titled = links().filter(|link| is_titled(document, link.node));
    let repeated = place.iter().filter(|&&(_, at)| {
        let near = at.saturating_sub(3)..(at + 4).min(anchors.list.len());
        near.into_iter().any(|other| other != at && anchors.list[other].url == anchors.list[at].url)
    });
    let refining = links().filter(|link| widens(&link.changes));
    // A number behind a link is a count if there is nothing else.
    let counted = place.iter().filter(|&&(record, at)| {
        let link = &anchors.list[at];
        let is_bare = letters_of(record) <= link.text.len() + MAX_COUNT_CHARS;
        is_bare && anchors.counted(link).count.is_some()
    });
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

/// Whether an address is this page's with parts left out, or with other parameters.
fn widens(changes: &[UrlChange]) -> bool {
    let less =
        |c: &UrlChange| matches!(c, UrlChange::Removed { .. } | UrlChange::SegmentsRemoved(_));
    changes.iter().all(less) || keeps_query(changes)
}

/// Whether an address is this page's with other parameters, none of its own lost but the page.
fn keeps_query(changes: &[UrlChange]) -> bool {
    !changes.is_empty()
        && changes.iter().all(|change| match change {
            UrlChange::Added { .. } | UrlChange::Changed { .. } => true,
            UrlChange::Removed { name, .. } => super::paging::is_page_key(name),
            _ => false,
        })
}

/// The same list can go on in another box: links whose elements have the same names and classes all
/// the way up.
fn extend(anchors: &Anchors<'_>, list: &mut List, looks: &[u64]) {
    let Some(shape) = &list.shape else { return };
    let own: BTreeSet<u64> = list.entities.iter().map(|&at| looks[at]).collect();
    let mut seen: BTreeSet<&str> =
        list.entities.iter().map(|&at| anchors.list[at].url.as_str()).collect();
    for (at, anchor) in anchors.list.iter().enumerate() {
        if own.contains(&looks[at])
            && !anchor.is_self
            && shape.fits_parts(&anchor.parts)
            && seen.insert(anchor.url.as_str())
        {
            list.entities.push(at);
        }
    }
    list.entities.sort_unstable();
}

/// Whether a link stands in a heading or holds one.
fn is_titled(document: &Document, link: NodeId) -> bool {
    document.ancestors(link).take(3).any(|node| super::attribute::is_heading(document, node))
        || document.subtree(link).take(6).any(|node| super::attribute::is_heading(document, node))
}

/// Takes entities and promotions out of the links that are left.
pub(super) fn take(anchors: &mut Anchors<'_>, found: &PageList, map: &mut LinkMap) {
    let xpaths = anchors.document.xpaths();
    let link = |anchors: &Anchors<'_>, at: usize| EntityLink {
        href: anchors.list[at].url.to_string(),
        text: anchors.list[at].text.clone(),
        path: xpaths.xpath(anchors.list[at].node),
        node: anchors.list[at].node,
    };
    for &at in &found.entities {
        map.entities.push(link(anchors, at));
        anchors.list[at].taken = true;
    }
    let Some(shape) = &found.shape else { return };
    map.entity_shape = Some(shape.to_string());
    let hrefs: BTreeSet<String> = map.entities.iter().map(|entity| entity.href.clone()).collect();
    let mut promoted: BTreeMap<String, usize> = BTreeMap::new();
    for at in 0..anchors.list.len() {
        let anchor = &anchors.list[at];
        if anchor.taken || anchor.is_self || !fits(shape, &anchor.parts, anchor.frame) {
            continue;
        }
        // A second link of the same record.
        let mut near = at.saturating_sub(2)..(at + 3).min(anchors.list.len());
        let again = hrefs.contains(anchor.url.as_str())
            && (found.in_records(anchors.document, anchor.node)
                || near
                    .any(|other| found.is_entity(other) && anchors.list[other].url == anchor.url));
        if !again
            && !anchors.document.ancestors(anchor.node).any(|n| anchors.document.is(n, Tag::HEAD))
        {
            let href = anchor.url.to_string();
            let place = *promoted.entry(href).or_insert(map.promoted.len());
            match map.promoted.get_mut(place) {
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
