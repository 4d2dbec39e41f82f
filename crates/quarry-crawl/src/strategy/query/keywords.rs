//! What if nothing can be browsed? Words are searched for; what their answers offer is asked below the
//! words that reach most entities not yet known.

use std::collections::{BTreeMap, BTreeSet};

use super::QuerySettings;
use super::entity::EntityLinks;
use super::explore::{Exploration, Offered, Page, Task};
use super::plan::Meaning;
use xxhash_rust::xxh3::xxh3_64;

use crate::query::{Names, QueryState};
use crate::strategy::probe::{language_of, word_list};

/// Words that are searched for between two looks at the answers.
const WAVE: usize = 6;
/// Common words to begin with.
const COMMON: usize = 60;
/// Shortest word of a title that is searched for.
const SHORTEST: usize = 3;
/// Answers without anything to narrow them by that are enough to give up.
const PLAIN_ANSWERS: usize = 6;
/// The name of the attribute that stands for what was searched for.
const NAME: &str = "keyword";

/// What is searched for.
#[derive(Debug)]
pub(super) struct Keywords {
    asked: BTreeSet<String>,
    /// Words still to ask, the last one first.
    waiting: Vec<String>,
    /// How many titles have each word.
    titles: BTreeMap<String, u32>,
    /// Answers of words: (query, entities on its page).
    answers: Vec<(u32, Vec<u32>)>,
    explored: BTreeSet<u32>,
    /// Words in a row that brought nothing new.
    barren: usize,
    attribute: u32,
}

impl Exploration {
    /// Begins to search, if the site has a search form. False if not.
    pub(super) fn begin_search(&mut self, settings: &QuerySettings) -> bool {
        // A real list that nothing narrows is no reason to search: it has a count or further pages.
        let root = &mut self.graph.queries[0];
        if self.search.is_none() || root.total.is_some() || self.rest.is_some() {
            return false;
        }
        // What looked like a list was none.
        root.answers.clear();
        self.graph.entities = Names::default();
        self.forget_members();
        self.entity = EntityLinks::default();
        self.page_size = 1;
        let attribute = self.graph.attributes.id(NAME);
        self.graph.aside.insert(attribute);
        let plan = self.plans.entry(attribute).or_default();
        plan.meaning = Meaning::Facet;
        let language = language_of(self.language.as_deref(), std::iter::empty());
        let mut waiting: Vec<String> = settings.keywords.clone();
        if waiting.is_empty() {
            // What the site says of itself, drawn by hash, then what many sites have.
            let mut own = std::mem::take(&mut self.words);
            own.sort_by_key(|word| xxh3_64(word.as_bytes()));
            waiting.extend(own.into_iter().take(COMMON / 2));
            let common = word_list(language).into_iter().flatten().take(COMMON);
            waiting.extend(common.map(str::to_owned));
        }
        waiting.reverse();
        self.keywords = Some(Keywords {
            asked: BTreeSet::new(),
            waiting,
            titles: BTreeMap::new(),
            answers: Vec::new(),
            explored: BTreeSet::new(),
            barren: 0,
            attribute,
        });
        true
    }

    /// Explores the best answer so far, or searches for further words.
    pub(super) fn search_on(&mut self, settings: &QuerySettings) {
        let Some(keywords) = &self.keywords else { return };
        let plain = self.offers.is_empty() && keywords.answers.len() >= PLAIN_ANSWERS;
        if plain {
            let n = keywords.answers.len();
            self.end =
                Some(format!("not faceted: {n} answers to words offer nothing to narrow them by"));
            return;
        }
        if let Some(query) = self.best_word() {
            self.explore_word(query, settings);
            if self.is_asking() {
                return;
            }
        }
        self.ask_words(settings);
        if !self.is_asking() {
            self.look_at_details(settings);
        }
        if !self.is_asking() {
            self.end = Some(match self.keywords.as_ref().map_or(0, |k| k.answers.len()) {
                0 => "no word that was searched for had an answer".to_owned(),
                _ => "further words bring nothing new".to_owned(),
            });
        }
    }

    /// Searches for the next words.
    fn ask_words(&mut self, settings: &QuerySettings) {
        let Some(search) = self.search.clone() else { return };
        let Some(keywords) = &mut self.keywords else { return };
        if keywords.barren >= settings.barren_words {
            return;
        }
        // Words of titles: frequent ones first, they reach most.
        let mut from_titles: Vec<(u32, String)> = keywords
            .titles
            .iter()
            .filter(|(word, _)| !keywords.asked.contains(*word))
            .map(|(word, titles)| (*titles, word.clone()))
            .collect();
        from_titles.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut words: Vec<String> = Vec::new();
        let own = !settings.keywords.is_empty();
        if !own {
            words.extend(from_titles.into_iter().map(|(_, word)| word).take(WAVE));
        }
        while words.len() < WAVE
            && let Some(word) = keywords.waiting.pop()
        {
            if !keywords.asked.contains(&word) {
                words.push(word);
            }
        }
        for word in words {
            if let Some(keywords) = &mut self.keywords {
                keywords.asked.insert(word.clone());
            }
            let request = search.request(&word, &[]);
            let predicate = self.graph.predicate(NAME, &word);
            let query = self.graph.query(vec![predicate], &request.key());
            self.ask(&request, Task::Keyword { query }, 0);
        }
    }

