//! How much do page clusters matter for what is found in the end? Repeats THOR's Figure 10 on generated search sites: pages
//! are clustered by each signature, told the number of classes; the two best ranked clusters go on; regions and records are
//! looked for in each cluster by itself. Precision and recall of the records of answer lists, over all pages that were asked
//! for: a list that did not go on is lost, a list found on a page without one is wrong. Pages of a single entity count neither
//! way.
//!
//! ```text
//! cargo run --release -p quarry-papers --example region_eval -- [SITES] [WORDS] [-v]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::collections::BTreeSet;

use quarry_dom::Document;
use quarry_extract::cluster::{ClusterConfig, PageSignature, cluster_pages, rank_groups};
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, find_records};
use quarry_extract::lines::record_text;
use quarry_papers::thor::{ThorConfig, thor_records};
use quarry_testsite::{PageClass, Site};
use rayon::prelude::*;

#[path = "shared/baselines.rs"]
#[allow(unreachable_pub)]
mod baselines;
#[path = "../../quarry-extract/tests/it/probed.rs"]
#[allow(unreachable_pub, dead_code)]
mod probed;

use baselines::{other_baselines, signature_baselines};
use probed::Answer;

/// Clusters that go on to the search for regions (§4.2: a good compromise).
const PASSED_ON: usize = 2;

/// Records of a site: those that were found and are right, all that were found, all that are there.
#[derive(Clone, Copy, Default)]
struct Counts {
    right: usize,
    found: usize,
    wanted: usize,
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let sites = numbers.first().copied().unwrap_or(20);
    let words = numbers.get(1).map_or(60, |&words| words as usize);
    let specs = probed::specs(sites);
    let all: Vec<Vec<(&'static str, [Counts; 2])>> =
        specs.into_par_iter().map(|spec| evaluate(&Site::generate(spec), words)).collect();
    if std::env::args().any(|arg| arg == "-v") {
        for (spec, site) in probed::specs(sites).iter().zip(&all) {
            let ours = site[site.len() - 1].1[1];
            let (p, r) = (precision(ours), recall(ours));
            let what = (spec.theme, spec.vertical, spec.facets.style, spec.search.one_match);
            println!("P {p:.3} R {r:.3} {what:?} promotions {}", spec.listing.promotions);
        }
    }
    println!("{sites} sites, {words} words; means over sites");
    println!("{:28} {:^17}  {:^17}", "clusters", "the paper's region", "our region");
    for row in 0..all[0].len() {
        let mean = |way: usize, share: fn(Counts) -> f64| {
            all.iter().map(|site| share(site[row].1[way])).sum::<f64>() / sites as f64
        };
        let [thor, ours] = [0, 1].map(|way| {
            let (p, r) = (mean(way, precision), mean(way, recall));
            format!("P {p:.3}  R {r:.3}")
        });
        println!("{:28} {thor}  {ours}", all[0][row].0);
    }
}

fn precision(counts: Counts) -> f64 {
    if counts.found == 0 { 0.0 } else { counts.right as f64 / counts.found as f64 }
}

fn recall(counts: Counts) -> f64 {
    if counts.wanted == 0 { 1.0 } else { counts.right as f64 / counts.wanted as f64 }
}

fn evaluate(site: &Site, words: usize) -> Vec<(&'static str, [Counts; 2])> {
    let answers = probed::probe(site, words);
    let documents: Vec<Document> = answers.iter().map(|a| Document::from_html(&a.html)).collect();
    let signatures: Vec<PageSignature> =
        documents.iter().zip(&answers).map(|(d, a)| PageSignature::of(d, a.html.len())).collect();
    let classes: BTreeSet<PageClass> = answers.iter().map(|answer| answer.class).collect();
    let found = cluster_pages(&signatures, &ClusterConfig::default()).assignment;
    // The paper's Figure 11: how many clusters go on.
    let mut ways = vec![
        ("quarry, 1 cluster goes on", found.clone(), 1),
        ("quarry, told nothing", found.clone(), PASSED_ON),
        ("quarry, 3 clusters go on", found, 3),
    ];
    let mut baselines = signature_baselines(&signatures, classes.len());
    baselines.extend(other_baselines(&answers, classes.len()));
    ways.extend(baselines.into_iter().map(|(name, groups)| (name, groups, PASSED_ON)));
    let mut rows = Vec::new();
    for (name, groups, going_on) in ways {
        let ranked = rank_groups(&signatures, &groups).assignment;
        let passed: Vec<Option<usize>> =
            ranked.iter().map(|&rank| Some(rank).filter(|rank| *rank < going_on)).collect();
        rows.push((name, both(&answers, &documents, &passed, true)));
    }
    let everything = vec![Some(0); answers.len()];
    rows.push(("all pages as one cluster", both(&answers, &documents, &everything, true)));
    rows.push(("all pages, no clusters given", both(&answers, &documents, &everything, false)));
    rows
}

fn both(
    answers: &[Answer],
    documents: &[Document],
    passed: &[Option<usize>],
    told: bool,
) -> [Counts; 2] {
    [true, false].map(|by_thor| {
        let ids: Vec<String> = (0..answers.len()).map(|at| format!("{at:04}")).collect();
        let going: Vec<usize> = (0..answers.len()).filter(|&at| passed[at].is_some()).collect();
        let inputs: Vec<PageInput<'_>> = going
            .iter()
            .map(|&at| PageInput {
                id: &ids[at],
                document: &documents[at],
                cluster: passed[at].filter(|_| told),
            })
            .collect();
        let config = RecordsConfig::default();
        let found = if by_thor {
            thor_records(&inputs, &config, &ThorConfig::default())
        } else {
            find_records(&inputs, &config)
        };
        let wanted = answers.iter().map(|answer| answer.records.len()).sum();
        let mut counts = Counts { wanted, ..Counts::default() };
        for (&at, page) in going.iter().zip(&found) {
            count(&answers[at], &documents[at], page, &mut counts);
        }
        counts
    })
}

fn count(answer: &Answer, document: &Document, page: &PageRecords, counts: &mut Counts) {
    if matches!(answer.class, PageClass::Entity | PageClass::OneMatch) && answer.records.is_empty()
    {
        return;
    }
    let Some(region) = page.regions.first() else { return };
    counts.found += region.records.len();
    let wanted: Vec<Vec<String>> =
        answer.records.iter().map(|texts| texts.iter().map(|text| plain(text)).collect()).collect();
    let mut taken = vec![false; wanted.len()];
    for record in &region.records {
        let text = plain(&record_text(document, record));
        let held: Vec<usize> = (0..wanted.len())
            .filter(|&at| wanted[at].iter().all(|t| text.contains(t.as_str())))
            .collect();
        let several = held.first().is_some_and(|&first| {
            let rest = without(&text, &wanted[first]);
            held[1..].iter().any(|&other| wanted[other].iter().all(|t| rest.contains(t.as_str())))
        });
        if let Some(&at) = held.iter().find(|&&at| !taken[at] && !several) {
            taken[at] = true;
            counts.right += 1;
        }
    }
}

/// The text without one occurrence of each part.
fn without(text: &str, parts: &[String]) -> String {
    let mut parts: Vec<&String> = parts.iter().collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    parts.into_iter().fold(text.to_owned(), |rest, part| rest.replacen(part.as_str(), "\0", 1))
}

fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).flat_map(char::to_lowercase).collect()
}
