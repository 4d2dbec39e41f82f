//! The template graph: which slot follows which. Records vote for the edges of the template graph
//! (paper §4.4, figure 8); edges and slots with little support go, cycles are broken at their
//! weakest edge, and what is left is in topological order.

use std::collections::{BTreeMap, BTreeSet};

/// A slot that this share of the records has belongs to the template's core.
const CORE_SHARE: f64 = 0.8;
/// A record with less than this share of the core is a false one and does not vote.
const MIN_CORE: f64 = 0.5;
/// Records from which on an edge needs support; of fewer, one record is support enough.
const MIN_VOTERS: usize = 8;
/// An edge needs this share of the records of its rarer end (the paper's T_e).
pub const MIN_EDGE_SHARE: f64 = 0.04;

/// The graph over numbered slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Slots in topological order.
    pub(crate) order: Vec<usize>,
    /// Edges with their support, by slot numbers.
    pub(crate) edges: BTreeMap<(usize, usize), usize>,
    /// Slots that a full path goes around.
    pub(crate) optional: BTreeSet<usize>,
    /// Slots that begin a full path.
    pub(crate) starts: BTreeSet<usize>,
    /// Slots that end one.
    pub(crate) ends: BTreeSet<usize>,
}

/// Whether each record has enough of what most records have: false records do not vote.
pub(crate) fn voters(all: &[Vec<usize>]) -> Vec<bool> {
    let support = support_of(all.iter());
    let most = CORE_SHARE * all.len() as f64;
    let is_core = |slot: &usize| support.get(slot).is_some_and(|&count| count as f64 >= most);
    let core = support.keys().filter(|slot| is_core(slot)).count() as f64;
    let has = |record: &Vec<usize>| record.iter().filter(|slot| is_core(slot)).count() as f64;
    all.iter().map(|record| has(record) >= MIN_CORE * core).collect()
}

/// How many records have each slot.
fn support_of<'r>(records: impl Iterator<Item = &'r Vec<usize>>) -> BTreeMap<usize, usize> {
    let mut support = BTreeMap::new();
    for &slot in records.flatten() {
        *support.entry(slot).or_default() += 1;
    }
    support
}

/// Lets the records (their slots in document order) vote.
pub(crate) fn vote(all: &[Vec<usize>]) -> Graph {
    let voters = voters(all);
    let records: Vec<&Vec<usize>> =
        all.iter().zip(&voters).filter(|(_, votes)| **votes).map(|(record, _)| record).collect();
    let support = support_of(records.iter().copied());
    let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let (mut starts, mut ends) = (BTreeMap::new(), BTreeMap::new());
    for record in &records {
        for pair in record.windows(2) {
            *edges.entry((pair[0], pair[1])).or_default() += 1;
        }
        if let (Some(&first), Some(&last)) = (record.first(), record.last()) {
            *starts.entry(first).or_default() += 1usize;
            *ends.entry(last).or_default() += 1usize;
        }
    }
    let weak = |count: usize, most: usize| {
        records.len() >= MIN_VOTERS && (count as f64) < MIN_EDGE_SHARE * most as f64
    };
    edges.retain(|&(from, to), &mut count| !weak(count, support[&from].min(support[&to])));
    starts.retain(|slot, &mut count| !weak(count, support[slot]));
    ends.retain(|slot, &mut count| !weak(count, support[slot]));
    break_cycles(&mut edges);
    let mut order = topological(&support, &edges, &records);
    // What only false records have is data all the same: slots without edges.
    let rest = support_of(all.iter()).into_keys().filter(|slot| !support.contains_key(slot));
    order.extend(rest);
    let whole = records.iter().filter(|record| !record.is_empty()).count();
    let optional = support.iter().filter(|&(_, &count)| count < whole).map(|(&slot, _)| slot);
    let optional = optional.collect();
    let starts = starts.into_keys().collect();
    let ends = ends.into_keys().collect();
    Graph { order, edges, optional, starts, ends }
}

impl Graph {
    /// Whether the record's slots are a full path.
    pub(crate) fn fits(&self, record: &[usize]) -> bool {
        let first = record.first().is_none_or(|slot| self.starts.contains(slot));
        let last = record.last().is_none_or(|slot| self.ends.contains(slot));
        let steps = record.windows(2).all(|pair| self.edges.contains_key(&(pair[0], pair[1])));
        first && last && steps
    }
}

/// Removes the edge with the lowest weight of a cycle until there is none.
fn break_cycles(edges: &mut BTreeMap<(usize, usize), usize>) {
    while let Some(cycle) = cycle(edges) {
        let weakest = cycle.iter().min_by_key(|&edge| (edges.get(edge).copied(), *edge)).copied();
        match weakest {
            Some(edge) => edges.remove(&edge),
            None => return,
        };
    }
}

/// The edges of some cycle.
fn cycle(edges: &BTreeMap<(usize, usize), usize>) -> Option<Vec<(usize, usize)>> {
    let mut state: BTreeMap<usize, bool> = BTreeMap::new();
    let starts: BTreeSet<usize> = edges.keys().map(|edge| edge.0).collect();
    let next = |slot: usize| edges.range((slot, 0)..=(slot, usize::MAX)).map(|(edge, _)| edge.1);
    for start in starts {
        if state.contains_key(&start) {
            continue;
        }
        let mut path = vec![(start, next(start).collect::<Vec<_>>())];
        state.insert(start, true);
        while let Some((slot, rest)) = path.last_mut() {
            let Some(follower) = rest.pop() else {
                state.insert(*slot, false);
                path.pop();
                continue;
            };
            match state.get(&follower) {
                Some(true) => {
                    let mut nodes: Vec<usize> = path.iter().map(|(slot, _)| *slot).collect();
                    let from = nodes.iter().position(|&slot| slot == follower).unwrap_or(0);
                    nodes.drain(..from);
                    nodes.push(follower);
                    return Some(nodes.windows(2).map(|pair| (pair[0], pair[1])).collect());
                }
                Some(false) => {}
                None => {
                    state.insert(follower, true);
                    path.push((follower, next(follower).collect()));
                }
            }
        }
    }
    None
}

/// The slots so that no edge points back; of those that could come next, the one that stands first in records.
fn topological(
    support: &BTreeMap<usize, usize>,
    edges: &BTreeMap<(usize, usize), usize>,
    records: &[&Vec<usize>],
) -> Vec<usize> {
    let mut place: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for record in records {
        for (at, &slot) in record.iter().enumerate() {
            let entry = place.entry(slot).or_default();
            entry.0 += (at + 1) as f64 / record.len() as f64;
            entry.1 += 1.0;
        }
    }
    let average = |slot: usize| place.get(&slot).map_or(0.0, |(sum, count)| sum / count);
    let mut before: BTreeMap<usize, usize> = support.keys().map(|&slot| (slot, 0)).collect();
    for edge in edges.keys() {
        *before.entry(edge.1).or_default() += 1;
    }
    let mut order = Vec::with_capacity(support.len());
    let mut ready: Vec<usize> =
        before.iter().filter(|&(_, &count)| count == 0).map(|(&slot, _)| slot).collect();
    while !ready.is_empty() {
        ready.sort_by(|&one, &other| average(other).total_cmp(&average(one)).then(other.cmp(&one)));
        let Some(slot) = ready.pop() else { break };
        order.push(slot);
        for (edge, _) in edges.range((slot, 0)..=(slot, usize::MAX)) {
            if let Some(count) = before.get_mut(&edge.1) {
                *count -= 1;
                if *count == 0 {
                    ready.push(edge.1);
                }
            }
        }
    }
    order
}
