//! The search engine of a web: pages by the ids that they print, with pages that it has missed, results that do not belong,
//! and refusals. It answers as SearXNG does (`/search?q=…&format=json&pageno=…`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{TestWeb, WebKind, ids_of, page, text};
use crate::catalogue::CatalogueEntityId;
use crate::prng::hash;
use crate::site::{SiteRequest, SiteResponse};
use crate::text::Esc;

/// How good the search engine is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebSearch {
    /// Share of the pages that it has never seen.
    pub missing: f64,
    /// Results that do not belong, for each query.
    pub noise: usize,
    /// Results on a page.
    pub page_size: usize,
    /// Pages of results, at most.
    pub pages: usize,
    /// One request of so many is refused with 429; 0 refuses none.
    pub refuse_every: u64,
}

impl Default for WebSearch {
    fn default() -> Self {
        Self { missing: 0.15, noise: 2, page_size: 10, pages: 5, refuse_every: 0 }
    }
}

/// Pages by normalised id: site, path.
#[derive(Debug, Default)]
pub(super) struct SearchIndex {
    pages: BTreeMap<String, Vec<(usize, String)>>,
}

fn normal(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl TestWeb {
    fn index(&self) -> &SearchIndex {
        self.index.get_or_init(|| {
            let mut index = SearchIndex::default();
            let mut add = |at: usize, path: &str, ids: &[String]| {
                let missed = hash(self.spec.seed, path, at as u64) % 1_000;
                if (missed as f64) < self.spec.search.missing * 1_000.0 {
                    return;
                }
                for id in ids {
                    index.pages.entry(normal(id)).or_default().push((at, path.to_owned()));
                }
            };
            for (at, site) in self.sites.iter().enumerate() {
                match site.kind {
                    WebKind::Shop | WebKind::Maker => {
                        for (path, ids) in self.product_pages(site) {
                            add(at, &path, &ids);
                        }
                    }
                    WebKind::Mirror => {
                        let original = site.mirror_of.as_deref().and_then(|host| self.find(host));
                        for (path, ids) in
                            original.map(|o| self.product_pages(o)).unwrap_or_default()
                        {
                            add(at, &path, &ids);
                        }
                    }
                    _ => {
                        for (number, (category, base)) in site.subjects().into_iter().enumerate() {
                            let ids = ids_of(self.world(category), CatalogueEntityId(base as u32));
                            add(at, &self.article_path(at, number), &ids);
                        }
                    }
                }
            }
            index
        })
    }

    /// The addresses that the engine returns for a query, best first.
    #[must_use]
    pub fn search(&self, query: &str) -> Vec<String> {
        let key = normal(query);
        let found = self.index().pages.get(&key).map(Vec::as_slice).unwrap_or_default();
        let address =
            |(at, path): &(usize, String)| format!("http://{}{path}", self.sites[*at].host);
        // What ranks first has little to do with what is wanted.
        let mut ranked: Vec<(u64, String)> = found
            .iter()
            .map(|page| (hash(self.spec.seed, &address(page), 1), address(page)))
            .collect();
        for number in 0..self.spec.search.noise {
            let at = hash(self.spec.seed, &key, number as u64) as usize % self.sites.len();
            ranked.push((
                hash(self.spec.seed, &key, 9 + number as u64),
                format!("http://{}/", self.sites[at].host),
            ));
        }
        ranked.sort();
        ranked.dedup_by(|one, other| one.1 == other.1);
        let most = self.spec.search.page_size * self.spec.search.pages;
        ranked.into_iter().map(|(_, url)| url).take(most).collect()
    }

    /// The engine's answer to a request.
    pub(super) fn search_page(&self, request: &SiteRequest) -> SiteResponse {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let params = crate::site::read_form(query);
        let param = |name: &str| {
            params.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
        };
        let refuse = self.spec.search.refuse_every;
        if path != "/search" {
            let body = "<p><form action=\"/search\"><input name=\"q\"></form></p>";
            return page(200, format!("<!DOCTYPE html><title>Search</title>{body}"));
        }
        if refuse > 0 && request.count % refuse == refuse - 1 {
            let mut response =
                text(429, "text/plain; charset=utf-8", "too many requests".to_owned());
            response.headers.push(("Retry-After".to_owned(), "0".to_owned()));
            return response;
        }
        let words = param("q").unwrap_or_default();
        let number = param("pageno").and_then(|n| n.parse::<usize>().ok()).unwrap_or(1).max(1);
        let size = self.spec.search.page_size;
        let all = self.search(words);
        let shown: Vec<&String> = all.iter().skip((number - 1) * size).take(size).collect();
        if param("format") != Some("json") {
            let items: String = shown
                .iter()
                .map(|url| format!("<li><a href=\"{0}\">{0}</a></li>", Esc(url)))
                .collect();
            return page(200, format!("<!DOCTYPE html><title>Search</title><ol>{items}</ol>"));
        }
        let results: Vec<serde_json::Value> = shown
            .iter()
            .enumerate()
            .map(|(at, url)| {
                serde_json::json!({
                    "template": "default.html", "url": url, "title": words, "content": "",
                    "publishedDate": null, "thumbnail": "", "engine": "testsite", "engines": ["testsite"],
                    "positions": [at + 1], "score": 1.0 / (at + 1) as f64, "category": "general",
                })
            })
            .collect();
        let answer = serde_json::json!({
            "query": words, "number_of_results": 0, "results": results, "answers": [], "corrections": [],
            "infoboxes": [], "suggestions": [], "unresponsive_engines": [],
        });
        text(200, "application/json", answer.to_string())
    }
}
