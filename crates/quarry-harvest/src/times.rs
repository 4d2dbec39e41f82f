//! Measures where the time of a harvest goes, stage by stage.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::text::seconds;

/// The stages in their order, each with its time by the clock.
pub(crate) struct Times {
    stages: Vec<(&'static str, Duration)>,
    since: Instant,
}

impl Times {
    pub(crate) fn start() -> Self {
        Self { stages: Vec::new(), since: Instant::now() }
    }

    /// What was done since the last call was this stage.
    pub(crate) fn done(&mut self, stage: &'static str) {
        let now = Instant::now();
        let took = now - std::mem::replace(&mut self.since, now);
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, time)) => *time += took,
            None => self.stages.push((stage, took)),
        }
    }

    /// All stages in one line.
    pub(crate) fn line(&self) -> String {
        let stage =
            |(name, time): &(&str, Duration)| format!("{name} {}", seconds(time.as_secs_f64()));
        self.stages.iter().map(stage).collect::<Vec<_>>().join(", ")
    }
}

/// Time spent on many threads, added up.
#[derive(Default)]
pub(crate) struct TimeSpent(AtomicU64);

impl TimeSpent {
    /// Runs something, and adds the time that it takes.
    pub(crate) fn on<T>(&self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = work();
        self.0.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        done
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.0.load(Ordering::Relaxed) as f64 / 1e9
    }
}
