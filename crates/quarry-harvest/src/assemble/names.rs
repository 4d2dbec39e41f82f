//! Keeps the column of each place of a site, so that pages that are read later get the same names.

use std::collections::BTreeMap;

use quarry_assemble::Assembly;
use quarry_model::{Evidence, EvidenceRole, ModelStore, ValueRow, ValueSource};
use serde::{Deserialize, Serialize};

use crate::HarvestError;

/// The file in the project's `models`.
const FILE: &str = "names.json";

/// A place: the slot of a template, or a name that the source gives.
#[derive(Serialize, Deserialize)]
struct NamedPlace {
    site: String,
    source: ValueSource,
    place: String,
    column: String,
}

/// The columns of places.
pub struct ColumnNames(BTreeMap<(String, ValueSource, String), String>);

/// Keeps the names of a table's columns.
pub(crate) fn keep(store: &dyn ModelStore, table: &Assembly) -> Result<(), HarvestError> {
    let columns = table.columns.iter().filter(|column| column.role == EvidenceRole::Attribute);
    let mut named: Vec<NamedPlace> = Vec::new();
    for column in columns {
        named.extend(column.names.iter().map(|name| NamedPlace {
            site: name.site.clone(),
            source: name.source,
            place: name.slot.clone().unwrap_or_else(|| name.name.clone()),
            column: column.name.clone(),
        }));
    }
    let text = serde_json::to_string_pretty(&named).map_err(HarvestError::print("the names"))?;
    Ok(store.write_model(FILE, &text)?)
}

impl ColumnNames {
    /// The names that the last harvest has kept.
    pub fn read(store: &dyn ModelStore) -> Result<Self, HarvestError> {
        let text = store.read_model(FILE)?.unwrap_or_else(|| "[]".to_owned());
        let named: Vec<NamedPlace> = serde_json::from_str(&text).map_err(|source| {
            let place = store.model_place(FILE);
            HarvestError::Damaged { place, remedy: "harvest again", source }
        })?;
        let entry = |named: NamedPlace| ((named.site, named.source, named.place), named.column);
        Ok(Self(named.into_iter().map(entry).collect()))
    }

    /// Evidence as a row under the name of its column. What a list shows without a name, and no harvest gave a column, is left out;
    /// so are keys, which an attribute says too.
    #[must_use]
    pub fn row(&self, evidence: Evidence, entity_kind: &str) -> Option<ValueRow> {
        let Evidence { site, entity, role, attribute, slot, value, source, page, path, .. } =
            evidence;
        if matches!(role, EvidenceRole::Key | EvidenceRole::Kind) {
            return None;
        }
        let place = slot.clone().unwrap_or_else(|| attribute.clone());
        let column = self.0.get(&(site.clone(), source, place)).cloned();
        let attribute = column.or_else(|| slot.is_none().then_some(attribute))?;
        let confidence = evidence.confidence;
        let entity_kind = entity_kind.to_owned();
        Some(ValueRow {
            site,
            entity,
            entity_kind,
            attribute,
            value,
            source,
            page,
            path,
            confidence,
        })
    }
}
