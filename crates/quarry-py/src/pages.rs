//! Pages as Python gives them: bytes or text, a list of these, or an Arrow table with Common Crawl's column names.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::{Array, LargeBinaryArray, LargeStringArray, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use pyo3_arrow::input::AnyRecordBatch;
use quarry_harvest::ParsedPage;
use quarry_model::InputPage;
use rayon::prelude::*;
use serde::Serialize;
use url::Url;

use crate::error::Failure;

/// What text is, whatever it says of itself.
const DECODED_TEXT: &str = "text/html; charset=utf-8";
/// What pages without an address are called together, as the program does.
pub(crate) const FILES: &str = "files";

/// A page, and the site that the table says it belongs to.
pub(crate) struct GivenPage {
    pub(crate) site: String,
    pub(crate) page: InputPage,
}

/// What was wrong with a page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PageIssue {
    pub(crate) site: String,
    pub(crate) page: String,
    pub(crate) stage: &'static str,
    pub(crate) issue: String,
}

/// The pages of any input that Python functions take, and what was wrong with some.
pub(crate) fn extract(pages: &Bound<'_, PyAny>) -> PyResult<(Vec<GivenPage>, Vec<PageIssue>)> {
    let mut issues = Vec::new();
    let mut found = Vec::new();
    if let Some((bytes, content_type)) = single(pages)? {
        found.push(given("page-1".to_owned(), None, content_type, bytes, None));
    } else if pages.is_instance_of::<PyList>() || pages.is_instance_of::<PyTuple>() {
        for (number, page) in pages.try_iter()?.enumerate() {
            let Some((bytes, content_type)) = single(&page?)? else {
                return Err(Failure::input("a list of pages has bytes or str in it").into());
            };
            found.push(given(format!("page-{}", number + 1), None, content_type, bytes, None));
        }
    } else {
        let Ok(table) = pages.extract::<AnyRecordBatch>() else {
            let message = "give pages as bytes, str, a list of these, or an Arrow table with the columns url and content \
                           (pyarrow, Polars, pandas, DuckDB)";
            return Err(Failure::input(message).into());
        };
        let reader = table.into_reader()?;
        for batch in reader {
            of_batch(&batch.map_err(Failure::from)?, &mut found, &mut issues)?;
        }
    }
    Ok((found, issues))
}

fn single(page: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u8>, Option<String>)>> {
    Ok(if let Ok(bytes) = page.cast::<PyBytes>() {
        Some((bytes.as_bytes().to_vec(), None))
    } else if let Ok(text) = page.cast::<PyString>() {
        Some((text.to_str()?.as_bytes().to_vec(), Some(DECODED_TEXT.to_owned())))
    } else {
        None
    })
}

fn given(
    id: String,
    url: Option<String>,
    content_type: Option<String>,
    bytes: Vec<u8>,
    site: Option<String>,
) -> GivenPage {
    let site = site.unwrap_or_else(|| site_of(url.as_deref()));
    GivenPage { site, page: InputPage { id, url, content_type, bytes } }
}

/// `scheme://host:port` of an address, as the program names sites.
pub(crate) fn site_of(url: Option<&str>) -> String {
    let origin = url.and_then(|url| Url::parse(url).ok()).map(|url| url.origin());
    let origin = origin.filter(url::Origin::is_tuple).map(|origin| origin.ascii_serialization());
    origin.unwrap_or_else(|| FILES.to_owned())
}

fn of_batch(
    batch: &RecordBatch,
    found: &mut Vec<GivenPage>,
    issues: &mut Vec<PageIssue>,
) -> Result<(), Failure> {
    let Some(content) = batch.column_by_name("content") else {
        let names: Vec<String> =
            batch.schema().fields().iter().map(|field| field.name().clone()).collect();
        let message = format!("the pages have no column `content`; there are {}", names.join(", "));
        return Err(Failure::column("content", message));
    };
    let is_text =
        matches!(content.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    let is_bytes = matches!(
        content.data_type(),
        DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_)
            | DataType::Null
    );
    if !is_text && !is_bytes {
        let kind = content.data_type();
        let message = format!("the column `content` is {kind}; it holds bytes or text");
        return Err(Failure::column("content", message));
    }
    let content = cast(content, &DataType::LargeBinary)?;
    let content: &LargeBinaryArray = content.as_binary();
    let urls = optional_text(batch, &["url"])?;
    let ids = optional_text(batch, &["page"])?;
    let sites = optional_text(batch, &["site"])?;
    let types = optional_text(batch, &["content_type", "content_mime_type"])?;
    for row in 0..batch.num_rows() {
        let url = value(urls.as_ref(), row);
        let number = found.len() + issues.len() + 1;
        let id = value(ids.as_ref(), row).or_else(|| url.clone());
        let id = id.unwrap_or_else(|| format!("page-{number}"));
        let site = value(sites.as_ref(), row);
        if content.is_null(row) {
            let site = site.unwrap_or_else(|| site_of(url.as_deref()));
            issues.push(PageIssue {
                site,
                page: id,
                stage: "read",
                issue: "no content".to_owned(),
            });
            continue;
        }
        let content_type = match is_text {
            true => Some(DECODED_TEXT.to_owned()),
            false => value(types.as_ref(), row),
        };
        found.push(given(id, url, content_type, content.value(row).to_vec(), site));
    }
    Ok(())
}

/// The first of these columns that there is.
pub(crate) fn optional_text(
    batch: &RecordBatch,
    names: &[&str],
) -> Result<Option<LargeStringArray>, Failure> {
    let Some((name, column)) =
        names.iter().find_map(|name| Some((name, batch.column_by_name(name)?)))
    else {
        return Ok(None);
    };
    let wrong = |_| {
        let message = format!("the column `{name}` is {}; it holds text", column.data_type());
        Failure::column(name, message)
    };
    let column = cast(column, &DataType::LargeUtf8).map_err(wrong)?;
    Ok(Some(column.as_string::<i64>().clone()))
}

pub(crate) fn value(column: Option<&LargeStringArray>, row: usize) -> Option<String> {
    column.filter(|column| column.is_valid(row)).map(|column| column.value(row).to_owned())
}

/// Parses pages on all cores. A page that cannot be parsed costs itself and an issue.
pub(crate) fn parse(
    given: Vec<GivenPage>,
    issues: &mut Vec<PageIssue>,
) -> Vec<(String, ParsedPage)> {
    let parsed: Vec<Result<(String, ParsedPage), PageIssue>> = given
        .into_par_iter()
        .map(|GivenPage { site, page }| {
            let id = page.id.clone();
            match guarded(|| ParsedPage::parse(page)) {
                Ok(parsed) => Ok((site, parsed)),
                Err(issue) => Err(PageIssue { site, page: id, stage: "parse", issue }),
            }
        })
        .collect();
    let mut pages = Vec::with_capacity(parsed.len());
    for own in parsed {
        match own {
            Ok(page) => pages.push(page),
            Err(issue) => issues.push(issue),
        }
    }
    pages
}

/// What a stage gives, or what its panic said.
pub(crate) fn guarded<T>(stage: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(stage)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        format!("the stage panicked: {}", text.unwrap_or_else(|| "it does not say why".to_owned()))
    })
}
