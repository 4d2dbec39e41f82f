//! How much a reader wants a slot: a logistic model over its figures.

use super::features::{FEATURES, Features};

/// Weight of each figure, in the order of [`FEATURES`]; fitted to labelled detail pages with whole verticals left out.
const WEIGHTS: [f64; FEATURES.len()] = [
    3.0, 1.5, 2.0, 0.5, -1.5, -1.5, -2.0, -0.5, 1.0, 0.5, 1.0, 1.0, -1.0, 0.5, 0.2, -1.5, -0.5,
    0.5, -1.0, 0.2,
];
/// The constant of the model.
const BIAS: f64 = -4.0;

/// How likely a column is one that a reader wants, from 0 to 1.
pub(super) fn wanted(features: &Features) -> f64 {
    let sum: f64 = features.0.iter().zip(WEIGHTS).map(|(figure, weight)| figure * weight).sum();
    1.0 / (1.0 + (-(sum + BIAS)).exp())
}
