//! What do the answers lead to? Links that some answers have and most have not: results, not menus.

use std::collections::{BTreeMap, BTreeSet};

use crate::Address;
use crate::reader::FoundLink;

/// A link on more than this share of the answers belongs to the site, not to an answer.
const COMMON: f64 = 0.5;
/// So few answers do not tell the two apart.
const FEW: usize = 6;

/// The links of answers.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// On how many answers each stands.
    links: BTreeMap<Address, u32>,
    /// Links of pages that are no answers: the form's, and those of queries that match nothing.
    idle: BTreeSet<Address>,
    /// How many links each answer was the first to have.
    new: Vec<usize>,
    /// Proposed already.
    proposed: BTreeSet<Address>,
}

impl Found {
    /// The links of a page that answers nothing.
    pub(super) fn leave_out(&mut self, links: &[FoundLink]) {
        self.idle.extend(links.iter().map(|link| link.address.clone()));
    }

    /// The links of an answer; `asks` tells links that ask the form again.
    pub(super) fn add(&mut self, links: &[FoundLink], asks: &dyn Fn(&Address) -> bool) {
        let mut new = 0;
        for link in links.iter().filter(|link| !asks(&link.address)) {
            let count = self.links.entry(link.address.clone()).or_default();
            new += usize::from(*count == 0);
            *count += 1;
        }
        self.new.push(new);
    }

    /// New links that the last answers brought, on average; `None` before there were so many.
    pub(super) fn recent(&self, answers: usize) -> Option<f64> {
        let last = self.new.len().checked_sub(answers)?;
        Some(self.new[last..].iter().sum::<usize>() as f64 / answers as f64)
    }

    /// What the answers lead to.
    pub(super) fn results(&self) -> impl Iterator<Item = &Address> {
        let answers = self.new.len();
        let most = (COMMON * answers.max(FEW) as f64) as u32;
        let links = self.links.iter().filter(move |(_, count)| **count <= most);
        links.map(|(address, _)| address).filter(|address| !self.idle.contains(address))
    }

    /// Those that were not proposed yet.
    pub(super) fn take(&mut self) -> Vec<Address> {
        let new = self.results().filter(|address| !self.proposed.contains(*address));
        let new: Vec<Address> = new.cloned().collect();
        self.proposed.extend(new.iter().cloned());
        new
    }
}
