//! Fragments of one look under one ancestor are sections of one specification: the detector judges them together, too, since
//! a section of two rows says little alone. Sections have different names; records repeat theirs.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::NodeId;

use super::fragment::Fragment;
use super::outline::Outline;

/// Elements from a section up to the one that holds the next section, at most.
const MAX_LEVELS: usize = 5;
/// The share of different names among the names of all sections, at least: records have fewer.
const MIN_DISTINCT: f64 = 0.8;

/// Sections of one specification.
pub(crate) struct Union {
    /// The fragments, by their number on the page.
    pub(crate) members: Vec<usize>,
    /// All of them as one.
    pub(crate) whole: Fragment,
}

/// The fragments of a page that may be sections of one specification.
pub(crate) fn unions(outline: &Outline<'_>, fragments: &[Fragment]) -> Vec<Union> {
    let mut by_key: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, fragment) in fragments.iter().enumerate() {
        by_key.entry(fragment.key).or_default().push(at);
    }
    let mut found = Vec::new();
    for like in by_key.into_values().filter(|like| like.len() > 1) {
        for members in neighbours(outline, fragments, &like) {
            let names = || members.iter().flat_map(|&at| names(&fragments[at]));
            let (all, different) = (names().count(), names().collect::<BTreeSet<&str>>().len());
            if different as f64 >= MIN_DISTINCT * all as f64 {
                found.push(Union { whole: whole(outline, fragments, &members), members });
            }
        }
    }
    found
}

/// The different names of one fragment.
fn names(fragment: &Fragment) -> BTreeSet<&str> {
    fragment.pairs.iter().map(|pair| pair.name.as_str()).collect()
}

/// Runs of fragments, each with an ancestor near by that holds the next one.
fn neighbours(outline: &Outline<'_>, fragments: &[Fragment], like: &[usize]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for &at in like {
        let is_near = |before: &usize| {
            let around = outline.document.ancestors(fragments[*before].node).take(MAX_LEVELS);
            around.into_iter().any(|node| outline.document.contains(node, fragments[at].node))
        };
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(is_near) => run.push(at),
            _ => runs.push(vec![at]),
        }
    }
    runs.retain(|run| run.len() > 1);
    runs
}

fn whole(outline: &Outline<'_>, fragments: &[Fragment], members: &[usize]) -> Fragment {
    let first = &fragments[members[0]];
    let last = &fragments[members[members.len() - 1]];
    let around = std::iter::once(first.node).chain(outline.document.ancestors(first.node));
    let node = around
        .into_iter()
        .find(|&node| outline.document.contains(node, last.node))
        .unwrap_or(NodeId::ROOT);
    let all = || members.iter().map(|&at| &fragments[at]);
    Fragment {
        kind: first.kind,
        node,
        key: first.key,
        rows: all().flat_map(|fragment| fragment.rows.iter().cloned()).collect(),
        turned: first.turned,
        pairs: all().flat_map(|fragment| fragment.pairs.iter().cloned()).collect(),
    }
}
