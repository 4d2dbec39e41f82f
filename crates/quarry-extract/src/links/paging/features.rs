//! Names the features that the paging ranker weighs, and keeps the weights as plain text.

use crate::logistic::logistic;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

/// The format of the text.
const VERSION: &str = "1";

/// Features of a series of numbered links.
pub const SERIES_FEATURES: &[&str] = &[
    "lone",
    "lone-fits",
    "lone-key",
    "lone-gap",
    "lone-named",
    "lone-beside",
    "stray",
    "line",
    "line-equal",
    "line-origin",
    "line-whole",
    "line-links",
    "line-begins",
    "line-consecutive",
    "line-gap",
    "line-open",
    "line-key",
    "line-same-page",
    "line-below",
    "line-named",
    "line-date",
    "bare",
    "page-word",
    "others-vary",
    "line-loses",
    "size-key",
    "size-label",
    "years",
    "zero",
    "large",
    "elsewhere",
    "named",
    "named-weakly",
    "counted",
    "in-records",
    "line-in-records",
    "entities",
    "repeats",
    "twin",
    "days",
    "calendar",
    "word-beside",
    "target-shared",
    "edge",
    "near-records",
    "one-target",
    "titled",
];

/// Features of a link beside them that shows no number.
pub const LINK_FEATURES: &[&str] = &[
    "rel",
    "next-prev",
    "next-prev-more",
    "first-last",
    "load-more",
    "glyph",
    "label",
    "class",
    "no-word",
    "series",
    "series-word",
    "series-target",
    "series-fits",
    "near-fits",
    "in-row",
    "in-row-word",
    "page-key",
    "page-key-word",
    "page-key-class",
    "page-key-lost",
    "page-key-lost-word",
    "one-number",
    "one-number-word",
    "adds-number",
    "adds-number-word",
    "step-pair",
    "step-one",
    "step-second",
    "step-start",
    "elsewhere",
    "elsewhere-word",
    "named",
    "named-word",
    "named-weakly",
    "named-weakly-word",
    "partner",
    "twin",
    "in-records",
    "in-records-word",
    "entity",
    "edge",
    "edge-word",
    "list",
    "length",
    "date",
    "slug",
    "slug-word",
    "image",
    "near-records",
    "near-records-word",
    "same-list-word",
];

static SHIPPED: LazyLock<PagingWeights> = LazyLock::new(|| {
    PagingWeights::parse(include_str!("weights.txt")).expect("the shipped weights are tested")
});

/// What each feature counts; the first number of each kind is what speaks for paging before anything is known.
#[derive(Debug, Clone, PartialEq)]
pub struct PagingWeights {
    /// Of a series of numbered links.
    pub series: Vec<f64>,
    /// Of a link that shows no number.
    pub link: Vec<f64>,
}

impl Default for PagingWeights {
    /// The shipped ones: `weights.txt`.
    fn default() -> Self {
        SHIPPED.clone()
    }
}

impl PagingWeights {
    pub(super) fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// The same with these numbers, bias first; missing ones are 0.
    #[must_use]
    pub fn of(series: &[f64], link: &[f64]) -> Self {
        let filled = |values: &[f64], names: &[&str]| {
            (0..=names.len()).map(|at| values.get(at).copied().unwrap_or(0.0)).collect()
        };
        Self { series: filled(series, SERIES_FEATURES), link: filled(link, LINK_FEATURES) }
    }

    /// Reads weights from lines `series NAME NUMBER` and `link NAME NUMBER`; `#` begins a comment.
    ///
    /// # Errors
    /// Says which line is wrong or which weight is missing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut numbers: BTreeMap<(&str, &str), f64> = BTreeMap::new();
        let mut version = None;
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["version", number] => version = Some(*number),
                [kind, name, number] => {
                    let number = number.parse().map_err(|_| format!("{number} is not a number"))?;
                    if numbers.insert((kind, name), number).is_some() {
                        return Err(format!("{kind} {name} stands there twice"));
                    }
                }
                _ => return Err(format!("'{line}' is not a kind, a name and a number")),
            }
        }
        if version != Some(VERSION) {
            return Err(format!("only version {VERSION} of the weights can be read"));
        }
        let mut take = |kind: &'static str, names: &'static [&'static str]| {
            std::iter::once("bias")
                .chain(names.iter().copied())
                .map(|name| {
                    numbers.remove(&(kind, name)).ok_or(format!("{kind} {name} is missing"))
                })
                .collect::<Result<Vec<f64>, String>>()
        };
        let weights =
            Self { series: take("series", SERIES_FEATURES)?, link: take("link", LINK_FEATURES)? };
        match numbers.first_key_value() {
            Some(((kind, name), _)) => Err(format!("there is no feature named {kind} {name}")),
            None => Ok(weights),
        }
    }

    /// The text that [`PagingWeights::parse`] reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("version {VERSION}\n");
        let kinds =
            [("series", &self.series, SERIES_FEATURES), ("link", &self.link, LINK_FEATURES)];
        for (kind, values, names) in kinds {
            for (name, value) in std::iter::once(&"bias").chain(names).zip(values) {
                writeln!(text, "{kind} {name} {value}").expect("a string takes everything");
            }
        }
        text
    }
}

/// How likely the features make it, from 0 to 1.
pub(super) fn probability(weights: &[f64], features: &[f64]) -> f64 {
    let [bias, weights @ ..] = weights else { return 0.0 };
    let sum: f64 = bias + weights.iter().zip(features).map(|(w, f)| w * f).sum::<f64>();
    logistic(sum)
}

/// Features by name: what was not set is 0.
pub(super) struct PagingFeatures {
    names: &'static [&'static str],
    pub(super) values: Vec<f64>,
}

impl PagingFeatures {
    pub(super) fn new(names: &'static [&'static str]) -> Self {
        Self { names, values: vec![0.0; names.len()] }
    }

    pub(super) fn of(names: &'static [&'static str], values: Vec<f64>) -> Self {
        Self { names, values }
    }

    pub(super) fn get(&self, name: &str) -> f64 {
        self.names.iter().position(|own| *own == name).map_or(0.0, |at| self.values[at])
    }

    pub(super) fn set(&mut self, name: &str, value: f64) {
        let at = self.names.iter().position(|own| *own == name);
        debug_assert!(at.is_some(), "no feature {name}");
        if let Some(at) = at {
            self.values[at] = value;
        }
    }

    pub(super) fn flag(&mut self, name: &str, on: bool) {
        self.set(name, f64::from(u8::from(on)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_mistakes_are_named() {
        let shipped = PagingWeights::default();
        let text = shipped.to_text();
        assert_eq!(PagingWeights::parse(&text), Ok(shipped));
        let says = |text: &str| PagingWeights::parse(text).unwrap_err();
        assert!(says("").contains("version 1"));
        assert!(
            says(&text.replace("series days", "series daze")).contains("series days is missing")
        );
        assert!(says(&(text.clone() + "link x 1\n")).contains("no feature named link x"));
    }
}
