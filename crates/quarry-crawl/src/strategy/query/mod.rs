//! Which queries determine every value that a site shows through its facets? Crawls by queries, not
//! by pages ("Toward Query-centric Web Modeling and Crawling", §3 and §4), and asks for no more than
//! it must.
//!
//! 1. The seed is the query for everything. Its groups of links and form controls are candidates for
//!    attributes; one value of each is asked to learn what the group means.
//! 2. Every page of every single-predicate query is read.
//! 3. What is offered only below other predicates is asked there, under the fewest parents that
//!    cover all entities.
//! 4. A query whose list ends too early is split by a further attribute.
//! 5. Where nothing can be browsed, words are searched for, and what their answers offer is asked below
//!    the words that reach most.
//! 6. Entities that no predicate has shown are looked for in the list of everything.
//!
//! More in `docs/algorithms/query.md`.

mod account;
mod entity;
mod explore;
mod hub;
mod keywords;
mod levels;
mod plan;
mod progress;
mod sight;

use std::collections::BTreeMap;

use super::{PageView, Proposal};
use crate::query::QueryGraph;
pub use account::{AttributeAccount, QueryAccount, Saved};
use explore::Exploration;
pub(super) use sight::{Reading, Sight};

/// How a faceted site is crawled.
#[derive(Debug, Clone, PartialEq)]
pub struct QuerySettings {
    /// From which score on a group of links is tried as an attribute. Default 0.5.
    pub facet_score: f64,
    /// Values of a group that are asked before it is given up as an attribute. Default 3.
    pub samples: usize,
    /// Share of entities by which an answer may differ from what the site says. Default 0.02: sites
    /// change while they are crawled, and counts are kept in caches.
    pub tolerance: f64,
    /// Attributes that a capped query is split by, one after the other. Default 3.
    pub splits: usize,
    /// Entity pages to look at in the end, to say which share of the values they do not show. Default 10,
    /// and no more than a twentieth of the requests before.
    pub details: usize,
    /// Whether the page of every entity is asked for in the end. Default false.
    pub every_detail: bool,
    /// Addresses of the lists to begin with; the seeds where there are none.
    pub roots: Vec<String>,
    /// Words to search for where nothing can be browsed, before those that the site itself uses.
    pub keywords: Vec<String>,
    /// Words in a row that bring nothing new before searching ends. Default 12.
    pub barren_words: usize,
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
            keywords: Vec::new(),
            barren_words: 12,
        }
    }
}

/// The strategy: one exploration for each seed.
#[derive(Debug)]
pub(crate) struct QueryCrawl {
    settings: QuerySettings,
    explorations: Vec<Exploration>,
    /// Pages that nobody has asked for yet, from an earlier session, by request.
    shelf: BTreeMap<String, explore::Page>,
}

impl QueryCrawl {
    pub(super) fn new(settings: QuerySettings) -> Self {
        Self { settings, explorations: Vec::new(), shelf: BTreeMap::new() }
    }

    pub(super) fn observe(
        &mut self,
        view: &PageView<'_>,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        let super::Sight::Query(sight) = view.sight else { return };
        let key = view.request.key().into_owned();
        // Answers of a form that is posted share an address.
        let address = view.address.as_str();
        let name = if address == view.request.url { &key } else { address };
        let page = explore::Page { name: name.to_owned(), depth: view.depth, sight: sight.clone() };
        let begins = match self.settings.roots.as_slice() {
            [] => view.depth == 0,
            roots => roots.contains(&view.request.url),
        };
        if begins && !self.explorations.iter().any(|known| known.root_key() == key) {
            self.explorations.push(Exploration::begin(key.clone(), view.request));
        }
        self.shelf.insert(key.clone(), page);
        self.work(Some(&key), propose);
    }

    pub(super) fn idle(&mut self, propose: &mut dyn FnMut(Proposal<'static>)) {
        // What an earlier session has fetched is taken from the shelf, so that there may be more to ask
        // at once.
        loop {
            for exploration in &mut self.explorations {
                exploration.idle(&self.settings);
            }
            let over = self.explorations.iter().all(|exploration| exploration.end.is_some());
            self.work(None, propose);
            if over || self.explorations.is_empty() {
                return;
            }
            if self.explorations.iter().any(Exploration::is_out) {
                return;
            }
        }
    }

    /// Gives pages to whoever asked for them, and passes on what is asked next.
    fn work(&mut self, arrived: Option<&str>, propose: &mut dyn FnMut(Proposal<'static>)) {
        for exploration in &mut self.explorations {
            if let Some(key) = arrived
                && exploration.wants(key)
                && let Some(page) = self.shelf.remove(key)
            {
                exploration.take(key, &page, &self.settings);
                self.shelf.extend(exploration.take_again());
            }
            while let Some(ask) = exploration.next_ask() {
                match self.shelf.remove(&ask.key) {
                    Some(page) => {
                        exploration.take(&ask.key, &page, &self.settings);
                        self.shelf.extend(exploration.take_again());
                    }
                    None => propose(ask.proposal),
                }
            }
        }
    }

    pub(super) fn account(&self) -> Vec<QueryAccount> {
        self.explorations.iter().map(Exploration::account).collect()
    }

    pub(super) fn progress(&self) -> super::QueryProgress {
        let mut sum = super::QueryProgress::default();
        self.explorations.iter().for_each(|exploration| sum += exploration.progress());
        sum
    }

    pub(super) fn graphs(&self) -> impl Iterator<Item = &QueryGraph> {
        self.explorations.iter().map(|exploration| &exploration.graph)
    }
}
