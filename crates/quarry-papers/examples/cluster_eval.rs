//! How good are page clusters? Repeats THOR's comparison of signatures (Figure 4) on generated
//! search sites: the mean entropy of tag TF-IDF, raw tags, content (raw and TF-IDF), URL, size and
//! chance, each told the number of classes, beside Quarry's own way, which is told nothing. And the
//! part of Figure 10 that clusters decide: when the two best ranked clusters go on to the search for
//! regions, how many of their pages hold answers, and how many of the pages with answers are there.
//!
//! `merged` is the entropy of the same clusters when no-match and error pages are one class. `--teaser N` adds a
//! paragraph of N words from the site's lists to every page, others on each: what changes from page to page on real
//! sites (suggestions, popular items), and says nothing about the class.
//!
//! ```text
//! cargo run --release -p quarry-papers --example cluster_eval -- [SITES] [--teaser N] [-v]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::collections::BTreeSet;

use quarry_dom::{Document, NodeId};
use quarry_extract::cluster::{ClusterConfig, PageSignature, cluster_pages, rank_groups};
use quarry_testsite::{PageClass, Site};

#[path = "shared/baselines.rs"]
#[allow(unreachable_pub)]
mod baselines;
#[path = "../../quarry-extract/tests/it/probed.rs"]
#[allow(unreachable_pub, dead_code)]
mod probed;

use baselines::{other_baselines, signature_baselines};
use probed::{Answer, entropy};

struct Row {
    name: &'static str,
    entropy: f64,
    merged: f64,
    clusters: f64,
    precision: f64,
    recall: f64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1)?.parse::<usize>().ok()
    };
    let teaser = value("--teaser").unwrap_or(0);
    let sites: u64 = args.first().and_then(|arg| arg.parse().ok()).unwrap_or(60);
    let verbose = args.iter().any(|a| a == "-v");
    let mut rows: Vec<Row> = Vec::new();
    let mut best_rank = 0;
    for spec in probed::specs(sites) {
        let site = Site::generate(spec);
        let mut answers = probed::probe(&site, 100);
        add_teasers(&mut answers, teaser);
        let signatures: Vec<PageSignature> = answers
            .iter()
            .map(|a| PageSignature::of(&Document::from_html(&a.html), a.html.len()))
            .collect();
        let classes: Vec<PageClass> = answers.iter().map(|a| a.class).collect();
        let k = classes.iter().collect::<BTreeSet<_>>().len();
        let found = cluster_pages(&signatures, &ClusterConfig::default());
        let first = (0..classes.len()).filter(|page| found.assignment[*page] == 0);
        best_rank += usize::from(first.into_iter().all(|page| holds(classes[page])));
        if verbose {
            show(&site, &classes, &found.assignment);
        }
        let mut all = vec![("quarry, told nothing", found.assignment)];
        all.extend(signature_baselines(&signatures, k));
        all.extend(other_baselines(&answers, k));
        for (name, assignment) in all {
            let (precision, recall) = passed_on(&signatures, &assignment, &classes);
            let assigned: Vec<_> = assignment.into_iter().zip(classes.iter().copied()).collect();
            let clusters = assigned.iter().map(|a| a.0).collect::<BTreeSet<_>>().len();
            let row = match rows.iter().position(|row| row.name == name) {
                Some(at) => &mut rows[at],
                None => {
                    rows.push(Row {
                        name,
                        entropy: 0.0,
                        merged: 0.0,
                        clusters: 0.0,
                        precision: 0.0,
                        recall: 0.0,
                    });
                    rows.last_mut().expect("a row was pushed")
                }
            };
            row.entropy += entropy(&assigned);
            let one = |class| if class == PageClass::Error { PageClass::NoMatch } else { class };
            let merged: Vec<_> =
                assigned.iter().map(|(group, class)| (*group, one(*class))).collect();
            row.merged += entropy(&merged);
            row.precision += precision;
            row.recall += recall;
            row.clusters += clusters as f64 / k as f64;
        }
    }
    println!("{sites} sites, means; the cluster of rank 1 holds answers only: {best_rank}");
    for row in rows {
        let mean = |sum: f64| sum / sites as f64;
        println!(
            "{:24} entropy {:.3}  merged {:.3}  clusters / classes {:.2}  passed on: P {:.3} R {:.3}",
            row.name,
            mean(row.entropy),
            mean(row.merged),
            mean(row.clusters),
            mean(row.precision),
            mean(row.recall)
        );
    }
}

fn holds(class: PageClass) -> bool {
    matches!(class, PageClass::List | PageClass::Entity | PageClass::OneMatch)
}

/// Share of the pages in the two best clusters that hold answers, and share of the pages with
/// answers that are in them.
fn passed_on(pages: &[PageSignature], groups: &[usize], classes: &[PageClass]) -> (f64, f64) {
    let ranked = rank_groups(pages, groups);
    let passed = |page: &usize| ranked.assignment[*page] < 2;
    let all = (0..pages.len()).filter(passed).count() as f64;
    let right = (0..pages.len()).filter(passed).filter(|p| holds(classes[*p])).count() as f64;
    let wanted = classes.iter().filter(|c| holds(**c)).count() as f64;
    (right / all.max(1.0), right / wanted.max(1.0))
}

fn show(site: &Site, classes: &[PageClass], assignment: &[usize]) {
    let spec = site.spec();
    println!("{:?} {:?} {:?} seed {}", spec.theme, spec.vertical, spec.search.one_match, spec.seed);
    let clusters: BTreeSet<usize> = assignment.iter().copied().collect();
    let kinds: BTreeSet<PageClass> = classes.iter().copied().collect();
    for cluster in clusters {
        print!("  {cluster}:");
        for kind in &kinds {
            let inside = assignment.iter().zip(classes);
            let n = inside.filter(|(a, c)| **a == cluster && *c == kind).count();
            if n > 0 {
                print!(" {kind:?} {n}");
            }
        }
        println!();
    }
}

/// Adds a paragraph of `count` words to each page, drawn in turn from the words of all pages with a list.
fn add_teasers(answers: &mut [Answer], count: usize) {
    if count == 0 {
        return;
    }
    let lists = answers.iter().filter(|answer| answer.class == PageClass::List);
    let texts: Vec<String> = lists
        .map(|a| Document::from_html(&a.html).folded_text(NodeId::ROOT).into_owned())
        .collect();
    let words: BTreeSet<&str> = texts.iter().flat_map(|text| text.split(' ')).collect();
    let words: Vec<&str> = words.into_iter().collect();
    let mut state = 1u64;
    for answer in answers.iter_mut() {
        let drawn = (0..count).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            words[(state >> 33) as usize % words.len()]
        });
        let drawn: Vec<&str> = drawn.collect();
        answer.html.push_str(&format!("<p>{}</p>", drawn.join(" ").replace('<', "")));
    }
}
