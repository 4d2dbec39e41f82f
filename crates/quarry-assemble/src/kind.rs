//! Decides the type of a column, and whether it is a list, from all its values.

use std::collections::BTreeMap;
use std::fmt;

use quarry_value::{Meaning, Shape};
use serde::Serialize;

use crate::hash::Lookup;
use crate::index::{Index, SampleValue, SourceColumnId, ValueId};
use crate::parsed::{ParsedValue, same_currency};
use crate::unit::convert;

/// The share of values that a type must fit; the others are noise, and stay as they are.
const FITTING_SHARE: f64 = 0.9;
/// The share of entities with several values in one source, from which on a column is a list. Less is noise.
const SEVERAL_SHARE: f64 = 0.1;
/// Entities with several values at once that show that a column of texts is a list: one may be a mistake.
const MIN_SEVERAL: usize = 2;
/// Texts that must be lists of recurring items before a column without single values is a list.
const MIN_LISTS: usize = 3;
/// The share of items that recur in other texts of the column.
const RECURRING_SHARE: f64 = 0.6;
/// The share of recurring items that stand both first and later: a town is never after its country.
const MOVING_SHARE: f64 = 0.3;
/// The share of texts that are full names, or lists of them, where people are listed. Few of them may recur.
const NAMES_SHARE: f64 = 0.95;

/// What a column's values are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// Numbers, in this unit.
    Number {
        /// The unit of most values.
        unit: Option<&'static str>,
    },
    /// Sums of money.
    Price {
        /// The currency of most values: ISO 4217 code, or the sign where several share it.
        currency: &'static str,
    },
    /// Days or months.
    Date,
    /// Yes or no.
    Boolean,
    /// Addresses of pages, pictures and the like.
    Link,
    /// Anything else.
    #[default]
    Text,
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Number { unit: Some(unit) } => write!(f, "number in {unit}"),
            ValueType::Number { unit: None } => f.write_str("number"),
            ValueType::Price { currency } => write!(f, "price in {currency}"),
            ValueType::Date => f.write_str("date"),
            ValueType::Boolean => f.write_str("boolean"),
            ValueType::Link => f.write_str("link"),
            ValueType::Text => f.write_str("text"),
        }
    }
}

/// A value in the type of its column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Typed {
    /// A number in the unit of the column, or a sum in its currency.
    Number(f64),
    /// ISO 8601, as far as the date is known.
    Date(String),
    /// Yes or no.
    Boolean(bool),
    /// The text as shown.
    Text(String),
}

/// A value in the type of its column; none where it does not fit: ranges, other currencies, noise.
pub(crate) fn typed(value: &ParsedValue<'_>, kind: ValueType) -> Option<Typed> {
    match (kind, &value.meaning) {
        (ValueType::Number { unit }, Some(Meaning::Quantity(quantity))) => {
            let number = *quantity.numbers.first().filter(|_| quantity.shape == Shape::One)?;
            let number = match (quantity.unit, unit) {
                (Some(from), Some(to)) => convert(number, from, to)?,
                _ => number,
            };
            Some(Typed::Number(number))
        }
        (ValueType::Price { currency }, Some(Meaning::Price(price))) => (price.to.is_none()
            && same_currency(price.currency, currency))
        .then_some(Typed::Number(price.amount)),
        (ValueType::Price { .. }, Some(Meaning::Quantity(quantity)))
            if quantity.unit.is_none() && quantity.shape == Shape::One =>
        {
            quantity.numbers.first().copied().map(Typed::Number)
        }
        // A number whose currency only some of the pages print.
        (ValueType::Number { unit: None }, Some(Meaning::Price(price))) => {
            price.to.is_none().then_some(Typed::Number(price.amount))
        }
        (ValueType::Date, Some(Meaning::Date(date))) => Some(Typed::Date(date.to_string())),
        (ValueType::Boolean, Some(Meaning::Boolean(yes))) => Some(Typed::Boolean(*yes)),
        (ValueType::Text | ValueType::Link, _) => Some(Typed::Text(value.text.to_owned())),
        _ => None,
    }
}

