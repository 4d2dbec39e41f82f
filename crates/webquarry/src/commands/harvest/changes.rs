//! What became of the entities since the last harvest? The table is kept beside what was learned, and compared with the next one.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use quarry_assemble::{Change, EntityChange, Snapshot, SnapshotEntity, compare};
use quarry_model::EntityState;
use quarry_store::Project;

/// The file in the project's `models`.
const FILE: &str = "table.json";
/// Changes of so few entities are no reason to worry.
const FEW: usize = 5;

/// The states of the entities, by id, and the entities that are gone.
pub(super) struct Changes {
    states: BTreeMap<String, EntityState>,
    pub(super) removed: Vec<SnapshotEntity>,
    /// Changes on so many entities that the site may be read wrong.
    pub(super) warnings: Vec<String>,
}

impl Changes {
    /// The state of an entity.
    pub(super) fn of(&self, id: &str) -> EntityState {
        self.states.get(id).copied().unwrap_or_default()
    }
}

/// The table of the last harvest, if there was one.
pub(in crate::commands) fn last(project: &Project) -> Result<Option<Snapshot>> {
    let Some(text) = project.read_model(FILE)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).with_context(|| {
        let path = project.model_path(FILE);
        format!("{} is damaged; remove it, and all entities count as new", path.display())
    })
}

/// Compares the table with that of the last harvest.
pub(super) fn since(before: Option<&Snapshot>, now: &Snapshot) -> Changes {
    let mut found = Changes { states: BTreeMap::new(), removed: Vec::new(), warnings: Vec::new() };
    let Some(before) = before else { return found };
    let changes = compare(before, now);
    found.warnings = warnings(&changes);
    let mut old: BTreeMap<&str, &SnapshotEntity> =
        before.entities.iter().map(|entity| (&*entity.id, entity)).collect();
    for change in changes {
        let state = match change.change {
            Change::New => EntityState::New,
            Change::Same => EntityState::Same,
            Change::Changed => EntityState::Changed,
            Change::Removed => {
                found.removed.extend(old.remove(&*change.id).cloned());
                continue;
            }
        };
        found.states.insert(change.id, state);
    }
    found
}

fn warnings(changes: &[EntityChange]) -> Vec<String> {
    let count = |change| changes.iter().filter(|own| own.change == change).count();
    let known = count(Change::Same) + count(Change::Changed);
    let gone = count(Change::Removed);
    let mut warnings = Vec::new();
    let mut columns: BTreeMap<&str, usize> = BTreeMap::new();
    for change in changes.iter().flat_map(|entity| &entity.columns) {
        *columns.entry(&change.column).or_default() += 1;
    }
    for (column, entities) in columns {
        if entities >= FEW && 2 * entities > known {
            warnings.push(format!(
                "column {column:?} changed on {entities} of {known} entities; is it still the same?"
            ));
        }
    }
    if gone >= FEW && gone > known {
        warnings.push(format!("{gone} of {} entities are gone", gone + known));
    }
    warnings
}

/// Keeps the table for the next harvest.
pub(super) fn keep(project: &Project, table: &Snapshot) -> Result<()> {
    let text = serde_json::to_string(table).context("cannot print the table")?;
    Ok(project.write_model(FILE, &text)?)
}
