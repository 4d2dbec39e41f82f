//! `quarry specs`: the specifications of each page, as names and values. JSON lines in a pipe, a readable table on a
//! terminal.

use anyhow::Result;
use quarry_extract::spec::{SpecConfig, SpecPage, SpecsLine, find_specs, specs_line};
use rayon::prelude::*;

use super::Ending;
use super::stage::{Lines, read};
use crate::args::SpecsArgs;
use crate::printer::{Printer, shorten};

pub(crate) fn run(args: &SpecsArgs, printer: &mut Printer) -> Result<Ending> {
    let pages = read(&args.stage)?;
    let inputs: Vec<SpecPage<'_>> =
        pages.iter().map(|page| SpecPage { id: &page.id, document: &page.document }).collect();
    let found = find_specs(&inputs, &SpecConfig::default());
    let lines: Vec<SpecsLine> = pages
        .par_iter()
        .zip(&found)
        .map(|(page, specs)| specs_line(&page.document, &page.id, specs))
        .collect();
    let mut out = Lines::new(&args.stage, printer)?;
    for line in &lines {
        if out.as_table() {
            show(line, printer)?;
        } else {
            out.write(line)?;
        }
    }
    out.finish()
}

fn show(line: &SpecsLine, printer: &mut Printer) -> Result<()> {
    printer.line(shorten(&line.page, 80))?;
    if line.specs.is_empty() {
        printer.line("  no specification")?;
    }
    for spec in &line.specs {
        let count = spec.pairs.len();
        printer.line(format!("  {count} pairs at {}, score {:.2}", spec.path, spec.score))?;
        let rows = spec.pairs.iter().map(|pair| {
            let section = pair.section.as_deref().unwrap_or("");
            vec![shorten(section, 20), shorten(&pair.name, 32), shorten(&pair.value, 44)]
        });
        printer.table(&["section", "name", "value"], &[], rows)?;
    }
    Ok(())
}
