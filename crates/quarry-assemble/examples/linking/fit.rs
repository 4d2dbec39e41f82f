//! Fits the weights of links to entities with known truth: logistic regression, drawn to weights that were set by hand.

use quarry_assemble::link::{ComparedPair, LinkWeights, MAX_MARGIN};

use super::Collection;

/// How often features are made with the weights of the last time: they decide which columns are aligned.
const TURNS: usize = 2;
/// Steps of Newton's method.
const STEPS: usize = 25;
/// The weights that were set by hand.
const PRIOR: &str = include_str!("prior.txt");
/// What it costs to leave them, by squared distance.
const PULL: f64 = 2e-4;

/// One compared pair: what was found, whether it is one thing, how much it counts.
type Row<const N: usize> = ([f64; N], f64, f64);

/// The weights that fit the collections, each of which counts alike.
pub(crate) fn fit(collections: &[Collection]) -> LinkWeights {
    let from = LinkWeights::parse(PRIOR);
    let mut weights = from.clone();
    for _ in 0..TURNS {
        let rows = rows(collections, &weights, |pair| pair.evidence);
        weights.evidence = descend(&rows, from.evidence);
        let rows = rows_of_rivals(collections, &weights);
        weights.margin = descend(&rows, from.margin);
    }
    weights
}

fn rows_of_rivals(collections: &[Collection], weights: &LinkWeights) -> Vec<Row<3>> {
    let margin = |pair: &ComparedPair| pair.margin.clamp(-MAX_MARGIN, MAX_MARGIN);
    rows(collections, weights, |pair| [1.0, pair.base, margin(pair)])
}

fn rows<const N: usize>(
    collections: &[Collection],
    weights: &LinkWeights,
    take: impl Fn(&ComparedPair) -> [f64; N],
) -> Vec<Row<N>> {
    let mut rows = Vec::new();
    for collection in collections {
        let pairs = collection.link(weights).pairs();
        let known: Vec<(&ComparedPair, bool)> = pairs
            .iter()
            .filter_map(|pair| {
                let (a, b) = pair.entities;
                // Names that are each other with some words more are neither one nor two.
                let (strict, loose) =
                    (collection.is_one(a, b, false)?, collection.is_one(a, b, true)?);
                (strict == loose).then_some((pair, strict))
            })
            .collect();
        let count = 1.0 / known.len().max(1) as f64;
        rows.extend(
            known.iter().map(|(pair, is_one)| (take(pair), f64::from(u8::from(*is_one)), count)),
        );
    }
    rows
}

/// Newton's method; the pull makes it end.
fn descend<const N: usize>(rows: &[Row<N>], from: [f64; N]) -> [f64; N] {
    let total: f64 = rows.iter().map(|(.., count)| count).sum();
    let mut weights = from;
    for _ in 0..STEPS {
        let mut slope = [0.0; N];
        let mut curve = [[0.0; N]; N];
        for (found, is_one, count) in rows {
            let sum: f64 = found.iter().zip(&weights).map(|(own, weight)| own * weight).sum();
            let likely = 1.0 / (1.0 + (-sum).exp());
            let bend = count / total * likely * (1.0 - likely);
            for at in (0..N).filter(|at| found[*at] != 0.0) {
                slope[at] += count / total * (likely - is_one) * found[at];
                for other in 0..N {
                    curve[at][other] += bend * found[at] * found[other];
                }
            }
        }
        for at in 0..N {
            slope[at] += PULL * (weights[at] - from[at]);
            curve[at][at] += PULL;
        }
        let step = solve(curve, slope);
        for (weight, step) in weights.iter_mut().zip(step) {
            // Far from the end, whole steps go too far.
            *weight -= step.clamp(-2.0, 2.0);
        }
    }
    weights
}

/// Solves a system of linear equations by elimination.
fn solve<const N: usize>(mut left: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for at in 0..N {
        let best = (at..N).max_by(|a, b| left[*a][at].abs().total_cmp(&left[*b][at].abs()));
        let best = best.unwrap_or(at);
        left.swap(at, best);
        right.swap(at, best);
        let pivot = left[at];
        for row in at + 1..N {
            let factor = left[row][at] / pivot[at];
            for (own, above) in left[row].iter_mut().zip(pivot).skip(at) {
                *own -= factor * above;
            }
            right[row] -= factor * right[at];
        }
    }
    for at in (0..N).rev() {
        let known: f64 = (at + 1..N).map(|column| left[at][column] * right[column]).sum();
        right[at] = (right[at] - known) / left[at][at];
    }
    right
}
