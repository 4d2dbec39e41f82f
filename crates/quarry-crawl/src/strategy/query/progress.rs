//! How far is the exploration, and how many requests are to go? From the counts that the site shows
//! beside its values, and from the size of its pages.

use std::collections::BTreeMap;

use super::explore::{Exploration, Offered};
use super::plan::Meaning;
use crate::query::QueryState;
use crate::strategy::QueryProgress;

impl Exploration {
    pub(super) fn progress(&self) -> QueryProgress {
        let mut progress = QueryProgress {
            entities: self.graph.entities().len(),
            values: self.graph.count_values(),
            requests: self.requests,
            ..QueryProgress::default()
        };
        for (id, query) in self.graph.queries.iter().enumerate() {
            let pages = u64::from(query.pages);
            match query.state {
                QueryState::Dropped | QueryState::Offered => continue,
                QueryState::Whole | QueryState::Short => progress.explored += 1,
                // The rest of the list of everything is read only if something is missing at the end.
                QueryState::Asked if id == 0 => progress.explored += usize::from(pages > 0),
                QueryState::Asked => {
                    progress.left += self.pages_of(query.claimed()).saturating_sub(pages).max(1);
                }
            }
            progress.known += 1;
        }
        if self.end.is_some() {
            progress.left = 0;
            return progress;
        }
        for pages in self.to_ask().into_values() {
            progress.known += 1;
            progress.left += pages;
        }
        progress
    }

    /// Predicates that will be asked for, each with the pages that it takes.
    fn to_ask(&self) -> BTreeMap<u32, u64> {
        let mut predicates: BTreeMap<u32, u64> = BTreeMap::new();
        for (&query, offers) in &self.offers {
            let is_due = |offer: &&Offered| {
                let meaning = self.meaning(self.attribute_of(offer.predicate));
                let waits = query == 0 || !self.settled.contains(&offer.predicate);
                meaning != Meaning::Nothing && waits
            };
            for offer in offers.iter().filter(is_due) {
                let asked = query == 0 && self.is_asked(offer.predicate);
                if !asked {
                    let pages = predicates.entry(offer.predicate).or_default();
                    *pages = (*pages).max(self.pages_of(offer.count));
                }
            }
        }
        predicates
    }

    fn is_asked(&self, predicate: u32) -> bool {
        let query = self.graph.find(&[predicate]);
        query.is_some_and(|id| self.graph.queries[id as usize].state != QueryState::Offered)
    }

    /// Pages of a list of so many entities.
    fn pages_of(&self, entities: Option<u64>) -> u64 {
        entities.unwrap_or(1).max(1).div_ceil(self.page_size.max(1) as u64)
    }
}
