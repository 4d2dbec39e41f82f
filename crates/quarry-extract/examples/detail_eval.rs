//! How well do the slots of detail pages give the labelled attributes? `detail_eval SWDE [--features FILE]` learns the
//! template of the first 100 labelled pages of each site and prints, for each site, the mean over attributes of the best
//! slot's F1 over pages within 40 and 20 slots, and of the best column at all; `--features` writes the figures of every
//! column with its F1 for each attribute, for fitting the ranking.

#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

use quarry_dom::{Document, Limits};
use quarry_extract::attribute::model::Reader;
use quarry_extract::detail::{columns_with_features, learn_details};
use serde_json::{Value, json};

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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(&arguments[0]);
    let mut out =
        arguments.get(2).map(|path| std::fs::File::create(path).expect("the file can be made"));
    let (mut sums, mut sites) = ([0.0; 3], 0.0);
    for ((vertical, site), labels) in labels(folder) {
        let pages: Vec<(&String, &BTreeMap<String, BTreeSet<String>>)> =
            labels.iter().take(100).collect();
        let documents: Vec<Document> = pages
            .iter()
            .map(|(page, _)| {
                let bytes = std::fs::read(folder.join(page)).expect("pages can be read");
                Document::parse(&bytes, None, &Limits::default())
            })
            .collect();
        let documents: Vec<&Document> = documents.iter().collect();
        let wanted: Vec<&BTreeMap<String, BTreeSet<String>>> =
            pages.iter().map(|(_, own)| *own).collect();
        let attributes: BTreeSet<&String> = wanted.iter().flat_map(|page| page.keys()).collect();
        let Some(template) = learn_details(&documents) else { continue };
        let reader = Reader::new(&template.slots);
        let mut columns: Vec<Vec<Option<String>>> =
            vec![vec![None; documents.len()]; template.slots.attributes.len()];
        for (page, document) in documents.iter().enumerate() {
            for found in reader.read(document) {
                columns[found.rule][page].get_or_insert_with(|| key(&found.value));
            }
        }
        let all: Vec<_> = columns_with_features(&documents);
        let raw: Vec<Vec<Option<String>>> = all
            .iter()
            .map(|(_, texts)| texts.iter().map(|text| text.as_deref().map(key)).collect())
            .collect();
        let best = |columns: &[Vec<Option<String>>], attribute: &str| {
            columns.iter().map(|cells| f1(cells, &wanted, attribute)).fold(0.0, f64::max)
        };
        let mean = |columns: &[Vec<Option<String>>]| {
            attributes.iter().map(|a| best(columns, a)).sum::<f64>() / attributes.len() as f64
        };
        let figures = [
            mean(&columns[..columns.len().min(40)]),
            mean(&columns[..columns.len().min(20)]),
            mean(&raw),
        ];
        sums = std::array::from_fn(|at| sums[at] + figures[at]);
        sites += 1.0;
        let each: Vec<String> = attributes
            .iter()
            .map(|attribute| {
                let (at, own) = columns
                    .iter()
                    .enumerate()
                    .map(|(at, cells)| (at, f1(cells, &wanted, attribute)))
                    .fold((0, 0.0), |best, own| if own.1 > best.1 { own } else { best });
                format!("{attribute} {own:.2}@{at}/{:.2}", best(&raw, attribute))
            })
            .collect();
        println!(
            "{vertical} {site}: {:.3} {:.3} of {:.3}; {}",
            figures[0],
            figures[1],
            figures[2],
            each.join(", ")
        );
        if let Some(out) = &mut out {
            for ((features, _), cells) in all.iter().zip(&raw) {
                let scores: BTreeMap<&str, f64> = attributes
                    .iter()
                    .map(|a| (a.as_str(), f1(cells, &wanted, a)))
                    .filter(|(_, f1)| *f1 > 0.3)
                    .collect();
                let line = json!({"vertical": vertical, "site": site, "features": features.0.to_vec(), "f1": scores});
                writeln!(out, "{line}").expect("the file can be written");
            }
        }
    }
    println!(
        "mean: {:.3} within 40, {:.3} within 20, {:.3} at best",
        sums[0] / sites,
        sums[1] / sites,
        sums[2] / sites
    );
}
