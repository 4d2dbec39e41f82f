//! Names and values by agreement of pages: a text that recurs at like places on several pages of a site, with values that
//! vary, is a name, whatever its mark-up. A text that does not recur is content; a pair that never changes is boilerplate.

use std::collections::BTreeMap;

use super::features::SharedNames;
use super::fragment::Fragment;
use super::row::RowKind;
use crate::page::hash;

/// How fast agreement counts more than the detector as pages grow: a tenth at 6 pages, half at 25, nine tenths at 200. With few
/// pages names that do not recur prove nothing, since products differ.
const FEW_PAGES: f32 = 10.0;
/// A name recurs if it stands on this share of the pages that have rows of its look. Names of optional attributes are rare,
/// and the contents of lists (actors, related things) recur by chance.
const RECURS: f64 = 0.05;
/// A name recurs on at least so many pages.
const MIN_RECURS: usize = 2;
/// The share of a name's pages that may show one and the same value: more, and the pair is boilerplate.
const SAME_VALUE: f64 = 0.97;
/// The same for one of several values of a name, such as the links of a menu.
const SAME_ITEM: f64 = 0.8;
/// The share of a fragment's names that other fragments of its look have, too, from which on they are records.
const RECORD_NAMES: f32 = 0.5;
/// The share of pages that have a header over one row of data at one place, at least: fewer are tables of records, of which some
/// pages have one.
const HEADER_PAGES: f64 = 0.3;
/// Log-odds of a fragment whose names all recur with values that vary; the negative of it where none does.
const CERTAIN: f32 = 5.0;

/// What pages agree on about a name at one place.
#[derive(Clone, Copy, Debug, Default)]
struct NamePages {
    /// Pages that have it.
    pages: usize,
    /// The share of its values that vary from page to page.
    varying: f32,
}

/// Names of a site's pages, by place.
pub(crate) struct Agreement {
    pages: usize,
    /// Pages that have rows of this key.
    keys: BTreeMap<u64, usize>,
    names: BTreeMap<u64, NamePages>,
}

fn name_at(key: u64, name: &str) -> u64 {
    hash::then(key, hash::of(name))
}

impl Agreement {
    pub(crate) fn of<'f>(pages: impl Iterator<Item = &'f [Fragment]>) -> Self {
        let mut keys: BTreeMap<u64, usize> = BTreeMap::new();
        // Name, value, page.
        let mut entries: Vec<(u64, u64, usize)> = Vec::new();
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
                let named = |pair: &super::pair::Pair| name_at(fragment.key, &pair.name);
                entries.extend(
                    fragment.pairs.iter().map(|pair| (named(pair), hash::of(&pair.value), page)),
                );
            }
        }
        entries.sort_unstable();
        entries.dedup();
        let mut names = BTreeMap::new();
        for own in entries.chunk_by(|one, other| one.0 == other.0) {
            names.insert(own[0].0, NamePages::of(own));
        }
        Self { pages: count, keys, names }
    }

    /// The log-odds of a fragment by how its names behave over the pages, and how much they count beside a detector that sees one
    /// page, from 0 to 1.
    pub(crate) fn log_odds(&self, fragment: &Fragment, names: SharedNames) -> (f32, f32) {
        let pages = self.pages as f32 - 1.0;
        let weight = (pages / (pages + FEW_PAGES)).powi(2);
        // Records repeat their names, sections of a specification have different ones.
        let is_record = names.fragments > 1 && names.names_repeated >= RECORD_NAMES;
        let with_key = self.keys.get(&fragment.key).copied().unwrap_or(1) as f64;
        let is_short_table =
            fragment.kind == RowKind::Header && with_key < HEADER_PAGES * self.pages as f64;
        let agreed = if is_record || is_short_table { 0.0 } else { self.agreed(fragment) };
        (CERTAIN * (2.0 * agreed - 1.0), weight)
    }

    /// The share of a fragment's names that recur with values that vary.
    fn agreed(&self, fragment: &Fragment) -> f32 {
        let with_key = self.keys.get(&fragment.key).copied().unwrap_or(1) as f64;
        let least = (RECURS * with_key).ceil().max(MIN_RECURS as f64);
        let (mut agreed, mut all) = (0.0, 0.0_f32);
        for pair in fragment.pairs.iter().filter(|pair| pair.item <= 1) {
            all += 1.0;
            let name = self.names.get(&name_at(fragment.key, &pair.name));
            agreed +=
                name.filter(|name| name.pages as f64 >= least).map_or(0.0, |name| name.varying);
        }
        agreed / all.max(1.0)
    }
}

impl NamePages {
    /// From entries (name, value, page) of one name, sorted.
    fn of(entries: &[(u64, u64, usize)]) -> Self {
        let mut pages: Vec<usize> = entries.iter().map(|&(_, _, page)| page).collect();
        pages.sort_unstable();
        pages.dedup();
        let pages = pages.len();
        // One value a page, or several.
        let most = if entries.len() > pages { SAME_ITEM } else { SAME_VALUE };
        let constant: usize = entries
            .chunk_by(|one, other| one.1 == other.1)
            .map(<[_]>::len)
            .filter(|&shown| shown as f64 > most * pages as f64)
            .sum();
        Self { pages, varying: 1.0 - constant as f32 / entries.len().max(1) as f32 }
    }
}
