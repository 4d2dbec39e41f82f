//! How a harvest tells what it is doing, and how it is told to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quarry_crawl::StrategyProgress;
use quarry_model::Timestamp;
use tokio::sync::Notify;

use crate::crawl::now;

/// How long a job may still work once it is told to stop or its time is over. A crawl that can look at the clock takes 1.2 s
/// at the most; two seconds are promised.
const PATIENCE: Duration = Duration::from_millis(1_800);

const TABLES_OVERDUE: &str = "--max-time is over before the tables are made; the pages are kept: \
                              quarry harvest DIR, with the folder of the project, makes tables of them";

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
pub struct NullObserver;

impl Observer for NullObserver {
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

/// Tells a crawl from outside to stop: what is in flight is still taken in, and the same job goes on later. It also knows until when
/// the jobs that have it may work: a job that is busy with one page cannot look at the clock, whoever runs it can.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<Stopping>);

#[derive(Debug, Default)]
struct Stopping {
    is_stopped: AtomicBool,
    changed: Notify,
    /// Until when each job at work may go on.
    ends: Mutex<Vec<JobEnd>>,
    next: AtomicU64,
}

#[derive(Debug)]
struct JobEnd {
    number: u64,
    at: Timestamp,
    work: Work,
}

/// What a job with a time limit is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It crawls.
    Crawl,
    /// It makes tables of what was crawled.
    Tables,
}

impl Stopping {
    fn ends(&self) -> MutexGuard<'_, Vec<JobEnd>> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
        loop {
            let changed = self.0.changed.notified();
            if self.is_stopped() {
                return;
            }
            changed.await;
        }
    }

    /// A job begins that may work until then.
    #[must_use]
    pub fn work_until(&self, at: Timestamp, work: Work) -> TimeLimit {
        let number = self.0.next.fetch_add(1, Ordering::SeqCst);
        self.0.ends().push(JobEnd { number, at, work });
        self.0.changed.notify_waiters();
        TimeLimit { of: self.clone(), number }
    }

    /// When the last of the jobs at work must be over; `None` if there is none.
    #[must_use]
    pub fn ends_at(&self) -> Option<Timestamp> {
        self.last_end().map(|(at, _)| at)
    }

    fn last_end(&self) -> Option<(Timestamp, Work)> {
        self.0.ends().iter().max_by_key(|end| end.at).map(|end| (end.at, end.work))
    }

    /// Waits until the jobs that have it should be over and are not, and says why. Whoever runs them may end the process then, which
    /// is safe at any moment: what is not committed is done again by the same job.
    pub async fn overdue(&self) -> &'static str {
        let mut stopped_at = None;
        loop {
            let changed = self.0.changed.notified();
            if self.is_stopped() {
                stopped_at = stopped_at.or(Some(now()));
            }
            let time = self.last_end();
            let (end, why) = match (stopped_at, time) {
                (Some(at), time) if time.is_none_or(|(time, _)| at <= time) => {
                    (Some(at), "interrupted: left in the middle; the same command goes on")
                }
                (_, Some((at, Work::Tables))) => (Some(at), TABLES_OVERDUE),
                (_, time) => (
                    time.map(|(at, _)| at),
                    "--max-time is over: left in the middle; the same command goes on",
                ),
            };
            let end = end.map(|end| end.plus(PATIENCE));
            if end.is_some_and(|end| end <= now()) {
                return why;
            }
            let pause = end.map_or(Duration::MAX, |end| end.since(now()));
            tokio::select! {
                () = changed => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }
}

/// The time that a job has, as long as this lives.
#[derive(Debug)]
pub struct TimeLimit {
    of: StopSignal,
    number: u64,
}

impl TimeLimit {
    /// The job may work until then instead.
    pub fn move_to(&self, end: Timestamp) {
        let mut ends = self.of.0.ends();
        ends.iter_mut().filter(|own| own.number == self.number).for_each(|own| own.at = end);
        drop(ends);
        self.of.0.changed.notify_waiters();
    }
}

impl Drop for TimeLimit {
    fn drop(&mut self) {
        self.of.0.ends().retain(|own| own.number != self.number);
        self.of.0.changed.notify_waiters();
    }
}
