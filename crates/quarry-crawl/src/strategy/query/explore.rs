//! How far is one seed's site explored? What was asked, what came, and what each group of links
//! turned out to mean.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use quarry_extract::forms::Submission;
use quarry_model::Request;

use super::QuerySettings;
use super::account::Saved;
use super::entity::EntityLinks;
use super::hub::Hub;
use super::keywords::Keywords;
use super::plan::{Meaning, Verdict, verdict};
use super::sight::{Group, Sight};
use crate::Address;
use crate::query::{Answer, QueryGraph, QueryState};
use crate::strategy::Proposal;

/// Next pages are read before new queries begin: pages of one list close in time.
const NEXT_PAGE: i32 = -1;

/// A page as it was read.
#[derive(Debug, Clone)]
pub(super) struct Page {
    /// Its address; of a form that was posted, the key of the request.
    pub(super) name: String,
    pub(super) depth: u32,
    pub(super) sight: Arc<Sight>,
}

/// A request on its way out.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) key: String,
    pub(super) proposal: Proposal<'static>,
}

/// What a request is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Task {
    /// The seed.
    Root,
    /// The list of everything with more entities a page.
    Larger,
    /// The n-th page of a query, from 1.
    List { query: u32, page: u32 },
    /// The values of an attribute that a query's page did not show.
    More { query: u32, attribute: u32 },
    /// The answer to a word.
    Keyword { query: u32 },
    /// An entity's own page; of the sample that is compared with what the facets say.
    Detail { entity: u32, sampled: bool },
    /// A further page of a list of lists.
    Hub,
    /// What the lists of such a list may narrow.
    Whole,
}

/// A predicate that a query's page offers to add.
#[derive(Debug, Clone)]
pub(super) struct Offered {
    pub(super) predicate: u32,
    pub(super) request: Request,
    pub(super) count: Option<u64>,
}

/// What is known of an attribute.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    pub(super) meaning: Meaning,
    /// Queries that were asked to learn the meaning.
    pub(super) samples: Vec<u32>,
    /// The query for everything offers it.
    pub(super) at_root: bool,
}

/// One seed's site.
#[derive(Debug)]
pub(super) struct Exploration {
    pub(super) graph: QueryGraph,
    root_key: String,
    pub(super) plans: BTreeMap<u32, Plan>,
    /// What queries offer beside their own predicates.
    pub(super) offers: BTreeMap<u32, Vec<Offered>>,
    /// Predicates that are asked for, or need not be any more.
    pub(super) settled: BTreeSet<u32>,
    tasks: BTreeMap<String, Task>,
    asks: VecDeque<Ask>,
    /// Second pages of queries whose meaning is not yet known.
    held: BTreeMap<u32, Request>,
    /// How links to entities are told from others, once a list has been seen.
    pub(super) entity: EntityLinks,
    /// Parameters that set the page size.
    size_keys: BTreeSet<String>,
    /// Entities of queries whose pages are still coming.
    members: BTreeMap<u32, BTreeSet<u32>>,
    /// Names of attributes by the parameter that sets them, and whether the page gave the name.
    keys: BTreeMap<String, Option<(String, bool)>>,
    /// Entities on a full page.
    pub(super) page_size: usize,
    /// The first page's groups, until it is known whether a larger page has better ones.
    first: Vec<Group>,
    /// Controls of forms: tried where no links narrow the list. A site with facet links has forms,
    /// too, that combine columns and operators.
    pub(super) controls: Vec<Group>,
    pub(super) use_forms: bool,
    /// The second page of the list of everything.
    pub(super) rest: Option<Request>,
    /// Attributes that a capped query was split by.
    pub(super) splits: BTreeMap<u32, Vec<u32>>,
    depth: u32,
    /// What the seed lists, should that be lists themselves.
    pub(super) hub: Hub,
    /// Where nothing can be browsed: what is searched for.
    pub(super) keywords: Option<Keywords>,
    pub(super) search: Option<Submission>,
    pub(super) language: Option<String>,
    pub(super) words: Vec<String>,
    /// Entities whose own pages were looked at.
    pub(super) details: Vec<u32>,
    pub(super) details_asked: bool,
    pub(super) saved: Saved,
    pub(super) requests: u64,
    pub(super) end: Option<String>,
    /// Pages that came before anything narrowed a list, and supposed entities that are lists: another beginning may
    /// ask for them.
    pub(super) tried: BTreeMap<String, Page>,
    /// Entities' own pages that came.
    pub(super) details_seen: usize,
    /// Of them, those that list others.
    pub(super) details_listing: usize,
    /// Whether the list that they narrow was asked for.
    pub(super) doubted: bool,
    /// Of them, those to be shown again.
    again: BTreeMap<String, Page>,
}

