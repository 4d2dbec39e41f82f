//! Finds the siblings that a record consists of. Mostly it is one element; where what
//! belongs to it follows (or stands before) as siblings without a container, it is a run of them.

use std::collections::BTreeMap;

use quarry_dom::{NodeId, Tag, key};

use crate::page::RatedPage;

/// The nodes of one record: siblings in document order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) nodes: Vec<NodeId>,
}

/// How the records of a list were told from each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boundary {
    /// Each record is one element.
    Element,
    /// Records are runs of siblings; so many of them stand before the one with the anchor.
    Run {
        /// Siblings before.
        lead: usize,
    },
    /// Each record stands inside the one before it, as where end tags are missing: a record is
    /// what comes before the next.
    Chain,
}

/// Half of the pairs of neighbours must have content between them before it is taken for part of
/// the records; less is an advertisement or a group heading now and then.
const GAPS_MAKE_RUNS: f64 = 0.5;
/// The share of records that must have a like sibling before them for it to be their part.
const LEADS_AGREE: f64 = 0.7;
/// Runs longer than this are no records.
const MAX_RUN: usize = 24;

/// Children of one parent: those with content, and which of them are roots.
struct Row {
    siblings: Vec<NodeId>,
    /// Positions of roots in `siblings`.
    roots: Vec<usize>,
}

/// The spans around `roots` (document order, none inside another).
pub(crate) fn spans(page: &RatedPage<'_>, roots: &[NodeId]) -> (Vec<Span>, Boundary) {
    if is_chain(page, roots) {
        return (chain(page, roots), Boundary::Chain);
    }
    let rows = rows(page, roots);
    let (mut pairs, mut gaps) = (0usize, 0usize);
    for row in &rows {
        for pair in row.roots.windows(2) {
            pairs += 1;
            gaps += usize::from(pair[1] > pair[0] + 1);
        }
    }
    let singles = || roots.iter().map(|&root| Span { nodes: vec![root] }).collect();
    if pairs == 0 || (gaps as f64) < GAPS_MAKE_RUNS * pairs as f64 || are_items(page, roots) {
        return (singles(), Boundary::Element);
    }
    let lead = lead(page, &rows);
    let mut spans: Vec<Span> = rows.iter().flat_map(|row| runs(page, row, lead)).collect();
    let holds_roots = |&node: &NodeId| {
        let next = roots.partition_point(|&root| root <= node);
        roots.get(next).is_some_and(|&root| page.document.contains(node, root))
    };
    for span in &mut spans {
        // A sibling that holds records of its own is no part of this one, nor is what lies beyond
        // it: records would reach around others.
        let own = span.nodes.iter().position(|node| roots.binary_search(node).is_ok()).unwrap_or(0);
        let start = span.nodes[..own].iter().rposition(holds_roots).map_or(0, |at| at + 1);
        let rest = span.nodes[own..].iter().position(holds_roots);
        span.nodes.truncate(rest.map_or(span.nodes.len(), |at| own + at));
        span.nodes.drain(..start);
    }
    spans.sort_by(|one, other| one.nodes.first().cmp(&other.nodes.first()));
    (spans, Boundary::Run { lead })
}

/// The share of neighbours of which the second must stand deeper in the parent of the first.
const CHAIN_AGREES: f64 = 0.6;

fn is_chain(page: &RatedPage<'_>, roots: &[NodeId]) -> bool {
    let document = page.document;
    let nested = roots.windows(2).filter(|pair| {
        let parents = (document.parent(pair[0]), document.parent(pair[1]));
        parents.0 != parents.1 && parents.0.is_some_and(|parent| document.contains(parent, pair[1]))
    });
    roots.len() > 2 && nested.count() as f64 >= CHAIN_AGREES * (roots.len() - 1) as f64
}

/// Each root and what follows it, up to the sibling that holds the next root.
fn chain(page: &RatedPage<'_>, roots: &[NodeId]) -> Vec<Span> {
    let document = page.document;
    let mut spans: Vec<Span> = Vec::with_capacity(roots.len());
    for (at, &root) in roots.iter().enumerate() {
        let next = roots.get(at + 1).copied();
        let mut nodes = vec![root];
        let mut sibling = document.next_sibling(root);
        // What follows the last record is as likely the end of the page.
        while let (Some(node), Some(next)) = (sibling, next)
            && document.subtree_end(node) <= next
            && nodes.len() < MAX_RUN
        {
            if page.has_content(node) {
                nodes.push(node);
            }
            sibling = document.next_sibling(node);
        }
        spans.push(Span { nodes });
    }
    spans
}

