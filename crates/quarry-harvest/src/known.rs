//! Known records: of seed files, of other projects, and of the sites of a harvest that were read before.

use std::collections::BTreeMap;

use quarry_assemble::Assembly;
use quarry_extract::attribute::{SeedAttributeId, SeedDb};
use quarry_model::{EntityState, EvidenceRole, EvidenceStore, PortError, TableReader, ValueSource};

use crate::HarvestError;
use crate::tables::printed;

/// The attribute that holds what an entity is called.
const TITLE: &str = "title";

/// The entities of a project as known records; `None` if it has no table yet.
pub fn of_project(tables: &dyn TableReader) -> Result<Option<SeedDb>, HarvestError> {
    let mut seeds = SeedDb::default();
    let title = seeds.attribute(TITLE);
    let mut attributes: BTreeMap<String, SeedAttributeId> = BTreeMap::new();
    for column in tables.columns()? {
        if let Some(attribute) = attribute(&mut seeds, &column.name, &column.printed) {
            attributes.insert(column.name, attribute);
        }
    }
    let mut records: BTreeMap<(String, String), Vec<(SeedAttributeId, String)>> = BTreeMap::new();
    tables.each_entity(&mut |row| {
        if row.state != EntityState::Removed {
            let record = records.entry((row.site, row.entity)).or_default();
            record.extend(row.title.map(|text| (title, text)));
        }
        Ok(())
    })?;
    tables.each_value(None, &mut |row| {
        if let (Some(attribute), Some(record)) =
            (attributes.get(&row.attribute), records.get_mut(&(row.site, row.entity)))
        {
            let value = (*attribute, row.value);
            if !record.contains(&value) {
                record.push(value);
            }
        }
        Ok(())
    })?;
    let is_empty = records.is_empty();
    for ((site, page), values) in records {
        seeds.add(&site, Some(page), values);
    }
    Ok((!is_empty).then_some(seeds))
}

/// Adds what a site of this harvest taught. Columns that agree with known records keep the name that these have.
pub(crate) fn add_table(
    seeds: &mut SeedDb,
    table: &Assembly,
    evidence: &mut dyn EvidenceStore,
) -> Result<(), PortError> {
    let title = seeds.attribute(TITLE);
    let mut columns: Vec<Option<SeedAttributeId>> = Vec::new();
    for column in &table.columns {
        let known = column.names.iter().find(|name| name.source == ValueSource::Match);
        let known = known.filter(|_| !column.is_user_named);
        let name = known.map_or(&column.name, |known| &known.name);
        let is_attribute = column.role == EvidenceRole::Attribute;
        let mut labels = printed(column);
        labels.extend(column.is_user_named.then(|| column.name.clone()));
        columns.push(is_attribute.then(|| attribute(seeds, name, &labels)).flatten());
    }
    table.each_entity(evidence, &mut |entity| {
        let titles = entity.title.iter().map(|text| (title, (*text).to_owned()));
        let cells = entity.cells.iter().filter_map(|cell| Some((columns[cell.column]?, cell)));
        let values = cells.flat_map(|(column, cell)| {
            cell.values.iter().map(move |value| (column, value.text.to_owned()))
        });
        let values: Vec<(SeedAttributeId, String)> = titles.chain(values).collect();
        seeds.add(entity.site, Some(entity.address.to_owned()), values);
        Ok(())
    })
}

/// The attribute of a column that a site has named, with all names that sites print for it.
fn attribute(seeds: &mut SeedDb, name: &str, printed: &[String]) -> Option<SeedAttributeId> {
    let is_named = !printed.is_empty() && !name.eq_ignore_ascii_case(TITLE);
    is_named.then(|| {
        let attribute = seeds.attribute(name);
        let labels = printed.iter().map(|label| label.to_lowercase());
        labels.for_each(|label| seeds.add_label(attribute, &label));
        attribute
    })
}

/// Adds known records to others.
pub fn append(all: &mut SeedDb, more: &SeedDb) {
    let names: Vec<SeedAttributeId> =
        more.attributes().iter().map(|name| all.attribute(name)).collect();
    for record in more.records() {
        let values = more.attribute_ids().zip(&names).flat_map(|(own, name)| {
            record.values(own).iter().map(move |value| (*name, value.clone()))
        });
        let values: Vec<(SeedAttributeId, String)> = values.collect();
        all.add(&record.site, record.page.clone(), values);
    }
}
