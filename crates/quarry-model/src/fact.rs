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
