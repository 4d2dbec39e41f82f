//! What does a user expect of a site's table? The section `[expect]` of `quarry.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Expectations; what is not said is not expected.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    /// Entities at the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entities: Option<usize>,
    /// Records that most lists have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) records_per_page: Option<Amount>,
    /// Columns that every entity has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) required: Vec<String>,
    /// Share of the entities that must have a required column; all where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) filled: Option<f64>,
    /// Regular expressions that all values of a column match.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) patterns: BTreeMap<String, String>,
}

impl Expect {
    /// Whether nothing is expected.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A number, or the least and the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Amount {
    Exactly(usize),
    Between([usize; 2]),
}

impl Amount {
    pub(crate) fn holds(self, number: usize) -> bool {
        match self {
            Self::Exactly(own) => own == number,
            Self::Between([least, most]) => (least..=most).contains(&number),
        }
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exactly(own) => write!(f, "{own}"),
            Self::Between([least, most]) => write!(f, "{least} to {most}"),
        }
    }
}
