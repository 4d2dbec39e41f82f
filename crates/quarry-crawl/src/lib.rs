//! What do we ask next? The crawl's engine: one loop over a closed set of events, without sockets,
//! without disk, with time as a value.
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

pub use address::{Address, BadAddress, MAX_LENGTH};
pub use engine::{Engine, HostProgress, HostState, Progress};
pub use growth::GrowthLimits;
pub use link::ShapeLimits;
pub use memory::MemoryFrontier;
pub use reader::{FoundLink, Observation, Reader, Recalled, read_answer, read_unchanged};
pub use rules::Gate;
pub use scope::{Reach, Scope};
pub use settings::{Budget, CrawlSettings, Politeness, Retry, SettingsError, Spent};
pub use strategy::{
    Account, AttributeAccount, CollectionAccount, EntryAccount, IndexAccount, IndexProgress,
    IndexSettings, ProbeAccount, ProbeProgress, ProbeSettings, QueryAccount, QueryProgress,
    QuerySettings, Saved, StrategyKind, StrategyProgress,
};
pub use ticket::{BudgetKind, CaptureOf, Purpose, Reaction, Step, Stop, Ticket, TicketId};
