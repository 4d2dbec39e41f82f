//! Measures the classifier on vectors that others have made. Files with a column `relevant` and
//! features beside it, cross-validated: the idea of the paper's Table 5 on its follow-up's own data.

use std::path::Path;

use anyhow::{Context, Result};
use quarry_extract::spec::Trees;

use super::data::files;
use super::fit::{FitConfig, Sample, fit};

/// Parts that are each left out once; rows are dealt in turn.
const FOLDS: usize = 10;

/// Prints precision, recall and F of each file of vectors in a folder and its folders.
pub(super) fn run(folder: &Path) -> Result<()> {
    for file in files(folder, &["csv"])? {
        let mut samples = read(&file)?;
        balance(&mut samples);
        let (mut right, mut out, mut wanted) = (0, 0, 0);
        for fold in 0..FOLDS {
            let seen: Vec<Sample> = samples
                .iter()
                .enumerate()
                .filter(|(at, _)| at % FOLDS != fold)
                .map(|(_, sample)| sample.clone())
                .collect();
            let trees = fit(&seen, FitConfig { depth: 3, ..FitConfig::default() });
            for sample in samples.iter().skip(fold).step_by(FOLDS) {
                let taken = Trees::probability(trees.log_odds(&sample.features)) >= 0.5;
                right += usize::from(taken && sample.positive);
                out += usize::from(taken);
                wanted += usize::from(sample.positive);
            }
        }
        let (p, r) = (right as f64 / out.max(1) as f64, right as f64 / wanted.max(1) as f64);
        let f = 2.0 * p * r / (p + r).max(f64::MIN_POSITIVE);
        println!(
            "{}: {} vectors, {wanted} specifications, P {p:.3} R {r:.3} F {f:.3}",
            file.display(),
            samples.len()
        );
    }
    Ok(())
}

fn read(file: &Path) -> Result<Vec<Sample>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let mark = if header.contains('\t') { '\t' } else { ',' };
    let label = header
        .split(mark)
        .position(|name| name.trim() == "relevant")
        .context("no column is named relevant")?;
    let mut samples = Vec::new();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let mut features: Vec<f32> =
            line.split(mark).map(|cell| cell.trim().parse().unwrap_or(-1.0)).collect();
        if features.len() == header.split(mark).count() {
            let positive = features.remove(label) > 0.5;
            samples.push(Sample { features, positive, weight: 1.0 });
        }
    }
    Ok(samples)
}

/// Specifications weigh as much as the rest (paper §5.2).
fn balance(samples: &mut [Sample]) {
    let positive = samples.iter().filter(|sample| sample.positive).count().max(1);
    let factor = (samples.len() - positive) as f64 / positive as f64;
    for sample in samples.iter_mut().filter(|sample| sample.positive) {
        sample.weight = factor;
    }
}
