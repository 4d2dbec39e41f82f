//! Online logistic regression over named features, with probabilities that are calibrated on what it predicted before it
//! learned each label. Plain data: prints as text and reads it back.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// The version of the printed form.
pub const MODEL_VERSION: u32 = 1;

/// How fast weights move: AdaGrad's rate, divided by the root of the squared gradients so far.
const RATE: f64 = 0.25;
/// Pull of every weight towards its prior at each example, so that a few odd examples do not last.
const DECAY: f64 = 0.002;
/// Predictions that calibration looks back on.
const WINDOW: usize = 400;
/// Fewer labels of either kind leave the probability as it is.
const MIN_LABELS: usize = 12;

/// A weight: as it shipped, as it is now, and the squared gradients that moved it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Weight {
    prior: f64,
    now: f64,
    squares: f64,
}

/// A linear model of a yes or no.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Logistic {
    bias: Weight,
    weights: BTreeMap<String, Weight>,
    /// Examples learned: all, and those that were yes.
    examples: (u64, u64),
    /// What it said before it was told, oldest first: log-odds, answer, weight.
    recent: VecDeque<(f64, bool)>,
    /// Log-odds are calibrated as `scale · odds + shift`.
    scale: f64,
    shift: f64,
}

/// Why a printed model could not be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ModelError {
    /// It is of another version.
    #[error(
        "this is not a model of version {MODEL_VERSION}; delete it to start from the one that ships"
    )]
    Version,
    /// A line that means nothing.
    #[error(
        "line {line} of the model cannot be read; delete the file to start from the one that ships"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
    },
}

fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

impl Logistic {
    /// A model with these weights, which has learned nothing yet.
    pub fn with_prior<'a>(bias: f64, weights: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        let weight = |value: f64| Weight { prior: value, now: value, squares: 0.0 };
        let weights =
            weights.into_iter().map(|(name, value)| (name.to_owned(), weight(value))).collect();
        Self { bias: weight(bias), weights, scale: 1.0, ..Self::default() }
    }

    /// Examples that it has learned: all, and those that were yes.
    #[must_use]
    pub fn examples(&self) -> (u64, u64) {
        self.examples
    }

    /// The log-odds of yes, not calibrated.
    #[must_use]
    pub fn odds(&self, features: &[(String, f64)]) -> f64 {
        let weighed = features
            .iter()
            .map(|(name, value)| self.weights.get(name).map_or(0.0, |weight| weight.now) * value);
        self.bias.now + weighed.sum::<f64>()
    }

    /// The probability of yes.
    #[must_use]
    pub fn probability(&self, features: &[(String, f64)]) -> f64 {
        sigmoid(self.scale * self.odds(features) + self.shift)
    }

    /// The features that count most for and against yes, with what they add to the log-odds.
    #[must_use]
    pub fn strongest<'a>(&self, features: &'a [(String, f64)], most: usize) -> Vec<(&'a str, f64)> {
        let mut list: Vec<(&str, f64)> = features
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), self.weights.get(name)?.now * value)))
            .filter(|(_, part)| part.abs() > 0.01)
            .collect();
        list.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()).then(one.0.cmp(other.0)));
        list.truncate(most);
        list
    }

    /// Learns one answer. `importance` is above 1 for an example that stands for others that were not looked at.
    pub fn learn(&mut self, features: &[(String, f64)], answer: bool, importance: f64) {
        let odds = self.odds(features);
        self.recent.push_back((odds, answer));
        if self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
        self.examples.0 += 1;
        self.examples.1 += u64::from(answer);
        let error = (f64::from(u8::from(answer)) - sigmoid(odds)) * importance;
        step(&mut self.bias, error);
        for (name, value) in features {
            step(self.weights.entry(name.clone()).or_default(), error * value);
        }
        self.calibrate();
    }

    /// Platt's scaling on the predictions that were made before each answer was known, with his targets
    /// (n+1)/(n+2) and 1/(n+2) in place of 1 and 0, by Newton's method on two parameters.
    fn calibrate(&mut self) {
        let yes = self.recent.iter().filter(|(_, answer)| *answer).count();
        let no = self.recent.len() - yes;
        if yes < MIN_LABELS || no < MIN_LABELS {
            return;
        }
        let (high, low) = ((yes as f64 + 1.0) / (yes as f64 + 2.0), 1.0 / (no as f64 + 2.0));
        let (mut scale, mut shift) = (1.0f64, 0.0f64);
        for _ in 0..20 {
            // A small pull towards (1, 0) keeps separable data finite.
            let (mut g_scale, mut g_shift) = (0.1 * (1.0 - scale), -0.1 * shift);
            let (mut h_scale, mut h_both, mut h_shift) = (0.1, 0.0, 0.1);
            for (odds, answer) in &self.recent {
                let p = sigmoid(scale * odds + shift);
                let error = if *answer { high } else { low } - p;
                let slope = (p * (1.0 - p)).max(1e-6);
                g_scale += error * odds;
                g_shift += error;
                h_scale += slope * odds * odds;
                h_both += slope * odds;
                h_shift += slope;
            }
            let determinant = h_scale * h_shift - h_both * h_both;
            scale += (h_shift * g_scale - h_both * g_shift) / determinant;
            shift += (h_scale * g_shift - h_both * g_scale) / determinant;
            scale = scale.clamp(0.05, 20.0);
        }
        (self.scale, self.shift) = (scale, shift);
    }

    /// The model as text: a line for each weight.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("quarry logistic {MODEL_VERSION}\n");
        let (all, yes) = self.examples;
        let _ = writeln!(text, "examples {all} {yes}");
        let _ = writeln!(text, "calibration {} {}", self.scale, self.shift);
        let mut line = |name: &str, weight: &Weight| {
            let Weight { prior, now, squares } = weight;
            let _ = writeln!(text, "weight {now} {prior} {squares} {name}");
        };
        line("", &self.bias);
        self.weights.iter().for_each(|(name, weight)| line(name, weight));
        for (odds, answer) in &self.recent {
            let _ = writeln!(text, "said {odds} {}", u8::from(*answer));
        }
        text
    }

    /// Reads what [`Self::to_text`] wrote. The weight without a name is the bias.
    ///
    /// # Errors
    /// When it is of another version or a line means nothing.
    pub fn from_text(text: &str) -> Result<Self, ModelError> {
        let mut lines = text.lines().zip(1..);
        if lines.next().map(|(line, _)| line) != Some(&format!("quarry logistic {MODEL_VERSION}")) {
            return Err(ModelError::Version);
        }
        let mut model = Self { scale: 1.0, ..Self::default() };
        for (text, line) in lines.filter(|(text, _)| !text.is_empty() && !text.starts_with('#')) {
            model.read_line(text).ok_or(ModelError::Line { line })?;
        }
        Ok(model)
    }

    fn read_line(&mut self, text: &str) -> Option<()> {
        let (word, rest) = text.split_once(' ')?;
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        match word {
            "examples" => {
                let (all, yes) = rest.split_once(' ')?;
                self.examples = (all.parse().ok()?, yes.parse().ok()?);
            }
            "calibration" => {
                let (scale, shift) = rest.split_once(' ')?;
                (self.scale, self.shift) = (number(scale)?, number(shift)?);
            }
            "weight" => {
                let mut parts = rest.splitn(4, ' ');
                let mut next = || number(parts.next()?);
                let (now, prior, squares) = (next()?, next()?, next()?);
                let weight = Weight { prior, now, squares };
                match parts.next()? {
                    "" => self.bias = weight,
                    name => drop(self.weights.insert(name.to_owned(), weight)),
                }
            }
            "said" => {
                let (odds, answer) = rest.split_once(' ')?;
                self.recent.push_back((number(odds)?, answer == "1"));
            }
            _ => return None,
        }
        Some(())
    }
}

