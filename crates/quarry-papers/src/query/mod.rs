//! Recovers the queries of a site by the algorithms of "Toward Query-centric Web Modeling and Crawling".
//! What the planner of [`quarry_crawl::StrategyKind::Query`] finds with few requests must be what these
//! find with many.
//!
//! - [`online_query_discovery`]: §4.3, Algorithm 2, with `OnlineClustering` (Algorithm 1).
//! - [`crawl_all`] and [`mine`]: §4.2, every page first, queries afterwards.
//!
//! Both begin at a list page. What a page leads to comes from a [`Web`]; [`LinkReader`] makes it
//! from documents. Forms are links to none of them. Figures: `docs/algorithms/query-paper.md`.

mod browse;
mod cluster;
mod discover;
mod drill;
mod offline;
mod page;
mod similar;

pub use browse::Web;
pub use discover::online_query_discovery;
pub use offline::{Archive, crawl_all, mine};
pub use page::{LinkReader, PageLink, PageLinks};

use quarry_crawl::query::QueryGraph;

/// What the paper leaves open, and a limit so that every run ends.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscoveryConfig {
    /// Pages are of one query when the Jaccard coefficient of their links is above 1 − ε.
    /// Default 0.2: the paper says "small", and first and last pages of a short list differ by two
    /// paging links in a dozen.
    pub epsilon: f64,
    /// Least share of E_q′ in E_q for q′ to drill q down (§4.2, step 2). Default 0.95: the paper
    /// says "close to 1".
    pub inclusion: f64,
    /// Which links are compared for that. Default: as Algorithm 1 says.
    pub compare: Compare,
    /// Most pages that are fetched. Default 10,000.
    pub budget: usize,
}

impl Default for DiscoveryConfig {
    fn default() -> Self {
        Self { epsilon: 0.2, inclusion: 0.95, compare: Compare::ListLinks, budget: 10_000 }
    }
}

/// Which links tell that two pages belong to one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// Links that point to list pages, as Algorithm 1 says. Where a link points is known once it was
    /// followed, so that every page costs all the pages around it.
    ListLinks,
    /// Links that narrow, widen, order or page the list, as the page tells. Nothing is fetched only to
    /// compare, and what all pages of the site share does not make narrow queries look alike.
    QueryLinks,
}

/// What an algorithm found, and what that took.
#[derive(Debug, Clone, Default)]
pub struct Discovery {
    /// The queries with their entities.
    pub graph: QueryGraph,
    /// Pages that were fetched, each once.
    pub fetched: usize,
    /// How often the links of a page were gone through.
    pub scans: usize,
    /// Queries that turned out to be equivalent to one that had been explored.
    pub equivalent: usize,
    /// Whether the algorithm came to its end within the budget.
    pub ended: bool,
    /// Pages fetched and (entity, attribute, value) triples known, whenever there were more.
    pub growth: Vec<(usize, usize)>,
}
