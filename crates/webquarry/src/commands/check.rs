//! `quarry check`: whether the table is what the user expects; the section `[expect]` of the project's `quarry.toml` says what that is.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use quarry_harvest::JobOutcome;
use quarry_harvest::expect::{CheckedHarvest, check, suggest};
use quarry_harvest::text::shorten;
use quarry_store::{Project, StoreSettings};

use crate::args::CheckArgs;
use crate::config::{FILE, expectations};
use crate::printer::Printer;

pub(crate) fn run(args: &CheckArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let harvested = CheckedHarvest::read(&project)?.with_context(|| {
        format!("{} has no table yet; `quarry harvest` makes it", args.project.display())
    })?;
    if args.suggest {
        let text = toml::to_string(&BTreeMap::from([("expect", suggest(&harvested))]))
            .context("cannot print the expectations")?;
        printer.raw(text.as_bytes())?;
        return Ok(JobOutcome::Done);
    }
    let expect = expectations(&args.project)?;
    if expect.is_empty() {
        bail!(
            "{} has no [expect]; `quarry check -p {} --suggest` proposes one from the table as it is",
            args.project.join(FILE).display(),
            args.project.display()
        );
    }
    let lines = check(&expect, &harvested)?;
    let rows = lines.iter().map(|line| {
        let met = if line.is_met { "yes" } else { "NO" };
        vec![met.to_owned(), shorten(&line.expected, 40), shorten(&line.found, 50)]
    });
    printer.table(&["met", "expected", "found"], &[], rows)?;
    let is_met = lines.iter().all(|line| line.is_met);
    Ok(if is_met { JobOutcome::Done } else { JobOutcome::WithFailures })
}
