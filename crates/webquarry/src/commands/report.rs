//! `quarry report`: what a project's crawl did, in numbers; of several projects what they did together.

use std::collections::BTreeMap;

use anyhow::Result;
use quarry_harvest::JobOutcome;
use quarry_harvest::crawl::{
    Coverage, RefusalCount, read_coverage, read_refusals, read_strategy_report,
};
use quarry_harvest::discover::read_discovered;
use quarry_harvest::report::{projects_table, run_table};
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
    let [folder] = args.project.as_slice() else { return all(args, printer) };
    let project = Project::open_read_only(folder, &StoreSettings::default())?;
    let counts = project.report()?;
    let refusals = read_refusals(&project)?;
    let coverage = read_coverage(&project)?;
    if args.json {
        printer.json(&JsonReport { counts, refusals: refusals.counts, coverage })?;
        return Ok(JobOutcome::Done);
    }
    printer.crawled(folder, &counts, &read_strategy_report(&project)?)?;
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

/// What `--json` prints of several projects.
#[derive(Serialize)]
struct JsonReports {
    #[serde(flatten)]
    counts: RunReport,
    projects: BTreeMap<String, RunReport>,
}

/// The crawlers of one crawl, counted together.
fn all(args: &ReportArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let mut counts = RunReport::default();
    let mut projects = BTreeMap::new();
    for folder in &args.project {
        let own = Project::open_read_only(folder, &StoreSettings::default())?.report()?;
        counts.add(&own);
        projects.insert(folder.display().to_string(), own);
    }
    if args.json {
        printer.json(&JsonReports { counts, projects })?;
        return Ok(JobOutcome::Done);
    }
    printer.text_table(run_table(&format!("{} together", projects.len()), &counts))?;
    printer.line("")?;
    printer.text_table(projects_table(&projects))?;
    Ok(JobOutcome::Done)
}
