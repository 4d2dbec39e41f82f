//! A table as Apache Parquet.

use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, ListBuilder,
    StringBuilder, TimestampMillisecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::{Cell, Column, ColumnType, SinkError, TableSink};

/// Rows that are gathered before they are handed on.
const BATCH: usize = 8_192;

pub(super) struct Parquet<'a> {
    schema: Arc<Schema>,
    columns: Vec<Builder>,
    rows: usize,
    writer: ArrowWriter<Box<dyn Write + Send + 'a>>,
}

enum Builder {
    Text(StringBuilder),
    Integer(Int64Builder),
    Float(Float64Builder),
    Time(TimestampMillisecondBuilder),
    Date(Date32Builder),
    Boolean(BooleanBuilder),
    List(ListBuilder<StringBuilder>),
}

impl<'a> Parquet<'a> {
    pub(super) fn new(
        columns: &[Column],
        out: Box<dyn Write + Send + 'a>,
    ) -> Result<Self, SinkError> {
        let field = |column: &Column| Field::new(&column.name, data_type(column.kind), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let compression = Compression::ZSTD(ZstdLevel::try_new(3)?);
        let properties = WriterProperties::builder().set_compression(compression).build();
        let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?;
        let columns = columns.iter().map(|column| Builder::new(column.kind)).collect();
        Ok(Self { schema, columns, rows: 0, writer })
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        if self.rows > 0 {
            let arrays = self.columns.iter_mut().map(Builder::finish).collect();
            self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), arrays)?)?;
            self.rows = 0;
        }
        Ok(())
    }
}

impl TableSink for Parquet<'_> {
    fn write(&mut self, row: Vec<Cell>) -> Result<(), SinkError> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(cell);
        }
        self.rows += 1;
        if self.rows == BATCH { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        self.flush()?;
        let mut out = self.writer.into_inner()?;
        Ok(out.flush()?)
    }
}

fn data_type(kind: ColumnType) -> DataType {
    match kind {
        ColumnType::Text => DataType::Utf8,
        ColumnType::Integer => DataType::Int64,
        ColumnType::Float => DataType::Float64,
        ColumnType::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        ColumnType::Date => DataType::Date32,
        ColumnType::Boolean => DataType::Boolean,
        ColumnType::List => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
    }
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

    /// A value of another type than the column's becomes null.
    fn push(&mut self, cell: Cell) {
        match (self, cell) {
            (Self::Text(column), Cell::Text(text)) => column.append_value(text),
            (Self::Integer(column), Cell::Integer(number)) => column.append_value(number),
            (Self::Float(column), Cell::Float(number)) => column.append_value(number),
            (Self::Time(column), Cell::Time(at)) => column.append_value(at.0),
            (Self::Date(column), Cell::Date(day)) => column.append_value(day.0),
            (Self::Boolean(column), Cell::Boolean(yes)) => column.append_value(yes),
            (Self::List(column), Cell::List(texts)) => {
                column.append_value(texts.into_iter().map(Some));
            }
            (Self::Text(column), _) => column.append_null(),
            (Self::Integer(column), _) => column.append_null(),
            (Self::Float(column), _) => column.append_null(),
            (Self::Time(column), _) => column.append_null(),
            (Self::Date(column), _) => column.append_null(),
            (Self::Boolean(column), _) => column.append_null(),
            (Self::List(column), _) => column.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        let builder: &mut dyn ArrayBuilder = match self {
            Self::Text(column) => column,
            Self::Integer(column) => column,
            Self::Float(column) => column,
            Self::Time(column) => column,
            Self::Date(column) => column,
            Self::Boolean(column) => column,
            Self::List(column) => column,
        };
        builder.finish()
    }
}
