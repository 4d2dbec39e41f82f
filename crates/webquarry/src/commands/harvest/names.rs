//! What is each place of a site called in the table? Kept, so that pages that are read later get the same names.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use quarry_assemble::{Assembly, Role};
use quarry_model::{ValueRow, ValueSource};
use quarry_store::Project;
use serde::{Deserialize, Serialize};

/// The file in the project's `models`.
const FILE: &str = "names.json";

/// A place: the slot of a template, or a name that the source gives.
#[derive(Serialize, Deserialize)]
struct Named {
    site: String,
    source: ValueSource,
    place: String,
    column: String,
}

/// The columns of places.
pub(in crate::commands) struct Names(BTreeMap<(String, ValueSource, String), String>);

/// Keeps the names of a table's columns.
pub(super) fn keep(project: &Project, table: &Assembly<'_>) -> Result<()> {
    let columns = table.columns.iter().filter(|column| column.role == Role::Attribute);
    let mut named: Vec<Named> = Vec::new();
    for column in columns {
        named.extend(column.names.iter().map(|name| Named {
            site: name.site.clone(),
            source: name.source,
            place: name.slot.clone().unwrap_or_else(|| name.name.clone()),
            column: column.name.clone(),
        }));
    }
    let text = serde_json::to_string_pretty(&named).context("cannot print the names")?;
    Ok(project.write_model(FILE, &text)?)
}

impl Names {
    /// The names that the last harvest has kept.
    pub(in crate::commands) fn read(project: &Project) -> Result<Self> {
        let text = project.read_model(FILE)?.unwrap_or_else(|| "[]".to_owned());
        let named: Vec<Named> = serde_json::from_str(&text).with_context(|| {
            format!("{} is damaged; harvest again", project.model_path(FILE).display())
        })?;
        let entry = |named: Named| ((named.site, named.source, named.place), named.column);
        Ok(Self(named.into_iter().map(entry).collect()))
    }

    /// The row under the name of its column. What a list shows without a name, and no harvest gave a column, is left out.
    pub(in crate::commands) fn name(&self, row: ValueRow, slot: Option<&str>) -> Option<ValueRow> {
        let place = slot.unwrap_or(&row.attribute).to_owned();
        match self.0.get(&(row.site.clone(), row.source, place)) {
            Some(column) => Some(ValueRow { attribute: column.clone(), ..row }),
            None => slot.is_none().then_some(row),
        }
    }
}
