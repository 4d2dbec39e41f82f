//! The query graph: attributes, predicates, entities, and queries with the entities they return.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

use super::{
    AttributeId, EntityId, EntityIdentity, Interner, ListPageId, NodePathId, PredicateId, QueryId,
};

/// Values beside which another one takes them back, at the least: of two, one may have all entities.
const MIN_RESET_VALUES: usize = 2;

/// `attribute = value`, as the site shows both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Predicate {
    /// The attribute.
    pub attribute: AttributeId,
    /// The value.
    pub value: String,
    /// Tells values of one name apart (the same word in two branches of a tree), from 0 in the order they were met.
    #[serde(default)]
    pub number: u32,
}

/// How much of a query's answer has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryState {
    /// A link or form offers it; it has not been requested.
    #[default]
    Offered,
    /// It was requested; not all of its pages have been read.
    Asked,
    /// All its pages were read.
    Whole,
    /// Its pages ended before they had shown as many entities as the site says there are.
    Short,
    /// It is not a query: its group of links does not narrow the list.
    Dropped,
}

impl QueryState {
    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Offered => "offered",
            Self::Asked => "asked",
            Self::Whole => "whole",
            Self::Short => "short",
            Self::Dropped => "dropped",
        }
    }
}

/// An entity in the answer to a query, and where its link was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Answer {
    /// The entity.
    pub entity: EntityId,
    /// The list page that shows it.
    pub page: ListPageId,
    /// The node path of its link there.
    pub path: NodePathId,
}

/// A query: a set of predicates with its answer.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct QueryNode {
    /// Its predicates, ascending. The root query has none.
    pub predicates: Vec<PredicateId>,
    /// The request for its first page: an address, or method, address and body.
    pub request: String,
    /// How much of its answer has been read.
    pub state: QueryState,
    /// Its entities, each once, in the order of the site.
    pub answers: Vec<Answer>,
    /// Pages that were read.
    pub pages: u32,
    /// How many entities its own pages say there are.
    pub total: Option<u64>,
    /// How many entities the link that leads to it says there are.
    pub expected: Option<u64>,
}

impl QueryNode {
    /// How many entities the site says there are; the count on its pages takes precedence over the
    /// count beside the link.
    #[must_use]
    pub fn claimed(&self) -> Option<u64> {
        self.total.or(self.expected)
    }

    /// Whether it was requested and is a query.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        !matches!(self.state, QueryState::Dropped | QueryState::Offered)
    }

    /// The entities of its answer, ascending: equal for equivalent queries.
    #[must_use]
    pub fn entities(&self) -> Vec<EntityId> {
        let mut entities: Vec<EntityId> = self.answers.iter().map(|a| a.entity).collect();
        entities.sort_unstable();
        entities
    }

    /// The confidence that an entity of the answer has the query's predicates, from 0 to 1.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let found = self.answers.len() as u64;
        match self.claimed() {
            Some(claimed) if claimed == found => 0.99,
            // Some of the entities found do not belong to the answer.
            Some(claimed) if claimed < found => 0.9,
            Some(_) | None => 0.95,
        }
    }
}

/// A value that an entity has because a query with that predicate returned it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FacetValue<'a> {
    /// The entity's address.
    pub entity: &'a str,
    /// The attribute.
    pub attribute: &'a str,
    /// The value.
    pub value: &'a str,
    /// The list page that shows the entity.
    pub page: &'a str,
    /// The node path of its link there.
    pub path: &'a str,
    /// From 0 to 1.
    pub confidence: f64,
}

/// The queries that a site answers, as far as they are known. It is stored in projects: what an older
/// program did not write is read as empty.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QueryGraph {
    pub(crate) attributes: Interner<AttributeId>,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) entities: Interner<EntityId>,
    pub(crate) pages: Interner<ListPageId>,
    pub(crate) paths: Interner<NodePathId>,
    /// Attributes that do not describe entities: the text typed into a search field, a menu entry
    /// that leads to the list of all entities.
    #[serde(rename = "aside")]
    pub(crate) ignored_attributes: BTreeSet<AttributeId>,
    /// Which addresses lead to the same entity.
    pub identity: EntityIdentity,
    /// Nothing narrows the list of the root query, which was read to its end.
    pub is_plain: bool,
    /// The root query, which returns every entity, is the first.
    pub queries: Vec<QueryNode>,
    #[serde(skip)]
    by_predicates: BTreeMap<Vec<PredicateId>, QueryId>,
    #[serde(skip)]
    predicate_ids: BTreeMap<(AttributeId, String, u32), PredicateId>,
}

