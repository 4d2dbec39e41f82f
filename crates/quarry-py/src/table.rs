//! A table of Arrow record batches that other libraries take without a copy (the Arrow PyCapsule interface).

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, Field, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};

/// Rows that a preview shows.
const PREVIEW_ROWS: usize = 10;
/// Characters of a cell, and of a line, that it shows.
const PREVIEW_CELL: usize = 28;
const PREVIEW_LINE: usize = 118;

/// Rows of typed columns. `pyarrow.table(t)`, `polars.DataFrame(t)`, `pandas.DataFrame.from_arrow(t)` and DuckDB take it without a copy.
#[pyclass(frozen, name = "Table", module = "webquarry")]
pub(crate) struct ArrowTable {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl ArrowTable {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The first rows as text, cell by cell.
    fn first_rows(&self, most: usize) -> Result<Vec<Vec<String>>, ArrowError> {
        let options = FormatOptions::default().with_null("");
        let mut rows = Vec::new();
        for batch in &self.batches {
            let formats =
                batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
            let formats = formats.collect::<Result<Vec<_>, _>>()?;
            for row in 0..batch.num_rows().min(most - rows.len()) {
                rows.push(
                    formats.iter().map(|format| shorten(&format.value(row).to_string())).collect(),
                );
            }
            if rows.len() == most {
                break;
            }
        }
        Ok(rows)
    }
}

fn shorten(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    match plain.char_indices().nth(PREVIEW_CELL) {
        Some((end, _)) => format!("{}…", &plain[..end]),
        None => plain,
    }
}

#[pymethods]
impl ArrowTable {
    /// The Arrow PyCapsule interface: a stream of record batches.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let arrays = self.batches.clone().into_iter().map(|batch| {
            let array: ArrayRef = Arc::new(StructArray::from(batch));
            Ok(array)
        });
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        to_stream_pycapsule(
            py,
            Box::new(ArrayIterator::new(arrays, field.into())),
            requested_schema,
        )
    }

    /// The Arrow PyCapsule interface: the schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.schema.as_ref())
    }

    /// How many rows there are.
    #[getter]
    fn num_rows(&self) -> usize {
        self.rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    /// The table as `pyarrow.Table`, without a copy.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The table as a pandas data frame.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_pyarrow(slf)?.call_method0("to_pandas")
    }

    /// The rows as a list of dictionaries.
    fn to_pylist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_pyarrow(slf)?.call_method0("to_pylist")
    }

    /// The first ten rows.
    fn __repr__(&self) -> PyArrowResult<String> {
        let rows = self.first_rows(PREVIEW_ROWS)?;
        let names: Vec<String> =
            self.schema.fields().iter().map(|field| shorten(field.name())).collect();
        let width = |at: usize| {
            let cells = rows.iter().map(|row| row[at].chars().count());
            cells.chain([names[at].chars().count()]).max().unwrap_or(0)
        };
        let mut room = PREVIEW_LINE;
        let fits = |at: &usize| {
            let own = width(*at) + 2;
            let fits = own <= room || *at == 0;
            room = room.saturating_sub(own);
            fits
        };
        let shown: Vec<usize> = (0..names.len()).take_while(fits).collect();
        let line = |cells: &[String]| {
            let cells = shown.iter().map(|&at| format!("{:<width$}", cells[at], width = width(at)));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut out = format!(
            "webquarry.Table: {} rows, {} columns\n{}",
            self.rows(),
            names.len(),
            line(&names)
        );
        for row in &rows {
            let _ = write!(out, "\n{}", line(row));
        }
        if self.rows() > rows.len() {
            let _ = write!(out, "\n… {} more rows", self.rows() - rows.len());
        }
        if shown.len() < names.len() {
            let _ = write!(out, "\n… and the columns {}", names[shown.len()..].join(", "));
        }
        Ok(out)
    }
}
