//! Walks from the entry page of a category through index pages to target pages, without fetching the
//! rest of the site (DEXTER, §3.2).
//!
//! 1. With a category: its entry page is looked for from the home page, from target pages and by the
//!    site's own search; the harmonic mean of the three scores decides. Without: the home page is
//!    the entry page of everything.
//! 2. Links that share an XPath are a collection. A few pages of each show what all of it leads to:
//!    targets, indexes (also indexes of indexes), or pages of no use.
//! 3. Targets are fetched, indexes are read to their last page, the rest is left alone.
//!
//! More in `docs/algorithms/index.md`.

mod anchor;
mod batch;
mod collection;
mod entry;
mod facts;
mod judge;
mod plan;
mod report;
mod verdict;
mod walk;

use std::collections::BTreeMap;

use super::{PageView, Proposal};
use batch::FetchedPage;
pub(super) use facts::IndexFacts;
pub use report::{CollectionReport, EntryReport, IndexReport};
use walk::Walk;

/// How index pages are walked.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexSettings {
    /// The category that is wanted; all categories where there is none.
    pub category: Option<String>,
    /// A few words that stand in the names of the category's products or subcategories.
    pub words: Vec<String>,
    /// Pages of a collection that are read before it is judged. Default 2: pages of one collection
    /// are of one kind, and one of them may be an exception.
    pub samples: usize,
    /// Pages to open on the way from the home page to a category. Default 12.
    pub entry_pages: usize,
    /// Useless pages after which no further collection is tried. Default 20, and one for every
    /// ten targets.
    pub useless: usize,
    /// Pages of a list, and lists of a facet, in a row without new records after which the rest is left
    /// out. Default 2.
    pub max_pages_without_new: u32,
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self {
            category: None,
            words: Vec::new(),
            samples: 2,
            entry_pages: 12,
            useless: 20,
            max_pages_without_new: 2,
        }
    }
}

/// The strategy: one walk for each host.
#[derive(Debug)]
pub(crate) struct IndexCrawl {
    settings: IndexSettings,
    walks: BTreeMap<String, Walk>,
}

impl IndexCrawl {
    pub(super) fn new(settings: IndexSettings) -> Self {
        Self { settings, walks: BTreeMap::new() }
    }

    pub(super) fn observe(
        &mut self,
        view: &PageView<'_>,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        let super::PageFacts::Index(facts) = view.facts else { return };
        let page = FetchedPage {
            address: view.address.as_str().to_owned(),
            depth: view.depth,
            facts: facts.clone(),
        };
        let key = view.request.key().into_owned();
        let host = view.address.host();
        if view.depth == 0 {
            let walk =
                self.walks.entry(host.to_owned()).or_insert_with(|| Walk::new(&self.settings));
            walk.begin(&key, page, &self.settings);
        } else if let Some(walk) = self.walks.get_mut(host) {
            walk.put(key, page);
        }
        if let Some(walk) = self.walks.get_mut(host) {
            walk.arrived(&self.settings, propose);
        }
    }

    pub(super) fn idle(&mut self, propose: &mut dyn FnMut(Proposal<'static>)) {
        for walk in self.walks.values_mut() {
            walk.idle(&self.settings, propose);
        }
    }

    pub(super) fn report(&self) -> Vec<IndexReport> {
        self.walks.iter().map(|(host, walk)| walk.report(host)).collect()
    }

    pub(super) fn progress(&self) -> super::IndexProgress {
        let mut sum = super::IndexProgress::default();
        self.walks.values().for_each(|walk| sum += walk.progress());
        sum
    }
}
