//! Learns where a site says how long a list is, whatever the words: the number that every page of the root list shows
//! at one place, and that is the length of that list once it is read to its end.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, Kind, NodeId};

use super::super::path_key::path_key;

/// Characters of the longest text that says how many there are.
const MAX_CHARS: usize = 80;

/// Entities of the shortest list that is learned from: small numbers agree by chance.
const MIN_ENTITIES: u64 = 10;

/// Numbers of a page by the places where they stand; places with several numbers on the page are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PageNumbers(BTreeMap<u64, u64>);

impl PageNumbers {
    pub(super) fn of(document: &Document) -> Self {
        let mut found: BTreeMap<u64, Option<u64>> = BTreeMap::new();
        for node in document.all() {
            if document.kind(node) != Kind::Text || document.text(node).len() > MAX_CHARS {
                continue;
            }
            let numbers = numbers(document.text(node));
            let Some(parent) = document.parent(node).filter(|_| !numbers.is_empty()) else {
                continue;
            };
            let place = path_key(document, parent);
            for (n, number) in (0u64..).zip(numbers) {
                let place = place.wrapping_add(n.wrapping_add(order(document, node) << 8));
                found.entry(place).and_modify(|known| *known = None).or_insert(Some(number));
            }
        }
        Self(found.into_iter().filter_map(|(place, number)| Some((place, number?))).collect())
    }
}

/// How many texts stand before this one in its element.
fn order(document: &Document, node: NodeId) -> u64 {
    let before = std::iter::successors(document.prev_sibling(node), |&n| document.prev_sibling(n));
    before.take(MAX_CHARS).count() as u64
}

/// The whole numbers of a text, digit groups joined ("2,345").
fn numbers(text: &str) -> Vec<u64> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '.' | '\u{a0}')));
    let parts = parts.map(|part| part.trim_matches([',', '.', '\u{a0}']));
    let whole = |part: &str| {
        let groups: Vec<&str> = part.split([',', '.', '\u{a0}']).collect();
        let is_grouped = groups.iter().skip(1).all(|group| group.len() == 3);
        (is_grouped && !part.is_empty()).then(|| groups.concat().parse().ok()).flatten()
    };
    parts.filter_map(whole).collect()
}

/// What is known of the places where lists say how long they are.
#[derive(Debug, Default)]
pub(super) struct ListClaims {
    /// Numbers that all pages of the root list have shown so far.
    common: Option<BTreeMap<u64, u64>>,
    places: BTreeSet<u64>,
}

impl ListClaims {
    /// Takes a page of the root list.
    pub(super) fn add_root_page(&mut self, numbers: &PageNumbers) {
        match &mut self.common {
            None => self.common = Some(numbers.0.clone()),
            Some(common) => common.retain(|place, number| numbers.0.get(place) == Some(number)),
        }
    }

    /// Learns from the root list, which was read to its end over several pages and has this many entities.
    pub(super) fn learn(&mut self, entities: u64) {
        if entities >= MIN_ENTITIES {
            let common = self.common.take().unwrap_or_default();
            let own = common.into_iter().filter(|(_, number)| *number == entities);
            self.places.extend(own.map(|(place, _)| place));
        }
    }

    /// How long a page says that its list is, not below the entities that it shows.
    pub(super) fn read(&self, numbers: &PageNumbers, shown: usize) -> Option<u64> {
        let said = self.places.iter().filter_map(|place| numbers.0.get(place).copied());
        said.filter(|number| *number >= shown as u64).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(total: u64, from: u64) -> PageNumbers {
        PageNumbers::of(&Document::from_html(&format!(
            "<p class=x>Borl {from} fam {}</p><div class=t>{total} gost</div><div class=u>77 zib</div>",
            from + 9
        )))
    }

    #[test]
    fn the_number_that_is_the_length_of_the_list_is_its_total() {
        let mut claims = ListClaims::default();
        [1, 11, 21].iter().for_each(|from| claims.add_root_page(&page(1_234, *from)));
        claims.learn(1_234);
        assert_eq!(claims.read(&page(45, 1), 10), Some(45));
        assert_eq!(claims.read(&page(4, 1), 10), None, "more are shown");
        let mut others = ListClaims::default();
        [1, 11].iter().for_each(|from| others.add_root_page(&page(1_234, *from)));
        others.learn(60);
        assert_eq!(others.read(&page(45, 1), 10), None);
    }

    #[test]
    fn numbers_of_texts() {
        assert_eq!(numbers("1–20 of 2,345 (4.5 stars)"), [1, 20, 2345]);
    }
}
