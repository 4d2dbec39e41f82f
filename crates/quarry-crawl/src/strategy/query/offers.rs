//! The predicates that the pages of queries offer to add, and the names of their attributes.

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::Request;

use super::facts::{OfferedValue, ValueGroup};
use super::state::SiteState;
use crate::query::{PredicateId, QueryGraph, QueryId};

/// A predicate that a query's page offers to add.
#[derive(Debug, Clone)]
pub(super) struct OfferedPredicate {
    pub(super) predicate: PredicateId,
    pub(super) request: Request,
    /// How many entities the page says the narrower query has.
    pub(super) count: Option<u64>,
}

/// What the pages of queries offer.
#[derive(Debug, Default)]
pub(super) struct Offers {
    by_query: BTreeMap<QueryId, Vec<OfferedPredicate>>,
    /// Predicates that are requested once, or need no request: not to be requested again below
    /// other queries.
    settled: BTreeSet<PredicateId>,
    /// What the root page offers, by request.
    at_root: BTreeMap<String, PredicateId>,
}

impl Offers {
    pub(super) fn is_empty(&self) -> bool {
        self.by_query.is_empty()
    }

    /// What a query offers.
    pub(super) fn of(&self, query: QueryId) -> &[OfferedPredicate] {
        self.by_query.get(&query).map_or(&[], Vec::as_slice)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (QueryId, &[OfferedPredicate])> {
        self.by_query.iter().map(|(query, offers)| (*query, offers.as_slice()))
    }

    /// Adds an offer, unless the query offers that predicate already.
    pub(super) fn add(&mut self, query: QueryId, offer: OfferedPredicate) {
        let offers = self.by_query.entry(query).or_default();
        if !offers.iter().any(|known| known.predicate == offer.predicate) {
            offers.push(offer);
        }
    }

    /// Remembers a predicate that the root page offers.
    pub(super) fn learn(&mut self, predicate: PredicateId, request: &Request) {
        self.at_root.entry(request.key().into_owned()).or_insert(predicate);
    }

    /// The predicate that the root page offers by this request.
    pub(super) fn at_root(&self, request: &Request) -> Option<PredicateId> {
        self.at_root.get(&*request.key()).copied()
    }

    pub(super) fn is_settled(&self, predicate: PredicateId) -> bool {
        self.settled.contains(&predicate)
    }

    pub(super) fn settle(&mut self, predicates: impl IntoIterator<Item = PredicateId>) {
        self.settled.extend(predicates);
    }

    /// Settles what a query offers from its n-th offer on.
    pub(super) fn settle_from(&mut self, query: QueryId, n: usize) {
        let offers = self.by_query.get(&query).map_or(&[][..], |offers| &offers[n..]);
        self.settled.extend(offers.iter().map(|offer| offer.predicate));
    }

    /// Forgets the offers of a query that are settled. Returns how many.
    pub(super) fn drop_settled(&mut self, query: QueryId) -> u64 {
        let Some(offers) = self.by_query.get_mut(&query) else { return 0 };
        let before = offers.len();
        offers.retain(|offer| !self.settled.contains(&offer.predicate));
        let dropped = (before - offers.len()) as u64;
        if offers.is_empty() {
            self.by_query.remove(&query);
        }
        dropped
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&OfferedPredicate) -> bool) {
        self.by_query.values_mut().for_each(|offers| offers.retain(&keep));
    }
}

/// Names of attributes by the address parameter that sets them: one attribute may have different
/// headings on different pages.
#[derive(Debug, Default)]
pub(super) struct AttributeNames {
    /// The name, and whether it comes from the page; `None` where a parameter sets several
    /// attributes (`?filter=color:red`).
    by_parameter: BTreeMap<String, Option<(String, bool)>>,
    /// The attribute of each value that the root page offers, by its request: a site may show the same
    /// links on every page, under another heading there.
    by_request: BTreeMap<String, String>,
    /// The parameter that sets each attribute, by the name that a page gives it.
    parameters: BTreeMap<String, String>,
}

