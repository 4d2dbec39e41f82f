//! The query graph as data.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Names;

/// `attribute = value`, as the site shows both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Predicate {
    /// Number of the attribute in [`QueryGraph::attributes`].
    pub attribute: u32,
    /// The value.
    pub value: String,
}

/// How far a query is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryState {
    /// A link or form offers it.
    #[default]
    Offered,
    /// It was asked; not all of its pages have come.
    Asked,
    /// All its pages were read.
    Whole,
    /// Its pages ended before as many entities had come as the site says there are.
    Short,
    /// It turned out to be no query: its group of links does not narrow the list.
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

/// An entity in the answer to a query, and where it stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Answer {
    /// Number of the entity.
    pub entity: u32,
    /// Number of the page.
    pub page: u32,
    /// Number of the node path of its link.
    pub path: u32,
}

/// A query: a set of predicates with its answer.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct QueryNode {
    /// Numbers of its predicates, ascending. The query for everything has none.
    pub predicates: Vec<u32>,
    /// What asks for it: an address, or method, address and body.
    pub request: String,
    /// How far it is known.
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
    /// How many entities the site says there are: the page's own word before a link's.
    #[must_use]
    pub fn claimed(&self) -> Option<u64> {
        self.total.or(self.expected)
    }

    /// How sure it is that an entity of the answer has the query's predicates.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let found = self.answers.len() as u64;
        match self.claimed() {
            Some(claimed) if claimed == found => 0.99,
            // Entities that do not belong there have come along.
            Some(claimed) if claimed < found => 0.9,
            Some(_) | None => 0.95,
        }
    }
}

/// A row of the table of values: an entity has a value, seen on a page at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueRow<'a> {
    /// The entity's address.
    pub entity: &'a str,
    /// The attribute.
    pub attribute: &'a str,
    /// The value.
    pub value: &'a str,
    /// The list page that has the entity.
    pub page: &'a str,
    /// The node path of its link there.
    pub path: &'a str,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
}

/// The queries that a site answers, as far as they are known. It is stored in projects: what an older
/// program did not write is read as empty.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QueryGraph {
    pub(crate) attributes: Names,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) entities: Names,
    pub(crate) pages: Names,
    pub(crate) paths: Names,
    /// Attributes that say nothing of an entity: what was typed into a search field, a menu that leads to
    /// the list of everything.
    pub(crate) aside: BTreeSet<u32>,
    /// The query for everything is the first.
    pub queries: Vec<QueryNode>,
    #[serde(skip)]
    by_predicates: BTreeMap<Vec<u32>, u32>,
    #[serde(skip)]
    predicate_ids: BTreeMap<(u32, String), u32>,
}

impl QueryGraph {
    /// Names of the attributes.
    #[must_use]
    pub fn attributes(&self) -> &[String] {
        self.attributes.texts()
    }

    /// All predicates that were met.
    #[must_use]
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// Addresses of the entities.
    #[must_use]
    pub fn entities(&self) -> &[String] {
        self.entities.texts()
    }

    /// The page that an entity of an answer stood on.
    #[must_use]
    pub fn page_of(&self, answer: &Answer) -> &str {
        self.pages.text(answer.page)
    }

