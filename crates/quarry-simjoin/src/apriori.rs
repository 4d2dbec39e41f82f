//! Finds the configurations of attribute positions that enough pages support. The second half of
//! Algorithm 3, FINDATTRPOS, for any kind of position.
//!
//! An item says: the values at this position match this attribute in these (record, page) pairs. The
//! support of a set of items is the number of different pages in the intersection of their pairs: all
//! items of the set must match the same record on the same page.

use rayon::prelude::*;

/// An (attribute, position) pair and its strongly similar (record, page) pairs, the SS(a, x).
#[derive(Debug, Clone)]
pub struct Item {
    /// The attribute. A set has at most one position for each.
    pub attribute: u32,
    /// (record, page), in any order.
    pub pairs: Vec<(u32, u32)>,
}

/// Limits of the search.
#[derive(Debug, Clone)]
pub struct AprioriConfig {
    /// β: the least number of pages. Section 3 uses 10.
    pub min_support: usize,
    /// Sets kept on a level; of more, those with the most support go on. Bounds time and memory.
    pub max_sets: usize,
}

impl Default for AprioriConfig {
    fn default() -> Self {
        Self { min_support: 10, max_sets: 20_000 }
    }
}

/// A set of items with enough support.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrequentSet {
    /// Positions in the list of items, ascending.
    pub items: Vec<u32>,
    /// Different pages.
    pub support: usize,
}

/// What the search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frequent {
    /// The sets of one item, of two, and so on, each level in lexicographic order; Table 3 of the paper
    /// counts them. No level is empty.
    pub levels: Vec<Vec<FrequentSet>>,
    /// Sets that were dropped because a level had more than `max_sets`.
    pub dropped: usize,
}

impl Frequent {
    /// S_max: of the largest sets the one with the most support; the first of several.
    pub fn best(&self) -> Option<&FrequentSet> {
        let last = self.levels.last()?;
        last.iter().rev().max_by_key(|set| set.support)
    }
}

/// Pairs as a bit set. Pairs are numbered by page, so that counting pages is one walk.
#[derive(Debug, Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn of(len: usize, set: impl Iterator<Item = usize>) -> Self {
        let mut bits = vec![0; len.div_ceil(64)];
        for at in set {
            bits[at / 64] |= 1 << (at % 64);
        }
        Self(bits)
    }

    fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// Different pages among the pairs.
    fn pages(&self, page_of: &[u32]) -> usize {
        let (mut count, mut last) = (0, None);
        for (at, word) in self.0.iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                let page = page_of[at * 64 + left.trailing_zeros() as usize];
                count += usize::from(last != Some(page));
                last = Some(page);
                left &= left - 1;
            }
        }
        count
    }
}

/// Finds all sets of items with different attributes that are supported by at least `min_support`
/// pages. A set is looked at only if all its subsets are supported.
pub fn frequent_sets(items: &[Item], config: &AprioriConfig) -> Frequent {
    let support = |item: &Item| {
        let mut pages: Vec<u32> = item.pairs.iter().map(|(_, page)| *page).collect();
        pages.sort_unstable();
        pages.dedup();
        pages.len()
    };
    let least = config.min_support.max(1);
    let supports: Vec<usize> = items.par_iter().map(support).collect();
    let first: Vec<FrequentSet> = (0..items.len() as u32)
        .map(|item| FrequentSet { items: vec![item], support: supports[item as usize] })
        .filter(|set| set.support >= least)
        .collect();
    let mut found = Frequent { levels: Vec::new(), dropped: 0 };
    let (page_of, mut bits) = bit_sets(items, &first);
    let mut level = first;
    loop {
        found.dropped += keep_best(&mut level, &mut bits, config.max_sets);
        if level.is_empty() {
            return found;
        }
        let next = extend(items, &level, &bits, &page_of, least);
        found.levels.push(level);
        (level, bits) = next.into_iter().unzip();
    }
}

/// The pairs that several supported items share, numbered by page and record, and each item's bits.
/// Pairs of one item only cannot support a larger set.
fn bit_sets(items: &[Item], first: &[FrequentSet]) -> (Vec<u32>, Vec<Bits>) {
    let sorted = |set: &FrequentSet| {
        let pairs = &items[set.items[0] as usize].pairs;
        let mut pairs: Vec<(u32, u32)> =
            pairs.iter().map(|(record, page)| (*page, *record)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    let lists: Vec<Vec<(u32, u32)>> = first.par_iter().map(sorted).collect();
    let mut all: Vec<(u32, u32)> = lists.iter().flatten().copied().collect();
    all.par_sort_unstable();
    let shared: Vec<(u32, u32)> =
        all.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).map(|same| same[0]).collect();
    let place = |pair: &(u32, u32)| shared.binary_search(pair).ok();
    let bits = lists
        .par_iter()
        .map(|list| Bits::of(shared.len(), list.iter().filter_map(place)))
        .collect();
    (shared.iter().map(|(page, _)| *page).collect(), bits)
}

/// Keeps the sets with the most support, in their order; says how many were dropped.
fn keep_best(level: &mut Vec<FrequentSet>, bits: &mut Vec<Bits>, most: usize) -> usize {
    let dropped = level.len().saturating_sub(most);
    if dropped > 0 {
        let mut order: Vec<usize> = (0..level.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(level[*at].support));
        let mut kept = vec![false; level.len()];
        for at in &order[..most] {
            kept[*at] = true;
        }
        let mut at = 0;
        level.retain(|_| {
            at += 1;
            kept[at - 1]
        });
        at = 0;
        bits.retain(|_| {
            at += 1;
            kept[at - 1]
        });
    }
    dropped
}

/// The sets of the next level: two sets that differ in their last item, of different attributes.
fn extend(
    items: &[Item],
    level: &[FrequentSet],
    bits: &[Bits],
    page_of: &[u32],
    least: usize,
) -> Vec<(FrequentSet, Bits)> {
    let attribute = |item: u32| items[item as usize].attribute;
    let is_frequent =
        |set: &[u32]| level.binary_search_by(|other| other.items.as_slice().cmp(set)).is_ok();
    let from = |a: usize| {
        let (prefix, last) = level[a].items.split_at(level[a].items.len() - 1);
        let mut made = Vec::new();
        for b in a + 1..level.len() {
            let Some(new) = level[b].items.strip_prefix(prefix) else { break };
            if attribute(last[0]) == attribute(new[0]) {
                continue;
            }
            let mut set = level[a].items.clone();
            set.push(new[0]);
            let without = |skip: usize| -> Vec<u32> {
                set.iter()
                    .enumerate()
                    .filter(|(at, _)| *at != skip)
                    .map(|(_, item)| *item)
                    .collect()
            };
            // The subsets without one of the last two are the two sets themselves.
            if !(0..set.len() - 2).all(|skip| is_frequent(&without(skip))) {
                continue;
            }
            let both = bits[a].and(&bits[b]);
            let support = both.pages(page_of);
            if support >= least {
                made.push((FrequentSet { items: set, support }, both));
            }
        }
        made
    };
    (0..level.len()).into_par_iter().flat_map_iter(from).collect()
}
