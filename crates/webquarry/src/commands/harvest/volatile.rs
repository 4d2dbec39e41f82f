//! What does a list say of the query rather than of the entity? Words found, excerpts, relevance: whatever is another on every list
//! that shows the entity.

use std::collections::{BTreeMap, BTreeSet};

use super::gather::Seen;

/// Of the entities that several lists show, the share with another value on each, from which on the slot is about the query.
const VARIES: f64 = 0.5;
/// So few entities prove nothing.
const FEW: usize = 5;

/// Leaves out what depends on the query. Returns the slots.
pub(super) fn leave_out(seen: &mut Vec<Seen>) -> BTreeSet<String> {
    let slots = slots(seen);
    seen.retain(|seen| seen.slot().is_none_or(|slot| !slots.contains(slot)));
    slots
}

fn slots(seen: &[Seen]) -> BTreeSet<String> {
    // The values of each slot of an entity, by page.
    let mut shown: BTreeMap<(&str, &str), BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for seen in seen {
        if let Some(slot) = seen.slot() {
            let pages = shown.entry((slot, seen.entity())).or_default();
            pages.entry(seen.page()).or_default().insert(seen.value());
        }
    }
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for ((slot, _), pages) in &shown {
        let values: BTreeSet<&BTreeSet<&str>> = pages.values().collect();
        if pages.len() > 1 {
            let (several, varying) = counts.entry(slot).or_default();
            *several += 1;
            *varying += usize::from(values.len() > 1);
        }
    }
    counts
        .into_iter()
        .filter(|&(_, (several, varying))| {
            several >= FEW && varying as f64 >= VARIES * several as f64
        })
        .map(|(slot, _)| slot.to_owned())
        .collect()
}
