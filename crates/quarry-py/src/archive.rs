//! Reads pages that are there: WARC files, folders of HTML, projects; and single records of an archive.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use quarry_model::InputPage;
use quarry_store::open_input;
use quarry_store::warc::{Captures, ReadLimits, WarcReader};

use crate::error::Failure;
use crate::table::ArrowTable;

/// Pages on their way into a table: `page, url, content_type, content`.
#[derive(Default)]
struct PageRows {
    ids: StringBuilder,
    urls: StringBuilder,
    types: StringBuilder,
    contents: BinaryBuilder,
}

impl PageRows {
    fn push(&mut self, page: InputPage) {
        self.ids.append_value(page.id);
        self.urls.append_option(page.url);
        self.types.append_option(page.content_type);
        self.contents.append_value(page.bytes);
    }

    /// A page that is not there.
    fn push_none(&mut self) {
        self.ids.append_null();
        self.urls.append_null();
        self.types.append_null();
        self.contents.append_null();
    }

    fn finish(mut self) -> Result<ArrowTable, Failure> {
        let arrays: [(&str, ArrayRef); 4] = [
            ("page", Arc::new(self.ids.finish())),
            ("url", Arc::new(self.urls.finish())),
            ("content_type", Arc::new(self.types.finish())),
            ("content", Arc::new(self.contents.finish())),
        ];
        let field =
            |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
        let schema = Arc::new(Schema::new(arrays.iter().map(field).collect::<Vec<_>>()));
        let arrays = arrays.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(schema.clone(), arrays)?;
        Ok(ArrowTable::new(schema, vec![batch]))
    }
}

/// Calls `emit` with tables of so many pages: those of WARC files, HTML files, folders or projects, as the program reads them.
#[pyfunction]
#[pyo3(signature = (paths, emit, *, urls=None, batch=256))]
pub(crate) fn page_batches(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    emit: Py<PyAny>,
    urls: Option<PathBuf>,
    batch: usize,
) -> PyResult<()> {
    let first = paths.first().cloned();
    let failed = |error: quarry_store::StoreError| Failure::store(&error, first.as_deref());
    py.detach(|| {
        let input = open_input(&paths, urls.as_deref()).map_err(failed)?;
        let mut rows = PageRows::default();
        let mut count = 0;
        let send = |rows: PageRows| -> PyResult<()> {
            let table = rows.finish()?;
            Python::attach(|py| emit.call1(py, (table,)).map(drop))
        };
        for page in input.pages() {
            rows.push(page.map_err(failed)?);
            count += 1;
            if count % batch.max(1) == 0 {
                send(std::mem::take(&mut rows))?;
            }
        }
        send(rows)
    })
}

/// The pages of single records of an archive, each given as the bytes of its gzip member (or plain record), in the same order. A record
/// that holds no page gives a row of nulls.
#[pyfunction]
pub(crate) fn warc_records(py: Python<'_>, records: Vec<PyBackedBytes>) -> PyResult<ArrowTable> {
    let table = py.detach(|| {
        let mut rows = PageRows::default();
        for record in &records {
            match page_of(record) {
                Some(page) => rows.push(page),
                None => rows.push_none(),
            }
        }
        rows.finish()
    })?;
    Ok(table)
}

fn page_of(record: &[u8]) -> Option<InputPage> {
    let limits = ReadLimits::default();
    let reader = WarcReader::new(Cursor::new(record), Path::new("a record"), &limits).ok()?;
    let page = Captures::new(reader, &limits).find_map(Result::ok)?;
    let response = page.exchange.response;
    let content_type = response.headers.get("content-type").map(str::to_owned);
    let url = page.exchange.request.url;
    Some(InputPage {
        id: url.clone(),
        url: Some(url),
        content_type,
        bytes: response.decoded.unwrap_or(response.body),
    })
}
