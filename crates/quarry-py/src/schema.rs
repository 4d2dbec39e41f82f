//! The columns of the tables that Python gets: those of the program's lines, with the same names.

use std::sync::{Arc, LazyLock};

use arrow_array::RecordBatch;
use arrow_json::ReaderBuilder;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use serde::Serialize;

use crate::error::Failure;
use crate::table::ArrowTable;

/// Rows of a table that are one record batch.
const BATCH_ROWS: usize = 1 << 16;

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}

fn whole(name: &str) -> Field {
    Field::new(name, DataType::Int64, true)
}

fn number(name: &str) -> Field {
    Field::new(name, DataType::Float64, true)
}

fn flag(name: &str) -> Field {
    Field::new(name, DataType::Boolean, true)
}

fn list(name: &str, fields: impl IntoIterator<Item = Field>) -> Field {
    let item = Field::new("item", DataType::Struct(fields.into_iter().collect()), true);
    Field::new(name, DataType::List(Arc::new(item)), true)
}

fn texts(name: &str) -> Field {
    Field::new(name, DataType::List(Arc::new(text("item"))), true)
}

fn schema(fields: impl IntoIterator<Item = Field>) -> SchemaRef {
    Arc::new(Schema::new(fields.into_iter().collect::<Vec<_>>()))
}

/// `quarry records`.
pub(crate) static RECORDS: LazyLock<SchemaRef> = LazyLock::new(|| {
    let unit = ["slot", "label", "text", "kind", "path", "attribute", "label_source"].map(text);
    let units = list("units", unit.into_iter().chain([flag("constant")]));
    let records = list("records", [texts("paths"), text("text"), number("fit"), units]);
    let regions = list("regions", [text("path"), number("score"), whole("template"), records]);
    schema([text("page"), whole("cluster"), regions])
});

/// `quarry specs`.
pub(crate) static SPECS: LazyLock<SchemaRef> = LazyLock::new(|| {
    let pair = ["name", "value", "name_path", "value_path", "normal_name", "section", "attribute"];
    let pairs = list("pairs", pair.map(text).into_iter().chain([texts("values"), whole("item")]));
    let specs = list("specs", [text("path"), number("score"), text("method"), pairs]);
    schema([text("page"), specs, list("ids", [text("kind"), text("id")])])
});

/// `quarry links`.
pub(crate) static LINKS: LazyLock<SchemaRef> = LazyLock::new(|| {
    let labelled = |name: &str| list(name, [text("label"), text("href")]);
    let entities = |name: &str| list(name, ["href", "text", "path"].map(text));
    let values = list("values", [text("value"), text("href"), whole("count"), flag("selected")]);
    let facet = [text("attribute"), text("attribute_from"), values, text("more"), number("score")];
    let options = list("options", [text("value"), text("label"), whole("count"), flag("selected")]);
    let control =
        [text("name"), text("label"), text("kind"), text("meaning"), options, text("any")];
    let buttons = [text("name"), text("value"), text("role"), whole("number")];
    let form = [
        whole("form"),
        text("kind"),
        flag("safe"),
        list("controls", control),
        list("paging_buttons", buttons),
    ];
    schema([
        text("page"),
        text("kind"),
        list("pagination", [text("href"), text("url"), text("role"), whole("number")]),
        list("facets", facet),
        labelled("sorts"),
        list("sizes", [text("label"), text("href"), whole("size")]),
        labelled("removals"),
        labelled("exports"),
        whole("total"),
        entities("entities"),
        entities("promoted"),
        list("forms", form),
    ])
});

/// `quarry forms`.
pub(crate) static FORMS: LazyLock<SchemaRef> = LazyLock::new(|| {
    let options = list("options", [text("value"), text("label")]);
    let fields = list("fields", [text("name"), text("type"), text("label"), options]);
    let form = [
        whole("index"),
        text("kind"),
        number("score"),
        text("method"),
        text("action"),
        text("query"),
        flag("safe"),
        fields,
    ];
    schema([text("page"), list("forms", form)])
});

/// `quarry cluster`.
pub(crate) static CLUSTERS: LazyLock<SchemaRef> =
    LazyLock::new(|| schema([text("page"), whole("cluster"), whole("rank")]));

/// The data that pages embed for machines, one row for each name and value.
pub(crate) static EMBEDDED: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field = ["syntax", "kind", "name", "value", "path"].map(text);
    schema([text("page"), whole("thing")].into_iter().chain(field))
});

/// `quarry match`.
pub(crate) static MATCHES: LazyLock<SchemaRef> = LazyLock::new(|| {
    let texts = ["site", "page", "attribute", "value", "path"].map(text);
    schema(texts.into_iter().chain([number("confidence"), whole("seed_record")]))
});

/// What was wrong with pages.
pub(crate) static ISSUES: LazyLock<SchemaRef> =
    LazyLock::new(|| schema(["site", "page", "stage", "issue"].map(text)));

/// A table of lines that serialise as the schema says; what the schema does not name is left out.
pub(crate) fn table_of<L: Serialize>(
    schema: &SchemaRef,
    lines: &[L],
) -> Result<ArrowTable, Failure> {
    let mut batches: Vec<RecordBatch> = Vec::new();
    for lines in lines.chunks(BATCH_ROWS) {
        let mut decoder =
            ReaderBuilder::new(schema.clone()).with_batch_size(BATCH_ROWS).build_decoder()?;
        decoder.serialize(lines)?;
        batches.extend(decoder.flush()?);
    }
    Ok(ArrowTable::new(schema.clone(), batches))
}
