//! Shows what came of a harvest in 25 lines: what was read, the columns, and the first rows.

use std::path::Path;

use anyhow::Result;
use quarry_extract::site::SiteFit;
use quarry_harvest::report::{cell_text, column_type, has_kind, kinds_of, site_line};
use quarry_harvest::text::{shorten, thousands};
use quarry_model::{ColumnRow, EntityRow, EntityState, TableStore};
use quarry_store::Project;

use crate::printer::Printer;

/// Rows of the preview.
const ROWS: usize = 10;
/// Rows of the preview of each of several kinds.
const ROWS_OF_KIND: usize = 5;
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
    let (entities, rows) = project.first_entities(ROWS)?;
    let kinds = kinds_of(&columns);
    printer.line(format!("{} entities, {} columns", thousands(entities), columns.len()))?;
    if let (things @ 1.., shared) = project.thing_counts()? {
        printer.line(format!(
            "{} things, {} of them on several sites: tables/things",
            thousands(things),
            thousands(shared)
        ))?;
    }
    if let [first, second, ..] = kinds.as_slice() {
        for kind in &kinds {
            let (all, rows) = first_of_kind(project, kind)?;
            let of_kind = |column: &&ColumnRow| has_kind(column, kind);
            let own: Vec<&ColumnRow> = columns.iter().filter(of_kind).collect();
            printer.line("")?;
            printer.line(format!("{kind}: {} entities, {} columns", thousands(all), own.len()))?;
            let places: Vec<usize> =
                (0..columns.len()).filter(|&at| has_kind(&columns[at], kind)).collect();
            let pick = |row: EntityRow| EntityRow {
                cells: places.iter().filter_map(|&at| row.cells.get(at).cloned()).collect(),
                ..row
            };
            let rows: Vec<EntityRow> = rows.into_iter().map(pick).collect();
            let names: Vec<&str> = own.iter().map(|column| column.name.as_str()).collect();
            preview(printer, &names, &rows)?;
        }
        let (tables, report) = (folder.join("tables"), folder.join("report.html"));
        printer.line(format!(
            "tables: {} (entities-{first}, entities-{second} …)  report: {}",
            tables.display(),
            report.display()
        ))?;
        return Ok(());
    }
    let described = columns.iter().take(DESCRIBED).map(|column| {
        let sources: Vec<&str> = column.sources.iter().map(|source| source.as_str()).collect();
        vec![
            shorten(&column.name, 24),
            column_type(column),
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

/// The first entities of a kind, and how many there are.
fn first_of_kind(project: &Project, kind: &str) -> Result<(u64, Vec<EntityRow>)> {
    let (mut all, mut rows) = (0, Vec::new());
    project.each_entity(&mut |row| {
        if row.entity_kind == kind && row.state != EntityState::Removed {
            all += 1;
            if rows.len() < ROWS_OF_KIND {
                rows.push(row);
            }
        }
        Ok(())
    })?;
    Ok((all, rows))
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
            .map(|row| row.cells.get(at).map_or_else(String::new, |cell| cell_text(cell, CELL)))
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
