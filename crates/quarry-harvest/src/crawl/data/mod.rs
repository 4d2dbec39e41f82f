//! Crawls the data behind pages: where scripts fill a page from JSON, the endpoint is asked for the rest of it, and the browser is
//! left out.
//!
//! Which pages show what was found out while they were rendered. What is known is kept in the project, so that a crawl which was
//! broken off goes on.

mod choices;
mod details;
mod index;
mod paging;

use std::collections::BTreeSet;

use quarry_crawl::{Address, Stop};
use quarry_extract::embedded::behind::{
    AddressForm, JsonRecord, RecordSource, read_answer, records_at,
};
use quarry_extract::links::read_links;
use quarry_model::{Fetcher, ModelStore};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::decide::LIST;
use super::render::{ShownData, endpoint, path};
use super::{Details, Plan, Session, SiteStore};
use crate::HarvestError;
use crate::pages::ParsedPage;
use crate::text::thousands;

/// The file in the project's `models`.
const FILE: &str = "data.json";
/// Answers that are asked for at a time, at most: what came back decides about the next ones.
const BATCH: usize = 64;
/// Pages beside the list that are looked at for other lists.
const LOOKED_AT: usize = 12;
/// Groups of choices that are tried to see whether they narrow a list.
const TRIED_CHOICES: usize = 4;

/// Records behind a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataSource {
    /// The page, or the state of a page, that shows some of them.
    pub page: String,
    /// Where they stand.
    pub source: RecordSource,
    /// The addresses of the answers that have them.
    pub answers: Vec<String>,
    /// Where each entity has an answer of its own.
    pub details: Option<DetailSource>,
    /// Whether entities' own pages were only looked at, because the data says all that they do.
    #[serde(default)]
    pub are_sampled: bool,
    /// Whether the endpoint was asked until nothing new came.
    pub is_whole: bool,
    /// The round of the crawl that found it.
    round: u32,
}

/// Answers about single entities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetailSource {
    /// The address of an entity's answer.
    pub address: AddressForm,
    /// The object in it that is the entity.
    pub pointer: String,
}

impl DataSource {
    /// The address of a record's entity: its own page, or the list with what tells it apart.
    #[must_use]
    pub fn entity(&self, record: &JsonRecord) -> Option<String> {
        if let Some(form) = &self.source.address {
            let address = form.address(record)?;
            return Some(Address::normalise(&address).map_or(address, Address::into_string));
        }
        let key = record.value(&self.source.key)?;
        let hash = xxhash_rust::xxh3::xxh3_64(key.as_bytes());
        Some(format!("{}#record-{hash:016x}", path(&self.page)))
    }
}

/// The data behind pages that a crawl has found.
pub fn read_data(store: &dyn ModelStore) -> Result<Vec<DataSource>, HarvestError> {
    let Some(text) = store.read_model(FILE)? else { return Ok(Vec::new()) };
    serde_json::from_str(&text).map_err(|source| HarvestError::Damaged {
        place: store.model_place(FILE),
        remedy: "remove it, the next crawl writes it anew",
        source,
    })
}

fn keep(store: &dyn ModelStore, sources: &[DataSource]) -> Result<(), HarvestError> {
    let text = serde_json::to_string_pretty(sources)
        .map_err(HarvestError::print("the data behind pages"))?;
    Ok(store.write_model(FILE, &text)?)
}

/// The data of the archived answer to an address, as JSON.
fn answer<S: SiteStore>(store: &S, url: &str) -> Result<Option<Value>, HarvestError> {
    let found = match store.archived_answer(url)? {
        Some(found) => Some(found),
        None => match Address::normalise(url) {
            Ok(address) => store.archived_answer(&address.into_string())?,
            Err(_) => None,
        },
    };
    let json = found.filter(|found| (200..300).contains(&found.response.status));
    Ok(json.and_then(|found| read_answer(found.response.sent_content())))
}

