//! `quarry completions` and `quarry man`: made from the command line's own definition.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;
use quarry_harvest::JobOutcome;

use crate::args::Cli;
use crate::printer::Printer;

pub(crate) fn completions(shell: Shell, printer: &mut Printer) -> Result<JobOutcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "quarry", &mut script);
    printer.raw(&script)?;
    Ok(JobOutcome::Done)
}

pub(crate) fn manual(folder: &Path, printer: &mut Printer) -> Result<JobOutcome> {
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .with_context(|| format!("cannot write manual pages into {}", folder.display()))?;
    printer.line(format!("manual pages written to {}", folder.display()))?;
    Ok(JobOutcome::Done)
}
