//! `quarry report`: what a project's crawl did, in numbers.

use anyhow::Result;
use quarry_harvest::JobOutcome;
use quarry_harvest::crawl::{
    Coverage, RefusalCount, read_coverage, read_refusals, read_strategy_report,
};
use quarry_harvest::discover::read_discovered;
use quarry_harvest::text::shorten;
use quarry_model::RunReport;
use quarry_store::{Project, StoreSettings};
use serde::Serialize;

use crate::args::ReportArgs;
use crate::printer::Printer;

/// Oddities that are shown in full.
const ISSUES_SHOWN: usize = 10;
/// Characters of where it was met: few enough that the table never breaks an address.
const WHERE: usize = 36;
/// Characters of what was odd; the table breaks them into lines.
const DETAIL: usize = 200;

/// What `--json` prints: the counts, and what is missing and why.
#[derive(Serialize)]
struct JsonReport {
    #[serde(flatten)]
    counts: RunReport,
    refusals: Vec<RefusalCount>,
    coverage: Coverage,
}

pub(crate) fn run(args: &ReportArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let counts = project.report()?;
    let refusals = read_refusals(&project)?;
    let coverage = read_coverage(&project)?;
    if args.json {
        printer.json(&JsonReport { counts, refusals: refusals.counts, coverage })?;
        return Ok(JobOutcome::Done);
    }
    printer.crawled(&args.project, &counts, &read_strategy_report(&project)?)?;
    let lines: Vec<String> = coverage.lines().chain(refusals.lines()).collect();
    if !lines.is_empty() {
        printer.line("")?;
        lines.iter().try_for_each(|line| printer.line(line))?;
    }
    if let Some(state) = read_discovered(&project)? {
        let relevant = state.judged.iter().filter(|line| line.relevant).count();
        let (all, round) = (state.judged.len(), state.round);
        printer
            .line(format!("discovered: {relevant} relevant of {all} sites in {round} rounds"))?;
    }
    let issues = project.issues(ISSUES_SHOWN)?;
    if !issues.is_empty() {
        printer.line("")?;
        let rows = issues.iter().map(|stored| {
            vec![stored.kind.clone(), shorten(&stored.url, WHERE), shorten(&stored.detail, DETAIL)]
        });
        printer.table(&["oddity", "where", "what"], &[], rows)?;
    }
    Ok(JobOutcome::Done)
}
