//! The weights of the evidence.
//!
//! Signs and sizes follow a fit to labelled sites (`examples/match_fit.rs`), rounded; agreement with records counts more than
//! the fit says, because it is the evidence that holds on kinds of sites that the fit has not seen.

use super::evidence::{EvidenceFeatures, NAMES};

/// Weights in the order of [`NAMES`].
#[rustfmt::skip]
pub(crate) const WEIGHTS: [f64; NAMES.len()] = [
    6.0,  // lift
    3.0,  // same
    2.0,  // equal
    1.5,  // linked_share
    4.0,  // coverage
    0.5,  // dictionary
    2.0,  // known
    2.5,  // margin
    -0.3, // length
    -2.0, // digits
    -0.5, // capitals
    1.5,  // kinds
    -1.4, // variety
    2.0,  // title
    2.8,  // printed
    1.0,  // markup
    2.0,  // remembered
    0.3,  // locators
    -1.8, // template
    -2.0, // depth
    1.4,  // heading
    0.0,  // in_title
    1.2,  // steady
    -1.8, // affix
    -0.7, // crowd
    5.0,  // familiar
];

/// The score that a column must pass: what the best column reaches where a site lacks the attribute.
/// On labelled sites half of the choices with a score of 5 are right, nine in ten with 6.
pub(crate) const NONE: f64 = 6.0;

/// The score of a column.
pub(crate) fn score(features: &EvidenceFeatures) -> f64 {
    features.iter().zip(&WEIGHTS).map(|(feature, weight)| feature * weight).sum()
}

/// Whether there is a reason beside the form of the values: records agree, words are known, a name is printed or in the mark-up, the
/// title says it, or the values are of a kind that few texts have (`typed`: the share of such values in the seed).
pub(crate) fn has_reason(features: &EvidenceFeatures, typed: f64) -> bool {
    let of = |name: &str| NAMES.iter().position(|own| *own == name).map_or(0.0, |at| features[at]);
    of("lift") > 0.05
        || of("known") >= 0.25
        || ["printed", "markup", "remembered", "heading"].iter().any(|name| of(name) > 0.0)
        || of("title") > 0.05
        || (typed > 0.5 && of("kinds") > 0.8)
}
