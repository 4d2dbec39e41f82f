//! What a generated site must keep: its bytes, its truth, its links, its faults.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail loudly, as tests do")]

mod determinism;
mod families;
mod files;
mod linked;
mod markup;
mod search;
mod traps;
mod truth;
mod web;
mod wire;

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, Limits, LinkKind};
use quarry_testsite::{Site, SiteRequest, SiteResponse, SiteSpec};
use url::Url;

/// A preset made small enough to be looked at whole.
fn small(name: &str) -> SiteSpec {
    let mut spec = SiteSpec::preset(name).unwrap();
    spec.entities = spec.entities.min(120);
    spec
}

fn get(site: &Site, target: &str) -> SiteResponse {
    site.respond(&SiteRequest::get(target))
}

/// The document of a response.
fn parse(response: &SiteResponse) -> Document {
    Document::parse(&response.body, response.header("Content-Type"), &Limits::default())
}

/// Links of a page as paths with their query, in order, fragments cut off.
fn links(page: &Document, target: &str) -> Vec<String> {
    let base = Url::parse("http://x.example").unwrap().join(target).unwrap();
    let links = page.links(&base).into_iter().filter(|l| l.kind == LinkKind::Anchor);
    links
        .map(|l| match l.url.query() {
            Some(query) => format!("{}?{query}", l.url.path()),
            None => l.url.path().to_owned(),
        })
        .collect()
}

/// Every entity's title by its path.
fn titles(site: &Site) -> BTreeMap<String, String> {
    site.truth().map(|t| (t.url, t.title)).collect()
}

/// The entities on all pages of a list, following `next`, and how many pages there were.
fn list_all(site: &Site, start: &str) -> (BTreeSet<String>, usize) {
    let mut found = BTreeSet::new();
    let mut target = Some(start.to_owned());
    let mut pages = 0;
    while let Some(url) = target {
        let truth = site.page_truth(&SiteRequest::get(&*url));
        for entity in &truth.entities {
            assert!(found.insert(entity.clone()), "{entity} is on two pages of {start}");
        }
        pages += 1;
        assert!(pages < 1000, "{start} has no end");
        target = truth.next;
    }
    (found, pages)
}
