//! What came of a harvest? In 25 lines: what was read, the columns, and the first rows.

use std::path::Path;

use anyhow::Result;
use quarry_model::{ColumnRow, EntityCell, EntityRow, RunReport};
use quarry_store::Project;

use super::gather::Counts;
use crate::printer::{Printer, shorten, thousands};

/// Rows and columns of the preview.
const ROWS: usize = 10;
const COLUMNS: usize = 5;
/// Characters of a cell of the preview.
const CELL: usize = 18;
/// Columns that are described.
const DESCRIBED: usize = 12;

pub(super) fn show(
    printer: &mut Printer,
    project: &Project,
    folder: &Path,
    sites: &[(String, Counts)],
) -> Result<()> {
    for (site, counts) in sites {
        printer.line(site_line(site, counts))?;
    }
    let columns = project.columns()?;
    let mut rows: Vec<EntityRow> = Vec::new();
    let mut entities = 0;
    project.each_entity(&mut |row| {
        entities += 1;
        if rows.len() < ROWS {
            rows.push(row);
        }
        Ok(())
    })?;
    printer.line(format!("{} entities, {} columns", thousands(entities), columns.len()))?;
    let described = columns.iter().take(DESCRIBED).map(|column| {
        let sources: Vec<&str> = column.sources.iter().map(|source| source.as_str()).collect();
        vec![
            shorten(&column.name, 24),
            kind_of(column),
            format!("{:.0} %", 100.0 * column.fill),
            thousands(column.distinct),
            sources.join(" "),
            shorten(&column.examples.join(" | "), 30),
        ]
    });
    printer.table(
        &["column", "type", "filled", "values", "from", "examples"],
        &[2, 3],
        described,
    )?;
    if columns.len() > DESCRIBED {
        printer.line(format!("… and {} more columns", columns.len() - DESCRIBED))?;
    }
    let names: Vec<String> = std::iter::once("title".to_owned())
        .chain(columns.iter().take(COLUMNS).map(|column| shorten(&column.name, CELL)))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let preview = rows.iter().map(|row| {
        let title = shorten(row.title.as_deref().unwrap_or(&row.entity), 24);
        let cells = row.cells.iter().take(COLUMNS).map(|cell| text(cell, CELL));
        std::iter::once(title).chain(cells).collect()
    });
    printer.line("")?;
    printer.table(&names, &[], preview)?;
    let (tables, report) = (folder.join("tables"), folder.join("report.html"));
    printer.line(format!("tables: {}  report: {}", tables.display(), report.display()))?;
    Ok(())
}

/// A list that fits its template less was read with doubt.
const DOUBTFUL: f64 = 0.6;

/// What the user should look at.
pub(super) fn warnings(run: &RunReport, sites: &[(String, Counts)]) -> Vec<String> {
    let mut warnings = Vec::new();
    if run.failed > 0 {
        let failed = thousands(run.failed);
        warnings.push(format!("{failed} addresses failed; `quarry report` says why"));
    }
    if run.queued > 0 {
        let queued = thousands(run.queued);
        warnings.push(format!("{queued} addresses are still queued: the table is not whole"));
    }
    for (site, counts) in sites {
        if let Some(fit) = counts.fit().filter(|fit| *fit < DOUBTFUL) {
            warnings.push(format!(
                "{site}: its lists fit their template badly ({fit:.2}); `quarry records` shows them"
            ));
        }
        if counts.lists == 0 && counts.entity_pages == 0 {
            warnings.push(format!("{site}: neither lists nor pages of entities were found"));
        }
    }
    warnings
}

/// What was read of a site.
pub(super) fn site_line(site: &str, counts: &Counts) -> String {
    let fit = counts.fit().map(|fit| format!(", template fit {fit:.2}")).unwrap_or_default();
    format!(
        "{}: {} pages, {} of entities, {} lists with {} records{fit}",
        shorten(site, 40),
        thousands(counts.pages as u64),
        thousands(counts.entity_pages as u64),
        thousands(counts.lists as u64),
        thousands(counts.records as u64),
    )
}

/// The type of a column, in words.
pub(super) fn kind_of(column: &ColumnRow) -> String {
    let list = if column.list { " list" } else { "" };
    match &column.unit {
        Some(unit) => format!("{} {unit}{list}", column.kind.as_str()),
        None => format!("{}{list}", column.kind.as_str()),
    }
}

/// A cell in at most so many characters.
pub(super) fn text(cell: &EntityCell, most: usize) -> String {
    match cell {
        EntityCell::Null => String::new(),
        EntityCell::Boolean(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        EntityCell::Number(number) => number.to_string(),
        EntityCell::Text(text) => shorten(text, most),
        EntityCell::List(texts) => shorten(&texts.join(", "), most),
    }
}
