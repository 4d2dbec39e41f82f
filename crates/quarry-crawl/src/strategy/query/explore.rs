//! Explores one seed's site: carries out what the planner decides, phase by phase, until nothing is
//! left to request.

use std::collections::BTreeMap;
use std::sync::Arc;

use quarry_model::Request;

use super::entity_links::EntityLinks;
use super::facts::{OfferedValue, ValueGroup};
use super::hub::{self, Hub, MIN_LIST_ENTITIES};
use super::keywords;
use super::meaning::Meaning;
use super::offers::OfferedPredicate;
use super::planner::{self, Decision};
use super::requests::{FetchedPage, NEXT_PAGE, Outgoing, Requests, Task};
use super::state::SiteState;
use super::{LOOK_REQUESTS, QuerySettings};
use crate::query::{AttributeId, QueryId, QueryState};

/// Further pages of a sampled list that are read to learn whether it ends before the list that it should narrow.
const MAX_PAGES_READ_ON: u32 = 3;

/// One seed's site.
#[derive(Debug)]
pub(super) struct Exploration {
    pub(super) state: SiteState,
}

impl Exploration {
    /// Begins at a seed, whose page has been requested.
    pub(super) fn begin(settings: Arc<QuerySettings>, root_key: String, root: &Request) -> Self {
        Self { state: SiteState::new(settings, Requests::new(root_key), root) }
    }

    /// Begins once more with another page as the root query's.
    pub(super) fn begin_again(&mut self, page: &FetchedPage) {
        self.begin_with(page, false);
    }

    /// Begins once more with the root page's list, which nothing narrows. False if it has none, or that was done.
    fn begin_plain(&mut self) -> bool {
        let Some(page) = self.state.root_page.take() else { return false };
        if self.state.is_plain || page.facts.entities.len() < MIN_LIST_ENTITIES {
            return false;
        }
        self.begin_with(&page, true);
        true
    }

    fn begin_with(&mut self, page: &FetchedPage, is_plain: bool) {
        let old = &mut self.state;
        let reusable = std::mem::take(&mut old.kept.read);
        let (settings, requests) = (old.settings.clone(), old.requests.restarted());
        let (lifted, notes) = (old.lifted, std::mem::take(&mut old.notes));
        let mut begun = std::mem::take(&mut old.begun);
        begun.insert(page.name.clone());
        let (identity, known) = (old.graph.identity.clone(), std::mem::take(&mut old.identity));
        *old = SiteState::new(settings, requests, &Request::get(&page.name));
        (old.lifted, old.notes, old.graph.identity, old.identity) =
            (lifted, notes, identity, known);
        (old.kept.reusable, old.begun) = (reusable, begun);
        (old.is_plain, old.graph.is_plain) = (is_plain, is_plain);
        self.read_root(page);
        // This page is known to be the root list, whatever else it shows.
        self.state.hub = Hub::default();
    }

    pub(super) fn is_over(&self) -> bool {
        self.state.end.is_some()
    }

    pub(super) fn next_outgoing(&mut self) -> Option<Outgoing> {
        self.state.requests.next_outgoing()
    }

    /// Pages that may answer requests to come, after a restart.
    pub(super) fn take_reusable(&mut self) -> BTreeMap<String, FetchedPage> {
        std::mem::take(&mut self.state.kept.reusable)
    }

    /// Nothing is in flight: requests what is worth it now, or ends the exploration.
    pub(super) fn idle(&mut self) {
        if self.is_over() {
            return;
        }
        self.give_up_pending();
        self.settle_identity();
        self.request_root_values();
        if self.is_requesting() {
            return;
        }
        if self.read_on_undecided() {
            return;
        }
        self.drop_undecided();
        let requests = self.state.requests.answered;
        let is_clear = self.state.is_faceted() && self.state.search.keywords.is_none();
        if self.state.settings.look && (is_clear || requests >= LOOK_REQUESTS) {
            self.state.end = Some(format!("looked at {requests} pages"));
            return;
        }
        if !self.state.is_faceted() && !self.state.is_plain {
            return self.look_for_other_ways();
        }
        if self.state.search.keywords.is_some() {
            return self.search_on();
        }
        self.drop_views();
        let phases = [Self::drill_down, Self::split, Self::read_root_list, Self::request_entities];
        for phase in phases {
            phase(self);
            if self.is_requesting() {
                return;
            }
        }
        let menus = planner::menu_attributes(&self.state);
        self.state.graph.ignored_attributes.extend(menus);
        let poor = self.state.poor_menus();
        self.state.graph.ignored_attributes.extend(poor);
        self.state.end = Some(match self.state.is_plain {
            false => "every offered value was asked for".to_owned(),
            true => "its list was read to the end, and nothing narrows it".to_owned(),
        });
    }

