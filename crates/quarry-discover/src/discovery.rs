//! The loop of a discovery: rounds of candidates and of filters, from what is known to what is new.

use std::collections::BTreeSet;

use quarry_extract::spec::ProductId;
use quarry_model::{PortError, ProviderError};

use crate::config::DiscoverConfig;
use crate::in_site::MIN_PAGES;
use crate::page::ProductPage;
use crate::ports::{DiscoveryPorts, Kept, SiteFacts};
use crate::rank::RankedSite;
use crate::state::{DiscoveryState, KnownSite, SiteCandidate, SiteLine, WebFacts};

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundEnd {
    /// All its candidates were judged.
    Over,
    /// There are no candidates left.
    NoCandidates,
    /// The requests to sites are used up.
    Budget,
    /// It was told to stop; the same call goes on.
    Stopped,
}

/// Why a discovery could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoverError {
    /// A provider could not answer.
    #[error("{0}")]
    Provider(#[from] ProviderError),
    /// The state could not be kept.
    #[error("cannot keep what was discovered: {0}")]
    Keep(#[from] PortError),
    /// No seed has a product page.
    #[error(
        "none of the sites to begin with has specifications that can be read; name other sites, or give ids with --ids"
    )]
    NoSeeds,
}

/// A discovery with its state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteDiscovery {
    /// What is known of sites.
    pub state: DiscoveryState,
    /// What providers said.
    pub web: WebFacts,
}

impl SiteDiscovery {
    /// Adds a seed: a site that is relevant because the user says so. Of a site with pages of several categories only
    /// those count that have a word of the category, if there are any.
    pub fn add_seed(&mut self, site: &str, facts: &SiteFacts) {
        let category: Vec<String> =
            self.state.category.iter().flat_map(|name| crate::home::category_words(name)).collect();
        let is_named = |page: &&ProductPage| {
            let words = page.terms.iter().filter_map(|term| term.strip_prefix("word "));
            words.into_iter().any(|word| crate::home::is_of_category(word, &category))
        };
        let mut pages: Vec<&ProductPage> = facts.products.iter().filter(is_named).collect();
        if pages.len() < MIN_PAGES {
            pages = facts.products.iter().collect();
        }
        self.state.vocabulary.add(true, pages.iter().copied());
        let home_links = facts.home.as_ref().map(|home| &home.links);
        self.add_known(site, &facts.url, 0, home_links, &pages);
        if let Some(home) = &facts.home
            && !pages.is_empty()
        {
            self.state.filter.learn(home, true, 1.0);
        }
        self.state.site_requests += facts.requests;
    }

    /// Adds a known site. Its terms are counted by whoever calls.
    pub(crate) fn add_known(
        &mut self,
        site: &str,
        url: &str,
        round: u32,
        home_links: Option<&BTreeSet<u64>>,
        pages: &[&ProductPage],
    ) {
        let ids: BTreeSet<ProductId> = pages.iter().flat_map(|page| page.ids.clone()).collect();
        let fingerprints = pages.iter().map(|page| page.fingerprint).collect();
        let (ids, url) = (ids.into_iter().collect(), url.to_owned());
        let home_links = home_links.cloned().unwrap_or_default();
        let known = KnownSite { url, round, ids, fingerprints, home_links };
        self.state.known.insert(site.to_owned(), known);
    }

    /// The relevant sites that were found, in the order in which they were.
    pub fn found(&self) -> impl Iterator<Item = &SiteLine> {
        self.state.judged.iter().filter(|line| line.relevant)
    }

    /// Runs one round, or what is left of it.
    ///
    /// # Errors
    /// When a provider or the keeping fails; what was found out until then is kept.
    pub fn run_round(
        &mut self,
        config: &DiscoverConfig,
        ports: &mut DiscoveryPorts<'_, '_>,
    ) -> Result<RoundEnd, DiscoverError> {
        if self.state.pending.is_empty() {
            if self.state.known.is_empty() && self.state.given_ids.is_empty() {
                return Err(DiscoverError::NoSeeds);
            }
            if !self.ask_providers(config, ports)? {
                return Ok(RoundEnd::Stopped);
            }
            let mut ranked = self.rank(config);
            ranked.truncate(config.top);
            if ranked.is_empty() {
                return Ok(RoundEnd::NoCandidates);
            }
            let candidate = |RankedSite { site, score, search, backlinks }| SiteCandidate {
                site,
                score,
                search,
                backlinks,
            };
            self.state.round += 1;
            self.state.pending = ranked.into_iter().map(candidate).collect();
            (ports.keep)(self, Kept::Sites)?;
        }
        while !self.state.pending.is_empty() {
            if (ports.stopped)() {
                return Ok(RoundEnd::Stopped);
            }
            if self.state.site_requests >= config.max_site_requests {
                return Ok(RoundEnd::Budget);
            }
            let many = config.parallel.max(1).min(self.state.pending.len());
            let group: Vec<SiteCandidate> = self.state.pending[..many].to_vec();
            if !self.judge_group(config, &group, ports) {
                return Ok(RoundEnd::Stopped);
            }
            self.state.pending.drain(..many);
            if self.state.pending.is_empty() {
                self.judge_undecided(config);
            }
            (ports.keep)(self, Kept::Sites)?;
        }
        Ok(RoundEnd::Over)
    }
}
