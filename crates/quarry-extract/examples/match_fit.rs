//! Fits the weights of `attribute/weights.rs` to labelled sites, and says how well they choose on verticals that
//! they were not fitted to: `match_fit SWDE [VERTICAL,…]`. With `halves` as third argument, weights are fitted to every
//! other vertical and judged on both halves, and that is all.
//!
//! A conditional logit: of the positions that are weighed for an attribute, and none at all, the one that is right on most
//! pages should win. Fitted by gradient ascent with a penalty on the square of the weights.

#![allow(clippy::disallowed_methods, clippy::print_stdout)]

#[allow(unreachable_pub)]
mod labelled;

use std::collections::BTreeMap;
use std::path::Path;

use labelled::key;
use quarry_dom::Document;
use quarry_extract::attribute::{MatchConfig, built_in_weights, candidates, figure_names};
use rayon::prelude::*;

/// What pulls the weights towards zero, per case: tried in turn.
const PENALTIES: [f64; 3] = [0.0001, 0.0005, 0.002];
const STEPS: usize = 500;
/// Positions kept of a case: the most promising by a rough guess, and as many of the others, evenly.
const KEPT: usize = 50;

/// An attribute of a target site with a seed.
struct Case {
    vertical: String,
    name: String,
    /// Features, and on which share of the labelled pages the position is right.
    options: Vec<(Vec<f64>, f64)>,
}

fn cases(data: &Path, vertical: &str) -> Vec<Case> {
    let (labels, documents) = labelled::read(data, vertical);
    let mut cases = Vec::new();
    for seed in labels.keys() {
        let seeds = labelled::seed(&labels, seed);
        for target in labels.keys().filter(|target| *target != seed) {
            let pages: Vec<&Document> = documents[target].iter().collect();
            let truth: Vec<&BTreeMap<String, Vec<String>>> = labels[target].values().collect();
            let found = candidates(&pages, &seeds, &MatchConfig::default());
            for (number, attribute) in seeds.attribute_ids().zip(seeds.attributes()) {
                let labelled =
                    truth.iter().filter(|page| page.get(attribute).is_some_and(|v| !v.is_empty()));
                let labelled = labelled.count() as f64;
                let known = seeds.records().iter().any(|record| !record.values(number).is_empty());
                if labelled == 0.0 || !known {
                    continue;
                }
                let right = |(page, text): &&(usize, String)| {
                    let values = truth[*page].get(attribute);
                    values.is_some_and(|values| values.iter().any(|value| key(value) == key(text)))
                };
                let options = found.iter().filter(|one| one.attribute == number).map(|one| {
                    (one.features.clone(), one.cells.iter().filter(right).count() as f64 / labelled)
                });
                let options = keep(options.collect());
                let name = format!("{seed} to {target}: {attribute}");
                cases.push(Case { vertical: vertical.to_owned(), name, options });
            }
        }
    }
    cases
}

/// The options that a weight might choose, and some of all others.
fn keep(mut options: Vec<(Vec<f64>, f64)>) -> Vec<(Vec<f64>, f64)> {
    let rough = |o: &(Vec<f64>, f64)| {
        let f = &o.0;
        o.1 * 100.0 + 6.0 * f[0] + 2.0 * f[1] + f[4] + f[5] + f[6] + f[13] + 2.0 * f[14] + f[15]
    };
    options.sort_by(|a, b| rough(b).total_cmp(&rough(a)));
    let step = options.len().saturating_sub(KEPT).div_ceil(KEPT).max(1);
    let mut at = 0;
    options.retain(|_| {
        at += 1;
        at <= KEPT || at % step == 0
    });
    options
}

fn dot(weights: &[f64], features: &[f64]) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// The chance of each option, and of none (last). The last weight is the score of none.
fn chances(weights: &[f64], case: &Case) -> Vec<f64> {
    let (none, weights) = weights.split_last().expect("weights");
    let mut scores: Vec<f64> = case.options.iter().map(|(f, _)| dot(weights, f)).collect();
    scores.push(*none);
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let sum: f64 = scores.iter().map(|score| (score - most).exp()).sum();
    scores.iter().map(|score| (score - most).exp() / sum).collect()
}

/// How much of the chance should go to each option: to those that are right nearly as often as the best.
fn wanted(case: &Case) -> Vec<f64> {
    let best = case.options.iter().map(|(_, right)| *right).fold(0.0, f64::max);
    let good = |right: f64| if best >= 0.3 && right >= best - 0.02 { 1.0 } else { 0.0 };
    let mut wanted: Vec<f64> = case.options.iter().map(|(_, right)| good(*right)).collect();
    wanted.push(if best < 0.3 { 1.0 } else { 0.0 });
    wanted
}

