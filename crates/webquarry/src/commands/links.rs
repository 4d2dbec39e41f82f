//! `quarry links`: what each page of a site leads to, told apart. JSON lines in a pipe, a readable
//! table on a terminal.

use anyhow::Result;
use quarry_extract::links::{LinksLine, links_line};
use quarry_harvest::text::shorten;
use quarry_harvest::{JobOutcome, stages};

use crate::args::StageArgs;
use crate::printer::Printer;
use crate::stage::{Lines, read};

/// Values of a facet, and links of other kinds, that a table shows.
const SHOWN: usize = 6;

pub(crate) fn run(args: &StageArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let pages = read(args)?;
    let read = stages::read_links(&pages);
    let mut out = Lines::new(args, printer)?;
    for (page, (kind, map)) in pages.iter().zip(read) {
        let line = links_line(&page.id, kind, map);
        if out.as_table() {
            show(&line, printer)?;
        } else {
            out.write(&line)?;
        }
    }
    out.finish()
}

fn show(line: &LinksLine, printer: &mut Printer) -> Result<()> {
    let total = line.total.map_or_else(String::new, |total| format!(", says {total}"));
    printer.line(format!("{} ({}{total})", shorten(&line.page, 80), line.kind.as_str()))?;
    let titles = line.entities.iter().map(|entity| shorten(&entity.text, 24));
    row(printer, "entities", titles)?;
    row(printer, "promoted", line.promoted.iter().map(|entity| shorten(&entity.text, 24)))?;
    for facet in &line.facets {
        let values = facet.values.iter().map(|value| match value.count {
            Some(count) => format!("{} ({count})", shorten(&value.value, 24)),
            None => shorten(&value.value, 24),
        });
        let more = facet.more.as_ref().map(|_| "more…".to_owned());
        let name = format!("facet {}", facet.attribute.as_deref().unwrap_or("?"));
        row(printer, &name, values.chain(more))?;
    }
    let paging = line.pagination.iter().map(|link| match link.number {
        Some(number) => number.to_string(),
        None => link.role.as_str().to_owned(),
    });
    row(printer, "pages", paging)?;
    row(printer, "sorts", line.sorts.iter().map(|link| shorten(&link.label, 24)))?;
    row(printer, "sizes", line.sizes.iter().map(|link| shorten(&link.label, 24)))?;
    row(printer, "removals", line.removals.iter().map(|link| shorten(&link.label, 24)))?;
    row(printer, "exports", line.exports.iter().map(|link| shorten(&link.label, 24)))?;
    for form in &line.forms {
        let controls = form.controls.iter().map(|control| {
            let label = control.label.as_deref().unwrap_or(&control.name);
            format!("{} ({})", shorten(label, 24), control.options.len())
        });
        row(printer, &format!("form {} {}", form.form, form.kind.as_str()), controls)?;
    }
    Ok(())
}

/// One line for the links of a kind: how many, and the first of them.
fn row(printer: &mut Printer, name: &str, texts: impl Iterator<Item = String>) -> Result<()> {
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() {
        return Ok(());
    }
    let more = if texts.len() > SHOWN { " …" } else { "" };
    let shown = texts[..texts.len().min(SHOWN)].join(" · ");
    printer.line(format!("  {:<24} {:>4}  {shown}{more}", shorten(name, 24), texts.len()))?;
    Ok(())
}
