//! Sites with labels, as the examples read them: `labels-VERTICAL.jsonl` beside folders of pages.

use std::collections::BTreeMap;
use std::path::Path;

use quarry_dom::{Document, Limits};
use quarry_extract::attribute::SeedDb;
use rayon::prelude::*;

/// Values by site, page and attribute.
pub type Labels = BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<String>>>>;

/// What two texts have in common that count as equal.
pub fn key(text: &str) -> String {
    let plain = text.to_lowercase().replace(['\u{2018}', '\u{2019}'], "'");
    let plain = plain.trim_matches(|c: char| !c.is_alphanumeric() && !"+$€£".contains(c));
    plain.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The labels of a vertical, and the pages of each site in their order.
pub fn read(data: &Path, vertical: &str) -> (Labels, BTreeMap<String, Vec<Document>>) {
    let text =
        std::fs::read_to_string(data.join(format!("labels-{vertical}.jsonl"))).expect("labels");
    let (mut labels, mut folders) = (Labels::new(), BTreeMap::new());
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        let field = |name: &str| row[name].as_str().expect("a text").to_owned();
        let page = field("page");
        let (folder, file) = page.rsplit_once('/').expect("a folder");
        folders.insert(field("site"), folder.to_owned());
        let values = row["values"].as_array().expect("a list").iter();
        let values = values.map(|value| value.as_str().expect("a text").to_owned()).collect();
        let site = labels.entry(field("site")).or_default();
        site.entry(file.to_owned()).or_default().insert(field("attribute"), values);
    }
    let mut documents: BTreeMap<String, Vec<Document>> = BTreeMap::new();
    for (site, pages) in &labels {
        let files: Vec<&String> = pages.keys().collect();
        let read = |file: &&String| {
            let bytes = std::fs::read(data.join(&folders[site]).join(file)).expect("a page");
            Document::parse(&bytes, None, &Limits::default())
        };
        documents.insert(site.clone(), files.par_iter().map(read).collect());
    }
    (labels, documents)
}

/// A seed of the labels of one site.
pub fn seed(labels: &Labels, site: &str) -> SeedDb {
    let mut seeds = SeedDb::default();
    for record in labels[site].values() {
        let mut values = Vec::new();
        for (attribute, texts) in record {
            let attribute = seeds.attribute(attribute);
            values.extend(texts.iter().map(|text| (attribute, text.clone())));
        }
        seeds.add(site, None, values);
    }
    seeds
}
