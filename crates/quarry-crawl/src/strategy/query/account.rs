//! What came of it? The receipt of a query-centric crawl.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::explore::Exploration;
use super::plan::Meaning;
use crate::query::{QueryGraph, QueryState};

/// Requests that reasoning has saved, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Saved {
    /// Other views of a list: sort orders, page sizes, removals of a predicate, exports.
    pub views: u64,
    /// Combinations of predicates that each hold on their own.
    pub combinations: u64,
    /// Queries that another order of predicates had asked already.
    pub equivalent: u64,
    /// Values that all entities of a list have, by the counts that it shows.
    pub concluded: u64,
}

/// An attribute that was found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AttributeAccount {
    /// Its name.
    pub name: String,
    /// Different values.
    pub values: usize,
    /// (entity, value) pairs.
    pub pairs: usize,
}

/// What came of crawling a site by queries.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct QueryAccount {
    /// Where it began.
    pub root: String,
    /// Attributes that narrow its lists, the largest first.
    pub attributes: Vec<AttributeAccount>,
    /// Groups of links that turned out to be no attribute.
    pub rejected: Vec<String>,
    /// Entities found.
    pub entities: usize,
    /// How many the site says there are.
    pub total: Option<u64>,
    /// (entity, attribute, value) triples.
    pub triples: usize,
    /// Queries that were asked.
    pub queries: usize,
    /// Queries that are known but were not asked.
    pub unasked: usize,
    /// Queries with as many entities as the site says.
    pub complete: usize,
    /// Queries whose lists end before all their entities are shown, and how many are missing, parts included.
    pub short: Vec<(String, u64)>,
    /// Requests that brought a page of the site.
    pub requests: u64,
    /// Requests that were saved.
    pub saved: Saved,
    /// Entities whose own pages were looked at.
    pub details: Vec<String>,
    /// Share of the values of these entities that their pages do not show.
    pub hidden: Option<f64>,
    /// Why it is over; `None` while it is not.
    pub end: Option<String>,
}

impl Exploration {
    pub(super) fn account(&self) -> QueryAccount {
        let graph = &self.graph;
        let mut attributes: Vec<AttributeAccount> = graph
            .attributes()
            .iter()
            .map(|name| AttributeAccount { name: name.clone(), ..Default::default() })
            .collect();
        let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
        let mut triples = 0;
        for row in graph.values() {
            triples += 1;
            let id = graph.attributes.find(row.attribute).unwrap_or(0) as usize;
            attributes[id].pairs += 1;
            if seen.insert((row.attribute, row.value)) {
                attributes[id].values += 1;
            }
        }
        attributes.retain(|attribute| attribute.pairs > 0);
        attributes.sort_by(|a, b| b.pairs.cmp(&a.pairs).then(a.name.cmp(&b.name)));
        let counted = || graph.queries.iter().filter(|query| QueryGraph::counts(query));
        let whole = |query: &&crate::query::QueryNode| {
            query.claimed().is_some_and(|claimed| claimed == query.answers.len() as u64)
        };
        let mut short = Vec::new();
        for (id, query) in graph.queries.iter().enumerate().skip(1) {
            if query.state == QueryState::Short {
                let claimed = query.claimed().unwrap_or(0);
                let missing = claimed.saturating_sub(self.seen_in(id as u32) as u64);
                if missing > 0 {
                    short.push((graph.name(query).join(", "), missing));
                }
            }
        }
        let nothing = |(id, plan): &(&u32, &super::explore::Plan)| {
            plan.meaning == Meaning::Nothing && !self.is_keyword(**id)
        };
        let rejected = self.plans.iter().filter(nothing);
        QueryAccount {
            root: self.root_key().to_owned(),
            rejected: rejected.map(|(id, _)| graph.attributes.text(*id).to_owned()).collect(),
            entities: graph.entities.len(),
            total: graph.queries[0].total,
            triples,
            queries: counted().count(),
            unasked: graph.queries.iter().filter(|q| q.state == QueryState::Offered).count(),
            complete: counted().filter(whole).count(),
            attributes,
            short,
            requests: self.requests,
            saved: self.saved,
            details: self
                .details
                .iter()
                .map(|entity| graph.entities.text(*entity).to_owned())
                .collect(),
            hidden: None,
            end: self.end.clone(),
        }
    }
}
