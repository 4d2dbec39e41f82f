//! Writes a table as Apache Parquet, compressed with zstd, a bounded row group at a time.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{
    Compression, ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel,
};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::{ColumnType, SinkError, TableCell, TableColumn, TableSink};

/// Rows of a row group, at most. Readers skip whole groups, and a group is held in memory until it is written.
const GROUP_ROWS: usize = 1 << 17;
/// Bytes of texts of a row group, about: the memory that writing takes.
const GROUP_BYTES: usize = 32 << 20;

pub(super) struct Parquet<'a> {
    columns: Vec<Chunk>,
    rows: usize,
    bytes: usize,
    writer: SerializedFileWriter<Box<dyn Write + Send + 'a>>,
}

impl<'a> Parquet<'a> {
    pub(super) fn new(
        columns: &[TableColumn],
        out: Box<dyn Write + Send + 'a>,
    ) -> Result<Self, SinkError> {
        let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
        let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?);
        let compression = Compression::ZSTD(ZstdLevel::try_new(3)?);
        let properties = WriterProperties::builder().set_compression(compression).build();
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
        let columns = columns.iter().map(|column| Chunk::new(column.kind)).collect();
        Ok(Self { columns, rows: 0, bytes: 0, writer })
    }

    fn write_group(&mut self) -> Result<(), SinkError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            column.write(&mut group)?;
        }
        group.close()?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }
}

impl TableSink for Parquet<'_> {
    fn write(&mut self, row: &[TableCell]) -> Result<(), SinkError> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            self.bytes += column.push(cell);
        }
        self.rows += 1;
        let is_full = self.rows == GROUP_ROWS || self.bytes >= GROUP_BYTES;
        if is_full { self.write_group() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        self.write_group()?;
        let mut out = self.writer.into_inner()?;
        Ok(out.flush()?)
    }
}

/// The schema of a column: every column may be null.
fn field(column: &TableColumn) -> Result<TypePtr, ParquetError> {
    let utc_millis = LogicalType::timestamp(true, TimeUnit::MILLIS);
    let (physical, logical) = match column.kind {
        ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Integer => (Physical::INT64, None),
        ColumnType::Float => (Physical::DOUBLE, None),
        ColumnType::Time => (Physical::INT64, Some(utc_millis)),
        ColumnType::Date => (Physical::INT32, Some(LogicalType::Date)),
        ColumnType::Boolean => (Physical::BOOLEAN, None),
        ColumnType::List => return list_of_texts(&column.name),
    };
    primitive(&column.name, physical, logical)
}

fn primitive(
    name: &str,
    physical: Physical,
    logical: Option<LogicalType>,
) -> Result<TypePtr, ParquetError> {
    let builder = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    Ok(Arc::new(builder.build()?))
}

/// The three levels that the format prescribes for lists: column, `list`, `item`.
fn list_of_texts(name: &str) -> Result<TypePtr, ParquetError> {
    let item = primitive("item", Physical::BYTE_ARRAY, Some(LogicalType::String))?;
    let items = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![item])
        .build()?;
    let list = Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_converted_type(ConvertedType::LIST)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(items)])
        .build()?;
    Ok(Arc::new(list))
}

/// A column of the row group that is being gathered.
enum Chunk {
    Text(Values<ByteArrayType>),
    Integer(Values<Int64Type>),
    Float(Values<DoubleType>),
    Time(Values<Int64Type>),
    Date(Values<Int32Type>),
    Boolean(Values<BoolType>),
    List(Values<ByteArrayType>),
}

/// Values without the nulls among them, and the levels that say where these are (Parquet's Dremel encoding).
struct Values<T: DataType> {
    values: Vec<T::T>,
    definition: Vec<i16>,
    /// For lists only: 0 begins a row, 1 goes on with it.
    repetition: Vec<i16>,
}

/// Definition levels of a list: no list, a list without items, an item.
const EMPTY_LIST: i16 = 1;
const ITEM: i16 = 3;

impl<T: DataType> Default for Values<T> {
    fn default() -> Self {
        Self { values: Vec::new(), definition: Vec::new(), repetition: Vec::new() }
    }
}

impl<T: DataType> Values<T> {
    fn push(&mut self, value: T::T) {
        self.values.push(value);
        self.definition.push(1);
    }

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
        is_list: bool,
    ) -> Result<(), ParquetError> {
        let mut column = group.next_column()?.expect("a column of the file for each of the table");
        let repetition = is_list.then_some(self.repetition.as_slice());
        column.typed::<T>().write_batch(&self.values, Some(&self.definition), repetition)?;
        column.close()?;
        self.values.clear();
        self.definition.clear();
        self.repetition.clear();
        Ok(())
    }
}

impl Values<ByteArrayType> {
    fn push_list(&mut self, texts: &[String]) {
        if texts.is_empty() {
            self.definition.push(EMPTY_LIST);
            self.repetition.push(0);
        }
        for (at, text) in texts.iter().enumerate() {
            self.values.push(ByteArray::from(text.as_str()));
            self.definition.push(ITEM);
            self.repetition.push(i16::from(at > 0));
        }
    }
}

impl Chunk {
    fn new(kind: ColumnType) -> Self {
        match kind {
            ColumnType::Text => Self::Text(Values::default()),
            ColumnType::Integer => Self::Integer(Values::default()),
            ColumnType::Float => Self::Float(Values::default()),
            ColumnType::Time => Self::Time(Values::default()),
            ColumnType::Date => Self::Date(Values::default()),
            ColumnType::Boolean => Self::Boolean(Values::default()),
            ColumnType::List => Self::List(Values::default()),
        }
    }

    /// Takes a value; one of another type than the column's becomes null. Returns about how many bytes it holds.
    fn push(&mut self, cell: &TableCell) -> usize {
        match (self, cell) {
            (Self::Text(column), TableCell::Text(text)) => {
                column.push(ByteArray::from(text.as_str()));
                return text.len();
            }
            (Self::List(column), TableCell::List(texts)) => {
                column.push_list(texts);
                return texts.iter().map(String::len).sum();
            }
            (Self::Integer(column), TableCell::Integer(number)) => column.push(*number),
            (Self::Float(column), TableCell::Float(number)) => column.push(*number),
            (Self::Time(column), TableCell::Time(at)) => column.push(at.0),
            (Self::Date(column), TableCell::Date(day)) => column.push(day.0),
            (Self::Boolean(column), TableCell::Boolean(yes)) => column.push(*yes),
            (Self::List(column), _) => {
                column.definition.push(0);
                column.repetition.push(0);
            }
            (Self::Text(column), _) => column.definition.push(0),
            (Self::Integer(column) | Self::Time(column), _) => column.definition.push(0),
            (Self::Float(column), _) => column.definition.push(0),
            (Self::Date(column), _) => column.definition.push(0),
            (Self::Boolean(column), _) => column.definition.push(0),
        }
        size_of::<i64>()
    }

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        match self {
            Self::Text(column) => column.write(group, false),
            Self::Integer(column) | Self::Time(column) => column.write(group, false),
            Self::Float(column) => column.write(group, false),
            Self::Date(column) => column.write(group, false),
            Self::Boolean(column) => column.write(group, false),
            Self::List(column) => column.write(group, true),
        }
    }
}