impl Exploration {
    pub(super) fn begin(root_key: String, request: &Request) -> Self {
        let mut graph = QueryGraph::default();
        graph.query(Vec::new(), &request.key());
        Self {
            graph,
            tasks: BTreeMap::from([(root_key.clone(), Task::Root)]),
            root_key,
            plans: BTreeMap::new(),
            offers: BTreeMap::new(),
            settled: BTreeSet::new(),
            asks: VecDeque::new(),
            held: BTreeMap::new(),
            entity: EntityLinks::default(),
            size_keys: BTreeSet::new(),
            members: BTreeMap::new(),
            keys: BTreeMap::new(),
            page_size: 1,
            first: Vec::new(),
            controls: Vec::new(),
            use_forms: false,
            rest: None,
            splits: BTreeMap::new(),
            depth: 0,
            hub: Hub::default(),
            keywords: None,
            search: None,
            language: None,
            words: Vec::new(),
            details: Vec::new(),
            details_asked: false,
            saved: Saved::default(),
            requests: 0,
            end: None,
            tried: BTreeMap::new(),
            details_seen: 0,
            details_listing: 0,
            doubted: false,
            again: BTreeMap::new(),
        }
    }

    /// Begins once more with another page as the query for everything.
    pub(super) fn begin_again(&mut self, page: &Page, settings: &QuerySettings) {
        let mut new = Self::begin(self.root_key.clone(), &Request::get(&page.name));
        new.tasks.clear();
        new.requests = self.requests;
        new.again = std::mem::take(&mut self.tried);
        *self = new;
        self.root(page, settings);
        // The list of everything is where it begins, whatever else it shows.
        self.hub = Hub::default();
    }

    /// The page of a request that is kept.
    pub(super) fn tried(&self, request: &Request) -> Option<Page> {
        let address = Address::normalise(&request.url).ok()?;
        let key = Request::get(address.as_str()).key().into_owned();
        self.tried.get(&key).cloned()
    }

    /// Pages that should be shown again to whoever asks for them.
    pub(super) fn take_again(&mut self) -> BTreeMap<String, Page> {
        std::mem::take(&mut self.again)
    }

    fn is_faceted(&self) -> bool {
        self.plans.values().any(|plan| plan.meaning == Meaning::Facet)
    }

    pub(super) fn root_key(&self) -> &str {
        &self.root_key
    }

    pub(super) fn wants(&self, key: &str) -> bool {
        self.tasks.contains_key(key)
    }

