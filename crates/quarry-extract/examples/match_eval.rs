//! Measures matching on generated catalogues. `match_eval families` runs 20 sites at overlaps from 5 to 80 %, with and
//! without growth; `match_eval wrong [OVERLAP]` lists what was placed wrong, at 0.2 unless said, and why, and compares
//! attributes with growth and without. The paper's algorithm: `redundancy_eval` of `quarry-papers`.

#![allow(clippy::disallowed_methods, clippy::print_stdout)]

#[allow(dead_code, unreachable_pub)]
#[path = "../tests/it/family.rs"]
mod family;

use std::collections::BTreeMap;

use family::Tally;
use quarry_testsite::{FamilySpec, SiteSpec, Vertical};

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
        family::each(&spec, true, &mut |site, found, labelled_site, seeds| {
            for (name, tally) in family::tally(found, labelled_site, seeds) {
                by_name.entry(name.clone()).or_default().add(tally);
                let number = seeds.attributes().iter().position(|own| *own == name);
                let placed = found.placed.iter().find(|one| Some(one.attribute.index()) == number);
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
                    let truth = labelled_site.truth[field.page].get(&name);
                    println!("    {:?}, truth {truth:?}", field.value);
                }
                let shown = placed.evidence.iter().filter(|(_, figure)| figure.abs() >= 0.05);
                let shown = shown.map(|(name, figure)| format!("{name} {figure:.2}"));
                println!("    {}", shown.collect::<Vec<_>>().join(", "));
            }
        });
        let mut alone: BTreeMap<String, Tally> = BTreeMap::new();
        family::each(&spec, false, &mut |_, found, labelled_site, seeds| {
            for (name, tally) in family::tally(found, labelled_site, seeds) {
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

fn main() {
    let argument = |at| std::env::args().nth(at);
    match argument(1).as_deref() {
        Some("wrong") => wrong(argument(2).map_or(0.2, |text| text.parse().expect("a share"))),
        _ => families(),
    }
}
