//! `quarry records`: the answer regions of each page, their records and data units.

use anyhow::Result;
use quarry_extract::explain::explain;
use quarry_extract::find::{PageRecords, RecordsConfig, find_records};
use quarry_extract::lines::{PageLine, unit_line};
use quarry_extract::template::UnitReader;
use quarry_harvest::text::shorten;
use quarry_harvest::{JobOutcome, stages};
use rayon::prelude::*;

use crate::args::{RecordsArgs, StageMethod};
use crate::papers;
use crate::printer::Printer;
use crate::stage::{Lines, read};

/// Records of a page that a table shows.
const RECORDS_SHOWN: usize = 5;

pub(crate) fn run(args: &RecordsArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let pages = read(&args.stage)?;
    let found = match args.method {
        StageMethod::Quarry if args.candidates => {
            find_records(&stages::record_inputs(&pages), &RecordsConfig::considered())
        }
        StageMethod::Quarry => {
            find_records(&stages::record_inputs(&pages), &RecordsConfig::every_list())
        }
        StageMethod::Paper => papers::records(&pages)?,
    };
    if args.explain {
        for (found, page) in found.iter().zip(&pages) {
            printer.text(&explain(&page.document, found))?;
        }
        return Ok(JobOutcome::Done);
    }
    // Templates are those that a harvest learns: of likely answers.
    let answers: Vec<PageRecords> = found.iter().map(PageRecords::answers).collect();
    let model = stages::learn_templates(&pages, &answers);
    let units = UnitReader::new(&model);
    let lines: Vec<PageLine> = found
        .par_iter()
        .zip(&pages)
        .map(|(found, page)| unit_line(&page.document, found, &units))
        .collect();
    let mut out = Lines::new(&args.stage, printer)?;
    if out.as_table() {
        for line in lines {
            show_records(&line, printer)?;
        }
        return Ok(JobOutcome::Done);
    }
    for line in lines {
        out.write(&line)?;
    }
    out.finish()
}

fn show_records(line: &PageLine, printer: &mut Printer) -> Result<()> {
    printer.line(format!("{} (cluster {})", shorten(&line.page, 80), line.cluster))?;
    if line.regions.is_empty() {
        printer.line("  no records")?;
    }
    for region in line.regions.iter().take(1) {
        let count = region.records.len();
        printer.line(format!("  {count} records at {}, score {:.2}", region.path, region.score))?;
        for record in region.records.iter().take(RECORDS_SHOWN) {
            printer.line(format!("    {}", shorten(&record.text, 94)))?;
        }
        if count > RECORDS_SHOWN {
            printer.line(format!("    … {} more", count - RECORDS_SHOWN))?;
        }
    }
    Ok(())
}