    /// Whether something was asked and has not come.
    pub(super) fn is_out(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// Whether anything is about to be asked.
    pub(super) fn is_asking(&self) -> bool {
        !self.asks.is_empty()
    }

    pub(super) fn next_ask(&mut self) -> Option<Ask> {
        self.asks.pop_front()
    }

    /// Asks, unless that was asked for already.
    pub(super) fn ask(&mut self, request: &Request, task: Task, priority: i32) -> bool {
        let Ok(address) = Address::normalise(&request.url) else { return false };
        let body = request.body.clone();
        let depth = self.depth + 1;
        let proposal = Proposal { address: Cow::Owned(address), body, depth, priority };
        let key = proposal.request().key().into_owned();
        if self.tasks.contains_key(&key) || key == self.root_key {
            return false;
        }
        self.tasks.insert(key.clone(), task);
        self.asks.push_back(Ask { key, proposal });
        true
    }

    /// Asks for the first page of a query, unless that was done.
    pub(super) fn ask_query(&mut self, parent: u32, offer: &Offered) {
        let mut predicates = self.graph.queries[parent as usize].predicates.clone();
        predicates.push(offer.predicate);
        let query = self.graph.query(predicates, &offer.request.key());
        let node = &mut self.graph.queries[query as usize];
        if node.state != QueryState::Offered {
            self.saved.equivalent += 1;
            return;
        }
        node.expected = offer.count;
        node.state = QueryState::Asked;
        if !self.ask(&offer.request, Task::List { query, page: 1 }, 0) {
            self.graph.queries[query as usize].state = QueryState::Dropped;
        }
    }

    /// Takes a page that was asked for.
    pub(super) fn take(&mut self, key: &str, page: &Page, settings: &QuerySettings) {
        let Some(task) = self.tasks.remove(key) else { return };
        self.requests += 1;
        if !self.is_faceted() && task != Task::Root {
            self.tried.insert(key.to_owned(), page.clone());
        }
        let sight = &*page.sight;
        self.saved.views += sight.views as u64;
        self.size_keys.extend(sight.size_keys.iter().cloned());
        match task {
            Task::Root => self.root(page, settings),
            Task::Larger => {
                let before = self.page_size;
                self.absorb(0, page);
                let found = self.entity.among(sight).len();
                if found > before {
                    self.page_size = found;
                    self.rest = sight.next.clone();
                    self.first.clear();
                    self.offer_root(&sight.groups, settings);
                } else {
                    let first = std::mem::take(&mut self.first);
                    self.offer_root(&first, settings);
                }
            }
            Task::List { query, page: number } => self.list(query, number, page, settings),
            Task::More { query, attribute } => self.more(query, attribute, sight, settings),
            Task::Keyword { query } => self.searched(query, page, settings),
            Task::Detail { entity, sampled } => {
                self.details.extend(sampled.then_some(entity));
                self.doubt_entities(key, page, settings);
            }
            Task::Hub => self.take_hub(sight, settings),
            Task::Whole => _ = self.take_whole(page, settings),
        }
        self.advance(settings);
    }

    fn root(&mut self, page: &Page, settings: &QuerySettings) {
        let sight = &*page.sight;
        self.depth = page.depth;
        self.entity.learn(sight);
        self.hub = Hub::of(sight);
        self.search.clone_from(&sight.search);
        self.language.clone_from(&sight.language);
        self.words.clone_from(&sight.words);
        let root = &mut self.graph.queries[0];
        root.state = QueryState::Asked;
        root.total = sight.total;
        self.page_size = sight.entities.len().max(1);
        self.rest = sight.next.clone().or_else(|| sight.numbered.get(&2).cloned());
        self.absorb(0, page);
        let all_here = sight.total.is_some_and(|total| total <= sight.entities.len() as u64);
        if let Some((size, request)) = &sight.larger
            && *size as usize > sight.entities.len()
            && !all_here
            && self.ask(request, Task::Larger, NEXT_PAGE)
        {
            self.first.clone_from(&sight.groups);
            return;
        }
        self.offer_root(&sight.groups, settings);
    }

    /// What was taken for entities was none.
    pub(super) fn forget_members(&mut self) {
        self.members.clear();
    }

    /// Adds the entities of a page to the answer of a query. Returns how many are new there.
    pub(super) fn absorb(&mut self, query: u32, page: &Page) -> usize {
        // The first list of several shows where entities stand.
        if self.entity.among(&page.sight).len() > 1 {
            self.entity.learn(&page.sight);
        }
        let seen = self.entity.among(&page.sight);
        let graph = &mut self.graph;
        let node = &mut graph.queries[query as usize];
        node.pages += 1;
        let number = graph.pages.id(&page.name);
        let known = self.members.entry(query).or_insert_with(|| {
            node.answers.iter().map(|answer| answer.entity).collect::<BTreeSet<u32>>()
        });
        let before = node.answers.len();
        for entity in seen {
            let id = graph.entities.id(&entity.address);
            if known.insert(id) {
                let path = graph.paths.id(&entity.path);
                node.answers.push(Answer { entity: id, page: number, path });
            }
        }
        node.answers.len() - before
    }

    /// Takes the controls of forms as candidates for attributes. False if there are none.
    pub(super) fn try_forms(&mut self, settings: &QuerySettings) -> bool {
        self.use_forms = true;
        let controls = std::mem::take(&mut self.controls);
        self.offer_root(&controls, settings);
        !controls.is_empty()
    }

    /// Takes the groups of the page of everything as candidates for attributes.
    pub(super) fn offer_root(&mut self, groups: &[Group], settings: &QuerySettings) {
        // A front page without a list of its own: whatever may lead to lists is tried.
        let any = self.graph.queries[0].answers.is_empty();
        self.learn_keys(groups);
        if !self.use_forms && self.controls.is_empty() {
            self.controls = groups.iter().filter(|group| group.is_form).cloned().collect();
        }
        let usable = |group: &&Group| {
            (any || group.score >= settings.facet_score) && (self.use_forms || !group.is_form)
        };
        let groups: Vec<&Group> = groups.iter().filter(usable).collect();
        for group in groups {
            let group = &self.named(group);
            self.offer(0, group);
            let attribute = self.graph.attributes.id(&group.attribute);
            self.plans.entry(attribute).or_default().at_root = true;
            for request in &group.more {
                self.ask(request, Task::More { query: 0, attribute }, NEXT_PAGE);
            }
        }
        let offered = self.offers.get(&0).map_or(&[][..], Vec::as_slice);
        self.settled.extend(offered.iter().map(|offer| offer.predicate));
    }

    /// Learns which parameters set which attributes, from a page's groups. One that sets several
    /// (`?filter=color:red`) says nothing.
    fn learn_keys(&mut self, groups: &[Group]) {
        let mut names: BTreeMap<&str, BTreeSet<(&str, bool)>> = BTreeMap::new();
        for group in groups {
            if let Some(key) = &group.key {
                names.entry(key).or_default().insert((&group.attribute, group.is_named));
            }
        }
        for (key, names) in names {
            let named = names.iter().filter(|(_, is_named)| *is_named).count();
            let mut fitting = names.iter().filter(|(_, is_named)| *is_named == (named > 0));
            let only = fitting.next().filter(|_| fitting.next().is_none());
            let only = only.map(|(name, is_named)| ((*name).to_owned(), *is_named));
            match (self.keys.get_mut(key), only) {
                (None, only) => {
                    self.keys.insert(key.to_owned(), only);
                }
                // What the page calls it is better than what the address calls it.
                (Some(Some(known)), Some(better)) if !known.1 && better.1 => {
                    let id = self.graph.attributes.find(&known.0);
                    if id.is_none_or(|id| self.graph.attributes.rename(id, &better.0)) {
                        *known = better;
                    }
                }
                _ => {}
            }
        }
    }

    /// The group under the name that its attribute was first met by.
    fn named(&self, group: &Group) -> Group {
        let known = group.key.as_ref().and_then(|key| self.keys.get(key)?.clone());
        let attribute = known.map_or_else(|| group.attribute.clone(), |(name, _)| name);
        Group { attribute, ..group.clone() }
    }

    /// Remembers what a group offers at a query.
    fn offer(&mut self, query: u32, group: &Group) {
        if group.key.as_ref().is_some_and(|key| self.size_keys.contains(key)) {
            return;
        }
        for offer in &group.offers {
            let predicate = self.graph.predicate(&group.attribute, &offer.value);
            if self.graph.queries[query as usize].predicates.contains(&predicate) {
                continue;
            }
            let list = self.offers.entry(query).or_default();
            if !list.iter().any(|known| known.predicate == predicate) {
                list.push(Offered {
                    predicate,
                    request: offer.request.clone(),
                    count: offer.count,
                });
            }
        }
    }

    pub(super) fn attribute_of(&self, predicate: u32) -> u32 {
        self.graph.predicates[predicate as usize].attribute
    }

    pub(super) fn meaning(&self, attribute: u32) -> Meaning {
        self.plans.get(&attribute).map_or(Meaning::Unknown, |plan| plan.meaning)
    }

    /// Takes the n-th page of a query.
    fn list(&mut self, query: u32, number: u32, page: &Page, settings: &QuerySettings) {
        let sight = &*page.sight;
        let new = self.absorb(query, page);
        if number == 1 {
            self.graph.queries[query as usize].total = sight.total;
            if !self.learn(query, sight, settings) {
                return;
            }
            self.offer_below(query, sight, settings);
        }
        let node = &self.graph.queries[query as usize];
        let all = node.total.is_some_and(|total| node.answers.len() as u64 >= total);
        match sight.next.as_ref().or_else(|| sight.numbered.get(&(number + 1))) {
            Some(next) if !all && new > 0 => {
                let unknown = node.predicates.iter().any(|&predicate| {
                    self.meaning(self.attribute_of(predicate)) == Meaning::Unknown
                });
                if unknown {
                    self.held.insert(query, next.clone());
                } else {
                    self.ask_page(query, number + 1, next, settings);
                }
            }
            _ => self.end_of(query, settings),
        }
    }

    fn ask_page(&mut self, query: u32, page: u32, next: &Request, settings: &QuerySettings) {
        if !self.ask(next, Task::List { query, page }, NEXT_PAGE) {
            self.end_of(query, settings);
        }
    }

    /// The pages of a query are over.
    fn end_of(&mut self, query: u32, settings: &QuerySettings) {
        self.members.remove(&query);
        let node = &mut self.graph.queries[query as usize];
        let found = node.answers.len() as f64;
        let claimed = node.claimed().unwrap_or(0) as f64;
        let short = claimed - found > (claimed * settings.tolerance).max(2.0);
        node.state = if short { QueryState::Short } else { QueryState::Whole };
        if !short {
            self.forget_settled(query);
        }
    }

    /// Of what a query offers only that stays which is not asked for elsewhere.
    pub(super) fn forget_settled(&mut self, query: u32) {
        let Some(list) = self.offers.get_mut(&query) else { return };
        let before = list.len();
        list.retain(|offer| !self.settled.contains(&offer.predicate));
        self.saved.combinations += (before - list.len()) as u64;
        if list.is_empty() {
            self.offers.remove(&query);
        }
    }

    /// Learns from the first page of a query what its newest attribute means. False if it means
    /// nothing.
    fn learn(&mut self, query: u32, sight: &Sight, settings: &QuerySettings) -> bool {
        let node = &self.graph.queries[query as usize];
        let unknown = node.predicates.iter().map(|&predicate| self.attribute_of(predicate));
        let Some(attribute) = unknown.into_iter().find(|&a| self.meaning(a) != Meaning::Facet)
        else {
            return true;
        };
        let parent = self.parent_of(query, attribute);
        let found = self.entity.among(sight).len();
        let parent = &self.graph.queries[parent as usize];
        let narrower = match self.hub.below(sight) {
            Some(_) => Verdict::Facet,
            None => verdict(parent, node, sight, found, self.page_size),
        };
        if narrower == Verdict::Facet {
            self.entity.learn(sight);
        }
        let plan = self.plans.entry(attribute).or_default();
        match narrower {
            Verdict::Facet => plan.meaning = Meaning::Facet,
            Verdict::Not => plan.meaning = Meaning::Nothing,
            Verdict::Unsure if plan.samples.len() >= settings.samples => {
                plan.meaning = Meaning::Nothing;
            }
            Verdict::Unsure => {}
        }
        match plan.meaning {
            Meaning::Facet => self.release(attribute, settings),
            Meaning::Nothing => self.drop_attribute(attribute),
            Meaning::Unknown => {}
        }
        self.meaning(attribute) != Meaning::Nothing
    }

    /// The query without the predicates of an attribute.
    fn parent_of(&self, query: u32, attribute: u32) -> u32 {
        let predicates = self.graph.queries[query as usize].predicates.iter().copied();
        let rest: Vec<u32> =
            predicates.filter(|&predicate| self.attribute_of(predicate) != attribute).collect();
        self.graph.find(&rest).unwrap_or(0)
    }

    /// Goes on with queries that waited for the meaning of an attribute.
    fn release(&mut self, attribute: u32, settings: &QuerySettings) {
        let samples = self.plans.get(&attribute).map(|plan| plan.samples.clone());
        for query in samples.unwrap_or_default() {
            if let Some(next) = self.held.remove(&query) {
                self.ask_page(query, 2, &next, settings);
            }
        }
    }

    /// Takes back what was asked in the belief that a group of links is an attribute.
    fn drop_attribute(&mut self, attribute: u32) {
        let graph = &mut self.graph;
        for node in &mut graph.queries {
            let has =
                |predicate: &u32| graph.predicates[*predicate as usize].attribute == attribute;
            if node.predicates.iter().any(has) {
                node.state = QueryState::Dropped;
            }
        }
        for list in self.offers.values_mut() {
            list.retain(|o| graph.predicates[o.predicate as usize].attribute != attribute);
        }
        let held = std::mem::take(&mut self.held);
        let graph = &self.graph;
        self.held = held
            .into_iter()
            .filter(|(query, _)| graph.queries[*query as usize].state != QueryState::Dropped)
            .collect();
    }

    /// Remembers what the first page of a query offers; asks for values that it does not show.
    pub(super) fn offer_below(&mut self, query: u32, sight: &Sight, settings: &QuerySettings) {
        self.learn_keys(&sight.groups);
        let use_forms = self.use_forms;
        let hub = self.hub.clone();
        let usable = |group: &&Group| {
            let facet = group.score >= settings.facet_score || hub.leads_on(group);
            facet && (use_forms || !group.is_form)
        };
        let below = hub.below(sight);
        for group in sight.groups.iter().filter(usable).chain(&below) {
            let group = &hub.named(self.named(group));
            let attribute = self.graph.attributes.id(&group.attribute);
            let plan = self.plans.entry(attribute).or_default();
            if plan.meaning == Meaning::Nothing {
                continue;
            }
            let below = !plan.at_root;
            self.offer(query, group);
            for request in group.more.iter().filter(|_| below) {
                self.ask(request, Task::More { query, attribute }, NEXT_PAGE);
            }
        }
    }

    /// Takes a page that shows more values of an attribute.
    fn more(&mut self, query: u32, attribute: u32, sight: &Sight, settings: &QuerySettings) {
        let name = self.graph.attributes.text(attribute).to_owned();
        let known: BTreeSet<String> = self
            .offers
            .get(&query)
            .into_iter()
            .flatten()
            .filter(|offer| self.attribute_of(offer.predicate) == attribute)
            .map(|offer| self.graph.predicates[offer.predicate as usize].value.clone())
            .collect();
        let shared = |group: &&Group| {
            let values = group.offers.iter().filter(|offer| known.contains(&offer.value)).count();
            (values, group.attribute == name, group.offers.len())
        };
        // The group that goes on with the values that are known.
        let Some(best) = sight.groups.iter().max_by_key(shared) else { return };
        let group = Group { attribute: name, more: Vec::new(), ..best.clone() };
        let before = self.offers.get(&query).map_or(0, Vec::len);
        self.offer(query, &group);
        if query == 0 {
            let new = self.offers.get(&0).map_or(&[][..], |list| &list[before..]);
            self.settled.extend(new.iter().map(|offer| offer.predicate));
            // The page may show more of the other attributes, too.
            let others: Vec<Group> = sight
                .groups
                .iter()
                .filter(|other| self.use_forms || !other.is_form)
                .map(|other| self.named(other))
                .filter(|other| {
                    let id = self.graph.attributes.find(&other.attribute);
                    other.score >= settings.facet_score
                        && id.is_some_and(|id| self.plans.contains_key(&id))
                })
                .map(|other| Group { more: Vec::new(), ..other })
                .collect();
            self.offer_root(&others, settings);
        }
    }

    /// What was asked and never came is given up.
    pub(super) fn give_up_tasks(&mut self, settings: &QuerySettings) {
        for (_, task) in std::mem::take(&mut self.tasks) {
            match task {
                Task::List { query, .. } => self.end_of(query, settings),
                Task::Larger => {
                    let first = std::mem::take(&mut self.first);
                    self.offer_root(&first, settings);
                }
                Task::Root
                | Task::More { .. }
                | Task::Keyword { .. }
                | Task::Detail { .. }
                | Task::Hub
                | Task::Whole => {}
            }
        }
    }

    /// Whether it is still open which page of everything is the best to begin from.
    pub(super) fn is_waiting(&self) -> bool {
        self.tasks.values().any(|task| matches!(task, Task::Root | Task::Larger))
    }
}
