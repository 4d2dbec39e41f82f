//! Links to search results: those on some results pages and not on most, which are menus.

use std::collections::{BTreeMap, BTreeSet};

use crate::Address;
use crate::reader::FoundLink;

/// A link on more than this share of the results pages belongs to the site's frame.
const MAX_RESULT_SHARE: f64 = 0.5;
/// Results pages below which the share is taken of this number: a result may be on two of three.
const MIN_RESULTS_PAGES: usize = 6;

/// The links of results pages.
#[derive(Debug, Default)]
pub(super) struct ResultLinks {
    /// On how many results pages each link is.
    links: BTreeMap<Address, u32>,
    /// Links of pages without results: the form's page, and those of queries that match nothing.
    frame: BTreeSet<Address>,
    /// How many new links each results page had.
    new: Vec<usize>,
    /// Proposed already.
    proposed: BTreeSet<Address>,
}

impl ResultLinks {
    /// Adds the links of a page without results: they are no results anywhere.
    pub(super) fn add_frame(&mut self, links: &[FoundLink]) {
        self.frame.extend(links.iter().map(|link| link.address.clone()));
    }

    /// Adds the links of a results page; `asks` tells links that send the form again. Returns how many
    /// are new.
    pub(super) fn add(&mut self, links: &[FoundLink], asks: &dyn Fn(&Address) -> bool) -> usize {
        let mut new = 0;
        for link in links.iter().filter(|link| !asks(&link.address)) {
            let count = self.links.entry(link.address.clone()).or_default();
            new += usize::from(*count == 0);
            *count += 1;
        }
        self.new.push(new);
        new
    }

    /// New links on the last results pages, on average; `None` before there were so many.
    pub(super) fn recent(&self, answers: usize) -> Option<f64> {
        let last = self.new.len().checked_sub(answers)?;
        Some(self.new[last..].iter().sum::<usize>() as f64 / answers as f64)
    }

    /// How many results no page has shown, estimated from those that were shown once and twice (Chao 1984).
    pub(super) fn missing(&self) -> f64 {
        let times =
            |n: u32| self.results().filter(|address| self.links[*address] == n).count() as f64;
        let (once, twice) = (times(1), times(2));
        once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))
    }

    /// Links to results.
    pub(super) fn results(&self) -> impl Iterator<Item = &Address> {
        let answers = self.new.len();
        let most = (MAX_RESULT_SHARE * answers.max(MIN_RESULTS_PAGES) as f64) as u32;
        let links = self.links.iter().filter(move |(_, count)| **count <= most);
        links.map(|(address, _)| address).filter(|address| !self.frame.contains(address))
    }

    /// Links to results that were not proposed yet.
    pub(super) fn take(&mut self) -> Vec<Address> {
        let new = self.results().filter(|address| !self.proposed.contains(*address));
        let new: Vec<Address> = new.cloned().collect();
        self.proposed.extend(new.iter().cloned());
        new
    }
}