/// The type that fits nearly all values.
pub(crate) fn value_type<'s>(values: impl Iterator<Item = &'s ParsedValue<'s>>) -> ValueType {
    let mut total = 0_usize;
    let mut counts = [0_usize; 5];
    // Numbers that may be sums of money, where others of the column are.
    let mut plain = 0_usize;
    let mut units: BTreeMap<Option<&'static str>, usize> = BTreeMap::new();
    let mut currencies: BTreeMap<&'static str, usize> = BTreeMap::new();
    for value in values.filter(|value| !value.is_empty()) {
        total += 1;
        match &value.meaning {
            Some(Meaning::Quantity(quantity)) => {
                // Ranges and sides (`2 x 10 W`) are no single numbers: as such they would be lost.
                let is_one = quantity.shape == Shape::One;
                counts[0] += usize::from(is_one);
                plain += usize::from(quantity.unit.is_none() && is_one);
                *units.entry(quantity.unit).or_default() += 1;
            }
            Some(Meaning::Price(price)) => {
                counts[1] += 1;
                *currencies.entry(price.currency).or_default() += 1;
            }
            Some(Meaning::Date(_)) => counts[2] += 1,
            Some(Meaning::Boolean(_)) => counts[3] += 1,
            Some(Meaning::Link(_)) => counts[4] += 1,
            _ => {}
        }
    }
    let fits = |at: usize| total > 0 && counts[at] as f64 >= FITTING_SHARE * total as f64;
    // A unit that some values leave out is still theirs.
    units.remove(&None);
    if fits(0) {
        ValueType::Number { unit: most(units).flatten() }
    } else if fits(1) || are_prices(counts[1], plain, total) {
        ValueType::Price { currency: most(currencies).unwrap_or_default() }
    } else if fits(2) {
        ValueType::Date
    } else if fits(3) {
        ValueType::Boolean
    } else if fits(4) {
        ValueType::Link
    } else {
        ValueType::Text
    }
}

/// The share of values with a currency that makes the plain numbers of a column prices, too.
const PRICED_SHARE: f64 = 0.3;

/// Whether sums of money and plain numbers together are nearly all values.
fn are_prices(prices: usize, plain: usize, total: usize) -> bool {
    let share = |count: usize| count as f64 / total.max(1) as f64;
    share(prices) >= PRICED_SHARE && share(prices + plain) >= FITTING_SHARE
}

fn most<K: Ord>(counts: BTreeMap<K, usize>) -> Option<K> {
    let mut best = None;
    for (key, count) in counts {
        if best.as_ref().is_none_or(|&(_, most)| count > most) {
            best = Some((key, count));
        }
    }
    best.map(|(key, _)| key)
}

/// The items that texts of a list column may be taken apart into; `None` if the column is no list.
pub(crate) fn list_items(
    index: &Index<'_>,
    columns: &[SourceColumnId],
    values: &[ValueId],
) -> Option<ListItems> {
    let value = || values.iter().map(|&id| index.value(id));
    let is_ruled = columns.iter().any(|column| index.separators[column.at()].is_some());
    let written = value().filter(|value| value.is_written_list).count();
    let is_written = written > 0 && 2 * written > values.len();
    let joined = is_ruled || is_written || are_lists(&value().collect::<Vec<_>>());
    let (several, share) = several(index, columns);
    // Texts are a list wherever some entities have several at once; figures only where many have, since a list of texts they are not.
    let is_text = || matches!(value_type(value()), ValueType::Text | ValueType::Link);
    let has_several = share > SEVERAL_SHARE || several >= MIN_SEVERAL && is_text();
    if !has_several && !joined {
        return None;
    }
    let mut items = ListItems { joined, single: Lookup::default() };
    value().for_each(|value| items.learn(value));
    Some(items)
}

/// Entities that have several values in one source at once, on one page: how many, and the greatest share in any source.
fn several(index: &Index<'_>, columns: &[SourceColumnId]) -> (usize, f64) {
    let (mut most, mut share) = (0, 0.0_f64);
    for &column in columns {
        let cells = &index.cells[column.at()];
        let (mut together, mut anywhere) = (0, 0);
        for &cell in cells {
            let own = index.of(cell);
            let differs = |a: &SampleValue, b: &SampleValue| {
                let (a, b) = (index.value(a.value), index.value(b.value));
                !a.is_empty() && !b.is_empty() && !a.agrees(b)
            };
            let page = |own: &SampleValue| &index.evidence[own.evidence as usize].page;
            let first = &own[0];
            anywhere += usize::from(own.iter().any(|other| differs(first, other)));
            let at_once =
                own.iter().any(|other| differs(first, other) && page(first) == page(other));
            together += usize::from(at_once);
        }
        most = most.max(together);
        share = share.max(anywhere as f64 / cells.len().max(1) as f64);
    }
    (most, share)
}

/// Different single values of a list column that are known, at most: 16 MB.
const MAX_ITEMS: usize = 1 << 20;

/// Which texts of a list column are taken apart.
#[derive(Debug)]
pub(crate) struct ListItems {
    /// Whether texts with separators are lists by their form.
    joined: bool,
    /// The values that stand alone in some text.
    single: Lookup<u64, ()>,
}

