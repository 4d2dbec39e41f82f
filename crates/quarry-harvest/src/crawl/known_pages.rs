//! What crawls by queries have found out about pages, for those who learn and read them afterwards.

use std::borrow::Cow;
use std::collections::BTreeSet;

use quarry_crawl::query::{EntityIdentity, QueryGraph};
use quarry_extract::links::PageKind;

use super::render::path;
use url::Url;

/// Entities that a crawl must have found for its judgement to count: with fewer it may have been a wrong start.
const MIN_ENTITIES: usize = 10;

/// Which addresses are entities and which pages are lists.
#[derive(Debug, Clone, Default)]
pub struct KnownPages {
    entities: BTreeSet<String>,
    lists: BTreeSet<String>,
    /// Addresses without query of pages that show what is behind them: whatever their state, they are lists.
    shown: BTreeSet<String>,
    identity: EntityIdentity,
    /// Entities whose own pages were fetched only to see that they add nothing.
    sampled: BTreeSet<String>,
}

impl KnownPages {
    /// Adds what a query graph says, if its list was narrowed or read to the end.
    pub fn add(&mut self, graph: &QueryGraph) {
        let is_list = graph.is_plain || graph.values().next().is_some();
        if graph.entities().len() < MIN_ENTITIES || !is_list {
            return;
        }
        self.entities.extend(graph.entities().iter().cloned());
        self.identity.extend(&graph.identity);
        for answer in graph.queries.iter().flat_map(|query| &query.answers) {
            let page = graph.page_of(answer);
            if !self.lists.contains(page) {
                self.lists.insert(page.to_owned());
            }
        }
    }

    /// The entities of a graph were fetched only to see that their pages add nothing to what lists say.
    pub fn add_sampled(&mut self, graph: &QueryGraph) {
        self.sampled.extend(graph.entities().iter().cloned());
    }

    /// The same of an entity that is behind a page.
    pub fn add_sampled_entity(&mut self, address: String) {
        self.sampled.insert(address);
    }

    /// Whether the page of an entity was fetched only to see that it adds nothing: what it says beyond lists is chance.
    #[must_use]
    pub fn adds_nothing(&self, address: &Url) -> bool {
        self.kind(address) == Some(PageKind::Entity)
            && self.sampled.contains(&*self.identity.canonical(address.as_str()))
    }

    /// Adds entities that lists link to and do not show, where lists show some.
    pub fn add_unlisted(&mut self, addresses: &[String]) {
        if !self.entities.is_empty() {
            self.entities.extend(addresses.iter().cloned());
        }
    }

    /// Adds a page that shows what is behind it, in all of its states.
    pub fn add_shown(&mut self, address: &str) {
        self.shown.insert(path(address).to_owned());
    }

    /// Adds an entity that is behind such a page.
    pub fn add_entity(&mut self, address: String) {
        self.entities.insert(address);
    }

    /// What is at an address, as far as that is known. What was taken for both is neither.
    #[must_use]
    pub fn kind(&self, address: &Url) -> Option<PageKind> {
        if self.entities.is_empty() && self.shown.is_empty() {
            return None;
        }
        let text = match address.fragment() {
            None => Cow::Borrowed(address.as_str()),
            Some(_) => {
                let mut bare = address.clone();
                bare.set_fragment(None);
                Cow::Owned(bare.into())
            }
        };
        let is_entity = self.entities.contains(&*self.identity.canonical(&text));
        let is_shown = !is_entity && self.shown.contains(path(&text));
        let is_list = is_shown || self.lists.contains(&*text);
        match (is_list, is_entity) {
            (true, false) => Some(PageKind::List),
            (false, true) => Some(PageKind::Entity),
            _ => None,
        }
    }
}
