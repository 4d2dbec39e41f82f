//! How does the assembled table become files? Into the project's state first, then into `tables/`.

use std::collections::BTreeMap;
use std::path::Path;

use super::changes::Changes;
use anyhow::{Context, Result};
use quarry_assemble::{Assembly, Column, Entity, Role, Typed, ValueType};
use quarry_model::{
    ColumnKind, ColumnRow, EntityCell, EntityRow, EntityState, ValueRow, ValueSource,
};
use quarry_store::table::{TableFormat, TableOut};
use quarry_store::{Project, Table};

/// The tables that a harvest leaves, each in these formats, and all of them in one database.
const TABLES: [Table; 5] =
    [Table::Entities, Table::Values, Table::Columns, Table::Queries, Table::Pages];
const FORMATS: [(TableFormat, &str); 3] =
    [(TableFormat::Parquet, "parquet"), (TableFormat::Csv, "csv"), (TableFormat::Jsonl, "jsonl")];
const DATABASE: &str = "harvest.sqlite";
/// A column without a name that fewer entities have is noise.
const RARE: f64 = 0.02;
/// A table with more columns has some that are none.
const MANY: usize = 100;
/// So few entities do not make a column of what has a name with figures in it.
const FEW: usize = 3;
/// A column that gives entities their titles is nearly full.
const FULL: f64 = 0.9;
/// Columns that every entity has, whatever its site calls its attributes.
const FIXED: [&str; 5] = ["site", "entity", "title", "_id", "_state"];

/// Writes the tables.
pub(super) fn write(
    project: &mut Project,
    folder: &Path,
    table: &Assembly<'_>,
    changes: &Changes,
) -> Result<()> {
    keep_values(project, table)?;
    let titled = titled(table);
    let shown: Vec<usize> = (0..table.columns.len())
        .filter(|&at| has_column(&table.columns[at], table.columns.len()) && Some(at) != titled)
        .collect();
    let columns: Vec<ColumnRow> = shown.iter().map(|&at| column(&table.columns[at])).collect();
    let there = table.entities.iter().map(|entity| {
        let row = row(table, entity, titled, &shown);
        EntityRow { state: changes.of(&row.id), ..row }
    });
    let gone = changes.removed.iter().map(|entity| EntityRow {
        id: entity.id.clone(),
        site: entity.site.clone(),
        entity: entity.addresses.first().cloned().unwrap_or_default(),
        title: entity.title.clone(),
        state: EntityState::Removed,
        cells: vec![EntityCell::Null; columns.len()],
    });
    project.replace_entities(&columns, there.chain(gone))?;
    project.commit()?;
    let tables = folder.join("tables");
    std::fs::create_dir_all(&tables)
        .with_context(|| format!("cannot create the folder {}", tables.display()))?;
    for table in TABLES {
        for (format, ending) in FORMATS {
            let path = tables.join(format!("{}.{ending}", table.name()));
            project.export(table, format, TableOut::File(&path))?;
        }
    }
    Ok(project.export_database(&TABLES, &tables.join(DATABASE))?)
}

/// Whether a column says anything. Of what only lists show and nobody names, words that are always the same and
/// what a few odd records have are not worth a column.
fn is_shown(column: &Column) -> bool {
    let named = column.names.iter().any(|name| name.printed);
    let listed = column.sources == [ValueSource::List];
    column.role == Role::Attribute
        && (named || !listed || (column.distinct > 1 && column.fill >= RARE))
}

/// Whether a column that says something is one of the table. Few entities have what a name with figures in it names
/// ("Week 12", "3 May"): such names are data themselves, rows of tables inside pages. So are rare names among very many
/// columns. `values` has them.
fn has_column(column: &Column, columns: usize) -> bool {
    let is_data = column.name.chars().any(|char| char.is_ascii_digit()) || columns > MANY;
    let is_rare = column.fill < RARE || column.entities < FEW;
    is_shown(column) && !(is_data && is_rare && !column.sources.contains(&ValueSource::Facet))
}

