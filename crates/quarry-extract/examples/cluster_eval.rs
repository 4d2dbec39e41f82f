//! How good are page clusters? Repeats the comparison of signatures of THOR (Figure 4) on generated
//! search sites: the mean entropy of tag TF-IDF, raw tags, content (raw and TF-IDF), URL, size and
//! chance, each told the number of classes, beside what Quarry does when it is told nothing.
//!
//! ```text
//! cargo run --release -p quarry-extract --example cluster_eval -- [SITES] [-v]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use quarry_dom::Document;
use quarry_extract::cluster::{
    Bag, ClusterConfig, Features, KMeansConfig, PageSignature, Vectors, Weighting, cluster_pages, k_means,
};
use quarry_testsite::{PageClass, Site};

#[path = "../tests/it/probed.rs"]
#[allow(unreachable_pub)]
mod probed;

use probed::{Answer, entropy};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let count = args.iter().find_map(|a| a.parse().ok()).unwrap_or(60);
    let verbose = args.iter().any(|a| a == "-v");
    let cut: f64 = std::env::var("CUT").ok().and_then(|c| c.parse().ok()).unwrap_or(ClusterConfig::default().cut);
    let base: f64 = std::env::var("BASE").ok().and_then(|c| c.parse().ok()).unwrap_or(0.05);
    let mut totals: Vec<(&str, f64, f64)> = Vec::new();
    for spec in probed::specs(count) {
        let site = Site::generate(spec);
        let answers = probed::probe(&site, 100);
        let signatures: Vec<PageSignature> = answers
            .iter()
            .map(|a| PageSignature::of(&Document::from_html(&a.html), a.html.len()))
            .collect();
        let classes: Vec<PageClass> = answers.iter().map(|a| a.class).collect();
        let mut distinct = classes.clone();
        distinct.sort();
        distinct.dedup();
        let k = distinct.len();
        let config = ClusterConfig { cut, features: Features::Paths{base}, ..ClusterConfig::default() };
        let found = cluster_pages(&signatures, &config);
        let mut rows = vec![("quarry, k unknown", found.assignment.clone())];
        if verbose {
            let counts: Vec<(PageClass, usize)> = distinct.iter().map(|c| (*c, classes.iter().filter(|x| *x == c).count())).collect();
            println!("{:?} {:?} {:?} facets {:?} required {}: {} pages, classes {:?}, {} clusters", site.spec().theme, site.spec().vertical, site.spec().search.one_match, site.spec().facets.style, site.spec().search.required, answers.len(), counts, found.clusters.len());
            for (i, c) in found.clusters.iter().enumerate() {
                let inside: Vec<(PageClass, usize)> = distinct.iter().map(|c| (*c, (0..classes.len()).filter(|p| found.assignment[*p] == i && classes[*p] == *c).count())).filter(|x| x.1 > 0).collect();
                println!("    #{} {:?} terms {:.0} fan {:.0} bytes {:.0}", c.rank, inside, c.criteria.terms, c.criteria.fan_out, c.criteria.bytes);
            }
        }
        rows.extend(baselines(&answers, &signatures, k));
        for (name, assignment) in rows {
            let assigned: Vec<_> = assignment.into_iter().zip(classes.iter().copied()).collect();
            let clusters = assigned.iter().map(|a| a.0).collect::<std::collections::BTreeSet<_>>().len();
            let e = entropy(&assigned);
            if verbose { println!("  {name:24} {e:.3} {clusters}"); }
            match totals.iter_mut().find(|t| t.0 == name) {
                Some(t) => { t.1 += e; t.2 += clusters as f64 / k as f64; }
                None => totals.push((name, e, clusters as f64 / k as f64)),
            }
        }
    }
    println!("mean over {count} sites");
    for (name, e, c) in totals {
        println!("{name:24} entropy {:.3}  clusters/classes {:.2}", e / count as f64, c / count as f64);
    }
}

fn baselines(answers: &[Answer], signatures: &[PageSignature], k: usize) -> Vec<(&'static str, Vec<usize>)> {
    let grouped = |vectors: &Vectors| -> Vec<usize> {
        let times = vec![1; vectors.len()];
        k_means(vectors, &times, k, &KMeansConfig::default()).groups.iter().map(|g| *g as usize).collect()
    };
    let tfidf = |bags: &[&Bag]| grouped(&Vectors::of_bags(bags, &vec![1; bags.len()], Weighting::TfIdf));
    let tags: Vec<&Bag> = signatures.iter().map(|s| &s.tags).collect();
    let paths: Vec<&Bag> = signatures.iter().map(|s| &s.paths).collect();
    vec![("tag TF-IDF (paper)", tfidf(&tags)), ("path TF-IDF", tfidf(&paths))]
}
