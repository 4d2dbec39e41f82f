//! Turns the assembled table into rows: which columns are shown, which values are kept, what each entity's cells are.

use std::collections::{BTreeMap, BTreeSet};

use quarry_assemble::{Assembly, Column, Entity, TableComparison, Typed, ValueType, entity_id};
use quarry_model::{
    ColumnKind, ColumnOfKind, ColumnRow, EntityCell, EntityRow, EntityState, EvidenceRole,
    EvidenceStore, ValueRow, ValueSource,
};

use crate::HarvestError;
use crate::assemble::changes::{Changes, ids};
use crate::harvest::HarvestStore;
use crate::things;

/// A column without a name that fewer entities have is noise.
const MIN_FILL: f64 = 0.02;
/// In a table with more columns, those that few entities have are left out.
const MAX_COLUMNS_KEEPING_RARE: usize = 100;
/// Entities that a column must have whose name has digits in it.
const MIN_COLUMN_ENTITIES: usize = 3;
/// A column that gives entities their titles is nearly full.
const TITLE_FILL: f64 = 0.9;
/// Columns that every entity has, whatever its site calls its attributes.
const FIXED: [&str; 6] = ["site", "entity", "entity_kind", "title", "_id", "_state"];

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
    let rows = TableRows::of(table);
    let columns = rows.columns();
    let row = |entity: &Entity<'_>| rows.entity(entity);
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
        rows.values(entity).iter().try_for_each(|value| store.add_value(value))?;
        let row = row(entity);
        let state = changes.state(store, &row)?;
        store.add_entity(&EntityRow { state, ..row })
    })?;
    let removed = store.finish_tables(&columns)?;
    things::link_project(store)?;
    store.write_tables()?;
    Ok(changes.warnings(removed))
}

/// How entities of an assembled table become rows of `entities` and `values`.
pub struct TableRows<'t> {
    table: &'t Assembly,
    /// Columns that give entities their titles.
    titled: Vec<usize>,
    /// The columns of the table, each as those that have its name.
    shown: Vec<Vec<usize>>,
}

impl<'t> TableRows<'t> {
    /// Decides which columns are shown.
    #[must_use]
    pub fn of(table: &'t Assembly) -> Self {
        let titled = titled(table);
        let shown = shared_columns(table, |at| {
            has_column(&table.columns[at], table.columns.len()) && !titled.contains(&at)
        });
        Self { table, titled, shown }
    }

    /// The columns of the entities.
    #[must_use]
    pub fn columns(&self) -> Vec<ColumnRow> {
        self.shown.iter().map(|places| column(self.table, places)).collect()
    }

    /// The row of an entity, with a cell for every column.
    #[must_use]
    pub fn entity(&self, entity: &Entity<'_>) -> EntityRow {
        row(self.table, entity, &self.titled, &self.shown)
    }

    /// The values of an entity, each once for each source that says it, where it was said first.
    #[must_use]
    pub fn values(&self, entity: &Entity<'_>) -> Vec<ValueRow> {
        values(self.table, entity)
    }
}

/// Groups the shown columns by name, as positions: columns of several kinds of entities may have one name.
fn shared_columns(table: &Assembly, is_shown: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut shown: Vec<Vec<usize>> = Vec::new();
    let mut of_name: BTreeMap<String, usize> = BTreeMap::new();
    for at in (0..table.columns.len()).filter(|&at| is_shown(at)) {
        let name = table.columns[at].name.to_lowercase();
        match of_name.get(&name) {
            Some(&place) => shown[place].push(at),
            None => {
                of_name.insert(name, shown.len());
                shown.push(vec![at]);
            }
        }
    }
    shown
}

/// Whether a column says anything. Of what only lists show and nobody names, words that are always the same and
/// what a few odd records have are not worth a column.
fn is_shown(column: &Column) -> bool {
    let named = column.names.iter().any(|name| name.printed);
    let of_one_place = matches!(column.sources[..], [ValueSource::List | ValueSource::Page]);
    column.role == EvidenceRole::Attribute
        && !column.is_dropped
        && (named
            || column.is_user_named
            || !of_one_place
            || (column.distinct > 1 && column.fill >= MIN_FILL))
}

/// Whether a column that says something is one of the table. Names with digits ("Week 12", "3 May") that
/// few entities have are data themselves, rows of tables inside pages. So are rare names among very many columns. `values`
/// has them.
fn has_column(column: &Column, columns: usize) -> bool {
    let is_data =
        column.name.chars().any(|char| char.is_ascii_digit()) || columns > MAX_COLUMNS_KEEPING_RARE;
    let is_rare = column.fill < MIN_FILL || column.entities < MIN_COLUMN_ENTITIES;
    is_shown(column) && !(is_data && is_rare && !column.sources.contains(&ValueSource::Facet))
}

