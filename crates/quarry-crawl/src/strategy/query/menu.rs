//! Groups of links that look like navigation may be facets all the same (the categories of a blog in its
//! header). Where nothing else narrows the list they are sampled, when its entities are known, and must
//! return some of these.

use std::collections::{BTreeMap, BTreeSet};

use super::explore::Exploration;
use super::facts::ValueGroup;
use super::requests::{NEXT_PAGE, Task};
use super::state::SiteState;
use crate::query::{AttributeId, EntityId, QueryId};

/// Links of a menu that may be a facet: fewer are functions of the site.
const MIN_MENU_LINKS: usize = 3;

/// Menus that are sampled, those that look most like facets first: a page has few groups of links
/// that are not functions.
const MAX_MENUS: usize = 6;

/// Share of the entities behind a menu's link that the list must have for the link to narrow it.
pub(super) const MIN_KNOWN_SHARE: f64 = 0.9;

/// Groups of the root page that look like navigation.
#[derive(Debug, Default)]
pub(super) struct Menus {
    groups: Vec<ValueGroup>,
    tried: bool,
}

impl Menus {
    /// Remembers a group of the root page.
    pub(super) fn add(&mut self, group: &ValueGroup) {
        let addresses: BTreeSet<&str> =
            group.offers.iter().map(|offer| offer.request.url.as_str()).collect();
        if addresses.len() >= MIN_MENU_LINKS && !group.is_form {
            self.groups.push(group.clone());
        }
    }

    /// The groups to sample; none if that was done.
    fn take(&mut self) -> Vec<ValueGroup> {
        if std::mem::replace(&mut self.tried, true) {
            return Vec::new();
        }
        let mut groups = std::mem::take(&mut self.groups);
        groups.sort_by(|a, b| b.score.total_cmp(&a.score));
        groups.truncate(MAX_MENUS);
        groups
    }
}

impl Exploration {
    /// Samples the groups of the root page that look like navigation.
    pub(super) fn try_menus(&mut self) {
        // What is compared with the list needs all of it.
        if !self.state.menus.groups.is_empty()
            && !self.state.settings.look
            && let Some(next) = self.state.lists.second_root_page.take()
        {
            let page = self.state.graph[QueryId::ROOT].pages + 1;
            let task = Task::List { query: QueryId::ROOT, page };
            self.state.requests.send(&next, task, NEXT_PAGE);
            return;
        }
        for group in self.state.menus.take() {
            let state = &mut self.state;
            let group = state.names.named(&group);
            let attribute = state.graph.attributes.intern(&group.attribute);
            // Links that another group has offered under this name.
            if state.attributes.contains_key(&attribute) {
                continue;
            }
            state.names.learn_requests(&group);
            let before = state.offers.of(QueryId::ROOT).len();
            state.add_offers(QueryId::ROOT, &group);
            state.offers.settle_from(QueryId::ROOT, before);
            let known = state.attribute(attribute);
            (known.at_root, known.is_menu) = (true, true);
        }
        self.request_root_values();
    }
}

impl SiteState {
    /// Menus with too few values that narrow the list: "All", and lists of other things.
    pub(super) fn poor_menus(&self) -> Vec<AttributeId> {
        let all = self.graph.entities.len();
        let mut narrowing: BTreeMap<AttributeId, usize> = BTreeMap::new();
        for query in self.graph.queries.iter().filter(|query| query.is_answered()) {
            if let [predicate] = query.predicates[..]
                && (1..all).contains(&query.answers.len())
            {
                *narrowing.entry(self.attribute_of(predicate)).or_default() += 1;
            }
        }
        let menus = self.attributes.iter().filter(|(_, known)| known.is_menu);
        let menus = menus.map(|(id, _)| *id);
        menus.filter(|id| narrowing.get(id).is_none_or(|n| *n < MIN_MENU_LINKS)).collect()
    }

    /// The share of a query's entities that other queries have returned.
    pub(super) fn known_share(&self, query: QueryId) -> f64 {
        let graph = &self.graph;
        let own: BTreeSet<EntityId> =
            graph[query].answers.iter().map(|answer| answer.entity).collect();
        let others = graph.queries().filter(|(id, node)| *id != query && node.is_answered());
        let others: BTreeSet<EntityId> =
            others.flat_map(|(_, node)| node.answers.iter().map(|answer| answer.entity)).collect();
        own.intersection(&others).count() as f64 / own.len().max(1) as f64
    }
}