impl Index<QueryId> for QueryGraph {
    type Output = QueryNode;

    fn index(&self, id: QueryId) -> &QueryNode {
        &self.queries[id.index()]
    }
}

impl IndexMut<QueryId> for QueryGraph {
    fn index_mut(&mut self, id: QueryId) -> &mut QueryNode {
        &mut self.queries[id.index()]
    }
}

impl Index<PredicateId> for QueryGraph {
    type Output = Predicate;

    fn index(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }
}

impl QueryGraph {
    /// Names of the attributes.
    #[must_use]
    pub fn attributes(&self) -> &[String] {
        self.attributes.texts()
    }

    /// All predicates.
    #[must_use]
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// Addresses of the entities.
    #[must_use]
    pub fn entities(&self) -> &[String] {
        self.entities.texts()
    }

    /// The entity with this address, if the graph has it.
    #[must_use]
    pub fn find_entity(&self, address: &str) -> Option<EntityId> {
        self.entities.find(address)
    }

    /// The queries with their ids.
    pub fn queries(&self) -> impl DoubleEndedIterator<Item = (QueryId, &QueryNode)> + Clone {
        self.queries.iter().enumerate().map(|(number, query)| (QueryId(number as u32), query))
    }

    /// The name of an attribute.
    #[must_use]
    pub fn attribute_name(&self, attribute: AttributeId) -> &str {
        self.attributes.text(attribute)
    }

    /// The address of an entity.
    #[must_use]
    pub fn entity_address(&self, entity: EntityId) -> &str {
        self.entities.text(entity)
    }

    /// The address of the list page that an answer was found on.
    #[must_use]
    pub fn page_of(&self, answer: &Answer) -> &str {
        self.pages.text(answer.page)
    }

