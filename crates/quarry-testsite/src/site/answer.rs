//! Which entities answer a query, in which order, and how often does each facet value occur among
//! them? Inverted lists are intersected, the shortest first; answers are kept for the next page.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::changes::Timeline;
use super::urls::Query;
use crate::catalogue::{Catalogue, CatalogueAttributeId, CatalogueEntityId, FacetPredicate};
use crate::format::SiteValue;
use crate::text;

/// What a query gives.
#[derive(Debug)]
pub(crate) struct Answer {
    /// In the order asked for.
    pub(crate) entities: Vec<u32>,
    /// For every facet, how many of the entities have each word.
    pub(crate) counts: Vec<(CatalogueAttributeId, Vec<u32>)>,
}

/// What makes two queries the same.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    step: u32,
    keywords: Option<String>,
    predicates: Vec<FacetPredicate>,
    sort: usize,
}

/// At most this many entities in kept answers: 16 MB.
const KEPT: usize = 4_000_000;

/// The search engine behind a site.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    /// Words of titles and descriptions.
    words: BTreeMap<String, Vec<u32>>,
    /// For every sort order, the place of each entity in it.
    ranks: Vec<Vec<u32>>,
    /// Positions in `SORTS` that this site offers.
    pub(crate) sorts: Vec<usize>,
    kept: Mutex<(usize, BTreeMap<Key, Arc<Answer>>)>,
}

impl Engine {
    pub(crate) fn new(catalogue: &Catalogue, texts: impl Iterator<Item = String>) -> Self {
        let mut words: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (e, text) in texts.enumerate() {
            for word in text::words(&text) {
                let places = words.entry(word).or_default();
                if places.last() != Some(&(e as u32)) {
                    places.push(e as u32);
                }
            }
        }
        let n = catalogue.len();
        let price = |e: u32| -> i64 {
            let found = catalogue.attributes.iter().enumerate().find_map(|(i, a)| match catalogue
                .value(CatalogueAttributeId(i as u16), CatalogueEntityId(e))
            {
                Some(SiteValue::Money(cents)) if a.list || a.spec => Some(*cents),
                _ => None,
            });
            found.unwrap_or(0)
        };
        let prices: Vec<i64> = (0..n as u32).map(price).collect();
        let ranked = |order: &mut Vec<u32>| {
            let mut ranks = vec![0; n];
            for (place, e) in order.iter().enumerate() {
                ranks[*e as usize] = place as u32;
            }
            ranks
        };
        let all = || (0..n as u32).collect::<Vec<u32>>();
        let (mut up, mut down, mut by_name) = (all(), all(), all());
        up.sort_by_key(|e| (prices[*e as usize], *e));
        down.sort_by_key(|e| (-prices[*e as usize], *e));
        by_name.sort_by(|a, b| {
            (&catalogue.titles[*a as usize], a).cmp(&(&catalogue.titles[*b as usize], b))
        });
        let ranks = vec![Vec::new(), ranked(&mut up), ranked(&mut down), ranked(&mut by_name)];
        let sorts = if prices.iter().any(|p| *p > 0) { vec![0, 1, 2, 3] } else { vec![0, 3] };
        Self { words, ranks, sorts, kept: Mutex::default() }
    }

    /// Answers a query at a step of the site's changes.
    pub(crate) fn answer(
        &self,
        catalogue: &Catalogue,
        timeline: &Timeline,
        query: &Query,
        step: u32,
    ) -> Arc<Answer> {
        let mut predicates = query.predicates.clone();
        predicates.sort_unstable();
        let key = Key { step, keywords: query.keywords.clone(), predicates, sort: query.sort };
        // A panic elsewhere cannot leave a half-made answer behind: whole answers are put in.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = kept.1.get(&key) {
            return Arc::clone(answer);
        }
        drop(kept);
        let answer = Arc::new(self.compute(catalogue, timeline, &key));
        kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0 > KEPT {
            *kept = (0, BTreeMap::new());
        }
        kept.0 += answer.entities.len() + 200;
        kept.1.insert(key, Arc::clone(&answer));
        answer
    }

    fn compute(&self, catalogue: &Catalogue, timeline: &Timeline, key: &Key) -> Answer {
        let mut lists: Vec<&[u32]> = Vec::new();
        for predicate in &key.predicates {
            lists.push(&catalogue.word(*predicate).entities);
        }
        for word in key.keywords.iter().flat_map(|k| text::words(k)) {
            lists.push(self.words.get(&word).map_or(&[], Vec::as_slice));
        }
        lists.sort_by_key(|l| l.len());
        let mut entities: Vec<u32> = match lists.split_first() {
            None => (0..catalogue.len() as u32).collect(),
            Some((first, rest)) => first
                .iter()
                .copied()
                .filter(|e| rest.iter().all(|list| list.binary_search(e).is_ok()))
                .collect(),
        };
        if !timeline.still() {
            entities.retain(|e| timeline.alive(CatalogueEntityId(*e), key.step));
        }
        let counts = catalogue
            .facets()
            .map(|(id, attribute)| {
                let mut counts = vec![0; attribute.words().len()];
                for e in &entities {
                    for word in attribute.cells(CatalogueEntityId(*e)) {
                        counts[*word as usize] += 1;
                    }
                }
                (id, counts)
            })
            .collect();
        if let Some(ranks) = self.ranks.get(key.sort).filter(|r| !r.is_empty()) {
            entities.sort_by_key(|e| ranks[*e as usize]);
        }
        Answer { entities, counts }
    }

    /// The words of titles and descriptions with their entities.
    pub(crate) fn words(&self) -> &BTreeMap<String, Vec<u32>> {
        &self.words
    }

    /// Words that match exactly `count` entities, in alphabetical order.
    pub(crate) fn words_with(&self, count: usize) -> impl Iterator<Item = &str> {
        self.words.iter().filter(move |(_, e)| e.len() == count).map(|(w, _)| w.as_str())
    }
}
