//! Detects endless address spaces: calendars that lead only to further dates, and paths whose
//! parameters are combined in ever new ways. Its memory is bounded.
//!
//! What is never a trap: many values of few parameters (`?page=1` to `?page=5000`, `?id=…`).

use std::collections::{BTreeMap, BTreeSet};

use xxhash_rust::xxh3::xxh3_64;

use crate::Address;
use crate::link::DateShape;

/// From when on a space of addresses is a trap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrowthLimits {
    /// Pages in a row of one shape, differing only in their date, that led to no new address
    /// except further dates. Two months of empty days, five years of empty months.
    pub max_dates_without_new: u32,
    /// Most different sets of parameter names under one path: all combinations of nearly ten
    /// filters.
    pub name_sets: usize,
    /// So many parameters make a query one of many combinations.
    pub many_parameters: usize,
    /// Most queries with so many parameters that are asked of one path.
    pub combinations: u32,
    /// Paths and name sets that are remembered, at 16 to 50 bytes each; growth beyond goes unseen.
    pub remembered: usize,
}

impl Default for GrowthLimits {
    fn default() -> Self {
        Self {
            max_dates_without_new: 60,
            name_sets: 1_000,
            many_parameters: 4,
            combinations: 20_000,
            remembered: 1 << 18,
        }
    }
}

/// What a crawl has seen of such spaces.
#[derive(Debug)]
pub(crate) struct Growth {
    limits: GrowthLimits,
    dates_without_new: BTreeMap<DateShape, u32>,
    paths: BTreeMap<u64, PathGrowth>,
    remembered: usize,
}

#[derive(Debug, Default)]
struct PathGrowth {
    name_sets: BTreeSet<u64>,
    combinations: u32,
}

impl Growth {
    pub(crate) fn new(limits: GrowthLimits) -> Self {
        Self { limits, dates_without_new: BTreeMap::new(), paths: BTreeMap::new(), remembered: 0 }
    }

    /// Whether a found address belongs to a space that has grown too far.
    pub(crate) fn is_trap(&mut self, address: &Address, date: Option<DateShape>) -> bool {
        if let Some(shape) = date
            && self
                .dates_without_new
                .get(&shape)
                .is_some_and(|n| *n >= self.limits.max_dates_without_new)
        {
            return true;
        }
        let Some((path, names, count)) = parameter_names(address) else { return false };
        if count < 2 {
            return false;
        }
        let full = self.remembered >= self.limits.remembered;
        let growth = match self.paths.get_mut(&path) {
            Some(growth) => growth,
            None if full => return false,
            None => {
                self.remembered += 1;
                self.paths.entry(path).or_default()
            }
        };
        if count >= self.limits.many_parameters && growth.combinations >= self.limits.combinations {
            return true;
        }
        if growth.name_sets.contains(&names) {
            return false;
        }
        if growth.name_sets.len() >= self.limits.name_sets {
            return true;
        }
        if !full {
            growth.name_sets.insert(names);
            self.remembered += 1;
        }
        false
    }

    /// Counts an address that is about to be asked.
    pub(crate) fn asked(&mut self, address: &Address) {
        if let Some((path, _, count)) = parameter_names(address)
            && count >= self.limits.many_parameters
            && let Some(growth) = self.paths.get_mut(&path)
        {
            growth.combinations += 1;
        }
    }

    /// Notes whether a dated page led anywhere but to further dates.
    pub(crate) fn dated_page(&mut self, shape: DateShape, led_elsewhere: bool) {
        if led_elsewhere {
            self.dates_without_new.remove(&shape);
        } else if self.dates_without_new.len() < self.limits.remembered
            || self.dates_without_new.contains_key(&shape)
        {
            *self.dates_without_new.entry(shape).or_default() += 1;
        }
    }
}

/// Hashes of host with path and of the parameter names in order, and how many there are.
fn parameter_names(address: &Address) -> Option<(u64, u64, usize)> {
    let query = address.query()?;
    let path = &address.as_str()[..address.as_str().len() - query.len() - 1];
    let (mut names, mut count) = (0_u64, 0);
    for (name, _) in address.parameters() {
        names = names.rotate_left(9).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ xxh3_64(name.as_bytes());
        count += 1;
    }
    Some((xxh3_64(path.as_bytes()), names, count))
}
