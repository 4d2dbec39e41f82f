//! What are the words? Plain data that is stored or sent between the crates, and the ports
//! (traits) to the outside world.
//!
//! # Glossary
//!
//! | word | what it is |
//! |---|---|
//! | [`Request`] | one thing to ask a server: method, address, body, validators |
//! | [`Exchange`] | one request as it was sent, with the response as it came |
//! | [`Fetched`] | all exchanges that one request led to: redirect hops, then an [`Outcome`] |
//! | [`Outcome`] | the last response, or the [`Failure`] that took its place |
//! | [`Candidate`] | a request that somebody proposes, with its depth and priority |
//! | [`Entry`] | a candidate that the [`Frontier`] has accepted and leased out |
//! | [`Capture`] | an exchange about to be archived, with what the crawl knows of it |
//! | [`PageRow`] | one archived page: the row that makes it exist |
//! | [`SkipReason`] | why an address was not asked |
//! | [`Issue`] | something odd that was met, counted and shown; never a reason to stop |
//! | [`RunReport`] | the counts of a run |
//! | round | one way through a site; a later one asks what may have changed ([`RoundReport`]) |
//!
//! Ports: [`Fetcher`] (HTTP, replay from an archive), [`Frontier`] (SQLite, memory),
//! [`PageStore`] (WARC project, memory). [`conformance`] holds one suite for each, which every
//! implementation must pass.

pub mod conformance;
mod fact;
mod fetch;
mod frontier;
mod page;
mod report;
mod time;

pub use fact::{
    ColumnKind, ColumnRow, EntityCell, EntityRow, EntityState, QueryRow, ValueRow, ValueSource,
};
pub use fetch::{
    Exchange, Failure, Fetched, Fetcher, Headers, Method, Outcome, Phase, Request, Response,
    Truncation, Validators,
};
pub use frontier::{
    Added, Candidate, End, Entry, EntryId, Frontier, FrontierCounts, HostRecord, HostWork,
    RobotsRecord, Role,
};
pub use page::{Capture, PageRow, PageStore};
pub use report::{Issue, IssueKind, RoundReport, RunReport, SkipReason};
pub use time::Timestamp;
