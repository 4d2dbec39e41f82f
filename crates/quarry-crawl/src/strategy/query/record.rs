//! Records the pages that come back: each is read for the task that it was requested for.

use std::collections::BTreeSet;

use quarry_model::Request;
use url::Url;

use super::explore::Exploration;
use super::facts::{QueryFacts, ValueGroup};
use super::hub::{self, Hub, MIN_LIST_ENTITIES};
use super::keywords;
use super::lift::MAX_LIFTS;
use super::meaning::{Judgement, Meaning, Sampled};
use super::menu::MIN_KNOWN_SHARE;
use super::planner::{self, ListStep};
use super::requests::{FetchedPage, NEXT_PAGE, Task};
use crate::query::{AttributeId, QueryId, QueryState, common_addresses};

impl Exploration {
    /// Takes a page that was requested, and requests what follows from it.
    pub(super) fn receive(&mut self, key: &str, page: &FetchedPage) {
        let Some(task) = self.state.requests.answer(key) else { return };
        let shows_list = matches!(task, Task::List { .. } | Task::Keyword { .. });
        if shows_list && self.waits_for_identity(key, page, &task) {
            return;
        }
        self.read(key, page, task);
        self.request_root_values();
    }

    /// Reads a page for its task.
    pub(super) fn read(&mut self, key: &str, page: &FetchedPage, task: Task) {
        let facts = &*page.facts;
        if !self.state.is_faceted() && task != Task::Root {
            self.state.kept.read.insert(key.to_owned(), page.clone());
        }
        self.state.saved.views += facts.views as u64;
        self.state.lists.size_parameters.extend(facts.size_parameters.iter().cloned());
        match task {
            Task::Root => self.read_root(page),
            Task::LargerRoot => self.read_larger_root(page),
            Task::List { query, page: number } => self.read_list(query, number, page),
            Task::MoreValues { query, attribute } => self.read_values(query, attribute, facts),
            Task::Keyword { query } => {
                if keywords::read_results(&mut self.state, query, page) {
                    self.offer_below(query, facts);
                    keywords::remember_results(&mut self.state, query, facts);
                }
            }
            Task::EntityPage { sampled } => {
                self.state.entity_pages.sampled.extend(sampled.then(|| page.name.clone()));
                self.check_entity_page(key, page);
            }
            Task::HubPage => {
                self.offer_categories(self.state.hub.listed_on(facts));
                if let Some(next) = &facts.next {
                    self.state.requests.send(next, Task::HubPage, NEXT_PAGE);
                }
            }
            Task::CommonList => _ = self.take_common_list(page),
            Task::Compare(role) => self.take_compared(role, page),
            Task::Lift => self.read_lifted(page),
            Task::SharedLink => self.read_shared_link(facts),
            Task::RecordPage => self.read_record_page(key, page),
        }
    }

    /// Reads the page that the exploration begins with.
    pub(super) fn read_root(&mut self, page: &FetchedPage) {
        self.state.read_root(page);
        self.state.root_page = Some(page.clone());
        let facts = &*page.facts;
        let shown = facts.entities.len();
        let all_here = facts.total.is_some_and(|total| total <= shown as u64);
        if let Some((size, request)) = &facts.larger
            && *size as usize > shown
            && !all_here
            && self.state.requests.send(request, Task::LargerRoot, NEXT_PAGE)
        {
            self.state.lists.root_groups.clone_from(&facts.groups);
            return;
        }
        self.offer_at_root(&facts.groups);
        self.state.lists.lifts = facts.lifts.iter().rev().take(MAX_LIFTS).cloned().collect();
        self.lift_or_go_on();
    }

    /// Reads the root list to its end before anything is judged by it, where no total says how long it
    /// is.
    pub(super) fn read_plain_list(&mut self) {
        let state = &mut self.state;
        let root = &state.graph[QueryId::ROOT];
        if root.total.is_none()
            && !root.answers.is_empty()
            && !state.settings.look
            && let Some(next) = state.lists.second_root_page.take()
        {
            let task = Task::List { query: QueryId::ROOT, page: root.pages + 1 };
            state.requests.send(&next, task, NEXT_PAGE);
        }
    }

    /// Goes on with the larger root page if it shows more entities, else with the first.
    fn read_larger_root(&mut self, page: &FetchedPage) {
        let facts = &*page.facts;
        let state = &mut self.state;
        state.add_answers(QueryId::ROOT, page);
        let shown = state.count_entities(facts);
        if shown > state.lists.page_size {
            state.lists.page_size = shown;
            state.lists.second_root_page = state.next_page(QueryId::ROOT, facts, 1);
            state.lists.last_root_page = facts.last_page();
            state.lists.root_groups.clear();
            self.offer_at_root(&facts.groups);
        } else {
            self.offer_first_root_groups();
        }
        self.read_plain_list();
    }