impl AttributeNames {
    /// Learns which parameters set which attributes, from a page's groups. A name that the page gives
    /// replaces one that was taken from an address.
    pub(super) fn learn(&mut self, groups: &[ValueGroup], graph: &mut QueryGraph) {
        let mut names: BTreeMap<&str, BTreeSet<(&str, bool)>> = BTreeMap::new();
        for group in groups {
            if let Some(parameter) = &group.parameter {
                self.parameters.insert(group.attribute.clone(), parameter.clone());
                names.entry(parameter).or_default().insert((&group.attribute, group.is_named));
            }
        }
        for (parameter, names) in names {
            let any_named = names.iter().any(|(_, is_named)| *is_named);
            let mut fitting = names.iter().filter(|(_, is_named)| *is_named == any_named);
            let only = fitting.next().filter(|_| fitting.next().is_none());
            let only = only.map(|(name, is_named)| ((*name).to_owned(), *is_named));
            match (self.by_parameter.get_mut(parameter), only) {
                (None, only) => {
                    self.by_parameter.insert(parameter.to_owned(), only);
                }
                (Some(Some(known)), Some(better)) if !known.1 && better.1 => {
                    let id = graph.attributes.find(&known.0);
                    if id.is_none_or(|id| graph.attributes.rename(id, &better.0)) {
                        *known = better;
                    }
                }
                _ => {}
            }
        }
    }

    /// The address parameter that sets an attribute.
    pub(super) fn parameter_of(&self, attribute: &str) -> Option<&str> {
        self.parameters.get(attribute).map(String::as_str)
    }

    /// Remembers the requests of a group of the root page.
    pub(super) fn learn_requests(&mut self, group: &ValueGroup) {
        for offer in &group.offers {
            let attribute = || group.attribute.clone();
            self.by_request.entry(offer.request.key().into_owned()).or_insert_with(attribute);
        }
    }

    /// The group under the name that its attribute was first met by.
    pub(super) fn named(&self, group: &ValueGroup) -> ValueGroup {
        let parameter = group.parameter.as_ref();
        let known = parameter.and_then(|parameter| self.by_parameter.get(parameter)?.clone());
        let attribute = match known {
            Some((name, _)) => name,
            None if parameter.is_some() => group.attribute.clone(),
            None => self.name_by_requests(group).unwrap_or(&group.attribute).to_owned(),
        };
        ValueGroup { attribute, ..group.clone() }
    }

    /// The attribute of the root page that has most of the group's links.
    fn name_by_requests(&self, group: &ValueGroup) -> Option<&str> {
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for offer in &group.offers {
            let name = self.by_request.get(&*offer.request.key());
            name.into_iter().for_each(|name| *names.entry(name).or_default() += 1);
        }
        let (name, links) = names.into_iter().max_by_key(|&(_, links)| links)?;
        (2 * links > group.offers.len()).then_some(name)
    }
}

impl SiteState {
    /// Adds the values of a group to what a query offers.
    pub(super) fn add_offers(&mut self, query: QueryId, group: &ValueGroup) {
        let parameter = group.parameter.as_ref();
        if parameter.is_some_and(|parameter| self.lists.size_parameters.contains(parameter)) {
            return;
        }
        let mut here: BTreeMap<PredicateId, &Request> = BTreeMap::new();
        for offer in &group.offers {
            let predicate = self.predicate_of(group, offer, &here);
            here.insert(predicate, &offer.request);
            if query == QueryId::ROOT {
                self.offers.learn(predicate, &offer.request);
            }
            if !self.graph[query].predicates.contains(&predicate) {
                let (request, count) = (offer.request.clone(), offer.count);
                self.offers.add(query, OfferedPredicate { predicate, request, count });
            }
        }
    }

    /// The predicate that a group offers; `here` are those that it has offered so far. Values of one name with different
    /// addresses are different values: what the root page has at an address, else the first that is not taken here.
    fn predicate_of(
        &mut self,
        group: &ValueGroup,
        offer: &OfferedValue,
        here: &BTreeMap<PredicateId, &Request>,
    ) -> PredicateId {
        let first = self.graph.add_predicate(&group.attribute, &offer.value);
        let attribute = self.attribute_of(first);
        if let Some(known) = self.offers.at_root(&offer.request)
            && self.attribute_of(known) == attribute
            && self.graph[known].value == offer.value
        {
            return known;
        }
        let mut predicate = first;
        let mut number = 0;
        while here.get(&predicate).is_some_and(|taken| **taken != offer.request) {
            number += 1;
            predicate = self.graph.add_numbered_predicate(&group.attribute, &offer.value, number);
        }
        predicate
    }
}
