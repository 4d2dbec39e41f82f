//! The trainer. `train STAGE DATA…` fits a stage's weights to labelled pages, cross-validates them
//! by site and writes them as plain text. The same data give the same bytes.
#![allow(clippy::print_stdout)]

mod paging;
mod region;
mod reliability;
mod spec;
mod template;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Fits the weights of a stage to labelled pages.
#[derive(Parser)]
#[command(name = "train")]
struct Args {
    #[command(subcommand)]
    stage: Stage,
}

#[derive(Subcommand)]
enum Stage {
    /// The weights that tell paging links from others.
    Paging(paging::Args),
    /// The weights that choose the answer region of a page.
    Region(region::Args),
    /// How often values are right, by source and by how sure they were.
    Reliability(reliability::Args),
    /// The trees that tell specifications from other fragments.
    Spec(spec::Args),
    /// The detectors of decorative tags and of template texts.
    Template(template::Args),
}

fn main() -> Result<()> {
    match Args::parse().stage {
        Stage::Paging(args) => paging::run(&args),
        Stage::Region(args) => region::run(&args),
        Stage::Reliability(args) => reliability::run(&args),
        Stage::Spec(args) => spec::run(&args),
        Stage::Template(args) => template::run(&args),
    }
}