    /// Builds the lookup tables of a graph that was read from its stored form.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        let queries = self.queries();
        self.by_predicates = queries.map(|(id, query)| (query.predicates.clone(), id)).collect();
        let predicates = self.predicates.iter().zip(0..);
        let predicate_ids =
            predicates.map(|(p, id)| ((p.attribute, p.value.clone(), p.number), PredicateId(id)));
        self.predicate_ids = predicate_ids.collect();
        self
    }

    /// `attribute=value` pairs of a query in the order of their text.
    #[must_use]
    pub fn name(&self, query: &QueryNode) -> Vec<String> {
        let pair = |id: &PredicateId| {
            let predicate = &self[*id];
            let pair = format!("{}={}", self.attributes.text(predicate.attribute), predicate.value);
            if predicate.number == 0 { pair } else { format!("{pair} ({})", predicate.number + 1) }
        };
        let mut pairs: Vec<String> = query.predicates.iter().map(pair).collect();
        pairs.sort();
        pairs
    }

    /// The predicate with this attribute and value, if the graph has it.
    #[must_use]
    pub fn find_predicate(&self, attribute: &str, value: &str) -> Option<PredicateId> {
        let attribute = self.attributes.find(attribute)?;
        self.predicate_ids.get(&(attribute, value.to_owned(), 0)).copied()
    }

    /// The predicate with this attribute and value, added if it is new.
    pub fn add_predicate(&mut self, attribute: &str, value: &str) -> PredicateId {
        self.add_numbered_predicate(attribute, value, 0)
    }

    /// The same where an attribute has several values of one name.
    pub fn add_numbered_predicate(
        &mut self,
        attribute: &str,
        value: &str,
        number: u32,
    ) -> PredicateId {
        let attribute = self.attributes.intern(attribute);
        let key = (attribute, value.to_owned(), number);
        if let Some(id) = self.predicate_ids.get(&key) {
            return *id;
        }
        let id = PredicateId(self.predicates.len() as u32);
        self.predicates.push(Predicate { attribute, value: value.to_owned(), number });
        self.predicate_ids.insert(key, id);
        id
    }

    /// The query with these predicates, added if it is new.
    pub fn add_query(&mut self, mut predicates: Vec<PredicateId>, request: &str) -> QueryId {
        predicates.sort_unstable();
        predicates.dedup();
        if let Some(id) = self.by_predicates.get(&predicates) {
            return *id;
        }
        let id = QueryId(self.queries.len() as u32);
        self.by_predicates.insert(predicates.clone(), id);
        let request = request.to_owned();
        self.queries.push(QueryNode { predicates, request, ..QueryNode::default() });
        id
    }

    /// An answer made of the address of an entity, the address of a list page and a node path.
    pub fn answer(&mut self, entity: &str, page: &str, path: &str) -> Answer {
        Answer {
            entity: self.entities.intern(entity),
            page: self.pages.intern(page),
            path: self.paths.intern(path),
        }
    }

    /// The query with these predicates (ascending), if the graph has it.
    #[must_use]
    pub fn find(&self, predicates: &[PredicateId]) -> Option<QueryId> {
        self.by_predicates.get(predicates).copied()
    }

    /// The queries that have one predicate less: each can be drilled down to this one.
    #[must_use]
    pub fn parents(&self, query: &QueryNode) -> Vec<QueryId> {
        let without = |skip: usize| {
            let mut fewer = query.predicates.clone();
            fewer.remove(skip);
            self.find(&fewer)
        };
        (0..query.predicates.len()).filter_map(without).collect()
    }

    /// Whether a predicate describes the entities of its queries.
    fn is_value(&self, predicate: PredicateId) -> bool {
        !self.ignored_attributes.contains(&self[predicate].attribute)
    }

    /// Joins entities whose addresses are one by the identity that was learned. Returns the new number
    /// of each.
    pub(crate) fn join_entities(&mut self) -> Vec<EntityId> {
        let old = std::mem::take(&mut self.entities);
        let identity = &self.identity;
        let new: Vec<EntityId> = old
            .texts()
            .iter()
            .map(|address| self.entities.intern(&identity.canonical(address)))
            .collect();
        for query in &mut self.queries {
            let mut seen = BTreeSet::new();
            for answer in &mut query.answers {
                answer.entity = new[answer.entity.index()];
            }
            query.answers.retain(|answer| seen.insert(answer.entity));
        }
        new
    }

    /// Predicates that take another one of their attribute back ("All"): the values beside them share the same entities out
    /// among them, each once.
    fn resets(&self) -> BTreeSet<PredicateId> {
        let mut by_attribute: BTreeMap<AttributeId, Vec<(PredicateId, BTreeSet<EntityId>)>> =
            BTreeMap::new();
        for query in self.queries.iter().filter(|query| query.is_answered()) {
            let &[predicate] = &query.predicates[..] else { continue };
            let entities = query.answers.iter().map(|answer| answer.entity).collect();
            by_attribute.entry(self[predicate].attribute).or_default().push((predicate, entities));
        }
        let mut resets = BTreeSet::new();
        for values in by_attribute.into_values().filter(|values| values.len() > MIN_RESET_VALUES) {
            let Some((reset, all)) = values.iter().max_by_key(|(_, entities)| entities.len())
            else {
                continue;
            };
            let others = values.iter().filter(|(predicate, _)| predicate != reset);
            let shares: Vec<EntityId> =
                others.flat_map(|(_, entities)| entities).copied().collect();
            // Each entity once: as many as there are, and the same.
            if shares.len() == all.len() && shares.into_iter().collect::<BTreeSet<_>>() == *all {
                resets.insert(*reset);
            }
        }
        resets
    }

    /// How many (entity, attribute, value) triples there are.
    #[must_use]
    pub fn count_values(&self) -> usize {
        let mut pairs: Vec<u64> = Vec::new();
        for query in self.queries.iter().filter(|query| query.is_answered()) {
            for &predicate in query.predicates.iter().filter(|id| self.is_value(**id)) {
                let pair = |a: &Answer| u64::from(a.entity.0) << 32 | u64::from(predicate.0);
                pairs.extend(query.answers.iter().map(pair));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len()
    }

    /// Every (entity, attribute, value) once, ordered by entity and predicate, with the answer of the
    /// highest confidence.
    pub fn values(&self) -> impl Iterator<Item = FacetValue<'_>> {
        let mut rows: Vec<(EntityId, PredicateId, QueryId, u32)> = Vec::new();
        let resets = self.resets();
        let is_value = |id: &&PredicateId| self.is_value(**id) && !resets.contains(id);
        for (id, query) in self.queries().filter(|(_, query)| query.is_answered()) {
            for (answer, at) in query.answers.iter().zip(0..) {
                for predicate in query.predicates.iter().filter(is_value) {
                    rows.push((answer.entity, *predicate, id, at));
                }
            }
        }
        rows.sort_by(|a, b| {
            let surest = self[b.2].confidence().total_cmp(&self[a.2].confidence());
            (a.0, a.1).cmp(&(b.0, b.1)).then(surest).then(a.cmp(b))
        });
        rows.dedup_by_key(|row| (row.0, row.1));
        rows.into_iter().map(move |(entity, predicate, query, at)| {
            let (query, predicate) = (&self[query], &self[predicate]);
            let answer = &query.answers[at as usize];
            FacetValue {
                entity: self.entities.text(entity),
                attribute: self.attributes.text(predicate.attribute),
                value: &predicate.value,
                page: self.pages.text(answer.page),
                path: self.paths.text(answer.path),
                confidence: query.confidence(),
            }
        })
    }
}

