//! The program: reads the command line, runs one command, turns its result into an exit status.

mod args;
mod commands;
mod config;
mod interrupt;
mod job;
mod papers;
mod printer;
mod run_report;
mod screen;
mod seeds;
mod stage;
mod visible;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::printer::Printer;
use quarry_harvest::Ending;

/// A crawl makes and drops many small things; this allocator does it in a tenth less time than the
/// system's (`bench/crawl.py`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut printer = Printer::new();
    let result = match cli.command {
        Command::Crawl(args) => commands::crawl::run(&cli.global, args, &mut printer),
        Command::Harvest(args) => commands::harvest::run(&cli.global, args, &mut printer),
        Command::Extract(args) => commands::extract::run(&args, cli.global.quiet, &mut printer),
        Command::Check(args) => commands::check::run(&args, &mut printer),
        Command::Report(args) => commands::report::run(&args, &mut printer),
        Command::Export(args) => commands::export::run(&args, &mut printer),
        Command::Inspect(args) => commands::inspect::run(&args, &mut printer),
        Command::Cluster(args) => commands::cluster::run(&args, &mut printer),
        Command::Records(args) => commands::records::run(&args, &mut printer),
        Command::Template(args) => commands::template::run(&args, &mut printer),
        Command::Specs(args) => commands::specs::run(&args, &mut printer),
        Command::Forms(args) => commands::forms::run(&args, &mut printer),
        Command::Links(args) => commands::links::run(&args, &mut printer),
        Command::Link(args) => commands::link::run(&args, &mut printer),
        Command::Match(args) => commands::match_sites::run(&args, cli.global.quiet, &mut printer),
        Command::Graph(args) => commands::graph::run(&args, &mut printer),
        Command::Explain(args) => commands::explain::run(&args, &mut printer),
        Command::Config(args) => commands::config::run(&cli.global, args, &mut printer),
        Command::Demo(args) => commands::demo::run(&cli.global, &args, &mut printer),
        Command::Completions { shell } => commands::shell::completions(shell, &mut printer),
        Command::Man { folder } => commands::shell::manual(&folder, &mut printer),
    };
    match result {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::WithFailures) => ExitCode::from(1),
        Ok(Ending::Interrupted) => ExitCode::from(3),
        Err(error) => {
            printer::complain(&error);
            ExitCode::from(2)
        }
    }
}
