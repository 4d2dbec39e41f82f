//! How well does matching do on generated catalogues, and the paper's algorithm on them? `match_eval families` runs 20 sites at
//! overlaps from 5 to 80 %, with and without growth; `match_eval paper` repeats Figure 2 and Tables 2 to 4.

#![allow(clippy::print_stdout)]

#[allow(dead_code, unreachable_pub)]
#[path = "../tests/it/family.rs"]
mod family;

use std::collections::BTreeMap;

use family::{Sight, Tally};
use quarry_dom::Document;
use quarry_extract::attribute::paper::{PaperConfig, find_attr_pos};
use quarry_extract::attribute::{AttributeId, SeedDb};
use quarry_testsite::{FamilySpec, SiteFamily, SiteSpec, Vertical};

fn spec(vertical: Vertical, entities: usize, sites: usize, overlap: f64) -> FamilySpec {
    let base = SiteSpec { entities, vertical, ..SiteSpec::default() };
    FamilySpec { base, sites, overlap, ..FamilySpec::default() }
}

fn families() {
    println!("vertical, overlap: precision and coverage with growth, without");
    for vertical in [Vertical::Restaurants, Vertical::Books] {
        for overlap in [0.05, 0.1, 0.2, 0.4, 0.8] {
            let spec = spec(vertical, 60, 20, overlap);
            let (with, without) = (family::run(&spec, true), family::run(&spec, false));
            println!(
                "{vertical:?} {overlap:.2}: {:.3} {:.3}, {:.3} {:.3}",
                with.precision(),
                with.coverage(),
                without.precision(),
                without.coverage()
            );
        }
    }
}

/// Precision by attribute, and coverage of the title, on all sites but the first.
fn with_paper(
    sights: &[Sight],
    seeds: &SeedDb,
    config: &PaperConfig,
) -> (BTreeMap<String, Tally>, Vec<BTreeMap<AttributeId, usize>>) {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut levels: Vec<BTreeMap<AttributeId, usize>> = Vec::new();
    for sight in sights {
        let documents: Vec<&Document> = sight.documents.iter().collect();
        let found = find_attr_pos(&documents, seeds, config);
        for (at, level) in found.levels.into_iter().enumerate() {
            levels.resize(levels.len().max(at + 1), BTreeMap::new());
            for (attribute, count) in level {
                *levels[at].entry(attribute).or_default() += count;
            }
        }
        for (page, document) in documents.iter().enumerate() {
            for (number, name) in (0..).zip(seeds.attributes()) {
                let Some(printed) = sight.truth[page].get(name) else { continue };
                let tally = tallies.entry(name.clone()).or_default();
                tally.there += 1;
                let place = found.positions.iter().find(|position| position.attribute == number);
                let value = place.and_then(|place| document.node_at(&place.path));
                let value = value.map(|node| document.folded_text(node).into_owned());
                let Some(value) = value.filter(|value| !value.is_empty()) else { continue };
                tally.predicted += 1;
                tally.right += usize::from(family::is_right(&value, printed));
            }
        }
    }
    (tallies, levels)
}

fn paper() {
    let spec = spec(Vertical::Restaurants, 200, 6, 0.5);
    let family = SiteFamily::generate(&spec);
    let sights: Vec<Sight> = family.sites.iter().map(Sight::of).collect();
    let mut seeds = SeedDb::default();
    sights[0].seed("site 0", &mut seeds);
    let sum = |tallies: &BTreeMap<String, Tally>| {
        tallies.values().fold(Tally::default(), |mut sum, tally| {
            sum.add(*tally);
            sum
        })
    };
    println!("Figure 2: threshold, precision and coverage of strong similarity, of weak");
    for threshold in [0.5, 0.6, 0.7, 0.8, 0.9] {
        let strong = PaperConfig { strong: threshold, ..PaperConfig::default() };
        let weak = PaperConfig { weak: threshold, weak_only: true, ..PaperConfig::default() };
        let [strong, weak] =
            [strong, weak].map(|config| sum(&with_paper(&sights[1..], &seeds, &config).0));
        println!(
            "{threshold} {:.3} {:.3}, {:.3} {:.3}",
            strong.precision(),
            strong.coverage(),
            weak.precision(),
            weak.coverage()
        );
    }
    let (tallies, levels) = with_paper(&sights[1..], &seeds, &PaperConfig::default());
    println!("Table 2: attribute, precision, coverage");
    for (name, tally) in &tallies {
        println!("{name} {:.3} {:.3}", tally.precision(), tally.coverage());
    }
    println!("Table 3: positions left of each attribute, by level");
    for (k, level) in (1..).zip(&levels) {
        let left =
            level.iter().map(|(a, count)| format!("{} {count}", seeds.attributes()[*a as usize]));
        println!("k = {k}: {}", left.collect::<Vec<_>>().join(", "));
    }
    println!("Table 4: seed records, coverage");
    for size in [20, 50, 100, 200] {
        let mut some = SeedDb::default();
        let part = Sight { documents: Vec::new(), truth: sights[0].truth[..size].to_vec() };
        part.seed("site 0", &mut some);
        println!(
            "{size} {:.3}",
            sum(&with_paper(&sights[1..], &some, &PaperConfig::default()).0).coverage()
        );
    }
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("paper") => paper(),
        _ => families(),
    }
}
