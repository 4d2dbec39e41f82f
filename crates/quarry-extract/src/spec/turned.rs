//! Which part of a row is the name, by agreement of pages: the part whose texts recur from page to page. A page alone says
//! that the value stands first by class names or colons only (`pair.rs`).

use std::collections::{BTreeMap, BTreeSet};

use super::fragment::Fragment;
use super::row::RowKind;
use crate::page::hash;

/// Pages that have rows of a key, at least, before they are turned.
const MIN_PAGES: usize = 5;
/// The same where several second parts recur: the texts of three pages that agree in four places are no accident.
const MIN_AGREEING_PAGES: usize = 3;
/// Second parts that recur, at least, on fewer than [`MIN_PAGES`] pages.
const MIN_AGREEING_NAMES: usize = 4;
/// The share of pages on which no two rows have the same second part, at least: `yes` and `no` recur, but are no names.
const MIN_DISTINCT_PAGE_SHARE: f64 = 0.9;
/// The mean share of pages that have a second part, at least; names are on most pages.
const MIN_SHARE: f64 = 0.4;
/// Second parts on that share of pages, at least: a single one is boilerplate, such as a link below each of several texts.
const MIN_NAMES: usize = 2;
/// The mean share of pages that have a first part, as a share of that of second parts, at most.
const MAX_FIRST_TO_SECOND_SHARE: f64 = 0.5;
/// The share of pages on which no two rows have the same first part, at most, where first parts recur as well: values such as
/// `yes` are on many pages, and on each page several times.
const MAX_DISTINCT_FIRST_PAGE_SHARE: f64 = 0.5;

/// How often the texts of one part of the rows recur.
#[derive(Default)]
struct PartTexts {
    /// Pages by text.
    pages: BTreeMap<u64, usize>,
}

impl PartTexts {
    fn add(&mut self, texts: BTreeSet<u64>) {
        for text in texts {
            *self.pages.entry(text).or_default() += 1;
        }
    }

    /// Texts that are on the share of pages that names are on.
    fn common(&self, pages: usize) -> usize {
        self.pages.values().filter(|&&count| count as f64 >= MIN_SHARE * pages as f64).count()
    }

    /// The mean share of pages that have a text, weighted by pages.
    fn share(&self, pages: usize) -> f64 {
        let (mut squares, mut sum) = (0.0, 0.0);
        for &count in self.pages.values() {
            let share = count as f64 / pages as f64;
            (squares, sum) = (squares + share * share, sum + share);
        }
        if sum > 0.0 { squares / sum } else { 0.0 }
    }
}

#[derive(Default)]
struct KeyParts {
    pages: usize,
    /// Pages on which no two rows have the same first part, and the same second part.
    different_firsts: usize,
    different: usize,
    firsts: PartTexts,
    seconds: PartTexts,
}

/// Keys of rows whose second part is the name.
pub(crate) fn turned_keys<'f>(pages: impl Iterator<Item = &'f [Fragment]>) -> BTreeSet<u64> {
    let mut keys: BTreeMap<u64, KeyParts> = BTreeMap::new();
    for fragments in pages {
        let mut own: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
        for fragment in fragments.iter().filter(|fragment| has_order(fragment)) {
            let texts = fragment.pairs.iter();
            let texts = texts.map(|pair| (hash::of(&pair.name), hash::of(&pair.value)));
            own.entry(fragment.key).or_default().extend(texts);
        }
        for (key, texts) in own {
            let key = keys.entry(key).or_default();
            let seconds: BTreeSet<u64> = texts.iter().map(|text| text.1).collect();
            key.pages += 1;
            key.different += usize::from(seconds.len() == texts.len());
            let firsts: BTreeSet<u64> = texts.iter().map(|text| text.0).collect();
            key.different_firsts += usize::from(firsts.len() == texts.len());
            key.firsts.add(firsts);
            key.seconds.add(seconds);
        }
    }
    let is_turned = |parts: &KeyParts| {
        let (firsts, seconds) = (parts.firsts.share(parts.pages), parts.seconds.share(parts.pages));
        let names = parts.seconds.common(parts.pages);
        let different_firsts = parts.different_firsts as f64;
        let repeats = different_firsts <= MAX_DISTINCT_FIRST_PAGE_SHARE * parts.pages as f64;
        let agree = parts.pages >= MIN_AGREEING_PAGES && names >= MIN_AGREEING_NAMES;
        (parts.pages >= MIN_PAGES || agree)
            && parts.different as f64 >= MIN_DISTINCT_PAGE_SHARE * parts.pages as f64
            && seconds >= MIN_SHARE
            && names >= MIN_NAMES
            && (firsts <= MAX_FIRST_TO_SECOND_SHARE * seconds || repeats && firsts < seconds)
    };
    keys.into_iter().filter(|(_, parts)| is_turned(parts)).map(|(key, _)| key).collect()
}

/// Whether nothing but order tells the two parts of the rows apart.
fn has_order(fragment: &Fragment) -> bool {
    matches!(fragment.kind, RowKind::Table | RowKind::Parts | RowKind::Turns)
        && fragment.rows.iter().all(|row| row.cells.len() == 2)
}
