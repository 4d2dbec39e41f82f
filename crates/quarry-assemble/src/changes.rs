//! What changed between two harvests?

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::assembly::Assembly;
use crate::index::Role;
use crate::same::{self, Places, same_values};

/// What is kept of a harvest to compare the next one with. Plain data, to be stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The attributes.
    pub columns: Vec<SnapshotColumn>,
    /// The entities.
    pub entities: Vec<SnapshotEntity>,
}

/// A column of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotColumn {
    /// Its name.
    pub name: String,
    /// The names that the site printed for it: a column may take another of them the next time.
    pub also: BTreeSet<String>,
}

/// An entity of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotEntity {
    /// Its id.
    pub id: String,
    /// `scheme://host:port`.
    pub site: String,
    /// Its addresses, the one that made its id first.
    pub addresses: Vec<String>,
    /// Its title.
    pub title: Option<String>,
    /// The place of a column, and the values, the surest first.
    pub cells: BTreeMap<usize, Vec<String>>,
}

impl Assembly<'_> {
    /// What to keep for the next harvest.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let attributes: Vec<usize> = (0..self.columns.len())
            .filter(|&at| self.columns[at].role == Role::Attribute)
            .collect();
        let columns = attributes.iter().map(|&at| &self.columns[at]).map(|column| {
            let printed = column.names.iter().filter(|name| name.printed);
            SnapshotColumn {
                name: column.name.clone(),
                also: printed.map(|name| name.name.clone()).collect(),
            }
        });
        let entities = self.entities.iter().map(|entity| {
            let also = entity.also.iter().copied();
            let addresses = std::iter::once(entity.address).chain(also);
            let mut cells = BTreeMap::new();
            for cell in &entity.cells {
                if let Ok(column) = attributes.binary_search(&cell.column) {
                    let values = cell.values.iter().map(|value| value.text.to_owned());
                    cells.insert(column, values.collect());
                }
            }
            SnapshotEntity {
                id: entity.id.clone(),
                site: entity.site.to_owned(),
                addresses: addresses.map(str::to_owned).collect(),
                title: entity.title.map(str::to_owned),
                cells,
            }
        });
        Snapshot { columns: columns.collect(), entities: entities.collect() }
    }
}

/// What became of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It was not there before.
    New,
    /// Nothing changed.
    Same,
    /// Its title or a value changed.
    Changed,
    /// It is no longer there.
    Removed,
}

/// A column that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnChange {
    /// The column's name; "title" for the title.
    pub column: String,
    /// The values before.
    pub before: Vec<String>,
    /// The values now.
    pub now: Vec<String>,
}

/// What became of an entity, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntityChange {
    /// Its id in the newer harvest, or in the older one if it is gone.
    pub id: String,
    /// Its address.
    pub address: String,
    /// What became of it.
    pub change: Change,
    /// The columns that changed.
    pub columns: Vec<ColumnChange>,
}

/// Compares two harvests: first the entities of the newer one in its order, then those that are gone. Entities are the same by
/// id or by address, columns by any of their printed names or by their values, values by what they say.
#[must_use]
pub fn compare(old: &Snapshot, new: &Snapshot) -> Vec<EntityChange> {
    let before = same::entities(old, new);
    let places = Places::of(old, new, &before);
    let everywhere = schema_changes(&places, old, new, &before);
    let mut met = vec![false; old.entities.len()];
    let mut changes = Vec::with_capacity(new.entities.len());
    for (entity, before) in new.entities.iter().zip(&before) {
        let (change, columns) = match *before {
            None => (Change::New, Vec::new()),
            Some(at) => {
                met[at] = true;
                let mut columns = differences(&places, &old.entities[at], entity);
                columns.retain(|(place, _)| !place.is_some_and(|at| everywhere.contains(&at)));
                let columns: Vec<_> = columns.into_iter().map(|(_, change)| change).collect();
                (if columns.is_empty() { Change::Same } else { Change::Changed }, columns)
            }
        };
        changes.push(entity_change(entity, change, columns));
    }
    let gone = old.entities.iter().zip(&met).filter(|(_, met)| !**met);
    changes.extend(gone.map(|(entity, _)| entity_change(entity, Change::Removed, Vec::new())));
    changes
}

