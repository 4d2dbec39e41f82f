//! The records of a folder of saved pages: which part of each page is the answer, how it splits into records, and what
//! each record says.
//!
//! `cargo run --release -p quarry-extract --example folder_records [FOLDER]`; without a folder, pages of a generated shop.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::error::Error;
use std::path::Path;

use quarry_dom::{Document, Limits};
use quarry_extract::find::{PageInput, RecordsConfig, find_records};
use quarry_extract::template::{TemplateConfig, extract, learn};
use quarry_testsite::{Site, SiteRequest, SiteSpec};

fn main() -> Result<(), Box<dyn Error>> {
    let pages = match std::env::args().nth(1) {
        Some(folder) => read(Path::new(&folder))?,
        None => generated()?,
    };
    // Pages of one site are looked at together: what they share is the template.
    let inputs: Vec<PageInput<'_>> = pages
        .iter()
        .map(|(name, document)| PageInput { id: name, document, cluster: None })
        .collect();
    let found = find_records(&inputs, &RecordsConfig::default());
    let documents: Vec<&Document> = pages.iter().map(|(_, document)| document).collect();
    let model = learn(&documents, &found, &TemplateConfig::default());

    for (page, document) in found.iter().zip(&documents) {
        let Some(region) = page.regions.first() else { continue };
        let path = document.xpath(region.node);
        println!("{}: {} records at {path}", page.page, region.records.len());
        // What the records of the best region say, in the slots of the site's template.
        let records = extract(document, page, &model).into_iter().next().unwrap_or_default();
        for record in records.iter().take(3) {
            let shown = record.units.iter().filter(|unit| unit.attribute.is_none());
            let units: Vec<String> = shown
                .map(|unit| match &unit.label {
                    Some(label) => format!("{label}: {}", unit.text),
                    None => unit.text.clone(),
                })
                .collect();
            println!("  {}", units.join(" | "));
        }
    }
    Ok(())
}

/// The HTML files of a folder, by name.
fn read(folder: &Path) -> Result<Vec<(String, Document)>, Box<dyn Error>> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
            let document = Document::parse(&std::fs::read(&path)?, None, &Limits::default());
            pages.push((path.display().to_string(), document));
        }
    }
    pages.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(pages)
}

/// Lists of a generated shop.
fn generated() -> Result<Vec<(String, Document)>, Box<dyn Error>> {
    let site = Site::generate(SiteSpec::preset("shop")?);
    let addresses = (1..=5).map(|page| format!("{}?page={page}", site.root()));
    Ok(addresses
        .map(|address| {
            let html = site.respond(&SiteRequest::get(&*address)).text();
            (address, Document::from_html(&html))
        })
        .collect())
}
