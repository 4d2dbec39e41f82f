//! Why a harvest cannot go on, and what the user can do about it.

use quarry_crawl::{BadAddress, SettingsError};
use quarry_model::PortError;

use crate::seed_file::SeedError;

/// Why a crawl or a harvest cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum HarvestError {
    /// A store, a source of pages or a fetcher failed.
    #[error(transparent)]
    Port(#[from] PortError),
    /// The crawl's settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Known records cannot be read.
    #[error(transparent)]
    Seed(#[from] SeedError),
    /// A text that should be an address.
    #[error("'{text}' is not a web address; write it with https://")]
    Address {
        /// The text.
        text: String,
        /// What is wrong with it.
        source: BadAddress,
    },
    /// A kept text cannot be read.
    #[error("{place} is damaged; {remedy}")]
    Damaged {
        /// Where it is kept.
        place: String,
        /// What the user can do.
        remedy: &'static str,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Something cannot be written as text.
    #[error("cannot print {what}")]
    Print {
        /// What.
        what: &'static str,
        /// Why.
        source: serde_json::Error,
    },
    /// The network runtime does not start.
    #[error("cannot start the network runtime")]
    Runtime {
        /// The system's words.
        source: std::io::Error,
    },
    /// A page that was archived is there no more.
    #[error("the archive has no answer for {url} any more")]
    NotArchived {
        /// Its address.
        url: String,
    },
    /// A crawl has brought no page.
    #[error("no page could be fetched: {reason}")]
    NoPages {
        /// What was refused, and by whom.
        reason: String,
    },
    /// A regular expression among the expectations.
    #[error("the pattern of {column:?} in [expect.patterns] is not usable")]
    Pattern {
        /// The column that it is for.
        column: String,
        /// What is wrong with it.
        source: regex::Error,
    },
}

impl HarvestError {
    /// For `map_err`: a value that does not print.
    pub(crate) fn print(what: &'static str) -> impl FnOnce(serde_json::Error) -> Self {
        move |source| Self::Print { what, source }
    }
}
