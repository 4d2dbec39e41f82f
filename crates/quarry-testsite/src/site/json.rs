//! A site whose pages scripts make from records that they fetch as JSON: a list that shows the first of them and no way to the
//! others, and a page for each. The endpoint claims how many there are.

use serde_json::{Map, Value, json};

use super::respond::{asset, page};
use super::truth::{TruthLine, Values};
use super::urls::read_form;
use super::{Site, SiteRequest, SiteResponse};
use crate::spec::Scripts;
use crate::view::PageClass;

/// The endpoint, and where entities have their pages.
const ENDPOINT: &str = "/api/records";
const PAGES: &str = "/r/";
/// Records that the list asks for.
const SHOWN: usize = 12;
/// Attributes that the list's records have; the others are in the entities' own answers.
const LISTED: usize = 3;

/// What both kinds of pages do: build elements, so that nothing must be escaped.
const SCRIPT: &str = "const el = (name, text, more) => { const made = document.createElement(name); \
    made.textContent = text; Object.assign(made, more); return made }; \
    const get = (url, show) => fetch(url).then(answer => answer.json()).then(show);";

impl Site {
    /// The answer of a site that is made from records, if this is one.
    pub(super) fn records(&self, request: &SiteRequest) -> Option<SiteResponse> {
        if self.spec.scripts != Scripts::Records || request.method == "POST" {
            return None;
        }
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let answer = |value: Value| asset(200, "application/json", value.to_string().into_bytes());
        if path == "/" {
            let show = format!(
                "get('{ENDPOINT}?offset=0&limit={SHOWN}', data => {{ \
                 root.append(el('h1', 'Records'), el('p', data.meta.found + ' in all')); \
                 const list = root.appendChild(el('ul', '')); \
                 for (const row of data.rows) {{ const item = list.appendChild(el('li', '')); \
                 item.append(el('a', row.label, {{ href: '{PAGES}' + row.id }})); \
                 for (const [name, value] of Object.entries(row)) \
                 if (name !== 'id' && name !== 'label') item.append(el('span', [value].flat().join(', '))) }} }})"
            );
            return Some(shell(&show));
        }
        if path.starts_with(PAGES) {
            self.record(path.strip_prefix(PAGES)?)?;
            let show = format!(
                "get('{ENDPOINT}/' + location.pathname.split('/').pop(), data => {{ \
                 root.append(el('h1', data.record.label)); const list = root.appendChild(el('dl', '')); \
                 for (const [name, value] of Object.entries(data.record)) \
                 if (name !== 'id' && name !== 'label') \
                 list.append(el('dt', name), el('dd', [value].flat().join(', '))) }})"
            );
            return Some(shell(&show));
        }
        if path == ENDPOINT {
            let form = read_form(query);
            let number = |name: &str| {
                let found = form.iter().find(|(own, _)| own == name);
                found.and_then(|(_, value)| value.parse::<usize>().ok()).unwrap_or_default()
            };
            let (offset, limit) = (number("offset"), number("limit").min(SHOWN));
            let all = self.truth().enumerate();
            let rows = all.skip(offset).take(limit).map(|(n, line)| record(n, &line, LISTED));
            let rows: Vec<Value> = rows.collect();
            let found = self.truth().count();
            return Some(answer(json!({ "meta": { "found": found }, "rows": rows })));
        }
        if let Some(id) = path.strip_prefix(ENDPOINT).and_then(|rest| rest.strip_prefix('/')) {
            let record = self.record(id)?;
            return Some(answer(json!({ "status": "ok", "record": record })));
        }
        None
    }

    fn record(&self, id: &str) -> Option<Value> {
        let number = id.parse::<usize>().ok()?.checked_sub(FIRST_ID)?;
        let line = self.truth().nth(number)?;
        Some(record(number, &line, usize::MAX))
    }
}

/// Ids do not begin at 1, so that they are told from numbers of pages.
const FIRST_ID: usize = 4_001;

fn record(number: usize, line: &TruthLine, attributes: usize) -> Value {
    let mut own = Map::new();
    own.insert("id".to_owned(), json!(FIRST_ID + number));
    own.insert("label".to_owned(), json!(line.title));
    for (name, values) in line.attributes.iter().take(attributes) {
        let value = match values {
            Values::One(text) => json!(text),
            Values::Several(texts) => json!(texts),
        };
        own.insert(name.clone(), value);
    }
    Value::Object(own)
}

fn shell(show: &str) -> SiteResponse {
    let html = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>Records</title></head><body>\
         <div id=\"root\"></div><script>{SCRIPT} {show}</script></body></html>"
    );
    page(200, html, PageClass::Flat, None)
}