fn step(weight: &mut Weight, gradient: f64) {
    weight.squares += gradient * gradient;
    weight.now += RATE * gradient / (1.0 + weight.squares).sqrt();
    weight.now -= DECAY * (weight.now - weight.prior);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(number: u64) -> (Vec<(String, f64)>, bool) {
        // A feature that decides in four of five cases, and one that says nothing.
        let hash = xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
        let answer = hash & 1 == 1;
        let sign = if hash.is_multiple_of(5) { !answer } else { answer };
        let mut features = vec![(format!("noise:{}", (hash >> 8) % 7), 1.0)];
        if sign {
            features.push(("cart".to_owned(), 1.0));
        }
        (features, answer)
    }

    #[test]
    fn it_learns_and_its_probabilities_hold() {
        let mut model = Logistic::default();
        for number in 0..400 {
            let (features, answer) = example(number);
            model.learn(&features, answer, 1.0);
        }
        let (mut right, mut squared) = (0, 0.0);
        for number in 1_000..2_000 {
            let (features, answer) = example(number);
            let p = model.probability(&features);
            right += u32::from((p > 0.5) == answer);
            squared += (p - f64::from(u8::from(answer))).powi(2);
        }
        assert!(right > 770, "{right} of 1000");
        // The best that can be had is .16; that of a coin is .25.
        assert!(squared / 1_000.0 < 0.175, "Brier score {}", squared / 1_000.0);
    }

    #[test]
    fn the_text_gives_the_same_model_back() {
        let mut model = Logistic::with_prior(-0.5, [("word:cart", 1.5), ("word:two words", -1.0)]);
        for number in 0..60 {
            let (features, answer) = example(number);
            model.learn(&features, answer, 1.0);
        }
        let read = Logistic::from_text(&model.to_text()).unwrap();
        assert_eq!(read, model);
        assert_eq!(Logistic::from_text("quarry logistic 99\n"), Err(ModelError::Version));
        let broken = format!("{}weight x\n", Logistic::default().to_text());
        assert!(matches!(Logistic::from_text(&broken), Err(ModelError::Line { .. })));
    }
}