/// What became of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnFate {
    /// Its names in the older harvest; none for a new column.
    pub before: Vec<String>,
    /// Its names in the newer harvest; none for a column that is gone.
    pub now: Vec<String>,
}

/// What became of the columns: those of the newer harvest in their order, then those that are gone.
#[must_use]
pub fn compare_columns(old: &Snapshot, new: &Snapshot) -> Vec<ColumnFate> {
    let places = Places::of(old, new, &same::entities(old, new));
    let mut fates: BTreeMap<usize, ColumnFate> = BTreeMap::new();
    let none = || ColumnFate { before: Vec::new(), now: Vec::new() };
    for (column, place) in new.columns.iter().zip(&places.new) {
        fates.entry(*place).or_insert_with(none).now.push(column.name.clone());
    }
    for (column, place) in old.columns.iter().zip(&places.old) {
        fates.entry(*place).or_insert_with(none).before.push(column.name.clone());
    }
    fates.into_values().collect()
}

fn entity_change(
    entity: &SnapshotEntity,
    change: Change,
    columns: Vec<ColumnChange>,
) -> EntityChange {
    let address = entity.addresses.first().cloned().unwrap_or_default();
    EntityChange { id: entity.id.clone(), address, change, columns }
}

/// The places of columns that came or went as a whole: on most entities of both harvests. That says something of the table, and
/// nothing of its entities.
fn schema_changes(
    places: &Places,
    old: &Snapshot,
    new: &Snapshot,
    before: &[Option<usize>],
) -> BTreeSet<usize> {
    let (then, now): (BTreeSet<usize>, BTreeSet<usize>) =
        (places.old.iter().copied().collect(), places.new.iter().copied().collect());
    let mut filled: BTreeMap<usize, usize> = BTreeMap::new();
    let mut both = 0;
    for (entity, at) in new.entities.iter().zip(before) {
        let Some(older) = at.map(|at| &old.entities[at]) else { continue };
        both += 1;
        let olds = older.cells.keys().map(|at| places.old[*at]).filter(|at| !now.contains(at));
        let news = entity.cells.keys().map(|at| places.new[*at]).filter(|at| !then.contains(at));
        for place in olds.chain(news) {
            *filled.entry(place).or_default() += 1;
        }
    }
    filled.into_iter().filter(|&(_, n)| n > 1 && 2 * n > both).map(|(place, _)| place).collect()
}

/// What changed of an entity, each with the place of its column; none for the title.
fn differences(
    places: &Places,
    before: &SnapshotEntity,
    now: &SnapshotEntity,
) -> Vec<(Option<usize>, ColumnChange)> {
    let mut cells: BTreeMap<usize, (Vec<String>, Vec<String>)> = BTreeMap::new();
    for (column, values) in &before.cells {
        if let Some(&place) = places.old.get(*column) {
            cells.entry(place).or_default().0.extend(values.iter().cloned());
        }
    }
    for (column, values) in &now.cells {
        if let Some(&place) = places.new.get(*column) {
            cells.entry(place).or_default().1.extend(values.iter().cloned());
        }
    }
    let mut changes = Vec::new();
    let titles = |entity: &SnapshotEntity| entity.title.iter().cloned().collect::<Vec<_>>();
    let (before, now) = (titles(before), titles(now));
    if !same_values(&before, &now) {
        changes.push((None, ColumnChange { column: "title".to_owned(), before, now }));
    }
    for (place, (before, now)) in cells {
        if !same_values(&before, &now) {
            let column = places.names[place].clone();
            changes.push((Some(place), ColumnChange { column, before, now }));
        }
    }
    changes
}
