//! `quarry report`: what a project's crawl did, in numbers.

use std::path::Path;

use anyhow::Result;
use quarry_model::{RoundReport, RunReport};
use quarry_store::{Project, StoreSettings};

use super::{Ending, strategy};
use crate::args::ReportArgs;
use crate::printer::{Printer, bytes, seconds, shorten, thousands};

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
    summary(printer, &args.project, &counts)?;
    strategy::show(printer, &strategy::read(&project)?)?;
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

/// The counts as a short table.
pub(crate) fn summary(printer: &mut Printer, folder: &Path, counts: &RunReport) -> Result<()> {
    let list = |counts: &std::collections::BTreeMap<String, u64>| {
        let mut most: Vec<_> = counts.iter().filter(|(_, n)| **n > 0).collect();
        most.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), (*name).clone()));
        most.iter()
            .map(|(name, n)| format!("{} {name}", thousands(**n)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut rows = vec![
        ("project", folder.display().to_string()),
        ("pages", thousands(counts.pages)),
        ("requests", thousands(counts.requests)),
        ("received", bytes(counts.bytes)),
        ("time", seconds(counts.elapsed_s)),
    ];
    if let Some(again) = &counts.again {
        rows.push(("again", asked_again(again)));
    }
    if counts.queued > 0 {
        rows.push(("still queued", thousands(counts.queued)));
    }
    if counts.failed > 0 {
        rows.push(("failed", thousands(counts.failed)));
    }
    for (name, text) in [("skipped", list(&counts.skipped)), ("oddities", list(&counts.issues))] {
        if !text.is_empty() {
            rows.push((name, text));
        }
    }
    printer.table(&[], &[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))?;
    Ok(())
}

/// What came of asking again, in a line.
pub(crate) fn asked_again(round: &RoundReport) -> String {
    let mut found = vec![
        format!("{} not changed", thousands(round.not_modified + round.unchanged)),
        format!("{} changed", thousands(round.changed)),
        format!("{} new", thousands(round.new)),
        format!("{} gone", thousands(round.gone + round.unreached)),
    ];
    if round.fresh > 0 {
        found.push(format!("{} still fresh and not asked", thousands(round.fresh)));
    }
    format!(
        "asked {} pages again: {}; {} instead of {}",
        thousands(round.asked),
        found.join(", "),
        bytes(round.bytes),
        bytes(round.bytes + round.bytes_saved)
    )
}
