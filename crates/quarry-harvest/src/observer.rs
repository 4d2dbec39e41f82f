//! How a harvest tells what it is doing, and how it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quarry_crawl::StrategyProgress;
use quarry_model::Timestamp;
use tokio::sync::Notify;

/// The steps of a harvest, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HarvestPhase {
    /// Pages are fetched.
    Crawl,
    /// A site's templates are learned from some of its pages.
    Learn,
    /// All pages are read.
    Read,
    /// Values become a table.
    Assemble,
    /// Tables and report are written.
    Write,
}

/// Is told what happens. Every method but the first two has a default that does nothing.
pub trait Observer: Send {
    /// A line that everybody should see.
    fn line(&self, text: &str);

    /// An observer for one of several sites that are crawled side by side.
    fn beside(&self, site: &str) -> Box<dyn Observer>;

    /// A step begins.
    fn phase(&mut self, _phase: HarvestPhase) {}

    /// What is being done now, in place of the last such text.
    fn status(&self, _text: &str) {}

    /// A line for those who asked for more.
    fn detail(&self, _text: &dyn Fn() -> String) {}

    /// Whether the progress of the crawl is to be shown now; the last state `is_over`.
    fn is_due(&self, _now: Timestamp, _is_over: bool) -> bool {
        false
    }

    /// Where the crawl stands.
    fn progress(&mut self, _progress: &CrawlStatus, _now: Timestamp) {}

    /// What it was told of is over.
    fn finish(&mut self) {}
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn line(&self, _text: &str) {}

    fn beside(&self, _site: &str) -> Box<dyn Observer> {
        Box::new(Self)
    }
}

/// Where a crawl stands at one moment.
#[derive(Debug, Clone, Default)]
pub struct CrawlStatus {
    /// Pages of the present round.
    pub pages: u64,
    /// Bytes of bodies received.
    pub bytes: u64,
    /// Addresses that wait.
    pub queued: u64,
    /// Requests that are out.
    pub in_flight: usize,
    /// Addresses that failed.
    pub failed: u64,
    /// Pages after which the budget ends the crawl, counted from the same zero as `pages`.
    pub limit: u64,
    /// How far the strategy is, in its own terms.
    pub strategy: StrategyProgress,
    /// Host and what it is doing, busiest first.
    pub hosts: Vec<(String, String)>,
}

/// Tells a crawl from outside to stop: what is in flight is still taken in, and the same job goes on later.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<Stopping>);

#[derive(Debug, Default)]
struct Stopping {
    is_stopped: AtomicBool,
    changed: Notify,
}

impl StopSignal {
    /// Stops every crawl that has this signal.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }

    /// Whether it was given.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::SeqCst)
    }

    /// Waits until it is given.
    pub(crate) async fn stopped(&self) {
        let changed = self.0.changed.notified();
        if !self.is_stopped() {
            changed.await;
        }
    }
}
