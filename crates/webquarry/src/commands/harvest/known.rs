//! Which records are known already? Those of seed files and of other projects; and what one site of a harvest taught labels the next.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use quarry_assemble::{Assembly, Role, Snapshot};
use quarry_extract::attribute::SeedDb;
use quarry_model::ValueSource;
use quarry_store::{Project, StoreSettings};

use super::changes;
use crate::commands::match_sites::seed_file;

/// The attribute that holds what an entity is called.
const TITLE: &str = "title";

/// Reads seeds: files of records, and projects, whose tables are records.
pub(super) fn read(paths: &[PathBuf]) -> Result<Option<SeedDb>> {
    let mut seeds: Option<SeedDb> = None;
    for path in paths {
        let read = if path.is_dir() { of_project(path)? } else { seed_file::read(path)? };
        match &mut seeds {
            None => seeds = Some(read),
            Some(all) => append(all, &read),
        }
    }
    Ok(seeds)
}

fn of_project(folder: &Path) -> Result<SeedDb> {
    let project = Project::open_read_only(folder, &StoreSettings::default())
        .with_context(|| format!("cannot use {} as a seed", folder.display()))?;
    let Some(table) = changes::last(&project)? else {
        bail!("{} has no table yet; harvest it first, then it can be a seed", folder.display())
    };
    let mut seeds = SeedDb::default();
    add(&mut seeds, &table);
    Ok(seeds)
}

/// Adds what a site of this harvest taught. Columns that agree with known records keep the name that these have.
pub(super) fn add_table(seeds: &mut SeedDb, table: &Assembly<'_>) {
    let mut taken = table.snapshot();
    let columns = table.columns.iter().filter(|column| column.role == Role::Attribute);
    for (own, column) in taken.columns.iter_mut().zip(columns) {
        if let Some(known) = column.names.iter().find(|name| name.source == ValueSource::Match) {
            own.name.clone_from(&known.name);
        }
    }
    add(seeds, &taken);
}

/// Adds a table's entities: titles, and the columns that a site has named, with all names that sites print for them.
fn add(seeds: &mut SeedDb, table: &Snapshot) {
    let title = seeds.attribute(TITLE);
    let mut columns: Vec<Option<u32>> = Vec::new();
    for column in &table.columns {
        let is_named = !column.also.is_empty() && !column.name.eq_ignore_ascii_case(TITLE);
        let attribute = is_named.then(|| seeds.attribute(&column.name));
        if let Some(attribute) = attribute {
            let labels = column.also.iter().map(|label| label.to_lowercase());
            labels.for_each(|label| seeds.add_label(attribute, &label));
        }
        columns.push(attribute);
    }
    for entity in &table.entities {
        let titles = entity.title.iter().map(|text| (title, text.clone()));
        let cells = entity.cells.iter().filter_map(|(at, values)| Some((columns[*at]?, values)));
        let cells =
            cells.flat_map(|(column, values)| values.iter().map(move |v| (column, v.clone())));
        let page = entity.addresses.first().cloned();
        let values: Vec<(u32, String)> = titles.chain(cells).collect();
        seeds.add(&entity.site, page, values);
    }
}

fn append(all: &mut SeedDb, more: &SeedDb) {
    let names: Vec<u32> = more.attributes().iter().map(|name| all.attribute(name)).collect();
    for record in more.records() {
        let values = (0u32..).zip(&names).flat_map(|(own, name)| {
            record.values(own).iter().map(move |value| (*name, value.clone()))
        });
        let values: Vec<(u32, String)> = values.collect();
        all.add(&record.site, record.page.clone(), values);
    }
}
