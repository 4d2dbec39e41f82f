//! Links the entities of several sites into things: reads the tables of projects, and writes the table `things`.

use std::collections::BTreeSet;

use quarry_assemble::link::LinkEntity;
pub use quarry_assemble::link::{
    LinkConfig, LinkExplanation, LinkInput, Links, PairExplanation, link,
};
use quarry_model::{
    ColumnKind, ColumnRow, EntityCell, EntityState, PortError, TableReader, TableStore,
};

use crate::text::thousands;

/// Adds the entities of a project, as its table has them.
pub fn add_entities(tables: &dyn TableReader, input: &mut LinkInput) -> Result<(), PortError> {
    let columns = tables.columns()?;
    tables.each_entity(&mut |row| {
        if row.state == EntityState::Removed {
            return Ok(());
        }
        let mut texts: Vec<(usize, String)> = Vec::new();
        for (at, (cell, column)) in row.cells.iter().zip(&columns).enumerate() {
            texts.extend(cell_texts(cell, column).into_iter().map(|text| (at, text)));
        }
        let values: Vec<(&str, &str)> =
            texts.iter().map(|(at, text)| (columns[*at].name.as_str(), text.as_str())).collect();
        input.add(&LinkEntity {
            site: &row.site,
            entity: &row.entity,
            kind: &row.entity_kind,
            name: row.title.as_deref(),
            values: &values,
        });
        Ok(())
    })
}

/// The texts of a cell; numbers with their unit.
fn cell_texts(cell: &EntityCell, column: &ColumnRow) -> Vec<String> {
    match cell {
        EntityCell::Null => Vec::new(),
        EntityCell::Boolean(yes) => vec![if *yes { "yes" } else { "no" }.to_owned()],
        EntityCell::Number(number) => {
            let unit = column.unit.as_deref().unwrap_or_default();
            let has_unit = matches!(column.kind, ColumnKind::Number | ColumnKind::Price);
            match has_unit && !unit.is_empty() {
                true => vec![format!("{number} {unit}")],
                false => vec![number.to_string()],
            }
        }
        EntityCell::Text(text) => vec![text.clone()],
        EntityCell::List(texts) => texts.clone(),
    }
}

/// How many sites have entities.
fn count_sites(tables: &dyn TableReader) -> Result<usize, PortError> {
    let mut sites: BTreeSet<String> = BTreeSet::new();
    tables.each_entity(&mut |row| {
        if row.state != EntityState::Removed && !sites.contains(&row.site) {
            sites.insert(row.site);
        }
        Ok(())
    })?;
    Ok(sites.len())
}

/// Links the entities of a project that has several sites, and writes its things. A project with one site has none.
pub(crate) fn link_project(store: &mut dyn TableStore) -> Result<Option<Links>, PortError> {
    if count_sites(store)? < 2 {
        store.begin_things(&[])?;
        return Ok(None);
    }
    let mut input = LinkInput::default();
    add_entities(store, &mut input)?;
    let links = link(input, &LinkConfig::default());
    write_things(store, &links)?;
    Ok(Some(links))
}

/// Writes the table of things. Tables as files are left to the caller.
pub fn write_things(store: &mut dyn TableStore, links: &Links) -> Result<(), PortError> {
    store.begin_things(&links.thing_columns())?;
    links.write_things(&mut |row| store.add_thing(&row))
}

/// What was linked, in a line.
#[must_use]
pub fn summary(links: &Links) -> String {
    let things = links.things();
    let entities: usize = things.iter().map(Vec::len).sum();
    let shared = things.iter().filter(|thing| thing.len() > 1).count();
    format!(
        "{} entities of {} sites are {} things; {} of them have several entities, {} columns are aligned",
        thousands(entities as u64),
        links.sites().len(),
        thousands(things.len() as u64),
        thousands(shared as u64),
        links.aligned().len()
    )
}
