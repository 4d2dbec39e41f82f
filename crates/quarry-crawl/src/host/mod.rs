//! The state of one host: its robots.txt, pace and failures, and when it may be asked next.

mod backoff;
mod pace;
mod retry_after;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quarry_model::{HostRecord, RobotsRecord, Timestamp};

use crate::missing::{Guard, Signature};
use crate::robots::{self, Rules};
use crate::settings::{Politeness, Retry};

pub(crate) use backoff::{backoff, splitmix};
pub(crate) use pace::Pace;
pub(crate) use retry_after::retry_after;

/// How long rules that were once had serve while robots.txt cannot be had again (RFC 9309 §2.3.1.4).
const STALE_RULES_SERVE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// When it is asked for again meanwhile.
const STALE_RULES_RETRY: Duration = Duration::from_secs(60 * 60);

/// An index into the engine's hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HostId(pub(crate) u32);

/// An index into the engine's groups of hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupId(pub(crate) u32);

/// What is known of a host's robots.txt.
#[derive(Debug, Clone)]
pub(crate) enum Robots {
    /// It must be asked first. Rules that are out of date may still serve if that fails.
    Unknown { attempts: u32, stale: Option<Arc<Rules>> },
    /// It is being asked.
    Asked { attempts: u32, stale: Option<Arc<Rules>> },
    /// These rules hold until then.
    Known { rules: Arc<Rules>, until: Timestamp },
}

impl Robots {
    /// The rules that are known, be they out of date.
    pub(crate) fn rules(&self) -> Option<&Arc<Rules>> {
        match self {
            Self::Unknown { stale, .. } | Self::Asked { stale, .. } => stale.as_ref(),
            Self::Known { rules, .. } => Some(rules),
        }
    }
}

/// How far the question for an address that cannot exist has come.
#[derive(Debug, Clone)]
pub(crate) enum Probe {
    /// No page of the host has come yet; the first one's signature will be kept.
    NotYet,
    /// To be asked next. Holds the signature of the host's first page.
    Wanted(Option<Signature>),
    /// In flight.
    Asked(Option<Signature>),
    /// Answered, or not wanted.
    Known(Option<Arc<Signature>>),
}

/// One host during a session.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) name: Arc<str>,
    pub(crate) robots: Robots,
    pub(crate) pace: Pace,
    pub(crate) not_before: Timestamp,
    pub(crate) in_flight: u32,
    /// Failures and refusals in a row.
    pub(crate) troubles: u32,
    pub(crate) given_up: bool,
    pub(crate) probe: Probe,
    pub(crate) guard: Guard,
    /// Whether the frontier may have an entry that is due.
    pub(crate) has_work: bool,
    /// When entries that were put back come due.
    pub(crate) waiting: BTreeSet<Timestamp>,
    /// Its place in the schedule, if it has one.
    pub(crate) place: Option<(Timestamp, u64)>,
    pub(crate) pages: u64,
    pub(crate) requests: u64,
    /// The groups whose pause it keeps, too.
    pub(crate) groups: Vec<GroupId>,
    /// The ticket that it had last.
    pub(crate) last_ticket: u64,
    /// How often others of its groups were asked in its turn.
    pub(crate) passed_over: u32,
    robots_record: Option<RobotsRecord>,
    saved: HostRecord,
}

impl Host {
    /// A host as its record remembers it.
    pub(crate) fn new(
        name: &str,
        record: Option<HostRecord>,
        spared: bool,
        product: &str,
        politeness: &Politeness,
        retry: &Retry,
    ) -> Self {
        let known = record.is_some();
        let record =
            record.unwrap_or_else(|| HostRecord { host: name.to_owned(), ..HostRecord::default() });
        let delay = if spared { Duration::ZERO } else { politeness.delay };
        let mut host = Self {
            name: Arc::from(name),
            robots: Robots::Unknown { attempts: 0, stale: None },
            pace: Pace::new(
                delay,
                record.delay,
                politeness.max_delay,
                politeness.adaptive && !spared,
            ),
            not_before: record.not_before,
            in_flight: 0,
            // A host that was given up gets another chance, with one request at a time.
            troubles: record.troubles.min(retry.give_up_after.saturating_sub(2)),
            given_up: false,
            probe: Probe::NotYet,
            guard: Guard::default(),
            has_work: false,
            waiting: BTreeSet::new(),
            place: None,
            pages: 0,
            requests: 0,
            groups: Vec::new(),
            last_ticket: 0,
            passed_over: 0,
            robots_record: record.robots.clone(),
            saved: if known { record } else { HostRecord::default() },
        };
        if !politeness.obey_robots {
            let rules = Arc::new(Rules::allow_all());
            host.robots = Robots::Known { rules, until: Timestamp(i64::MAX) };
        } else if let Some(robots) = host.robots_record.take() {
            host.recall_robots(&robots, product, politeness);
            host.robots_record = Some(robots);
        }
        host
    }

