//! The weights of the evidence: plain text that is made by fitting (`train region`)
//! and read here.

use crate::logistic::logistic;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::RegionEvidence;

/// The format of the text.
const VERSION: &str = "1";

static SHIPPED: LazyLock<Weights> = LazyLock::new(|| {
    Weights::parse(include_str!("weights.txt")).expect("the shipped weights are tested")
});

/// Weights of the evidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// What each feature counts. `nested` is not weighed: it only tells a single record from a box
    /// around a list.
    pub evidence: RegionEvidence,
    /// The weighed sum at which a list is as likely an answer as not.
    pub even: f64,
    /// How much more makes it e times as likely.
    pub spread: f64,
}

impl Default for Weights {
    /// The shipped ones: `weights.txt`.
    fn default() -> Self {
        *SHIPPED
    }
}

impl Weights {
    /// Reads weights from lines of a name and a number; `#` begins a comment.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut numbers: BTreeMap<&str, &str> = BTreeMap::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if line.starts_with('#') {
                continue;
            }
            let (name, number) =
                line.split_once(' ').ok_or(format!("'{line}' is not a name and a number"))?;
            if numbers.insert(name, number.trim()).is_some() {
                return Err(format!("{name} stands there twice"));
            }
        }
        if numbers.remove("version") != Some(VERSION) {
            return Err(format!("only version {VERSION} of the weights can be read"));
        }
        let mut take = |name: &str| -> Result<f64, String> {
            let number = numbers.remove(name).ok_or(format!("{name} is missing"))?;
            number.parse().map_err(|_| format!("{name} {number} is not a number"))
        };
        let values =
            RegionEvidence::NAMES.iter().map(|name| take(name)).collect::<Result<Vec<_>, _>>()?;
        let weights = Self {
            evidence: RegionEvidence::of(&values),
            even: take("even")?,
            spread: take("spread")?,
        };
        match numbers.first_key_value() {
            Some((name, _)) => Err(format!("there is no feature named {name}")),
            None => Ok(weights),
        }
    }

    /// The text that [`Weights::parse`] reads.
    pub fn to_text(&self) -> String {
        let mut text = format!("version {VERSION}\n");
        let last = [("even", self.even), ("spread", self.spread)];
        let features = RegionEvidence::NAMES.iter().copied().zip(self.evidence.values());
        for (name, value) in features.chain(last) {
            writeln!(text, "{name} {value}").expect("a string takes everything");
        }
        text
    }

    /// The weighed sum of the evidence for a list.
    pub fn sum(&self, evidence: &RegionEvidence) -> f64 {
        evidence.weigh(&self.evidence)
    }

    /// How likely a list of this weighed sum is an answer, from 0 to 1.
    pub fn probability(&self, sum: f64) -> f64 {
        logistic((sum - self.even) / self.spread)
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;

    #[test]
    fn what_is_written_is_read() {
        let shipped = Weights::default();
        assert_eq!(Weights::parse(&shipped.to_text()), Ok(shipped));
    }

    #[test]
    fn mistakes_are_named() {
        let text = Weights::default().to_text();
        let check = |text: &str, says: &str| {
            let error = Weights::parse(text).unwrap_err();
            assert!(error.contains(says), "{error}");
        };
        check("", "version 1");
        check(&text.replace("version 1", "version 2"), "version 1");
        check(&text.replace("stale ", "stale x"), "stale");
        check(&text.replace("stale ", "stall "), "stale is missing");
        check(&(text.clone() + "stall 1\n"), "no feature named stall");
        check(&(text + "stale 1\n"), "twice");
    }
}
