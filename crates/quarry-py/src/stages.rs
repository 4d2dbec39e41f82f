//! The verbs of single stages as functions: pages in, the lines of the program as an Arrow table out.

use pyo3::prelude::*;
use quarry_extract::embedded::{Syntax, embedded_things};
use quarry_extract::find::{PageRecords, RecordsConfig, find_records};
use quarry_extract::forms::forms_line;
use quarry_extract::lines::unit_line;
use quarry_extract::links::links_line;
use quarry_extract::spec::{KnownPairs, specs_line};
use quarry_extract::template::UnitReader;
use quarry_harvest::{ParsedPage, stages};
use rayon::prelude::*;
use serde::Serialize;

use crate::error::Failure;
use crate::pages::{self, guarded};
use crate::schema::{self, table_of};
use crate::table::ArrowTable;
use crate::threads;

/// Parses pages and hands them to a stage, without the interpreter lock. What was wrong with single pages becomes a warning.
fn staged<T: Send>(
    pages: &Bound<'_, PyAny>,
    stage: impl FnOnce(&[ParsedPage]) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let py = pages.py();
    let (given, mut issues) = pages::extract(pages)?;
    let (result, issues) = py.detach(|| {
        threads::choose();
        let parsed: Vec<ParsedPage> =
            pages::parse(given, &mut issues).into_iter().map(|(_, page)| page).collect();
        let result = guarded(|| stage(&parsed)).unwrap_or_else(|why| Err(Failure::input(why)));
        (result, issues)
    });
    crate::model::warn(py, &issues)?;
    Ok(result?)
}

/// The answer regions of each page, their records and data units: what `quarry records` prints.
#[pyfunction]
pub(crate) fn records(pages: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
    staged(pages, |pages| {
        let found = find_records(&stages::record_inputs(pages), &RecordsConfig::every_list());
        let answers: Vec<PageRecords> = found.iter().map(PageRecords::answers).collect();
        let model = stages::learn_templates(pages, &answers);
        let units = UnitReader::new(&model);
        let lines: Vec<_> = found
            .par_iter()
            .zip(pages)
            .map(|(found, page)| unit_line(&page.document, found, &units))
            .collect();
        table_of(&schema::RECORDS, &lines)
    })
}

/// The specifications of each page as names and values: what `quarry specs` prints.
#[pyfunction]
#[pyo3(signature = (pages, *, known=None))]
pub(crate) fn specs(pages: &Bound<'_, PyAny>, known: Option<&str>) -> PyResult<ArrowTable> {
    let known = known.map(KnownPairs::from_lines).transpose().map_err(|why| {
        Failure::input(format!("known pairs: {why}; give lines of {{\"name\": …, \"value\": …}}"))
    })?;
    staged(pages, |pages| {
        let found = stages::read_specs(pages, &known.unwrap_or_default());
        let lines: Vec<_> = pages
            .par_iter()
            .zip(&found)
            .map(|(page, specs)| specs_line(&page.document, &page.id, specs))
            .collect();
        table_of(&schema::SPECS, &lines)
    })
}

/// What each page leads to: what `quarry links` prints.
#[pyfunction]
pub(crate) fn links(pages: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
    staged(pages, |pages| {
        let read = stages::read_links(pages);
        let lines: Vec<_> = pages
            .iter()
            .zip(read)
            .map(|(page, (kind, map))| links_line(&page.id, kind, map))
            .collect();
        table_of(&schema::LINKS, &lines)
    })
}

/// The forms of each page: what `quarry forms` prints.
#[pyfunction]
pub(crate) fn forms(pages: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
    staged(pages, |pages| {
        let line = |page: &ParsedPage| forms_line(&page.document, page.known_address(), &page.id);
        let lines: Vec<_> = pages.par_iter().map(line).collect();
        table_of(&schema::FORMS, &lines)
    })
}

/// Which pages of a site are of one kind, and which kind holds answers: what `quarry cluster` prints.
#[pyfunction]
pub(crate) fn cluster(pages: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
    staged(pages, |pages| {
        let names: Vec<String> = pages.iter().map(|page| page.id.clone()).collect();
        let found = stages::cluster(pages);
        table_of(&schema::CLUSTERS, &found.lines(&names).collect::<Vec<_>>())
    })
}

/// A name and a value that a page embeds.
#[derive(Serialize)]
struct EmbeddedLine {
    page: String,
    thing: usize,
    syntax: &'static str,
    kind: Option<String>,
    name: String,
    value: String,
    path: String,
}

/// The data that each page embeds for machines: JSON-LD, microdata, RDFa, OpenGraph, data of scripts. One row for each name and value.
#[pyfunction]
pub(crate) fn embedded(pages: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
    staged(pages, |pages| {
        let lines: Vec<Vec<EmbeddedLine>> = pages.par_iter().map(embedded_lines).collect();
        table_of(&schema::EMBEDDED, &lines.into_iter().flatten().collect::<Vec<_>>())
    })
}

fn embedded_lines(page: &ParsedPage) -> Vec<EmbeddedLine> {
    let xpaths = page.document.xpaths();
    let mut lines = Vec::new();
    for (number, thing) in (1..).zip(embedded_things(&page.document)) {
        let syntax = match thing.syntax {
            Syntax::JsonLd => "json-ld",
            Syntax::Microdata => "microdata",
            Syntax::Rdfa => "rdfa",
            Syntax::Script => "script",
            Syntax::Attributes => "attributes",
            Syntax::Meta => "meta",
        };
        for field in thing.fields {
            let mut path = xpaths.xpath(field.node);
            if let Some(attribute) = &field.attribute {
                path.push_str("/@");
                path.push_str(attribute);
            }
            if let Some(pointer) = &field.pointer {
                path.push('#');
                path.push_str(pointer);
            }
            lines.push(EmbeddedLine {
                page: page.id.clone(),
                thing: number,
                syntax,
                kind: thing.kind.clone(),
                name: field.name,
                value: field.value,
                path,
            });
        }
    }
    lines
}