/// Whether the elements are by name one item each; then what stands between them are items of
/// another kind, not parts of these.
fn are_items(page: &RatedPage<'_>, roots: &[NodeId]) -> bool {
    let item = |&&root: &&NodeId| {
        matches!(page.document.tag(root), Some(Tag::LI | Tag::ARTICLE | Tag::OPTION))
    };
    roots.iter().filter(item).count() * 2 > roots.len()
}

fn rows(page: &RatedPage<'_>, roots: &[NodeId]) -> Vec<Row> {
    let document = page.document;
    let mut by_parent: Vec<(NodeId, NodeId)> =
        roots.iter().map(|&root| (document.parent(root).unwrap_or(NodeId::ROOT), root)).collect();
    by_parent.sort_unstable();
    let groups = by_parent.chunk_by(|one, other| one.0 == other.0);
    let mut rows: Vec<Row> = groups
        .map(|group| {
            let siblings: Vec<NodeId> =
                document.children(group[0].0).filter(|&child| page.has_content(child)).collect();
            let roots = group.iter().filter_map(|&(_, root)| siblings.binary_search(&root).ok());
            let roots = roots.collect();
            Row { siblings, roots }
        })
        .collect();
    rows.sort_by_key(|row| row.roots.first().map(|&at| row.siblings[at]));
    rows
}

/// How many siblings before each root belong to it: those that are built alike before most roots, also before the first ones of
/// their rows. What stands before the first root only (a header row) or is missing there does not shift the records.
fn lead(page: &RatedPage<'_>, rows: &[Row]) -> usize {
    let all: usize = rows.iter().map(|row| row.roots.len()).sum();
    let agree = |count: usize| count as f64 >= LEADS_AGREE * all as f64;
    let mut lead = 0;
    loop {
        let next = lead + 1;
        // The build of the sibling so far before each root, and the roots that the first one of a row speaks for.
        let mut builds: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
        for row in rows {
            for (number, &root) in row.roots.iter().enumerate() {
                let start = number.checked_sub(1).map_or(0, |before| row.roots[before] + 1);
                let Some(at) = root.checked_sub(next).filter(|&at| at >= start) else { continue };
                let count = builds.entry(build(page, row.siblings[at])).or_default();
                count.0 += 1;
                count.1 += if number == 0 { row.roots.len() } else { 0 };
            }
        }
        let most = builds.into_values().max().unwrap_or_default();
        if !agree(most.0) || !agree(most.1) || next > MAX_RUN {
            return lead;
        }
        lead = next;
    }
}

/// The style of an element and the name of its first child: tells a header row from the others.
fn build(page: &RatedPage<'_>, node: NodeId) -> u64 {
    let child = page.document.child_elements(node).next();
    key::then(page.style(node).0, child.map_or(0, |child| page.name(child)))
}

fn runs(page: &RatedPage<'_>, row: &Row, lead: usize) -> Vec<Span> {
    let starts: Vec<usize> = row
        .roots
        .iter()
        .enumerate()
        .map(|(number, &root)| {
            let first = number.checked_sub(1).map_or(0, |before| row.roots[before] + 1);
            root.saturating_sub(lead).max(first)
        })
        .collect();
    let look = |at: usize| page.style(row.siblings[at]).0;
    let mut seen: Vec<u64> = Vec::new();
    let mut longest = 1;
    for pair in starts.windows(2) {
        longest = longest.max(pair[1] - pair[0]);
        seen.extend((pair[0]..pair[1]).map(look));
    }
    seen.sort_unstable();
    seen.dedup();
    let mut spans = Vec::with_capacity(starts.len());
    for (number, &start) in starts.iter().enumerate() {
        let mut end = starts.get(number + 1).copied();
        if end.is_none() {
            // What follows the last record belongs to it as far as other records have the like.
            let mut at = row.roots[number] + 1;
            while at < row.siblings.len()
                && at < start + longest
                && seen.binary_search(&look(at)).is_ok()
            {
                at += 1;
            }
            end = Some(at);
        }
        let end = end.unwrap_or(start + 1).min(start + MAX_RUN);
        spans.push(Span { nodes: row.siblings[start..end].to_vec() });
    }
    spans
}
