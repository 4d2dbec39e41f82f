//! Finds the weights that make the best list of each page most likely. Maximum likelihood: softmax
//! over the page's lists, with a pull towards weights set by hand, by gradient ascent with
//! momentum. The same choices give the same weights.

use quarry_extract::region::RegionEvidence;
use quarry_extract::region::rank::Weights;

/// The lists of one page: the features of each, and how right it is (F1).
pub(super) struct Choice {
    pub(super) lists: Vec<(Vec<f64>, f64)>,
}

/// How to fit.
pub(super) struct FitConfig {
    /// What weights are pulled towards.
    pub(super) prior: RegionEvidence,
    /// What half the square of the distance of a weight from there (for a feature of spread 1) costs beside the mean
    /// likelihood of a page. Default 0.03.
    pub(super) pull: f64,
    /// Steps of the ascent. Default 1,500: after 1,000 the weights change by less than their rounding.
    pub(super) steps: usize,
    /// Lists that are less right than the best by no more than this are as good. Default 0.1: with 0.005 the
    /// weights chase single records and lose 0.002 on sites that are left out.
    pub(super) as_good: f64,
    /// Pages whose best list is less right than this teach nothing. Default 0.5.
    pub(super) right: f64,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self {
            prior: RegionEvidence::default(),
            pull: 0.03,
            steps: 1_500,
            as_good: 0.1,
            right: 0.5,
        }
    }
}

/// The length of a step, for features of spread 1.
const STEP: f64 = 0.3;
/// The share of the step before that is kept.
const MOMENTUM: f64 = 0.9;
/// The share of right first lists that must be more likely an answer than not.
const KEPT: f64 = 0.999;
/// The weighed sum of that list stands this far above even odds, in units of `spread`.
const MARGIN: f64 = 0.35;
/// Weights are rounded to so many parts of 1: finer ones say nothing.
const ROUND: f64 = 100.0;

/// A page as it is learned from: features of spread 1, how much each list is wanted, and what the page counts.
struct Lesson {
    lists: Vec<Vec<f64>>,
    wanted: Vec<f64>,
    counts: f64,
}

/// Fits weights to the pages of sites. Each site counts the same, however many pages it has.
pub(super) fn fit(sites: Vec<&[Choice]>, config: &FitConfig) -> Weights {
    let spreads = spreads(&sites);
    let mut lessons = Vec::new();
    for site in &sites {
        let best = |choice: &Choice| choice.lists.iter().map(|list| list.1).fold(0.0, f64::max);
        let telling: Vec<&Choice> =
            site.iter().filter(|choice| best(choice) >= config.right).collect();
        for choice in &telling {
            let least = best(choice) - config.as_good;
            let wanted: Vec<f64> =
                choice.lists.iter().map(|list| f64::from(u8::from(list.1 >= least))).collect();
            let scaled = |list: &(Vec<f64>, f64)| -> Vec<f64> {
                list.0.iter().zip(&spreads).map(|(value, spread)| value * spread).collect()
            };
            let lists = choice.lists.iter().map(scaled).collect();
            lessons.push(Lesson { lists, wanted, counts: 1.0 / telling.len() as f64 });
        }
    }
    let total: f64 = lessons.iter().map(|lesson| lesson.counts).sum();
    // A weight for a feature of spread 1 is the weight by what makes the spread 1.
    let unit = |(weight, spread): (&f64, &f64)| if *spread > 0.0 { weight / spread } else { 0.0 };
    let prior: Vec<f64> = config.prior.values().iter().zip(&spreads).map(unit).collect();
    let mut weights = prior.clone();
    let mut moving = vec![0.0; spreads.len()];
    for _ in 0..config.steps {
        let mut gradient: Vec<f64> = weights
            .iter()
            .zip(&prior)
            .map(|(weight, prior)| config.pull * (prior - weight))
            .collect();
        for lesson in &lessons {
            lesson.add_gradient(&weights, lesson.counts / total, &mut gradient);
        }
        for ((weight, moving), gradient) in weights.iter_mut().zip(&mut moving).zip(&gradient) {
            *moving = MOMENTUM * *moving + STEP * gradient;
            *weight += *moving;
        }
    }
    let plain: Vec<f64> = weights
        .iter()
        .zip(&spreads)
        .map(|(weight, spread)| (weight * spread * ROUND).round() / ROUND)
        .collect();
    calibrated(RegionEvidence::of(&plain), &sites, config)
}