    fn is_requesting(&self) -> bool {
        self.state.requests.any_outgoing()
    }

    /// No link narrows the root list: tries form controls, then the lists that a hub may link to,
    /// then the site's search.
    fn look_for_other_ways(&mut self) {
        if !self.state.forms.in_use && self.try_forms() {
            return self.request_root_values();
        }
        self.try_menus();
        if self.is_requesting() {
            return;
        }
        // Whoever has chosen this list has seen that its members are no lists.
        if self.state.settings.plain_lists && self.begin_plain() {
            return;
        }
        if self.try_shared_links() {
            return;
        }
        if self.try_hub() {
            return self.request_root_values();
        }
        // A look at a page that lists something goes on with the lists around it, not with words.
        let lists_something = self.state.settings.look && self.state.root_page_lists_something();
        if !lists_something
            && (self.state.search.keywords.is_some() || keywords::begin(&mut self.state))
        {
            return self.search_on();
        }
        let pages = self.state.requests.answered;
        self.state.end =
            Some(format!("no group of links or controls narrows its lists ({pages} pages)"));
    }

    /// Requests what is decided of the values that the root page offers.
    pub(super) fn request_root_values(&mut self) {
        for decision in planner::root_values(&self.state) {
            self.carry_out(&decision);
        }
    }

    /// False if a sample could not be requested.
    fn carry_out(&mut self, decision: &Decision) -> bool {
        match decision {
            Decision::Sample { parent, attribute } => self.sample(*parent, *attribute),
            Decision::Narrow { parent, offer } => {
                self.request_if_new(*parent, offer);
                true
            }
        }
    }

    /// Requests one value of an attribute whose meaning is unknown. False if there is none to request.
    fn sample(&mut self, parent: QueryId, attribute: AttributeId) -> bool {
        let chosen = planner::choose_sample(&self.state, parent, attribute);
        let known = self.state.attribute(attribute);
        let Some(offer) = chosen else { return false };
        let before = known.samples.len();
        self.request_query(parent, &offer);
        let query = self.state.narrowed(parent, &offer);
        let samples = &mut self.state.attribute(attribute).samples;
        samples.extend(query);
        samples.len() > before
    }

    fn request_if_new(&mut self, parent: QueryId, offer: &OfferedPredicate) {
        if self.state.is_new(parent, offer) {
            self.request_query(parent, offer);
        }
    }

    /// Requests the first page of a query, unless that was done.
    fn request_query(&mut self, parent: QueryId, offer: &OfferedPredicate) {
        let state = &mut self.state;
        let mut predicates = state.graph[parent].predicates.clone();
        predicates.push(offer.predicate);
        let query = state.graph.add_query(predicates, &offer.request.key());
        let node = &mut state.graph[query];
        if node.state != QueryState::Offered {
            state.saved.equivalent += 1;
            return;
        }
        node.expected = offer.count;
        node.state = QueryState::Asked;
        if !state.requests.send(&offer.request, Task::List { query, page: 1 }, 0) {
            state.graph[query].state = QueryState::Dropped;
        }
    }

    /// Requests a further page of a query.
    pub(super) fn request_page(&mut self, query: QueryId, page: u32, request: &Request) {
        if !self.state.requests.send(request, Task::List { query, page }, NEXT_PAGE) {
            self.state.end_list(query);
        }
    }

    /// Goes on with sampled queries that waited for the meaning of an attribute.
    pub(super) fn release_held(&mut self, attribute: AttributeId) {
        for query in self.state.attribute(attribute).samples.clone() {
            if let Some(next) = self.state.lists.held.remove(&query) {
                let page = self.state.graph[query].pages + 1;
                self.request_page(query, page, &next);
            }
        }
    }

    /// What was requested and never came is given up.
    fn give_up_pending(&mut self) {
        for task in self.state.requests.give_up() {
            match task {
                Task::List { query, .. } => self.state.end_list(query),
                Task::LargerRoot => self.offer_first_root_groups(),
                Task::Root
                | Task::MoreValues { .. }
                | Task::Keyword { .. }
                | Task::EntityPage { .. }
                | Task::HubPage
                | Task::CommonList
                | Task::SharedLink
                | Task::RecordPage
                | Task::Compare(_) => {}
                Task::Lift => self.lift_or_go_on(),
            }
        }
    }

