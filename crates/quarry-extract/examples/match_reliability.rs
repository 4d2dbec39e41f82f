//! Is a confidence of 0.9 right nine times in ten? `match_reliability SWDE [VERTICAL,…]` takes every site as seed of every other one, without
//! growth or, with `--grow`, in turn, and `match_reliability families` generated sites with growth. Each prints confidences against the share of
//! right values; with `--cases`, one line for each attribute of a site. `match_reliability curve SWDE` fits the curve of
//! `attribute/confidence.rs` to half of the kinds of sites and prints what it is worth on the other half, both ways.

#![allow(clippy::disallowed_methods, clippy::print_stdout)]

#[allow(dead_code, unreachable_pub)]
#[path = "../tests/it/family.rs"]
mod family;
#[allow(dead_code, unreachable_pub)]
mod isotonic;
#[allow(unreachable_pub)]
mod labelled;

use std::collections::BTreeMap;
use std::path::Path;

use labelled::key;
use quarry_dom::Document;
use quarry_extract::attribute::{
    Field, MatchConfig, Placed, SeedAttributeId, SiteMatch, match_site,
};
use quarry_testsite::{FamilySpec, SiteSpec, Vertical};

/// Bounds of the rows of the table.
const BOUNDS: [f64; 9] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/// A row: values, right ones, and the sum of their confidences.
type Rows = BTreeMap<usize, (f64, f64, f64)>;

struct Report {
    rows: Rows,
    cases: bool,
    /// Whether sites teach the next ones.
    grow: bool,
    /// Attributes whose confidence is less are left out.
    least: f64,
    /// Kind of site, chance and share of right values, for each placement on a site of the seed's kind.
    placements: Vec<(String, f64, f64)>,
    /// Right, predicted and labelled values, by vertical and attribute of a site.
    scores: BTreeMap<String, Vec<(f64, f64, f64)>>,
}

impl Report {
    fn new(cases: bool) -> Self {
        let least = MatchConfig::default().min_confidence;
        let (rows, scores) = (Rows::new(), BTreeMap::new());
        Self { rows, cases, grow: false, least, placements: Vec::new(), scores }
    }

    /// Takes note of the values of one attribute on one site. `right` is asked for one value on a page that has some.
    fn note(
        &mut self,
        vertical: &str,
        name: &str,
        found: &SiteMatch,
        attribute: SeedAttributeId,
        labelled: usize,
        right: &dyn Fn(&Field) -> bool,
    ) {
        let mut by_page: BTreeMap<usize, Vec<&Field>> = BTreeMap::new();
        for field in found.fields.iter().filter(|field| field.attribute == attribute) {
            by_page.entry(field.page).or_default().push(field);
        }
        let mut hits = 0.0;
        for fields in by_page.values() {
            let hit = f64::from(u8::from(fields.iter().any(|field| right(field))));
            let confidence = fields[0].confidence;
            let row = BOUNDS.iter().filter(|bound| confidence >= **bound).count();
            let row = self.rows.entry(row).or_default();
            *row = (row.0 + 1.0, row.1 + hit, row.2 + confidence);
            hits += hit;
        }
        let score = (hits, by_page.len() as f64, labelled as f64);
        self.scores.entry(vertical.to_owned()).or_default().push(score);
        let placed = found.placed.iter().find(|placed| placed.attribute == attribute);
        if let Some(placed) =
            placed.filter(|_| !by_page.is_empty() && found.domain_similarity > 0.9)
        {
            let right = hits / by_page.len() as f64;
            self.placements.push((vertical.to_owned(), placed.chance, right));
        }
        if let Some(placed) = placed.filter(|_| self.cases) {
            println!(
                "{vertical}\t{name}\t{:.4}\t{:.3}\t{:.3}\t{}\t{hits}\t{labelled}\t{}",
                placed.confidence,
                placed.scores.0,
                placed.scores.1,
                by_page.len(),
                evidence(placed)
            );
        }
    }

    fn print(&self) {
        for (vertical, scores) in &self.scores {
            let mean = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
                scores.iter().map(of).sum::<f64>() / scores.len() as f64
            };
            let precision = mean(&|(hits, predicted, _)| hits / predicted.max(1.0));
            let recall = mean(&|(hits, _, labelled)| hits / labelled.max(1.0));
            println!("{vertical}: precision {precision:.3}, recall {recall:.3}");
        }
        println!("values, mean confidence, share right");
        for (count, right, sum) in self.rows.values() {
            println!("{count:6} {:.3} {:.3}", sum / count, right / count);
        }
    }
}