/// Asks for the data behind the pages that were rendered so far. `None` where there is none, or where the site has more than
/// it: then other strategies go on.
pub(super) fn run<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<Option<Stop>, HarvestError> {
    let mut sources = update(session, &|_| true)?;
    if sources.is_empty() {
        return Ok(None);
    }
    if let Some(stop) = complete_all(session, &mut sources)? {
        return Ok(Some(stop));
    }
    // Pages beside the list may have lists of their own.
    let others = other_pages(session.store, &sources)?;
    if !others.is_empty() {
        let (stop, _) = session.fetch(&Plan::LookAt(others.clone()), Details::All)?;
        if stop != Stop::Finished {
            return Ok(Some(stop));
        }
        sources = update(session, &|_| true)?;
        if let Some(stop) = complete_all(session, &mut sources)? {
            return Ok(Some(stop));
        }
    }
    if index::follow(session, &mut sources)? {
        sources = update(session, &|_| true)?;
        if let Some(stop) = complete_all(session, &mut sources)? {
            return Ok(Some(stop));
        }
    }
    let known = Known::of(session.store, &sources)?;
    if known.entities.len() < LIST {
        return Ok(None);
    }
    let records = thousands(known.entities.len() as u64);
    let answers = thousands(sources.iter().map(|own| own.answers.len() as u64).sum());
    let place =
        sources.iter().max_by_key(|own| own.answers.len()).and_then(|own| own.answers.first());
    let place = place.map(|url| path(url)).unwrap_or_default();
    session.observer.line(&format!(
        "the lists are made by scripts from data: {records} records in {answers} answers of {place}"
    ));
    for at in 0..sources.len() {
        let stop = details::complete(session, &mut sources[at])?;
        keep(session.store, &sources)?;
        if stop != Stop::Finished {
            return Ok(Some(stop));
        }
    }
    let lists: Vec<String> = sources.iter().map(|own| own.page.clone()).chain(others).collect();
    let mut is_more = has_other_lists(session.store, &lists, &known)?;
    for choice in
        choices::untested_choices(session.store, &sources, &known)?.into_iter().take(TRIED_CHOICES)
    {
        let (stop, _) = session.fetch(&Plan::LookAt(vec![choice.1.clone()]), Details::All)?;
        if stop != Stop::Finished {
            return Ok(Some(stop));
        }
        is_more |= choices::narrows(session.store, &sources, &choice)?;
    }
    if !is_more {
        // States that were only tried are no lists of their own.
        session.rendering.take_data();
    }
    Ok((!is_more).then_some(Stop::Finished))
}

/// At the end of a crawl by other strategies: asks for the rest of the data behind the lists that it met.
pub(super) fn finish<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<Stop, HarvestError> {
    // Without pages of their own, records may be notes on whatever the page is about.
    let mut sources = update(session, &|source| source.address.is_some())?;
    Ok(complete_all(session, &mut sources)?.unwrap_or(Stop::Finished))
}

/// Takes what was found out while pages were rendered.
fn update<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    is_wanted: &dyn Fn(&RecordSource) -> bool,
) -> Result<Vec<DataSource>, HarvestError> {
    let round = session.store.round().number;
    let mut sources = read_data(session.store)?;
    let known = sources.len();
    sources.retain(|own| own.round == round);
    let mut is_new = sources.len() < known;
    let mut seen = Vec::new();
    for shown in session.rendering.take_data() {
        let ShownData { page, records, .. } = &shown;
        seen.push(shown.clone());
        let Some((source, answers)) = records.clone().filter(|(source, _)| is_wanted(source))
        else {
            continue;
        };
        let is_same = |own: &&mut DataSource| {
            let place = |answers: &[String]| answers.first().map(|url| endpoint(url));
            // Lists of the same entities are one, wherever their answers stand.
            let has_same_entities =
                source.address.is_some() && own.source.address == source.address;
            own.source.pointer == source.pointer
                && (has_same_entities || place(&own.answers) == place(&answers))
        };
        is_new = true;
        match sources.iter_mut().find(is_same) {
            Some(own) => {
                own.is_whole &= answers.iter().all(|url| own.answers.contains(url));
                let new = answers.into_iter().filter(|url| !own.answers.contains(url));
                let new: Vec<String> = new.collect();
                own.answers.extend(new);
                if own.source.address.is_none() && source.address.is_some() {
                    own.source = source;
                }
            }
            None => {
                let page = page.clone();
                let (details, are_sampled, is_whole) = (None, false, false);
                let own =
                    DataSource { page, source, answers, details, are_sampled, is_whole, round };
                sources.push(own);
            }
        }
    }
    session.rendering.keep_data(seen);
    if is_new {
        keep(session.store, &sources)?;
    }
    Ok(sources)
}