    /// Finds queries and predicates again in a graph that was read from its stored form.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        let queries = self.queries.iter().enumerate();
        self.by_predicates = queries.map(|(id, q)| (q.predicates.clone(), id as u32)).collect();
        let predicates = self.predicates.iter().enumerate();
        self.predicate_ids =
            predicates.map(|(id, p)| ((p.attribute, p.value.clone()), id as u32)).collect();
        self
    }

    /// `attribute=value` pairs of a query in the order of their text.
    #[must_use]
    pub fn name(&self, query: &QueryNode) -> Vec<String> {
        let pair = |id: &u32| {
            let predicate = &self.predicates[*id as usize];
            format!("{}={}", self.attributes.text(predicate.attribute), predicate.value)
        };
        let mut pairs: Vec<String> = query.predicates.iter().map(pair).collect();
        pairs.sort();
        pairs
    }

    /// The number of a predicate that was met.
    #[must_use]
    pub fn find_predicate(&self, attribute: &str, value: &str) -> Option<u32> {
        let attribute = self.attributes.find(attribute)?;
        self.predicate_ids.get(&(attribute, value.to_owned())).copied()
    }

    pub(crate) fn predicate(&mut self, attribute: &str, value: &str) -> u32 {
        let attribute = self.attributes.id(attribute);
        if let Some(id) = self.predicate_ids.get(&(attribute, value.to_owned())) {
            return *id;
        }
        let id = self.predicates.len() as u32;
        self.predicates.push(Predicate { attribute, value: value.to_owned() });
        self.predicate_ids.insert((attribute, value.to_owned()), id);
        id
    }

    /// The query with these predicates, made if it is new.
    pub(crate) fn query(&mut self, mut predicates: Vec<u32>, request: &str) -> u32 {
        predicates.sort_unstable();
        predicates.dedup();
        if let Some(id) = self.by_predicates.get(&predicates) {
            return *id;
        }
        let id = self.queries.len() as u32;
        self.by_predicates.insert(predicates.clone(), id);
        let request = request.to_owned();
        self.queries.push(QueryNode { predicates, request, ..QueryNode::default() });
        id
    }

    /// The query with these predicates (ascending), if it is known.
    #[must_use]
    pub fn find(&self, predicates: &[u32]) -> Option<u32> {
        self.by_predicates.get(predicates).copied()
    }

    /// The queries that have one predicate less: drilling one of them down leads to this one.
    #[must_use]
    pub fn parents(&self, query: &QueryNode) -> Vec<u32> {
        let without = |skip: usize| {
            let mut fewer = query.predicates.clone();
            fewer.remove(skip);
            self.find(&fewer)
        };
        (0..query.predicates.len()).filter_map(without).collect()
    }

    /// Whether a predicate says something of its entities.
    fn is_value(&self, predicate: u32) -> bool {
        !self.aside.contains(&self.predicates[predicate as usize].attribute)
    }

    /// Whether a query counts: it was answered, and was not dropped.
    #[must_use]
    pub fn counts(query: &QueryNode) -> bool {
        !matches!(query.state, QueryState::Dropped | QueryState::Offered)
    }

    /// How many (entity, attribute, value) triples there are.
    #[must_use]
    pub fn count_values(&self) -> usize {
        let mut pairs: Vec<u64> = Vec::new();
        for query in self.queries.iter().filter(|query| Self::counts(query)) {
            for &predicate in query.predicates.iter().filter(|id| self.is_value(**id)) {
                let pair = |a: &Answer| u64::from(a.entity) << 32 | u64::from(predicate);
                pairs.extend(query.answers.iter().map(pair));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len()
    }

    /// Every (entity, attribute, value) once, in the order of entity and predicate, with the surest
    /// place where it was seen.
    pub fn values(&self) -> impl Iterator<Item = ValueRow<'_>> {
        let mut rows: Vec<(u32, u32, u32, u32)> = Vec::new();
        for (number, query) in self.queries.iter().enumerate().filter(|(_, q)| Self::counts(q)) {
            for (at, answer) in query.answers.iter().enumerate() {
                for predicate in query.predicates.iter().filter(|id| self.is_value(**id)) {
                    rows.push((answer.entity, *predicate, number as u32, at as u32));
                }
            }
        }
        let confidence = |row: &(u32, u32, u32, u32)| self.queries[row.2 as usize].confidence();
        rows.sort_by(|a, b| {
            let key = |row: &(u32, u32, u32, u32)| (row.0, row.1);
            let surest = confidence(b).total_cmp(&confidence(a));
            key(a).cmp(&key(b)).then(surest).then(a.cmp(b))
        });
        rows.dedup_by_key(|row| (row.0, row.1));
        rows.into_iter().map(move |(entity, predicate, query, at)| {
            let query = &self.queries[query as usize];
            let answer = &query.answers[at as usize];
            let predicate = &self.predicates[predicate as usize];
            ValueRow {
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

/// Which share of an entity's values does its own page not show? `pages` are addresses of entities with the
/// text of their pages; values count as shown where the text has them, in whatever case.
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

/// Words in lower case, without what stands between them, a space at both ends: values are found as
/// whole words.
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

    fn answer(graph: &mut QueryGraph, query: u32, entity: &str) {
        let answer = Answer {
            entity: graph.entities.id(entity),
            page: graph.pages.id("/list"),
            path: graph.paths.id("/html/body/a"),
        };
        graph.queries[query as usize].answers.push(answer);
        graph.queries[query as usize].state = QueryState::Whole;
    }

    #[test]
    fn entities_inherit_the_predicates_of_every_query_that_returns_them() {
        let mut graph = QueryGraph::default();
        let (nike, red) = (graph.predicate("Brand", "Nike"), graph.predicate("Color", "red"));
        let all = graph.query(vec![], "/");
        let one = graph.query(vec![nike], "/nike");
        let both = graph.query(vec![red, nike], "/nike/red");
        assert_eq!(graph.query(vec![nike, red], "/red/nike"), both, "order does not matter");
        for entity in ["/a", "/b", "/c"] {
            answer(&mut graph, all, entity);
        }
        answer(&mut graph, one, "/a");
        answer(&mut graph, one, "/b");
        answer(&mut graph, both, "/b");
        let values: Vec<(&str, &str)> = graph.values().map(|row| (row.entity, row.value)).collect();
        assert_eq!(values, [("/a", "Nike"), ("/b", "Nike"), ("/b", "red")]);
        assert_eq!(graph.count_values(), 3);
        assert_eq!(graph.parents(&graph.queries[both as usize]), [one]);
        assert_eq!(graph.name(&graph.queries[both as usize]), ["Brand=Nike", "Color=red"]);
        let pages = BTreeMap::from([("/b".to_owned(), "A  RED,\nshoe by Nikes".to_owned())]);
        assert_eq!(hidden_share(&graph, &pages), Some(0.5));
        assert_eq!(hidden_share(&graph, &BTreeMap::new()), None);
        graph.queries[both as usize].state = QueryState::Dropped;
        assert_eq!(graph.values().count(), 2);
    }
}
