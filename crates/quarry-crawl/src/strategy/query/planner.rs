//! Decides what to request next: first values of each attribute to learn its meaning, then all values
//! of facets, then what is offered only below other queries, then parts of truncated lists, then the
//! rest of the root list. Every function here reads the state and changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::Request;

use super::LOOK_REQUESTS;
use super::meaning::Meaning;
use super::offers::OfferedPredicate;
use super::state::SiteState;
use crate::query::{AttributeId, EntityId, PredicateId, QueryId, QueryState};

/// Requests of the exploration for each entity page of the sample, so that looking at entity pages
/// adds a twentieth to the cost at most.
const REQUESTS_PER_SAMPLED_ENTITY: usize = 20;

/// Of all (entity, value) pairs of an attribute, the share that is there if its values are views of one
/// list: a facet whose every value has every entity tells nothing.
const VIEW_SHARE: f64 = 0.9;

/// A request for the first page of a query.
#[derive(Debug, Clone)]
pub(super) enum Decision {
    /// One value of an attribute whose meaning is unknown, to learn whether it narrows the list.
    Sample { parent: QueryId, attribute: AttributeId },
    /// A value of a facet.
    Narrow { parent: QueryId, offer: OfferedPredicate },
}

/// What follows the values that the root page offers.
#[derive(Debug, Default)]
pub(super) struct DrillDown {
    pub(super) decisions: Vec<Decision>,
    /// Predicates that need no further request once these decisions are carried out.
    pub(super) settled: Vec<PredicateId>,
}

/// How a list is read on after one of its pages.
#[derive(Debug)]
pub(super) enum ListStep {
    /// Request the next page.
    Next(Request),
    /// Keep the next page's request until the meaning of the query's attributes is known.
    Hold(Request),
    /// There is no further page, or it would bring nothing.
    End,
}

/// The values that the root page offers: a sample of unknown attributes, all values of facets.
pub(super) fn root_values(state: &SiteState) -> Vec<Decision> {
    let has_looked = state.settings.look && state.requests.answered >= LOOK_REQUESTS;
    if state.requests.awaits_root() || state.identity.holds_root() || has_looked {
        return Vec::new();
    }
    let mut decisions = Vec::new();
    let mut peers = PeerSamples::of(state);
    for (&attribute, _) in state.attributes.iter().filter(|(_, known)| known.at_root) {
        let parent = QueryId::ROOT;
        match state.meaning(attribute) {
            Meaning::Unknown if peers.take(attribute) => {
                decisions.push(Decision::Sample { parent, attribute });
            }
            Meaning::Unknown => {}
            Meaning::Facet if state.settings.look => {}
            Meaning::Facet => {
                let offers = state.offers_of(parent, attribute).into_iter();
                decisions.extend(offers.map(|offer| Decision::Narrow { parent, offer }));
            }
            Meaning::NotAFacet => {}
        }
    }
    decisions
}

/// Groups of links that set the same parameter and are sampled before any of them is known to narrow the list.
const MAX_PEERS: usize = 3;

/// The samples of groups that set the same parameter: the headers of a table that order it are one hypothesis, not one for
/// each column. The others are sampled once one of them has narrowed the list.
struct PeerSamples<'s> {
    state: &'s SiteState,
    /// Groups with samples, by parameter.
    sampled: BTreeMap<&'s str, usize>,
    /// Parameters that narrow the list.
    narrowing: BTreeSet<&'s str>,
}

impl<'s> PeerSamples<'s> {
    fn of(state: &'s SiteState) -> Self {
        let mut peers = Self { state, sampled: BTreeMap::new(), narrowing: BTreeSet::new() };
        for (&attribute, known) in &state.attributes {
            let Some(parameter) = peers.parameter(attribute) else { continue };
            if known.meaning == Meaning::Facet {
                peers.narrowing.insert(parameter);
            }
            *peers.sampled.entry(parameter).or_default() += usize::from(!known.samples.is_empty());
        }
        peers
    }

    fn parameter(&self, attribute: AttributeId) -> Option<&'s str> {
        self.state.names.parameter_of(self.state.graph.attribute_name(attribute))
    }

    /// Whether a group may be sampled now; it is counted if so.
    fn take(&mut self, attribute: AttributeId) -> bool {
        let is_begun = self.state.attributes.get(&attribute).is_some_and(|a| !a.samples.is_empty());
        let Some(parameter) = self.parameter(attribute).filter(|_| !is_begun) else { return true };
        let sampled = self.sampled.entry(parameter).or_default();
        let may = self.narrowing.contains(parameter) || *sampled < MAX_PEERS;
        *sampled += usize::from(may);
        may
    }
}

