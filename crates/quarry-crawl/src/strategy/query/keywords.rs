//! Keyword search, for sites whose lists cannot be browsed: words are searched for, and the facets of
//! their results are requested below the words that promise most entities not yet known.

use std::collections::{BTreeMap, BTreeSet};

use xxhash_rust::xxh3::xxh3_64;

use super::entity_links::EntityLinks;
use super::facts::QueryFacts;
use super::meaning::Meaning;
use super::offers::OfferedPredicate;
use super::requests::{FetchedPage, Task};
use super::state::SiteState;
use crate::query::{AttributeId, EntityId, QueryId, QueryState};
use crate::strategy::probe::{language_of, word_list};

/// Words that are searched for before their results are compared.
const WORDS_PER_ROUND: usize = 6;
/// Common words of the site's language to begin with; half as many come from the root page.
const COMMON_WORDS: usize = 60;
/// Characters of the shortest word of a title that is searched for.
const MIN_WORD_CHARS: usize = 3;
/// Results without facets after which the site counts as not faceted.
const PLAIN_RESULTS: usize = 6;
/// Name of the attribute that stands for the word that was searched for.
const KEYWORD: &str = "keyword";

/// Words that were and will be searched for.
#[derive(Debug)]
pub(super) struct Keywords {
    asked: BTreeSet<String>,
    /// Words still to be searched for, the last one first.
    waiting: Vec<String>,
    /// How many titles have each word.
    titles: BTreeMap<String, u32>,
    /// Words with results: the query, and the entities on its first page.
    results: Vec<(QueryId, Vec<EntityId>)>,
    /// Words whose facets were requested.
    explored: BTreeSet<QueryId>,
    /// Words in a row that brought no new entity.
    without_news: usize,
    attribute: AttributeId,
}

impl Keywords {
    pub(super) fn any_answers(&self) -> bool {
        !self.results.is_empty()
    }

    pub(super) fn mark_explored(&mut self, query: QueryId) {
        self.explored.insert(query);
    }

    /// Gives entities their new numbers.
    pub(super) fn rename_entities(&mut self, new: &[EntityId]) {
        let entities = self.results.iter_mut().flat_map(|(_, entities)| entities);
        entities.for_each(|id| *id = new[id.index()]);
    }

    /// Whether an attribute stands for the word that was searched for.
    pub(super) fn is_keyword(&self, attribute: AttributeId) -> bool {
        self.attribute == attribute
    }

    /// The next words: those in most titles first, which reach most, unless the user named words.
    fn next_words(&mut self, named_by_user: bool) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        if !named_by_user {
            let new = self.titles.iter().filter(|(word, _)| !self.asked.contains(*word));
            let mut new: Vec<(&String, u32)> = new.map(|(word, titles)| (word, *titles)).collect();
            new.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
            words.extend(new.into_iter().map(|(word, _)| word.clone()).take(WORDS_PER_ROUND));
        }
        while words.len() < WORDS_PER_ROUND
            && let Some(word) = self.waiting.pop()
        {
            if !self.asked.contains(&word) {
                words.push(word);
            }
        }
        self.asked.extend(words.iter().cloned());
        words
    }
}

/// Begins to search, if the site has a search form. False if not.
pub(super) fn begin(state: &mut SiteState) -> bool {
    // A list with a count or further pages is a real one, even if nothing narrows it.
    let is_list = state.graph[QueryId::ROOT].total.is_some() || state.root_is_paged();
    if state.search.form.is_none() || is_list {
        return false;
    }
    state.forget_entities();
    state.lists.entity_links = EntityLinks::default();
    state.lists.page_size = 1;
    let attribute = state.graph.attributes.intern(KEYWORD);
    state.graph.ignored_attributes.insert(attribute);
    state.attribute(attribute).meaning = Meaning::Facet;
    let mut waiting: Vec<String> = state.settings.keywords.clone();
    if waiting.is_empty() {
        // Words of the site's own page in the order of their hashes, then common words.
        let mut own = std::mem::take(&mut state.search.words);
        own.sort_by_key(|word| xxh3_64(word.as_bytes()));
        waiting.extend(own.into_iter().take(COMMON_WORDS / 2));
        let language = language_of(state.search.language.as_deref(), std::iter::empty());
        let common = word_list(language).into_iter().flatten().take(COMMON_WORDS);
        waiting.extend(common.map(str::to_owned));
    }
    waiting.reverse();
    state.search.keywords = Some(Keywords {
        asked: BTreeSet::new(),
        waiting,
        titles: BTreeMap::new(),
        results: Vec::new(),
        explored: BTreeSet::new(),
        without_news: 0,
        attribute,
    });
    true
}

