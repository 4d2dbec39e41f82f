//! Crawls a site whose only way to its entities is a search field that scripts answer: words are typed one after the other until
//! they bring nothing new, then the pages of what they found are fetched.

use std::collections::BTreeSet;

use quarry_crawl::Stop;
use quarry_dom::{Document, Limits};
use quarry_extract::links::read_links;
use quarry_model::{Fetcher, STATE_PREFIX};
use url::Url;

use super::decide::LIST;
use super::{Details, Plan, Session, SiteStore, data, decide};
use crate::HarvestError;
use crate::text::thousands;

/// What is typed, in this order. Letters come first: where a search completes words, few of them reach everything. Then the
/// commonest words of some languages, and digits.
const WORDS: [&str; 40] = [
    "a", "e", "s", "t", "i", "c", "the", "and", "of", "in", "de", "der", "la", "m", "p", "o", "d",
    "b", "r", "l", "n", "f", "g", "h", "k", "u", "v", "w", "x", "y", "z", "q", "j", "1", "2", "to",
    "for", "with", "und", "et",
];
/// So many words in a row that bring results, and none that is new, end the search.
const IN_VAIN: usize = 2;
/// So many words in a row without any results show that the field finds nothing that has a page.
const WITHOUT_RESULTS: usize = 16;
/// Stands for the word in the address of a search.
pub(super) const WORD: &str = "QUARRYWORD";

/// Whether the address of a search leads to a state of a page: scripts answer it, no server does.
pub(super) fn is_scripted(address: &str) -> bool {
    address.contains(STATE_PREFIX) && address.contains(WORD)
}

/// Types words into the field whose states have the address `search`, with [`WORD`] for the word, and fetches what is found.
/// Where the results can be narrowed by something that the entities' own pages do not say, they are.
pub(super) fn run<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    search: &str,
) -> Result<Stop, HarvestError> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut largest: Option<ResultList> = None;
    let (mut in_vain, mut without, mut typed) = (0, 0, 0);
    let own = session.rendering.words();
    for word in own.iter().map(String::as_str).chain(WORDS) {
        let state = search.replace(WORD, word);
        let (stop, _) = session.fetch(&Plan::LookAt(vec![state.clone()]), Details::All)?;
        if stop != Stop::Finished {
            return Ok(stop);
        }
        typed += 1;
        // What the results are made from says more than further words.
        let is_new = typed == 1 || session.rendering.has_new_records();
        if let Some(stop) = if is_new { data::run(session)? } else { None } {
            if stop == Stop::Finished {
                decide::keep_by_data(session)?;
            }
            return Ok(stop);
        }
        let list = read_results(session.store, &state)?;
        let known = found.len();
        found.extend(list.entities.iter().cloned());
        in_vain = match list.entities.len() {
            _ if found.len() > known => 0,
            0 => in_vain,
            _ => in_vain + 1,
        };
        without = if list.entities.is_empty() { without + 1 } else { 0 };
        if largest.as_ref().is_none_or(|other| list.entities.len() > other.entities.len()) {
            largest = Some(list);
        }
        if in_vain >= IN_VAIN || without >= WITHOUT_RESULTS {
            break;
        }
    }
    let count = thousands(found.len() as u64);
    let line = format!("{typed} words typed into its search field lead to {count} entities");
    session.observer.line(&line);
    let Some(largest) = largest.filter(|_| !found.is_empty()) else { return Ok(Stop::Finished) };
    let found: Vec<String> = found.into_iter().collect();
    let stop = session.run(&Plan::LookAt(found.clone()))?;
    if stop != Stop::Finished {
        return Ok(stop);
    }
    let names = uncovered_choices(session.store, &largest, &found)?;
    if names.is_empty() {
        return Ok(stop);
    }
    let names = names.join(", ");
    let line =
        format!("its results can be narrowed by {names}, which entities' own pages do not say");
    session.observer.line(&line);
    session.run(&Plan::Queries(vec![largest.state]))
}

/// What a state of a page lists.
#[derive(Default)]
struct ResultList {
    state: String,
    entities: Vec<String>,
    /// What narrows the results: names and values.
    facets: Vec<(String, Vec<String>)>,
}

fn read_results<S: SiteStore>(store: &S, state: &str) -> Result<ResultList, HarvestError> {
    let mut list = ResultList { state: state.to_owned(), ..ResultList::default() };
    let (Some(answer), Ok(url)) = (store.archived_answer(state)?, Url::parse(state)) else {
        return Ok(list);
    };
    let document =
        Document::parse(answer.response.content(), Some("text/html"), &Limits::default());
    let map = read_links(&document, &url);
    // Only choices of this state: other groups of links are other pages.
    let is_choice = |href: &str| href.contains(STATE_PREFIX);
    for group in map.facets().filter(|group| group.links.iter().all(|link| is_choice(&link.href))) {
        let values = group.links.iter().map(|link| link.value.clone()).collect();
        list.facets.push((group.attribute.clone().unwrap_or_default(), values));
    }
    if map.entities.len() >= LIST {
        list.entities = map.entities.into_iter().map(|entity| entity.href).collect();
    }
    Ok(list)
}

/// Entities' own pages that are looked at for the values of facets.
const SAMPLE: usize = 40;
/// Share of these pages that has to show a value of a facet for the facet to be said by them.
const MIN_COVERED_SHARE: f64 = 0.8;
/// Share of all choices that may be in no record: requesting all of them to learn a few is not worth while.
const MAX_UNSAID: f64 = 0.2;

/// Facets whose values the entities' own pages do not say; none where these are a small part of all choices.
fn uncovered_choices<S: SiteStore>(
    store: &S,
    list: &ResultList,
    entities: &[String],
) -> Result<Vec<String>, HarvestError> {
    let step = (entities.len() / SAMPLE).max(1);
    let mut pages: Vec<BTreeSet<String>> = Vec::new();
    for entity in entities.iter().step_by(step) {
        let Some(answer) = store.archived_answer(entity)? else { continue };
        let document =
            Document::parse(answer.response.content(), Some("text/html"), &Limits::default());
        let texts = document.all().filter(|&node| document.is_text(node));
        let parts = texts.flat_map(|node| {
            let text = document.text(node).trim().to_lowercase();
            text.split(',')
                .map(|part| part.trim().to_owned())
                .chain([text.clone()])
                .collect::<Vec<_>>()
        });
        pages.push(parts.collect());
    }
    let is_said = |values: &[String]| {
        let values: Vec<String> = values.iter().map(|value| value.to_lowercase()).collect();
        let says = |page: &&BTreeSet<String>| values.iter().any(|value| page.contains(value));
        pages.iter().filter(says).count() as f64 >= MIN_COVERED_SHARE * pages.len() as f64
    };
    let choices = |facets: &[&(String, Vec<String>)]| -> usize {
        facets.iter().map(|(_, values)| values.len()).sum()
    };
    let missing: Vec<&(String, Vec<String>)> =
        list.facets.iter().filter(|(_, values)| !is_said(values)).collect();
    let all: Vec<&(String, Vec<String>)> = list.facets.iter().collect();
    if choices(&missing) as f64 <= MAX_UNSAID * choices(&all) as f64 {
        return Ok(Vec::new());
    }
    Ok(missing.into_iter().map(|(name, _)| name.clone()).collect())
}
