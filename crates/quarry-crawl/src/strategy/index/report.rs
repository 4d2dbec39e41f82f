//! The report of a walk through a site's indexes: entry page, collections, counts.

use serde::{Deserialize, Serialize};

use super::collection::Verdict;
use super::walk::Walk;
use crate::strategy::IndexProgress;

/// A candidate for the entry page of the category.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EntryReport {
    /// Its address.
    pub url: String,
    /// From the home page: scores of the anchor texts on the way, multiplied.
    pub home: Option<f64>,
    /// From target pages: scores of the anchor texts that lead back to it, averaged.
    pub targets: Option<f64>,
    /// By the site's search: one by its rank.
    pub search: Option<f64>,
    /// The harmonic mean of those that could be asked.
    pub score: f64,
}

/// A collection of links that was followed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CollectionReport {
    /// The path that its links share.
    pub path: String,
    /// What it leads to: targets, indexes, nothing or unknown.
    pub leads_to: String,
    /// Its links.
    pub links: usize,
    /// An example.
    pub example: String,
}

/// What came of walking a site's indexes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct IndexReport {
    /// `scheme://host:port`.
    pub host: String,
    /// The category that was wanted.
    pub category: Option<String>,
    /// Candidates for its entry page, best first; the first that proved right was taken.
    pub entries: Vec<EntryReport>,
    /// The entry page that was taken.
    pub entry: Option<String>,
    /// Collections of links, in the order in which they were met.
    pub collections: Vec<CollectionReport>,
    /// Pages that were fetched for it.
    pub pages: usize,
    /// Among them target pages.
    pub targets: usize,
    /// Among them index pages.
    pub indexes: usize,
    /// Share of the fetched pages that are targets.
    pub precision: f64,
    /// Why it is over; `None` while it is not.
    pub end: Option<String>,
}

impl Walk {
    pub(super) fn report(&self, host: &str) -> IndexReport {
        let counts = &self.counts;
        let word = |verdict: Verdict| match verdict {
            Verdict::Targets => "targets",
            Verdict::Indexes => "indexes",
            Verdict::Nothing => "nothing",
            Verdict::Unknown => "unknown",
        };
        let collections = self.collections.list.iter().map(|collection| CollectionReport {
            path: collection.key.path.clone(),
            leads_to: word(collection.verdict).to_owned(),
            links: collection.links.len(),
            example: collection.links.first().map_or_else(String::new, |l| l.address.clone()),
        });
        IndexReport {
            host: host.to_owned(),
            category: self.category.clone(),
            entries: self.entries.clone(),
            entry: self.entry.clone(),
            collections: collections.collect(),
            pages: counts.pages,
            targets: counts.targets,
            indexes: counts.indexes,
            precision: counts.targets as f64 / counts.pages.max(1) as f64,
            end: self.end.clone(),
        }
    }

    pub(super) fn progress(&self) -> IndexProgress {
        let waiting = self.collections.list.iter().filter(|c| c.verdict == Verdict::Targets);
        let met: usize = waiting.map(|collection| collection.links.len()).sum();
        IndexProgress {
            pages: self.counts.pages,
            targets: self.counts.targets,
            indexes: self.counts.indexes,
            left: if self.end.is_some() { 0 } else { met.saturating_sub(self.counts.targets) },
        }
    }
}
