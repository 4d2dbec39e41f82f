//! `quarry explain`: what an address is to the project: which query and which page of it, which
//! entity, or which link that was left alone, and why. From the archive alone.

mod show;

use anyhow::{Result, bail};
use quarry_harvest::JobOutcome;
use quarry_harvest::explain::{AddressKind, explain_address};
use quarry_store::{Project, StoreSettings};

use crate::args::ExplainArgs;
use crate::printer::Printer;

pub(crate) fn run(args: &ExplainArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let found = explain_address(&project, &args.url)?;
    if found.kind == AddressKind::Unknown && !found.has_graphs {
        let (folder, url) = (args.project.display(), &found.url);
        bail!(
            "{folder} holds no page {url} and no query graph; `quarry export -p {folder} --table pages` \
             lists its pages, `quarry crawl URL -p DIR --strategy query` finds out about queries"
        );
    }
    if args.json {
        printer.json(&found)?;
    } else {
        show::show(&found, printer)?;
    }
    Ok(JobOutcome::Done)
}