    /// Takes the first page of the answer to a word.
    pub(super) fn searched(&mut self, query: u32, page: &Page, settings: &QuerySettings) {
        let sight = &*page.sight;
        let known = self.graph.entities.len();
        let found = self.absorb(query, page);
        let fresh = self.graph.entities.len() > known;
        let node = &mut self.graph.queries[query as usize];
        node.total = sight.total;
        node.state = QueryState::Asked;
        if let Some(keywords) = &mut self.keywords {
            let any = found > 0 || !keywords.answers.is_empty();
            keywords.barren = if fresh || !any { 0 } else { keywords.barren + 1 };
        }
        if found == 0 {
            return;
        }
        self.entity.learn(sight);
        self.page_size = self.page_size.max(sight.entities.len());
        let answers = &self.graph.queries[query as usize].answers;
        let entities: Vec<u32> = answers.iter().map(|answer| answer.entity).collect();
        self.offer_below(query, sight, settings);
        let Some(keywords) = &mut self.keywords else { return };
        keywords.answers.push((query, entities));
        for title in &sight.titles {
            let words = title.split(|c: char| !c.is_alphanumeric());
            let words: BTreeSet<String> = words
                .filter(|word| word.chars().count() >= SHORTEST)
                .map(str::to_lowercase)
                .collect();
            for word in words {
                *keywords.titles.entry(word).or_default() += 1;
            }
        }
    }

    /// The word whose answer promises most entities without values, by what its values cost.
    fn best_word(&self) -> Option<u32> {
        let keywords = self.keywords.as_ref()?;
        let covered = self.covered();
        let worth = |query: u32, shown: &[u32]| -> f64 {
            let new = shown.iter().filter(|entity| !covered.contains(entity)).count();
            let node = &self.graph.queries[query as usize];
            let claimed = node.claimed().unwrap_or(shown.len() as u64).max(shown.len() as u64);
            let offers = self.offers.get(&query).map_or(&[][..], Vec::as_slice);
            let pages = offers
                .iter()
                .map(|offer| offer.count.unwrap_or(1).max(1).div_ceil(self.page_size as u64));
            let cost = pages.sum::<u64>().max(1) as f64;
            new as f64 / shown.len() as f64 * claimed as f64 / cost
        };
        let open = keywords.answers.iter().filter(|(query, _)| !keywords.explored.contains(query));
        let rated = open.map(|(query, shown)| (worth(*query, shown), *query));
        let best = rated.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
        (best.0 > 0.0).then_some(best.1)
    }

    /// Entities that stand below a word that was explored.
    fn covered(&self) -> BTreeSet<u32> {
        let deep = self.graph.queries.iter().filter(|query| query.predicates.len() > 1);
        deep.flat_map(|query| query.answers.iter().map(|answer| answer.entity)).collect()
    }

    /// Asks for everything that the answer to a word offers.
    fn explore_word(&mut self, query: u32, settings: &QuerySettings) {
        let node = &self.graph.queries[query as usize];
        let shown = node.answers.len() as u64;
        // All of its entities are on its page: a value with the same count holds for each of them.
        let whole = node.claimed() == Some(shown) && shown < self.page_size as u64;
        let offers: Vec<Offered> = self.offers.get(&query).cloned().unwrap_or_default();
        let mut waits = false;
        for offer in &offers {
            let attribute = self.attribute_of(offer.predicate);
            match self.meaning(attribute) {
                Meaning::Nothing => {}
                Meaning::Unknown => {
                    self.sample(query, attribute, settings);
                    waits = true;
                }
                Meaning::Facet if whole && offer.count == Some(shown) => {
                    self.conclude(query, offer);
                }
                Meaning::Facet => self.ask_query_once(query, offer),
            }
        }
        if waits && !self.is_asking() {
            // Nothing more to learn: what is unknown by now stays unknown.
            for offer in &offers {
                let plan = self.plans.entry(self.attribute_of(offer.predicate)).or_default();
                if plan.meaning == Meaning::Unknown {
                    plan.meaning = Meaning::Nothing;
                }
            }
            waits = false;
        }
        if !waits && let Some(keywords) = &mut self.keywords {
            keywords.explored.insert(query);
        }
    }

    /// A value that all entities of a query have needs no request.
    fn conclude(&mut self, parent: u32, offer: &Offered) {
        let node = &self.graph.queries[parent as usize];
        let (mut predicates, answers) = (node.predicates.clone(), node.answers.clone());
        predicates.push(offer.predicate);
        let query = self.graph.query(predicates, &offer.request.key());
        let node = &mut self.graph.queries[query as usize];
        if node.state == QueryState::Offered {
            (node.answers, node.expected) = (answers, offer.count);
            node.state = QueryState::Whole;
            self.saved.concluded += 1;
        }
    }

    /// Whether an attribute stands for what was searched for.
    pub(super) fn is_keyword(&self, attribute: u32) -> bool {
        self.keywords.as_ref().is_some_and(|keywords| keywords.attribute == attribute)
    }
}
