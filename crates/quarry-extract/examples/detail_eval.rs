//! Measures how well the slots of detail pages give the labelled attributes. `detail_eval SWDE [--fit]` learns the template of
//! the first 100 labelled pages of each site and prints, for each site, the mean over attributes of the best slot's F1 over
//! pages within 40 and 20 slots, and of the best column at all. With `--fit` the ranking is fitted to the other verticals
//! first; at the end stand the weights fitted to all.

#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quarry_dom::{Document, Limits};
use quarry_extract::attribute::model::Reader;
use quarry_extract::detail::{
    FEATURES, Features, Ranking, columns_with_features, learn_details_ranked,
};
use serde_json::Value;

type Labels = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

fn key(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// Site (vertical and name) -> page -> attribute -> values.
fn labels(folder: &Path) -> BTreeMap<(String, String), Labels> {
    let mut sites: BTreeMap<(String, String), Labels> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("entries have names").to_string_lossy().into_owned();
        if !name.starts_with("labels") {
            continue;
        }
        for line in std::fs::read_to_string(&path).expect("labels can be read").lines() {
            let row: Value = serde_json::from_str(line).expect("labels are JSON lines");
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let values = row["values"]
                .as_array()
                .expect("labels have values")
                .iter()
                .filter_map(Value::as_str)
                .map(key);
            let values: BTreeSet<String> = values.filter(|value| !value.is_empty()).collect();
            if values.is_empty() {
                continue;
            }
            let pages = sites.entry((text("vertical"), text("site"))).or_default();
            pages.entry(text("page")).or_default().insert(text("attribute"), values);
        }
    }
    sites
}

/// The F1 of a column for an attribute.
fn f1(
    cells: &[Option<String>],
    pages: &[&BTreeMap<String, BTreeSet<String>>],
    attribute: &str,
) -> f64 {
    let said = cells.iter().flatten().count();
    let wanted = pages.iter().filter(|page| page.contains_key(attribute)).count();
    let hit = |(cell, page): (&Option<String>, &&BTreeMap<String, BTreeSet<String>>)| {
        let (Some(cell), Some(values)) = (cell, page.get(attribute)) else { return false };
        values.contains(cell)
    };
    let hits = cells.iter().zip(pages).filter(|&pair| hit(pair)).count();
    2.0 * hits as f64 / (said + wanted).max(1) as f64
}

/// A site with its labels and the columns of its pages.
struct Site {
    vertical: String,
    name: String,
    documents: Vec<Document>,
    wanted: Vec<BTreeMap<String, BTreeSet<String>>>,
    /// Features of each column, and the best F1 that it has for an attribute.
    columns: Vec<(Features, f64)>,
    best: f64,
}

impl Site {
    fn attributes(&self) -> BTreeSet<&String> {
        self.wanted.iter().flat_map(BTreeMap::keys).collect()
    }

    fn read(folder: &Path, (vertical, name): (String, String), labels: &Labels) -> Self {
        let pages: Vec<_> = labels.iter().take(100).collect();
        let parse = |page: &String| {
            let bytes = std::fs::read(folder.join(page)).expect("pages can be read");
            Document::parse(&bytes, None, &Limits::default())
        };
        let documents: Vec<Document> = pages.iter().map(|(page, _)| parse(page)).collect();
        let wanted: Vec<_> = pages.iter().map(|(_, own)| (*own).clone()).collect();
        let mut site = Self { vertical, name, documents, wanted, columns: Vec::new(), best: 0.0 };
        let borrowed: Vec<&Document> = site.documents.iter().collect();
        let all = columns_with_features(&borrowed);
        let attributes: Vec<String> = site.attributes().into_iter().cloned().collect();
        let pages: Vec<&BTreeMap<String, BTreeSet<String>>> = site.wanted.iter().collect();
        let mut best = vec![0.0_f64; attributes.len()];
        let mut columns = Vec::with_capacity(all.len());
        for (features, texts) in all {
            let cells: Vec<Option<String>> =
                texts.iter().map(|text| text.as_deref().map(key)).collect();
            let mut most = 0.0_f64;
            for (attribute, best) in attributes.iter().zip(&mut best) {
                let own = f1(&cells, &pages, attribute);
                *best = best.max(own);
                most = most.max(own);
            }
            columns.push((features, most));
        }
        site.best = best.iter().sum::<f64>() / best.len().max(1) as f64;
        site.columns = columns;
        site
    }

