//! Which lists of records could this page hold? Every set of anchors proposes one; lists proposed by
//! several sets (title, price, thumbnail all say the same) are more likely.

use quarry_dom::NodeId;

use super::anchor::anchor_sets;
use super::complete::Completer;
use super::level::{Level, records_at_best_level, without_nested};
use super::span::{Boundary, Span, spans};
use crate::page::{Facts, hash};

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
    pub(crate) anchors: Vec<(u64, Level)>,
}

/// Lists with fewer characters a record on average are not looked at.
const MIN_CHARS: u32 = 3;

/// The page's candidates, those that cover most fresh text first, at most `limit`.
pub(crate) fn candidates(facts: &Facts<'_>, limit: usize) -> Vec<Candidate> {
    let mut proposals: Vec<(u64, Vec<NodeId>, (u64, Level))> = Vec::new();
    for set in anchor_sets(facts) {
        if set.nodes.len() < 2 {
            continue;
        }
        let Some((level, roots)) = records_at_best_level(facts, &set.nodes) else { continue };
        for group in groups(facts, &roots) {
            let identity = hash::of_set(group.iter().map(|node| u64::from(node.0)));
            proposals.push((identity, group, (set.signature, level)));
        }
    }
    proposals.sort_by(|one, other| (one.0, &one.1, one.2).cmp(&(other.0, &other.1, other.2)));
    let mut lists: Vec<(u32, Vec<NodeId>, Vec<(u64, Level)>)> = Vec::new();
    for same in proposals.chunk_by(|one, other| one.0 == other.0) {
        let roots = same[0].1.clone();
        let chars: u32 = roots.iter().map(|&root| facts.chars(root)).sum();
        let fresh: u32 = roots.iter().map(|&root| facts.fresh_chars(root)).sum();
        if chars < MIN_CHARS * roots.len() as u32 {
            continue;
        }
        let mut anchors: Vec<(u64, Level)> = same.iter().map(|proposal| proposal.2).collect();
        anchors.dedup();
        lists.push((fresh, roots, anchors));
    }
    lists.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    lists.truncate(limit);
    let mut completer = Completer::new(facts);
    let mut completed: Vec<(Vec<NodeId>, Vec<(u64, Level)>)> = Vec::new();
    for (_, roots, anchors) in lists {
        completed.push((completer.complete(&roots), anchors));
    }
    completed.sort();
    let mut candidates: Vec<Candidate> = Vec::new();
    for same in completed.chunk_by(|one, other| one.0 == other.0) {
        let mut anchors: Vec<(u64, Level)> = same.iter().flat_map(|list| list.1.clone()).collect();
        anchors.sort_unstable();
        anchors.dedup();
        candidates.push(make(facts, same[0].0.clone(), anchors));
    }
    candidates
}

/// The candidate with these roots.
pub(crate) fn make(
    facts: &Facts<'_>,
    roots: Vec<NodeId>,
    anchors: Vec<(u64, Level)>,
) -> Candidate {
    let roots = without_stale_parts(facts, without_nested(facts, roots));
    let (spans, boundary) = spans(facts, &roots);
    let region = region_of(facts, &spans);
    Candidate { roots, spans, boundary, region, anchors }
}

/// Records of one parent with less of their text fresh than this are the same on nearly all pages.
const STALE_PART: f64 = 0.3;
/// Only where at least this share of the records is fresh are the others dropped.
const FRESH_LIST: f64 = 0.6;

/// Drops parts of a list that other pages of the template show as well, where the list is made for
/// this page: side boxes and promotions in the dress of answers. A part is the records of one
/// parent; a single stale record among fresh ones stays.
fn without_stale_parts(facts: &Facts<'_>, roots: Vec<NodeId>) -> Vec<NodeId> {
    let parent = |root: NodeId| u64::from(facts.document.parent(root).unwrap_or(NodeId::ROOT).0);
    let mut kept: Vec<NodeId> = Vec::with_capacity(roots.len());
    for part in split(&roots, parent) {
        let chars: u32 = part.iter().map(|&root| facts.chars(root)).sum();
        let fresh: u32 = part.iter().map(|&root| facts.fresh_chars(root)).sum();
        if f64::from(fresh) >= STALE_PART * f64::from(chars) {
            kept.extend(part);
        }
    }
    kept.sort_unstable();
    if kept.len() as f64 >= FRESH_LIST * roots.len() as f64 { kept } else { roots }
}

/// The roots that belong together: those of one path, of one look, of one parent.
fn groups(facts: &Facts<'_>, roots: &[NodeId]) -> Vec<Vec<NodeId>> {
    let document = facts.document;
    let by_path = split(roots, |root| {
        let parent = document.parent(root).unwrap_or(NodeId::ROOT);
        facts.path[parent.index()]
    });
    let by_look = split(roots, |root| facts.look[root.index()]);
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
pub(crate) fn region_of(facts: &Facts<'_>, spans: &[Span]) -> NodeId {
    let document = facts.document;
    let nodes = || spans.iter().flat_map(|span| span.nodes.iter().copied());
    let (Some(first), Some(last)) = (nodes().min(), nodes().max()) else { return NodeId::ROOT };
    let mut region = document.parent(first).unwrap_or(NodeId::ROOT);
    while !document.contains(region, last) {
        region = document.parent(region).unwrap_or(NodeId::ROOT);
    }
    region
}
