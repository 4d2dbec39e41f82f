//! The data behind a page that was rendered: what its scripts fetched or hold, as far as the page shows its values.

use std::borrow::Cow;
use std::sync::Arc;

use quarry_extract::embedded::behind::{
    ListRows, RecordSource, ShownPage, find_source, frequent_words, read_answer, records_at,
    shown_object,
};
use quarry_model::{Exchange, Fetcher, Request};
use serde_json::Value;
use url::Url;

use super::document;
use super::parts::PageParts;

/// JSON answers of one page that are looked at.
const MAX_ANSWERS: usize = 2_000;

/// What was found out about the data behind a page.
#[derive(Debug, Clone)]
pub(in crate::crawl) struct ShownData {
    /// The address of the page, or of its state.
    pub(in crate::crawl) page: String,
    /// The records that the page shows, and the addresses of the answers that have them.
    pub(in crate::crawl) records: Option<(RecordSource, Vec<String>)>,
    /// Answers with an object of which the page shows several values: address and place of the object.
    pub(in crate::crawl) objects: Vec<(String, String)>,
}

impl ShownData {
    /// Compares a document with what its scripts fetched, and with the data in them and in the page as it was sent. `None` where
    /// it shows none of it.
    pub(super) fn of<F: Fetcher>(
        page: &str,
        html: &[u8],
        sent: &Exchange,
        parts: &PageParts<'_, F>,
    ) -> Option<Self> {
        let address = Url::parse(page).ok()?;
        let (data, furniture) = (parts.data(), parts.furniture());
        let fetched = data.iter().take(MAX_ANSWERS).map(|own| (&**own, true));
        let held = furniture.iter().map(|own| &**own).chain([sent]).map(|own| (own, false));
        let mut answers: Vec<(Cow<'_, str>, Value)> = Vec::new();
        let mut held_from = 0;
        for (exchange, is_fetched) in fetched.chain(held) {
            let url = exchange.request.key();
            if answers.iter().any(|(known, _)| *known == url) {
                continue;
            }
            match read_answer(exchange.response.sent_content()) {
                Some(found) => answers.push((url, found)),
                None if !is_fetched => parts.note_without_data(&url),
                None => {}
            }
            held_from = if is_fetched { answers.len() } else { held_from };
        }
        if answers.is_empty() {
            return None;
        }
        let document = document(html);
        let shown = ShownPage::of(&document, &address);
        let mut records: Option<(RecordSource, &str)> = None;
        let mut rows: Option<ListRows> = None;
        for (at, (url, json)) in answers.iter().enumerate() {
            let Some(found) = find_source(json, &shown) else { continue };
            if records.as_ref().is_some_and(|(best, _)| found.shown <= best.shown) {
                continue;
            }
            // Scripts hold menus and settings, too: what they hold must be what the page lists.
            let is_listed = at < held_from || {
                let rows = rows.get_or_insert_with(|| ListRows::of(&document, &address));
                rows.are_of(&found, json)
            };
            if is_listed {
                records = Some((found, url));
            }
        }
        let records = records.map(|(mut source, of)| {
            let has_records = |json: &Value| {
                let records = records_at(json, &source.pointer);
                records.iter().any(|record| record.value(&source.key).is_some())
            };
            let own: Vec<&(Cow<'_, str>, Value)> = answers
                .iter()
                .filter(|(url, json)| endpoint(url) == endpoint(of) && has_records(json))
                .collect();
            let all = own.iter().flat_map(|(_, json)| records_at(json, &source.pointer)).collect();
            source.choose_key(all);
            let own = own.iter().map(|(url, _)| url.to_string()).collect();
            (source, own)
        });
        let object = |(url, json): &(Cow<'_, str>, Value)| {
            Some((url.to_string(), shown_object(json, &shown)?))
        };
        let objects: Vec<(String, String)> = answers.iter().filter_map(object).collect();
        (records.is_some() || !objects.is_empty()).then(|| Self {
            page: page.to_owned(),
            records,
            objects,
        })
    }
}

/// Words of the data that a page holds, to search for.
const WORDS: usize = 6;

/// Words that stand in what the scripts of a page fetched.
pub(super) fn words(data: &[Arc<Exchange>]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for exchange in data.iter().take(MAX_ANSWERS) {
        let json: Option<Value> = serde_json::from_slice(exchange.response.sent_content()).ok();
        words.extend(json.iter().flat_map(|json| frequent_words(json, WORDS)));
    }
    words.truncate(WORDS);
    words
}

/// What the addresses of an endpoint have in common: the path, numbers aside; of queries with a body also what they ask, their
/// variables aside.
pub(in crate::crawl) fn endpoint(url: &str) -> String {
    if let Some(query) = Request::of_query(url) {
        let body = query.body.unwrap_or_default();
        let asked: Option<Value> = serde_json::from_str(&body).ok();
        let asked = asked.and_then(|body| body["query"].as_str().map(str::to_owned));
        return format!("{} {}", query.url, asked.unwrap_or(body));
    }
    let mut shape = String::new();
    for char in path(url).chars() {
        match char {
            '0'..='9' if shape.ends_with('0') => {}
            '0'..='9' => shape.push('0'),
            char => shape.push(char),
        }
    }
    shape
}

/// An address without its query, and without the body that is sent to it.
pub(crate) fn path(url: &str) -> &str {
    let url = url.strip_prefix("POST ").and_then(|key| key.split(' ').next()).unwrap_or(url);
    url.split(['?', '#']).next().unwrap_or(url)
}
