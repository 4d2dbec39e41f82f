//! Repeats Figure 2 and Tables 2 to 4 of the content-redundancy paper on a generated family, or on labelled sites, the first
//! one as seed.
//!
//! ```text
//! cargo run --release -p quarry-papers --example redundancy_eval -- [SWDE VERTICAL]
//! ```
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

#[allow(dead_code, unreachable_pub)]
#[path = "../../quarry-extract/tests/it/family.rs"]
mod family;
#[allow(dead_code, unreachable_pub)]
#[path = "../../quarry-extract/examples/labelled/mod.rs"]
mod labelled;

use std::collections::BTreeMap;
use std::path::Path;

use family::{LabelledSite, Tally};
use quarry_dom::Document;
use quarry_extract::attribute::{SeedAttributeId, SeedDb};
use quarry_papers::redundancy::{FindAttrPosConfig, find_attr_pos};
use quarry_testsite::{FamilySpec, SiteFamily, SiteSpec, Vertical};

/// Whether a text is one of the values of an attribute.
type Right = fn(&str, &[String]) -> bool;

/// Precision and coverage by attribute on these sites, and positions left by level.
fn with_paper(
    labelled_sites: &[LabelledSite],
    seeds: &SeedDb,
    right: Right,
    config: &FindAttrPosConfig,
) -> (BTreeMap<String, Tally>, Vec<BTreeMap<SeedAttributeId, usize>>) {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut levels: Vec<BTreeMap<SeedAttributeId, usize>> = Vec::new();
    for labelled_site in labelled_sites {
        let documents: Vec<&Document> = labelled_site.documents.iter().collect();
        let found = find_attr_pos(&documents, seeds, config);
        for (at, level) in found.levels.into_iter().enumerate() {
            levels.resize(levels.len().max(at + 1), BTreeMap::new());
            for (attribute, count) in level {
                *levels[at].entry(attribute).or_default() += count;
            }
        }
        for (page, document) in documents.iter().enumerate() {
            for (number, name) in seeds.attribute_ids().zip(seeds.attributes()) {
                let Some(printed) = labelled_site.truth[page].get(name) else { continue };
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
fn generated() -> Vec<LabelledSite> {
    let base = SiteSpec { entities: 200, vertical: Vertical::Restaurants, ..SiteSpec::default() };
    let spec = FamilySpec { base, sites: 6, overlap: 0.5, ..FamilySpec::default() };
    SiteFamily::generate(&spec).sites.iter().map(LabelledSite::of).collect()
}

/// Labelled sites of a kind.
fn read_labelled(data: &Path, vertical: &str) -> Vec<LabelledSite> {
    let (labels, documents) = labelled::read(data, vertical);
    let mut labelled_sites = Vec::new();
    for (pages, documents) in labels.into_values().zip(documents.into_values()) {
        let mut truth: Vec<BTreeMap<String, Vec<String>>> = pages.into_values().collect();
        for page in &mut truth {
            page.retain(|_, values| !values.is_empty());
        }
        labelled_sites.push(LabelledSite { documents, truth });
    }
    labelled_sites
}

fn same_key(value: &str, labels: &[String]) -> bool {
    labels.iter().any(|label| labelled::key(label) == labelled::key(value))
}

fn paper(labelled_sites: &[LabelledSite], right: Right) {
    let mut seeds = SeedDb::default();
    labelled_sites[0].seed("site 0", &mut seeds);
    let sum = |tallies: &BTreeMap<String, Tally>| {
        tallies.values().fold(Tally::default(), |mut sum, tally| {
            sum.add(*tally);
            sum
        })
    };
    println!("Figure 2: threshold, precision and coverage of strong similarity, of weak");
    for threshold in [0.5, 0.6, 0.7, 0.8, 0.9] {
        let strong = FindAttrPosConfig { strong: threshold, ..FindAttrPosConfig::default() };
        let weak =
            FindAttrPosConfig { weak: threshold, weak_only: true, ..FindAttrPosConfig::default() };
        let [strong, weak] = [strong, weak]
            .map(|config| sum(&with_paper(&labelled_sites[1..], &seeds, right, &config).0));
        println!(
            "{threshold} {:.3} {:.3}, {:.3} {:.3}",
            strong.precision(),
            strong.coverage(),
            weak.precision(),
            weak.coverage()
        );
    }
    let (tallies, levels) =
        with_paper(&labelled_sites[1..], &seeds, right, &FindAttrPosConfig::default());
    println!("Table 2: attribute, precision, coverage");
    for (name, tally) in &tallies {
        println!("{name} {:.3} {:.3}", tally.precision(), tally.coverage());
    }
    println!("Table 3: positions left of each attribute, by level");
    for (k, level) in (1..).zip(&levels) {
        let left =
            level.iter().map(|(a, count)| format!("{} {count}", seeds.attributes()[a.index()]));
        println!("k = {k}: {}", left.collect::<Vec<_>>().join(", "));
    }
    println!("Table 4: seed records, coverage");
    for size in [20, 50, 100, 200] {
        let mut some = SeedDb::default();
        let truth = labelled_sites[0].truth.iter().take(size).cloned().collect();
        let part = LabelledSite { documents: Vec::new(), truth };
        part.seed("site 0", &mut some);
        println!(
            "{size} {:.3}",
            sum(&with_paper(&labelled_sites[1..], &some, right, &FindAttrPosConfig::default()).0)
                .coverage()
        );
    }
}

fn main() {
    match (std::env::args().nth(1), std::env::args().nth(2)) {
        (Some(data), Some(vertical)) => {
            paper(&read_labelled(Path::new(&data), &vertical), same_key);
        }
        _ => paper(&generated(), family::is_right),
    }
}