fn values(table: &Assembly, entity: &Entity<'_>) -> Vec<ValueRow> {
    let mut known: BTreeSet<(ValueSource, String, String)> = BTreeSet::new();
    let mut rows = Vec::new();
    for mut found in entity.rows(&table.columns).filter(|found| is_shown(found.column)) {
        if is_note(found.column, &found.row.value) {
            found.row.attribute.push_str(" (note)");
        }
        let row = found.row;
        if known.insert((row.source, row.attribute.clone(), row.value.clone())) {
            rows.push(row);
        }
    }
    rows
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

fn column(table: &Assembly, places: &[usize]) -> ColumnRow {
    let all = || places.iter().map(|&at| &table.columns[at]);
    let column = &table.columns[places[0]];
    let (kind, unit) = match column.kind {
        ValueType::Number { unit } => (ColumnKind::Number, unit.map(str::to_owned)),
        ValueType::Price { currency } => (ColumnKind::Price, Some(currency.to_owned())),
        ValueType::Date => (ColumnKind::Date, None),
        ValueType::Boolean => (ColumnKind::Boolean, None),
        ValueType::Link => (ColumnKind::Link, None),
        ValueType::Text => (ColumnKind::Text, None),
    };
    let mut sources: Vec<ValueSource> = all().flat_map(|own| own.sources.clone()).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut names: Vec<String> =
        all().flat_map(|own| own.names.iter().map(ToString::to_string)).collect();
    names.dedup();
    let kinds: Vec<ColumnOfKind> = all().flat_map(|own| of_kinds(table, own)).collect();
    let entities: usize = all().map(|own| own.entities).sum();
    let of_kinds: BTreeSet<&String> = all().flat_map(|own| own.kinds.keys()).collect();
    let possible: usize = of_kinds.into_iter().filter_map(|kind| table.kinds.get(kind)).sum();
    ColumnRow {
        name: free_name(&column.name),
        kind,
        unit,
        list: column.list,
        entities: entities as u64,
        fill: entities as f64 / possible.max(1) as f64,
        distinct: all().map(|own| own.distinct as u64).sum(),
        conflicts: all().map(|own| own.conflicts as u64).sum(),
        sources,
        names,
        printed: all().flat_map(known_names).collect::<BTreeSet<_>>().into_iter().collect(),
        examples: column.examples.clone(),
        merged: all()
            .flat_map(|own| &own.merged)
            .map(|merge| format!("{} = {}: {}", merge.left, merge.right, merge.why))
            .collect(),
        kinds,
    }
}

/// What a column is to the entities of each of its kinds.
fn of_kinds(table: &Assembly, column: &Column) -> Vec<ColumnOfKind> {
    let of_kind = |(kind, entities): (&String, &usize)| ColumnOfKind {
        entity_kind: kind.clone(),
        entities: *entities as u64,
        fill: *entities as f64 / table.kinds.get(kind).copied().unwrap_or(0).max(1) as f64,
        distinct: column.distinct as u64,
        examples: column.examples.clone(),
    };
    column.kinds.iter().filter(|(_, entities)| **entities > 0).map(of_kind).collect()
}

/// The names by which the next harvest, or another site, knows a column: those that sites print, and the user's.
fn known_names(column: &Column) -> Vec<String> {
    let own = column.is_user_named.then(|| column.name.clone());
    printed(column).into_iter().chain(own).collect()
}

/// The names that sites print for a column.
pub(crate) fn printed(column: &Column) -> Vec<String> {
    let printed = column.names.iter().filter(|name| name.printed).map(|name| name.name.clone());
    printed.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The attributes that say what entities are called, of each kind that has one: better than the text of links, which may be
/// a number.
fn titled(table: &Assembly) -> Vec<usize> {
    let named = |column: &Column| {
        column.names.iter().any(|name| name.printed && name.name.eq_ignore_ascii_case("title"))
    };
    let is_title = |column: &Column| {
        column.role == EvidenceRole::Attribute && named(column) && column.fill >= TITLE_FILL
    };
    let mut kinds: BTreeSet<&String> = BTreeSet::new();
    let mut found = Vec::new();
    for (at, column) in table.columns.iter().enumerate().filter(|(_, column)| is_title(column)) {
        if column.kinds.keys().all(|kind| kinds.insert(kind)) {
            found.push(at);
        }
    }
    found
}

fn row(table: &Assembly, entity: &Entity<'_>, titled: &[usize], shown: &[Vec<usize>]) -> EntityRow {
    let own = titled.iter().find_map(|&at| entity.cell(at)).and_then(|cell| cell.values.first());
    let mut other_ids: Vec<String> =
        entity.also.iter().map(|address| entity_id(entity.site, address)).collect();
    other_ids.retain(|id| *id != entity.id);
    other_ids.dedup();
    EntityRow {
        id: entity.id.clone(),
        site: entity.site.to_owned(),
        entity: entity.address.to_owned(),
        entity_kind: entity.kind.to_owned(),
        other_ids,
        title: own.map(|value| value.text).or(entity.title).map(str::to_owned),
        state: EntityState::New,
        cells: shown.iter().map(|places| cell(table, entity, places)).collect(),
    }
}

fn cell(table: &Assembly, entity: &Entity<'_>, places: &[usize]) -> EntityCell {
    let found = places.iter().find_map(|&at| Some((&table.columns[at], entity.cell(at)?)));
    let Some((column, cell)) = found else { return EntityCell::Null };
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