fn fit(cases: &[&Case], penalty: f64) -> Vec<f64> {
    let size = figure_names().len() + 1;
    let mut weights = vec![0.0; size];
    let (mut first, mut second) = (vec![0.0; size], vec![0.0; size]);
    for step in 1..=STEPS {
        let gradients: Vec<Vec<f64>> = cases
            .par_iter()
            .map(|case| {
                let chances = chances(&weights, case);
                let wanted = wanted(case);
                // The chance of all good options together is what should grow.
                let good: f64 =
                    chances.iter().zip(&wanted).map(|(c, w)| c * w).sum::<f64>().max(1e-12);
                let mut gradient = vec![0.0; size];
                for (at, (chance, wanted)) in chances.iter().zip(&wanted).enumerate() {
                    let push = chance * wanted / good - chance;
                    match case.options.get(at) {
                        Some((features, _)) => {
                            for (sum, feature) in gradient.iter_mut().zip(features) {
                                *sum += push * feature;
                            }
                        }
                        None => gradient[size - 1] += push,
                    }
                }
                gradient
            })
            .collect();
        for at in 0..size {
            let sum: f64 = gradients.iter().map(|gradient| gradient[at]).sum();
            let slope = sum / cases.len() as f64 - penalty * weights[at];
            first[at] = 0.9 * first[at] + 0.1 * slope;
            second[at] = 0.99 * second[at] + 0.01 * slope * slope;
            let (a, b) = (1.0 - 0.9_f64.powi(step as i32), 1.0 - 0.99_f64.powi(step as i32));
            weights[at] += 0.08 * (first[at] / a) / ((second[at] / b).sqrt() + 1e-8);
        }
    }
    weights
}

/// Mean share of labelled pages on which the chosen position is right, and the most that any position reaches.
fn judge(weights: &[f64], cases: &[&Case], tell: bool) -> (f64, f64) {
    let (mut sum, mut most) = (0.0, 0.0);
    for case in cases {
        let best = case.options.iter().map(|(_, right)| *right).fold(0.0, f64::max);
        let chosen = case.options.iter().map(|(f, right)| (dot(weights, f), *right));
        let chosen = chosen.reduce(|a, b| if b.0 > a.0 { b } else { a }).map_or(0.0, |c| c.1);
        if tell && chosen < best - 0.2 {
            println!("  {} {}: {chosen:.2} of {best:.2}", case.vertical, case.name);
        }
        sum += chosen;
        most += best;
    }
    (sum / cases.len() as f64, most / cases.len() as f64)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().expect("a folder of labelled sites");
    let names = "auto,book,camera,job,movie,nbaplayer,restaurant,university";
    let names = arguments.next().unwrap_or_else(|| names.to_owned());
    let names: Vec<&str> = names.split(',').collect();
    let all: Vec<Case> = names.iter().flat_map(|name| cases(Path::new(&data), name)).collect();
    let every: Vec<&Case> = all.iter().collect();
    if arguments.next().is_some_and(|mode| mode == "halves") {
        halves(&names, &every);
        return;
    }
    for name in &names {
        let own: Vec<&Case> = every.iter().copied().filter(|case| case.vertical == *name).collect();
        let (right, most) = judge(built_in_weights(), &own, false);
        println!("{name}: {right:.3} of {most:.3} with the built-in weights");
    }
    for penalty in PENALTIES {
        for name in &names {
            let (own, others): (Vec<&Case>, Vec<&Case>) =
                every.iter().partition(|case| case.vertical == *name);
            if others.is_empty() {
                continue;
            }
            let (right, most) = judge(&fit(&others, penalty), &own, false);
            println!("{penalty} {name}: {right:.3} of {most:.3}, fitted to the others");
        }
        report(&every, penalty);
    }
}

/// Fits to each half of the verticals, and judges on it and on the other one, beside the built-in weights.
fn halves(names: &[&str], every: &[&Case]) {
    let first: Vec<&str> = names.iter().copied().step_by(2).collect();
    let (a, b): (Vec<&Case>, Vec<&Case>) =
        every.iter().partition(|case| first.contains(&case.vertical.as_str()));
    for (own, others) in [(&a, &b), (&b, &a)] {
        let weights = fit(own, PENALTIES[1]);
        let [on_own, on_others] = [own, others].map(|cases| judge(&weights, cases, false).0);
        let built_in = judge(built_in_weights(), others, false).0;
        println!(
            "fitted half {on_own:.3}, other half {on_others:.3}, built-in there {built_in:.3}"
        );
    }
}

/// Fits to all cases and prints the weights.
fn report(every: &[&Case], penalty: f64) {
    let weights = fit(every, penalty);
    let (right, most) = judge(&weights, every, true);
    println!("{penalty} all: {right:.3} of {most:.3}");
    for (name, weight) in figure_names().iter().copied().chain(["none"]).zip(&weights) {
        println!("{weight:8.3}  {name}");
    }
}
