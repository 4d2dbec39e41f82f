//! What does each figure of the evidence count?

use super::evidence::{Figures, NAMES};

/// Weights in the order of [`NAMES`].
pub(crate) const WEIGHTS: [f64; NAMES.len()] = [
    10.0, 3.0, 2.0, 0.5, 2.0, 1.5, 1.0, 1.0, -1.0, -2.0, -0.5, 1.0, -1.0, 2.5, 2.5, 1.0, 2.0, 0.3, -1.0,
    -1.0, 1.0, 0.0, 0.5, -1.0, -0.3,
];

/// The score of a column that must be passed: what a page without the attribute reaches.
pub(crate) const NONE: f64 = 2.0;

/// The score of a column.
pub(crate) fn score(figures: &Figures) -> f64 {
    figures.iter().zip(&WEIGHTS).map(|(figure, weight)| figure * weight).sum()
}