    /// Reads the n-th page of a query.
    fn read_list(&mut self, query: QueryId, number: u32, page: &FetchedPage) {
        let facts = &*page.facts;
        // Its attribute has turned out to be a view meanwhile.
        if self.state.graph[query].state == QueryState::Dropped {
            return;
        }
        let new = self.state.add_answers(query, page);
        if number == 1 {
            self.state.graph[query].total = self.state.claimed_total(facts);
            if !self.judge_attribute(query, page) {
                return;
            }
            self.offer_below(query, facts);
        }
        if number == 2 && self.state.lists.contrary.contains(&query) {
            self.state.lists.is_reversed.get_or_insert(new > 0);
        }
        if query == QueryId::ROOT {
            self.state.lists.claims.add_root_page(&facts.numbers);
            if !self.state.is_faceted() {
                self.state.hub.add_page(facts);
            }
        }
        let next = self.state.next_page(query, facts, number);
        match planner::continue_list(&self.state, query, new, next.as_ref()) {
            ListStep::Next(next) => self.request_page(query, number + 1, &next),
            ListStep::Hold(next) => _ = self.state.lists.held.insert(query, next),
            ListStep::End => {
                self.state.end_list(query);
                self.judge_ended(query);
            }
        }
    }

    /// Judges an attribute by a sampled list that was read to its end.
    fn judge_ended(&mut self, query: QueryId) {
        let state = &mut self.state;
        let root = &state.graph[QueryId::ROOT];
        let node = &state.graph[query];
        if !state.lists.reads_on.remove(&query) || root.state != QueryState::Whole {
            return;
        }
        let [predicate] = node.predicates[..] else { return };
        let attribute = state.attribute_of(predicate);
        if state.meaning(attribute) != Meaning::Unknown {
            return;
        }
        let (judgement, evidence) = Sampled::judge_by_end(root, node);
        let value = state.graph.name(node).join(", ");
        let known = state.attribute(attribute);
        known.evidence.push(format!("{value}: {evidence}"));
        if judgement == Judgement::Facet {
            known.meaning = Meaning::Facet;
            self.release_held(attribute);
        }
    }

    /// Judges from the first page of a query what its newest attribute means. False if the attribute
    /// does not narrow lists.
    fn judge_attribute(&mut self, query: QueryId, page: &FetchedPage) -> bool {
        let facts = &*page.facts;
        let state = &self.state;
        let node = &state.graph[query];
        let mut attributes = node.predicates.iter().map(|&id| state.attribute_of(id));
        let Some(attribute) = attributes.find(|&id| state.meaning(id) != Meaning::Facet) else {
            return true;
        };
        let parent = &state.graph[state.parent_of(query, attribute)];
        let shown = state.count_entities(facts);
        let (page_size, parent_last_page) = (state.lists.page_size, state.lists.last_root_page);
        let sampled = Sampled { parent, query: node, facts, shown, page_size, parent_last_page };
        let is_menu = state.attributes.get(&attribute).is_some_and(|known| known.is_menu);
        // A look has read no further page of the list, so it cannot tell unless there is none. The entities of the week
        // on a front page are no list that links to other addresses narrow.
        let is_front = state.root_is_one_page() && node.expected.is_none();
        let is_elsewhere = is_front && !self.is_same_list(&page.name);
        let is_other = ((is_menu && !state.settings.look) || is_elsewhere)
            && shown > 0
            && state.known_share(query) < MIN_KNOWN_SHARE;
        let (judgement, evidence) = match state.hub.subcategories(facts) {
            _ if is_other => {
                (Judgement::NotAFacet, "its entities are not in the list: another list".to_owned())
            }
            Some(_) => (Judgement::Facet, "it leads to further lists".to_owned()),
            None => sampled.judge(),
        };
        if is_other && is_elsewhere {
            // Entities that another list shows, too, are no lists.
            self.state.hub = Hub::default();
        }
        if judgement == Judgement::Superset && self.lift(query, page, &evidence) {
            return false;
        }
        let state = &mut self.state;
        if judgement == Judgement::Facet {
            state.lists.entity_links.learn(facts, &state.graph.identity);
        }
        let (most_samples, is_look) = (state.settings.samples, state.settings.look);
        if judgement == Judgement::Reordered {
            state.lists.reads_on.insert(query);
        }
        let value = state.graph.name(&state.graph[query]).join(", ");
        let known = state.attribute(attribute);
        known.evidence.push(format!("{value}: {evidence}"));
        match judgement {
            Judgement::Facet => known.meaning = Meaning::Facet,
            Judgement::NotAFacet | Judgement::Superset => known.meaning = Meaning::NotAFacet,
            Judgement::Unsure if known.samples.len() >= most_samples => {
                known.meaning = Meaning::NotAFacet;
            }
            Judgement::Reordered | Judgement::Unsure => {}
        }
        match known.meaning {
            Meaning::Facet if is_look => {}
            Meaning::Facet => self.release_held(attribute),
            Meaning::NotAFacet => self.state.drop_attribute(attribute),
            Meaning::Unknown => {}
        }
        self.state.meaning(attribute) != Meaning::NotAFacet
    }

