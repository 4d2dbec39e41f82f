//! What one exploration remembers: what was requested and came back, and what is known of the site's
//! queries, attributes, lists and entity pages.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quarry_extract::forms::Submission;
use quarry_model::Request;

use super::QuerySettings;
use super::claims::ListClaims;
use super::entity_links::EntityLinks;
use super::facts::{QueryFacts, ValueGroup};
use super::hub::{Hub, MIN_LIST_ENTITIES};
use super::identity::IdentityState;
use super::keywords::Keywords;
use super::meaning::Meaning;
use super::menu::Menus;
use super::next_link_pattern::NextLinkPattern;
use super::offers::{AttributeNames, OfferedPredicate, Offers};
use super::report::SavedRequests;
use super::requests::{FetchedPage, KeptPages, Requests};
use crate::query::{
    Answer, AttributeId, EntityId, Interner, PredicateId, QueryGraph, QueryId, QueryState,
};

/// Entities that may be missing from a list of any length before it counts as truncated: one may
/// have been removed and one added while the list was read.
const ENTITIES_IN_FLUX: f64 = 2.0;

/// The exploration of one seed's site.
#[derive(Debug)]
pub(super) struct SiteState {
    pub(super) settings: Arc<QuerySettings>,
    pub(super) graph: QueryGraph,
    pub(super) requests: Requests,
    pub(super) attributes: BTreeMap<AttributeId, AttributeState>,
    pub(super) offers: Offers,
    pub(super) names: AttributeNames,
    pub(super) lists: Lists,
    pub(super) forms: FormControls,
    pub(super) menus: Menus,
    /// What the seed lists, in case these are lists themselves.
    pub(super) hub: Hub,
    /// Whether links that records of the root list share were asked for.
    pub(super) shared_links_tried: bool,
    pub(super) search: SiteSearch,
    pub(super) entity_pages: EntityPages,
    pub(super) identity: IdentityState,
    /// Attributes that queries with truncated lists were split by.
    pub(super) splits: BTreeMap<QueryId, Vec<AttributeId>>,
    pub(super) kept: KeptPages,
    pub(super) saved: SavedRequests,
    /// Restrictions of the root list that were lifted.
    pub(super) lifted: u32,
    /// Pages whose lists the exploration has begun with.
    pub(super) begun: BTreeSet<String>,
    /// The root page, until it is known whether something narrows its list.
    pub(super) root_page: Option<FetchedPage>,
    /// Nothing narrows the root list: it is read to its end.
    pub(super) is_plain: bool,
    /// What was decided about the root list, and why.
    pub(super) notes: Vec<String>,
    /// Why the exploration is over.
    pub(super) end: Option<String>,
}

/// What is known of an attribute.
#[derive(Debug, Clone, Default)]
pub(super) struct AttributeState {
    pub(super) meaning: Meaning,
    /// Queries that were requested to learn the meaning.
    pub(super) samples: Vec<QueryId>,
    /// The root query's page offers it.
    pub(super) at_root: bool,
    /// It looks like navigation: only what is known to be of the list makes it a facet.
    pub(super) is_menu: bool,
    /// What was returned to its samples.
    pub(super) evidence: Vec<String>,
}