/// Keeps each value once for each source that says it, where it was said first.
fn keep_values(project: &mut Project, table: &Assembly<'_>) -> Result<()> {
    use ValueSource::{Facet, List, Match, Spec};
    let mut by_source: BTreeMap<ValueSource, Vec<ValueRow>> =
        [Facet, List, Match, Spec].map(|source| (source, Vec::new())).into();
    for mut found in table.values().filter(|found| is_shown(found.column)) {
        if is_note(found.column, &found.row.value) {
            found.row.attribute.push_str(" (note)");
        }
        let rows = by_source.entry(found.row.source).or_default();
        let same = |last: &ValueRow| {
            last.entity == found.row.entity
                && last.attribute == found.row.attribute
                && last.value == found.row.value
        };
        // Rows of one value stand together.
        if !rows.iter().rev().take_while(|last| last.entity == found.row.entity).any(same) {
            rows.push(found.row);
        }
    }
    for (source, rows) in by_source {
        project.replace_values(source, rows.into_iter())?;
    }
    Ok(())
}

/// Whether a text stands where the column has figures: "Price on request".
fn is_note(column: &Column, value: &str) -> bool {
    let figures =
        matches!(column.kind, ValueType::Number { .. } | ValueType::Price { .. } | ValueType::Date);
    figures && !column.list && !value.chars().any(char::is_numeric)
}

/// An attribute's name that is none of the fixed columns.
fn free_name(name: &str) -> String {
    match FIXED.iter().any(|fixed| fixed.eq_ignore_ascii_case(name)) {
        true => format!("{name} (attribute)"),
        false => name.to_owned(),
    }
}

fn column(column: &Column) -> ColumnRow {
    let (kind, unit) = match column.kind {
        ValueType::Number { unit } => (ColumnKind::Number, unit.map(str::to_owned)),
        ValueType::Price { currency } => (ColumnKind::Price, Some(currency.to_owned())),
        ValueType::Date => (ColumnKind::Date, None),
        ValueType::Boolean => (ColumnKind::Boolean, None),
        ValueType::Link => (ColumnKind::Link, None),
        ValueType::Text => (ColumnKind::Text, None),
    };
    ColumnRow {
        name: free_name(&column.name),
        kind,
        unit,
        list: column.list,
        entities: column.entities as u64,
        fill: column.fill,
        distinct: column.distinct as u64,
        conflicts: column.conflicts as u64,
        sources: column.sources.clone(),
        names: column.names.iter().map(ToString::to_string).collect(),
        examples: column.examples.clone(),
        merged: column
            .merged
            .iter()
            .map(|merge| format!("{} = {}: {}", merge.left, merge.right, merge.why))
            .collect(),
    }
}

/// The attribute that says what entities are called, if the site has one: better than the text of links, which may be
/// a number.
fn titled(table: &Assembly<'_>) -> Option<usize> {
    let named = |column: &Column| {
        column.names.iter().any(|name| name.printed && name.name.eq_ignore_ascii_case("title"))
    };
    table
        .columns
        .iter()
        .position(|column| column.role == Role::Attribute && named(column) && column.fill >= FULL)
}

fn row(
    table: &Assembly<'_>,
    entity: &Entity<'_>,
    titled: Option<usize>,
    shown: &[usize],
) -> EntityRow {
    let own = titled.and_then(|at| entity.cell(at)).and_then(|cell| cell.values.first());
    EntityRow {
        id: entity.id.clone(),
        site: entity.site.to_owned(),
        entity: entity.address.to_owned(),
        title: own.map(|value| value.text).or(entity.title).map(str::to_owned),
        state: EntityState::New,
        cells: shown.iter().map(|&at| cell(table, entity, at)).collect(),
    }
}

fn cell(table: &Assembly<'_>, entity: &Entity<'_>, at: usize) -> EntityCell {
    let column = &table.columns[at];
    let Some(cell) = entity.cell(at) else { return EntityCell::Null };
    if column.list {
        return EntityCell::List(cell.values.iter().map(|value| value.text.to_owned()).collect());
    }
    // The surest value that fits the type.
    match cell.values.iter().find_map(|value| table.typed(column, value)) {
        Some(Typed::Number(number)) => EntityCell::Number(number),
        Some(Typed::Boolean(yes)) => EntityCell::Boolean(yes),
        Some(Typed::Date(text) | Typed::Text(text)) => EntityCell::Text(text),
        None => EntityCell::Null,
    }
}
