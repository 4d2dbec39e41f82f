//! Numbers and hashes texts with fixed seeds, the same in every run.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// XXH3 with seed zero; what was hashed before seeds what comes next.
#[derive(Default)]
pub(crate) struct Fixed(u64);

impl Hasher for Fixed {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64_with_seed(bytes, self.0);
    }

    /// Lengths, ends of texts, numbers: one round of SplitMix64.
    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.0 = mixed ^ (mixed >> 31);
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A map that is only looked into, never iterated.
pub(crate) type Lookup<K, V> = HashMap<K, V, BuildHasherDefault<Fixed>>;

/// The hash of anything.
pub(crate) fn of(thing: impl Hash) -> u64 {
    let mut hasher = Fixed::default();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// Numbers things in the order of first appearance.
pub(crate) struct Numbered<K> {
    known: Lookup<K, u32>,
    things: Vec<K>,
}

impl<K> Default for Numbered<K> {
    fn default() -> Self {
        Self { known: Lookup::default(), things: Vec::new() }
    }
}

impl<K: Copy + Eq + Hash> Numbered<K> {
    pub(crate) fn number(&mut self, thing: K) -> u32 {
        *self.known.entry(thing).or_insert_with(|| {
            self.things.push(thing);
            (self.things.len() - 1) as u32
        })
    }

    /// The things in the order of `key`, and the new number of each old one.
    pub(crate) fn ordered<O: Ord>(self, key: impl Fn(&K) -> O) -> (Vec<K>, Vec<u32>) {
        let mut order: Vec<u32> = (0..self.things.len() as u32).collect();
        order.sort_by_cached_key(|&at| key(&self.things[at as usize]));
        let mut new = vec![0; order.len()];
        for (number, &old) in (0_u32..).zip(&order) {
            new[old as usize] = number;
        }
        (order.into_iter().map(|old| self.things[old as usize]).collect(), new)
    }
}