/// What is known of the site's lists.
#[derive(Debug)]
pub(super) struct Lists {
    /// How links to entities are recognised, once a list has been read.
    pub(super) entity_links: EntityLinks,
    /// Entities on a full page.
    pub(super) page_size: usize,
    /// Address parameters that set the page size.
    pub(super) size_parameters: BTreeSet<String>,
    /// The root page's value groups, until it is known whether a larger page has more.
    pub(super) root_groups: Vec<ValueGroup>,
    /// The second page of the root query's list.
    pub(super) second_root_page: Option<Request>,
    /// The highest page number that the root page shows.
    pub(super) last_root_page: Option<u32>,
    /// What looks like the way to the previous page leads on: it did so on the first page of a list.
    /// Unknown until that was tried.
    pub(super) is_reversed: Option<bool>,
    /// The link that has led to further pages.
    next_link_pattern: Option<NextLinkPattern>,
    /// Queries whose second page is where the first page's link to a previous page leads.
    pub(super) contrary: BTreeSet<QueryId>,
    /// Requests that may lift a restriction of the root list, the last one first.
    pub(super) lifts: Vec<Request>,
    /// Second pages of sampled queries whose attribute's meaning is not yet known.
    pub(super) held: BTreeMap<QueryId, Request>,
    /// Sampled queries whose first page could not tell, but whose end may.
    pub(super) reads_on: BTreeSet<QueryId>,
    /// Where lists say how long they are.
    pub(super) claims: ListClaims,
    /// What the own pages of some records of the root list have listed.
    pub(super) of_records: BTreeSet<BTreeSet<String>>,
    /// Entities that list pages link to outside of their lists.
    pub(super) outside: BTreeSet<String>,
    /// Entities of queries whose pages are still being read.
    members: BTreeMap<QueryId, BTreeSet<EntityId>>,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            entity_links: EntityLinks::default(),
            page_size: 1,
            size_parameters: BTreeSet::new(),
            root_groups: Vec::new(),
            second_root_page: None,
            last_root_page: None,
            is_reversed: None,
            next_link_pattern: None,
            contrary: BTreeSet::new(),
            lifts: Vec::new(),
            held: BTreeMap::new(),
            reads_on: BTreeSet::new(),
            claims: ListClaims::default(),
            of_records: BTreeSet::new(),
            outside: BTreeSet::new(),
            members: BTreeMap::new(),
        }
    }
}

/// Links outside of lists that are remembered.
const MAX_OUTSIDE: usize = 10_000;
/// Entities that no list shows: at most this share of those that lists show, or so many.
const MAX_UNLISTED_SHARE: f64 = 0.05;
const MAX_UNLISTED: f64 = 3.0;

impl Lists {
    /// Pages of a list with this many entities; one where that is unknown.
    pub(super) fn pages_for(&self, entities: Option<u64>) -> u64 {
        entities.unwrap_or(1).max(1).div_ceil(self.page_size.max(1) as u64)
    }

    /// The pages that the lists of all these predicates take together.
    pub(super) fn pages_of<'o>(
        &self,
        offers: impl IntoIterator<Item = &'o OfferedPredicate>,
    ) -> u64 {
        offers.into_iter().map(|offer| self.pages_for(offer.count)).sum()
    }
}

/// Form controls that may narrow lists. They are tried where no links do: sites with facet links
/// also have forms that combine columns and operators.
#[derive(Debug, Default)]
pub(super) struct FormControls {
    pub(super) groups: Vec<ValueGroup>,
    pub(super) in_use: bool,
}

/// The site's search, for sites whose lists cannot be browsed.
#[derive(Debug, Default)]
pub(super) struct SiteSearch {
    pub(super) form: Option<Submission>,
    pub(super) language: Option<String>,
    /// Words of the root page.
    pub(super) words: Vec<String>,
    /// Present once keywords are searched for.
    pub(super) keywords: Option<Keywords>,
}

/// What is known of entities' own pages.
#[derive(Debug, Default)]
pub(super) struct EntityPages {
    pub(super) requested: bool,
    /// Entities were listed on a page whose links may be followed.
    pub(super) may_be_followed: bool,
    /// Addresses of entities whose pages are compared with the facet values: numbers of entities change when entities are joined
    /// or forgotten.
    pub(super) sampled: Vec<String>,
    /// Pages that were read.
    pub(super) read: usize,
    /// Of them, those that list entities which no query returned.
    pub(super) listing: usize,
    /// Whether a list that they all narrow was requested.
    pub(super) common_list_requested: bool,
}

