//! Lifts restrictions that a site puts on its list by default (open tickets only): a link or a form control
//! that takes one away is requested, and if it returns more of the same entities, that list is the root.

use quarry_model::Request;
use url::Url;

use super::explore::Exploration;
use super::facts::QueryFacts;
use super::requests::{FetchedPage, NEXT_PAGE, Task};
use crate::query::QueryId;

/// Requests that may lift a restriction, and restrictions that are lifted: lists are seldom preset by more.
pub(super) const MAX_LIFTS: usize = 3;

impl Exploration {
    /// Requests the root list without one of its restrictions, or goes on with the root list as it is.
    pub(super) fn lift_or_go_on(&mut self) {
        while self.may_lift()
            && let Some(request) = self.state.lists.lifts.pop()
        {
            if self.state.requests.send(&request, Task::Lift, NEXT_PAGE) {
                return;
            }
        }
        self.read_plain_list();
    }

    /// What the user asked for with parameters is not a restriction of the site.
    fn may_lift(&self) -> bool {
        let key = self.state.requests.root_key();
        let is_plain = Url::parse(key).is_ok_and(|url| url.query().is_none());
        is_plain && (self.state.lifted as usize) < MAX_LIFTS
    }

    /// Begins again with a list that has more entities of the kind; else the next restriction is tried.
    pub(super) fn read_lifted(&mut self, page: &FetchedPage) {
        let root = &self.state.graph[QueryId::ROOT];
        let (all, total) = (root.total, page.facts.total);
        let shows = self.state.count_entities(&page.facts) > 0 && !root.answers.is_empty();
        let (pages, all_pages) = (page.facts.last_page(), self.state.lists.last_root_page);
        match (all, total) {
            (Some(all), Some(total)) if shows && total > all => {
                let evidence = format!("it returned {total} entities, the list has {all}");
                self.begin_with_more(page, &evidence);
            }
            // Without totals the pagers tell, if a page shows as many entities as before.
            (None, None)
                if shows
                    && pages.is_some()
                    && pages > all_pages
                    && self.shows_known_entities(&page.facts) =>
            {
                let evidence = format!(
                    "it has {} pages, the list {}",
                    pages.unwrap_or_default(),
                    all_pages.unwrap_or(1)
                );
                self.begin_with_more(page, &evidence);
            }
            _ => self.lift_or_go_on(),
        }
    }

    /// Whether a page of the list's size shows entities that the root list has, too.
    fn shows_known_entities(&self, facts: &QueryFacts) -> bool {
        let state = &self.state;
        let identity = &state.graph.identity;
        let shown = state.lists.entity_links.among(facts, identity);
        let is_known = |address: &str| state.graph.entities.find(address).is_some();
        shown.len() >= state.lists.page_size && shown.iter().any(|link| is_known(&link.address))
    }

    /// Begins again with the list of a sampled value, if it holds the root list. False if it does not.
    pub(super) fn lift(&mut self, query: QueryId, page: &FetchedPage, evidence: &str) -> bool {
        let state = &self.state;
        let root = &state.graph[QueryId::ROOT];
        let known: std::collections::BTreeSet<_> = root.answers.iter().map(|a| a.entity).collect();
        let shares = state.graph[query].answers.iter().any(|answer| known.contains(&answer.entity));
        let is_narrowed = state.graph[query].predicates.len() == 1;
        if !(shares && is_narrowed && self.may_lift() && self.is_same_list(&page.name)) {
            return false;
        }
        self.begin_with_more(page, evidence);
        true
    }

    /// Whether an address is that of the root list with other parameters.
    pub(super) fn is_same_list(&self, address: &str) -> bool {
        let root = &self.state.graph[QueryId::ROOT];
        let page = root.answers.first().map(|answer| self.state.graph.page_of(answer));
        let path = |address: &str| Url::parse(address).ok().map(|url| url.path().to_owned());
        page.is_some_and(|page| path(page).is_some() && path(page) == path(address))
    }

    fn begin_with_more(&mut self, page: &FetchedPage, evidence: &str) {
        self.state.lifted += 1;
        let note = format!("the list was restricted by default; root is {}: {evidence}", page.name);
        self.state.notes.push(note);
        // Pages that were read are of use to the wider list.
        let request = Request::get(&page.name);
        self.state.kept.read.remove(&*request.key());
        self.begin_again(page);
    }
}
