//! The queries that a site answers, as lines: their entities, their parents, and which are equivalent.

use std::collections::BTreeMap;

use quarry_crawl::query::{EntityId, QueryGraph, QueryId};
use serde::Serialize;

/// A query as a line of `quarry graph`.
#[derive(Debug, Serialize)]
pub struct QueryLine {
    /// Its pairs `attribute=value`, sorted; none for the query for everything.
    pub query: Vec<String>,
    /// The address or request of its list.
    pub url: String,
    /// Entities that it returns.
    pub entities: usize,
    /// As many as the site says.
    pub claimed: Option<u64>,
    /// Pages of its list that were read.
    pub pages: u32,
    /// How far its list was read.
    pub state: &'static str,
    /// Queries with one pair less.
    pub parents: Vec<Vec<String>>,
    /// Other queries with the same entities.
    pub same: Vec<Vec<String>>,
}

/// The answered queries of all graphs.
#[must_use]
pub fn query_lines(graphs: &[QueryGraph]) -> Vec<QueryLine> {
    let mut lines = Vec::new();
    for graph in graphs {
        let name = |id: &QueryId| graph.name(&graph[*id]);
        let same = same_answers(graph);
        for (id, query) in graph.queries().filter(|(_, query)| query.is_answered()) {
            let others = same.get(&query.entities()).into_iter().flatten();
            lines.push(QueryLine {
                query: graph.name(query),
                url: query.request.clone(),
                entities: query.answers.len(),
                claimed: query.claimed(),
                pages: query.pages,
                state: query.state.as_str(),
                parents: graph.parents(query).iter().map(name).collect(),
                same: others.filter(|other| **other != id).map(name).collect(),
            });
        }
    }
    lines
}

/// Queries by their answers: those that share one are equivalent as far as was seen (§3). Queries
/// without entities are left out, and the query for everything, which is never read to its end.
fn same_answers(graph: &QueryGraph) -> BTreeMap<Vec<EntityId>, Vec<QueryId>> {
    let mut groups: BTreeMap<Vec<EntityId>, Vec<QueryId>> = BTreeMap::new();
    for (id, query) in graph.queries().skip(1) {
        if query.is_answered() && !query.answers.is_empty() {
            groups.entry(query.entities()).or_default().push(id);
        }
    }
    groups
}