/// Asks the endpoints until nothing new comes. Gives back why that was broken off.
fn complete_all<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    sources: &mut [DataSource],
) -> Result<Option<Stop>, HarvestError> {
    for at in 0..sources.len() {
        if sources[at].is_whole {
            continue;
        }
        let stop = complete(session, &mut sources[at])?;
        let mut records = Vec::new();
        for url in &sources[at].answers {
            let json = answer(session.store, url)?;
            records
                .extend(json.iter().flat_map(|json| records_at(json, &sources[at].source.pointer)));
        }
        sources[at].source.choose_key(records);
        keep(session.store, sources)?;
        if stop != Stop::Finished {
            return Ok(Some(stop));
        }
    }
    Ok(None)
}

fn complete<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    own: &mut DataSource,
) -> Result<Stop, HarvestError> {
    let pointer = own.source.pointer.clone();
    let mut keys: BTreeSet<String> = BTreeSet::new();
    let mut asked: Vec<paging::Asked> = Vec::new();
    let (mut may_continue, mut next) = (false, None);
    for url in &own.answers {
        let (Some(json), Ok(address)) = (answer(session.store, url)?, Url::parse(url)) else {
            continue;
        };
        let records = records_at(&json, &pointer);
        may_continue |= paging::may_continue(&address, &json, &pointer, records.len());
        keys.extend(records.iter().filter_map(|record| own.source_key(record)));
        next = paging::leads_on(&address, &json, &pointer)
            .into_iter()
            .find(|to| !own.answers.contains(to));
        asked.push((address, records.len()));
    }
    let claims = |json: &Value| paging::claims(json, &pointer);
    let is_claimed = match own.answers.last() {
        Some(last) => answer(session.store, last)?
            .is_some_and(|json| claims(&json).contains(&(keys.len() as u64))),
        None => true,
    };
    // The browser has seen several answers, and all that they claim.
    if !may_continue || (is_claimed && asked.len() > 1) {
        own.is_whole = true;
        return Ok(Stop::Finished);
    }
    for mut way in paging::ways(&asked) {
        let (mut batch, mut came) = (1, false);
        loop {
            let mut urls = Vec::new();
            for _ in 0..batch {
                urls.push(way.address());
                way.advance();
            }
            let (stop, new) = ask(session, own, &urls, &mut keys)?;
            if stop != Stop::Finished {
                return Ok(stop);
            }
            came |= new > 0;
            if new < urls.len() {
                break;
            }
            batch = (2 * batch).min(BATCH);
        }
        if came {
            own.is_whole = true;
            return Ok(Stop::Finished);
        }
    }
    while let Some(to) = next.take() {
        let (stop, new) = ask(session, own, std::slice::from_ref(&to), &mut keys)?;
        if stop != Stop::Finished {
            return Ok(stop);
        }
        if new > 0
            && let (Some(json), Ok(address)) = (answer(session.store, &to)?, Url::parse(&to))
        {
            let all = paging::leads_on(&address, &json, &pointer);
            next = all.into_iter().find(|to| !own.answers.contains(to));
        }
    }
    own.is_whole = true;
    Ok(Stop::Finished)
}

impl DataSource {
    fn source_key(&self, record: &JsonRecord) -> Option<String> {
        record.value(&self.source.key).map(str::to_owned)
    }
}

