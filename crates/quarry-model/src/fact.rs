//! Rows of the tables that a project gives.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Where a value comes from. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueSource {
    /// A query that returns the entity has the value as a predicate.
    Facet,
    /// A record of a list.
    List,
    /// A learned place of the entity's own page.
    Page,
    /// A specification.
    Spec,
    /// Data embedded in a page: JSON-LD, microdata, RDFa, OpenGraph, the data of a script.
    Embedded,
    /// A place that agrees with known records.
    Match,
}

impl ValueSource {
    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Facet => "facet",
            Self::List => "list",
            Self::Page => "page",
            Self::Spec => "spec",
            Self::Embedded => "embedded",
            Self::Match => "match",
        }
    }
}

impl ValueSource {
    /// All sources, in the order in which they are listed.
    pub const ALL: [Self; 6] =
        [Self::Facet, Self::List, Self::Page, Self::Spec, Self::Embedded, Self::Match];

    /// The source with this stable name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.as_str() == name)
    }
}

/// An entity has a value: one row of the table `values`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValueRow {
    /// `scheme://host:port`.
    pub site: String,
    /// The entity's address.
    pub entity: String,
    /// What kind of entity it is, as the site calls it; empty before a harvest has told kinds apart.
    #[serde(default)]
    pub entity_kind: String,
    /// The attribute.
    pub attribute: String,
    /// The value as the site shows it.
    pub value: String,
    /// Where it comes from.
    pub source: ValueSource,
    /// The page that shows it.
    pub page: String,
    /// The node on that page.
    pub path: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
}

/// A query that the site answers: one row of the table `queries`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryRow {
    /// `scheme://host:port`.
    pub site: String,
    /// Its `attribute=value` pairs, sorted.
    pub query: Vec<String>,
    /// What asks for it.
    pub url: String,
    /// Entities in its answer.
    pub entities: u64,
    /// Entities that the site says there are.
    pub claimed: Option<u64>,
    /// The queries with one pair less, each as its pairs.
    pub parents: Vec<Vec<String>>,
    /// whole, short, asked.
    pub state: String,
}

/// A column of the table `entities`: one row of the table `columns`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnRow {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: ColumnKind,
    /// The unit of its numbers, or the currency of its prices.
    pub unit: Option<String>,
    /// Whether an entity can have several values.
    pub list: bool,
    /// Entities that have a value.
    pub entities: u64,
    /// Share of the entities that have a value.
    pub fill: f64,
    /// Different values.
    pub distinct: u64,
    /// Entities for which sources disagree.
    pub conflicts: u64,
    /// Where its values come from.
    pub sources: Vec<ValueSource>,
    /// What each source calls it, as `source "name"`.
    pub names: Vec<String>,
    /// The names that sites print for it. Not in the table: by them the next harvest knows the column.
    #[serde(default)]
    pub printed: Vec<String>,
    /// Frequent values.
    pub examples: Vec<String>,
    /// Why columns of several sources are one, in words.
    pub merged: Vec<String>,
    /// The kinds of entities that have it, each a row of the table `columns`.
    #[serde(default)]
    pub kinds: Vec<ColumnOfKind>,
}

/// What a column is to the entities of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnOfKind {
    /// The kind, as the site calls it.
    pub entity_kind: String,
    /// Entities of the kind that have a value.
    pub entities: u64,
    /// Share of the entities of the kind that have a value.
    pub fill: f64,
    /// Different values that entities of the kind have.
    pub distinct: u64,
    /// Frequent values of entities of the kind.
    pub examples: Vec<String>,
}

/// What the values of a column are. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Numbers, in one unit.
    Number,
    /// Sums of money, in one currency.
    Price,
    /// Days or months: ISO 8601.
    Date,
    /// Yes or no.
    Boolean,
    /// Addresses.
    Link,
    /// Anything else.
    Text,
}

impl ColumnKind {
    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Price => "price",
            Self::Date => "date",
            Self::Boolean => "boolean",
            Self::Link => "link",
            Self::Text => "text",
        }
    }
}

/// One entity: a row of the table `entities`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityRow {
    /// The same in every harvest.
    pub id: String,
    /// `scheme://host:port`.
    pub site: String,
    /// The entity's address.
    pub entity: String,
    /// What kind of entity it is, as the site calls it.
    #[serde(default)]
    pub entity_kind: String,
    /// The ids that it would have by its other addresses. Not in the table: by them the next harvest knows the entity.
    pub other_ids: Vec<String>,
    /// What it is called.
    pub title: Option<String>,
    /// What became of it since the last harvest.
    pub state: EntityState,
    /// Its values, one for each column.
    pub cells: Vec<EntityCell>,
}

/// One thing that entities of several sites describe: a row of the table `things`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThingRow {
    /// Its id: the least of the ids of its entities.
    pub thing: String,
    /// What most of its entities are called.
    pub name: Option<String>,
    /// The sites that have it.
    pub sites: Vec<String>,
    /// The addresses of its entities.
    pub entities: Vec<String>,
    /// Its values, one for each column of the table.
    pub cells: Vec<EntityCell>,
}

/// What became of an entity since the last harvest. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntityState {
    /// It was not there.
    #[default]
    New,
    /// Nothing has changed.
    Same,
    /// Some of its values have changed.
    Changed,
    /// It is not there any more, and nothing but its title is known.
    Removed,
}

impl EntityState {
    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }
}

/// The value of an entity in a column, in the type of the column; what does not fit stays text in the table
/// `values` alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(untagged)]
pub enum EntityCell {
    /// None.
    #[default]
    Null,
    /// Yes or no.
    Boolean(bool),
    /// A number in the unit or currency of the column.
    Number(f64),
    /// A text or an ISO 8601 date.
    Text(String),
    /// Several texts.
    List(Vec<String>),
}

/// By hand: what serde derives for untagged types tries one type after the other and makes an error of each that does not
/// fit, and tables have millions of cells.
impl<'de> Deserialize<'de> for EntityCell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = EntityCell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, a boolean, a number, a text or a list of texts")
    }

    fn visit_unit<E>(self) -> Result<EntityCell, E> {
        Ok(EntityCell::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<EntityCell, E> {
        Ok(EntityCell::Boolean(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<EntityCell, E> {
        Ok(EntityCell::Number(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<EntityCell, E> {
        Ok(EntityCell::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<EntityCell, E> {
        Ok(EntityCell::Number(value as f64))
    }

    fn visit_str<E>(self, value: &str) -> Result<EntityCell, E> {
        Ok(EntityCell::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<EntityCell, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(EntityCell::List(list))
    }
}