    /// Remembers what the first page of a query offers; requests values that it does not show.
    fn offer_below(&mut self, query: QueryId, facts: &QueryFacts) {
        let state = &mut self.state;
        state.names.learn(&facts.groups, &mut state.graph);
        let hub = state.hub.clone();
        let (least_score, use_forms) = (state.settings.facet_score, state.forms.in_use);
        let is_usable = |group: &&ValueGroup| {
            let is_facet = group.score >= least_score || hub.leads_to_categories(group);
            is_facet && !group.is_of_records && (use_forms || !group.is_form)
        };
        let subcategories = hub.subcategories(facts);
        for group in facts.groups.iter().filter(is_usable).chain(&subcategories) {
            let group = &hub.named(state.names.named(group));
            let attribute = state.graph.attributes.intern(&group.attribute);
            let known = state.attribute(attribute);
            if known.meaning == Meaning::NotAFacet {
                continue;
            }
            let only_below = !known.at_root;
            state.add_offers(query, group);
            for request in group.more.iter().filter(|_| only_below) {
                let task = Task::MoreValues { query, attribute };
                state.requests.send(request, task, NEXT_PAGE);
            }
        }
    }

    /// Reads a page that shows more values of an attribute.
    fn read_values(&mut self, query: QueryId, attribute: AttributeId, facts: &QueryFacts) {
        let state = &mut self.state;
        let name = state.graph.attribute_name(attribute).to_owned();
        let offers = state.offers_of(query, attribute);
        let known: BTreeSet<&str> =
            offers.iter().map(|offer| state.graph[offer.predicate].value.as_str()).collect();
        let shared = |group: &&ValueGroup| {
            let values = group.offers.iter().filter(|offer| known.contains(offer.value.as_str()));
            (values.count(), group.attribute == name, group.offers.len())
        };
        // The group that shares most values with those that are known continues them.
        let Some(best) = facts.groups.iter().max_by_key(shared) else { return };
        let group = ValueGroup { attribute: name, more: Vec::new(), ..best.clone() };
        let before = state.offers.of(query).len();
        state.add_offers(query, &group);
        if query != QueryId::ROOT {
            return;
        }
        state.offers.settle_from(query, before);
        // The page may show more values of the other attributes, too.
        let is_known = |group: &ValueGroup| {
            let id = state.graph.attributes.find(&group.attribute);
            group.score >= state.settings.facet_score
                && id.is_some_and(|id| state.attributes.contains_key(&id))
        };
        let usable = facts.groups.iter().filter(|group| state.forms.in_use || !group.is_form);
        let others: Vec<ValueGroup> = usable
            .map(|group| state.names.named(group))
            .filter(is_known)
            .map(|group| ValueGroup { more: Vec::new(), ..group })
            .collect();
        self.offer_at_root(&others);
    }

    /// Checks whether the page of a supposed entity is a list. If most of them list entities that no
    /// query returned (the departments of a shop list categories), a list that they all narrow is
    /// requested.
    fn check_entity_page(&mut self, key: &str, page: &FetchedPage) {
        let state = &mut self.state;
        let pages = &mut state.entity_pages;
        pages.read += 1;
        let facts = &*page.facts;
        let graph = &state.graph;
        let is_known =
            |address: &str| graph.entities.find(&graph.identity.canonical(address)).is_some();
        let lists_others = facts.entities.iter().any(|entity| !is_known(&entity.address));
        if !lists_others || !hub::offers_facets(facts, &state.settings) {
            return;
        }
        state.kept.read.insert(key.to_owned(), page.clone());
        pages.listing += 1;
        let most = 2 * pages.listing > pages.read && pages.listing >= MIN_LIST_ENTITIES;
        if !most || std::mem::replace(&mut pages.common_list_requested, true) {
            return;
        }
        let entities = state.graph.entities().iter();
        let entities: Vec<Url> = entities.filter_map(|url| Url::parse(url).ok()).collect();
        if let Some(common) = common_addresses(&entities).pop() {
            let request = Request::get(common.as_str());
            state.requests.send(&request, Task::CommonList, NEXT_PAGE);
        }
    }

    /// Begins again with a page if it is a list that those of the hub narrow. False if it is not, or the exploration has begun
    /// with it before: entities in a folder below their own list would lead back to that without end.
    pub(super) fn take_common_list(&mut self, page: &FetchedPage) -> bool {
        let is_new = !self.state.begun.contains(&page.name);
        let is_list = is_new && self.state.hub.is_common_list(&page.facts, &self.state.settings);
        if is_list {
            self.begin_again(page);
        }
        is_list
    }
}
