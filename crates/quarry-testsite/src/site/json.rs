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
/// The script of a site that holds its records in it.
const BUNDLE: &str = "/app.js";
/// Where the sections of a site are that has some.
const SECTIONS: &str = "/section/";
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
        if request.method == "POST" {
            return None;
        }
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        match self.spec.scripts {
            Scripts::Records => {}
            Scripts::Bundled => return self.bundled(path),
            Scripts::Sections if path == "/" || path.starts_with(SECTIONS) => {
                return self.sections(path);
            }
            Scripts::Sections => {}
            _ => return None,
        }
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

    /// A site whose records stand in its script, and whose pages are web components with shadow trees.
    fn bundled(&self, path: &str) -> Option<SiteResponse> {
        if path == BUNDLE {
            let all = self.truth().enumerate().map(|(n, line)| record(n, &line, usize::MAX));
            let all = Value::Array(all.collect());
            let code = format!(
                "{SCRIPT} const RECORDS = {all}; \
                 customElements.define('record-app', class extends HTMLElement {{ connectedCallback() {{ \
                 const root = this.attachShadow({{ mode: 'open' }}); \
                 const id = location.pathname.startsWith('{PAGES}') && location.pathname.split('/').pop(); \
                 const own = RECORDS.find(row => row.id == id); \
                 const list = root.appendChild(el(own ? 'dl' : 'ul', '')); \
                 list.before(el('h1', own ? own.label : 'Records')); \
                 for (const row of own ? [own] : RECORDS) {{ \
                 const item = own ? list : list.appendChild(el('li', '')); \
                 if (!own) item.append(el('a', row.label, {{ href: '{PAGES}' + row.id }})); \
                 const more = Object.entries(row).filter(([name]) => name !== 'id' && name !== 'label'); \
                 for (const [name, value] of own ? more : more.slice(0, {LISTED})) \
                 if (own) item.append(el('dt', name), el('dd', [value].flat().join(', '))); \
                 else item.append(el('span', [value].flat().join(', '))) }} }} }})"
            );
            return Some(asset(200, "text/javascript", code.into_bytes()));
        }
        if path != "/" {
            self.record(path.strip_prefix(PAGES)?)?;
        }
        let html = format!(
            "<!DOCTYPE html><html lang=\"en\"><head><title>Records</title></head><body>\
             <record-app></record-app><script src=\"{BUNDLE}\"></script></body></html>"
        );
        Some(page(200, html, PageClass::Flat, None))
    }

    /// A front page that lists sections, and sections that list records; both from JSON.
    fn sections(&self, path: &str) -> Option<SiteResponse> {
        let list = |url: &str, prefix: &str| {
            shell(&format!(
                "get('{url}', data => {{ const list = root.appendChild(el('ul', '')); \
                 list.before(el('h1', 'Records')); \
                 for (const row of data.rows) {{ const item = list.appendChild(el('li', '')); \
                 item.append(el('a', row.label, {{ href: '{prefix}' + row.id }})); \
                 for (const [name, value] of Object.entries(row)) \
                 if (name !== 'id' && name !== 'label') item.append(el('span', [value].flat().join(', '))) }} }})"
            ))
        };
        let answer = |rows: Vec<Value>| {
            let content = json!({ "rows": rows }).to_string();
            Some(asset(200, "application/json", content.into_bytes()))
        };
        let names = ["North hall", "South hall", "East wing", "West wing", "Cellar"];
        let Some(rest) = path.strip_prefix(SECTIONS) else {
            return Some(list(&format!("{SECTIONS}all.json"), SECTIONS));
        };
        if rest == "all.json" {
            let rows = names.iter().enumerate();
            return answer(rows.map(|(n, name)| json!({ "id": n + 70, "label": name })).collect());
        }
        let id = rest.strip_suffix(".json").unwrap_or(rest);
        let number = id.parse::<usize>().ok()?.checked_sub(70).filter(|n| *n < names.len())?;
        if id == rest {
            return Some(list(&format!("{SECTIONS}{id}.json"), PAGES));
        }
        let all = self.truth().enumerate().filter(|(n, _)| n % names.len() == number);
        answer(all.map(|(n, line)| record(n, &line, LISTED)).collect())
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
