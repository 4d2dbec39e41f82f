//! Compares lists that lie inside each other, pair by pair: groups and their members, records and a list in one of them.

use quarry_dom::NodeId;

use crate::page::RatedPage;
use crate::record::candidate::Candidate;

/// What the other lists of the page say about one list.
#[derive(Clone, Copy, Default)]
pub(super) struct Pairs {
    /// See [`RegionEvidence::nested`](super::RegionEvidence::nested).
    pub(super) nested: f64,
    /// See [`RegionEvidence::groups`](super::RegionEvidence::groups).
    pub(super) groups: f64,
    /// See [`RegionEvidence::within`](super::RegionEvidence::within).
    pub(super) within: f64,
}

/// The inner list must hold this share of the text of the records around it.
const NESTED_SHARE: f64 = 0.6;
/// Fewer records say nothing about a list that lies in one of them.
const MIN_AROUND: usize = 3;

/// The nodes of a list's records in document order, where each record's begin, and its characters.
struct Outline {
    nodes: Vec<NodeId>,
    /// For each node, its record.
    owners: Vec<usize>,
    records: usize,
    chars: f64,
}

impl Outline {
    fn of(page: &RatedPage<'_>, list: &Candidate) -> Self {
        let (mut nodes, mut owners) = (Vec::new(), Vec::new());
        for (record, span) in list.spans.iter().enumerate() {
            nodes.extend_from_slice(&span.nodes);
            owners.extend(std::iter::repeat_n(record, span.nodes.len()));
        }
        let chars = nodes.iter().map(|&node| f64::from(page.chars(node))).sum();
        Self { nodes, owners, records: list.spans.len(), chars }
    }

    /// The record that holds a node below its own nodes.
    fn holder(&self, page: &RatedPage<'_>, node: NodeId) -> Option<usize> {
        let before = self.nodes.partition_point(|&own| own < node).checked_sub(1)?;
        page.document.contains(self.nodes[before], node).then(|| self.owners[before])
    }

    /// For each record, how many of the roots it holds; `None` unless all lie in records.
    fn members(&self, page: &RatedPage<'_>, roots: &[NodeId]) -> Option<Vec<u32>> {
        let mut members = vec![0; self.records];
        for &root in roots {
            members[self.holder(page, root)?] += 1;
        }
        Some(members)
    }
}

/// For each of the lists of a page, given with its probability on first sight, what the others say.
pub(super) fn pairs(page: &RatedPage<'_>, lists: &[(&Candidate, f64)]) -> Vec<Pairs> {
    let outlines: Vec<Outline> = lists.iter().map(|list| Outline::of(page, list.0)).collect();
    let mut all = vec![Pairs::default(); lists.len()];
    for (inner, list) in lists.iter().enumerate() {
        let roots = &list.0.roots;
        let (Some(&first), Some(&last)) = (roots.first(), roots.last()) else { continue };
        for (outer, around) in outlines.iter().enumerate() {
            let Some(holder) = around.holder(page, first) else { continue };
            if outer == inner || around.holder(page, last).is_none() {
                continue;
            }
            let Some(members) = around.members(page, roots) else { continue };
            if members[holder] as usize == roots.len() && around.records >= MIN_AROUND {
                all[inner].within = all[inner].within.max(lists[outer].1);
            }
            let ratio = outlines[inner].records as f64 / around.records.max(1) as f64;
            let share = outlines[inner].chars / around.chars.max(1.0);
            if ratio > 1.0 && share >= NESTED_SHARE {
                all[outer].nested = all[outer].nested.max(ratio.ln_1p());
                all[outer].groups = all[outer].groups.max(share.min(1.0) * variation(&members));
            }
        }
    }
    all
}

/// Standard deviation by mean, at most 1.
fn variation(numbers: &[u32]) -> f64 {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().map(|&number| f64::from(number)).sum::<f64>() / count;
    let square = numbers.iter().map(|&number| (f64::from(number) - mean).powi(2)).sum::<f64>();
    ((square / count).sqrt() / mean.max(1.0)).min(1.0)
}