impl ListItems {
    /// Remembers a value that stands alone.
    pub(crate) fn learn(&mut self, value: &ParsedValue<'_>) {
        if !self.joined && value.items.is_empty() && self.single.len() < MAX_ITEMS {
            self.single.insert(value.exact, ());
        }
    }

    /// Whether a text is a list: by its form, or because all its items stand alone elsewhere.
    pub(crate) fn split(&self, value: &ParsedValue<'_>) -> bool {
        let is_known = |item: &ParsedValue<'_>| self.single.contains_key(&item.exact);
        let is_list = self.joined || value.is_written_list;
        !value.items.is_empty() && (is_list || value.items.iter().all(is_known))
    }
}

/// Whether the texts with separators are lists: of varying length, their items recur, and not always in the same place.
fn are_lists(values: &[&ParsedValue<'_>]) -> bool {
    let mut lengths = std::collections::BTreeSet::new();
    let mut places: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    let mut lists = 0;
    for value in values.iter().filter(|value| !value.is_empty()) {
        lengths.insert(value.items.len().max(1));
        lists += usize::from(!value.items.is_empty());
        for (at, item) in value.items.iter().enumerate() {
            let (first, later) = places.entry(item.exact).or_default();
            *(if at == 0 { first } else { later }) += 1;
        }
    }
    if lists < MIN_LISTS || lengths.len() < 2 {
        return false;
    }
    let all: usize = places.values().map(|(first, later)| first + later).sum();
    let recurring = places.values().filter(|(first, later)| first + later > 1);
    let often: usize = recurring.clone().map(|(first, later)| first + later).sum();
    let moving = recurring.clone().filter(|&&(first, later)| first > 0 && later > 0).count();
    let names = values.iter().filter(|value| value.full_names).count();
    let people = names as f64 >= NAMES_SHARE * values.len() as f64 && lengths.contains(&1);
    if people {
        let mut names: Vec<u64> = Vec::new();
        for value in values {
            names.extend(value.items.iter().map(|item| item.exact));
            names.extend(value.items.is_empty().then_some(value.exact));
        }
        names.sort_unstable();
        return names.windows(2).any(|pair| pair[0] == pair[1]);
    }
    let recur = often as f64 >= RECURRING_SHARE * all as f64;
    let moving = moving as f64 / recurring.count().max(1) as f64;
    recur && (moving >= MOVING_SHARE || moving >= SORTED_MOVING_SHARE && are_sorted(values))
}

/// The same where texts are sorted: then only items in the middle of the alphabet move.
const SORTED_MOVING_SHARE: f64 = 0.1;
/// Texts with separators that show an order, at the least: by chance one in 256 columns of eight pairs is sorted.
const MIN_SORTED: usize = 8;
/// The share of the lists of a sorted column that are in the order of the alphabet.
const SORTED_SHARE: f64 = 0.95;

/// Whether the items of nearly all texts stand in the order of the alphabet: then their places say nothing.
fn are_sorted(values: &[&ParsedValue<'_>]) -> bool {
    let lists = || values.iter().filter(|value| value.items.len() > 1);
    let lower = |value: &ParsedValue<'_>| value.text.to_lowercase();
    let is_sorted = |value: &&&ParsedValue<'_>| value.items.is_sorted_by_key(lower);
    let sorted = lists().filter(is_sorted).count();
    sorted >= MIN_SORTED && sorted as f64 >= SORTED_SHARE * lists().count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_value::Format;

    #[test]
    fn a_sum_of_money_in_a_column_of_numbers_is_its_amount() {
        let format = Format::default();
        let typed_as = |text: &str, kind| typed(&ParsedValue::read(text, &format, None), kind);
        let number = ValueType::Number { unit: None };
        for (text, expect) in [("9.12 €", Some(9.12)), ("9.12", Some(9.12)), ("€9 – €12", None)]
        {
            assert_eq!(typed_as(text, number), expect.map(Typed::Number), "{text}");
        }
    }

    #[test]
    fn quantities_of_several_numbers_are_no_column_of_numbers() {
        let format = Format::default();
        for (texts, expect) in [
            (["27 in", "32 in", "55 in"], ValueType::Number { unit: Some("in") }),
            (["2 x 10 W", "2 x 20 W", "2.1"], ValueType::Text),
            (["10–20 W", "20–30 W", "30–40 W"], ValueType::Text),
        ] {
            let values: Vec<ParsedValue<'_>> =
                texts.iter().map(|text| ParsedValue::read(text, &format, None)).collect();
            assert_eq!(value_type(values.iter()), expect, "{texts:?}");
        }
    }
}
