//! What came of a harvest? In 25 lines: what was read, the columns, and the first rows.

use std::path::Path;

use anyhow::Result;
use quarry_extract::site::SiteFit;
use quarry_model::{ColumnRow, EntityCell, EntityRow, RunReport};
use quarry_store::Project;

use super::crawls::Crawl;
use crate::printer::{Printer, shorten, thousands};

/// Rows of the preview.
const ROWS: usize = 10;
/// Characters of a cell of the preview, of a title, and of a whole row.
const CELL: usize = 18;
const TITLE: usize = 24;
const WIDTH: usize = 100;
/// Columns that are described.
const DESCRIBED: usize = 8;

pub(super) fn show(
    printer: &mut Printer,
    project: &Project,
    folder: &Path,
    sites: &[(String, SiteFit)],
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
    let columns: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    printer.line("")?;
    preview(printer, &columns, &rows)?;
    let (tables, report) = (folder.join("tables"), folder.join("report.html"));
    printer.line(format!("tables: {}  report: {}", tables.display(), report.display()))?;
    Ok(())
}

/// The first rows, with as many columns as a line has room for.
fn preview(printer: &mut Printer, columns: &[&str], rows: &[EntityRow]) -> Result<()> {
    let title = |row: &EntityRow| shorten(row.title.as_deref().unwrap_or(&row.entity), TITLE);
    let mut table: Vec<Vec<String>> = rows.iter().map(|row| vec![title(row)]).collect();
    let mut names = vec!["title".to_owned()];
    let width = |cells: &[String]| cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let titles: Vec<String> = rows.iter().map(title).collect();
    // Each column stands between two blanks.
    let mut room = WIDTH.saturating_sub(width(&titles) + 2);
    for (at, name) in columns.iter().enumerate() {
        let name = shorten(name, CELL);
        let cells: Vec<String> = rows
            .iter()
            .map(|row| row.cells.get(at).map_or_else(String::new, |cell| text(cell, CELL)))
            .collect();
        let own = width(&cells).max(name.chars().count()) + 2;
        if own > room {
            break;
        }
        room -= own;
        names.push(name);
        table.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(printer.table(&names, &[], table)?)
}

/// Pages that fit less on average were read with doubt.
const DOUBTFUL: f64 = 0.6;

/// What the user should look at.
pub(super) fn warnings(crawls: &[Crawl], sites: &[(String, SiteFit)]) -> Vec<String> {
    let mut warnings = Vec::new();
    let sum = |of: fn(&RunReport) -> u64| crawls.iter().map(|crawl| of(&crawl.run)).sum::<u64>();
    let (failed, queued) = (sum(|run| run.failed), sum(|run| run.queued));
    if failed > 0 {
        let failed = thousands(failed);
        warnings.push(format!("{failed} addresses failed; `quarry report` says why"));
    }
    if queued > 0 {
        let queued = thousands(queued);
        warnings.push(format!("{queued} addresses are still queued: the table is not whole"));
    }
    for (site, fit) in sites {
        if let Some(mean) = fit.mean().filter(|mean| *mean < DOUBTFUL) {
            warnings.push(format!(
                "{site}: its pages fit what was learned badly ({mean:.2}); `quarry records` shows them"
            ));
        }
        if fit.lists == 0 && fit.entity_pages == 0 {
            warnings.push(format!("{site}: neither lists nor pages of entities were found"));
        }
    }
    warnings
}

/// What was read of a site.
pub(super) fn site_line(site: &str, counts: &SiteFit) -> String {
    let fit = counts.mean().map(|fit| format!(", fit {fit:.2}")).unwrap_or_default();
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
