//! Keys of styles and paths: 64-bit hashes with fixed seeds, the same on every machine and in every
//! run, so that they can be compared between pages and stored in models.

use xxhash_rust::xxh3::xxh3_64;

use crate::document::{Document, NodeId};

/// An element's name and classes, digits aside: `item-17` and `item-18` have one style.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct StyleKey(pub u64);

impl StyleKey {
    /// The style of all texts.
    pub const TEXT: Self = Self(1);
}

/// The names of the elements from `html` down to an element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PathKey(pub u64);

/// The hash of a text.
#[inline]
pub fn of(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// `hash` with one more thing after it: order matters.
#[inline]
pub fn then(hash: u64, next: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ next).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// A hash of a set, whatever the order of its members.
#[inline]
pub fn of_set(members: impl Iterator<Item = u64>) -> u64 {
    members.fold(0, |all, member| all.wrapping_add(then(0x5e7, member)))
}

/// The style of an element whose name has this hash.
pub(super) fn style(document: &Document, element: NodeId, name: u64) -> StyleKey {
    StyleKey(then(name, of_set(document.classes(element).filter_map(class))))
}

/// The hash of a class without its digits; `None` where nothing else is left.
fn class(class: &str) -> Option<u64> {
    if class.bytes().any(|byte| byte.is_ascii_digit()) {
        let kept: String = class.chars().filter(|char| !char.is_ascii_digit()).collect();
        return kept.chars().any(char::is_alphabetic).then(|| of(&kept));
    }
    Some(of(class))
}
