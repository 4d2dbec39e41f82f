//! Logistic regression with a pull towards weights set by hand, by Newton's method. The same lessons give
//! the same weights.

/// Something to learn from.
pub(super) struct Lesson {
    pub(super) features: Vec<f64>,
    /// How right it would be to take it, from 0 to 1.
    pub(super) right: f64,
    /// What it counts beside the others.
    pub(super) counts: f64,
}

/// Newton steps: the weights change by less than their rounding after ten.
const STEPS: usize = 25;
/// Weights are rounded to so many parts of 1: finer ones say nothing.
const ROUND: f64 = 100.0;
/// Keeps the equations solvable for features that never occur.
const LEAST_CURVATURE: f64 = 1e-9;
/// No step is longer than this in any weight.
const LONGEST_STEP: f64 = 2.0;

/// The weights, bias first.
pub(super) fn fit(lessons: &[Lesson], prior: &[f64], pull: f64) -> Vec<f64> {
    let total: f64 = lessons.iter().map(|lesson| lesson.counts).sum::<f64>().max(1e-9);
    let size = prior.len();
    let mut weights = prior.to_vec();
    for _ in 0..STEPS {
        let mut gradient: Vec<f64> =
            weights.iter().zip(prior).map(|(weight, prior)| pull * (weight - prior)).collect();
        let mut curvature = vec![vec![0.0; size]; size];
        for (at, row) in curvature.iter_mut().enumerate() {
            row[at] = pull + LEAST_CURVATURE;
        }
        for lesson in lessons {
            let values: Vec<(usize, f64)> = std::iter::once((0, 1.0))
                .chain(lesson.features.iter().enumerate().map(|(at, f)| (at + 1, *f)))
                .filter(|(_, value)| *value != 0.0)
                .collect();
            let sum: f64 = values.iter().map(|&(at, value)| weights[at] * value).sum();
            let likely = 1.0 / (1.0 + (-sum).exp());
            let counts = lesson.counts / total;
            for &(at, value) in &values {
                gradient[at] += (likely - lesson.right) * counts * value;
                for &(other, second) in &values {
                    curvature[at][other] += likely * (1.0 - likely) * counts * value * second;
                }
            }
        }
        for (weight, step) in weights.iter_mut().zip(solve(curvature, gradient)) {
            *weight -= step.clamp(-LONGEST_STEP, LONGEST_STEP);
        }
    }
    weights.iter().map(|weight| (weight * ROUND).round() / ROUND).collect()
}

/// Solves linear equations with a symmetric positive matrix by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for at in 0..size {
        let pivot = matrix[at].clone();
        for below in at + 1..size {
            let by = matrix[below][at] / pivot[at];
            if by != 0.0 {
                for (value, own) in matrix[below][at..].iter_mut().zip(&pivot[at..]) {
                    *value -= by * own;
                }
                right[below] -= by * right[at];
            }
        }
    }
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size).map(|other| matrix[at][other] * right[other]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::{Lesson, fit};

    #[test]
    fn what_tells_weighs_and_noise_does_not() {
        let lesson = |n: u32| Lesson {
            features: vec![f64::from(n % 2), f64::from(n % 3)],
            right: f64::from(n % 2),
            counts: 1.0,
        };
        let lessons: Vec<Lesson> = (0..60).map(lesson).collect();
        let weights = fit(&lessons, &[0.0; 3], 0.003);
        assert!(weights[1] > 3.0 && weights[2].abs() < 0.5, "{weights:?}");
    }
}
