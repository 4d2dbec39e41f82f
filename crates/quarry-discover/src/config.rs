//! The settings of a discovery.

use crate::home::HomePageConfig;
use crate::in_site::InSiteConfig;
use crate::rank::RankMethod;

/// How a discovery goes about it.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscoverConfig {
    /// How candidates are ranked. Default: by the intersection, the paper's best (§5.1).
    pub method: RankMethod,
    /// Sites K that are judged in a round. Default 10, as in the paper's Figures 8 and 9.
    pub top: usize,
    /// Sites that should print an id before it is searched for. Default 4 (§5.1, "minimal redundancy").
    pub tau: usize,
    /// Ids that are searched for in a round. Default 40.
    pub queries_per_round: usize,
    /// Results of a query, at most. Default 250 (§5.1).
    pub results: usize,
    /// Backlinks of a site, at most. Default 250 (§5.1).
    pub backlinks: usize,
    /// Links of a hub that are followed, at most. Default 1,000.
    pub links_of_hub: usize,
    /// Hubs that are asked for their links in a round, the best first, at most. Default 500.
    pub hubs: usize,
    /// Whether home pages are filtered. Default: yes.
    pub home_page_filter: bool,
    /// Whether sites are filtered by what is inside. Default: yes.
    pub in_site_filter: bool,
    /// Sites that are looked at side by side. Default 4; the state is kept after each such group.
    pub parallel: usize,
    /// Result pages of a site that are looked at first. Default 3.
    pub hits_per_site: usize,
    /// Requests to sites in all, at most. Default 100,000.
    pub max_site_requests: u64,
    /// What the home-page filter decides by.
    pub home_page: HomePageConfig,
    /// What the in-site filter decides by.
    pub in_site: InSiteConfig,
}

impl Default for DiscoverConfig {
    fn default() -> Self {
        Self {
            method: RankMethod::Intersection,
            top: 10,
            tau: 4,
            queries_per_round: 40,
            results: 250,
            backlinks: 250,
            links_of_hub: 1_000,
            hubs: 500,
            home_page_filter: true,
            in_site_filter: true,
            parallel: 4,
            hits_per_site: 3,
            max_site_requests: 100_000,
            home_page: HomePageConfig::default(),
            in_site: InSiteConfig::default(),
        }
    }
}