    /// The mean over attributes of the best slot's F1 within 40 and 20 slots, and a line that says which.
    fn score(&self, ranking: &Ranking) -> ([f64; 2], String) {
        let documents: Vec<&Document> = self.documents.iter().collect();
        let Some(template) = learn_details_ranked(&documents, ranking) else {
            return ([0.0; 2], String::new());
        };
        let reader = Reader::new(&template.slots);
        let mut columns: Vec<Vec<Option<String>>> =
            vec![vec![None; documents.len()]; template.slots.attributes.len()];
        for (page, document) in documents.iter().enumerate() {
            for found in reader.read(document) {
                columns[found.rule][page].get_or_insert_with(|| key(&found.value));
            }
        }
        // In the order of use: repeated labels have lost some of their confidence.
        let rules = &template.slots.attributes;
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by(|&a, &b| rules[b].confidence.total_cmp(&rules[a].confidence).then(a.cmp(&b)));
        let pages: Vec<&BTreeMap<String, BTreeSet<String>>> = self.wanted.iter().collect();
        let (mut sums, mut each) = ([0.0; 2], Vec::new());
        let attributes = self.attributes();
        for attribute in &attributes {
            let scores: Vec<f64> =
                order.iter().map(|&at| f1(&columns[at], &pages, attribute)).collect();
            let within = |most: usize| scores.iter().take(most).copied().fold(0.0, f64::max);
            let best = within(scores.len());
            let at = scores.iter().position(|score| *score >= best).unwrap_or(0);
            sums = [sums[0] + within(40), sums[1] + within(20)];
            each.push(format!("{attribute} {best:.2}@{at}"));
        }
        (sums.map(|sum| sum / attributes.len().max(1) as f64), each.join(", "))
    }
}

/// Steps of the fit, their size, and how strongly weights are held to those they begin with.
const STEPS: usize = 400;
const RATE: f64 = 0.5;
const HOLD: f64 = 0.01;
/// A column with this F1 for some attribute is wanted.
const WANTED: f64 = 0.6;

/// Fits a ranking to some sites; all weigh alike, and wanted columns as much as others.
fn fit<'s>(sites: impl Iterator<Item = &'s Site>) -> Ranking {
    let mut samples: Vec<(&Features, f64, f64)> = Vec::new();
    for site in sites {
        let is_wanted = |(_, f1): &&(Features, f64)| *f1 >= WANTED;
        let wanted = site.columns.iter().filter(is_wanted).count().max(1) as f64;
        let others = (site.columns.len() as f64 - wanted).max(1.0);
        samples.extend(site.columns.iter().map(|(features, f1)| {
            let positive = *f1 >= WANTED;
            (features, f64::from(u8::from(positive)), 1.0 / if positive { wanted } else { others })
        }));
    }
    let total: f64 = samples.iter().map(|(_, _, weight)| weight).sum();
    let start = Ranking::default();
    let mut ranking = start.clone();
    for _ in 0..STEPS {
        let mut gradient = [0.0; FEATURES.len()];
        let mut bias = 0.0;
        for (features, positive, weight) in &samples {
            let miss = (positive - ranking.wanted(features)) * weight / total;
            bias += miss;
            for (sum, figure) in gradient.iter_mut().zip(features.0) {
                *sum += miss * figure;
            }
        }
        ranking.bias += RATE * bias;
        for (at, own) in ranking.weights.iter_mut().enumerate() {
            *own += RATE * (gradient[at] * 4.0 - HOLD * (*own - start.weights[at]));
        }
    }
    ranking
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(&arguments[0]);
    let fits = arguments.iter().any(|argument| argument == "--fit");
    let sites: Vec<Site> = labels(folder)
        .into_iter()
        .map(|(site, labels)| Site::read(folder, site, &labels))
        .collect();
    let verticals: BTreeSet<&String> = sites.iter().map(|site| &site.vertical).collect();
    let rankings: BTreeMap<&String, Ranking> = verticals
        .into_iter()
        .map(|vertical| {
            let others = sites.iter().filter(|site| site.vertical != *vertical);
            (vertical, if fits { fit(others) } else { Ranking::default() })
        })
        .collect();
    let (mut sums, mut best) = ([0.0; 2], 0.0);
    for site in &sites {
        let (figures, each) = site.score(&rankings[&site.vertical]);
        sums = [sums[0] + figures[0], sums[1] + figures[1]];
        best += site.best;
        let (vertical, name) = (&site.vertical, &site.name);
        println!(
            "{vertical} {name}: {:.3} {:.3} of {:.3}; {each}",
            figures[0], figures[1], site.best
        );
    }
    let count = sites.len().max(1) as f64;
    println!(
        "mean: {:.3} within 40, {:.3} within 20, {:.3} at best",
        sums[0] / count,
        sums[1] / count,
        best / count
    );
    if fits {
        let all = fit(sites.iter());
        println!("fitted to all: bias {:.2}", all.bias);
        for (name, weight) in FEATURES.iter().zip(all.weights) {
            println!("  {name} {weight:.2}");
        }
    }
}