/// The evidence of a placement in one line.
fn evidence(placed: &Placed) -> String {
    let one = |(name, figure): &(&str, f64)| format!("{name}={figure:.3}");
    placed.evidence.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn labelled_sites(data: &Path, vertical: &str, report: &mut Report) {
    let (labels, documents) = labelled::read(data, vertical);
    let sites: Vec<&String> = labels.keys().collect();
    for (turn, seed) in sites.iter().enumerate() {
        let mut seeds = labelled::seed(&labels, seed);
        let others = (1..sites.len()).map(|next| sites[(turn + next) % sites.len()]);
        for target in others {
            let pages: Vec<&Document> = documents[target].iter().collect();
            let truth: Vec<&BTreeMap<String, Vec<String>>> = labels[target].values().collect();
            let config = MatchConfig { min_confidence: report.least, ..MatchConfig::default() };
            let found = match_site(target, &pages, &seeds, &config);
            for (number, attribute) in seeds.attribute_ids().zip(seeds.attributes()) {
                let has = |page: &&&BTreeMap<String, Vec<String>>| {
                    page.get(attribute).is_some_and(|values| !values.is_empty())
                };
                let labelled = truth.iter().filter(has).count();
                let known = seeds.records().iter().any(|record| !record.values(number).is_empty());
                if labelled == 0 || !known {
                    continue;
                }
                let right = |field: &Field| {
                    let values = truth[field.page].get(attribute);
                    values.is_some_and(|all| all.iter().any(|v| key(v) == key(&field.value)))
                };
                let name = format!("{seed} to {target}: {attribute}");
                report.note(vertical, &name, &found, number, labelled, &right);
            }
            if report.grow {
                let ids: Vec<&str> = labels[target].keys().map(String::as_str).collect();
                found.grow(target, &ids, &mut seeds);
            }
        }
    }
}

fn families(report: &mut Report) {
    for vertical in [Vertical::Restaurants, Vertical::Books] {
        for overlap in [0.05, 0.2, 0.8] {
            let base = SiteSpec { entities: 60, vertical, ..SiteSpec::default() };
            let spec = FamilySpec { base, sites: 20, overlap, ..FamilySpec::default() };
            family::each(&spec, true, &mut |site, found, labelled_site, seeds| {
                for (number, attribute) in seeds.attribute_ids().zip(seeds.attributes()) {
                    let there =
                        labelled_site.truth.iter().filter(|page| page.contains_key(attribute));
                    let right = |field: &Field| {
                        let printed = labelled_site.truth[field.page].get(attribute);
                        printed.is_some_and(|printed| family::is_right(&field.value, printed))
                    };
                    let name = format!("{overlap} {site}: {attribute}");
                    let labelled = there.count();
                    report.note(&format!("{vertical:?}"), &name, found, number, labelled, &right);
                }
            });
        }
    }
}

const KINDS: &str = "auto,book,camera,job,movie,nbaplayer,restaurant,university";

/// Fits a curve to each half of the kinds of sites and judges it by the other half; then one to all.
fn curve(data: &Path) {
    let mut report = Report { least: 0.0, ..Report::new(false) };
    for name in KINDS.split(',') {
        labelled_sites(data, name, &mut report);
    }
    families(&mut report);
    let half = ["auto", "camera", "movie", "restaurant", "Books"];
    let points = |own: &dyn Fn(&str) -> bool| -> Vec<(f64, f64)> {
        let of = report.placements.iter().filter(|(kind, ..)| own(kind));
        of.map(|(_, chance, right)| (*chance, *right)).collect()
    };
    let (a, b) = (points(&|kind| half.contains(&kind)), points(&|kind| !half.contains(&kind)));
    for (fitted, judged) in [(&a, &b), (&b, &a)] {
        let knots = isotonic::fit(fitted);
        println!("fitted to {}, judged on {}: confidence, share right", fitted.len(), judged.len());
        for (count, predicted, right) in isotonic::reliability(&knots, judged) {
            println!("{count:5} {predicted:.3} {right:.3}");
        }
    }
    let all: Vec<(f64, f64)> = a.iter().chain(&b).copied().collect();
    println!("knots of a fit to all: {:.3?}", isotonic::fit(&all));
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let cases = arguments.iter().any(|argument| argument == "--cases");
    arguments.retain(|argument| argument != "--cases");
    let grow = arguments.iter().any(|argument| argument == "--grow");
    arguments.retain(|argument| argument != "--grow");
    let mut report = Report { grow, ..Report::new(cases) };
    let data = arguments.first().expect("a folder of labelled sites, or \"families\"");
    if data == "curve" {
        return curve(Path::new(arguments.get(1).expect("a folder of labelled sites")));
    }
    if data == "families" {
        families(&mut report);
    } else {
        let names = arguments.get(1).map_or(KINDS, String::as_str);
        for name in names.split(',') {
            labelled_sites(Path::new(data), name, &mut report);
        }
    }
    report.print();
}
