//! One file per verb. Each takes its arguments, does the work and says how it ended.

mod auto;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod crawl;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod graph;
pub(crate) mod harvest;
pub(crate) mod inspect;
pub(crate) mod links;
pub(crate) mod match_sites;
pub(crate) mod report;
pub(crate) mod shell;
pub(crate) mod specs;
pub(crate) mod stage;
mod strategy;
pub(crate) mod template;

use url::Url;

/// How a command ended, when it could run at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// Everything was done.
    Done,
    /// Everything was done, but some pages failed or the table is not as expected.
    WithFailures,
    /// The user broke it off; the same command goes on.
    Interrupted,
}

/// Stands for the address of a page whose own is not known.
pub(crate) fn unknown_address() -> Url {
    Url::parse("http://unknown.invalid/").expect("a constant address")
}
