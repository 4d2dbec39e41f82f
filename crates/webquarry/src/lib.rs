//! The program as a library: reads a command line, runs one command, turns its result into an exit status. The binary and the
//! command of the Python package both call [`run`].

mod args;
mod commands;
mod config;
mod interrupt;
mod job;
mod papers;
mod printer;
mod screen;
mod seeds;
mod stage;
mod visible;

use std::ffi::OsString;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::printer::Printer;
use quarry_harvest::JobOutcome;

/// Runs one command; the first argument is the name of the program. Returns the exit status. A command line that cannot be read ends
/// the process.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = Cli::parse_from(arguments);
    let mut printer = Printer::new();
    let result = match cli.command {
        Command::Crawl(args) => commands::crawl::run(&cli.global, args, &mut printer),
        Command::Harvest(args) => commands::harvest::run(&cli.global, args, &mut printer),
        Command::Discover(args) => commands::discover::run(&cli.global, &args, &mut printer),
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
        Ok(JobOutcome::Done) => 0,
        Ok(JobOutcome::WithFailures) => 1,
        Ok(JobOutcome::Interrupted) => 3,
        Err(error) => {
            printer::complain(&error);
            2
        }
    }
}