/// Asks for these answers and keeps those that have new records; says how many.
fn ask<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    own: &mut DataSource,
    urls: &[String],
    keys: &mut BTreeSet<String>,
) -> Result<(Stop, usize), HarvestError> {
    let (stop, _) = session.fetch(&Plan::LookAt(urls.to_vec()), Details::All)?;
    let mut new = 0;
    for url in urls {
        let Some(json) = answer(session.store, url)? else { continue };
        let records = records_at(&json, &own.source.pointer);
        let known = keys.len();
        keys.extend(records.iter().filter_map(|record| own.source_key(record)));
        if keys.len() > known {
            own.answers.push(url.clone());
            new += 1;
        }
    }
    session.rendering.note_saved(new as u64);
    Ok((stop, new))
}

/// What the data says.
struct Known {
    entities: BTreeSet<String>,
    /// The values of each field, folded.
    fields: Vec<BTreeSet<String>>,
}

impl Known {
    fn of<S: SiteStore>(store: &S, sources: &[DataSource]) -> Result<Self, HarvestError> {
        let mut known = Self { entities: BTreeSet::new(), fields: Vec::new() };
        for own in sources {
            let mut fields: std::collections::BTreeMap<String, BTreeSet<String>> =
                Default::default();
            for url in &own.answers {
                let Some(json) = answer(store, url)? else { continue };
                for record in records_at(&json, &own.source.pointer) {
                    known.entities.extend(own.entity(&record));
                    for field in &record.fields {
                        let values = fields.entry(field.name.clone()).or_default();
                        values.insert(field.value.to_lowercase());
                    }
                }
            }
            known.fields.extend(fields.into_values());
        }
        Ok(known)
    }
}

fn parsed<S: SiteStore>(store: &S, address: &str) -> Result<Option<ParsedPage>, HarvestError> {
    let Some(exchange) = store.archived_answer(address)? else { return Ok(None) };
    let content_type = exchange.response.headers.get("content-type").map(str::to_owned);
    if !(200..300).contains(&exchange.response.status) {
        return Ok(None);
    }
    Ok(Some(ParsedPage::parse(quarry_model::InputPage {
        id: address.to_owned(),
        url: Some(address.to_owned()),
        content_type,
        bytes: exchange.response.content().to_vec(),
    })))
}

/// Pages of the site that the lists link to beside their entities.
fn other_pages<S: SiteStore>(
    store: &S,
    sources: &[DataSource],
) -> Result<Vec<String>, HarvestError> {
    let known = Known::of(store, sources)?;
    let mut found: Vec<String> = Vec::new();
    for own in sources {
        let Some(page) = parsed(store, &own.page)? else { continue };
        let links = page.document.elements(quarry_dom::Tag::A);
        let links = links.filter_map(|node| page.document.known_attr(node, quarry_dom::Attr::HREF));
        for to in links.filter_map(|to| page.address.join(to).ok()) {
            let is_near = to.origin() == page.address.origin()
                && !to.as_str().contains(quarry_model::STATE_PREFIX);
            let Ok(to) = Address::normalise(to.as_str()) else { continue };
            let to = to.into_string();
            let is_list = sources.iter().any(|own| path(&own.page) == path(&to));
            if is_near && !is_list && !known.entities.contains(&to) && !found.contains(&to) {
                found.push(to);
            }
        }
    }
    found.truncate(LOOKED_AT);
    Ok(found)
}

/// Whether one of these pages lists entities that are not known.
fn has_other_lists<S: SiteStore>(
    store: &S,
    pages: &[String],
    known: &Known,
) -> Result<bool, HarvestError> {
    for address in pages {
        let Some(page) = parsed(store, address)? else { continue };
        let map = read_links(&page.document, &page.address);
        let unknown = map.entities.iter().filter(|entity| {
            let address = Address::normalise(&entity.href).map(Address::into_string);
            address.is_ok_and(|address| !known.entities.contains(&address))
        });
        if unknown.count() >= LIST {
            return Ok(true);
        }
    }
    Ok(false)
}
