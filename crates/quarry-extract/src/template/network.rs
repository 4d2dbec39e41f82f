//! The neural networks of the detectors. A small network of logistic units (paper §4.1.2, §4.3.2)
//! whose weights, feature scales and prior probabilities stand in a plain text file.

use crate::logistic::logistic;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One hidden layer, one output; 0.5 and more is a yes.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// What is taken from each feature before the first layer.
    pub means: Vec<f64>,
    /// What each feature is divided by then.
    pub scales: Vec<f64>,
    /// For each hidden unit the weights of the features and, last, its bias.
    pub hidden: Vec<Vec<f64>>,
    /// The weights of the hidden units and, last, the bias.
    pub output: Vec<f64>,
}

/// A network and the prior probabilities that are one of its features.
#[derive(Clone, Debug, PartialEq)]
pub struct Detector {
    /// The network.
    pub network: Network,
    /// How likely a tag or token is what the detector looks for.
    pub priors: BTreeMap<String, f64>,
}

/// What a tag or token without a prior probability gets (paper §4.1.3).
pub const NEUTRAL_PRIOR: f64 = 0.5;

impl Network {
    /// The features as the first layer sees them.
    pub fn scaled(&self, features: &[f64]) -> Vec<f64> {
        let scales = self.means.iter().zip(&self.scales);
        features.iter().zip(scales).map(|(x, (mean, scale))| (x - mean) / scale).collect()
    }

    /// The output for features as they are, from 0 to 1.
    pub fn output(&self, features: &[f64]) -> f64 {
        let inputs = self.scaled(features);
        let mut sum = self.output.last().copied().unwrap_or(0.0);
        for (unit, weight) in self.hidden.iter().zip(&self.output) {
            sum += weight * Self::unit(unit, &inputs);
        }
        logistic(sum)
    }

    /// The output of one hidden unit.
    pub fn unit(weights: &[f64], inputs: &[f64]) -> f64 {
        let bias = weights.last().copied().unwrap_or(0.0);
        logistic(
            weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum::<f64>() + bias,
        )
    }
}

/// The first line of a detector's file.
const HEADER: &str = "quarry detector 1";

impl Detector {
    /// The prior probability of a tag or token.
    pub fn prior(&self, name: &str) -> Option<f64> {
        self.priors.get(name).copied()
    }

    /// The detector as text: a line a row of numbers, then a line a prior.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        let mut row = |name: &str, values: &[f64]| {
            text.push_str(name);
            for value in values {
                write!(text, " {value:.5}").expect("a string takes everything");
            }
            text.push('\n');
        };
        row("mean", &self.network.means);
        row("scale", &self.network.scales);
        for unit in &self.network.hidden {
            row("hidden", unit);
        }
        row("output", &self.network.output);
        for (name, prior) in &self.priors {
            row(&format!("prior {name}"), &[*prior]);
        }
        text
    }

    /// Reads what [`Detector::to_text`] wrote; `None` where it is something else.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()? != HEADER {
            return None;
        }
        let mut network = Network {
            means: Vec::new(),
            scales: Vec::new(),
            hidden: Vec::new(),
            output: Vec::new(),
        };
        let mut priors = BTreeMap::new();
        for line in lines {
            let (name, values) = line.split_once(' ')?;
            if name == "prior" {
                let (name, value) = values.rsplit_once(' ')?;
                priors.insert(name.to_owned(), value.parse().ok()?);
                continue;
            }
            let values = values.split(' ').map(|value| value.parse().ok());
            let values: Vec<f64> = values.collect::<Option<_>>()?;
            match name {
                "mean" => network.means = values,
                "scale" => network.scales = values,
                "hidden" => network.hidden.push(values),
                "output" => network.output = values,
                _ => return None,
            }
        }
        let inputs = network.means.len();
        let whole = network.scales.len() == inputs
            && network.hidden.iter().all(|unit| unit.len() == inputs + 1)
            && network.output.len() == network.hidden.len() + 1;
        whole.then_some(Self { network, priors })
    }
}
