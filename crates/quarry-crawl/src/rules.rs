//! The rules of a crawl that need no memory and that threads share: scope, kind of file, unsafe words,
//! address shapes, and the robots.txt of the host.

use std::sync::Arc;

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
        link::judge_address(address, &self.shapes)
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
pub struct Gate {
    pub(crate) rules: Arc<Rulebook>,
    pub(crate) kind: GateKind,
}

#[derive(Debug, Clone)]
pub(crate) enum GateKind {
    /// For robots.txt: wherever it leads (RFC 9309 §2.3.1.2).
    Anywhere,
    /// For sitemaps: within the site, whatever the file is called.
    Site,
    /// For pages.
    Host { host: Arc<str>, robots: Arc<robots::Rules> },
}

impl Gate {
    /// Whether a redirect to this absolute address may be followed.
    #[must_use]
    pub fn allows(&self, url: &str) -> bool {
        let Ok(address) = Address::normalise(url) else { return false };
        match &self.kind {
            GateKind::Anywhere => true,
            GateKind::Site => self.rules.bounds.reaches_host(&address),
            GateKind::Host { host, robots } => {
                address.host() == &**host && self.rules.judge_from(&address, host, robots).is_ok()
            }
        }
    }
}
