//! What the user says of columns (the section `[columns]` of `quarry.toml`): the last word on names, order, types and what is one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kind::ValueType;
use crate::parsed::words;

/// The user's rules for columns. A name means the column of that name, or that any source gives it; capitals and punctuation do not matter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ColumnRules {
    /// Columns that come first, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pin: Vec<String>,
    /// Columns that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<String>,
    /// New names of columns.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rename: BTreeMap<String, String>,
    /// Columns that are one, under the name before them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub merge: BTreeMap<String, Vec<String>>,
    /// Columns that hold lists, and what stands between their items.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub split: BTreeMap<String, String>,
    /// What columns hold.
    #[serde(rename = "type", skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, RuledType>,
}

/// What a column holds, as the user says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuledType {
    /// Numbers.
    Number,
    /// Sums of money.
    Price,
    /// Days or months.
    Date,
    /// Yes or no.
    Boolean,
    /// Addresses.
    Link,
    /// Anything.
    Text,
}

impl RuledType {
    /// The type; unit and currency are those of the values.
    pub(crate) fn of(self, found: ValueType) -> ValueType {
        match (self, found) {
            (Self::Number, ValueType::Number { .. }) | (Self::Price, ValueType::Price { .. }) => {
                found
            }
            (Self::Number, _) => ValueType::Number { unit: None },
            (Self::Price, _) => ValueType::Price { currency: "" },
            (Self::Date, _) => ValueType::Date,
            (Self::Boolean, _) => ValueType::Boolean,
            (Self::Link, _) => ValueType::Link,
            (Self::Text, _) => ValueType::Text,
        }
    }
}

impl ColumnRules {
    /// Whether nothing is ruled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What stands between the items of a column that a source calls so.
    pub(crate) fn separator(&self, name: &str) -> Option<&str> {
        find(&self.split, |own| is_same(own, name)).map(String::as_str)
    }

    /// The name of the columns that one with this name is merged with.
    pub(crate) fn merged_as(&self, name: &str) -> Option<&str> {
        let has = |(one, others): &(&String, &Vec<String>)| {
            is_same(one, name) || others.iter().any(|other| is_same(other, name))
        };
        self.merge.iter().find(has).map(|(one, _)| one.as_str())
    }

    /// The name that the user gives a column with one of these names.
    pub(crate) fn new_name(&self, is_named: impl Fn(&str) -> bool) -> Option<&str> {
        let renamed = find(&self.rename, |own| is_named(own)).map(String::as_str);
        let merged = || {
            let has = |(one, others): &(&String, &Vec<String>)| {
                is_named(one) || others.iter().any(|other| is_named(other))
            };
            self.merge.iter().find(has).map(|(one, _)| one.as_str())
        };
        renamed.or_else(merged)
    }

    /// The type that the user gives a column.
    pub(crate) fn type_of(&self, is_named: impl Fn(&str) -> bool) -> Option<RuledType> {
        find(&self.types, is_named).copied()
    }

    /// Whether the user does not want a column.
    pub(crate) fn is_dropped(&self, is_named: impl Fn(&str) -> bool) -> bool {
        self.drop.iter().any(|own| is_named(own))
    }

    /// The place of a column that comes before others.
    pub(crate) fn pinned(&self, is_named: impl Fn(&str) -> bool) -> Option<usize> {
        self.pin.iter().position(|own| is_named(own))
    }
}

fn find<V>(rules: &BTreeMap<String, V>, is: impl Fn(&str) -> bool) -> Option<&V> {
    rules.iter().find(|(name, _)| is(name)).map(|(_, value)| value)
}

/// Whether two names differ in capitals, spaces and punctuation only.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || words(one) != 0 && words(one) == words(other)
}
