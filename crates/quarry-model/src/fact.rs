//! What was found out? Rows of the tables that a project gives.

use serde::{Deserialize, Serialize};

/// Where a value comes from. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueSource {
    /// A query that returns the entity has the value as a predicate.
    Facet,
    /// A record of a list.
    List,
    /// A specification.
    Spec,
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
            Self::Spec => "spec",
            Self::Match => "match",
        }
    }
}

/// An entity has a value: one row of the table `values`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValueRow {
    /// `scheme://host:port`.
    pub site: String,
    /// The entity's address.
    pub entity: String,
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
    /// What each source calls it, as `source: name`.
    pub names: Vec<String>,
    /// Frequent values.
    pub examples: Vec<String>,
    /// Why columns of several sources are one, in words.
    pub merged: Vec<String>,
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
    /// What it is called.
    pub title: Option<String>,
    /// What became of it since the last harvest.
    pub state: EntityState,
    /// Its values, one for each column.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EntityCell {
    /// None.
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
