//! Names and values that other sites use. They annotate the texts of a new site (paper §4.2):
//! noisy, but enough to infer where names and values stand.

use std::collections::BTreeSet;

use serde_json::Value;

use super::normal_name;

/// Names and values known from other sites, normalised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnownPairs {
    names: BTreeSet<String>,
    values: BTreeSet<String>,
}

impl KnownPairs {
    /// Adds a pair. A value that is a name elsewhere is no evidence of a value (paper §5.2).
    pub fn add(&mut self, name: &str, value: &str) {
        self.names.insert(normal_name(name));
        self.values.insert(normal_name(value));
    }

    /// Reads JSON lines: those that `quarry specs` prints, or objects with `name` and `value`.
    ///
    /// # Errors
    /// Says which line cannot be read.
    pub fn from_lines(text: &str) -> Result<Self, String> {
        let mut known = Self::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let row: Value = serde_json::from_str(line)
                .map_err(|error| format!("line {} is not JSON: {error}", number + 1))?;
            let specs = row["specs"].as_array().map(Vec::as_slice).unwrap_or_default();
            let pairs =
                specs.iter().flat_map(|spec| spec["pairs"].as_array().into_iter().flatten());
            let own = std::iter::once(&row).filter(|row| row["name"].is_string());
            for pair in pairs.chain(own) {
                if let (Some(name), Some(value)) = (pair["name"].as_str(), pair["value"].as_str()) {
                    known.add(name, value);
                }
            }
        }
        Ok(known)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub(crate) fn is_name(&self, text: &str) -> bool {
        let normal = normal_name(text);
        normal.chars().any(char::is_alphabetic) && self.names.contains(&normal)
    }

    pub(crate) fn is_value(&self, text: &str) -> bool {
        let normal = normal_name(text);
        !normal.is_empty() && self.values.contains(&normal) && !self.names.contains(&normal)
    }
}
