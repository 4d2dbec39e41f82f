//! Shows what came of a harvest in 25 lines: what was read, the columns, and the first rows.

use std::path::Path;

use anyhow::Result;
use quarry_extract::site::SiteFit;
use quarry_harvest::report::{sections, site_line};
use quarry_harvest::text::thousands;
use quarry_model::TableStore;
use quarry_store::Project;

use crate::printer::Printer;

/// Rows of the preview.
const ROWS: usize = 10;
/// Rows of the preview of each of several kinds.
const ROWS_OF_KIND: usize = 5;
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
    let (entities, columns) = (project.first_entities(0)?.0, project.columns()?.len());
    printer.line(format!("{} entities, {columns} columns", thousands(entities)))?;
    if let (things @ 1.., shared) = project.thing_counts()? {
        printer.line(format!(
            "{} things, {} of them on several sites: tables/things",
            thousands(things),
            thousands(shared)
        ))?;
    }
    let sections = sections(project, ROWS, ROWS_OF_KIND)?;
    for section in &sections {
        if let Some(kind) = &section.kind {
            let (all, columns) = (thousands(section.entities), section.columns.len());
            printer.line("")?;
            printer.line(format!("{kind}: {all} entities, {columns} columns"))?;
        } else {
            printer.text_table(section.described(DESCRIBED))?;
            if columns > DESCRIBED {
                printer.line(format!("… and {} more columns", columns - DESCRIBED))?;
            }
            printer.line("")?;
        }
        printer.text_table(section.preview())?;
    }
    let mut kinds = sections.iter().filter_map(|section| section.kind.as_deref());
    let own = match (kinds.next(), kinds.next()) {
        (Some(first), Some(second)) => format!(" (entities-{first}, entities-{second} …)"),
        _ => String::new(),
    };
    let (tables, report) = (folder.join("tables"), folder.join("report.html"));
    printer.line(format!("tables: {}{own}  report: {}", tables.display(), report.display()))?;
    Ok(())
}
