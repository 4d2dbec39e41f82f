//! Which attributes are data? Addresses of links and images, machine-readable dates and numbers, `data-*`: those that
//! differ between records, each a slot of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::forest::Forest;

/// Longer values are programs or styles.
const MAX_VALUE: usize = 2_000;

/// A value of an attribute in a record.
#[derive(Clone, Debug)]
pub(crate) struct Found<'a> {
    pub(crate) key: Key,
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    /// The element's position among the record's items.
    pub(crate) item: usize,
}

/// Where an attribute stands: its element's path; the slot of the first text in the element or, where it holds none, its
/// number among those of its path; and the hash of the attribute's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) path: u64,
    pub(crate) at: String,
    pub(crate) name: String,
}

/// Whether values of this attribute may be data.
fn may_be_data(name: &str) -> bool {
    matches!(
        name,
        "href"
            | "src"
            | "datetime"
            | "content"
            | "value"
            | "alt"
            | "title"
            | "aria-label"
            | "srcset"
            | "poster"
            | "cite"
    ) || name.starts_with("data-")
}

/// The attributes of a record that may be data; `slot_of` gives the slot of the text node at a position of its items.
pub(crate) fn attributes<'a>(
    forest: &Forest<'a>,
    slot_of: &BTreeMap<usize, String>,
) -> Vec<Found<'a>> {
    let mut found = Vec::new();
    let mut numbers: BTreeMap<u64, usize> = BTreeMap::new();
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    for (position, item) in forest.items.iter().enumerate() {
        if item.is_text {
            continue;
        }
        let mut at: Option<String> = None;
        for (name, value) in forest.document.attrs(item.node) {
            if !may_be_data(name) || value.trim().is_empty() || value.len() > MAX_VALUE {
                continue;
            }
            let at = at.get_or_insert_with(|| {
                let first = slot_of.range(position..item.end as usize).next();
                first.map(|(_, slot)| slot.clone()).unwrap_or_else(|| {
                    let number = numbers.entry(item.path).or_default();
                    *number += 1;
                    format!("#{number}")
                })
            });
            let key = Key { path: item.path, at: at.clone(), name: name.to_owned() };
            if seen.insert(key.clone()) {
                found.push(Found { key, name, value, item: position });
            }
        }
    }
    found
}
