//! A harvest without the program: learn a site from its pages, read every page, assemble one table.
//!
//! `cargo run --release -p quarry-assemble --example library_harvest`
#![allow(clippy::print_stdout)]

use std::error::Error;

use quarry_assemble::{AssembleConfig, MemoryEvidence, assemble};
use quarry_dom::{Document, NodeId};
use quarry_extract::site::{SitePage, learn_site, read_page};
use quarry_model::{Evidence, EvidenceRole, EvidenceStore, NameOrigin, ValueSource};
use quarry_testsite::{Site, SiteRequest, SiteSpec};
use url::Url;

const ORIGIN: &str = "http://shop.example";

fn main() -> Result<(), Box<dyn Error>> {
    let pages = pages()?;
    let pages: Vec<SitePage<'_>> = pages
        .iter()
        .map(|(address, document)| SitePage { id: address.as_str(), address, document })
        .collect();
    // Learned once; it is plain data that can be kept with serde and used on later pages.
    let model = learn_site(&pages);

    // Every value that a page shows of an entity, with its place.
    let mut store = MemoryEvidence::default();
    let mut found = 0;
    for page in &pages {
        let data = read_page(page, &model);
        let mut add = |entity: &str, name: &str, value: &str, node: NodeId, slot: Option<&str>| {
            found += 1;
            store.add(Evidence {
                site: ORIGIN.to_owned(),
                entity: entity.to_owned(),
                role: EvidenceRole::Attribute,
                attribute: name.to_owned(),
                naming: if slot.is_some() { NameOrigin::Guessed } else { NameOrigin::Printed },
                slot: slot.map(str::to_owned),
                value: value.to_owned(),
                source: if slot.is_some() { ValueSource::List } else { ValueSource::Spec },
                page: page.id.to_owned(),
                path: page.document.xpath(node),
                confidence: 0.9,
            })
        };
        for record in &data.records {
            for unit in record.units.iter().filter(|unit| !unit.constant) {
                let name = unit.label.as_deref().unwrap_or(unit.kind.as_str());
                add(&record.entity, name, &unit.text, unit.node, Some(&unit.slot))?;
            }
        }
        for pair in data.specs.iter().flat_map(|spec| &spec.pairs) {
            add(page.id, &pair.name, &pair.value, pair.value_node, None)?;
        }
    }

    let table = assemble(&mut store, None, &AssembleConfig::default())?;
    println!("{found} values of {} entities", table.entities);
    for column in table.columns.iter().filter(|column| column.role == EvidenceRole::Attribute) {
        let examples = column.examples.join(" | ");
        println!("{} ({}), {:.0} %: {examples}", column.name, column.kind, 100.0 * column.fill);
    }
    Ok(())
}

/// The lists and the products of a generated shop.
fn pages() -> Result<Vec<(Url, Document)>, Box<dyn Error>> {
    let spec = SiteSpec::preset("shop")?;
    let site = Site::generate(SiteSpec { entities: 60, ..spec });
    let lists = (1..=3).map(|page| format!("{}?page={page}", site.root()));
    let addresses = lists.chain(site.truth().map(|line| line.url));
    let read = |target: String| {
        let html = site.respond(&SiteRequest::get(&*target)).text();
        Ok((Url::parse(&format!("{ORIGIN}{target}"))?, Document::from_html(&html)))
    };
    addresses.map(read).collect()
}
