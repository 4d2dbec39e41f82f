//! A harvest without the program: learn a site from its pages, read every page, assemble one table.
//!
//! `cargo run --release -p quarry-assemble --example library_harvest`
#![allow(clippy::print_stdout)]

use std::error::Error;

use quarry_assemble::{AssembleConfig, Naming, Role, Sighting, assemble};
use quarry_dom::{Document, NodeId};
use quarry_extract::site::{SitePage, learn_site, read_page};
use quarry_model::{ValueRow, ValueSource};
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
    let mut seen: Vec<(ValueRow, Option<&str>)> = Vec::new();
    let data: Vec<_> = pages.iter().map(|page| read_page(page, &model)).collect();
    for (page, data) in pages.iter().zip(&data) {
        let row = |entity: &str, name: &str, value: &str, node: NodeId, source| ValueRow {
            site: ORIGIN.to_owned(),
            entity: entity.to_owned(),
            attribute: name.to_owned(),
            value: value.to_owned(),
            source,
            page: page.id.to_owned(),
            path: page.document.xpath(node),
            confidence: 0.9,
        };
        for record in &data.records {
            for unit in record.units.iter().filter(|unit| !unit.constant) {
                let name = unit.label.as_deref().unwrap_or(unit.kind.as_str());
                let own = row(&record.entity, name, &unit.text, unit.node, ValueSource::List);
                seen.push((own, Some(&unit.slot)));
            }
        }
        for pair in data.specs.iter().flat_map(|spec| &spec.pairs) {
            let own = row(page.id, &pair.name, &pair.value, pair.value_node, ValueSource::Spec);
            seen.push((own, None));
        }
    }
    let sightings: Vec<Sighting<'_>> = seen
        .iter()
        .map(|(row, slot)| match slot {
            Some(slot) => Sighting::in_slot(row, slot, Naming::Guessed),
            None => Sighting::printed(row),
        })
        .collect();

    let table = assemble(&sightings, &AssembleConfig::default());
    println!("{} values of {} entities", sightings.len(), table.entities.len());
    for column in table.columns.iter().filter(|column| column.role == Role::Attribute) {
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