/// Why searching ends, if several results have nothing that narrows them.
pub(super) fn ends_without_facets(state: &SiteState) -> Option<String> {
    let n = state.search.keywords.as_ref()?.results.len();
    let is_plain = state.offers.is_empty() && n >= PLAIN_RESULTS;
    is_plain.then(|| format!("not faceted: {n} answers to words offer nothing to narrow them by"))
}

/// Searches for the next words, unless the last ones brought nothing.
pub(super) fn request_next(state: &mut SiteState) {
    let (Some(form), Some(keywords)) = (&state.search.form, &mut state.search.keywords) else {
        return;
    };
    if keywords.without_news >= state.settings.max_words_without_new {
        return;
    }
    for word in keywords.next_words(!state.settings.keywords.is_empty()) {
        let request = form.request(&word, &[]);
        let predicate = state.graph.add_predicate(KEYWORD, &word);
        let query = state.graph.add_query(vec![predicate], &request.key());
        state.requests.send(&request, Task::Keyword { query }, 0);
    }
}

/// Reads the first page of a word's results. False if there are none.
pub(super) fn read_results(state: &mut SiteState, query: QueryId, page: &FetchedPage) -> bool {
    let facts = &*page.facts;
    let known = state.graph.entities.len();
    let found = state.add_answers(query, page);
    let is_news = state.graph.entities.len() > known;
    let node = &mut state.graph[query];
    node.total = facts.total;
    node.state = QueryState::Asked;
    if let Some(keywords) = &mut state.search.keywords {
        let any = found > 0 || keywords.any_answers();
        keywords.without_news = if is_news || !any { 0 } else { keywords.without_news + 1 };
    }
    if found > 0 {
        state.lists.entity_links.learn(facts, &state.graph.identity);
        state.lists.page_size = state.lists.page_size.max(facts.entities.len());
    }
    found > 0
}

/// Remembers the entities of a word's results, and the words of their titles.
pub(super) fn remember_results(state: &mut SiteState, query: QueryId, facts: &QueryFacts) {
    let answers = state.graph[query].answers.iter();
    let entities: Vec<EntityId> = answers.map(|answer| answer.entity).collect();
    let Some(keywords) = &mut state.search.keywords else { return };
    keywords.results.push((query, entities));
    for title in &facts.titles {
        let words = title.split(|c: char| !c.is_alphanumeric());
        let words: BTreeSet<String> = words
            .filter(|word| word.chars().count() >= MIN_WORD_CHARS)
            .map(str::to_lowercase)
            .collect();
        for word in words {
            *keywords.titles.entry(word).or_default() += 1;
        }
    }
}

/// The word whose results promise most entities without values for the requests that its facets take.
pub(super) fn best_keyword(state: &SiteState) -> Option<QueryId> {
    let keywords = state.search.keywords.as_ref()?;
    // Entities that a query below a word has returned.
    let deep = state.graph.queries.iter().filter(|query| query.predicates.len() > 1);
    let covered: BTreeSet<EntityId> =
        deep.flat_map(|query| query.answers.iter().map(|answer| answer.entity)).collect();
    let worth = |query: QueryId, shown: &[EntityId]| -> f64 {
        let new = shown.iter().filter(|entity| !covered.contains(entity)).count() as f64;
        let entities = shown.len() as u64;
        let claimed = state.graph[query].claimed().unwrap_or(entities).max(entities);
        let cost = state.lists.pages_of(state.offers.of(query)).max(1) as f64;
        new / entities as f64 * claimed as f64 / cost
    };
    let open = keywords.results.iter().filter(|(query, _)| !keywords.explored.contains(query));
    let rated = open.map(|(query, shown)| (worth(*query, shown), *query));
    let best = rated.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
    (best.0 > 0.0).then_some(best.1)
}

/// Whether the first page of a word's results shows all of its entities.
pub(super) fn shows_whole_answer(state: &SiteState, query: QueryId) -> bool {
    let node = &state.graph[query];
    let shown = node.answers.len();
    node.claimed() == Some(shown as u64) && shown < state.lists.page_size
}

/// Adds a query whose entities are all those of its parent, by the count beside its link, without a
/// request.
pub(super) fn conclude(state: &mut SiteState, parent: QueryId, offer: &OfferedPredicate) {
    let node = &state.graph[parent];
    let (mut predicates, answers) = (node.predicates.clone(), node.answers.clone());
    predicates.push(offer.predicate);
    let query = state.graph.add_query(predicates, &offer.request.key());
    let node = &mut state.graph[query];
    if node.state == QueryState::Offered {
        (node.answers, node.expected) = (answers, offer.count);
        node.state = QueryState::Whole;
        state.saved.concluded += 1;
    }
}
