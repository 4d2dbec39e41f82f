//! The whole job as a library: point it at a site, get its database back as tables.
//!
//! | step | what it does | where |
//! |---|---|---|
//! | decide | which strategy fits the site | [`crawl::decide`] |
//! | crawl | asks the site, politely; goes on where an earlier session ended | [`crawl`] |
//! | learn | a sample of pages becomes a site model | [`learn`] |
//! | read | every page becomes values of entities | [`read`] |
//! | assemble | values become one table, compared with that of the last harvest | [`assemble`] |
//! | tables | the table goes into the store, with a report for people | [`Harvest`], [`report`] |
//!
//! There is no terminal and no command line here: progress goes to an [`Observer`], Ctrl-C comes in as a [`StopSignal`].
//! Disk and network come in through the ports of `quarry-model`.

pub mod assemble;
pub mod crawl;
pub mod discover;
pub mod draw;
mod error;
pub mod expect;
pub mod explain;
mod harvest;
pub mod known;
pub mod learn;
pub mod matching;
mod observer;
pub mod pages;
pub mod progress;
pub mod read;
pub mod report;
mod seed_file;
pub mod stages;
mod tables;
pub mod text;
pub mod things;
mod times;

pub use crawl::{
    CrawlJob, CrawlOutcome, JobOutcome, RecrawlPolicy, SiteCrawl, StrategyName, crawl_sites,
    crawled_pages,
};
pub use error::HarvestError;
pub use harvest::{Harvest, HarvestStore, Harvested};
pub use observer::{
    CrawlStatus, HarvestPhase, NullObserver, Observer, StopSignal, TimeLimit, Work,
};
pub use pages::{PageInputs, ParsedPage};
pub use quarry_assemble::{AssembleConfig, ColumnRules};
pub use seed_file::{SeedError, parse_seeds};
pub use tables::TableRows;
