//! What is invented where seed and site have nothing in common? `match_strangers SWDE [SITES]` takes the records of one kind of thing
//! as seed and the pages of every other kind as site, and made-up products as seed of each: everything that is placed is wrong, but for
//! attributes that both kinds have, such as names and prices. `SITES` sites of each kind are taken, 1 unless said.

#![allow(clippy::disallowed_methods, clippy::print_stdout)]

#[allow(dead_code, unreachable_pub)]
mod labelled;
#[allow(dead_code, unreachable_pub)]
#[path = "../tests/it/strangers.rs"]
mod strangers;

use std::collections::BTreeMap;
use std::path::Path;

use quarry_dom::Document;
use quarry_extract::attribute::{MatchConfig, SeedDb, match_site};

const VERTICALS: [&str; 8] =
    ["auto", "book", "camera", "job", "movie", "nbaplayer", "restaurant", "university"];
/// Values from here on are claims.
const CLAIMED: f64 = 0.5;

/// Values that were claimed, and all that might have been.
#[derive(Default)]
struct Claims {
    claimed: usize,
    possible: usize,
}

fn claims(seeds: &SeedDb, pages: &[Document]) -> (BTreeMap<String, usize>, usize) {
    let pages: Vec<&Document> = pages.iter().collect();
    let config = MatchConfig { min_confidence: CLAIMED, ..MatchConfig::default() };
    let found = match_site("site", &pages, seeds, &config);
    if std::env::args().any(|a| a == "--cases") {
        for placed in &found.placed {
            let one = |(name, figure): &(&str, f64)| format!("{name}={figure:.3}");
            let evidence = placed.evidence.iter().map(one).collect::<Vec<_>>().join(" ");
            println!(
                "CASE\t{}\t{:.4}\t{:.3}\t{:.3}\t{}",
                seeds.attributes()[placed.attribute.index()],
                placed.confidence,
                placed.scores.0,
                placed.scores.1,
                evidence
            );
        }
    }
    let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
    for field in found.fields.iter().filter(|field| field.confidence >= CLAIMED) {
        *by_name.entry(seeds.attributes()[field.attribute.index()].clone()).or_default() += 1;
    }
    (by_name, found.records.iter().flatten().count())
}

fn main() {
    let data = std::env::args().nth(1).expect("a folder of labelled sites");
    let sites: usize = std::env::args().nth(2).map_or(1, |text| text.parse().expect("a number"));
    let read = |name: &&str| labelled::read(Path::new(&data), name);
    let all: Vec<_> = VERTICALS.iter().map(read).collect();
    let mut seeds: Vec<(String, String, SeedDb)> = Vec::new();
    for (name, (labels, _)) in VERTICALS.iter().zip(&all) {
        for site in labels.keys().take(sites) {
            seeds.push(((*name).to_owned(), site.clone(), labelled::seed(labels, site)));
        }
    }
    for (name, seed) in strangers::made_up() {
        seeds.push(("made up".to_owned(), name.to_owned(), seed));
    }
    let mut sums: BTreeMap<(String, String), Claims> = BTreeMap::new();
    for (kind, name, seeds) in &seeds {
        for (vertical, (_, documents)) in VERTICALS.iter().zip(&all) {
            if kind == vertical {
                continue;
            }
            for (site, pages) in documents.iter().take(sites) {
                let (by_name, linked) = claims(seeds, pages);
                println!("{kind} {name} to {vertical} {site}: {linked} linked, {by_name:?}");
                for attribute in seeds.attributes() {
                    let sum = sums.entry((kind.clone(), attribute.clone())).or_default();
                    sum.claimed += by_name.get(attribute).copied().unwrap_or(0);
                    sum.possible += pages.len();
                }
            }
        }
    }
    let (mut claimed, mut possible) = (0, 0);
    for ((kind, attribute), sum) in &sums {
        println!("{kind} {attribute}: {} of {}", sum.claimed, sum.possible);
        claimed += sum.claimed;
        possible += sum.possible;
    }
    println!("all: {claimed} of {possible}");
}
