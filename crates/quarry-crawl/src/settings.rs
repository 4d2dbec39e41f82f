//! The settings of a crawl: every threshold with its name, unit and default.

use std::time::Duration;

use quarry_model::Request;
use thiserror::Error;

use crate::growth::GrowthLimits;
use crate::link::ShapeLimits;
use crate::rules::Rulebook;
use crate::scope::Scope;
use crate::strategy::StrategyKind;
use crate::{Address, BadAddress, robots};

/// Everything that one crawl is told.
#[derive(Debug, Clone)]
pub struct CrawlSettings {
    /// Where to begin.
    pub seeds: Vec<String>,
    /// What may be asked.
    pub scope: Scope,
    /// Nothing is known to link to the seeds: a seed that is refused is no failed page. Default false.
    pub guessed_seeds: bool,
    /// Requests beside the seeds that are asked with a body: queries (GraphQL) that a page's own scripts ask.
    pub queries: Vec<Request>,
    /// When to stop.
    pub budget: Budget,
    /// What earlier sessions of the same project have used of the budget.
    pub spent: Spent,
    /// How to treat hosts.
    pub politeness: Politeness,
    /// What to do about failures.
    pub retry: Retry,
    /// Which links to follow.
    pub strategy: StrategyKind,
    /// Whether to read sitemaps: those that robots.txt names, else `/sitemap.xml`.
    pub sitemaps: bool,
    /// Whether the pages that sitemaps name are requested; else sitemaps are only archived. Default true.
    pub sitemap_pages: bool,
    /// Whether to follow links marked `rel=nofollow`. They are marked for search engines' ranking,
    /// not against visitors, so the default is yes.
    pub follow_nofollow: bool,
    /// Whether a page's own `nofollow` (meta robots, `X-Robots-Tag`) is obeyed, by every strategy.
    /// Default: yes.
    pub obey_page_nofollow: bool,
    /// Whether a host is left alone whose robots.txt denies a use of its content (`Content-Signal`,
    /// `Content-Usage`). RFC 9309 knows no such lines; they are recorded in any case. Default: no.
    pub obey_owner_notices: bool,
    /// Whether to follow links that could change something (log out, delete, add to cart). Default:
    /// no, and in doubt no.
    pub follow_actions: bool,
    /// Whether to ask each host for one address that cannot exist, to know its missing pages.
    pub probe_missing: bool,
    /// From when on a single address looks like a trap.
    pub shapes: ShapeLimits,
    /// From when on a space of addresses is a trap.
    pub growth: GrowthLimits,
    /// Limits of the document model.
    pub document: quarry_dom::Limits,
    /// As it is sent; robots.txt groups are found by its product token.
    pub user_agent: String,
    /// For jitter and for the name of the address that cannot exist.
    pub seed: u64,
}

impl CrawlSettings {
    /// Those of these addresses that may be asked, by scope and by what they look like. Seeds widen the scope and are asked whatever
    /// they look like, so that what was found on pages has to pass here before it becomes a seed.
    pub fn allowed(&self, addresses: Vec<String>) -> Result<Vec<String>, SettingsError> {
        let rules = Rulebook::new(self, &self.seed_addresses()?)?;
        let may_ask = |url: &String| {
            Address::normalise(url).is_ok_and(|address| rules.judge(&address).is_ok())
        };
        Ok(addresses.into_iter().filter(may_ask).collect())
    }

    /// The defaults, around these seeds.
    #[must_use]
    pub fn new<S: Into<String>>(seeds: impl IntoIterator<Item = S>) -> Self {
        Self {
            seeds: seeds.into_iter().map(Into::into).collect(),
            scope: Scope::default(),
            guessed_seeds: false,
            queries: Vec::new(),
            budget: Budget::default(),
            spent: Spent::default(),
            politeness: Politeness::default(),
            retry: Retry::default(),
            strategy: StrategyKind::default(),
            sitemaps: false,
            sitemap_pages: true,
            follow_nofollow: true,
            obey_page_nofollow: true,
            follow_actions: false,
            obey_owner_notices: false,
            probe_missing: true,
            shapes: ShapeLimits::default(),
            growth: GrowthLimits::default(),
            document: quarry_dom::Limits::default(),
            user_agent: "Quarry".to_owned(),
            seed: 0,
        }
    }

    /// The seeds as addresses.
    pub(crate) fn seed_addresses(&self) -> Result<Vec<Address>, SettingsError> {
        if self.seeds.is_empty() {
            return Err(SettingsError::NoSeeds);
        }
        let address = |seed: &String| {
            Address::of_seed(seed)
                .map_err(|source| SettingsError::Seed { seed: seed.clone(), source })
        };
        self.seeds.iter().map(address).collect()
    }

    /// The product token that robots.txt groups are matched with.
    pub(crate) fn product(&self) -> Result<String, SettingsError> {
        match robots::product_token(&self.user_agent) {
            "" => Err(SettingsError::UserAgent { user_agent: self.user_agent.clone() }),
            token => Ok(token.to_owned()),
        }
    }
}

/// When a crawl stops. What is left stays queued: the same command with a larger budget goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// Most answers to requests for pages: error pages, redirects and answers that are not kept
    /// (missing pages, pages that another address has brought) included.
    pub pages: Option<u64>,
    /// Most requests of any kind: redirects, robots.txt, sitemaps and attempts that failed included.
    pub requests: Option<u64>,
    /// Most bytes of bodies received.
    pub bytes: Option<u64>,
    /// Longest time.
    pub time: Option<Duration>,
    /// What of that time is kept for the work that follows the crawl.
    pub kept: KeptTime,
}

