//! `quarry cluster`: which pages of a site are of one kind, and which kind holds answers.

use anyhow::Result;
use quarry_harvest::text::shorten;
use quarry_harvest::{JobOutcome, stages};

use crate::args::StageArgs;
use crate::printer::Printer;
use crate::stage::{Lines, read};

pub(crate) fn run(args: &StageArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let pages = read(args)?;
    let names: Vec<String> = pages.iter().map(|page| page.id.clone()).collect();
    let found = stages::cluster(&pages);
    let mut out = Lines::new(args, printer)?;
    if out.as_table() {
        let rows = found.lines(&names).map(|line| {
            vec![line.rank.to_string(), line.cluster.to_string(), shorten(&line.page, 80)]
        });
        printer.table(&["rank", "cluster", "page"], &[0, 1], rows)?;
        return Ok(JobOutcome::Done);
    }
    for line in found.lines(&names) {
        out.write(&line)?;
    }
    out.finish()
}
