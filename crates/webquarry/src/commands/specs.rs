//! `quarry specs`: the specifications of each page, as names and values. JSON lines in a pipe, a readable table on a
//! terminal.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use quarry_extract::spec::{KnownPairs, SpecsLine, specs_line};
use quarry_harvest::text::shorten;
use quarry_harvest::{JobOutcome, stages};
use rayon::prelude::*;

use crate::args::{SpecsArgs, StageMethod};
use crate::papers;
use crate::printer::Printer;
use crate::stage::{Lines, read};

pub(crate) fn run(args: &SpecsArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let pages = read(&args.stage)?;
    let known = args.known.as_deref().map(read_known).transpose()?.unwrap_or_default();
    let found = match args.method {
        StageMethod::Quarry => stages::read_specs(&pages, &known),
        StageMethod::Paper => papers::specs(&pages)?,
    };
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

fn read_known(file: &Path) -> Result<KnownPairs> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the known pairs in {}", file.display()))?;
    KnownPairs::from_lines(&text).map_err(|why| {
        anyhow!(
            "{}: {why}; give lines of `quarry specs`, or of {{\"name\": …, \"value\": …}}",
            file.display()
        )
    })
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
