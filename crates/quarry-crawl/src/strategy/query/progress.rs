//! Progress of an exploration: requests to go, by the counts that the site shows beside its values and
//! by the size of its pages.

use std::collections::BTreeMap;

use super::meaning::Meaning;
use super::offers::OfferedPredicate;
use super::state::SiteState;
use crate::query::{PredicateId, QueryId, QueryState};
use crate::strategy::QueryProgress;

pub(super) fn progress(state: &SiteState) -> QueryProgress {
    let mut progress = QueryProgress {
        entities: state.graph.entities().len(),
        values: state.graph.count_values(),
        requests: state.requests.answered,
        details: state.entity_pages.read,
        details_left: state.requests.pending_entity_pages(),
        ..QueryProgress::default()
    };
    for (id, query) in state.graph.queries() {
        let pages = u64::from(query.pages);
        match query.state {
            QueryState::Dropped | QueryState::Offered => continue,
            QueryState::Whole | QueryState::Short => progress.explored += 1,
            // The rest of the root list is read only if something is missing at the end.
            QueryState::Asked if id == QueryId::ROOT => {
                progress.explored += usize::from(pages > 0);
            }
            QueryState::Asked => {
                let all = state.lists.pages_for(query.claimed());
                progress.left += all.saturating_sub(pages).max(1);
            }
        }
        progress.known += 1;
    }
    if state.end.is_some() {
        progress.left = 0;
        return progress;
    }
    progress.left += progress.details_left;
    for pages in to_request(state).into_values() {
        progress.known += 1;
        progress.left += pages;
    }
    progress
}

/// Predicates that will be requested, each with the pages that it takes.
fn to_request(state: &SiteState) -> BTreeMap<PredicateId, u64> {
    let is_requested = |predicate: PredicateId| {
        let query = state.graph.find(&[predicate]);
        query.is_some_and(|id| state.graph[id].state != QueryState::Offered)
    };
    let mut predicates: BTreeMap<PredicateId, u64> = BTreeMap::new();
    for (query, offers) in state.offers.iter() {
        let is_due = |offer: &&OfferedPredicate| {
            let meaning = state.meaning(state.attribute_of(offer.predicate));
            let is_open = match query {
                QueryId::ROOT => !is_requested(offer.predicate),
                _ => !state.offers.is_settled(offer.predicate),
            };
            meaning != Meaning::NotAFacet && is_open
        };
        for offer in offers.iter().filter(is_due) {
            let pages = predicates.entry(offer.predicate).or_default();
            *pages = (*pages).max(state.lists.pages_for(offer.count));
        }
    }
    predicates
}
