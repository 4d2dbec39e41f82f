//! Proposes the lists of records that a page may hold. Every set of anchors proposes one; lists proposed by
//! several sets (title, price, thumbnail all say the same) are more likely.

use std::collections::BTreeMap;

use quarry_dom::NodeId;

use super::anchor::anchor_sets;
use super::complete::Completer;
use super::level::{Level, records_at_best_level, without_nested};
use super::span::{Boundary, Span, spans};
use crate::page::RatedPage;

/// How to find records on any page of the template: the signature of a set of anchors and the level
/// of their records.
pub(crate) type Anchor = (u64, Level);

/// A list of records that a page may hold.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The elements that the anchors' records grew to, in document order.
    pub(crate) roots: Vec<NodeId>,
    pub(crate) spans: Vec<Span>,
    pub(crate) boundary: Boundary,
    /// The smallest element that holds all records.
    pub(crate) region: NodeId,
    /// The sets of anchors that proposed exactly this list: signature and level.
    pub(crate) anchors: Vec<Anchor>,
}

/// Lists with fewer characters a record on average are not looked at.
const MIN_CHARS: u32 = 3;

/// Lists by their roots, and the anchors that proposed each.
type Lists = BTreeMap<Vec<NodeId>, Vec<Anchor>>;

/// The page's candidates: of all proposals the `limit` that cover most fresh text, completed.
pub(crate) fn candidates(page: &RatedPage<'_>, limit: usize) -> Vec<Candidate> {
    let mut ranked: Vec<(u32, Vec<NodeId>, Vec<Anchor>)> = Vec::new();
    for (roots, anchors) in proposals(page) {
        let chars: u32 = roots.iter().map(|&root| page.chars(root)).sum();
        if chars >= MIN_CHARS * roots.len() as u32 {
            let fresh = roots.iter().map(|&root| page.fresh_chars(root)).sum();
            ranked.push((fresh, roots, anchors));
        }
    }
    ranked.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let mut completer = Completer::new(page);
    let mut completed = Lists::new();
    for (_, roots, anchors) in ranked.into_iter().take(limit) {
        completed.entry(completer.complete(&roots)).or_default().extend(anchors);
    }
    completed.into_iter().map(|(roots, anchors)| make(page, roots, anchors)).collect()
}

/// What the sets of anchors propose: each its records at their best level, as one list and in groups.
fn proposals(page: &RatedPage<'_>) -> Lists {
    let mut lists = Lists::new();
    for set in anchor_sets(page) {
        if set.nodes.len() < 2 {
            continue;
        }
        let Some((level, roots)) = records_at_best_level(page, &set.nodes) else { continue };
        for group in groups(page, &roots) {
            lists.entry(group).or_default().push((set.signature, level));
        }
    }
    lists
}

/// The candidate with these roots.
pub(crate) fn make(
    page: &RatedPage<'_>,
    roots: Vec<NodeId>,
    anchors: Vec<(u64, Level)>,
) -> Candidate {
    let roots = without_stale_parts(page, without_nested(page, roots));
    let (spans, boundary) = spans(page, &roots);
    let region = region_of(page, &spans);
    Candidate { roots, spans, boundary, region, anchors }
}

/// Records of one parent with less of their text fresh than this are the same on nearly all pages.
const STALE_PART: f64 = 0.3;
/// Only where at least this share of the records is fresh are the others dropped.
const FRESH_LIST: f64 = 0.6;

/// Drops parts of a list that other pages of the template show as well, where the list is made for
/// this page: side boxes and promotions in the dress of answers. A part is the records of one
/// parent; a single stale record among fresh ones stays.
fn without_stale_parts(page: &RatedPage<'_>, roots: Vec<NodeId>) -> Vec<NodeId> {
    let parent = |root: NodeId| u64::from(page.document.parent(root).unwrap_or(NodeId::ROOT).0);
    let mut kept: Vec<NodeId> = Vec::with_capacity(roots.len());
    for part in split(&roots, parent) {
        let chars: u32 = part.iter().map(|&root| page.chars(root)).sum();
        let fresh: u32 = part.iter().map(|&root| page.fresh_chars(root)).sum();
        if f64::from(fresh) >= STALE_PART * f64::from(chars) {
            kept.extend(part);
        }
    }
    kept.sort_unstable();
    if kept.len() as f64 >= FRESH_LIST * roots.len() as f64 { kept } else { roots }
}

/// The roots that belong together: those of one path, of one look, of one parent.
fn groups(page: &RatedPage<'_>, roots: &[NodeId]) -> Vec<Vec<NodeId>> {
    let document = page.document;
    let by_path = split(roots, |root| {
        let parent = document.parent(root).unwrap_or(NodeId::ROOT);
        page.path(parent).0
    });
    let by_look = split(roots, |root| page.style(root).0);
    let by_parent = split(roots, |root| u64::from(document.parent(root).unwrap_or(NodeId::ROOT).0));
    let mut all = by_path;
    all.extend(by_look);
    all.extend(by_parent);
    all.push(roots.to_vec());
    all.retain(|group| group.len() >= 2);
    all.sort();
    all.dedup();
    all
}

fn split(roots: &[NodeId], key: impl Fn(NodeId) -> u64) -> Vec<Vec<NodeId>> {
    let mut keyed: Vec<(u64, NodeId)> = roots.iter().map(|&root| (key(root), root)).collect();
    keyed.sort_unstable();
    let groups = keyed.chunk_by(|one, other| one.0 == other.0);
    groups.map(|group| group.iter().map(|&(_, root)| root).collect()).collect()
}

/// The smallest element around all records, never one of them.
pub(crate) fn region_of(page: &RatedPage<'_>, spans: &[Span]) -> NodeId {
    let document = page.document;
    let nodes = || spans.iter().flat_map(|span| span.nodes.iter().copied());
    let (Some(first), Some(last)) = (nodes().min(), nodes().max()) else { return NodeId::ROOT };
    let mut region = document.parent(first).unwrap_or(NodeId::ROOT);
    while !document.contains(region, last) {
        region = document.parent(region).unwrap_or(NodeId::ROOT);
    }
    region
}
