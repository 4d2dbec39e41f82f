//! Rows of typed cells as Arrow record batches.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, ListBuilder, MapBuilder,
    StringBuilder, TimestampMillisecondBuilder,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use quarry_model::ValueRow;
use quarry_store::table::{ColumnType, TableCell, TableColumn};

use crate::error::Failure;
use crate::table::ArrowTable;

/// Columns of `entities` before and behind those of attributes.
const BEFORE: usize = 4;
const BEHIND: usize = 2;

/// A column that is being filled.
enum Builder {
    Text(StringBuilder),
    Integer(Int64Builder),
    Float(Float64Builder),
    Time(TimestampMillisecondBuilder),
    Date(Date32Builder),
    Boolean(BooleanBuilder),
    List(ListBuilder<StringBuilder>),
}

impl Builder {
    fn new(kind: ColumnType) -> Self {
        match kind {
            ColumnType::Text => Self::Text(StringBuilder::new()),
            ColumnType::Integer => Self::Integer(Int64Builder::new()),
            ColumnType::Float => Self::Float(Float64Builder::new()),
            ColumnType::Time => Self::Time(TimestampMillisecondBuilder::new().with_timezone("UTC")),
            ColumnType::Date => Self::Date(Date32Builder::new()),
            ColumnType::Boolean => Self::Boolean(BooleanBuilder::new()),
            ColumnType::List => Self::List(ListBuilder::new(StringBuilder::new())),
        }
    }

    /// Adds a cell; one that does not fit the type of the column is null.
    fn push(&mut self, cell: TableCell) {
        match (self, cell) {
            (Self::Text(own), TableCell::Text(text)) => own.append_value(text),
            (Self::Text(own), _) => own.append_null(),
            (Self::Integer(own), TableCell::Integer(number)) => own.append_value(number),
            (Self::Integer(own), _) => own.append_null(),
            (Self::Float(own), TableCell::Float(number)) => own.append_value(number),
            (Self::Float(own), _) => own.append_null(),
            (Self::Time(own), TableCell::Time(at)) => own.append_value(at.0),
            (Self::Time(own), _) => own.append_null(),
            (Self::Date(own), TableCell::Date(day)) => own.append_value(day.0),
            (Self::Date(own), _) => own.append_null(),
            (Self::Boolean(own), TableCell::Boolean(yes)) => own.append_value(yes),
            (Self::Boolean(own), _) => own.append_null(),
            (Self::List(own), TableCell::List(texts)) => {
                own.append_value(texts.into_iter().map(Some));
            }
            (Self::List(own), _) => own.append_null(),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Text(mut own) => Arc::new(own.finish()),
            Self::Integer(mut own) => Arc::new(own.finish()),
            Self::Float(mut own) => Arc::new(own.finish()),
            Self::Time(mut own) => Arc::new(own.finish()),
            Self::Date(mut own) => Arc::new(own.finish()),
            Self::Boolean(mut own) => Arc::new(own.finish()),
            Self::List(mut own) => Arc::new(own.finish()),
        }
    }
}

/// Rows of typed cells on their way into a table.
pub(crate) struct CellRows {
    names: Vec<String>,
    builders: Vec<Builder>,
    rows: usize,
    /// The names of attributes whose cells are the entries of one map, and that map.
    cells: Option<(Vec<String>, MapBuilder<StringBuilder, StringBuilder>)>,
}

impl CellRows {
    pub(crate) fn new(columns: &[TableColumn]) -> Self {
        Self {
            names: columns.iter().map(|column| column.name.clone()).collect(),
            builders: columns.iter().map(|column| Builder::new(column.kind)).collect(),
            rows: 0,
            cells: None,
        }
    }

