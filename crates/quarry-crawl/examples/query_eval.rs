//! What does crawling by queries find, and for how many requests? Generated sites after the paper's
//! Table 2: `cargo run --release -p quarry-crawl --example query_eval [PRESET[:ENTITIES]…]`.
#![allow(clippy::print_stdout, clippy::unwrap_used, dead_code, unreachable_pub)]

#[path = "../tests/it/generated.rs"]
mod generated;
#[path = "../tests/it/triples.rs"]
mod triples;

use generated::Crawl;
use quarry_crawl::{QuerySettings, StrategyKind, StrategyReport};
use quarry_testsite::{Site, SiteSpec};

/// The sites of the paper's Table 2, and those with forms, keywords and trees.
const SITES: [&str; 10] = [
    "d1-homes",
    "d2-recipes",
    "d3-restaurants",
    "d4-shoes",
    "d5-electronics",
    "d6-phones",
    "f1-get-form",
    "f2-post-form",
    "k-keyword",
    "h-tree",
];

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let sites: Vec<&str> = match named.as_slice() {
        [] => SITES.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    println!(
        "{:<16} {:>8} {:>8} {:>6} {:>6} {:>9} {:>6} {:>6}",
        "site", "truth", "found", "P", "R", "requests", "least", "ratio"
    );
    for name in sites {
        let (name, entities) = name.split_once(':').map_or((name, None), |(n, e)| (n, Some(e)));
        let mut spec = SiteSpec::preset(name).expect("the name of a preset");
        spec.entities =
            entities.map_or(spec.entities, |entities| entities.parse().expect("PRESET:ENTITIES"));
        let site = Site::generate(spec);
        let mut crawl = Crawl::new(&site, StrategyKind::Query(QuerySettings::default()));
        crawl.run(20_000);
        let score = triples::score(&site, &crawl.graphs);
        let least = site.least_requests().total();
        println!(
            "{name:<16} {:>8} {:>8} {:>6.3} {:>6.3} {:>9} {least:>6} {:>6.2}",
            score.truth,
            score.found,
            score.precision,
            score.recall,
            crawl.asked.len(),
            crawl.asked.len() as f64 / least as f64
        );
        if named.is_empty() {
            continue;
        }
        if let StrategyReport::Query(reports) = &crawl.report {
            println!("{reports:#?}");
        }
        let (always, ever) = triples::truth(&site);
        let found = triples::found(&crawl.graphs);
        println!("missing: {:?}", always.difference(&found).take(5).collect::<Vec<_>>());
        println!("wrong: {:?}", found.difference(&ever).take(5).collect::<Vec<_>>());
        for (request, class) in crawl.asked.iter().take(40) {
            println!("{class:?} {}", request.key());
        }
        if !crawl.violations.is_empty() {
            println!("violations: {:?}", crawl.violations);
        }
    }
}
