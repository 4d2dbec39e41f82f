//! What changed between two harvests?

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::value::Format;
use serde::{Deserialize, Serialize};

use crate::assembly::Assembly;
use crate::hash::Lookup;
use crate::index::{Groups, Role, canonical};
use crate::said::{Said, words};

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
/// id or by address, columns by any of their printed names, values by what they say.
#[must_use]
pub fn compare(old: &Snapshot, new: &Snapshot) -> Vec<EntityChange> {
    let places = same_columns(old, new);
    let mut known: Lookup<(&str, &str), usize> = Lookup::default();
    let mut ids: Lookup<&str, usize> = Lookup::default();
    for (at, entity) in old.entities.iter().enumerate() {
        ids.insert(&entity.id, at);
        for address in &entity.addresses {
            known.entry((canonical(&entity.site), canonical(address))).or_insert(at);
        }
    }
    let mut met = vec![false; old.entities.len()];
    let mut changes = Vec::with_capacity(new.entities.len());
    for entity in &new.entities {
        let site = canonical(&entity.site);
        let by_address = || entity.addresses.iter().find_map(|a| known.get(&(site, canonical(a))));
        let before = ids.get(&*entity.id).or_else(by_address).copied();
        let before = before.filter(|&at| !met[at]);
        let (change, columns) = match before {
            None => (Change::New, Vec::new()),
            Some(at) => {
                met[at] = true;
                let columns = differences(&places, &old.entities[at], entity);
                (if columns.is_empty() { Change::Same } else { Change::Changed }, columns)
            }
        };
        changes.push(entity_change(entity, change, columns));
    }
    let gone = old.entities.iter().zip(&met).filter(|(_, met)| !**met);
    changes.extend(gone.map(|(entity, _)| entity_change(entity, Change::Removed, Vec::new())));
    changes
}

fn entity_change(
    entity: &SnapshotEntity,
    change: Change,
    columns: Vec<ColumnChange>,
) -> EntityChange {
    let address = entity.addresses.first().cloned().unwrap_or_default();
    EntityChange { id: entity.id.clone(), address, change, columns }
}

/// Columns that are one, of both snapshots: those with a name in common.
struct Places {
    old: Vec<usize>,
    new: Vec<usize>,
    /// The name of each place.
    names: Vec<String>,
}

fn same_columns(old: &Snapshot, new: &Snapshot) -> Places {
    let all: Vec<&SnapshotColumn> = new.columns.iter().chain(&old.columns).collect();
    let mut groups = Groups::new(all.len());
    let mut first: Lookup<(u64, &str), u32> = Lookup::default();
    for (at, column) in (0_u32..).zip(&all) {
        for name in std::iter::once(&column.name).chain(&column.also) {
            let key = match words(name) {
                0 => (0, name.as_str()),
                words => (words, ""),
            };
            groups.unite(*first.entry(key).or_insert(at), at);
        }
    }
    let mut place: Vec<usize> = (0..all.len() as u32).map(|at| groups.find(at) as usize).collect();
    let old = place.split_off(new.columns.len());
    Places { old, new: place, names: all.iter().map(|column| column.name.clone()).collect() }
}

fn differences(
    places: &Places,
    before: &SnapshotEntity,
    now: &SnapshotEntity,
) -> Vec<ColumnChange> {
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
        changes.push(ColumnChange { column: "title".to_owned(), before, now });
    }
    for (place, (before, now)) in cells {
        if !same_values(&before, &now) {
            let column = places.names[place].clone();
            changes.push(ColumnChange { column, before, now });
        }
    }
    changes
}

/// Whether two cells hold the same: each value of one is among those of the other.
fn same_values(before: &[String], now: &[String]) -> bool {
    if before == now {
        return true;
    }
    let read = |texts: &[String]| -> BTreeSet<u64> {
        let format = Format::default();
        texts.iter().map(|text| Said::read(text, &format).exact).collect()
    };
    read(before) == read(now)
}
