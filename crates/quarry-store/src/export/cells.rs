//! Turns rows of the project's state into cells of exported tables.

use quarry_model::{ColumnOfKind, ColumnRow, EntityCell, EntityRow, PageRow};

use super::own::Own;
use crate::project::truncation_name;
use crate::table::{ColumnType, Day, TableCell};

/// The cells of an entity.
pub(super) fn of_entity(row: EntityRow, own: &Own) -> Vec<TableCell> {
    let EntityRow { site, entity, entity_kind, title, mut cells, .. } = row;
    let texts = [site, entity, entity_kind].map(TableCell::Text);
    let head = texts.into_iter().chain([title.into()]);
    let mut take = |at: usize| cells.get_mut(at).map(std::mem::take).unwrap_or_default();
    let cells: Vec<EntityCell> = own.places.iter().map(|&at| take(at)).collect();
    let own = cells.into_iter().zip(&own.kinds).map(|(cell, kind)| match cell {
        EntityCell::Null => TableCell::Null,
        EntityCell::Boolean(yes) => TableCell::Boolean(yes),
        EntityCell::Number(number) if *kind == ColumnType::Integer => {
            TableCell::Integer(number as i64)
        }
        EntityCell::Number(number) => TableCell::Float(number),
        EntityCell::Text(text) if *kind == ColumnType::Date => {
            Day::parse(&text).map_or(TableCell::Null, TableCell::Date)
        }
        EntityCell::Text(text) => TableCell::Text(text),
        EntityCell::List(texts) => TableCell::List(texts),
    });
    let behind = [TableCell::Text(row.id), TableCell::Text(row.state.as_str().to_owned())];
    head.chain(own).chain(behind).collect()
}

/// The cells of a column, one row for each kind of entities that has it.
pub(super) fn of_column(row: &ColumnRow) -> Vec<Vec<TableCell>> {
    let number = |n: u64| TableCell::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    let all = ColumnOfKind {
        entity_kind: String::new(),
        entities: row.entities,
        fill: row.fill,
        distinct: row.distinct,
        examples: row.examples.clone(),
    };
    let kinds = if row.kinds.is_empty() { std::slice::from_ref(&all) } else { &row.kinds };
    let of_kind = |of: &ColumnOfKind| {
        vec![
            TableCell::Text(row.name.clone()),
            TableCell::Text(of.entity_kind.clone()),
            TableCell::Text(row.kind.as_str().to_owned()),
            row.unit.clone().into(),
            TableCell::Boolean(row.list),
            number(of.entities),
            TableCell::Float(of.fill),
            number(of.distinct),
            number(row.conflicts),
            TableCell::List(row.sources.iter().map(|source| source.as_str().to_owned()).collect()),
            TableCell::List(row.names.clone()),
            TableCell::List(of.examples.clone()),
            TableCell::List(row.merged.clone()),
        ]
    };
    kinds.iter().map(of_kind).collect()
}

/// A cell of a fact: what the database holds there.
pub(super) fn of_fact(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<TableCell> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(at)? {
        ValueRef::Null => TableCell::Null,
        ValueRef::Integer(n) => TableCell::Integer(n),
        ValueRef::Real(n) => TableCell::Float(n),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            TableCell::Text(String::from_utf8_lossy(text).into_owned())
        }
    })
}

/// The cells of a page.
pub(super) fn of_page(row: PageRow) -> Vec<TableCell> {
    let number = |n: u64| TableCell::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    vec![
        TableCell::Text(row.url),
        TableCell::Time(row.fetch_time),
        number(u64::from(row.fetch_status)),
        TableCell::Text(row.content_mime_detected),
        TableCell::Text(row.content_digest),
        TableCell::Text(row.warc_filename),
        number(row.warc_record_offset),
        number(row.warc_record_length),
        TableCell::Text(row.key),
        row.content_mime_type.into(),
        row.fetch_redirect.into(),
        row.content_truncated.map(|truncated| truncation_name(truncated).to_owned()).into(),
        number(u64::from(row.depth)),
        row.via.into(),
    ]
}
