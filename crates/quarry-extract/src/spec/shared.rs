//! What each fragment of a page has in common with the others: sections have different names, records repeat theirs.

use std::collections::BTreeMap;

use super::features::SharedNames;
use super::fragment::Fragment;
use crate::page::hash;

/// What each fragment of a page has in common with the others.
pub(crate) fn shared(fragments: &[Fragment]) -> Vec<SharedNames> {
    let mut sizes: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    // Fragments that have a name, with the same key and at all.
    let mut holders: BTreeMap<(u64, u64), u32> = BTreeMap::new();
    let names: Vec<Vec<u64>> = fragments
        .iter()
        .map(|fragment| {
            let mut names: Vec<u64> =
                fragment.pairs.iter().map(|pair| hash::of(&pair.name)).collect();
            names.sort_unstable();
            names.dedup();
            names
        })
        .collect();
    for (fragment, names) in fragments.iter().zip(&names) {
        let size = sizes.entry(fragment.key).or_default();
        *size = (size.0 + 1, size.1 + fragment.rows.len());
        for &name in names {
            *holders.entry((fragment.key, name)).or_default() += 1;
            *holders.entry((0, name)).or_default() += 1;
        }
    }
    let both = fragments.iter().zip(&names);
    both.map(|(fragment, names)| {
        let share = |key: u64| {
            let shared = names.iter().filter(|&&name| holders[&(key, name)] > 1).count();
            shared as f32 / names.len().max(1) as f32
        };
        let (fragments, rows) = sizes[&fragment.key];
        SharedNames {
            fragments,
            rows,
            names_repeated: share(fragment.key),
            names_elsewhere: share(0),
        }
    })
    .collect()
}
