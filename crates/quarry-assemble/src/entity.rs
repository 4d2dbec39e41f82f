//! One entity: its evidence in the columns of the table.

use std::collections::BTreeSet;

use quarry_model::{Evidence, EvidenceRole, ValueRow, canonical_address};
use quarry_value::{Format, Meaning};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::cell::{Cell, CellValue, Statement, StatementItem, cell};
use crate::column::{Column, Filling};
use crate::hash::Lookup;
use crate::index::{ColumnParts, Index, entity_kind};
use crate::kind::{Typed, ValueType, typed};
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

    /// The text of a statement. Where the column has plain numbers, words around a number that the value has by itself, too, say nothing
    /// more: `4 customer reviews` beside `4`.
    fn text_in<'s>(
        &'s self,
        column: &Column,
        value: &'s CellValue<'e>,
        own: &StatementItem,
    ) -> &'s str {
        let text = own.value(&self.statements).text;
        if !matches!(column.kind, ValueType::Number { unit: None }) || value.items.len() == 1 {
            return text;
        }
        let others = value.items.iter().map(|other| other.value(&self.statements));
        let numbers = others.filter(|other| matches!(other.meaning, Some(Meaning::Quantity(_))));
        let shortest = numbers.map(|other| other.text).min_by_key(|other| (other.len(), *other));
        shortest.filter(|number| holds_number(text, number)).unwrap_or(text)
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
                    value: self.text_in(column, value, own).to_owned(),
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

/// Whether a number stands in a text by itself, not as a part of another number or of a word.
fn holds_number(text: &str, number: &str) -> bool {
    let is_part = |char: Option<char>| {
        char.is_some_and(|char| char.is_alphanumeric() || matches!(char, '.' | ',' | '-'))
    };
    text.match_indices(number).any(|(at, found)| {
        let mut behind = text[at + found.len()..].chars();
        let next = behind.next();
        // A sign at the end of a sentence belongs to no number.
        let ends = matches!(next, Some('.' | ',')) && !behind.next().is_some_and(char::is_numeric);
        !is_part(text[..at].chars().next_back()) && (ends || !is_part(next))
    })
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
    /// Titles that name no entity, because too many have them.
    pub(crate) shared_titles: BTreeSet<String>,
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
        shared_titles: BTreeSet<String>,
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
        Self { sources: sources.collect(), fillings, title, shared_titles, query_slots }
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
        // A number is a name only where nothing else is, and so is what many entities are called.
        let title = title.and_then(|cell| {
            let mut named =
                cell.values.iter().filter(|value| value.text.chars().any(char::is_alphabetic));
            let own = named.clone().find(|value| !self.shared_titles.contains(value.text));
            own.or(named.next()).or(cell.values.first()).map(|value| value.text)
        });
        let site = first.site.as_str();
        let also = addresses.split_off(1);
        let id = entity_id(site, addresses[0]);
        Some(Entity { id, site, address: addresses[0], kind, also, title, cells, statements })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_texts() {
        assert!(holds_number("4 customer reviews", "4"));
        assert!(holds_number("Reviews: 4.", "4"));
        assert!(holds_number("(4)", "4"));
        assert!(!holds_number("14 reviews", "4"));
        assert!(!holds_number("4.5 stars", "4"));
        assert!(!holds_number("Mark 4b", "4"));
        assert!(!holds_number("No reviews", "4"));
    }
}