impl SiteState {
    pub(super) fn new(settings: Arc<QuerySettings>, requests: Requests, root: &Request) -> Self {
        let mut graph = QueryGraph::default();
        graph.add_query(Vec::new(), &root.key());
        Self {
            settings,
            graph,
            requests,
            attributes: BTreeMap::new(),
            offers: Offers::default(),
            names: AttributeNames::default(),
            lists: Lists::default(),
            forms: FormControls::default(),
            menus: Menus::default(),
            hub: Hub::default(),
            shared_links_tried: false,
            search: SiteSearch::default(),
            entity_pages: EntityPages::default(),
            identity: IdentityState::default(),
            splits: BTreeMap::new(),
            kept: KeptPages::default(),
            saved: SavedRequests::default(),
            lifted: 0,
            begun: BTreeSet::new(),
            root_page: None,
            is_plain: false,
            notes: Vec::new(),
            end: None,
        }
    }

    pub(super) fn attribute_of(&self, predicate: PredicateId) -> AttributeId {
        self.graph[predicate].attribute
    }

    pub(super) fn meaning(&self, attribute: AttributeId) -> Meaning {
        self.attributes.get(&attribute).map_or(Meaning::Unknown, |known| known.meaning)
    }

    pub(super) fn attribute(&mut self, attribute: AttributeId) -> &mut AttributeState {
        self.attributes.entry(attribute).or_default()
    }

    /// Whether any attribute is known to narrow lists.
    pub(super) fn is_faceted(&self) -> bool {
        self.attributes.values().any(|known| known.meaning == Meaning::Facet)
    }

    /// The predicates of an attribute that a query offers.
    pub(super) fn offers_of(
        &self,
        query: QueryId,
        attribute: AttributeId,
    ) -> Vec<OfferedPredicate> {
        let offers = self.offers.of(query).iter();
        offers.filter(|offer| self.attribute_of(offer.predicate) == attribute).cloned().collect()
    }

    /// The query that an offer leads to, if the graph has it.
    pub(super) fn narrowed(&self, parent: QueryId, offer: &OfferedPredicate) -> Option<QueryId> {
        let mut predicates = self.graph[parent].predicates.clone();
        predicates.push(offer.predicate);
        predicates.sort_unstable();
        self.graph.find(&predicates)
    }

    /// Whether the query that an offer leads to has not been requested.
    pub(super) fn is_new(&self, parent: QueryId, offer: &OfferedPredicate) -> bool {
        let query = self.narrowed(parent, offer);
        query.is_none_or(|query| self.graph[query].state == QueryState::Offered)
    }

    /// The query without the predicates of an attribute.
    pub(super) fn parent_of(&self, query: QueryId, attribute: AttributeId) -> QueryId {
        let predicates = self.graph[query].predicates.iter().copied();
        let rest: Vec<PredicateId> =
            predicates.filter(|&predicate| self.attribute_of(predicate) != attribute).collect();
        self.graph.find(&rest).unwrap_or(QueryId::ROOT)
    }

    /// How many entities are known to answer a query: its own, and where it was split, those of
    /// narrower queries.
    pub(super) fn known_entities(&self, query: QueryId) -> usize {
        let node = &self.graph[query];
        let mut entities: BTreeSet<EntityId> = node.answers.iter().map(|a| a.entity).collect();
        if self.splits.contains_key(&query) {
            let narrower = self.graph.queries.iter().filter(|other| {
                other.is_answered()
                    && other.predicates.len() > node.predicates.len()
                    && node.predicates.iter().all(|p| other.predicates.contains(p))
            });
            entities.extend(narrower.flat_map(|other| other.answers.iter().map(|a| a.entity)));
        }
        entities.len()
    }

    /// Whether a list with `found` entities lacks more than the site's counts may be wrong by.
    pub(super) fn is_truncated(&self, claimed: Option<u64>, found: usize) -> bool {
        let claimed = claimed.unwrap_or(0) as f64;
        claimed - found as f64 > (claimed * self.settings.tolerance).max(ENTITIES_IN_FLUX)
    }

