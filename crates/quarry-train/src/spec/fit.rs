//! Grows the trees. Gradient boosting for the logistic loss (Friedman 2001) with second-order
//! leaves, shallow trees, thresholds between quantiles. Nothing is random.

use quarry_extract::spec::{TreeNode, Trees};
use rayon::prelude::*;

/// A labelled fragment.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) features: Vec<f32>,
    pub(super) positive: bool,
    pub(super) weight: f64,
}

/// How trees are grown.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitConfig {
    pub(super) trees: usize,
    pub(super) depth: usize,
    /// How much of each tree counts.
    pub(super) rate: f64,
    /// Pulls leaves towards 0; in units of the mean sample weight.
    pub(super) pull: f64,
    /// The least weight of a leaf; in the same units.
    pub(super) min_leaf: f64,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self { trees: 80, depth: 4, rate: 0.15, pull: 5.0, min_leaf: 10.0 }
    }
}

/// Thresholds that are tried for a feature.
const BINS: usize = 48;

struct Grower<'a> {
    binned: &'a [Vec<u8>],
    cuts: &'a [Vec<f32>],
    gradient: &'a [f64],
    curvature: &'a [f64],
    config: FitConfig,
    tree: Vec<TreeNode>,
}

/// Fits trees to weighted samples.
pub(super) fn fit(samples: &[Sample], config: FitConfig) -> Trees {
    let features = samples.first().map_or(0, |sample| sample.features.len());
    let cuts: Vec<Vec<f32>> =
        (0..features).into_par_iter().map(|feature| cuts(samples, feature)).collect();
    let bin = |feature: usize| {
        let of = |sample: &Sample| {
            cuts[feature].partition_point(|&cut| cut <= sample.features[feature]) as u8
        };
        samples.iter().map(of).collect()
    };
    let binned: Vec<Vec<u8>> = (0..features).into_par_iter().map(bin).collect();
    let total: f64 = samples.iter().map(|sample| sample.weight).sum();
    let mean = total / samples.len().max(1) as f64;
    let weights: Vec<f64> = samples.iter().map(|sample| sample.weight / mean).collect();
    let mut sums = vec![0.0_f64; samples.len()];
    let mut trees = Vec::new();
    for _ in 0..config.trees {
        let chance = |sum: f64| 1.0 / (1.0 + (-sum).exp());
        let gradient: Vec<f64> = (0..samples.len())
            .map(|at| weights[at] * (f64::from(u8::from(samples[at].positive)) - chance(sums[at])))
            .collect();
        let curvature: Vec<f64> = (0..samples.len())
            .map(|at| weights[at] * chance(sums[at]) * (1.0 - chance(sums[at])))
            .collect();
        let mut grower = Grower {
            binned: &binned,
            cuts: &cuts,
            gradient: &gradient,
            curvature: &curvature,
            config,
            tree: Vec::new(),
        };
        let members: Vec<u32> = (0..samples.len() as u32).collect();
        grower.grow(&members, config.depth, &mut sums);
        trees.push(grower.tree);
    }
    Trees { bias: 0.0, trees }
}

/// Values between which a feature can be split: quantiles of those that occur.
fn cuts(samples: &[Sample], feature: usize) -> Vec<f32> {
    let mut values: Vec<f32> = samples.iter().map(|sample| sample.features[feature]).collect();
    values.sort_by(f32::total_cmp);
    let mut cuts: Vec<f32> = Vec::new();
    for number in 1..=BINS {
        let at = number * values.len() / (BINS + 1);
        let Some(&value) = values.get(at) else { break };
        if value > values[0] && cuts.last().is_none_or(|&last| value > last) {
            cuts.push(value);
        }
    }
    // Rare values at the end have no quantile of their own.
    let mut distinct = values;
    distinct.dedup();
    if distinct.len() <= BINS {
        cuts = distinct[1..].to_vec();
    }
    cuts
}

impl Grower<'_> {
    /// Adds the subtree of these members; gives its root and adds its leaves to the sums.
    fn grow(&mut self, members: &[u32], depth: usize, sums: &mut [f64]) -> usize {
        let own = self.tree.len();
        let total = self.total(members);
        let split = if depth == 0 { None } else { self.best_split(members, total) };
        let Some((feature, cut)) = split else {
            let value = self.config.rate * total.0 / (total.1 + self.config.pull);
            // As it will be written and read.
            let value = round(value);
            for &member in members {
                sums[member as usize] += f64::from(value);
            }
            self.tree.push(TreeNode::Leaf(value));
            return own;
        };
        let below = self.cuts[feature][cut];
        self.tree.push(TreeNode::Split { feature, below, to: [0, 0] });
        let column = &self.binned[feature];
        let (left, right): (Vec<u32>, Vec<u32>) =
            members.iter().partition(|&&member| usize::from(column[member as usize]) <= cut);
        let to = [self.grow(&left, depth - 1, sums), self.grow(&right, depth - 1, sums)];
        self.tree[own] = TreeNode::Split { feature, below, to };
        own
    }

    fn total(&self, members: &[u32]) -> (f64, f64) {
        members.iter().fold((0.0, 0.0), |(gradient, curvature), &member| {
            let at = member as usize;
            (gradient + self.gradient[at], curvature + self.curvature[at])
        })
    }

    /// The feature and the cut that gain most.
    fn best_split(&self, members: &[u32], total: (f64, f64)) -> Option<(usize, usize)> {
        let pull = self.config.pull;
        let worth = |(gradient, curvature): (f64, f64)| gradient * gradient / (curvature + pull);
        let best = (0..self.binned.len())
            .into_par_iter()
            .filter_map(|feature| {
                let bins = self.cuts[feature].len() + 1;
                let mut sums = vec![(0.0_f64, 0.0_f64); bins];
                let column = &self.binned[feature];
                for &member in members {
                    let at = member as usize;
                    let sum = &mut sums[usize::from(column[at])];
                    *sum = (sum.0 + self.gradient[at], sum.1 + self.curvature[at]);
                }
                let mut left = (0.0, 0.0);
                let mut best: Option<(f64, usize)> = None;
                for (cut, sum) in sums[..bins - 1].iter().enumerate() {
                    left = (left.0 + sum.0, left.1 + sum.1);
                    let right = (total.0 - left.0, total.1 - left.1);
                    // A sample of even chance has a curvature of a quarter of its weight.
                    let least = self.config.min_leaf / 4.0;
                    if left.1 < least || right.1 < least {
                        continue;
                    }
                    let gain = worth(left) + worth(right) - worth(total);
                    if best.is_none_or(|(most, _)| gain > most) {
                        best = Some((gain, cut));
                    }
                }
                best.map(|(gain, cut)| (gain, feature, cut))
            })
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))?;
        (best.0 > 1e-9).then_some((best.1, best.2))
    }
}

/// Four digits are enough, and keep the text short.
fn round(value: f64) -> f32 {
    ((value * 1e4).round() / 1e4) as f32
}