/// The value of an attribute to request as a sample; none while one is on its way, or when enough
/// were requested. The value with the fewest entities shows best whether the list gets narrower, and
/// costs one page.
pub(super) fn choose_sample(
    state: &SiteState,
    parent: QueryId,
    attribute: AttributeId,
) -> Option<OfferedPredicate> {
    let samples = state.attributes.get(&attribute).map_or(&[][..], |known| &known.samples);
    let is_pending = |query: &QueryId| {
        let node = &state.graph[*query];
        node.state == QueryState::Asked && node.pages == 0
    };
    if samples.iter().any(is_pending) || samples.len() >= state.settings.samples {
        return None;
    }
    let offers = state.offers_of(parent, attribute).into_iter();
    let new = offers.filter(|offer| state.is_new(parent, offer));
    new.min_by_key(|offer| offer.count.unwrap_or(u64::MAX))
}

/// How to read on after a page of a query that showed `new` entities.
pub(super) fn continue_list(
    state: &SiteState,
    query: QueryId,
    new: usize,
    next: Option<&Request>,
) -> ListStep {
    let node = &state.graph[query];
    let all = node.total.is_some_and(|total| node.answers.len() as u64 >= total);
    let Some(next) = next.filter(|_| !all && new > 0).cloned() else { return ListStep::End };
    let unknown = node
        .predicates
        .iter()
        .any(|&predicate| state.meaning(state.attribute_of(predicate)) == Meaning::Unknown);
    if unknown || state.settings.look { ListStep::Hold(next) } else { ListStep::Next(next) }
}

/// Predicates that the root page does not offer, requested under the fewest parents that cover all
/// entities which may have them.
pub(super) fn drill_down(state: &SiteState) -> DrillDown {
    let mut parents: BTreeMap<AttributeId, BTreeSet<QueryId>> = BTreeMap::new();
    for (query, offers) in state.offers.iter() {
        if query == QueryId::ROOT || state.graph[query].state == QueryState::Dropped {
            continue;
        }
        for offer in offers.iter().filter(|offer| !state.offers.is_settled(offer.predicate)) {
            parents.entry(state.attribute_of(offer.predicate)).or_default().insert(query);
        }
    }
    let mut plan = DrillDown::default();
    for (attribute, parents) in parents {
        match state.meaning(attribute) {
            Meaning::NotAFacet => {}
            Meaning::Unknown => {
                // The smallest parent costs least.
                let size = |query: &QueryId| (state.graph[*query].answers.len(), *query);
                let smallest = parents.iter().copied().min_by_key(size);
                plan.decisions
                    .extend(smallest.map(|parent| Decision::Sample { parent, attribute }));
            }
            Meaning::Facet => {
                for parent in cover(state, attribute, &parents) {
                    let offers = state.offers_of(parent, attribute).into_iter();
                    let open = offers.filter(|offer| !state.offers.is_settled(offer.predicate));
                    plan.decisions.extend(open.map(|offer| Decision::Narrow { parent, offer }));
                }
                for &parent in &parents {
                    let offers = state.offers_of(parent, attribute);
                    plan.settled.extend(offers.iter().map(|offer| offer.predicate));
                }
            }
        }
    }
    plan
}

/// Greedy weighted set cover: parents whose entities together are those of all parents, by the
/// requests that their values of the attribute take.
fn cover(state: &SiteState, attribute: AttributeId, parents: &BTreeSet<QueryId>) -> Vec<QueryId> {
    let candidate = |&query: &QueryId| {
        let answers = state.graph[query].answers.iter();
        let entities: Vec<EntityId> = answers.map(|answer| answer.entity).collect();
        let cost = state.lists.pages_of(&state.offers_of(query, attribute)).max(1) as f64;
        (query, (entities, cost))
    };
    let mut open: BTreeMap<QueryId, (Vec<EntityId>, f64)> = parents.iter().map(candidate).collect();
    let mut covered: BTreeSet<EntityId> = BTreeSet::new();
    // A parent without entities of its own lists only lists: its offers are all there is.
    let without_entities = open.iter().filter(|(_, (entities, _))| entities.is_empty());
    let mut chosen: Vec<QueryId> = without_entities.map(|(query, _)| *query).collect();
    loop {
        let mut best: Option<(f64, QueryId)> = None;
        open.retain(|&query, (entities, cost)| {
            let new = entities.iter().filter(|entity| !covered.contains(entity)).count();
            let price = *cost / new as f64;
            if new > 0 && best.is_none_or(|(least, _)| price < least) {
                best = Some((price, query));
            }
            new > 0
        });
        let Some((_, query)) = best else { return chosen };
        if let Some((entities, _)) = open.remove(&query) {
            covered.extend(entities);
        }
        chosen.push(query);
    }
}

/// Queries that lack entities, also after those of narrower queries are counted.
pub(super) fn truncated_queries(state: &SiteState) -> Vec<QueryId> {
    let is_truncated = |&query: &QueryId| {
        let node = &state.graph[query];
        node.state == QueryState::Short
            && state.is_truncated(node.claimed(), state.known_entities(query))
    };
    let queries = state.graph.queries().map(|(query, _)| query);
    queries.filter(|query| *query != QueryId::ROOT).filter(is_truncated).collect()
}

