//! What type of values does a column hold, and is it a list? Decided from all its values.

use std::collections::BTreeMap;
use std::fmt;

use quarry_value::{Meaning, Shape};
use serde::Serialize;

use crate::hash::Lookup;
use crate::index::{Index, SourceColumnId, ValueId};
use crate::parsed::{ParsedValue, same_currency};
use crate::unit::convert;

/// The share of values that a type must fit; the others are noise, and stay as they are.
const FITTING_SHARE: f64 = 0.9;
/// The share of entities with several values in one source, from which on a column is a list. Less is noise.
const SEVERAL_SHARE: f64 = 0.1;
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
    let mut units: BTreeMap<Option<&'static str>, usize> = BTreeMap::new();
    let mut currencies: BTreeMap<&'static str, usize> = BTreeMap::new();
    for value in values.filter(|value| !value.is_empty()) {
        total += 1;
        match &value.meaning {
            Some(Meaning::Quantity(quantity)) => {
                counts[0] += 1;
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
    } else if fits(1) {
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
    let several = columns.iter().any(|&column| {
        let cells = &index.cells[column.at()];
        let several = cells.iter().filter(|&&cell| {
            let own = index.of(cell);
            let first = index.value(own[0].value).exact;
            own.iter().any(|own| index.value(own.value).exact != first)
        });
        several.count() as f64 > SEVERAL_SHARE * cells.len() as f64
    });
    let value = || values.iter().map(|&id| index.value(id));
    let joined = are_lists(&value().collect::<Vec<_>>());
    if !several && !joined {
        return None;
    }
    let mut items = ListItems { joined, single: Lookup::default() };
    value().for_each(|value| items.learn(value));
    Some(items)
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
        !value.items.is_empty() && (self.joined || value.items.iter().all(is_known))
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
    often as f64 >= RECURRING_SHARE * all as f64
        && moving as f64 >= MOVING_SHARE * recurring.count() as f64
}
