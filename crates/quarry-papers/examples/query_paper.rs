//! How many requests does each way of crawling take to find the values behind facets? The paper's
//! Figure 8 for small versions of its sites: every page, the paper's offline and online algorithms, and
//! the planner.
//!
//! `cargo run --release -p quarry-papers --example query_paper [BUDGET [PRESET…]]`
#![allow(clippy::print_stdout, clippy::unwrap_used, dead_code, unreachable_pub)]

#[path = "../../quarry-crawl/tests/it/generated.rs"]
mod generated;
#[path = "../tests/it/site_web.rs"]
mod site_web;
#[path = "../../quarry-crawl/tests/it/triples.rs"]
mod triples;

use std::collections::BTreeSet;

use generated::{Crawl, ROOT};
use quarry_crawl::{QuerySettings, StrategyKind};
use quarry_model::Method;
use quarry_papers::query::{Compare, DiscoveryConfig, crawl_all, mine, online_query_discovery};
use quarry_testsite::{PageClass, Site, SiteRequest, SiteSpec};
use site_web::{SiteWeb, seed, small};
use triples::Triple;

const SITES: [&str; 8] = [
    "d1-homes",
    "d2-recipes",
    "d3-restaurants",
    "d4-shoes",
    "d5-electronics",
    "d6-phones",
    "f1-get-form",
    "h-tree",
];
const ENTITIES: usize = 30;
const FACETS: usize = 3;

/// Requests and right triples after them, ascending.
type Growth = Vec<(usize, usize)>;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let budget: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let named: Vec<String> = arguments.collect();
    println!("| site | triples | way | 50 % | 90 % | 100 % | in total | P | R |");
    println!("|---|--:|---|--:|--:|--:|--:|--:|--:|");
    for name in SITES.iter().filter(|name| named.is_empty() || named.iter().any(|n| n == *name)) {
        let site = Site::generate(small(SiteSpec::preset(name).unwrap(), ENTITIES, FACETS));
        let (truth, ever) = triples::truth(&site);
        let row = |way: &str, growth: &Growth, total: Option<usize>, found: &BTreeSet<Triple>| {
            let right = found.intersection(&ever).count() as f64 / (found.len() as f64).max(1.0);
            let recall = found.intersection(&truth).count() as f64 / truth.len() as f64;
            let reach = |share: f64| {
                let enough = (share * truth.len() as f64).ceil() as usize;
                let point = growth.iter().find(|(_, known)| *known >= enough);
                point.map_or("never".to_owned(), |(requests, _)| requests.to_string())
            };
            let total = total.map_or(format!("> {budget}"), |total| total.to_string());
            println!(
                "| {name} | {} | {way} | {} | {} | {} | {total} | {right:.2} | {recall:.2} |",
                truth.len(),
                reach(0.5),
                reach(0.9),
                reach(1.0)
            );
        };
        let (growth, total, found) = every_page(&site, budget, &truth);
        row("every page", &growth, total, &found);
        for (way, compare) in [("", Compare::ListLinks), ("*", Compare::QueryLinks)] {
            let config = DiscoveryConfig { compare, budget, ..DiscoveryConfig::default() };
            let (growth, total, found) = offline(&site, &config, &truth);
            row(&format!("offline{way}"), &growth, total, &found);
            let run = online_query_discovery(&mut SiteWeb::new(&site), &seed(&site), &config);
            let found = triples::found(std::slice::from_ref(&run.graph));
            row(&format!("online{way}"), &run.growth, run.ended.then_some(run.fetched), &found);
        }
        let (growth, total, found) = planner(&site, budget, &truth);
        row("planner", &growth, total, &found);
    }
}

/// Strategy `all`: a value is known once the page of its entity was fetched, if it stands there.
fn every_page(
    site: &Site,
    budget: usize,
    truth: &BTreeSet<Triple>,
) -> (Growth, Option<usize>, BTreeSet<Triple>) {
    let mut crawl = Crawl::new(site, StrategyKind::All);
    let ended = crawl.run(budget);
    let hidden: BTreeSet<(String, String)> = site
        .truth()
        .flat_map(|line| {
            let url = line.url.clone();
            line.hidden.into_iter().map(move |name| (url.clone(), name))
        })
        .collect();
    let (mut known, mut growth) = (BTreeSet::new(), Growth::new());
    for (at, (request, class)) in crawl.asked.iter().enumerate() {
        if *class == PageClass::Entity {
            let path = request.url.strip_prefix(ROOT).unwrap();
            let shown = truth.iter().filter(|triple| triple.0 == path);
            known.extend(shown.filter(|t| !hidden.contains(&(t.0.clone(), t.1.clone()))).cloned());
            growth.push((at + 1, known.len()));
        }
    }
    (growth, ended.then_some(crawl.asked.len()), known)
}

/// §4.2 over more and more of the pages in the order of their coming.
fn offline(
    site: &Site,
    config: &DiscoveryConfig,
    truth: &BTreeSet<Triple>,
) -> (Growth, Option<usize>, BTreeSet<Triple>) {
    let archive = crawl_all(&mut SiteWeb::new(site), &seed(site), config.budget);
    let mut growth = Growth::new();
    let mut part = 16;
    loop {
        let pages = part.min(archive.pages.len());
        let found = triples::found(&[mine(&archive.pages[..pages], config)]);
        growth.push((pages, found.intersection(truth).count()));
        if pages == archive.pages.len() {
            return (growth, archive.ended.then_some(archive.fetched), found);
        }
        part += part / 4;
    }
}

/// The planner: a value is known once its entity was on a page of a query with it.
fn planner(
    site: &Site,
    budget: usize,
    truth: &BTreeSet<Triple>,
) -> (Growth, Option<usize>, BTreeSet<Triple>) {
    let mut crawl = Crawl::new(site, StrategyKind::Query(QuerySettings::default()));
    let ended = crawl.run(budget);
    let found = triples::found(&crawl.graphs);
    let (mut known, mut growth) = (BTreeSet::new(), Growth::new());
    for (at, (request, _)) in crawl.asked.iter().enumerate() {
        let target = request.url.strip_prefix(ROOT).unwrap();
        let body = match request.method {
            Method::Post => request.body.clone().unwrap_or_default(),
            _ => String::new(),
        };
        let method = request.method.as_str().to_owned();
        let page = site.page_truth(&SiteRequest {
            method,
            body,
            count: at as u64,
            ..SiteRequest::get(target)
        });
        for entity in &page.entities {
            let pairs = page.query.iter();
            known.extend(pairs.map(|(name, value)| (entity.clone(), name.clone(), value.clone())));
        }
        growth.push((at + 1, known.intersection(truth).count()));
    }
    (growth, ended.then_some(crawl.asked.len()), found)
}