/// The attribute to split a truncated query by: its values should hold all entities, each value as
/// many as a list can show, in few pages. None when the query was split often enough.
pub(super) fn best_split(state: &SiteState, query: QueryId) -> Option<AttributeId> {
    /// Sums over the values of an attribute.
    #[derive(Default)]
    struct Part {
        entities: u64,
        beyond_the_list: u64,
        pages: u64,
    }
    let tried = state.splits.get(&query).map_or(&[][..], Vec::as_slice);
    if tried.len() >= state.settings.splits {
        return None;
    }
    let node = &state.graph[query];
    let (claimed, shown) = (node.claimed().unwrap_or(0), node.answers.len() as u64);
    let mut parts: BTreeMap<AttributeId, Part> = BTreeMap::new();
    for offer in state.offers.of(query) {
        let attribute = state.attribute_of(offer.predicate);
        if state.meaning(attribute) != Meaning::Facet || tried.contains(&attribute) {
            continue;
        }
        let count = offer.count.unwrap_or(shown);
        let part = parts.entry(attribute).or_default();
        part.entities += count;
        part.beyond_the_list += count.saturating_sub(shown);
        part.pages += state.lists.pages_for(Some(count));
    }
    // Entities that stay out of reach count first, then the number of requests.
    let lost = |part: &Part| claimed.saturating_sub(part.entities) + part.beyond_the_list;
    let best = parts.iter().min_by_key(|(id, part)| (lost(part), part.pages, **id));
    best.map(|(attribute, _)| *attribute)
}

/// Whether the root list may have entities that no other query has shown. More entities than it claims are not all its own: its
/// queries are lists beside it, such as other categories, and say nothing of the rest of it.
pub(super) fn root_list_has_more(state: &SiteState) -> bool {
    let known = state.graph.entities.len() as u64;
    let root = &state.graph[QueryId::ROOT];
    let has_more = |total: u64| {
        let has_others = known as f64 > total as f64 * (1.0 + state.settings.tolerance);
        known < total || has_others && (root.answers.len() as u64) < total
    };
    root.total.is_none_or(has_more)
}

/// Attributes whose values all return nearly all entities: views of one list, not facets.
pub(super) fn views(state: &SiteState) -> Vec<AttributeId> {
    let mut answers: BTreeMap<AttributeId, (usize, usize, BTreeSet<EntityId>)> = BTreeMap::new();
    for query in state.graph.queries.iter().filter(|query| query.is_answered()) {
        if let [predicate] = query.predicates[..] {
            let of = answers.entry(state.attribute_of(predicate)).or_default();
            of.0 += 1;
            of.1 += query.answers.len();
            of.2.extend(query.answers.iter().map(|answer| answer.entity));
        }
    }
    let is_view = |(values, pairs, entities): &(usize, usize, BTreeSet<EntityId>)| {
        // A single value is compared with all entities of the site.
        let known = if *values > 1 { entities.len() } else { state.graph.entities.len() };
        known > 1 && *pairs as f64 >= VIEW_SHARE * (values * known) as f64
    };
    let found = answers.iter().filter(|(_, of)| is_view(of)).map(|(id, _)| *id);
    found.filter(|&id| state.meaning(id) == Meaning::Facet).collect()
}

/// Entities whose own pages are requested, and whether each is of the sample that is compared with
/// the facet values: evenly spread over all entities.
pub(super) fn entity_pages(state: &SiteState) -> Vec<(EntityId, bool)> {
    let entities = state.graph.entities.len();
    let affordable = state.requests.answered as usize / REQUESTS_PER_SAMPLED_ENTITY;
    let sample = state.settings.details.min(affordable).min(entities);
    let most = if state.settings.every_detail { entities } else { sample };
    let step = entities / sample.max(1);
    let page = |n: usize| {
        let number = n * entities / most;
        (EntityId(number as u32), most == sample || number.is_multiple_of(step))
    };
    (0..most).map(page).collect()
}

/// Attributes that are menus: on a front page without a list, a single value that leads to the list
/// of all entities.
pub(super) fn menu_attributes(state: &SiteState) -> Vec<AttributeId> {
    if state.graph[QueryId::ROOT].total.is_some() || state.root_is_paged() {
        return Vec::new();
    }
    let all = state.graph.entities.len();
    let mut values: BTreeMap<AttributeId, Vec<usize>> = BTreeMap::new();
    for query in state.graph.queries.iter().filter(|query| query.is_answered()) {
        if let [predicate] = query.predicates[..] {
            values.entry(state.attribute_of(predicate)).or_default().push(query.answers.len());
        }
    }
    let leads_to_all = |counts: &[usize]| matches!(counts, [one] if *one >= all);
    values.iter().filter(|(_, counts)| leads_to_all(counts)).map(|(id, _)| *id).collect()
}
