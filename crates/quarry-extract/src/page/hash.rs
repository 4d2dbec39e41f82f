//! How are signatures made? Small 64-bit hashes with fixed seeds: the same on every machine and in
//! every run, compared between pages of a site.

use xxhash_rust::xxh3::xxh3_64;

/// The hash of a text.
pub(crate) fn of(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// `hash` with one more thing after it: order matters.
#[inline]
pub(crate) fn then(hash: u64, next: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ next).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// A hash of a set, whatever the order of its members.
pub(crate) fn of_set(members: impl Iterator<Item = u64>) -> u64 {
    members.fold(0, |all, member| all.wrapping_add(then(0x5e7, member)))
}