    /// Adds the entities of a page to the answer of a query. Returns how many are new there.
    pub(super) fn add_answers(&mut self, query: QueryId, page: &FetchedPage) -> usize {
        let predicates = &self.graph[query].predicates;
        let is_part = query != QueryId::ROOT
            && predicates.iter().all(|&id| self.meaning(self.attribute_of(id)) == Meaning::Facet);
        let links = &mut self.lists.entity_links;
        let graph = &mut self.graph;
        // The first list of several entities shows where their links stand.
        if links.among(&page.facts, &graph.identity).len() > 1 {
            links.learn(&page.facts, &graph.identity);
        }
        let node = &mut graph.queries[query.index()];
        if node.pages > 0 || is_part {
            links.widen(&page.facts, &graph.identity);
        }
        node.pages += 1;
        self.entity_pages.may_be_followed |= !page.facts.says_nofollow;
        let list_page = graph.pages.intern(&page.name);
        let known = self
            .lists
            .members
            .entry(query)
            .or_insert_with(|| node.answers.iter().map(|answer| answer.entity).collect());
        let before = node.answers.len();
        for shown in links.among(&page.facts, &graph.identity) {
            let entity = graph.entities.intern(&shown.address);
            if known.insert(entity) {
                let path = graph.paths.intern(&shown.link.path);
                node.answers.push(Answer { entity, page: list_page, path });
            }
        }
        let new = node.answers.len() - before;
        for address in links.outside(&page.facts, &graph.identity) {
            if self.lists.outside.len() >= MAX_OUTSIDE {
                break;
            }
            self.lists.outside.insert(address.into_owned());
        }
        new
    }

    /// Entities that list pages link to and that no list has shown. More than a few are pages of another kind.
    pub(super) fn unlisted(&self) -> Vec<String> {
        let entities = &self.graph.entities;
        let unknown = self.lists.outside.iter().filter(|address| entities.find(address).is_none());
        let unlisted: Vec<String> = unknown.cloned().collect();
        let most = (MAX_UNLISTED_SHARE * entities.len() as f64).max(MAX_UNLISTED);
        if unlisted.len() as f64 <= most { unlisted } else { Vec::new() }
    }

    /// How many entities a page shows.
    pub(super) fn count_entities(&self, facts: &QueryFacts) -> usize {
        self.lists.entity_links.among(facts, &self.graph.identity).len()
    }

    /// How many entities a page says that its list has.
    pub(super) fn claimed_total(&self, facts: &QueryFacts) -> Option<u64> {
        self.lists.claims.read(&facts.numbers, self.count_entities(facts)).or(facts.total)
    }

    /// Whether the root page is the first of several.
    pub(super) fn root_is_paged(&self) -> bool {
        self.lists.second_root_page.is_some() || self.graph[QueryId::ROOT].pages > 1
    }

    /// Whether the root page has a list of its own.
    pub(super) fn root_page_lists_something(&self) -> bool {
        let page = self.root_page.as_ref();
        page.is_some_and(|page| page.facts.entities.len() >= MIN_LIST_ENTITIES)
    }

    /// Whether the root page shows all of its list: the entities of the week on a front page, say.
    pub(super) fn root_is_one_page(&self) -> bool {
        let root = &self.graph[QueryId::ROOT];
        let shown = root.answers.len() as u64;
        shown > 0 && !self.root_is_paged() && root.total.is_none_or(|total| total <= shown)
    }

    /// The request for the page of a query's list after its `number`-th.
    pub(super) fn next_page(
        &mut self,
        query: QueryId,
        facts: &QueryFacts,
        number: u32,
    ) -> Option<Request> {
        let by_role = match self.lists.is_reversed {
            Some(true) => facts.previous.as_ref(),
            _ => facts.next.as_ref(),
        };
        let same_link =
            NextLinkPattern::follow(&mut self.lists.next_link_pattern, facts, by_role, number);
        let regular = by_role.or_else(|| facts.numbered.get(&(number + 1)));
        let regular = regular.or(same_link.as_ref());
        // Where a guess has led to the page before, it leads on.
        let regular = regular.or(facts.guessed_next.as_ref().filter(|_| number > 1));
        if regular.is_some() || number > 1 || self.lists.is_reversed.is_some() {
            return regular.cloned();
        }
        // A first page has no previous one, whatever its link is called. It may lead on if the list is
        // not at its end.
        let node = &self.graph[query];
        let is_short = match node.claimed() {
            Some(claimed) => self.is_truncated(Some(claimed), node.answers.len()),
            None => node.answers.len() >= self.lists.page_size,
        };
        if let Some(contrary) = facts.previous.clone().filter(|_| is_short) {
            self.lists.contrary.insert(query);
            return Some(contrary);
        }
        facts.guessed_next.clone().filter(|_| is_short)
    }

