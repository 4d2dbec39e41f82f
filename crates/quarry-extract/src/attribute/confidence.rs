//! The confidence of a placed value. The chance by the scores, through a curve that was measured.
//!
//! The scores give a chance as if columns were independent evidence. They are not, so it is too low in the middle. The curve is
//! monotone, straight between knots. On a single page, votes for other texts take away less than their share, because
//! they come from fallbacks that were weaker to begin with.

use crate::logistic::logistic;

/// Chance by the scores, and the share of right values over placements of that chance: an isotonic fit to 1,885 placements, its knots
/// thinned and rounded. `docs/algorithms/attribute.md` has the measurement, and how fits to half of the kinds of sites do on the others.
const KNOTS: [(f64, f64); 8] = [
    (0.0, 0.0),
    (0.04, 0.17),
    (0.23, 0.7),
    (0.65, 0.79),
    (0.77, 0.9),
    (0.88, 0.96),
    (0.975, 0.99),
    (1.0, 0.995),
];

/// What is taken away on a page on which nearly all votes are for other texts.
const DOUBT: f64 = 0.25;

/// The confidence of a value: `share` of the page's votes are for it.
pub(crate) fn on_page(confidence: f64, share: f64) -> f64 {
    confidence * (1.0 - DOUBT * (1.0 - share))
}

/// The share of right values to expect at a chance.
pub(crate) fn calibrated(chance: f64) -> f64 {
    let chance = chance.clamp(0.0, 1.0);
    let next = KNOTS.iter().position(|(at, _)| *at >= chance).unwrap_or(KNOTS.len() - 1).max(1);
    let ((from, low), (to, high)) = (KNOTS[next - 1], KNOTS[next]);
    low + (high - low) * (chance - from) / (to - from)
}

/// The part of a column's chance that an attribute keeps if another one, with this score, claims the same texts.
pub(crate) fn claim(own: f64, other: f64) -> f64 {
    logistic(own - other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{KNOTS, calibrated, claim};

    #[test]
    fn the_curve_goes_through_its_knots() {
        for (chance, share) in KNOTS {
            assert!((calibrated(chance) - share).abs() < 1e-9);
        }
        assert!((claim(8.0, 8.0) - 0.5).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn more_chance_is_never_less_confidence(a in 0.0..1.0f64, b in 0.0..1.0f64) {
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            prop_assert!(calibrated(low) <= calibrated(high));
            prop_assert!((0.0..=1.0).contains(&calibrated(a)));
        }
    }
}
