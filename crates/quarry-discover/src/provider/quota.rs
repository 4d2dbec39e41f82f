//! How often a service may be asked: a pause between requests, and a number of requests in a period. Kept between runs.

use std::time::Duration;

use quarry_model::Timestamp;
use serde::{Deserialize, Serialize};

/// What has been used of a service. Time comes in as a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quota {
    /// Pause between two requests, in milliseconds.
    pub pause_ms: u64,
    /// Requests in a period, at most; none means no limit.
    pub most: Option<u64>,
    /// Length of a period, in hours.
    pub period_hours: u64,
    used: u64,
    since: Timestamp,
    next: Timestamp,
}

/// Whether a request may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permit {
    /// Now; it is counted.
    Now,
    /// After a pause.
    After(Duration),
    /// Not before this moment.
    UsedUp(Timestamp),
}

impl Quota {
    /// A limit of `most` requests in `period_hours`, and a pause between two.
    #[must_use]
    pub fn new(pause: Duration, most: Option<u64>, period_hours: u64) -> Self {
        let pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        let (since, next) = (Timestamp(0), Timestamp(0));
        Self { pause_ms, most, period_hours, used: 0, since, next }
    }

    /// Requests in the present period.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Goes on with what an earlier run has used; the limits are the new ones.
    #[must_use]
    pub fn going_on(self, before: &Self) -> Self {
        Self { used: before.used, since: before.since, next: before.next, ..self }
    }

    /// Asks for a request.
    pub fn ask(&mut self, now: Timestamp) -> Permit {
        let period = Duration::from_secs(self.period_hours.saturating_mul(3_600));
        if now >= self.since.plus(period) || self.used == 0 {
            (self.since, self.used) = (now, 0);
        }
        if self.most.is_some_and(|most| self.used >= most) {
            return Permit::UsedUp(self.since.plus(period));
        }
        if now < self.next {
            return Permit::After(self.next.since(now));
        }
        self.used += 1;
        self.next = now.plus(Duration::from_millis(self.pause_ms));
        Permit::Now
    }

    /// The service said when it may be asked again.
    pub fn rest_until(&mut self, at: Timestamp) {
        self.next = self.next.max(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_limits_and_periods() {
        let mut quota = Quota::new(Duration::from_secs(2), Some(2), 24);
        let start = Timestamp::from_date(2026, 11, 18);
        let at = |seconds: u64| start.plus(Duration::from_secs(seconds));
        assert_eq!(quota.ask(at(0)), Permit::Now);
        assert_eq!(quota.ask(at(1)), Permit::After(Duration::from_secs(1)));
        assert_eq!(quota.ask(at(2)), Permit::Now);
        assert_eq!(quota.ask(at(9)), Permit::UsedUp(at(86_400)));
        // Another run remembers.
        let stored = serde_json::to_string(&quota).unwrap();
        let before: Quota = serde_json::from_str(&stored).unwrap();
        let mut again = Quota::new(Duration::from_secs(2), Some(2), 24).going_on(&before);
        assert_eq!(again.ask(at(10)), Permit::UsedUp(at(86_400)));
        assert_eq!(again.ask(at(86_400)), Permit::Now);
        again.rest_until(at(90_000));
        assert_eq!(again.ask(at(86_410)), Permit::After(Duration::from_secs(3_590)));
    }
}
