//! What the engine hands out (steps and tickets) and returns for each answer (reactions).

use std::collections::BTreeMap;
use std::sync::Arc;

use quarry_model::{Capture, Exchange, Issue, Request, SkipReason, Timestamp};

use crate::Address;
use crate::missing::Signature;
use crate::robots;
use crate::rules::RedirectPolicy;

/// The name of a ticket within a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TicketId(pub u64);

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A page of the site.
    Page,
    /// A sitemap.
    Sitemap,
    /// A host's robots.txt.
    Robots,
    /// An address that cannot exist, to learn what missing pages look like.
    Probe,
}

/// One request that may be sent now. Every ticket must come back as an observation.
#[derive(Debug, Clone)]
pub struct Ticket {
    /// Its name.
    pub id: TicketId,
    /// What to ask.
    pub request: Request,
    /// Says which redirects may be followed.
    pub gate: Arc<RedirectPolicy>,
    /// What for.
    pub purpose: Purpose,
    /// Links from a seed.
    pub depth: u32,
    /// `scheme://host:port`.
    pub host: Arc<str>,
    /// The pause between requests to the host, for what a page that is rendered asks for.
    pub pause: std::time::Duration,
    /// The request's address.
    pub(crate) address: Address,
    /// The robots.txt of the host.
    pub(crate) robots: Arc<robots::Rules>,
    /// What missing pages of the host look like.
    pub(crate) missing: Option<Arc<Signature>>,
    /// Whether the page's own signature is wanted.
    pub(crate) sign: bool,
    /// Whether the request is sent; false while the archived page is fresh.
    pub(crate) is_asked: bool,
}

/// What the caller does next.
#[derive(Debug)]
pub enum Step {
    /// Fetch this, give the answer to [`crate::read_answer`] and the observation to the engine.
    Fetch(Box<Ticket>),
    /// The archived page is still fresh: give it to [`crate::read_answer`] as if it had been fetched.
    Recall(Box<Ticket>),
    /// Nothing may be asked before this moment. Call again then, or after the next observation.
    WaitUntil(Timestamp),
    /// Whatever may be asked is in flight. Call again after the next observation.
    Busy,
    /// An entry ended without a request: record the reaction, then call again.
    Settled(Box<Reaction>),
    /// The session is over; nothing is in flight.
    Done(Stop),
}

/// Why a session is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Nothing is left to ask (hosts that were given up aside).
    Finished,
    /// A budget is used up. What is left stays queued.
    Budget(BudgetKind),
    /// [`crate::Engine::stop`] was called.
    Interrupted,
}

/// Which budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetKind {
    /// [`crate::Budget::pages`].
    Pages,
    /// [`crate::Budget::requests`].
    Requests,
    /// [`crate::Budget::bytes`].
    Bytes,
    /// [`crate::Budget::time`].
    Time,
}

/// An exchange to archive. [`OwnedCapture::as_capture`] is what a page store takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedCapture {
    /// What was asked and what came.
    pub exchange: Exchange,
    /// Links from a seed.
    pub depth: u32,
    /// The address of the page that the link stood on.
    pub via: Option<String>,
    /// The media type, detected from the bytes.
    pub mime: &'static str,
    /// False for robots.txt, sitemaps and probes.
    pub is_page: bool,
    /// False if the archived page is still fresh and nothing was sent: to be noted, not archived.
    pub is_asked: bool,
}

impl OwnedCapture {
    /// As the page store takes it.
    #[must_use]
    pub fn as_capture(&self) -> Capture<'_> {
        Capture {
            exchange: &self.exchange,
            depth: self.depth,
            via: self.via.as_deref(),
            mime_detected: self.mime,
            is_page: self.is_page,
        }
    }
}

/// What follows from an observation. The caller archives and counts it in the transaction in which
/// the frontier's changes are committed.
#[derive(Debug, Default)]
pub struct Reaction {
    /// To archive, in this order.
    pub captures: Vec<OwnedCapture>,
    /// To record and count.
    pub issues: Vec<Issue>,
    /// Addresses not asked or not kept, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
    /// Requests sent, redirects included.
    pub requests: u64,
    /// Bytes of bodies received.
    pub bytes: u64,
    /// Answers kept as pages: error pages included, redirects not.
    pub pages: u64,
    /// Answers that count against [`crate::Budget::pages`]: pages, redirects, answers not kept.
    pub answers: u64,
    /// Addresses that are new in the frontier.
    pub discovered: u64,
}

impl Reaction {
    pub(crate) fn skip(&mut self, reason: SkipReason) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.captures.is_empty()
            && self.issues.is_empty()
            && self.skipped.is_empty()
            && self.requests == 0
            && self.discovered == 0
    }
}
