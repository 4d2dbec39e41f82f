//! Turns the assembled table into rows: which columns are shown, which values are kept, what each entity's cells are.

use std::collections::BTreeSet;

use quarry_assemble::{Assembly, Column, Entity, TableComparison, Typed, ValueType, entity_id};
use quarry_model::{
    ColumnKind, ColumnRow, EntityCell, EntityRow, EntityState, EvidenceRole, EvidenceStore,
    PortError, ValueSource,
};

use crate::HarvestError;
use crate::assemble::changes::{Changes, ids};
use crate::harvest::HarvestStore;

/// A column without a name that fewer entities have is noise.
const RARE: f64 = 0.02;
/// A table with more columns has some that are none.
const MANY: usize = 100;
/// Entities that make a column of what has a name with figures in it.
const MIN_COLUMN_ENTITIES: usize = 3;
/// A column that gives entities their titles is nearly full.
const FULL: f64 = 0.9;
/// Columns that every entity has, whatever its site calls its attributes.
const FIXED: [&str; 5] = ["site", "entity", "title", "_id", "_state"];

/// Entities of both harvests that are looked at to tell which columns are one.
const MAX_OBSERVED: usize = 4_000;

/// Writes the tables: values and entities one after the other, as they come out of the evidence. Returns what the user should look at.
/// Without a baseline (the tables that are there are of an interrupted harvest) every entity is new.
pub(crate) fn write(
    store: &mut dyn HarvestStore,
    evidence: &mut dyn EvidenceStore,
    table: &Assembly,
    has_baseline: bool,
) -> Result<Vec<String>, HarvestError> {
    let titled = titled(table);
    let shown: Vec<usize> = (0..table.columns.len())
        .filter(|&at| has_column(&table.columns[at], table.columns.len()) && Some(at) != titled)
        .collect();
    let columns: Vec<ColumnRow> = shown.iter().map(|&at| column(&table.columns[at])).collect();
    let row = |entity: &Entity<'_>| row(table, entity, titled, &shown);
    let (entities, _) = store.first_entities(0)?;
    let old = store.columns()?;
    store.begin_tables()?;
    if !has_baseline {
        store.forget_old_entities()?;
    }
    let mut changes = Changes::none();
    if entities > 0 && has_baseline {
        let mut comparison = TableComparison::new(old, columns.clone());
        if comparison.is_open() {
            // Ids are hashes: those that begin with small numbers are a fair sample.
            let share = MAX_OBSERVED as f64 / table.entities.max(1) as f64;
            let last = (share.min(1.0) * f64::from(u32::MAX)) as u32;
            table.each_entity(evidence, &mut |entity| {
                let hash = u32::from_str_radix(&entity.id[..8], 16).unwrap_or_default();
                if hash <= last {
                    let row = row(entity);
                    if let Some(old) = store.old_entity(&ids(&row))? {
                        comparison.observe(&old, &row);
                    }
                }
                Ok(())
            })?;
            comparison.decide();
        }
        changes = Changes::new(comparison);
    }
    table.each_entity(evidence, &mut |entity| {
        add_values(store, table, entity)?;
        let row = row(entity);
        let state = changes.state(store, &row)?;
        store.add_entity(&EntityRow { state, ..row })
    })?;
    let removed = store.finish_tables(&columns)?;
    store.write_tables()?;
    Ok(changes.warnings(removed))
}

/// Whether a column says anything. Of what only lists show and nobody names, words that are always the same and
/// what a few odd records have are not worth a column.
fn is_shown(column: &Column) -> bool {
    let named = column.names.iter().any(|name| name.printed);
    let listed = column.sources == [ValueSource::List];
    column.role == EvidenceRole::Attribute
        && (named || !listed || (column.distinct > 1 && column.fill >= RARE))
}

/// Whether a column that says something is one of the table. Few entities have what a name with figures in it names
/// ("Week 12", "3 May"): such names are data themselves, rows of tables inside pages. So are rare names among very many
/// columns. `values` has them.
fn has_column(column: &Column, columns: usize) -> bool {
    let is_data = column.name.chars().any(|char| char.is_ascii_digit()) || columns > MANY;
    let is_rare = column.fill < RARE || column.entities < MIN_COLUMN_ENTITIES;
    is_shown(column) && !(is_data && is_rare && !column.sources.contains(&ValueSource::Facet))
}

/// Adds the values of an entity, each once for each source that says it, where it was said first.
fn add_values(
    store: &mut dyn HarvestStore,
    table: &Assembly,
    entity: &Entity<'_>,
) -> Result<(), PortError> {
    let mut added: BTreeSet<(ValueSource, String, String)> = BTreeSet::new();
    for mut found in entity.rows(&table.columns).filter(|found| is_shown(found.column)) {
        if is_note(found.column, &found.row.value) {
            found.row.attribute.push_str(" (note)");
        }
        let row = found.row;
        if added.insert((row.source, row.attribute.clone(), row.value.clone())) {
            store.add_value(&row)?;
        }
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
        printed: printed(column),
        examples: column.examples.clone(),
        merged: column
            .merged
            .iter()
            .map(|merge| format!("{} = {}: {}", merge.left, merge.right, merge.why))
            .collect(),
    }
}

/// The names that sites print for a column.
pub(crate) fn printed(column: &Column) -> Vec<String> {
    let printed = column.names.iter().filter(|name| name.printed).map(|name| name.name.clone());
    printed.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The attribute that says what entities are called, if the site has one: better than the text of links, which may be
/// a number.
fn titled(table: &Assembly) -> Option<usize> {
    let named = |column: &Column| {
        column.names.iter().any(|name| name.printed && name.name.eq_ignore_ascii_case("title"))
    };
    table.columns.iter().position(|column| {
        column.role == EvidenceRole::Attribute && named(column) && column.fill >= FULL
    })
}

fn row(table: &Assembly, entity: &Entity<'_>, titled: Option<usize>, shown: &[usize]) -> EntityRow {
    let own = titled.and_then(|at| entity.cell(at)).and_then(|cell| cell.values.first());
    let mut other_ids: Vec<String> =
        entity.also.iter().map(|address| entity_id(entity.site, address)).collect();
    other_ids.retain(|id| *id != entity.id);
    other_ids.dedup();
    EntityRow {
        id: entity.id.clone(),
        site: entity.site.to_owned(),
        entity: entity.address.to_owned(),
        other_ids,
        title: own.map(|value| value.text).or(entity.title).map(str::to_owned),
        state: EntityState::New,
        cells: shown.iter().map(|&at| cell(table, entity, at)).collect(),
    }
}

fn cell(table: &Assembly, entity: &Entity<'_>, at: usize) -> EntityCell {
    let column = &table.columns[at];
    let Some(cell) = entity.cell(at) else { return EntityCell::Null };
    if column.list {
        return EntityCell::List(cell.values.iter().map(|value| value.text.to_owned()).collect());
    }
    // The surest value that fits the type.
    match cell.values.iter().find_map(|value| entity.typed(column, value)) {
        Some(Typed::Number(number)) => EntityCell::Number(number),
        Some(Typed::Boolean(yes)) => EntityCell::Boolean(yes),
        Some(Typed::Date(text) | Typed::Text(text)) => EntityCell::Text(text),
        None => EntityCell::Null,
    }
}
