//! STAGE weights.

use std::path::PathBuf;

use anyhow::Result;

/// Labelled pages to learn from.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders of labelled pages.
    #[arg(required = true)]
    data: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    anyhow::bail!("cannot read {}", args.data[0].display())
}
