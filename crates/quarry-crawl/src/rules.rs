//! The rules of a crawl that need no memory and that threads share: scope, kind of file, unsafe words,
//! address shapes, and the robots.txt of the host.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quarry_extract::action::address_action;
use quarry_model::SkipReason;

use crate::Address;
use crate::link::{self, ShapeLimits};
use crate::robots;
use crate::scope::Bounds;
use crate::settings::{CrawlSettings, SettingsError};
use crate::strategy::StrategyKind;

/// The rules of one crawl.
#[derive(Debug)]
pub(crate) struct Rulebook {
    pub(crate) bounds: Bounds,
    pub(crate) shapes: ShapeLimits,
    pub(crate) document: quarry_dom::Limits,
    pub(crate) follow_nofollow: bool,
    pub(crate) obey_page_nofollow: bool,
    pub(crate) follow_actions: bool,
    pub(crate) product: String,
    /// What is looked for on pages beside links.
    pub(crate) strategy: StrategyKind,
}

impl Rulebook {
    pub(crate) fn new(settings: &CrawlSettings, seeds: &[Address]) -> Result<Self, SettingsError> {
        Ok(Self {
            bounds: Bounds::new(&settings.scope, seeds)?,
            shapes: settings.shapes.clone(),
            document: settings.document,
            follow_nofollow: settings.follow_nofollow,
            obey_page_nofollow: settings.obey_page_nofollow,
            follow_actions: settings.follow_actions,
            product: settings.product()?,
            strategy: settings.strategy.clone(),
        })
    }

    /// Judges an address by everything but the robots.txt of its host. Seeds are asked whatever
    /// their address looks like.
    pub(crate) fn judge(&self, address: &Address) -> Result<(), SkipReason> {
        self.bounds.judge(address)?;
        if self.bounds.is_seed(address.as_str()) {
            return Ok(());
        }
        link::judge(address, &self.shapes, self.follow_actions)
    }

    /// Whether requesting an address changes nothing, as far as can be told, or may.
    pub(crate) fn is_harmless(&self, address: &Address) -> bool {
        self.follow_actions || address_action(address.path(), address.query()).is_none()
    }

    /// Judges an address that was met at `host`; of other hosts the robots.txt is asked later.
    pub(crate) fn judge_from(
        &self,
        address: &Address,
        host: &str,
        robots: &robots::Rules,
    ) -> Result<(), SkipReason> {
        self.judge(address)?;
        if address.host() == host && !robots.allows(address.path_and_query()) {
            return Err(SkipReason::Robots);
        }
        Ok(())
    }
}

/// Says which redirects the fetcher may follow on its own.
///
/// A redirect within the host is followed if rules and robots.txt allow its target. One to another
/// host is not: its target is proposed as a request of its own, so that the other host's robots.txt
/// and pace are respected.
#[derive(Debug, Clone)]
pub struct RedirectPolicy {
    pub(crate) rules: Arc<Rulebook>,
    pub(crate) kind: GateKind,
    pub(crate) budget: Arc<RequestBudget>,
}

/// Counts down the requests that may still be sent; tickets and redirects on any thread take from it.
#[derive(Debug)]
pub(crate) struct RequestBudget {
    left: AtomicU64,
}

impl RequestBudget {
    pub(crate) fn new(most: Option<u64>, spent: u64) -> Self {
        Self { left: AtomicU64::new(most.map_or(u64::MAX, |most| most.saturating_sub(spent))) }
    }

    /// Takes one request. False if none is left.
    pub(crate) fn take(&self) -> bool {
        let one_less = |left: u64| if left == u64::MAX { Some(left) } else { left.checked_sub(1) };
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
    }

    pub(crate) fn is_used_up(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}

#[derive(Debug, Clone)]
pub(crate) enum GateKind {
    /// For robots.txt: to any host (RFC 9309 §2.3.1.2), but to nothing that could change something.
    Anywhere,
    /// For sitemaps: within the site, whatever the file is called.
    Site,
    /// For pages.
    Host { host: Arc<str>, robots: Arc<robots::Rules> },
}

impl RedirectPolicy {
    /// Whether a redirect to this absolute address may be followed.
    #[must_use]
    pub fn allows(&self, url: &str) -> bool {
        let Ok(address) = Address::normalise(url) else { return false };
        let allowed = match &self.kind {
            GateKind::Anywhere => self.rules.is_harmless(&address),
            GateKind::Site => {
                self.rules.bounds.reaches_host(&address) && self.rules.is_harmless(&address)
            }
            GateKind::Host { host, robots } => {
                address.host() == &**host && self.rules.judge_from(&address, host, robots).is_ok()
            }
        };
        allowed && self.budget.take()
    }

    /// Whether a page that is being rendered may have this absolute address fetched. The robots.txt of the page's own host is
    /// applied; that of another host is the caller's to ask. `is_data` says that a script asks, so that requests which could
    /// change something are refused.
    #[must_use]
    pub fn allows_subresource(&self, url: &str, is_data: bool) -> bool {
        let Ok(address) = Address::normalise(url) else { return false };
        if is_data && !self.rules.is_harmless(&address) {
            return false;
        }
        let GateKind::Host { host, robots } = &self.kind else { return false };
        let allowed = address.host() != &**host || robots.allows(address.path_and_query());
        allowed && self.budget.take()
    }
}
