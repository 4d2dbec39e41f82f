//! The [`Frontier`] port: every request ever proposed, each once, with
//! leases and politeness that survive a restart.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Request, SkipReason, Timestamp};

/// What kind of answer a request is expected to bring.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum RequestRole {
    /// A page of the site.
    #[default]
    Page,
    /// A sitemap or sitemap index: read for addresses, not kept as a page.
    Sitemap,
}

/// A proposed request.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Candidate {
    /// What to ask.
    pub request: Request,
    /// `scheme://host:port` of the request: the unit of politeness.
    pub host: String,
    /// What to expect of the answer.
    pub role: RequestRole,
    /// Links from a seed; seeds have 0.
    pub depth: u32,
    /// Entries with a lower number are leased first; within it, in order of depth, then of arrival.
    pub priority: i32,
    /// The address of the page that the link stood on.
    pub via: Option<String>,
}

/// The frontier's name for an accepted candidate.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct EntryId(pub i64);

/// An accepted candidate that has been leased out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub id: EntryId,
    /// What was proposed (with the least depth under which it was).
    pub candidate: Candidate,
    /// How often it has been tried and put back before.
    pub attempts: u32,
    /// An earlier round has archived an answer that holds until then (RFC 9111): before, it need not be asked.
    /// What the server said of that answer's version stands in the request's `unless`.
    pub fresh_until: Option<Timestamp>,
}

/// How many candidates of a call to [`Frontier::add`] were new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Added {
    /// Not seen before, now queued.
    pub new: usize,
    /// Seen before, in this run or an earlier one of the project.
    pub known: usize,
}

/// How an entry ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Its page is archived.
    Done,
    /// It was not asked, or its answer was not kept.
    Skipped(SkipReason),
    /// It was tried and failed, for this reason.
    Failed(String),
}

/// Work that waits at one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostWork {
    /// `scheme://host:port`.
    pub host: String,
    /// Entries that are neither leased nor ended.
    pub queued: u64,
    /// When the first of them may be leased (entries that were put back wait).
    pub due: Timestamp,
}

/// How many entries are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FrontierCounts {
    /// Waiting.
    pub queued: u64,
    /// Leased to the running crawl.
    pub leased: u64,
    /// Ended as done.
    pub done: u64,
    /// Ended as skipped.
    pub skipped: u64,
    /// Ended as failed.
    pub failed: u64,
}

/// What a host answered to the request for its robots.txt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsRecord {
    /// When it was asked.
    pub at: Timestamp,
    /// The final status, or `None` where the host could not be reached.
    pub status: Option<u16>,
    /// The text, cut at the limit.
    pub body: String,
}

/// What must be remembered of a host so that a resumed crawl is as polite as the first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HostRecord {
    /// `scheme://host:port`.
    pub host: String,
    /// Its robots.txt, once asked.
    pub robots: Option<RobotsRecord>,
    /// No request before this moment.
    pub not_before: Timestamp,
    /// The pause between requests that the host's answers have led to.
    pub delay: Duration,
    /// Failures and refusals in a row.
    pub troubles: u32,
    /// What it has in common with other hosts: its registered domain, its IP addresses. Hosts of one group keep the pause together.
    /// The frontier says so of a host that the crawler may ask, where several crawlers share it; it is not remembered.
    pub groups: Vec<String>,
}

/// Whether a crawler may ask a host, where several crawlers share a frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostHold {
    /// It may, as before.
    Held,
    /// It may from now on: what it remembers of the host may be out of date.
    Taken,
    /// Another crawler asks the host.
    Refused,
}

/// Every request ever proposed, each once.
///
/// Implementations pass [`crate::conformance::frontier`]. Changes last once the implementation
/// commits them; together with the pages, where they share a store.
pub trait Frontier {
    /// What can go wrong with the storage behind it.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Queues the candidates whose request key was never seen. A candidate that is known and still
    /// queued gets the lesser of both depths and priorities.
    fn add(&mut self, candidates: &[Candidate]) -> Result<Added, Self::Error>;

    /// Leases the first queued entry of `host` that is due: by priority, depth, arrival.
    fn lease(&mut self, host: &str, now: Timestamp) -> Result<Option<Entry>, Self::Error>;

    /// Ends a leased entry.
    fn finish(&mut self, id: EntryId, end: &End) -> Result<(), Self::Error>;

    /// Queues a leased entry again, not before `due`, and counts the attempt if `attempted`.
    fn put_back(&mut self, id: EntryId, due: Timestamp, attempted: bool)
    -> Result<(), Self::Error>;

    /// Takes the address that a redirect led to: true if its key was never seen or is still
    /// queued, and then it is known and done from now on; false if another entry has, or is
    /// about to have, its page.
    fn claim(&mut self, candidate: &Candidate) -> Result<bool, Self::Error>;

    /// The hosts that have queued entries, in order of name.
    fn work(&self) -> Result<Vec<HostWork>, Self::Error>;

    /// Entries by state.
    fn counts(&self) -> Result<FrontierCounts, Self::Error>;

    /// Puts back every leased entry, as after a crash. Returns how many there were.
    fn release_leases(&mut self) -> Result<u64, Self::Error>;

    /// What is remembered of `host`.
    fn host(&self, host: &str) -> Result<Option<HostRecord>, Self::Error>;

    /// Remembers a host.
    fn save_host(&mut self, record: &HostRecord) -> Result<(), Self::Error>;

    /// Whether this crawler may ask `host`. One that has the frontier to itself always may; where several share it, one of them may at a
    /// time, so that the pause between requests is kept where the connection is.
    fn hold(&mut self, host: &str) -> Result<HostHold, Self::Error> {
        let _ = host;
        Ok(HostHold::Held)
    }

    /// Whether this crawler would take further hosts while it waits for those that it has. One that has the frontier to itself knows all
    /// of them.
    fn wants_work(&self) -> bool {
        false
    }

    /// Whether no other crawler can add entries any more.
    fn is_over(&mut self) -> Result<bool, Self::Error> {
        Ok(true)
    }
}