    /// Rows whose attributes are the entries of a map `cells`, since sites have different ones.
    pub(crate) fn with_cells(fixed: &[TableColumn], attributes: &[TableColumn]) -> Self {
        let names = attributes.iter().map(|column| column.name.clone()).collect();
        let map = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
        Self { cells: Some((names, map)), ..Self::new(fixed) }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    pub(crate) fn push(&mut self, row: Vec<TableCell>) {
        self.builders.iter_mut().zip(row).for_each(|(builder, cell)| builder.push(cell));
        self.rows += 1;
    }

    /// Adds a row of `entities`.
    pub(crate) fn push_with_cells(&mut self, mut row: Vec<TableCell>) {
        let behind = row.split_off(row.len() - BEHIND);
        let attributes = row.split_off(BEFORE);
        if let Some((names, map)) = &mut self.cells {
            for (name, cell) in names.iter().zip(attributes) {
                if let Some(text) = text_of(cell) {
                    map.keys().append_value(name);
                    map.values().append_value(text);
                }
            }
            // The keys and values of an entry were added together.
            let _ = map.append(true);
        }
        row.extend(behind);
        self.push(row);
    }

    pub(crate) fn finish(self) -> Result<ArrowTable, Failure> {
        let mut arrays: Vec<ArrayRef> = self.builders.into_iter().map(Builder::finish).collect();
        let mut names = self.names;
        if let Some((_, mut map)) = self.cells {
            arrays.push(Arc::new(map.finish()));
            names.push("cells".to_owned());
        }
        let fields: Vec<Field> = names
            .iter()
            .zip(&arrays)
            .map(|(name, array)| Field::new(name, array.data_type().clone(), true))
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(schema.clone(), arrays)?;
        Ok(ArrowTable::new(schema, vec![batch]))
    }
}

/// A cell as text, from which its type can be read again; a list is a JSON array.
fn text_of(cell: TableCell) -> Option<String> {
    match cell {
        TableCell::Null => None,
        TableCell::Text(text) => Some(text),
        TableCell::Integer(number) => Some(number.to_string()),
        TableCell::Float(number) => Some(number.to_string()),
        TableCell::Time(at) => Some(at.to_string()),
        TableCell::Date(day) => Some(day.to_string()),
        TableCell::Boolean(yes) => Some(yes.to_string()),
        TableCell::List(texts) => serde_json::to_string(&texts).ok(),
    }
}

/// The columns of `entities` that all sites have, and those of attributes.
pub(crate) fn split_columns(columns: &[TableColumn]) -> (Vec<TableColumn>, Vec<TableColumn>) {
    let end = columns.len() - BEHIND;
    let fixed = columns[..BEFORE].iter().chain(&columns[end..]).cloned().collect();
    (fixed, columns[BEFORE..end].to_vec())
}

/// The type of an attribute's column in `entities`.
pub(crate) fn type_of(columns: &[TableColumn], name: &str) -> &'static str {
    let own = columns[BEFORE..columns.len() - BEHIND].iter().find(|column| column.name == name);
    match own.map(|column| column.kind) {
        Some(ColumnType::Integer) => "integer",
        Some(ColumnType::Float) => "float",
        Some(ColumnType::Time) => "time",
        Some(ColumnType::Date) => "date",
        Some(ColumnType::Boolean) => "boolean",
        Some(ColumnType::List) => "list",
        Some(ColumnType::Text) | None => "text",
    }
}

/// The columns of `values`.
pub(crate) fn value_columns() -> Vec<TableColumn> {
    let texts = ["site", "entity", "entity_kind", "attribute", "value", "source", "page", "path"];
    let texts = texts.map(|name| TableColumn::new(name, ColumnType::Text));
    texts.into_iter().chain([TableColumn::new("confidence", ColumnType::Float)]).collect()
}

/// The cells of a value.
pub(crate) fn of_value(row: &ValueRow) -> Vec<TableCell> {
    let ValueRow { site, entity, entity_kind, attribute, value, source, page, path, confidence } =
        row;
    let source = source.as_str().to_owned();
    let texts = [site, entity, entity_kind, attribute, value, &source, page, path];
    let texts = texts.into_iter().map(|text| TableCell::Text(text.clone()));
    texts.chain([TableCell::Float(*confidence)]).collect()
}
