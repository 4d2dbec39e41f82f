//! Gathers queries and their answers into a query graph, and counts the triples that are known.

use std::collections::BTreeSet;

use quarry_crawl::query::{EntityId, PredicateId, QueryGraph, QueryState};

/// A query graph that is being built.
#[derive(Debug, Default)]
pub(super) struct GraphBuilder {
    pub(super) graph: QueryGraph,
    triples: BTreeSet<(EntityId, PredicateId)>,
    pub(super) growth: Vec<(usize, usize)>,
}

/// An entity with the page and the node path where it stands.
pub(super) type LocatedEntity<'a> = (&'a str, &'a str, &'a str);

impl GraphBuilder {
    /// Adds the answer to a query.
    pub(super) fn add<'a>(
        &mut self,
        predicates: &[PredicateId],
        request: &str,
        entities: impl Iterator<Item = LocatedEntity<'a>>,
        pages: usize,
        fetched: usize,
    ) {
        let graph = &mut self.graph;
        let query = graph.add_query(predicates.to_vec(), request);
        let mut known: BTreeSet<EntityId> =
            graph[query].answers.iter().map(|answer| answer.entity).collect();
        graph[query].state = QueryState::Whole;
        graph[query].pages = graph[query].pages.max(pages as u32);
        let before = self.triples.len();
        for (entity, page, path) in entities {
            let answer = graph.answer(entity, page, path);
            let entity = answer.entity;
            if known.insert(entity) {
                graph[query].answers.push(answer);
            }
            self.triples.extend(predicates.iter().map(|predicate| (entity, *predicate)));
        }
        if self.triples.len() > before {
            self.growth.push((fetched, self.triples.len()));
        }
    }
}
