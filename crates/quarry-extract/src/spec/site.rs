//! Evidence from the other pages of the site. A name that stands at like places on several pages
//! with changing values belongs to a specification; a pair that never changes is boilerplate.

use std::collections::BTreeMap;

use super::fragment::Fragment;
use crate::page::hash;

/// What a site says of a fragment; -1 where there is one page only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteFigures {
    /// Pages of the site, as their logarithm.
    pub(crate) pages: f32,
    /// The mean share of pages with such fragments that have the name.
    pub(crate) support: f32,
    /// The mean number of different values by the number of pages that have the name.
    pub(crate) variety: f32,
    /// The share of pairs that are the same on every page that has the name.
    pub(crate) constant: f32,
    /// The share of pages that have such fragments.
    pub(crate) key_pages: f32,
}

/// Names and values of a site, by place.
pub(crate) struct SiteNames {
    pages: usize,
    /// Pages that have rows of this key.
    keys: BTreeMap<u64, usize>,
    /// For a key and a name: pages that have it, and different values.
    names: BTreeMap<u64, (usize, usize)>,
}

fn name_at(key: u64, name: &str) -> u64 {
    hash::then(key, hash::of(name))
}

impl SiteNames {
    pub(crate) fn new<'f>(pages: impl Iterator<Item = &'f [Fragment]>) -> Self {
        let mut keys: BTreeMap<u64, usize> = BTreeMap::new();
        let mut entries: Vec<(u64, usize, u64)> = Vec::new();
        let mut count = 0;
        for (page, fragments) in pages.enumerate() {
            count = page + 1;
            let mut own: Vec<u64> = fragments.iter().map(|fragment| fragment.key).collect();
            own.sort_unstable();
            own.dedup();
            for key in own {
                *keys.entry(key).or_default() += 1;
            }
            for fragment in fragments {
                for pair in &fragment.pairs {
                    entries.push((name_at(fragment.key, &pair.name), page, hash::of(&pair.value)));
                }
            }
        }
        let mut names = BTreeMap::new();
        if count > 1 {
            entries.sort_unstable();
            entries.dedup();
            for own in entries.chunk_by(|one, other| one.0 == other.0) {
                let pages = own.chunk_by(|one, other| one.1 == other.1).count();
                let mut values: Vec<u64> = own.iter().map(|&(_, _, value)| value).collect();
                values.sort_unstable();
                values.dedup();
                names.insert(own[0].0, (pages, values.len()));
            }
        }
        Self { pages: count, keys, names }
    }

    pub(crate) fn features(&self, fragment: &Fragment) -> SiteFigures {
        if self.pages < 2 {
            return SiteFigures {
                pages: 0.0,
                support: -1.0,
                variety: -1.0,
                constant: -1.0,
                key_pages: -1.0,
            };
        }
        let with_key = self.keys.get(&fragment.key).copied().unwrap_or(1).max(1) as f32;
        let (mut support, mut variety, mut constant, mut count) = (0.0, 0.0, 0.0, 0.0);
        for pair in fragment.pairs.iter().filter(|pair| pair.item <= 1) {
            let (pages, values) =
                self.names.get(&name_at(fragment.key, &pair.name)).copied().unwrap_or((1, 1));
            count += 1.0;
            support += pages as f32 / with_key;
            variety += (values as f32 / pages as f32).min(1.0);
            constant += f32::from(u8::from(pages > 1 && values == 1));
        }
        let count = f32::max(count, 1.0);
        SiteFigures {
            pages: (self.pages as f32).ln(),
            support: support / count,
            variety: variety / count,
            constant: constant / count,
            key_pages: with_key / self.pages as f32,
        }
    }
}
