//! Shows the counts of a crawl, for `crawl` and `report`.

pub(crate) mod strategy;

use anyhow::Result;
use quarry_harvest::report::asked_again;
use quarry_harvest::text::{bytes, seconds, thousands};
use quarry_model::RunReport;

use crate::printer::Printer;

/// The counts as a short table.
pub(crate) fn summary(printer: &mut Printer, project: &str, counts: &RunReport) -> Result<()> {
    let list = |counts: &std::collections::BTreeMap<String, u64>| {
        let mut most: Vec<_> = counts.iter().filter(|(_, n)| **n > 0).collect();
        most.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), (*name).clone()));
        most.iter()
            .map(|(name, n)| format!("{} {name}", thousands(**n)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut rows = vec![
        ("project", project.to_owned()),
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
