//! The ports of a discovery: providers, the sites themselves, and the keeping of its state.

use quarry_model::{LinkProvider, PortError, SearchProvider};

use crate::discovery::SiteDiscovery;
use crate::home::HomePage;
use crate::page::ProductPage;

/// A site to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteLookup {
    /// The site.
    pub site: String,
    /// The address of its home page, where it is known.
    pub url: Option<String>,
    /// Pages of it that a search returned.
    pub hits: Vec<String>,
}

/// What came of looking at a site's home page or into a site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteFacts {
    /// The address of its home page.
    pub url: String,
    /// The home page, where it could be had.
    pub home: Option<HomePage>,
    /// Its product pages.
    pub products: Vec<ProductPage>,
    /// Pages that were looked at.
    pub pages: u64,
    /// Requests that were sent.
    pub requests: u64,
    /// Why nothing could be had, if so.
    pub failure: Option<String>,
}

/// The port to the sites themselves.
pub trait SiteSource {
    /// Fetches home pages. The answers come in the order of the requests.
    fn home_pages(&mut self, sites: &[SiteLookup]) -> Vec<SiteFacts>;

    /// Crawls a part of each site and reads its product pages. The answers come in the order of the requests.
    fn examine(&mut self, sites: &[SiteLookup]) -> Vec<SiteFacts>;
}

/// What has changed and should be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// What providers said.
    Web,
    /// What was found out about sites.
    Sites,
}

/// The outside of a discovery.
pub struct DiscoveryPorts<'a, 'p> {
    /// Search engines; a query goes to each.
    pub search: &'a mut [Box<dyn SearchProvider + 'p>],
    /// Link graphs; a site is looked up in each.
    pub links: &'a mut [Box<dyn LinkProvider + 'p>],
    /// The sites.
    pub sites: &'a mut dyn SiteSource,
    /// Is told when something should be kept.
    pub keep: &'a mut dyn FnMut(&SiteDiscovery, Kept) -> Result<(), PortError>,
    /// Whether to stop as soon as possible.
    pub stopped: &'a dyn Fn() -> bool,
}
