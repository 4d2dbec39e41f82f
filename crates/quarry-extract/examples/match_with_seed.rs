//! The attributes of a site never seen before, by agreement with records that are known already: here those of another shop
//! that sells some of the same things.
//!
//! `cargo run --release -p quarry-extract --example match_with_seed`
#![allow(clippy::print_stdout)]

use quarry_dom::Document;
use quarry_extract::attribute::model::Reader;
use quarry_extract::attribute::{MatchConfig, SeedDb, match_site};
use quarry_testsite::{FamilySpec, Site, SiteFamily, SiteRequest};

fn main() {
    let family = SiteFamily::generate(&FamilySpec::default());
    let [first, second, ..] = family.sites.as_slice() else { return };

    // The seed: records of the first shop, each a few attributes with their values.
    let mut seeds = SeedDb::default();
    for line in first.truth() {
        let mut values = vec![(seeds.attribute("title"), line.title.clone())];
        for (name, printed) in &line.attributes {
            let attribute = seeds.attribute(name);
            values.extend(printed.texts().iter().map(|text| (attribute, text.clone())));
        }
        seeds.add(first.name(), None, values);
    }

    // The pages of the second shop, whose words and layout are its own.
    let pages = documents(second);
    let documents: Vec<&Document> = pages.iter().collect();
    let found = match_site(second.name(), &documents, &seeds, &MatchConfig::default());
    for placed in &found.placed {
        let name = &seeds.attributes()[placed.attribute.index()];
        let label = placed.label.as_deref().unwrap_or("no label");
        println!("{name}: {} ({label}), sure to {:.2}", placed.path, placed.confidence);
    }
    let known = found.records.iter().flatten().count();
    println!("{known} of {} pages are about known records", documents.len());

    // What was learned reads later pages of the shop by itself.
    let reader = Reader::new(&found.model);
    if let Some(page) = documents.first() {
        for value in reader.read(page) {
            println!("  {}: {}", found.model.attributes[value.rule].attribute, value.value);
        }
    }
}

/// The pages of a shop's products.
fn documents(site: &Site) -> Vec<Document> {
    let answer = |url: String| site.respond(&SiteRequest::get(url)).text();
    site.truth().take(200).map(|line| Document::from_html(&answer(line.url))).collect()
}
