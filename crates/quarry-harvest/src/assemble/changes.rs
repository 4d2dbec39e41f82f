//! Tells what became of the entities since the last harvest: its table is in the store until the new one takes its place.

use quarry_assemble::TableComparison;
use quarry_model::{EntityRow, EntityState, PortError};

use crate::harvest::HarvestStore;
use crate::learn::drift;

/// Where version 0.1 kept the table of the last harvest, among the models.
pub(crate) const OLD_FILE: &str = "table.json";
/// Entities that must have changed before a warning: fewer change on any site.
const MIN_CHANGED_ENTITIES: usize = 5;

/// Compares a harvest with the last one, if there was one.
pub(crate) struct Changes(Option<TableComparison>);

impl Changes {
    /// No comparison: there was no harvest before.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    pub(crate) fn new(comparison: TableComparison) -> Self {
        Self(Some(comparison))
    }

    /// What became of an entity.
    pub(crate) fn state(
        &mut self,
        store: &mut dyn HarvestStore,
        row: &EntityRow,
    ) -> Result<EntityState, PortError> {
        let Some(comparison) = &mut self.0 else { return Ok(EntityState::New) };
        let old = store.take_old_entity(&ids(row))?;
        Ok(comparison.state(old.as_ref(), row))
    }

    /// Changes on so many entities that the site may be read wrong, and columns that came or went.
    pub(crate) fn warnings(&self, removed: u64) -> Vec<String> {
        let Some(comparison) = &self.0 else { return Vec::new() };
        let (known, gone) = (comparison.known, removed as usize);
        let mut warnings = Vec::new();
        for (column, &entities) in &comparison.changed {
            if entities >= MIN_CHANGED_ENTITIES && 2 * entities > known {
                warnings.push(format!(
                    "column {column:?} changed on {entities} of {known} entities; is it still the same?"
                ));
            }
        }
        if gone >= MIN_CHANGED_ENTITIES && gone > known {
            warnings.push(format!("{gone} of {} entities are gone", gone + known));
        }
        warnings.extend(drift::columns(&comparison.column_fates()));
        warnings
    }
}

/// The ids that an entity may have had.
pub(crate) fn ids(row: &EntityRow) -> Vec<&str> {
    std::iter::once(&row.id).chain(&row.other_ids).map(String::as_str).collect()
}
