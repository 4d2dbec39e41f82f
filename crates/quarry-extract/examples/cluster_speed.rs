//! How fast is k-means beside scikit-learn? Makes synthetic answer pages as THOR §4 does (a page of
//! a class draws each tag's count from the pages of that class on a generated site), clusters their
//! vectors into as many groups as there are classes and into 12, with the starts tried on a sample
//! and on all pages, and writes the same vectors for the peer. `bench/cluster.py` runs both.
//!
//! ```text
//! cargo run --release -p quarry-extract --example cluster_speed -- PAGES VECTORS.f32
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

#[path = "../../../bench/measure.rs"]
mod measure;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use measure::cpu_seconds;
use quarry_dom::Document;
use quarry_extract::cluster::{KMeansConfig, PageSignature, Vectors, k_means};
use quarry_testsite::{PageClass, Site};

#[path = "../tests/it/probed.rs"]
#[allow(unreachable_pub, dead_code)]
mod probed;

/// Rounds; the best one counts.
const ROUNDS: usize = 5;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [pages, file] = args.as_slice() else {
        println!("usage: cluster_speed PAGES VECTORS.f32");
        std::process::exit(2);
    };
    let pages: usize = pages.parse().expect("a number of pages");
    let (classes, counts) = synthetic(pages);
    let rows = weighted(&counts);
    let dimensions = rows[0].len();
    let mut out = std::io::BufWriter::new(std::fs::File::create(file).expect("can be written"));
    for value in rows.iter().flatten() {
        out.write_all(&value.to_le_bytes()).expect("can be written");
    }
    out.flush().expect("can be written");
    let sparse = |row: &Vec<f32>| (0u32..).zip(row.iter().copied()).collect();
    let vectors = Vectors::of_rows(dimensions, rows.iter().map(sparse));
    let times = vec![1; pages];
    let sampled = KMeansConfig::default();
    let whole = KMeansConfig { sample: usize::MAX, ..sampled.clone() };
    for k in [classes, 12] {
        let measured = [("sampled", &sampled), ("whole", &whole)].map(|(name, config)| {
            let mut best = f64::MAX;
            let mut similarity = 0.0;
            for _ in 0..ROUNDS {
                let began = cpu_seconds();
                similarity = k_means(&vectors, &times, k, config).similarity;
                best = best.min(cpu_seconds() - began);
            }
            format!("\"{name}\":{{\"seconds\":{best},\"similarity\":{similarity}}}")
        });
        let measured = measured.join(",");
        println!("{{\"dimensions\":{dimensions},\"k\":{k},{measured}}}");
    }
}

/// Tag counts of synthetic pages, and how many classes they come from.
fn synthetic(pages: usize) -> (usize, Vec<Vec<u32>>) {
    let mut spec = probed::specs(1).remove(0);
    spec.search.one_match = quarry_testsite::OneMatch::Page;
    let site = Site::generate(spec);
    let answers = probed::probe(&site, 100);
    let mut by_class: BTreeMap<PageClass, Vec<PageSignature>> = BTreeMap::new();
    for answer in &answers {
        let signature = PageSignature::of(&Document::from_html(&answer.html), answer.html.len());
        by_class.entry(answer.class).or_default().push(signature);
    }
    let tags: BTreeSet<u64> =
        (by_class.values().flatten()).flat_map(|s| s.tags.entries().iter().map(|e| e.0)).collect();
    let mut state = 7u64;
    let mut draw = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let all: Vec<(&Vec<PageSignature>, usize)> =
        by_class.values().flat_map(|c| (0..c.len()).map(move |i| (c, i))).collect();
    let rows = (0..pages).map(|_| {
        let class = all[draw(all.len())].0;
        let count = |tag: u64, page: &PageSignature| {
            let entries = page.tags.entries();
            entries.binary_search_by_key(&tag, |e| e.0).map_or(0, |at| entries[at].1)
        };
        tags.iter().map(|tag| count(*tag, &class[draw(class.len())])).collect()
    });
    (by_class.len(), rows.collect())
}

/// TF-IDF with the paper's weights, rows of length one.
fn weighted(counts: &[Vec<u32>]) -> Vec<Vec<f32>> {
    let n = counts.len() as f64;
    let presence: Vec<f64> = (0..counts[0].len())
        .map(|tag| counts.iter().filter(|row| row[tag] > 0).count().max(1) as f64)
        .collect();
    let row = |row: &Vec<u32>| {
        let weights: Vec<f64> = (row.iter().zip(&presence))
            .map(|(tf, n_k)| f64::from(tf + 1).ln() * ((n + 1.0) / n_k).ln())
            .collect();
        let length = weights.iter().map(|w| w * w).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        weights.iter().map(|w| (w / length) as f32).collect()
    };
    counts.iter().map(row).collect()
}
