//! Counts distinct values with bounded memory.
//!
//! The least hashes are kept (Bar-Yossef and others, "Counting distinct elements in a data stream", 2002): exact up to their
//! number, an estimate beyond.

use std::collections::BTreeSet;

/// Hashes that are kept. Beyond so many different values the count is an estimate, in error by 0.4 % (one by the root of this).
const MAX_KEPT: usize = 1 << 16;

/// Counts different hashes.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistinctCount(BTreeSet<u64>);

impl DistinctCount {
    pub(crate) fn add(&mut self, hash: u64) {
        if self.0.len() < MAX_KEPT {
            self.0.insert(hash);
        } else if self.0.last().is_some_and(|last| hash < *last) && self.0.insert(hash) {
            self.0.pop_last();
        }
    }

    pub(crate) fn count(&self) -> usize {
        match self.0.last() {
            Some(last) if self.0.len() == MAX_KEPT => {
                let share = *last as f64 / u64::MAX as f64;
                ((MAX_KEPT - 1) as f64 / share).round() as usize
            }
            _ => self.0.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash;

    #[test]
    fn few_are_counted_and_many_estimated() {
        let mut counts = DistinctCount::default();
        for n in 0..60_000_u64 {
            counts.add(hash::of(n));
            counts.add(hash::of(n / 2));
        }
        assert_eq!(counts.count(), 60_000);
        for n in 60_000..500_000_u64 {
            counts.add(hash::of(n));
        }
        let error = counts.count() as f64 / 500_000.0 - 1.0;
        assert!(error.abs() < 0.015, "{error}");
    }
}
