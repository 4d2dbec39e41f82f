//! Evidence as an Arrow table, and back.

use std::sync::{Arc, LazyLock};

use arrow_array::{
    ArrayRef, Float64Array, LargeStringArray, RecordBatch, StringArray, cast::AsArray,
    types::Float64Type,
};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use quarry_model::{Evidence, EvidenceRole, NameOrigin, ValueSource, canonical_address};

use crate::error::Failure;
use crate::pages::optional_text;
use crate::table::ArrowTable;

/// The columns, all text; `entity_key` is what evidence of one entity has in common. `confidence` comes behind them.
const TEXTS: [&str; 11] = [
    "site",
    "entity_key",
    "entity",
    "role",
    "attribute",
    "naming",
    "slot",
    "value",
    "source",
    "page",
    "path",
];

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let texts = TEXTS.iter().map(|name| Field::new(*name, DataType::Utf8, true));
    let fields = texts.chain([Field::new("confidence", DataType::Float64, true)]);
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
});

const ROLES: [(EvidenceRole, &str); 4] = [
    (EvidenceRole::Title, "title"),
    (EvidenceRole::Key, "key"),
    (EvidenceRole::Kind, "kind"),
    (EvidenceRole::Attribute, "attribute"),
];

const NAMINGS: [(NameOrigin, &str); 3] = [
    (NameOrigin::Printed, "printed"),
    (NameOrigin::Guessed, "guessed"),
    (NameOrigin::Slot, "slot"),
];

fn name_of<T: PartialEq>(names: &[(T, &'static str)], wanted: &T) -> &'static str {
    names.iter().find(|(own, _)| own == wanted).map_or("", |(_, name)| name)
}

/// Evidence as a table.
pub(crate) fn table(evidence: &[Evidence]) -> Result<ArrowTable, Failure> {
    let texts = |of: &dyn Fn(&Evidence) -> Option<&str>| -> ArrayRef {
        Arc::new(StringArray::from_iter(evidence.iter().map(of)))
    };
    let columns: Vec<ArrayRef> = vec![
        texts(&|own| Some(&own.site)),
        texts(&|own| Some(canonical_address(&own.entity))),
        texts(&|own| Some(&own.entity)),
        texts(&|own| Some(name_of(&ROLES, &own.role))),
        texts(&|own| Some(&own.attribute)),
        texts(&|own| Some(name_of(&NAMINGS, &own.naming))),
        texts(&|own| own.slot.as_deref()),
        texts(&|own| Some(&own.value)),
        texts(&|own| Some(own.source.as_str())),
        texts(&|own| Some(&own.page)),
        texts(&|own| Some(&own.path)),
        Arc::new(Float64Array::from_iter_values(evidence.iter().map(|own| own.confidence))),
    ];
    let batch = RecordBatch::try_new(SCHEMA.clone(), columns)?;
    Ok(ArrowTable::new(SCHEMA.clone(), vec![batch]))
}

/// The evidence of a batch; its `entity_key` is not looked at.
pub(crate) fn of_batch(batch: &RecordBatch) -> Result<Vec<Evidence>, Failure> {
    let column = |name: &str| -> Result<LargeStringArray, Failure> {
        optional_text(batch, &[name])?.ok_or_else(|| {
            Failure::column(
                name,
                format!("the evidence has no column `{name}`; it is what SiteModel.read gives"),
            )
        })
    };
    let (site, entity, role) = (column("site")?, column("entity")?, column("role")?);
    let (attribute, naming, slot) = (column("attribute")?, column("naming")?, column("slot")?);
    let (text, source) = (column("value")?, column("source")?);
    let (page, path) = (column("page")?, column("path")?);
    let confidence =
        batch.column_by_name("confidence").and_then(|own| cast(own, &DataType::Float64).ok());
    let Some(confidence) = confidence else {
        return Err(Failure::column(
            "confidence",
            "the evidence has no column `confidence` of numbers",
        ));
    };
    let confidence = confidence.as_primitive::<Float64Type>();
    let unknown = |name: &str, value: &str| {
        Failure::column(name, format!("'{value}' is no {name} of evidence"))
    };
    let text_at = |column: &LargeStringArray, row: usize| {
        crate::pages::value(Some(column), row).unwrap_or_default()
    };
    let mut found = Vec::with_capacity(batch.num_rows());
    for row in 0..batch.num_rows() {
        let (own_role, own_naming) = (text_at(&role, row), text_at(&naming, row));
        let own_source = text_at(&source, row);
        let role = ROLES.iter().find(|(_, name)| *name == own_role).map(|(role, _)| *role);
        let naming = NAMINGS.iter().find(|(_, name)| *name == own_naming).map(|(own, _)| *own);
        let source = ValueSource::from_name(&own_source);
        found.push(Evidence {
            site: text_at(&site, row),
            entity: text_at(&entity, row),
            role: role.ok_or_else(|| unknown("role", &own_role))?,
            attribute: text_at(&attribute, row),
            naming: naming.ok_or_else(|| unknown("naming", &own_naming))?,
            slot: crate::pages::value(Some(&slot), row),
            value: text_at(&text, row),
            source: source.ok_or_else(|| unknown("source", &own_source))?,
            page: text_at(&page, row),
            path: text_at(&path, row),
            confidence: confidence.value(row),
        });
    }
    Ok(found)
}