    fn drill_down(&mut self) {
        let plan = planner::drill_down(&self.state);
        for decision in &plan.decisions {
            let requested = self.carry_out(decision);
            if let Decision::Sample { attribute, .. } = decision
                && !requested
            {
                self.state.attribute(*attribute).meaning = Meaning::NotAFacet;
            }
        }
        self.state.offers.settle(plan.settled);
        let queries: Vec<QueryId> = self.state.offers.iter().map(|(query, _)| query).collect();
        for query in queries {
            if self.state.graph[query].state != QueryState::Short {
                self.state.drop_settled(query);
            }
        }
    }

    /// Reads the lists of samples on that were not enough to decide: where they end before the root list does, they
    /// are parts of it. False if there is nothing to read.
    fn read_on_undecided(&mut self) -> bool {
        let state = &self.state;
        if state.settings.look || state.graph[QueryId::ROOT].state != QueryState::Whole {
            return false;
        }
        let undecided = state
            .attributes
            .values()
            .filter(|known| known.at_root && !known.is_menu && known.meaning == Meaning::Unknown);
        let lists: Vec<(QueryId, u32)> = undecided
            .filter_map(|known| known.samples.last())
            .map(|query| (*query, state.graph[*query].pages))
            .filter(|(query, pages)| {
                state.lists.reads_on.contains(query) && *pages <= MAX_PAGES_READ_ON
            })
            .collect();
        for (query, pages) in lists {
            if let Some(next) = self.state.lists.held.remove(&query) {
                self.request_page(query, pages + 1, &next);
            }
        }
        self.is_requesting()
    }

    /// Drops attributes of the root page that no sample has shown to narrow the list.
    fn drop_undecided(&mut self) {
        let known = self.state.attributes.iter();
        let undecided: Vec<AttributeId> = known
            .filter(|(_, known)| known.at_root && known.meaning == Meaning::Unknown)
            .map(|(id, _)| *id)
            .collect();
        for attribute in undecided {
            self.state.attribute(attribute).meaning = Meaning::NotAFacet;
            self.state.drop_attribute(attribute);
        }
    }

    /// Drops attributes whose values all return the same entities.
    fn drop_views(&mut self) {
        for attribute in planner::views(&self.state) {
            let known = self.state.attribute(attribute);
            known.meaning = Meaning::NotAFacet;
            known.evidence.push("all its values returned the same entities: a view".to_owned());
            self.state.drop_attribute(attribute);
        }
    }

    /// Splits queries with truncated lists by one more attribute.
    fn split(&mut self) {
        for query in planner::truncated_queries(&self.state) {
            let attribute = planner::best_split(&self.state, query);
            self.state.splits.entry(query).or_default().extend(attribute);
            let Some(attribute) = attribute else { continue };
            for offer in self.state.offers_of(query, attribute) {
                self.request_if_new(query, &offer);
            }
        }
    }

    /// Reads the root list on if it has entities that no other query has shown.
    fn read_root_list(&mut self) {
        if planner::root_list_has_more(&self.state)
            && let Some(next) = self.state.lists.second_root_page.take()
        {
            let page = self.state.graph[QueryId::ROOT].pages + 1;
            self.state.requests.send(&next, Task::List { query: QueryId::ROOT, page }, 0);
        }
    }

    /// Requests some entities' own pages, to learn which values they do not show; or all of them.
    fn request_entities(&mut self) {
        let pages = &mut self.state.entity_pages;
        if std::mem::replace(&mut pages.requested, true) || !pages.may_be_followed {
            return;
        }
        for (entity, sampled) in planner::entity_pages(&self.state) {
            let request = Request::get(self.state.graph.entity_address(entity));
            self.state.requests.send(&request, Task::EntityPage { sampled }, 0);
        }
    }

    /// Takes the controls of forms as candidates for attributes. False if there are none.
    fn try_forms(&mut self) -> bool {
        self.state.forms.in_use = true;
        let controls = std::mem::take(&mut self.state.forms.groups);
        self.offer_at_root(&controls);
        !controls.is_empty()
    }

