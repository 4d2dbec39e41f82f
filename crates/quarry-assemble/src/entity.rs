//! One entity: its evidence in the columns of the table.

use quarry_model::{Evidence, EvidenceRole, ValueRow, canonical_address};
use quarry_value::Format;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::cell::{Cell, CellValue, Statement, cell};
use crate::column::{Column, Filling};
use crate::hash::Lookup;
use crate::index::{ColumnParts, Index, entity_kind};
use crate::kind::{Typed, typed};
use crate::parsed::ParsedValue;
use crate::survey::QuerySlots;

/// One entity: a row of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Entity<'e> {
    /// The same in every harvest: see [`entity_id`].
    pub id: String,
    /// `scheme://host:port`.
    pub site: &'e str,
    /// Its address, the first in the order of the alphabet.
    pub address: &'e str,
    /// What kind of entity it is, as its site calls it; empty where nothing says it.
    pub kind: &'e str,
    /// Its other addresses: the same page spelt differently, or pages with the same key.
    pub also: Vec<&'e str>,
    /// The surest title.
    pub title: Option<&'e str>,
    /// What is known of it, in the order of the columns.
    pub cells: Vec<Cell<'e>>,
    #[serde(skip)]
    pub(crate) statements: Vec<Statement<'e>>,
}

/// A row of the table `values`, and its column.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'t> {
    /// The column; rows of titles and keys can be told by its role.
    pub column: &'t Column,
    /// The row. Its value is the text of the evidence or, where that is a list of known items, one of them.
    pub row: ValueRow,
}

impl<'e> Entity<'e> {
    /// The cell of a column.
    #[must_use]
    pub fn cell(&self, column: usize) -> Option<&Cell<'e>> {
        let at = self.cells.binary_search_by_key(&column, |cell| cell.column).ok()?;
        Some(&self.cells[at])
    }

    /// The evidence of a value.
    pub fn evidence<'s>(&'s self, value: &'s CellValue<'e>) -> impl Iterator<Item = &'e Evidence> {
        value.items.iter().map(|own| self.statements[own.statement as usize].evidence)
    }

    /// A value in the type of its column; none where it does not fit.
    #[must_use]
    pub fn typed(&self, column: &Column, value: &CellValue<'e>) -> Option<Typed> {
        let mut values = value.items.iter().map(|own| own.value(&self.statements));
        values.find(|own| own.text == value.text).and_then(|own| typed(own, column.kind))
    }

    /// The rows of the table `values`: all evidence under the name of its column, with the confidence of its value, by
    /// column and rank. A list of known items is one row an item.
    pub fn rows<'s>(&'s self, columns: &'s [Column]) -> impl Iterator<Item = Row<'s>> {
        let values = self.cells.iter().flat_map(move |cell| {
            cell.values.iter().map(move |value| (&columns[cell.column], value))
        });
        values.flat_map(move |(column, value)| {
            value.items.iter().map(move |own| {
                let evidence = self.statements[own.statement as usize].evidence;
                let row = ValueRow {
                    site: self.site.to_owned(),
                    entity: self.address.to_owned(),
                    entity_kind: self.kind.to_owned(),
                    attribute: column.name.clone(),
                    value: own.value(&self.statements).text.to_owned(),
                    source: evidence.source,
                    page: evidence.page.clone(),
                    path: evidence.path.clone(),
                    confidence: value.confidence,
                };
                Row { column, row }
            })
        })
    }
}

/// What an entity is known by in every harvest: a hash of site and canonical address. 128 bits are enough that no two entities ever share one.
#[must_use]
pub fn entity_id(site: &str, address: &str) -> String {
    let text = format!("{}\n{}", canonical_address(site), canonical_address(address));
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

/// How the values of a column of a source are read.
#[derive(Debug)]
struct SourceReading {
    format: Format,
    /// What the user says stands between items.
    separator: Option<String>,
    /// The place of its column.
    column: u32,
}

/// How the evidence of an entity is put into columns.
#[derive(Debug)]
pub(crate) struct Layout {
    /// By the hash of a column of a source: how its values are written, and the place of its column.
    sources: Lookup<u64, SourceReading>,
    pub(crate) fillings: Vec<Filling>,
    /// The column of titles.
    title: Option<usize>,
    pub(crate) query_slots: QuerySlots,
}

impl Layout {
    /// `of_source` is the place of the column of each column of a source.
    pub(crate) fn new<'c>(
        index: &Index<'_>,
        of_source: &[u32],
        columns: impl Iterator<Item = &'c Column>,
        fillings: Vec<Filling>,
        query_slots: QuerySlots,
    ) -> Self {
        let sources = index.ids().zip(of_source).map(|(id, place)| {
            let reading = SourceReading {
                format: index.formats[id.at()],
                separator: index.separators[id.at()].clone(),
                column: *place,
            };
            (index.column(id).parts().hash(), reading)
        });
        let mut columns = columns;
        let title = columns.position(|column| column.role == EvidenceRole::Title);
        Self { sources: sources.collect(), fillings, title, query_slots }
    }

    /// The entity that all this evidence is of; none if nothing is left of it.
    pub(crate) fn entity<'e>(&self, evidence: &'e [Evidence]) -> Option<Entity<'e>> {
        let kind = entity_kind(evidence);
        let mut statements: Vec<Statement<'e>> = Vec::with_capacity(evidence.len());
        for own in evidence.iter().filter(|own| !self.query_slots.has(own)) {
            let SourceReading { format, separator, column } =
                self.sources.get(&ColumnParts::of(own, kind).hash())?;
            // Equal texts of one column stand one after the other.
            let value = match statements.last() {
                Some(last) if last.column == *column && last.value.text == own.value => {
                    last.value.clone()
                }
                _ => ParsedValue::read(&own.value, format, separator.as_deref()),
            };
            // A dash, or "n/a", says that there is nothing.
            if own.role == EvidenceRole::Attribute && value.is_empty() {
                continue;
            }
            statements.push(Statement { evidence: own, value, column: *column });
        }
        let first = statements.first()?.evidence;
        // Stable: evidence comes in an order of its own.
        statements.sort_by_key(|own| own.column);
        let mut cells = Vec::new();
        let mut start = 0;
        for same in statements.chunk_by(|a, b| a.column == b.column) {
            let end = start + same.len();
            cells.push(cell(&statements, start..end, &self.fillings[same[0].column as usize]));
            start = end;
        }
        let mut addresses: Vec<&str> = evidence.iter().map(|own| own.entity.as_str()).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let title = cells.iter().find(|cell| Some(cell.column) == self.title);
        // A number is a name only where nothing else is.
        let title = title.and_then(|cell| {
            let named =
                cell.values.iter().find(|value| value.text.chars().any(char::is_alphabetic));
            named.or(cell.values.first()).map(|value| value.text)
        });
        let site = first.site.as_str();
        let also = addresses.split_off(1);
        let id = entity_id(site, addresses[0]);
        Some(Entity { id, site, address: addresses[0], kind, also, title, cells, statements })
    }
}