/// The share of facet values that the entities' own pages do not show. `pages` maps addresses of
/// entities to the text of their pages; a value is shown if the text has its words, in any case.
#[must_use]
pub fn hidden_share(graph: &QueryGraph, pages: &BTreeMap<String, String>) -> Option<f64> {
    let texts: BTreeMap<&str, String> =
        pages.iter().map(|(entity, text)| (entity.as_str(), fold(text))).collect();
    let (mut all, mut hidden) = (0_u64, 0_u64);
    for row in graph.values() {
        if let Some(text) = texts.get(row.entity) {
            all += 1;
            hidden += u64::from(!text.contains(&fold(row.value)));
        }
    }
    (all > 0).then(|| hidden as f64 / all as f64)
}

/// Words in lower case with single spaces between them and at both ends, so that a search finds
/// whole words only.
fn fold(text: &str) -> String {
    let mut out = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        out.push_str(&word.to_lowercase());
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(graph: &mut QueryGraph, query: QueryId, entity: &str) {
        let answer = graph.answer(entity, "/list", "/html/body/a");
        graph[query].answers.push(answer);
        graph[query].state = QueryState::Whole;
    }

    #[test]
    fn a_value_that_takes_the_others_back_is_none() {
        let table = |others: [&[&str]; 2]| -> Vec<String> {
            let mut graph = QueryGraph::default();
            let lists = [("All", &["/a", "/b", "/c"][..]), ("red", others[0]), ("blue", others[1])];
            for (value, entities) in lists {
                let predicate = graph.add_predicate("Color", value);
                let query = graph.add_query(vec![predicate], value);
                entities.iter().for_each(|entity| answer(&mut graph, query, entity));
            }
            graph.values().map(|row| format!("{} {}", row.entity, row.value)).collect()
        };
        assert_eq!(table([&["/a", "/c"], &["/b"]]), ["/a red", "/b blue", "/c red"]);
        // Languages of which all have one: entities may have several.
        assert_eq!(table([&["/a", "/c"], &["/b", "/c"]]).len(), 7);
        // Something has no other value.
        assert_eq!(table([&["/a"], &["/b"]]).len(), 5);
    }

    #[test]
    fn entities_inherit_the_predicates_of_every_query_that_returns_them() {
        let mut graph = QueryGraph::default();
        let (nike, red) =
            (graph.add_predicate("Brand", "Nike"), graph.add_predicate("Color", "red"));
        let all = graph.add_query(vec![], "/");
        let one = graph.add_query(vec![nike], "/nike");
        let both = graph.add_query(vec![red, nike], "/nike/red");
        assert_eq!(graph.add_query(vec![nike, red], "/red/nike"), both, "order does not matter");
        for entity in ["/a", "/b", "/c"] {
            answer(&mut graph, all, entity);
        }
        answer(&mut graph, one, "/a");
        answer(&mut graph, one, "/b");
        answer(&mut graph, both, "/b");
        let values: Vec<(&str, &str)> = graph.values().map(|row| (row.entity, row.value)).collect();
        assert_eq!(values, [("/a", "Nike"), ("/b", "Nike"), ("/b", "red")]);
        assert_eq!(graph.count_values(), 3);
        assert_eq!(graph.parents(&graph[both]), [one]);
        assert_eq!(graph.name(&graph[both]), ["Brand=Nike", "Color=red"]);
        let pages = BTreeMap::from([("/b".to_owned(), "A  RED,\nshoe by Nikes".to_owned())]);
        assert_eq!(hidden_share(&graph, &pages), Some(0.5));
        assert_eq!(hidden_share(&graph, &BTreeMap::new()), None);
        graph[both].state = QueryState::Dropped;
        assert_eq!(graph.values().count(), 2);
    }
}
