//! Crawls a faceted site by queries ("Toward Query-centric Web Modeling and Crawling", §3 and §4): asks
//! for the fewest queries that determine every value which the site shows through its facets.
//!
//! 1. The seed is the root query, which returns every entity. Its groups of links and form controls
//!    are candidates for attributes; one value of each is requested to learn what the group means.
//! 2. Every page of every single-predicate query is read.
//! 3. Values that are offered only below other predicates are requested there, under the fewest
//!    parents that cover all entities.
//! 4. A query whose list ends too early is split by a further attribute.
//! 5. Where nothing can be browsed, words are searched for, and the facets of their results are
//!    requested below the words that reach most entities.
//! 6. Entities that no predicate has shown are looked for in the root list.
//!
//! `planner.rs` decides, `state.rs` remembers, `explore.rs` carries out decisions, `record.rs` takes
//! in pages. More in `docs/algorithms/query.md`.

mod claims;
mod entity_links;
mod explore;
mod facts;
mod guessed_page;
mod hub;
mod identity;
mod keywords;
mod lift;
mod meaning;
mod menu;
mod next_link_pattern;
mod offers;
mod planner;
mod preset;
mod progress;
mod record;
mod report;
mod requests;
mod shared_link;
mod state;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{PageFacts, PageView, Proposal};
use crate::query::QueryGraph;
use explore::Exploration;
pub(super) use facts::{LinkRules, QueryFacts};
pub use guessed_page::guessed_next_page;
pub use preset::{preset_parameters, values_of};
pub use report::{AttributeReport, QueryReport, SavedRequests};
use requests::FetchedPage;

/// Requests of a look at what narrows a site's lists: enough for three samples of each of a dozen groups. With the
/// links of the seed that are looked at afterwards, a choice takes 60.
const LOOK_REQUESTS: u64 = 33;

/// How a faceted site is crawled.
#[derive(Debug, Clone, PartialEq)]
pub struct QuerySettings {
    /// Least score of a group of links to be tried as an attribute. Default 0.5.
    pub facet_score: f64,
    /// Values of a group that are requested before it is given up as an attribute. Default 3.
    pub samples: usize,
    /// Share of entities by which an answer may differ from what the site says. Default 0.02: sites
    /// change while they are crawled, and counts are kept in caches.
    pub tolerance: f64,
    /// Attributes that a truncated query is split by, one after the other. Default 3.
    pub splits: usize,
    /// Entity pages to read in the end, to say which share of the values they do not show. Default 10,
    /// and no more than a twentieth of the requests before.
    pub details: usize,
    /// Whether the page of every entity is requested in the end. Default false.
    pub every_detail: bool,
    /// Addresses of the lists to begin with; the seeds where there are none.
    pub roots: Vec<String>,
    /// Whether the list of a root that nothing narrows is read to its end, and its entities are asked for. Default
    /// false: such a site is not faceted.
    pub plain_lists: bool,
    /// Whether to look only at what narrows the lists, with a bounded number of requests (`LOOK_REQUESTS`). Default false.
    pub look: bool,
    /// Words to search for where nothing can be browsed, in place of those that the site itself uses.
    pub keywords: Vec<String>,
    /// Words in a row that bring no new entity before searching ends. Default 12.
    pub max_words_without_new: usize,
}

impl Default for QuerySettings {
    fn default() -> Self {
        Self {
            facet_score: 0.5,
            samples: 3,
            tolerance: 0.02,
            splits: 3,
            details: 10,
            every_detail: false,
            roots: Vec::new(),
            plain_lists: false,
            look: false,
            keywords: Vec::new(),
            max_words_without_new: 12,
        }
    }
}

/// The strategy: one exploration for each seed.
#[derive(Debug)]
pub(crate) struct QueryCrawl {
    settings: Arc<QuerySettings>,
    explorations: Vec<Exploration>,
    /// Pages of an earlier session that no exploration has requested yet, by request.
    unclaimed_pages: BTreeMap<String, FetchedPage>,
}

impl QueryCrawl {
    pub(super) fn new(settings: QuerySettings) -> Self {
        let settings = Arc::new(settings);
        Self { settings, explorations: Vec::new(), unclaimed_pages: BTreeMap::new() }
    }

    pub(super) fn observe(
        &mut self,
        view: &PageView<'_>,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        let PageFacts::Query(facts) = view.facts else { return };
        let key = view.request.key().into_owned();
        // All results of a posted form have one address.
        let address = view.address.as_str();
        let name = if address == view.request.url { &key } else { address };
        let page = FetchedPage { name: name.to_owned(), depth: view.depth, facts: facts.clone() };
        let begins = match self.settings.roots.as_slice() {
            [] => view.depth == 0,
            roots => roots.contains(&view.request.url),
        };
        let is_known = |known: &Exploration| known.state.requests.root_key() == key;
        if begins && !self.explorations.iter().any(is_known) {
            let settings = self.settings.clone();
            self.explorations.push(Exploration::begin(settings, key.clone(), view.request));
        }
        self.unclaimed_pages.insert(key.clone(), page);
        self.work(Some(&key), propose);
    }

    pub(super) fn idle(&mut self, propose: &mut dyn FnMut(Proposal<'static>)) {
        // Pages of an earlier session answer requests at once, so that there may be more to request.
        loop {
            self.explorations.iter_mut().for_each(Exploration::idle);
            let over = self.explorations.iter().all(Exploration::is_over);
            self.work(None, propose);
            let is_waiting = |known: &Exploration| known.state.requests.any_pending();
            if over || self.explorations.iter().any(is_waiting) {
                return;
            }
        }
    }

    /// Gives pages to the explorations that requested them, and proposes what they request next.
    fn work(&mut self, arrived: Option<&str>, propose: &mut dyn FnMut(Proposal<'static>)) {
        for exploration in &mut self.explorations {
            self.unclaimed_pages.extend(exploration.take_reusable());
            if let Some(key) = arrived
                && exploration.state.requests.is_pending(key)
                && let Some(page) = self.unclaimed_pages.remove(key)
            {
                exploration.receive(key, &page);
                self.unclaimed_pages.extend(exploration.take_reusable());
            }
            while let Some(outgoing) = exploration.next_outgoing() {
                match self.unclaimed_pages.remove(&outgoing.key) {
                    Some(page) => {
                        exploration.receive(&outgoing.key, &page);
                        self.unclaimed_pages.extend(exploration.take_reusable());
                    }
                    None => propose(outgoing.proposal),
                }
            }
        }
    }

    pub(super) fn report(&self) -> Vec<QueryReport> {
        self.explorations.iter().map(|known| report::report(&known.state)).collect()
    }

    pub(super) fn progress(&self) -> super::QueryProgress {
        let mut sum = super::QueryProgress::default();
        self.explorations.iter().for_each(|known| sum += progress::progress(&known.state));
        sum
    }

    pub(super) fn graphs(&self) -> impl Iterator<Item = &QueryGraph> {
        self.explorations.iter().map(|exploration| &exploration.state.graph)
    }
}
