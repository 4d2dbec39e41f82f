//! Does crawling by queries find every value that the facets of a site show, with few requests?

use quarry_crawl::query::{EntityId, QueryState};
use quarry_crawl::{QueryReport, QuerySettings, StrategyKind, StrategyReport};
use quarry_testsite::{Site, SiteSpec, Theme, Traps, UrlStyle};

use crate::generated::Crawl;
use crate::triples::{found, odd_attributes, score};
use crate::world::{World, crawl_with_account, html, page, plain};

fn strategy() -> StrategyKind {
    StrategyKind::Query(QuerySettings::default())
}

fn report(report: &StrategyReport) -> &QueryReport {
    match report {
        StrategyReport::Query(sites) => &sites[0],
        other => panic!("another strategy: {other:?}"),
    }
}

/// Crawls a site to its end and checks precision, recall, and requests against the least number.
#[track_caller]
fn check(spec: SiteSpec, least: f64, most_requests: f64) {
    let site = Site::generate(spec);
    let mut crawl = Crawl::new(&site, strategy());
    assert!(crawl.run(usize::MAX));
    let score = score(&site, &crawl.graphs);
    let odd = odd_attributes(&site, &crawl.graphs);
    assert!(score.precision >= least && score.recall >= least, "{score:?} {odd:?}");
    let ratio = crawl.asked.len() as f64 / site.least_requests().total() as f64;
    assert!(ratio <= most_requests, "{} requests, {ratio:.2} x the least", crawl.asked.len());
    assert_eq!(crawl.violations, [""; 0]);
    assert!(report(&crawl.report).end.is_some());
}

/// A preset, with fewer entities where that says as much.
fn preset(name: &str, entities: usize) -> SiteSpec {
    SiteSpec { entities, ..SiteSpec::preset(name).unwrap() }
}

#[test]
fn d1_homes() {
    check(preset("d1-homes", 32), 1.0, 1.3);
}

#[test]
fn d2_recipes() {
    check(preset("d2-recipes", 500), 1.0, 1.3);
}

#[test]
fn d3_restaurants() {
    check(preset("d3-restaurants", 560), 1.0, 1.3);
}

#[test]
fn d4_shoes() {
    check(preset("d4-shoes", 600), 0.98, 1.3);
}

#[test]
fn d5_electronics() {
    check(preset("d5-electronics", 800), 0.98, 1.3);
}

#[test]
fn d6_phones() {
    // The least number does not count that lists are cut off.
    check(preset("d6-phones", 1_200), 0.98, 1.6);
}

#[test]
fn f1_get_form() {
    check(preset("f1-get-form", 300), 1.0, 1.3);
}

#[test]
fn f2_post_form() {
    check(preset("f2-post-form", 200), 1.0, 1.3);
}

#[test]
fn k_keywords() {
    check(preset("k-keyword", 400), 0.98, 1.3);
}

#[test]
fn h_tree() {
    check(preset("h-tree", 600), 1.0, 1.3);
}

#[test]
fn every_theme_and_kind_of_address() {
    for (n, theme) in Theme::ALL.iter().enumerate() {
        for (m, urls) in UrlStyle::ALL.iter().enumerate() {
            let base = SiteSpec::preset("shop").unwrap();
            let seed = 500 + (n * 10 + m) as u64;
            let spec = SiteSpec { seed, entities: 60, theme: *theme, urls: *urls, ..base };
            check(spec, 0.99, 1.3);
        }
    }
}

#[test]
fn nothing_endless_or_dangerous_is_followed() {
    let traps = Traps {
        actions: true,
        forms: true,
        calendar: true,
        compare: true,
        sessions: false,
        exports: true,
        spiral: true,
    };
    check(SiteSpec { traps, ..preset("traps", 100) }, 1.0, 1.3);
    // With pages that never end and ids in every address it takes more requests, but ends.
    let site = Site::generate(preset("traps", 60));
    let mut crawl = Crawl::new(&site, strategy());
    assert!(crawl.run(5_000), "{} requests", crawl.asked.len());
    assert_eq!(crawl.violations, [""; 0]);
}

#[test]
fn killed_at_any_request() {
    let site = Site::generate(preset("h-tree", 60));
    let mut undisturbed = Crawl::new(&site, strategy());
    assert!(undisturbed.run(usize::MAX));
    for most in [1, 2, 7, 30] {
        let mut crawl = Crawl::new(&site, strategy());
        while !crawl.run(most) {}
        assert_eq!(found(&crawl.graphs), found(&undisturbed.graphs), "killed after {most}");
        let mut keys: Vec<String> =
            crawl.archive.iter().map(|(page, _)| page.request.key().into_owned()).collect();
        let asked = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), asked, "a page was asked twice");
    }
}

#[test]
fn a_query_is_a_set_of_predicates() {
    let site = Site::generate(preset("h-tree", 120));
    let mut crawl = Crawl::new(&site, strategy());
    assert!(crawl.run(usize::MAX));
    let graph = &crawl.graphs[0];
    let counted = || graph.queries.iter().filter(|query| query.is_answered());
    assert!(counted().all(|query| query.state != QueryState::Dropped));
    for query in counted().filter(|query| query.state == QueryState::Whole) {
        // Assumption 2: what narrows a query has a part of its entities.
        for parent in graph.parents(query) {
            let parent = &graph[parent];
            if parent.state == QueryState::Whole {
                let has = |entity: EntityId| parent.answers.iter().any(|a| a.entity == entity);
                assert!(query.answers.iter().all(|answer| has(answer.entity)));
            }
        }
    }
}

#[test]
fn a_site_without_facets_is_left_soon() {
    let mut settings = plain(&["https://a.example/"]);
    settings.strategy = strategy();
    let mut world = World::new()
        .at("https://a.example/", page("home", &["/about", "/contact", "/news"]))
        .script(|url, _| Some(html(&format!("<title>{url}</title><p>Words about {url}.</p>"))));
    let (_, end) = crawl_with_account(&mut world, settings);
    let report = report(&end);
    assert!(report.end.as_ref().unwrap().starts_with("no group of links"), "{report:?}");
    assert!(world.asked_pages().len() <= 5, "{:?}", world.asked_pages());
}