    fn recall_robots(&mut self, record: &RobotsRecord, product: &str, politeness: &Politeness) {
        let rules = match record.status {
            Some(200..=299) => Rules::parse(record.body.as_bytes(), product),
            Some(300..=428 | 430..=499) => Rules::allow_all(),
            _ => return,
        };
        self.set_rules(Arc::new(rules), record.at.plus(robots::MAX_AGE), politeness);
    }

    fn set_rules(&mut self, rules: Arc<Rules>, until: Timestamp, politeness: &Politeness) {
        let asked = rules.crawl_delay().unwrap_or_default();
        self.pace.set_asked(asked.min(politeness.max_crawl_delay));
        self.robots = Robots::Known { rules, until };
    }

    /// Takes what the host answered when asked for its robots.txt.
    pub(crate) fn learn_robots(
        &mut self,
        rules: Arc<Rules>,
        record: RobotsRecord,
        politeness: &Politeness,
    ) {
        self.set_rules(rules, record.at.plus(robots::MAX_AGE), politeness);
        self.robots_record = Some(record);
    }

    /// Notes that robots.txt could not be had. True if rules from before serve on.
    pub(crate) fn robots_failed(&mut self, now: Timestamp, record: RobotsRecord) -> bool {
        let (attempts, stale) = match &self.robots {
            Robots::Asked { attempts, stale } => (*attempts, stale.clone()),
            Robots::Unknown { .. } | Robots::Known { .. } => (0, None),
        };
        let age = self.robots_record.as_ref().map(|old| now.since(old.at));
        if let Some(rules) = stale
            && age.is_some_and(|age| age < STALE_RULES_SERVE)
        {
            // Long enough that pages get their turn between two attempts.
            let again = STALE_RULES_RETRY.max(self.pace.delay().saturating_mul(10));
            self.robots = Robots::Known { rules, until: now.plus(again) };
            return true;
        }
        self.robots_record = Some(record);
        self.robots = Robots::Unknown { attempts: attempts + 1, stale: None };
        false
    }

    /// Rules that have come out of date must be asked for again.
    pub(crate) fn check_age(&mut self, now: Timestamp) {
        if let Robots::Known { rules, until } = &self.robots
            && now >= *until
        {
            self.robots = Robots::Unknown { attempts: 0, stale: Some(Arc::clone(rules)) };
        }
    }

    /// How many requests may be in flight: while the host is in trouble, one.
    pub(crate) fn width(&self, politeness: &Politeness, retry: &Retry) -> u32 {
        if self.troubles >= retry.pause_after { 1 } else { politeness.per_host.max(1) }
    }

    /// When the host may be asked next, if there is anything to ask and room to ask it.
    pub(crate) fn due(&self, politeness: &Politeness, retry: &Retry) -> Option<Timestamp> {
        if self.given_up || self.in_flight >= self.width(politeness, retry) {
            return None;
        }
        if matches!(self.robots, Robots::Asked { .. }) {
            return None;
        }
        let work = if self.has_work || matches!(self.probe, Probe::Wanted(_)) {
            self.not_before
        } else {
            *self.waiting.first()?
        };
        Some(work.max(self.not_before))
    }

    /// Counts a failure or refusal and pauses or gives up the host after too many in a row. True if
    /// it has just been given up.
    pub(crate) fn trouble(&mut self, now: Timestamp, retry: &Retry) -> bool {
        self.troubles += 1;
        if self.troubles >= retry.give_up_after {
            let first = !self.given_up;
            self.given_up = true;
            return first;
        }
        if self.troubles >= retry.pause_after {
            let doublings = (self.troubles - retry.pause_after).min(16);
            let pause = retry.pause.saturating_mul(1 << doublings).min(retry.max_wait);
            self.hold(now.plus(pause));
        }
        false
    }

    /// Not before this moment either.
    pub(crate) fn hold(&mut self, until: Timestamp) {
        self.not_before = self.not_before.max(until);
    }

    /// The record to save, if it says anything new that a restart must know.
    pub(crate) fn record_to_save(&mut self, now: Timestamp) -> Option<&HostRecord> {
        let delay = self.pace.learned();
        let same = self.saved.delay == delay
            && self.saved.troubles == self.troubles
            && self.saved.robots == self.robots_record
            && !self.saved.host.is_empty();
        if same && (self.not_before <= now || self.not_before == self.saved.not_before) {
            return None;
        }
        self.saved.host = self.name.to_string();
        self.saved.not_before = self.not_before;
        self.saved.delay = delay;
        self.saved.troubles = self.troubles;
        if self.saved.robots != self.robots_record {
            self.saved.robots.clone_from(&self.robots_record);
        }
        Some(&self.saved)
    }
}