    /// Takes the links that look like the seed's entities as values of one attribute, in case they
    /// lead to lists. A list that they all narrow comes first: a front page seldom links to all
    /// lists. False if nothing is left to try.
    fn try_hub(&mut self) -> bool {
        while let Some(common) = self.state.hub.next_common_list() {
            match self.state.kept.find(&common) {
                // It was requested before as the value of an attribute.
                Some(page) if self.take_common_list(&page) => return true,
                Some(_) => {}
                None if self.state.requests.send(&common, Task::CommonList, NEXT_PAGE) => {
                    return true;
                }
                None => {}
            }
        }
        let Some((listed, shape)) = self.state.hub.begin() else { return false };
        self.state.forget_entities();
        self.state.graph[QueryId::ROOT].total = None;
        self.state.lists.entity_links = EntityLinks::beside(shape);
        self.offer_categories(listed);
        if let Some(next) = self.state.lists.second_root_page.take() {
            self.state.requests.send(&next, Task::HubPage, NEXT_PAGE);
        }
        true
    }

    pub(super) fn offer_categories(&mut self, categories: Vec<OfferedValue>) {
        self.offer_at_root(&[hub::category_group(categories)]);
    }

    /// Takes the value groups of the root page as candidates for attributes.
    pub(super) fn offer_at_root(&mut self, groups: &[ValueGroup]) {
        let state = &mut self.state;
        if state.is_plain {
            return;
        }
        // A front page without a list of its own: every group is tried.
        let any = state.graph[QueryId::ROOT].answers.is_empty();
        state.names.learn(groups, &mut state.graph);
        if !state.forms.in_use && state.forms.groups.is_empty() {
            state.forms.groups = groups.iter().filter(|group| group.is_form).cloned().collect();
        }
        for group in groups {
            let is_likely = any || group.score >= state.settings.facet_score;
            if (group.is_form && !state.forms.in_use) || (group.is_of_records && !any) {
                continue;
            }
            if !is_likely {
                state.menus.add(group);
                continue;
            }
            let group = &state.names.named(group);
            state.names.learn_requests(group);
            state.add_offers(QueryId::ROOT, group);
            let attribute = state.graph.attributes.intern(&group.attribute);
            state.attribute(attribute).at_root = true;
            for request in &group.more {
                let task = Task::MoreValues { query: QueryId::ROOT, attribute };
                state.requests.send(request, task, NEXT_PAGE);
            }
        }
        state.offers.settle_from(QueryId::ROOT, 0);
    }

    /// Offers the value groups of the first root page, when no larger page is better.
    pub(super) fn offer_first_root_groups(&mut self) {
        let groups = std::mem::take(&mut self.state.lists.root_groups);
        self.offer_at_root(&groups);
    }

    /// Explores the best keyword so far, or searches for further ones.
    fn search_on(&mut self) {
        if let Some(end) = keywords::ends_without_facets(&self.state) {
            self.state.end = Some(end);
            return;
        }
        if let Some(query) = keywords::best_keyword(&self.state) {
            self.explore_keyword(query);
            if self.is_requesting() {
                return;
            }
        }
        keywords::request_next(&mut self.state);
        if !self.is_requesting() {
            self.request_entities();
        }
        if !self.is_requesting() {
            let searched = self.state.search.keywords.as_ref();
            let answered = searched.is_some_and(keywords::Keywords::any_answers);
            self.state.end = Some(match answered {
                false => "no word that was searched for had an answer".to_owned(),
                true => "further words bring nothing new".to_owned(),
            });
        }
    }

    /// Requests everything that the results of a keyword offer.
    fn explore_keyword(&mut self, query: QueryId) {
        let shown = self.state.graph[query].answers.len() as u64;
        let is_whole = keywords::shows_whole_answer(&self.state, query);
        let offers = self.state.offers.of(query).to_vec();
        let mut waits = false;
        for offer in &offers {
            let attribute = self.state.attribute_of(offer.predicate);
            match self.state.meaning(attribute) {
                Meaning::NotAFacet => {}
                Meaning::Unknown => {
                    self.sample(query, attribute);
                    waits = true;
                }
                // All entities are shown, and the count says that each of them has the value.
                Meaning::Facet if is_whole && offer.count == Some(shown) => {
                    keywords::conclude(&mut self.state, query, offer);
                }
                Meaning::Facet => self.request_if_new(query, offer),
            }
        }
        if waits && !self.is_requesting() {
            // Nothing more can be learned of the attributes that are still unknown.
            for offer in &offers {
                let attribute = self.state.attribute_of(offer.predicate);
                let known = self.state.attribute(attribute);
                if known.meaning == Meaning::Unknown {
                    known.meaning = Meaning::NotAFacet;
                }
            }
            waits = false;
        }
        if !waits && let Some(keywords) = &mut self.state.search.keywords {
            keywords.mark_explored(query);
        }
    }
}
