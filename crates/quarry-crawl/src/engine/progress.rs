//! Counts and the state of every host, for a display.

use std::time::Duration;

use quarry_model::Timestamp;

use super::Engine;
use crate::host::{Host, Robots};

/// A look at a session; see [`Engine::progress`].
#[derive(Debug, Clone, Copy)]
pub struct CrawlProgress<'a> {
    /// Requests of this session.
    pub requests: u64,
    /// Pages kept, earlier sessions included.
    pub pages: u64,
    /// Bytes received, earlier sessions included.
    pub bytes: u64,
    /// Tickets that are out.
    pub in_flight: usize,
    engine: &'a Engine,
}

/// One host in a display.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostProgress<'a> {
    /// `scheme://host:port`.
    pub host: &'a str,
    /// What it does.
    pub state: HostState,
    /// Tickets that are out.
    pub in_flight: u32,
    /// The pause that is kept.
    pub delay: Duration,
    /// Pages of this session.
    pub pages: u64,
    /// Requests of this session.
    pub requests: u64,
    /// Failures and refusals in a row.
    pub troubles: u32,
}

/// What a host does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostState {
    /// Its robots.txt is being asked.
    AskingRobots,
    /// Requests are out.
    Asking,
    /// It may be asked from this moment on.
    Due(Timestamp),
    /// It is left alone until this moment because of troubles.
    Paused(Timestamp),
    /// It is left alone for the rest of the session.
    GivenUp,
    /// It has nothing to ask.
    Idle,
}

impl<'a> CrawlProgress<'a> {
    /// Every host that was met, in order of meeting.
    pub fn hosts(&self) -> impl Iterator<Item = HostProgress<'a>> + use<'a> {
        let pause_after = self.engine.settings.retry.pause_after;
        self.engine.hosts.iter().map(move |host| HostProgress {
            host: &host.name,
            state: state(host, pause_after),
            in_flight: host.in_flight,
            delay: host.pace.delay(),
            pages: host.pages,
            requests: host.requests,
            troubles: host.troubles,
        })
    }
}

impl Engine {
    /// How it is going.
    #[must_use]
    pub fn progress(&self) -> CrawlProgress<'_> {
        CrawlProgress {
            requests: self.requests,
            pages: self.spent.pages,
            bytes: self.spent.bytes,
            in_flight: self.flights.len(),
            engine: self,
        }
    }
}

fn state(host: &Host, pause_after: u32) -> HostState {
    match (&host.robots, host.place) {
        _ if host.given_up => HostState::GivenUp,
        (Robots::Asked { .. }, _) => HostState::AskingRobots,
        _ if host.in_flight > 0 => HostState::Asking,
        (_, Some((due, _))) if host.troubles >= pause_after => HostState::Paused(due),
        (_, Some((due, _))) => HostState::Due(due),
        (_, None) => HostState::Idle,
    }
}
