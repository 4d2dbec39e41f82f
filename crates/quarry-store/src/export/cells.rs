//! What stands in a row? What a project keeps, as cells of a table.

use quarry_model::{ColumnRow, EntityCell, EntityRow, PageRow};

use super::own::Own;
use crate::project::truncation_name;
use crate::table::{Cell, ColumnType, Day};

/// The cells of an entity.
pub(super) fn of_entity(row: EntityRow, own: &Own) -> Vec<Cell> {
    let head = [Cell::Text(row.site), Cell::Text(row.entity), row.title.into()];
    let own = row.cells.into_iter().zip(&own.kinds).map(|(cell, kind)| match cell {
        EntityCell::Null => Cell::Null,
        EntityCell::Boolean(yes) => Cell::Boolean(yes),
        EntityCell::Number(number) => Cell::Float(number),
        EntityCell::Text(text) if *kind == ColumnType::Date => {
            Day::parse(&text).map_or(Cell::Null, Cell::Date)
        }
        EntityCell::Text(text) => Cell::Text(text),
        EntityCell::List(texts) => Cell::List(texts),
    });
    let behind = [Cell::Text(row.id), Cell::Text(row.state.as_str().to_owned())];
    head.into_iter().chain(own).chain(behind).collect()
}

/// The cells of a column.
pub(super) fn of_column(row: &ColumnRow) -> Vec<Cell> {
    let number = |n: u64| Cell::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    vec![
        Cell::Text(row.name.clone()),
        Cell::Text(row.kind.as_str().to_owned()),
        row.unit.clone().into(),
        Cell::Boolean(row.list),
        number(row.entities),
        Cell::Float(row.fill),
        number(row.distinct),
        number(row.conflicts),
        Cell::List(row.sources.iter().map(|source| source.as_str().to_owned()).collect()),
        Cell::List(row.names.clone()),
        Cell::List(row.examples.clone()),
        Cell::List(row.merged.clone()),
    ]
}

/// A cell of a fact: what the database holds there.
pub(super) fn of_fact(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<Cell> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(at)? {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(n) => Cell::Integer(n),
        ValueRef::Real(n) => Cell::Float(n),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Cell::Text(String::from_utf8_lossy(text).into_owned())
        }
    })
}

/// The cells of a page.
pub(super) fn of_page(row: PageRow) -> Vec<Cell> {
    let number = |n: u64| Cell::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    vec![
        Cell::Text(row.url),
        Cell::Time(row.fetch_time),
        number(u64::from(row.fetch_status)),
        Cell::Text(row.content_mime_detected),
        Cell::Text(row.content_digest),
        Cell::Text(row.warc_filename),
        number(row.warc_record_offset),
        number(row.warc_record_length),
        Cell::Text(row.key),
        row.content_mime_type.into(),
        row.fetch_redirect.into(),
        row.content_truncated.map(|truncated| truncation_name(truncated).to_owned()).into(),
        number(u64::from(row.depth)),
        row.via.into(),
    ]
}
