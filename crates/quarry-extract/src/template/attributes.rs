//! Finds the HTML attributes that are data. Addresses of links and images, machine-readable dates
//! and numbers, `data-*`: those that differ between records, each a slot of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::forest::Forest;

/// Longer values are programs or styles.
const MAX_VALUE: usize = 2_000;

/// A value of an attribute in a record.
#[derive(Clone, Debug)]
pub(crate) struct AttributeValue<'a> {
    pub(crate) key: Key<'a>,
    pub(crate) value: &'a str,
    /// The element's position among the record's items.
    pub(crate) item: usize,
}

/// Which element of a path it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum At {
    /// The one whose first text is in this slot, by its position in the template.
    Slot(usize),
    /// The one whose first text is new.
    New,
    /// One without text: its number among those of its path, from 1.
    Number(usize),
}

impl At {
    /// Reads what a model has.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        match text.strip_prefix('#') {
            Some(number) => number.parse().ok().map(At::Number),
            None if text == "new" => Some(At::New),
            None => text.parse::<usize>().ok()?.checked_sub(1).map(At::Slot),
        }
    }

    /// As a model has it: `3`, `new`, `#1`.
    pub(crate) fn text(self) -> String {
        match self {
            At::Slot(slot) => (slot + 1).to_string(),
            At::New => "new".to_owned(),
            At::Number(number) => format!("#{number}"),
        }
    }
}

/// Where an attribute stands: its element's path, which of them, and the attribute's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key<'a> {
    pub(crate) path: u64,
    pub(crate) at: At,
    pub(crate) name: &'a str,
}

/// Whether values of this attribute may be data. `srcset` has the picture of `src` in other sizes.
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
            | "poster"
            | "cite"
    ) || name.starts_with("data-")
}

/// The attributes of a record that may be data; `slots` says which slot the text node at a position of its items begins.
pub(crate) fn attributes<'a>(
    forest: &Forest<'a>,
    slots: &[(usize, At)],
) -> Vec<AttributeValue<'a>> {
    let mut found = Vec::new();
    let mut numbers: BTreeMap<u64, usize> = BTreeMap::new();
    let mut seen: BTreeSet<Key<'a>> = BTreeSet::new();
    let mut next = 0;
    for (position, item) in forest.items.iter().enumerate() {
        if item.is_text {
            continue;
        }
        while slots.get(next).is_some_and(|slot| slot.0 < position) {
            next += 1;
        }
        let mut at: Option<At> = None;
        for (name, value) in forest.document.attrs(item.node) {
            if !may_be_data(name) || value.len() > MAX_VALUE || value.trim().is_empty() {
                continue;
            }
            let at = *at.get_or_insert_with(|| match slots.get(next) {
                Some(&(first, at)) if first < item.end as usize => at,
                _ => {
                    let number = numbers.entry(item.path).or_default();
                    *number += 1;
                    At::Number(*number)
                }
            });
            let key = Key { path: item.path, at, name };
            // Elements that are numbered are all different.
            if matches!(at, At::Number(_)) || seen.insert(key) {
                found.push(AttributeValue { key, value, item: position });
            }
        }
    }
    found
}
