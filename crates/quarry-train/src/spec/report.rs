//! Measures the trees on sites that they have not seen. Strict pairs as `score specs` counts them,
//! and the share of pages without specifications on which something is found.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::spec::{SpecConfig, Trees, support};

use super::{Judged, View};

/// Scores from which on a fragment is taken, to compare.
const THRESHOLDS: [f64; 6] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

/// One line per collection and way of looking, a column per threshold.
pub(super) fn table<'t>(views: &[View], trees: impl Fn(&View) -> &'t Trees) {
    let mut lines: BTreeMap<(String, bool), Vec<&View>> = BTreeMap::new();
    for view in views {
        let collection = view.collection.split(' ').next().unwrap_or_default().to_owned();
        lines.entry((collection, view.alone)).or_default().push(view);
    }
    println!(
        "strict F1 (P R) by threshold {THRESHOLDS:?}; pages without specification: share with a find"
    );
    for ((collection, alone), views) in lines.into_iter().filter(|((name, _), _)| name != "weak") {
        let way = if alone { "pages alone" } else { "together" };
        let none = views.iter().all(|view| view.pages.iter().all(|(truth, _)| *truth == 0));
        let columns = THRESHOLDS.iter().map(|&threshold| {
            if none {
                let (mut pages, mut hits) = (0, 0);
                for view in &views {
                    pages += view.pages.len();
                    let found = taken(view, trees(view), threshold);
                    hits += found.iter().filter(|page| page.contains(&true)).count();
                }
                return format!("{:.4} of {pages}", hits as f64 / pages as f64);
            }
            let sites: Vec<[f64; 3]> =
                views.iter().map(|view| features(view, trees(view), threshold)).collect();
            let mean =
                |at: usize| sites.iter().map(|site| site[at]).sum::<f64>() / sites.len() as f64;
            format!("{:.3} ({:.2} {:.2})", mean(2), mean(0), mean(1))
        });
        println!("{collection:<16} {way:<12} {}", columns.collect::<Vec<_>>().join("  "));
    }
    for view in views.iter().filter(|view| {
        view.fold < super::NEGATIVE
            && !view.collection.starts_with("generated")
            && view.collection != "weak"
    }) {
        let [p, r, f1] = features(view, trees(view), 0.5);
        let ceiling = features_if(view, |_, _| true)[1];
        let best = features_if(view, |page, at| view.pages[page].1[at].sample.positive)[2];
        let way = if view.alone { "alone" } else { "together" };
        println!(
            "  {:<40} {way:<9} P {p:.3} R {r:.3} F1 {f1:.3}  candidates R {ceiling:.3}  perfect F1 {best:.3}",
            view.site
        );
    }
}

/// The score of every candidate, page by page, pages of one view supporting each other.
fn scores(view: &View, trees: &Trees) -> Vec<Vec<f64>> {
    let judge = |judged: &Judged| (judged.place, trees.log_odds(&judged.sample.features));
    let mut pages: Vec<Vec<(u64, f32)>> =
        view.pages.iter().map(|(_, judged)| judged.iter().map(judge).collect()).collect();
    if view.alone {
        pages.chunks_mut(1).for_each(support);
    } else {
        support(&mut pages);
    }
    let chance = |(_, log_odds): (u64, f32)| Trees::probability(log_odds);
    pages.into_iter().map(|page| page.into_iter().map(chance).collect()).collect()
}

/// Which candidates are taken: those that score enough, on pages with three names or more.
fn taken(view: &View, trees: &Trees, threshold: f64) -> Vec<Vec<bool>> {
    let both = scores(view, trees).into_iter().zip(&view.pages);
    both.map(|(scores, (_, judged))| {
        let passed: Vec<bool> = scores.iter().map(|&score| score >= threshold).collect();
        let chosen = judged.iter().zip(&passed).filter(|(_, passed)| **passed);
        let names: BTreeSet<&str> = chosen
            .flat_map(|(judged, _)| judged.pairs.iter().map(|(name, _)| name.as_str()))
            .collect();
        if names.len() < SpecConfig::default().min_names {
            vec![false; passed.len()]
        } else {
            passed
        }
    })
    .collect()
}

fn features(view: &View, trees: &Trees, threshold: f64) -> [f64; 3] {
    let taken = taken(view, trees, threshold);
    features_if(view, |page, at| taken[page][at])
}

/// Precision, recall and F1 of the pairs of the fragments that are taken.
fn features_if(view: &View, taken: impl Fn(usize, usize) -> bool) -> [f64; 3] {
    let (mut out, mut right, mut found, mut wanted) = (0, 0, 0, 0);
    for (page, (truth, judged)) in
        view.pages.iter().enumerate().filter(|(_, (truth, _))| *truth > 0)
    {
        let mut answered: BTreeSet<usize> = BTreeSet::new();
        for (_, judged) in judged.iter().enumerate().filter(|(at, _)| taken(page, *at)) {
            out += judged.pairs.len();
            right += judged.right;
            answered.extend(&judged.answered);
        }
        found += answered.len();
        wanted += truth;
    }
    let p = right as f64 / f64::from(u32::try_from(out.max(1)).unwrap_or(u32::MAX));
    let r = found as f64 / (wanted.max(1)) as f64;
    [p, r, if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 }]
}

/// The candidates of a site that are judged wrongly, with their first pairs.
pub(super) fn show<'t>(views: &[View], site: &str, trees: impl Fn(&View) -> &'t Trees) {
    for view in views.iter().filter(|view| view.site.contains(site)) {
        let scores = scores(view, trees(view));
        for (page, (_, judged)) in view.pages.iter().enumerate().take(12) {
            for (at, judged) in judged.iter().enumerate() {
                let score = scores[page][at];
                if (score >= 0.5) != judged.sample.positive {
                    let sample: Vec<&(String, String)> = judged.pairs.iter().take(5).collect();
                    println!(
                        "{} alone {} page {page}: score {score:.2}, {} of {} right{}: {sample:?}",
                        view.site,
                        view.alone,
                        judged.right,
                        judged.pairs.len(),
                        if judged.unclear { " unclear" } else { "" },
                    );
                }
            }
        }
    }
}
