//! The data behind a page that was rendered: JSON that its scripts fetched, and whose values it shows.

use std::sync::Arc;

use quarry_extract::embedded::behind::{
    RecordSource, ShownPage, find_source, frequent_words, records_at, shown_object,
};
use quarry_model::{Exchange, Method};
use serde_json::Value;
use url::Url;

use super::document;

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
    /// Compares a document with what its scripts fetched. `None` where it shows none of it.
    pub(super) fn of(page: &str, html: &[u8], data: &[Arc<Exchange>]) -> Option<Self> {
        let address = Url::parse(page).ok()?;
        let mut answers: Vec<(&str, Value)> = Vec::new();
        // An endpoint is asked for more by GET only.
        let is_get = |exchange: &&Arc<Exchange>| exchange.request.method == Method::Get;
        for exchange in data.iter().filter(is_get).take(MAX_ANSWERS) {
            let content = exchange.response.sent_content();
            let first = content.iter().find(|byte| !byte.is_ascii_whitespace());
            let is_new = answers.iter().all(|(known, _)| *known != exchange.request.url);
            if is_new && matches!(first, Some(b'{' | b'[')) {
                let json = serde_json::from_slice(content).ok();
                answers.extend(json.map(|json| (exchange.request.url.as_str(), json)));
            }
        }
        if answers.is_empty() {
            return None;
        }
        let shown = ShownPage::of(&document(html), &address);
        let mut records: Option<(RecordSource, &str)> = None;
        for (url, json) in &answers {
            let Some(found) = find_source(json, &shown) else { continue };
            if records.as_ref().is_none_or(|(best, _)| found.shown > best.shown) {
                records = Some((found, url));
            }
        }
        let records = records.map(|(mut source, of)| {
            let has_records = |json: &Value| {
                let records = records_at(json, &source.pointer);
                records.iter().any(|record| record.value(&source.key).is_some())
            };
            let own: Vec<&(&str, Value)> = answers
                .iter()
                .filter(|(url, json)| endpoint(url) == endpoint(of) && has_records(json))
                .collect();
            let all = own.iter().flat_map(|(_, json)| records_at(json, &source.pointer)).collect();
            source.choose_key(all);
            let own = own.iter().map(|(url, _)| (*url).to_owned()).collect();
            (source, own)
        });
        let object =
            |(url, json): &(&str, Value)| Some(((*url).to_owned(), shown_object(json, &shown)?));
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

/// What the addresses of an endpoint have in common: the path, numbers aside.
pub(in crate::crawl) fn endpoint(url: &str) -> String {
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

/// An address without its query.
pub(crate) fn path(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}
