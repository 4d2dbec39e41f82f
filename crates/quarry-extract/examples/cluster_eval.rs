//! How good are page clusters? Repeats THOR's comparison of signatures (Figure 4) on generated
//! search sites: the mean entropy of tag TF-IDF, raw tags, content (raw and TF-IDF), URL, size and
//! chance, each told the number of classes, beside Quarry's own way, which is told nothing. And the
//! part of Figure 10 that clusters decide: when the two best ranked clusters go on to the search for
//! regions, how many of their pages hold answers, and how many of the pages with answers are there.
//!
//! ```text
//! cargo run --release -p quarry-extract --example cluster_eval -- [SITES] [-v]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::collections::BTreeSet;

use quarry_dom::{Document, NodeId};
use quarry_extract::cluster::{
    Bag, ClusterConfig, KMeansConfig, PageSignature, RankConfig, Vectors, Weighting, cluster_pages,
    k_means, rank_groups,
};
use quarry_testsite::{PageClass, Site};
use rust_stemmers::{Algorithm, Stemmer};

#[path = "../tests/it/probed.rs"]
#[allow(unreachable_pub)]
mod probed;

use probed::{Answer, entropy};

struct Row {
    name: &'static str,
    entropy: f64,
    clusters: f64,
    precision: f64,
    recall: f64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sites: u64 = args.iter().find_map(|a| a.parse().ok()).unwrap_or(60);
    let verbose = args.iter().any(|a| a == "-v");
    let mut rows: Vec<Row> = Vec::new();
    let mut best_rank = 0;
    for spec in probed::specs(sites) {
        let site = Site::generate(spec);
        let answers = probed::probe(&site, 100);
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
                        clusters: 0.0,
                        precision: 0.0,
                        recall: 0.0,
                    });
                    rows.last_mut().expect("a row was pushed")
                }
            };
            row.entropy += entropy(&assigned);
            row.precision += precision;
            row.recall += recall;
            row.clusters += clusters as f64 / k as f64;
        }
    }
    println!("{sites} sites, means; the cluster of rank 1 holds answers only: {best_rank}");
    for row in rows {
        let mean = |sum: f64| sum / sites as f64;
        println!(
            "{:24} entropy {:.3}  clusters / classes {:.2}  passed on: P {:.3} R {:.3}",
            row.name,
            mean(row.entropy),
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
    let ranked = rank_groups(pages, groups, &RankConfig::default());
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

fn grouped(vectors: &Vectors, k: usize) -> Vec<usize> {
    let found = k_means(vectors, &vec![1; vectors.len()], k, &KMeansConfig::default());
    found.groups.iter().map(|group| *group as usize).collect()
}

fn tf_idf(bags: &[Bag], k: usize) -> Vec<usize> {
    let bags: Vec<&Bag> = bags.iter().collect();
    grouped(&Vectors::of_bags(&bags, &vec![1; bags.len()], Weighting::TfIdf), k)
}

/// Counts as they are.
fn raw(bags: &[Bag], k: usize) -> Vec<usize> {
    let entries = bags.iter().flat_map(|bag| bag.entries().iter().map(|e| e.0));
    let features: Vec<u64> = entries.collect::<BTreeSet<u64>>().into_iter().collect();
    let place = |f: u64| features.binary_search(&f).expect("the feature was collected") as u32;
    let row = |bag: &Bag| bag.entries().iter().map(|(f, n)| (place(*f), *n as f32)).collect();
    grouped(&Vectors::of_rows(features.len(), bags.iter().map(row)), k)
}

fn signature_baselines(pages: &[PageSignature], k: usize) -> Vec<(&'static str, Vec<usize>)> {
    let tags: Vec<Bag> = pages.iter().map(|page| page.tags.clone()).collect();
    let paths: Vec<Bag> = pages.iter().map(|page| page.paths.clone()).collect();
    vec![
        ("tag TF-IDF (the paper)", tf_idf(&tags, k)),
        ("raw tags", raw(&tags, k)),
        ("path TF-IDF", tf_idf(&paths, k)),
    ]
}

fn other_baselines(answers: &[Answer], k: usize) -> Vec<(&'static str, Vec<usize>)> {
    let stemmer = Stemmer::create(Algorithm::English);
    let content: Vec<Bag> = answers
        .iter()
        .map(|answer| {
            let document = Document::from_html(&answer.html);
            let text = document.folded_text(NodeId::ROOT).to_lowercase();
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
            Bag::count(words.map(|w| number(&stemmer.stem(w))).collect())
        })
        .collect();
    // K-means on one number: the distance is the difference.
    let sizes: Vec<f64> = answers.iter().map(|a| a.html.len() as f64).collect();
    let by_size = medoids(sizes.len(), k, |a, b| (sizes[a] - sizes[b]).abs());
    let urls: Vec<Vec<u8>> = answers.iter().map(|a| a.address.clone().into_bytes()).collect();
    let by_url = medoids(urls.len(), k, |a, b| edit_distance(&urls[a], &urls[b]) as f64);
    let mut state = 1u64;
    let chance = answers.iter().map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % k
    });
    vec![
        ("content TF-IDF", tf_idf(&content, k)),
        ("raw content", raw(&content, k)),
        ("size", by_size),
        ("URL", by_url),
        ("chance", chance.collect()),
    ]
}

/// The same number for the same word.
fn number(word: &str) -> u64 {
    word.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// K-medoids for distances that have no mean; farthest first, then until nothing changes.
fn medoids(n: usize, k: usize, distance: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let all: Vec<Vec<f64>> = (0..n).map(|a| (0..n).map(|b| distance(a, b)).collect()).collect();
    let mut centres = vec![0];
    while centres.len() < k {
        let far = |row: usize| centres.iter().map(|c| all[row][*c]).fold(f64::MAX, f64::min);
        let next = (0..n).max_by(|a, b| far(*a).total_cmp(&far(*b))).expect("there are rows");
        centres.push(next);
    }
    let mut groups = vec![0; n];
    for _ in 0..20 {
        for (row, group) in groups.iter_mut().enumerate() {
            *group = (0..k)
                .min_by(|a, b| all[row][centres[*a]].total_cmp(&all[row][centres[*b]]))
                .expect("there are centres");
        }
        for (group, centre) in centres.iter_mut().enumerate() {
            let inside: Vec<usize> = (0..n).filter(|row| groups[*row] == group).collect();
            let cost = |row: usize| inside.iter().map(|other| all[row][*other]).sum::<f64>();
            let best = inside.iter().copied().min_by(|a, b| cost(*a).total_cmp(&cost(*b)));
            *centre = best.unwrap_or(*centre);
        }
    }
    groups
}

fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
