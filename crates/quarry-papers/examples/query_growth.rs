//! How do requests, time and memory of a crawl by queries grow with the site? Generated shops from
//! 1,000 to 1,000,000 (entity, facet, value) pairs, crawled in process without keeping pages; then the
//! query graph alone with 100,000 queries.
//!
//! `cargo run --release -p quarry-papers --example query_growth [MOST_PAIRS]` (Linux: reads `/proc`)
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]

#[path = "../../../bench/measure.rs"]
mod measure;

use std::time::{Duration, Instant};

use measure::cpu_seconds;
use quarry_crawl::query::QueryGraph;
use quarry_crawl::{
    CrawlSettings, Engine, MemoryFrontier, QuerySettings, Step, StrategyKind, read_answer,
};
use quarry_model::{Exchange, Fetched, Headers, Outcome, Request, Response, Timestamp};
use quarry_papers::query::{DiscoveryConfig, PageLink, PageLinks, mine};
use quarry_testsite::{Paging, Site, SiteRequest, SiteSpec};

/// As the program has it: memory that is taken and given back page by page costs the same all along.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROOT: &str = "http://127.0.0.1:9";
/// 2026-11-15T20:00:00Z.
const START: Timestamp = Timestamp(1_794_772_800_000);

fn main() {
    let most: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    println!(
        "| pairs | entities | requests | pairs a request | CPU s | ms a request | site MB | peak MB | KB a request | B a pair |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for pairs in [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000] {
        if pairs <= most {
            grow(pairs);
        }
    }
    many_queries(316);
}

/// A site of `values` × `values` queries of two predicates each, found by the paper's offline
/// algorithm: the graph alone, without fetching and reading.
fn many_queries(values: usize) {
    let entity = |a: usize, n: usize| (format!("{ROOT}/e/{}", a + values * n), "/a".to_owned());
    let link = |url: String, name: &str, value: usize| PageLink {
        url,
        predicate: Some((name.to_owned(), value.to_string())),
        is_query: true,
    };
    let list = |entities: Vec<(String, String)>, links: Vec<PageLink>| PageLinks {
        is_entity: false,
        entities,
        links,
    };
    let all = (0..values * 100).map(|n| entity(n % values, n / values)).collect();
    let first = (0..values).map(|a| link(format!("{ROOT}/{a}"), "A", a)).collect();
    let mut pages = vec![(format!("{ROOT}/"), list(all, first))];
    for a in 0..values {
        let below = (0..values).map(|b| link(format!("{ROOT}/{a}/{b}"), "B", b)).collect();
        let hundred = (0..100).map(|n| entity(a, n)).collect();
        pages.push((format!("{ROOT}/{a}"), list(hundred, below)));
        pages.extend((0..values).map(|b| {
            let ten = (0..10).map(|n| entity(a, (b * 7 + n) % 100)).collect();
            (format!("{ROOT}/{a}/{b}"), list(ten, Vec::new()))
        }));
    }
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS:");
    let started = Instant::now();
    let graph = mine(&pages, &DiscoveryConfig::default());
    let mined = started.elapsed();
    let values = graph.values().count();
    println!(
        "\n{} queries, {values} values: mined in {:.1} s, values listed in {:.1} s, {} MB more at the peak",
        graph.queries.len(),
        mined.as_secs_f64(),
        (started.elapsed() - mined).as_secs_f64(),
        (status("VmHWM:") - before) / 1024
    );
}

fn grow(pairs: usize) {
    // A shop has about nine pairs an entity.
    let paging = Paging { size: 24, sizes: vec![24, 48, 96], ..Paging::default() };
    let spec = SiteSpec { seed: 7, entities: pairs.div_ceil(9), paging, ..SiteSpec::default() };
    let site = Site::generate(spec);
    let truth: usize = site.attributes().iter().filter(|a| a.facet).map(|a| a.pairs).sum();
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS:");
    let started = cpu_seconds();
    let (requests, answering, graphs) = crawl(&site);
    let took = cpu_seconds() - started - answering;
    let peak = status("VmHWM:");
    let found: usize = graphs.iter().map(|graph| graph.values().count()).sum();
    assert_eq!(found, truth, "every pair is found, and no other");
    println!(
        "| {truth} | {} | {requests} | {:.1} | {:.1} | {:.1} | {} | {} | {:.0} | {:.0} |",
        site.spec().entities,
        truth as f64 / requests as f64,
        took,
        took * 1000.0 / requests as f64,
        before / 1024,
        peak / 1024,
        (peak - before) as f64 / requests as f64,
        (peak - before) as f64 * 1024.0 / truth as f64,
    );
}

/// A line of `/proc/self/status` in KB.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn crawl(site: &Site) -> (u64, f64, Vec<QueryGraph>) {
    let mut settings = CrawlSettings::new([format!("{ROOT}{}", site.root())]);
    settings.strategy = StrategyKind::Query(QuerySettings::default());
    settings.probe_missing = false;
    settings.budget.pages = None;
    settings.budget.bytes = None;
    settings.budget.time = None;
    let mut engine = Engine::new(settings).unwrap();
    let mut frontier = MemoryFrontier::default();
    let (mut now, mut requests, mut answering) = (START, 0u64, 0.0);
    engine.start(&mut frontier, now).unwrap();
    let reader = engine.reader();
    loop {
        match engine.next(&mut frontier, now).unwrap() {
            Step::Fetch(ticket) => {
                let asked = cpu_seconds();
                let exchange = answer(site, &ticket.request, requests, now);
                answering += cpu_seconds() - asked;
                requests += 1;
                let fetched =
                    Fetched { hops: Vec::new(), outcome: Outcome::Response(Box::new(exchange)) };
                let observation = read_answer(&ticket, fetched, &reader);
                engine.observe(&mut frontier, observation, now).unwrap();
            }
            Step::WaitUntil(at) => now = at,
            Step::Settled(_) | Step::Busy | Step::Recall(_) => {}
            Step::Done(_) => {
                let graphs = engine.query_graphs().into_iter().cloned().collect();
                return (requests, answering, graphs);
            }
        }
    }
}

fn answer(site: &Site, request: &Request, count: u64, at: Timestamp) -> Exchange {
    let target = request.url.strip_prefix(ROOT).unwrap();
    let answer = site.respond(&SiteRequest { count, ..SiteRequest::get(target) });
    let response = Response {
        rendering: None,
        status: answer.status,
        version: "HTTP/1.1".to_owned(),
        headers: Headers(answer.headers),
        body: answer.body,
        decoded: None,
        truncated: None,
    };
    let (request, sent) = (request.clone(), Headers::default());
    Exchange { request, sent, response, remote: None, at, took: Duration::ZERO }
}
