//! Measures a detector on sites it has not seen. Five-fold cross-validation by site, and from one
//! domain to the others.

use rayon::prelude::*;

use super::fit::{Sample, Shape, fit, inputs};

/// Right and wrong answers.
#[derive(Clone, Copy, Default)]
struct Counts {
    true_positive: usize,
    false_positive: usize,
    false_negative: usize,
    true_negative: usize,
    right: f64,
    weight: f64,
}

impl Counts {
    fn all(self) -> f64 {
        (self.true_positive + self.false_positive + self.false_negative + self.true_negative).max(1)
            as f64
    }

    fn accuracy(self) -> f64 {
        (self.true_positive + self.true_negative) as f64 / self.all()
    }

    fn precision(self) -> f64 {
        self.true_positive as f64 / (self.true_positive + self.false_positive).max(1) as f64
    }

    fn recall(self) -> f64 {
        self.true_positive as f64 / (self.true_positive + self.false_negative).max(1) as f64
    }

    /// The accuracy of always giving the more common answer.
    fn trivial(self) -> f64 {
        let positive = (self.true_positive + self.false_negative) as f64 / self.all();
        positive.max(1.0 - positive)
    }

    fn add(&mut self, other: Counts) {
        self.true_positive += other.true_positive;
        self.false_positive += other.false_positive;
        self.false_negative += other.false_negative;
        self.true_negative += other.true_negative;
    }
}

fn test(train: &[&Sample], test: &[&Sample], shape: Shape) -> Counts {
    let detector = fit(train, shape);
    let mut counts = Counts::default();
    for sample in test {
        let yes = detector.network.output(&inputs(sample, &detector.priors, shape)) > 0.5;
        counts.weight += sample.weight;
        counts.right += if yes == sample.positive { sample.weight } else { 0.0 };
        match (yes, sample.positive) {
            (true, true) => counts.true_positive += 1,
            (true, false) => counts.false_positive += 1,
            (false, true) => counts.false_negative += 1,
            (false, false) => counts.true_negative += 1,
        }
    }
    counts
}

const FOLDS: usize = 5;

/// Prints accuracy, precision and recall of five folds and of training on one domain.
pub(crate) fn report(name: &str, samples: &[Sample], shape: Shape) {
    let folds: Vec<Counts> = (0..FOLDS)
        .into_par_iter()
        .map(|fold| {
            let (own, rest): (Vec<&Sample>, Vec<&Sample>) =
                samples.iter().partition(|sample| sample.site % FOLDS == fold);
            test(&rest, &own, shape)
        })
        .collect();
    let mut all = Counts::default();
    let each: Vec<String> = folds.iter().map(|fold| format!("{:.3}", fold.accuracy())).collect();
    folds.iter().for_each(|fold| all.add(*fold));
    let weighted: f64 = folds.iter().map(|fold| fold.right).sum::<f64>()
        / folds.iter().map(|fold| fold.weight).sum::<f64>();
    println!(
        "{name}: {} samples, {} features; accuracy {:.3} ({}), precision {:.3}, recall {:.3}; by occurrences {weighted:.3}; trivial {:.3}",
        samples.len(),
        shape.inputs,
        all.accuracy(),
        each.join(" "),
        all.precision(),
        all.recall(),
        all.trivial()
    );
    let mut domains: Vec<&str> = samples.iter().map(|sample| sample.category.as_str()).collect();
    domains.sort_unstable();
    domains.dedup();
    let across: Vec<(&str, Counts)> = domains
        .par_iter()
        .map(|&domain| {
            let (own, rest): (Vec<&Sample>, Vec<&Sample>) =
                samples.iter().partition(|sample| sample.category == domain);
            (domain, test(&own, &rest, shape))
        })
        .collect();
    let mut all = Counts::default();
    for (domain, counts) in &across {
        println!(
            "  trained on {domain} only, tested on the others: accuracy {:.3}, precision {:.3}, recall {:.3}",
            counts.accuracy(),
            counts.precision(),
            counts.recall()
        );
        all.add(*counts);
    }
    println!(
        "  one domain to the others, all: accuracy {:.3}, trivial {:.3}",
        all.accuracy(),
        all.trivial()
    );
}

/// Prints how a detector that was fitted to one set of samples judges another.
pub(crate) fn across(name: &str, train: &[Sample], other: &[Sample], shape: Shape) {
    let counts = test(&train.iter().collect::<Vec<_>>(), &other.iter().collect::<Vec<_>>(), shape);
    println!(
        "{name}: accuracy {:.3}, precision {:.3}, recall {:.3}; trivial {:.3}",
        counts.accuracy(),
        counts.precision(),
        counts.recall(),
        counts.trivial()
    );
}
