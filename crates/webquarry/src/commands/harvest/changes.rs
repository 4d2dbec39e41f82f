//! What became of the entities since the last harvest? The table is kept beside what was learned, and compared with the next one.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use quarry_assemble::{Assembly, Change, Snapshot, SnapshotEntity, compare};
use quarry_model::EntityState;
use quarry_store::Project;

/// The file in the project's `models`.
const FILE: &str = "table.json";

/// The states of the entities, by id, and the entities that are gone.
pub(super) struct Changes {
    states: BTreeMap<String, EntityState>,
    pub(super) removed: Vec<SnapshotEntity>,
}

impl Changes {
    /// The state of an entity.
    pub(super) fn of(&self, id: &str) -> EntityState {
        self.states.get(id).copied().unwrap_or_default()
    }
}

/// Compares the table with that of the last harvest.
pub(super) fn since(project: &Project, table: &Assembly<'_>) -> Result<Changes> {
    let none = Changes { states: BTreeMap::new(), removed: Vec::new() };
    let Some(text) = project.read_model(FILE)? else { return Ok(none) };
    let before: Snapshot = serde_json::from_str(&text).with_context(|| {
        let path = project.model_path(FILE);
        format!("{} is damaged; remove it, and all entities count as new", path.display())
    })?;
    let changes = compare(&before, &table.snapshot());
    let mut old: BTreeMap<String, SnapshotEntity> =
        before.entities.into_iter().map(|entity| (entity.id.clone(), entity)).collect();
    let mut found = none;
    for change in changes {
        let state = match change.change {
            Change::New => EntityState::New,
            Change::Same => EntityState::Same,
            Change::Changed => EntityState::Changed,
            Change::Removed => {
                found.removed.extend(old.remove(&change.id));
                continue;
            }
        };
        found.states.insert(change.id, state);
    }
    Ok(found)
}

/// Keeps the table for the next harvest.
pub(super) fn keep(project: &Project, table: &Assembly<'_>) -> Result<()> {
    let text = serde_json::to_string(&table.snapshot()).context("cannot print the table")?;
    Ok(project.write_model(FILE, &text)?)
}
