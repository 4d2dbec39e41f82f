//! Scores the product ids that are read from specifications of labelled pages, by kind.
//!
//! `cargo run --release -p quarry-harvest --example ids_eval -- $(shared/data/unpack)`
#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};

use quarry_extract::spec::{IdKind, KnownPairs, ProductId, normal_name, product_id, product_ids};
use quarry_harvest::{ParsedPage, stages};
use quarry_model::InputPage;
use quarry_store::open_input;
use serde_json::Value;

/// Right, wrong, and those that the labels say nothing of.
type Counts = BTreeMap<IdKind, [u32; 3]>;

fn lines(path: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The ids of each page; pages of one site are read together.
fn ids_of_site(
    root: &Path,
    pages: &BTreeSet<String>,
) -> Result<BTreeMap<String, Vec<ProductId>>, Box<dyn Error>> {
    let mut parsed = Vec::new();
    for name in pages {
        let path: PathBuf = root.join(name);
        if !path.exists() {
            continue;
        }
        for page in open_input(&[path], None)?.pages() {
            parsed.push(ParsedPage::parse(InputPage { id: name.clone(), ..page? }));
        }
    }
    let specs = stages::read_specs(&parsed, &KnownPairs::default());
    let ids = specs.iter().map(|specs| {
        let pairs: Vec<_> = specs.iter().flat_map(|spec| spec.pairs.iter().cloned()).collect();
        product_ids(&pairs)
    });
    Ok(parsed.iter().map(|page| page.id.clone()).zip(ids).collect())
}

fn show(name: &str, counts: &Counts) {
    for (kind, [right, wrong, unknown]) in counts {
        let share = f64::from(*right) / f64::from((right + wrong).max(1));
        println!(
            "{name:18} {kind:?}: P {share:.3} ({right} right, {wrong} wrong, {unknown} not labelled)"
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let root =
        PathBuf::from(std::env::args().nth(1).ok_or("name the folder of the labelled data")?);

    // Labelled pairs: an id is right if a labelled pair has this value under a name of this kind.
    let folder = root.join("screens2023");
    let mut shops: BTreeMap<String, BTreeMap<String, BTreeSet<(IdKind, String)>>> = BTreeMap::new();
    for line in lines(&folder.join("specs.jsonl"))? {
        let (shop, page) =
            (line["shop"].as_str().unwrap_or(""), line["page"].as_str().unwrap_or(""));
        let pairs = line["pairs"].as_array().into_iter().flatten();
        let ids = pairs.filter_map(|pair| product_id(pair[0].as_str()?, pair[1].as_str()?));
        let gold = ids.map(|id| (id.kind, normal_name(&id.id))).collect();
        shops.entry(shop.to_owned()).or_default().insert(page.to_owned(), gold);
    }
    let mut counts = Counts::new();
    for pages in shops.values() {
        let found = ids_of_site(&folder, &pages.keys().cloned().collect())?;
        for (page, ids) in found {
            for id in ids {
                let right = pages[&page].contains(&(id.kind, normal_name(&id.id)));
                let kinds = pages[&page].iter().any(|(kind, _)| *kind == id.kind);
                let place = if right {
                    0
                } else if kinds {
                    1
                } else {
                    2
                };
                counts.entry(id.kind).or_default()[place] += 1;
                if place > 0 {
                    println!("  {page}: {id:?}");
                }
            }
        }
    }
    show("screens2023", &counts);

    // Labelled attributes: gtin, mpn and sku of a page.
    let folder = root.join("product_benchmark");
    let mut sites: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut gold: BTreeMap<(String, &str), BTreeSet<String>> = BTreeMap::new();
    for line in lines(&folder.join("labels.jsonl"))? {
        let (site, page) =
            (line["site"].as_str().unwrap_or(""), line["page"].as_str().unwrap_or(""));
        sites.entry(site.to_owned()).or_default().insert(page.to_owned());
        let attribute = ["gtin", "mpn", "sku"].into_iter().find(|name| line["attribute"] == **name);
        if let Some(attribute) = attribute {
            let values = line["values"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let values = values.map(|value| normal_name(value).trim_start_matches('0').to_owned());
            gold.entry((page.to_owned(), attribute)).or_default().extend(values);
        }
    }
    let mut counts = Counts::new();
    for pages in sites.values() {
        for (page, ids) in ids_of_site(&folder, pages)? {
            for id in ids {
                let attributes: &[&str] = match id.kind {
                    IdKind::Gtin | IdKind::Isbn => &["gtin"],
                    IdKind::Mpn | IdKind::Model => &["mpn"],
                    IdKind::Sku => &["sku"],
                };
                let labels: BTreeSet<&String> = attributes
                    .iter()
                    .filter_map(|name| gold.get(&(page.clone(), *name)))
                    .flatten()
                    .collect();
                let own = normal_name(&id.id).trim_start_matches('0').to_owned();
                let place = if labels.contains(&own) {
                    0
                } else if labels.is_empty() {
                    2
                } else {
                    1
                };
                counts.entry(id.kind).or_default()[place] += 1;
                if place == 1 {
                    println!("  {page}: {id:?}, labelled {labels:?}");
                }
            }
        }
    }
    show("product_benchmark", &counts);
    Ok(())
}
