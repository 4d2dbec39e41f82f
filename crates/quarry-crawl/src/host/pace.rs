//! The pause between two requests to a host: the longest of the configured one, the one that robots.txt
//! asks for, and the one learned from the host's response times and refusals.

use std::time::Duration;

/// Answers this many times slower than usual …
const SLOWER: f64 = 3.0;
/// … and slower than this show that the host is under strain.
const STRAINED: Duration = Duration::from_millis(500);
/// Weight of the newest answer in the short and in the long average.
const SHORT: f64 = 0.5;
const LONG: f64 = 0.05;
/// What a good answer leaves of the learned pause.
const RECOVERY: f64 = 0.8;
/// A learned pause below this is over.
const NEGLIGIBLE: Duration = Duration::from_millis(20);
/// The first pause that a refusal leads to.
const FIRST: Duration = Duration::from_secs(1);

/// The pause at one host.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pace {
    set: Duration,
    asked: Duration,
    learned: Duration,
    most: Duration,
    adaptive: bool,
    /// Averages of how long answers take, in seconds; 0 before the first.
    recent: f64,
    usual: f64,
}

impl Pace {
    pub(crate) fn new(set: Duration, learned: Duration, most: Duration, adaptive: bool) -> Self {
        let learned = learned.min(most);
        Self { set, asked: Duration::ZERO, learned, most, adaptive, recent: 0.0, usual: 0.0 }
    }

    /// The pause to keep.
    pub(crate) fn delay(&self) -> Duration {
        self.set.max(self.asked).max(self.learned)
    }

    /// The part of it that a restart must remember.
    pub(crate) fn learned(&self) -> Duration {
        self.learned
    }

    /// Takes the Crawl-delay of robots.txt.
    pub(crate) fn set_asked(&mut self, asked: Duration) {
        self.asked = asked;
    }

    /// A good answer came after `took`.
    pub(crate) fn answered(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        if self.usual == 0.0 {
            (self.recent, self.usual) = (seconds, seconds);
        }
        self.recent += SHORT * (seconds - self.recent);
        self.usual += LONG * (seconds - self.usual);
        let strained = self.adaptive
            && self.recent > SLOWER * self.usual
            && self.recent > STRAINED.as_secs_f64();
        if strained {
            // Give it as much rest as it now needs for an answer.
            let rest = Duration::from_secs_f64(self.recent);
            self.learned = self.learned.max(rest).min(self.most);
        } else {
            self.learned = self.learned.mul_f64(RECOVERY);
            if self.learned < NEGLIGIBLE {
                self.learned = Duration::ZERO;
            }
        }
    }

    /// The host refused (403, 429, 503): twice the pause from now on.
    pub(crate) fn refused(&mut self) {
        self.learned = self.delay().saturating_mul(2).max(FIRST).min(self.most.max(self.set));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(adaptive: bool) -> Pace {
        Pace::new(Duration::from_secs(1), Duration::ZERO, Duration::from_secs(60), adaptive)
    }

    #[test]
    fn the_longest_pause_counts() {
        let mut pace = pace(true);
        assert_eq!(pace.delay(), Duration::from_secs(1));
        pace.set_asked(Duration::from_secs(7));
        assert_eq!(pace.delay(), Duration::from_secs(7));
        pace.set_asked(Duration::from_millis(10));
        assert_eq!(pace.delay(), Duration::from_secs(1));
    }

    #[test]
    fn slows_down_under_strain_and_recovers() {
        let mut pace = pace(true);
        for _ in 0..20 {
            pace.answered(Duration::from_millis(100));
        }
        assert_eq!(pace.delay(), Duration::from_secs(1));
        for _ in 0..5 {
            pace.answered(Duration::from_secs(4));
        }
        assert!(pace.delay() > Duration::from_secs(3), "{:?}", pace.delay());
        for _ in 0..40 {
            pace.answered(Duration::from_millis(100));
        }
        assert_eq!(pace.delay(), Duration::from_secs(1));
    }

    #[test]
    fn refusals_double_up_to_the_limit() {
        let mut pace = pace(false);
        let mut seen = Vec::new();
        for _ in 0..8 {
            pace.refused();
            seen.push(pace.delay().as_secs());
        }
        assert_eq!(seen, [2, 4, 8, 16, 32, 60, 60, 60]);
        pace.answered(Duration::from_secs(1));
        assert_eq!(pace.delay().as_secs(), 48);
    }
}
