//! The least number of requests that determine every value that a site shows through its facets; crawlers
//! are measured against it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Site;
use super::answer::Answer;
use super::urls::Query;
use crate::catalogue::{CatalogueAttributeId, CatalogueEntityId, FacetPredicate};

/// The least number of requests that determines every (entity, facet, value) triple.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeastRequests {
    /// The first page of the list of everything, or the page with the search field.
    pub root: usize,
    /// Pages that list the values which the root does not show ("more").
    pub more: usize,
    /// First pages of queries that are needed only because a dependent facet or the next level of a
    /// tree is offered there, and of searches where nothing can be browsed. They count among `pages` too
    /// when they are single-predicate queries.
    pub drill_downs: usize,
    /// Pages of every single-predicate query at the largest page size.
    pub pages: usize,
    /// Pages of the queries that those beyond the result cap are split into, and their own first pages.
    #[serde(default)]
    pub splits: usize,
}

impl LeastRequests {
    /// The sum.
    #[must_use]
    pub fn total(&self) -> usize {
        self.root + self.more + self.drill_downs + self.pages + self.splits
    }
}

/// What seeing all entities of a query takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// Entities that no split reaches and the first pages may not show.
    missed: usize,
    requests: usize,
}

impl Site {
    /// The least number of requests that determines every (entity, facet, value) triple, when no
    /// value is guessed: each triple must be seen in the answer to its own single-predicate query,
    /// so every page of each is needed, at the largest page size on offer, and before that the
    /// pages on which the value is offered.
    ///
    /// A query beyond the result cap is split by the one further attribute that reaches most of its
    /// entities and then takes the fewest requests; parts that are still beyond the cap are split again.
    /// Each capped query counts on its own: a list that is needed for two of them counts twice.
    ///
    /// Where every list needs a keyword, the facets are asked below words of the site, chosen one after
    /// the other so that each reaches most entities that none before it has. Finding the fewest words
    /// is set cover; this choice is what a crawler that knew all words could do, not a proven least.
    #[must_use]
    pub fn least_requests(&self) -> LeastRequests {
        let mut least = LeastRequests { root: 1, ..LeastRequests::default() };
        if self.spec.search.required {
            for keywords in self.covering_words() {
                least.drill_downs += 1;
                self.add_single_predicates(&keywords, &mut least);
            }
        } else {
            self.add_single_predicates(&Query::default(), &mut least);
        }
        least
    }

    /// The queries with one predicate more than this one, which has none of its own.
    fn add_single_predicates(&self, start: &Query, least: &mut LeastRequests) {
        let answer = self.answer(start, self.step(0));
        for (id, counts) in &answer.counts {
            let used = counts.iter().filter(|count| **count > 0).count();
            let attribute = self.catalogue.attribute(*id);
            if self.offered(*id, start) {
                let most = self.spec.facets.max_values;
                least.more += usize::from(most > 0 && used > most);
                for (word, count) in (0u32..).zip(counts) {
                    let predicate = FacetPredicate { attribute: *id, word };
                    self.add_query(&narrowed(start, &[predicate]), *count as usize, least);
                }
            } else if let Some((needed, words)) = &attribute.needs {
                let pairs = self.pairs(&answer, *needed, words, *id);
                for (&(above, word), count) in &pairs {
                    let above = FacetPredicate { attribute: *needed, word: above };
                    let predicate = FacetPredicate { attribute: *id, word };
                    self.add_query(&narrowed(start, &[above, predicate]), *count, least);
                }
                if !self.offered(*needed, start) {
                    let offers: BTreeSet<u32> = pairs.keys().map(|(above, _)| *above).collect();
                    least.drill_downs += offers.len();
                }
            }
        }
    }

    /// Entities by the word of an attribute and the word of the one that it waits for.
    fn pairs(
        &self,
        answer: &Answer,
        needed: CatalogueAttributeId,
        words: &[u32],
        waiting: CatalogueAttributeId,
    ) -> BTreeMap<(u32, u32), usize> {
        let (above, below) = (self.catalogue.attribute(needed), self.catalogue.attribute(waiting));
        let mut pairs: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for e in &answer.entities {
            for a in above.cells(CatalogueEntityId(*e)) {
                if words.is_empty() || words.contains(a) {
                    for b in below.cells(CatalogueEntityId(*e)) {
                        *pairs.entry((*a, *b)).or_default() += 1;
                    }
                }
            }
        }
        pairs
    }

    fn add_query(&self, query: &Query, entities: usize, least: &mut LeastRequests) {
        if entities <= self.most_shown() {
            least.pages += entities.div_ceil(self.largest_page());
        } else {
            least.splits += self.split(query).requests;
        }
    }

    fn largest_page(&self) -> usize {
        let paging = &self.spec.paging;
        paging.sizes.iter().copied().chain([paging.size]).max().unwrap_or(1).max(1)
    }

    /// Entities that one query shows at most.
    fn most_shown(&self) -> usize {
        match self.spec.paging.cap {
            0 => usize::MAX,
            pages => pages * self.largest_page(),
        }
    }

    /// What it takes to see all entities of a query, by the best attribute where it is capped.
    fn split(&self, query: &Query) -> Cost {
        let answer = self.answer(query, self.step(0));
        let all = answer.entities.len();
        if all <= self.most_shown() {
            return Cost { missed: 0, requests: all.div_ceil(self.largest_page()) };
        }
        let unsplit = Cost { missed: all - self.most_shown(), requests: self.spec.paging.cap };
        let by = |(id, counts): &(CatalogueAttributeId, Vec<u32>)| {
            let taken = query.predicates.iter().any(|predicate| predicate.attribute == *id);
            if taken || !self.offered(*id, query) {
                return None;
            }
            let attribute = self.catalogue.attribute(*id);
            let with = |e: &&u32| !attribute.cells(CatalogueEntityId(**e)).is_empty();
            let without = all - answer.entities.iter().filter(with).count();
            let mut cost = Cost { missed: without, requests: 1 };
            if without > 0 {
                // They may stand on the pages that are shown.
                cost.requests = self.spec.paging.cap;
            }
            for (word, _) in (0u32..).zip(counts).filter(|(_, count)| **count > 0) {
                let part = self.split(&narrowed(query, &[FacetPredicate { attribute: *id, word }]));
                cost.missed += part.missed;
                cost.requests += part.requests;
            }
            Some(cost)
        };
        answer.counts.iter().filter_map(by).chain([unsplit]).min().unwrap_or(unsplit)
    }

    /// Searches for single words that together reach every entity that words reach.
    fn covering_words(&self) -> Vec<Query> {
        let words = self.engine.words();
        let mut open: BTreeSet<u32> =
            self.answer(&Query::default(), self.step(0)).entities.iter().copied().collect();
        let mut chosen = Vec::new();
        loop {
            let gain = |entities: &[u32]| entities.iter().filter(|e| open.contains(e)).count();
            let best = words.iter().rev().max_by_key(|(_, entities)| gain(entities));
            match best {
                Some((word, entities)) if gain(entities) > 0 => {
                    for e in entities {
                        open.remove(e);
                    }
                    chosen.push(Query { keywords: Some(word.clone()), ..Query::default() });
                }
                _ => return chosen,
            }
        }
    }
}

fn narrowed(query: &Query, predicates: &[FacetPredicate]) -> Query {
    let mut narrow = query.first();
    narrow.predicates.extend(predicates);
    narrow
}
