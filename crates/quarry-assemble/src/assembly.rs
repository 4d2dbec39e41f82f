//! The assembled table: columns, entities, and every sighting as a row.

use std::fmt::Write as _;

use quarry_model::ValueRow;
use rayon::prelude::*;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::cell::{Cell, CellValue, cell};
use crate::column::{Column, Columns, Merge, columns};
use crate::index::{Index, Role, canonical};
use crate::kind::{Typed, typed};
use crate::merge::{MergeConfig, merge};
use crate::said::Said;
use crate::sighting::Sighting;

/// How a table is assembled.
#[derive(Clone, Copy, Debug, Default)]
pub struct AssembleConfig {
    /// How columns are merged.
    pub merge: MergeConfig,
}

/// One entity: a row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entity<'a> {
    /// The same in every harvest: a hash of site and address.
    pub id: String,
    /// `scheme://host:port`.
    pub site: &'a str,
    /// Its address, as first in the order of the alphabet.
    pub address: &'a str,
    /// Its other addresses: the same page spelt differently, or pages with the same key.
    pub also: Vec<&'a str>,
    /// The surest title.
    pub title: Option<&'a str>,
    /// What is known of it, in the order of the columns.
    pub cells: Vec<Cell<'a>>,
}

impl<'a> Entity<'a> {
    /// The cell of a column.
    #[must_use]
    pub fn cell(&self, column: usize) -> Option<&Cell<'a>> {
        let at = self.cells.binary_search_by_key(&column, |cell| cell.column).ok()?;
        Some(&self.cells[at])
    }
}

/// The assembled table.
#[derive(Debug)]
pub struct Assembly<'a> {
    /// The columns: titles and keys, then attributes, the fullest first.
    pub columns: Vec<Column>,
    /// The entities, by site and address.
    pub entities: Vec<Entity<'a>>,
    sightings: &'a [Sighting<'a>],
    values: Vec<Said<'a>>,
}

/// A row of the table `values`, and its column.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'t> {
    /// The column; rows of titles and keys can be told by its role.
    pub column: &'t Column,
    /// The row. Its value is the text of the sighting or, where that is a list of known items, one of them.
    pub row: ValueRow,
}

/// Assembles a table. The order of the sightings does not matter; every one of them is in [`Assembly::values`].
#[must_use]
pub fn assemble<'a>(sightings: &'a [Sighting<'a>], config: &AssembleConfig) -> Assembly<'a> {
    let index = Index::new(sightings);
    let merged = merge(&index, &config.merge);
    let mut table = columns(&index, &merged);
    let facts: Vec<_> = index.facts.chunk_by(|a, b| a.entity == b.entity).collect();
    let mut entities: Vec<Entity<'a>> =
        facts.into_par_iter().map(|facts| entity(&index, &table, facts)).collect();
    entities.par_sort_unstable_by_key(|entity| (entity.site, entity.address));
    for cell in entities.iter().flat_map(|entity| &entity.cells) {
        table.columns[cell.column].conflicts += usize::from(cell.conflict);
    }
    Assembly { columns: table.columns, entities, sightings, values: index.values }
}

fn entity<'a>(index: &Index<'a>, table: &Columns, facts: &[crate::index::Fact]) -> Entity<'a> {
    let (site, addresses) = &index.entities[facts[0].entity as usize];
    let mut by_column: Vec<(u32, crate::index::Fact)> =
        facts.iter().map(|fact| (table.of_source[fact.column as usize], *fact)).collect();
    by_column.sort_by_key(|(column, _)| *column);
    let mut own = Vec::with_capacity(facts.len());
    let mut cells = Vec::new();
    for same in by_column.chunk_by(|a, b| a.0 == b.0) {
        own.clear();
        own.extend(same.iter().map(|(_, fact)| *fact));
        let column = same[0].0 as usize;
        cells.push(cell(index, column, &table.filling[column], &own));
    }
    let title = cells.iter().find(|cell| table.columns[cell.column].role == Role::Title);
    Entity {
        id: id(site, addresses[0]),
        site,
        address: addresses[0],
        also: addresses[1..].to_vec(),
        title: title.and_then(|cell| cell.values.first()).map(|value| value.text),
        cells,
    }
}

/// 128 bits are enough that no two entities ever share an id.
fn id(site: &str, address: &str) -> String {
    let text = format!("{}\n{}", canonical(site), canonical(address));
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

impl<'a> Assembly<'a> {
    /// The rows of the table `values`: every sighting under the name of its column, with the confidence of its value, by entity,
    /// column and rank. A sighting of a list of known items is one row an item.
    pub fn values(&self) -> impl Iterator<Item = Row<'_>> {
        let cells = self.entities.iter().flat_map(move |entity| {
            entity.cells.iter().map(move |cell| (entity, &self.columns[cell.column], cell))
        });
        cells.flat_map(move |(entity, column, cell)| {
            let values = cell.values.iter();
            values.flat_map(move |value| {
                value.seen.iter().map(move |seen| {
                    let sighting = &self.sightings[seen.sighting as usize];
                    let row = ValueRow {
                        site: entity.site.to_owned(),
                        entity: entity.address.to_owned(),
                        attribute: column.name.clone(),
                        value: seen.said(&self.values).text.to_owned(),
                        source: sighting.source,
                        page: sighting.page.to_owned(),
                        path: sighting.path.to_owned(),
                        confidence: value.confidence,
                    };
                    Row { column, row }
                })
            })
        })
    }

    /// A value in the type of its column; none where it does not fit.
    #[must_use]
    pub fn typed(&self, column: &Column, value: &CellValue<'_>) -> Option<Typed> {
        let mut seen = value.seen.iter().map(|seen| seen.said(&self.values));
        seen.find(|said| said.text == value.text).and_then(|said| typed(said, column.kind))
    }

    /// The columns as text, and why they were merged.
    #[must_use]
    pub fn dump(&self) -> String {
        let mut out = format!("{} entities, {} columns\n", self.entities.len(), self.columns.len());
        for column in &self.columns {
            let list = if column.list { "list of " } else { "" };
            let _ = writeln!(
                out,
                "{}: {list}{}, {:.0} % filled, {} values, {} conflicts: {}",
                column.name,
                column.kind,
                100.0 * column.fill,
                column.distinct,
                column.conflicts,
                column.examples.join(" | "),
            );
            for name in &column.names {
                let _ = writeln!(out, "  {name}");
            }
            for Merge { left, right, why } in &column.merged {
                let _ = writeln!(out, "  {left} = {right}: {why}");
            }
            for Merge { left, right, why } in &column.apart {
                let _ = writeln!(out, "  {left} kept apart from {right}: {why}");
            }
        }
        out
    }
}
