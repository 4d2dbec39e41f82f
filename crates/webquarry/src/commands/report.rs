//! `quarry report`: what a project's crawl did, in numbers.

use anyhow::Result;
use quarry_harvest::Ending;
use quarry_harvest::crawl::read_strategy_report;
use quarry_harvest::text::shorten;
use quarry_store::{Project, StoreSettings};

use crate::args::ReportArgs;
use crate::printer::Printer;
use crate::run_report::{self, strategy};

/// Oddities that are shown in full.
const ISSUES_SHOWN: usize = 10;
/// Characters of where it was met: few enough that the table never breaks an address.
const WHERE: usize = 36;
/// Characters of what was odd; the table breaks them into lines.
const DETAIL: usize = 200;

pub(crate) fn run(args: &ReportArgs, printer: &mut Printer) -> Result<Ending> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let counts = project.report()?;
    if args.json {
        printer.json(&counts)?;
        return Ok(Ending::Done);
    }
    run_report::summary(printer, &args.project, &counts)?;
    strategy::show(printer, &read_strategy_report(&project)?)?;
    let issues = project.issues(ISSUES_SHOWN)?;
    if !issues.is_empty() {
        printer.line("")?;
        let rows = issues.iter().map(|stored| {
            vec![stored.kind.clone(), shorten(&stored.url, WHERE), shorten(&stored.detail, DETAIL)]
        });
        printer.table(&["oddity", "where", "what"], &[], rows)?;
    }
    Ok(Ending::Done)
}
