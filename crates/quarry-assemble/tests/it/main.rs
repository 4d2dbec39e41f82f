//! Whole tables: generated catalogues, laws, comparisons.

mod cases;
mod changes;
mod generated;
mod laws;
#[allow(unreachable_pub, dead_code)]
mod score;
#[allow(unreachable_pub)]
mod views;

use quarry_assemble::{AssembleConfig, Assembly, Naming, Sighting, assemble};
use quarry_model::{ValueRow, ValueSource};

/// A row as tests write it: entity, source, attribute, value.
fn row(entity: &str, source: ValueSource, attribute: &str, value: &str) -> ValueRow {
    let page = match source {
        ValueSource::Spec | ValueSource::Match => entity,
        ValueSource::Facet | ValueSource::List => "/list",
    };
    ValueRow {
        site: "http://shop.test".to_owned(),
        entity: format!("http://shop.test{entity}"),
        attribute: attribute.to_owned(),
        value: value.to_owned(),
        source,
        page: format!("http://shop.test{page}"),
        path: format!("/html/body/{}/{attribute}", source.as_str()),
        confidence: 0.8,
    }
}

/// The sighting of a row: an attribute `#x` is the unnamed slot x, `title` and `key` are what they say.
fn sighting(row: &ValueRow) -> Sighting<'_> {
    match row.attribute.as_str() {
        "title" => Sighting::title(row),
        "key" => Sighting::key(row),
        slot if slot.starts_with('#') => Sighting::in_slot(row, slot, Naming::Slot),
        _ => Sighting::printed(row),
    }
}

fn check(rows: &[ValueRow], test: impl FnOnce(&Assembly<'_>)) {
    let sightings: Vec<_> = rows.iter().map(sighting).collect();
    test(&assemble(&sightings, &AssembleConfig::default()));
}