/// For each feature, what makes its spread over all lists 1; 0 for features that are not weighed.
fn spreads(sites: &[&[Choice]]) -> Vec<f64> {
    let lists: Vec<&Vec<f64>> = sites
        .iter()
        .flat_map(|site| site.iter())
        .flat_map(|choice| choice.lists.iter().map(|list| &list.0))
        .collect();
    let count = (lists.len() as f64).max(1.0);
    let spread = |feature: usize| {
        let mean = lists.iter().map(|list| list[feature]).sum::<f64>() / count;
        let square = lists.iter().map(|list| (list[feature] - mean).powi(2)).sum::<f64>() / count;
        let weighed = RegionEvidence::NAMES[feature] != "nested" && square > 0.0;
        if weighed { 1.0 / square.sqrt() } else { 0.0 }
    };
    (0..RegionEvidence::NAMES.len()).map(spread).collect()
}

impl Lesson {
    /// Adds the gradient of the logarithm of the probability of the wanted lists.
    fn add_gradient(&self, weights: &[f64], counts: f64, gradient: &mut [f64]) {
        let sums: Vec<f64> = self
            .lists
            .iter()
            .map(|list| list.iter().zip(weights).map(|(value, weight)| value * weight).sum())
            .collect();
        let most = sums.iter().copied().fold(f64::MIN, f64::max);
        let parts: Vec<f64> = sums.iter().map(|sum| (sum - most).exp()).collect();
        let all: f64 = parts.iter().sum();
        let wanted: f64 = parts.iter().zip(&self.wanted).map(|(part, wanted)| part * wanted).sum();
        for ((list, part), is_wanted) in self.lists.iter().zip(&parts).zip(&self.wanted) {
            let by = counts * (part * is_wanted / wanted.max(1e-300) - part / all);
            for (gradient, value) in gradient.iter_mut().zip(list) {
                *gradient += by * value;
            }
        }
    }
}

/// Finds where even odds lie: below nearly all first lists that are right. The spread is a quarter of the distance between
/// the middle of these and even odds.
fn calibrated(evidence: RegionEvidence, sites: &[&[Choice]], config: &FitConfig) -> Weights {
    let mut right: Vec<f64> = Vec::new();
    for choice in sites.iter().flat_map(|site| site.iter()) {
        let sum = |list: &(Vec<f64>, f64)| RegionEvidence::of(&list.0).weigh(&evidence);
        let first = choice.lists.iter().max_by(|one, other| sum(one).total_cmp(&sum(other)));
        right.extend(first.filter(|list| list.1 >= config.right).map(sum));
    }
    right.sort_by(f64::total_cmp);
    let at = |share: f64| right.get((share * right.len() as f64) as usize).copied().unwrap_or(0.0);
    let (lowest, middle) = (at(1.0 - KEPT), at(0.5));
    let spread = ((middle - lowest) / (4.0 - MARGIN)).max(0.1);
    let round = |value: f64| (value * ROUND).round() / ROUND;
    Weights { evidence, even: round(lowest - MARGIN * spread), spread: round(spread) }
}

#[cfg(test)]
mod tests {
    use super::{Choice, FitConfig, fit};

    /// The first feature tells the right list, the second one says nothing.
    #[test]
    fn what_tells_the_right_list_weighs_most() {
        let list = |tells: f64, noise: f64| {
            let mut values = vec![0.0; quarry_extract::region::RegionEvidence::NAMES.len()];
            (values[0], values[1]) = (tells, noise);
            (values, tells)
        };
        let choices: Vec<Choice> = (0..20)
            .map(|n| Choice {
                lists: vec![list(0.0, f64::from(n % 3)), list(1.0, f64::from(n % 2))],
            })
            .collect();
        let weights = fit(vec![&choices], &FitConfig::default());
        assert!(weights.evidence.records > 5.0 * weights.evidence.chars.abs(), "{weights:?}");
        assert!(weights.probability(weights.sum(&weights.evidence)) > 0.5);
        assert_eq!(weights, fit(vec![&choices], &FitConfig::default()));
    }
}
