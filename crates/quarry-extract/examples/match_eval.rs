//! How well does matching do on generated catalogues, and the paper's algorithm on them? `match_eval families` runs 20 sites at
//! overlaps from 5 to 80 %, with and without growth; `match_eval wrong [OVERLAP]` lists what was placed wrong, at 0.2 unless said, and why,
//! and compares attributes with growth and without;
//! `match_eval paper` repeats Figure 2 and Tables 2 to 4 of the paper on a generated family, `match_eval paper SWDE VERTICAL` on
//! labelled sites, the first one as seed.

#![allow(clippy::disallowed_methods, clippy::print_stdout)]

#[allow(dead_code, unreachable_pub)]
#[path = "../tests/it/family.rs"]
mod family;
#[allow(dead_code, unreachable_pub)]
mod labelled;

use std::collections::BTreeMap;
use std::path::Path;

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

/// Attributes of single sites that are right on less than nine in ten pages, with the reasons for their place.
fn wrong(overlap: f64) {
    for vertical in [Vertical::Restaurants, Vertical::Books] {
        println!("{vertical:?}");
        let mut by_name: BTreeMap<String, Tally> = BTreeMap::new();
        let spec = spec(vertical, 60, 20, overlap);
        family::each(&spec, true, &mut |site, found, sight, seeds| {
            for (name, tally) in family::tally(found, sight, seeds) {
                by_name.entry(name.clone()).or_default().add(tally);
                let number = seeds.attributes().iter().position(|own| *own == name);
                let placed = found.placed.iter().find(|one| Some(one.attribute as usize) == number);
                let Some(placed) = placed.filter(|_| tally.predicted > 0) else { continue };
                let (best, second) = placed.scores;
                println!(
                    "{site} {name}: {:.2} right, {:.2} there, confidence {:.2}, {best:.1} {second:.1}",
                    tally.precision(),
                    tally.coverage(),
                    placed.confidence
                );
                if tally.precision() >= 0.9 {
                    continue;
                }
                println!("    {} {:?}, else {:?}", placed.path, placed.label, placed.runner_up);
                let own = found.fields.iter().filter(|f| f.attribute == placed.attribute);
                for field in own.take(2) {
                    let truth = sight.truth[field.page].get(&name);
                    println!("    {:?}, truth {truth:?}", field.value);
                }
                let shown = placed.evidence.iter().filter(|(_, figure)| figure.abs() >= 0.05);
                let shown = shown.map(|(name, figure)| format!("{name} {figure:.2}"));
                println!("    {}", shown.collect::<Vec<_>>().join(", "));
            }
        });
        let mut alone: BTreeMap<String, Tally> = BTreeMap::new();
        family::each(&spec, false, &mut |_, found, sight, seeds| {
            for (name, tally) in family::tally(found, sight, seeds) {
                alone.entry(name).or_default().add(tally);
            }
        });
        println!("attribute: precision and coverage with growth, without");
        for (name, tally) in &by_name {
            let alone = alone.get(name).copied().unwrap_or_default();
            println!(
                "{name}: {:.3} {:.3}, {:.3} {:.3}",
                tally.precision(),
                tally.coverage(),
                alone.precision(),
                alone.coverage()
            );
        }
    }
}

/// Whether a text is one of the values of an attribute.
type Right = fn(&str, &[String]) -> bool;

/// Precision and coverage by attribute on these sites, and positions left by level.
fn with_paper(
    sights: &[Sight],
    seeds: &SeedDb,
    right: Right,
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
                tally.covered += 1;
                tally.right += usize::from(right(&value, printed));
            }
        }
    }
    (tallies, levels)
}

/// Generated sites.
fn generated() -> Vec<Sight> {
    let spec = spec(Vertical::Restaurants, 200, 6, 0.5);
    SiteFamily::generate(&spec).sites.iter().map(Sight::of).collect()
}

/// Labelled sites of a kind.
fn labelled_sights(data: &Path, vertical: &str) -> Vec<Sight> {
    let (labels, documents) = labelled::read(data, vertical);
    let mut sights = Vec::new();
    for (pages, documents) in labels.into_values().zip(documents.into_values()) {
        let mut truth: Vec<BTreeMap<String, Vec<String>>> = pages.into_values().collect();
        for page in &mut truth {
            page.retain(|_, values| !values.is_empty());
        }
        sights.push(Sight { documents, truth });
    }
    sights
}

fn same_key(value: &str, labels: &[String]) -> bool {
    labels.iter().any(|label| labelled::key(label) == labelled::key(value))
}

fn paper(sights: &[Sight], right: Right) {
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
            [strong, weak].map(|config| sum(&with_paper(&sights[1..], &seeds, right, &config).0));
        println!(
            "{threshold} {:.3} {:.3}, {:.3} {:.3}",
            strong.precision(),
            strong.coverage(),
            weak.precision(),
            weak.coverage()
        );
    }
    let (tallies, levels) = with_paper(&sights[1..], &seeds, right, &PaperConfig::default());
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
        let truth = sights[0].truth.iter().take(size).cloned().collect();
        let part = Sight { documents: Vec::new(), truth };
        part.seed("site 0", &mut some);
        println!(
            "{size} {:.3}",
            sum(&with_paper(&sights[1..], &some, right, &PaperConfig::default()).0).coverage()
        );
    }
}

fn main() {
    let argument = |at| std::env::args().nth(at);
    match argument(1).as_deref() {
        Some("paper") => match (argument(2), argument(3)) {
            (Some(data), Some(vertical)) => {
                paper(&labelled_sights(Path::new(&data), &vertical), same_key);
            }
            _ => paper(&generated(), family::is_right),
        },
        Some("wrong") => wrong(argument(2).map_or(0.2, |text| text.parse().expect("a share"))),
        _ => families(),
    }
}
