//! Decides what to request next: the crawl engine and its strategies, without sockets, without disk,
//! with time as a value.
//!
//! A driver owns the frontier, the fetcher and the clock and runs [`Engine`]; answers are read by
//! [`read_answer`], on any thread. What the engine does in which order, and why, stands in
//! `docs/algorithms/crawl.md`. The loop in full, with a fetcher of its own: `examples/custom_fetcher.rs`.

mod address;
mod engine;
mod growth;
mod host;
mod link;
mod memory;
mod missing;
pub mod query;
mod reader;
mod recent;
pub mod robots;
mod rules;
mod schedule;
mod scope;
mod settings;
pub mod sitemap;
mod strategy;
mod ticket;

pub use address::{Address, BadAddress, MAX_LENGTH, seed};
pub use engine::{CrawlProgress, Engine, HostProgress, HostState, Refusal, Refusals};
pub use growth::GrowthLimits;
pub use link::{ShapeLimits, judge_address};
pub use memory::MemoryFrontier;
pub use reader::{AnswerReader, FoundLink, Observation, RecalledPage, read_answer, read_unchanged};
pub use rules::RedirectPolicy;
pub use scope::{Reach, Scope};
pub use settings::{Budget, CrawlSettings, KeptTime, Politeness, Retry, SettingsError, Spent};
pub use strategy::{
    AttributeReport, CollectionReport, EntryReport, IndexProgress, IndexReport, IndexSettings,
    ProbeProgress, ProbeReport, ProbeSettings, QueryProgress, QueryReport, QuerySettings,
    SavedRequests, StrategyKind, StrategyProgress, StrategyReport, guessed_next_page,
    preset_parameters, values_of,
};
pub use ticket::{BudgetKind, OwnedCapture, Purpose, Reaction, Step, Stop, Ticket, TicketId};
