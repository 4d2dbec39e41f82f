//! Fits the weights of a network. Resilient backpropagation over all samples at once, from fixed
//! first weights: the same samples give the same network.

use quarry_extract::template::network::{Detector, NEUTRAL_PRIOR, Network};
use std::collections::BTreeMap;

/// One labelled sample.
#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) site: usize,
    pub(crate) category: String,
    /// What the prior probability is looked up by: the tag's name, or the text's tokens.
    pub(crate) names: Vec<String>,
    pub(crate) features: Vec<f64>,
    pub(crate) positive: bool,
    /// How much it counts.
    pub(crate) weight: f64,
}

/// How a detector is fitted.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Features that are used: the first so many.
    pub(crate) inputs: usize,
    pub(crate) hidden: usize,
    /// The position of the prior probability among the features.
    pub(crate) prior: usize,
}

const EPOCHS: usize = 400;
/// What large weights cost; keeps small samples from being learned by heart.
const DECAY: f64 = 4e-3;
/// First weights of the networks that are fitted to the same samples. Their mean errs less on sites that none of them saw.
const SEEDS: [u64; 5] = [1_111, 2_222, 3_333, 4_444, 5_555];
/// A name needs samples of so many sites to get a prior probability of its own.
const MIN_SITES: usize = 2;

/// Fits a detector to samples.
pub(crate) fn fit(samples: &[&Sample], shape: Shape) -> Detector {
    let priors = priors(samples);
    let rows: Vec<Vec<f64>> = samples.iter().map(|sample| inputs(sample, &priors, shape)).collect();
    let count = rows.len().max(1) as f64;
    let column = |at: usize| rows.iter().map(move |row| row[at]);
    let means: Vec<f64> = (0..shape.inputs).map(|at| column(at).sum::<f64>() / count).collect();
    let scales = (0..shape.inputs).map(|at| {
        let spread = column(at).map(|value| (value - means[at]).powi(2)).sum::<f64>() / count;
        spread.sqrt().max(1e-3)
    });
    let scales = scales.collect();
    let blank = Network { means, scales, hidden: Vec::new(), output: Vec::new() };
    let rows: Vec<Vec<f64>> = rows.iter().map(|row| blank.scaled(row)).collect();
    let wanted: Vec<f64> =
        samples.iter().map(|sample| f64::from(u8::from(sample.positive))).collect();
    let weights: Vec<f64> = samples.iter().map(|sample| sample.weight).collect();
    let fitted = SEEDS.map(|seed| {
        let mut network = first(blank.clone(), shape, seed);
        descend(&mut network, &rows, &wanted, &weights);
        network
    });
    Detector { network: mean(blank, &fitted), priors }
}

/// One network whose sum is the mean of the sums of several.
fn mean(blank: Network, networks: &[Network]) -> Network {
    let count = networks.len() as f64;
    let hidden = networks.iter().flat_map(|network| network.hidden.iter().cloned()).collect();
    let units = |network: &Network| network.hidden.len();
    let mut output: Vec<f64> = networks
        .iter()
        .flat_map(|network| network.output[..units(network)].iter().map(|weight| weight / count))
        .collect();
    output.push(networks.iter().map(|network| network.output[units(network)]).sum::<f64>() / count);
    Network { hidden, output, ..blank }
}

/// A network with its first weights.
fn first(mut network: Network, shape: Shape, seed: u64) -> Network {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ seed;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 / f64::from(1u32 << 31) - 0.5) * 0.6
    };
    network.hidden =
        (0..shape.hidden).map(|_| (0..=shape.inputs).map(|_| random()).collect()).collect();
    network.output = (0..=shape.hidden).map(|_| random()).collect();
    network
}

/// The inputs of a sample with the prior probability in its place.
pub(crate) fn inputs(sample: &Sample, priors: &BTreeMap<String, f64>, shape: Shape) -> Vec<f64> {
    let mut features = sample.features[..shape.inputs].to_vec();
    let known = sample.names.iter().filter_map(|name| priors.get(name).copied());
    features[shape.prior] = known
        .fold(None, |most: Option<f64>, prior| Some(most.map_or(prior, |most| most.max(prior))))
        .unwrap_or(NEUTRAL_PRIOR);
    features
}

/// The share of positive samples of each name, drawn towards one half where there are few.
fn priors(samples: &[&Sample]) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<&str, (f64, f64, Vec<usize>)> = BTreeMap::new();
    for sample in samples {
        for name in &sample.names {
            let entry = counts.entry(name).or_default();
            entry.0 += f64::from(u8::from(sample.positive));
            entry.1 += 1.0;
            if !entry.2.contains(&sample.site) {
                entry.2.push(sample.site);
            }
        }
    }
    let known = counts.into_iter().filter(|(name, counts)| {
        counts.2.len() >= MIN_SITES && !name.contains(char::is_whitespace)
    });
    known
        .map(|(name, (positive, all, _))| (name.to_owned(), (positive + 1.0) / (all + 2.0)))
        .collect()
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Resilient backpropagation (Riedmiller and Braun 1993): steps of their own for each weight.
fn descend(network: &mut Network, rows: &[Vec<f64>], wanted: &[f64], counts: &[f64]) {
    let inputs = network.means.len();
    let hidden = network.hidden.len();
    let size = hidden * (inputs + 1) + hidden + 1;
    let mut weights: Vec<f64> =
        network.hidden.iter().flatten().copied().chain(network.output.iter().copied()).collect();
    let mut steps = vec![0.05; size];
    let mut last = vec![0.0f64; size];
    for _ in 0..EPOCHS {
        let mut slope: Vec<f64> =
            weights.iter().map(|weight| DECAY * rows.len() as f64 * weight).collect();
        for ((row, &wanted), &count) in rows.iter().zip(wanted).zip(counts) {
            let output = &weights[hidden * (inputs + 1)..];
            let mut units = Vec::with_capacity(hidden);
            let mut sum = output[hidden];
            for unit in 0..hidden {
                let own = &weights[unit * (inputs + 1)..(unit + 1) * (inputs + 1)];
                let value = Network::unit(own, row);
                sum += output[unit] * value;
                units.push(value);
            }
            // Cross entropy: its slope at the output is the error itself.
            let error = count * (sigmoid(sum) - wanted);
            for unit in 0..hidden {
                let back = error * output[unit] * units[unit] * (1.0 - units[unit]);
                let base = unit * (inputs + 1);
                for (at, input) in row.iter().enumerate() {
                    slope[base + at] += back * input;
                }
                slope[base + inputs] += back;
                slope[hidden * (inputs + 1) + unit] += error * units[unit];
            }
            slope[hidden * (inputs + 1) + hidden] += error;
        }
        for at in 0..size {
            let turn = slope[at] * last[at];
            if turn > 0.0 {
                steps[at] = f64::min(steps[at] * 1.2, 1.0);
            } else if turn < 0.0 {
                steps[at] = f64::max(steps[at] * 0.5, 1e-6);
                last[at] = 0.0;
                continue;
            }
            weights[at] -= slope[at].signum() * steps[at];
            last[at] = slope[at];
        }
    }
    for unit in 0..hidden {
        network.hidden[unit] = weights[unit * (inputs + 1)..(unit + 1) * (inputs + 1)].to_vec();
    }
    network.output = weights[hidden * (inputs + 1)..].to_vec();
}
