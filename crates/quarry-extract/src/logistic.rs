//! The logistic function, which turns log-odds into a probability.

/// The probability, from 0 to 1, that goes with log-odds.
pub(crate) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