    /// Joins entities that the identity has made one, wherever they are remembered.
    pub(super) fn join_entities(&mut self) {
        let new = self.graph.join_entities();
        self.lists.members.clear();
        self.lists.entity_links.reshape(self.graph.entities().iter().map(String::as_str));
        if let Some(keywords) = &mut self.search.keywords {
            keywords.rename_entities(&new);
        }
    }

    /// Forgets all entities: what was taken for them are lists or other pages.
    pub(super) fn forget_entities(&mut self) {
        self.graph[QueryId::ROOT].answers.clear();
        self.graph.entities = Interner::default();
        self.lists.members.clear();
    }

    /// Marks a query whose last page was read as whole or truncated.
    pub(super) fn end_list(&mut self, query: QueryId) {
        self.lists.members.remove(&query);
        let node = &mut self.graph.queries[query.index()];
        // A list that ends with as many entities as the link to it said: its pages count something else.
        let found = node.answers.len() as u64;
        if node.expected == Some(found) && node.total.is_some_and(|total| total > found) {
            node.total = None;
        }
        let (claimed, pages) = (node.claimed(), node.pages);
        let is_unclaimed = node.total.is_none();
        let truncated = self.is_truncated(claimed, found as usize);
        if query == QueryId::ROOT && is_unclaimed && pages > 1 {
            self.lists.claims.learn(found);
        }
        self.graph[query].state = if truncated { QueryState::Short } else { QueryState::Whole };
        // What the root list offers may still be unasked.
        if !truncated && query != QueryId::ROOT {
            self.drop_settled(query);
        }
    }

    /// Forgets offers of a query whose predicates are requested elsewhere.
    pub(super) fn drop_settled(&mut self, query: QueryId) {
        self.saved.combinations += self.offers.drop_settled(query);
    }

    /// Drops the queries and offers of an attribute that turned out not to narrow lists.
    pub(super) fn drop_attribute(&mut self, attribute: AttributeId) {
        let graph = &mut self.graph;
        let has =
            |predicate: PredicateId| graph.predicates[predicate.index()].attribute == attribute;
        for node in &mut graph.queries {
            if node.predicates.iter().any(|&predicate| has(predicate)) {
                node.state = QueryState::Dropped;
            }
        }
        self.offers.retain(|offer| !has(offer.predicate));
        let graph = &self.graph;
        self.lists.held.retain(|&query, _| graph[query].state != QueryState::Dropped);
    }

    /// Remembers what the root page has beside its list.
    pub(super) fn read_root(&mut self, page: &FetchedPage) {
        let facts: &QueryFacts = &page.facts;
        self.requests.root_depth = page.depth;
        self.lists.entity_links.learn(facts, &self.graph.identity);
        self.hub = Hub::of(facts);
        self.search.form.clone_from(&facts.search);
        self.search.language.clone_from(&facts.language);
        self.search.words.clone_from(&facts.words);
        let root = &mut self.graph[QueryId::ROOT];
        root.state = QueryState::Asked;
        root.total = facts.total;
        self.lists.claims.add_root_page(&facts.numbers);
        self.lists.page_size = facts.entities.len().max(1);
        self.add_answers(QueryId::ROOT, page);
        self.lists.second_root_page = self.next_page(QueryId::ROOT, facts, 1);
        self.lists.last_root_page = facts.last_page();
    }
}
