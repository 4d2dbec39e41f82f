//! Chooses which words of the site's pages to send: words of elements whose words found something
//! before.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

/// Least number of words of a batch that come from the list, and from the site's pages, so that neither
/// source is given up too soon.
const MIN_PER_SOURCE: usize = 2;

/// How often something was found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rate {
    asked: u32,
    hits: u32,
}

impl Rate {
    pub(super) fn count(&mut self, hit: bool) {
        self.asked += 1;
        self.hits += u32::from(hit);
    }

    /// Expected share of hits, by Laplace's rule of succession.
    pub(super) fn expected(self) -> f64 {
        f64::from(self.hits + 1) / f64::from(self.asked + 2)
    }
}

/// How often words of each kind found something.
#[derive(Debug, Default)]
pub(super) struct Rates {
    pub(super) listed: Rate,
    pub(super) own: Rate,
    pub(super) path_keys: BTreeMap<u64, Rate>,
}

impl Rates {
    pub(super) fn path_key(&self, path_key: u64) -> f64 {
        self.path_keys.get(&path_key).copied().unwrap_or_default().expected()
    }

    /// How many of so many words to take from the site's own pages.
    pub(super) fn share_of_own(&self, room: usize) -> usize {
        let (own, listed) = (self.own.expected(), self.listed.expected());
        let share = (room as f64 * own / (own + listed)).round() as usize;
        let fewest = MIN_PER_SOURCE.min(room);
        share.clamp(fewest, room.saturating_sub(MIN_PER_SOURCE).max(fewest))
    }
}

/// The order in which words are drawn: weighted sampling without replacement (Efraimidis and Spirakis
/// 2006), with a hash of the word in place of a random number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn of(word: &str, weight: f64) -> Self {
        let uniform = (xxh3_64(word.as_bytes()) >> 11) as f64 / (1_u64 << 53) as f64;
        let key = -uniform.max(f64::MIN_POSITIVE).ln() / weight;
        // The order of positive numbers is the order of their bits.
        Self(key.to_bits())
    }
}
