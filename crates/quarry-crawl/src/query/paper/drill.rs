//! What do drill-downs say of entities? Queries and answers gathered into a query graph.

use std::collections::BTreeSet;

use crate::query::{Answer, QueryGraph, QueryState};

/// A query graph that is being found.
#[derive(Debug, Default)]
pub(super) struct Finding {
    pub(super) graph: QueryGraph,
    triples: BTreeSet<(u32, u32)>,
    pub(super) growth: Vec<(usize, usize)>,
}

/// An entity with the page and the node path where it stands.
pub(super) type Place<'a> = (&'a str, &'a str, &'a str);

impl Finding {
    /// Adds the answer to a query.
    pub(super) fn add<'a>(
        &mut self,
        predicates: &[u32],
        request: &str,
        entities: impl Iterator<Item = Place<'a>>,
        pages: usize,
        fetched: usize,
    ) {
        let graph = &mut self.graph;
        let number = graph.query(predicates.to_vec(), request) as usize;
        let mut known: BTreeSet<u32> =
            graph.queries[number].answers.iter().map(|answer| answer.entity).collect();
        graph.queries[number].state = QueryState::Whole;
        graph.queries[number].pages = graph.queries[number].pages.max(pages as u32);
        let before = self.triples.len();
        for (entity, page, path) in entities {
            let entity = graph.entities.id(entity);
            if known.insert(entity) {
                let (page, path) = (graph.pages.id(page), graph.paths.id(path));
                graph.queries[number].answers.push(Answer { entity, page, path });
            }
            self.triples.extend(predicates.iter().map(|predicate| (entity, *predicate)));
        }
        if self.triples.len() > before {
            self.growth.push((fetched, self.triples.len()));
        }
    }
}