impl Budget {
    /// How long the crawl itself may take, of which so much is spent.
    #[must_use]
    pub fn crawl_time(&self, pages: u64, bytes: u64) -> Option<Duration> {
        Some(self.time?.saturating_sub(self.kept.of(pages, bytes)))
    }
}

/// Time for the work that follows a crawl: it grows with what was fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeptTime {
    /// For each page.
    pub page: Duration,
    /// For each megabyte.
    pub megabyte: Duration,
}

impl KeptTime {
    /// The time for so many pages of so many bytes together.
    #[must_use]
    pub fn of(&self, pages: u64, bytes: u64) -> Duration {
        let megabytes = bytes as f64 / f64::from(1 << 20);
        self.page.mul_f64(pages as f64) + self.megabyte.mul_f64(megabytes)
    }
}

/// What has been used of a [`Budget`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Answers to requests for pages.
    pub pages: u64,
    /// Requests sent.
    pub requests: u64,
    /// Bytes received.
    pub bytes: u64,
    /// Time taken.
    pub time: Duration,
}

/// How hosts are treated.
#[derive(Debug, Clone, PartialEq)]
pub struct Politeness {
    /// Whether robots.txt is asked for and obeyed.
    pub obey_robots: bool,
    /// The pause at a host, from the end of an answer to the next request (with `per_host` above
    /// 1, from the start of a request to the start of the next).
    pub delay: Duration,
    /// Whether a loopback host that a seed names is spared the delay.
    pub no_delay_on_loopback: bool,
    /// Most requests at one host at the same time.
    pub per_host: u32,
    /// Most requests at the same time.
    pub max_in_flight: u32,
    /// Whether a host that answers slower and slower is asked less often.
    pub adaptive: bool,
    /// Longest pause that slow answers and refusals lead to.
    pub max_delay: Duration,
    /// Longest Crawl-delay that is obeyed; a longer one is cut, with an issue.
    pub max_crawl_delay: Duration,
    /// Longest Retry-After that is obeyed.
    pub max_retry_after: Duration,
}

impl Default for Politeness {
    fn default() -> Self {
        Self {
            obey_robots: true,
            delay: Duration::from_secs(1),
            no_delay_on_loopback: true,
            per_host: 1,
            max_in_flight: 32,
            adaptive: true,
            max_delay: Duration::from_secs(60),
            max_crawl_delay: Duration::from_secs(120),
            max_retry_after: Duration::from_secs(15 * 60),
        }
    }
}

/// What is done about failures.
#[derive(Debug, Clone, PartialEq)]
pub struct Retry {
    /// Most attempts at one request that fails or is answered with 500, 502 or 504.
    pub attempts: u32,
    /// Most attempts at one request that is answered with 429 or 503.
    pub refused_attempts: u32,
    /// Most attempts at one request that is answered with 403.
    pub forbidden_attempts: u32,
    /// Most attempts at a robots.txt that cannot be had.
    pub robots_attempts: u32,
    /// Wait before the second attempt; it doubles with every further one.
    pub wait: Duration,
    /// Longest wait.
    pub max_wait: Duration,
    /// Share of a wait that is drawn from the seed, so that requests that failed together do not
    /// come back together.
    pub jitter: f64,
    /// Troubles in a row after which a host is paused.
    pub pause_after: u32,
    /// The first pause; it doubles with every further trouble, up to `max_wait`.
    pub pause: Duration,
    /// Troubles in a row after which a host is left alone for the rest of the session.
    pub give_up_after: u32,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 3,
            refused_attempts: 5,
            forbidden_attempts: 2,
            robots_attempts: 3,
            wait: Duration::from_secs(2),
            max_wait: Duration::from_secs(10 * 60),
            jitter: 0.25,
            pause_after: 5,
            pause: Duration::from_secs(15),
            give_up_after: 10,
        }
    }
}

/// What is wrong with [`CrawlSettings`].
#[derive(Debug, Error)]
pub enum SettingsError {
    /// Nowhere to begin.
    #[error("no seed: name at least one address to begin at")]
    NoSeeds,
    /// A seed that is no address.
    #[error("cannot begin at {seed}: {source}")]
    Seed {
        /// As it was given.
        seed: String,
        /// What is wrong with it.
        source: BadAddress,
    },
    /// A pattern that is no regular expression, or too large a one.
    #[error("the {which} pattern {pattern} is not a usable regular expression")]
    Pattern {
        /// `include` or `exclude`.
        which: &'static str,
        /// As it was given.
        pattern: String,
        /// What is wrong with it.
        source: regex::Error,
    },
    /// A user agent that names nobody.
    #[error(
        "the user agent {user_agent:?} must begin with a name of letters, - and _, for sites to \
         address it in robots.txt"
    )]
    UserAgent {
        /// As it was given.
        user_agent: String,
    },
    /// A number that makes no sense.
    #[error("{name} must be at least {least}")]
    TooSmall {
        /// Of the setting.
        name: &'static str,
        /// The least value.
        least: u32,
    },
}

#[cfg(test)]
mod allowed_tests {
    use super::*;

    #[test]
    fn what_pages_link_to_is_no_seed_of_another_site() {
        let settings = CrawlSettings::new(["http://a.example/x"]);
        let found = ["http://a.example/y", "https://b.example/y", "http://a.example/y/delete"];
        let allowed = settings.allowed(found.map(str::to_owned).to_vec()).unwrap();
        assert_eq!(allowed, ["http://a.example/y"]);
    }
}
