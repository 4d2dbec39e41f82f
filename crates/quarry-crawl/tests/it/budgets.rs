//! Does a crawl end when it was told to, and go on when it is told to?

use std::time::Duration;

use quarry_crawl::{Budget, BudgetKind, MemoryFrontier, Spent, Stop};
use quarry_model::Frontier;

use crate::world::{Session, World, crawl, crawl_on, page, plain, redirect, text};

const SEED: &str = "http://127.0.0.1:80/0";

/// Pages without end: each links to three more.
fn endless() -> World {
    World::new().script(|url, _| {
        let number: u64 = url.rsplit('/').next()?.parse().ok()?;
        let links: Vec<String> = (1..=3).map(|n| format!("/{}", number * 3 + n)).collect();
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        Some(page("endless", &links))
    })
}

#[test]
fn pages() {
    for per_host in [1, 7] {
        let mut settings = plain(&[SEED]);
        settings.budget.pages = Some(50);
        settings.politeness.per_host = per_host;
        let crawled = crawl(&mut endless(), settings);
        assert_eq!(crawled.stop, Some(Stop::Budget(BudgetKind::Pages)));
        assert_eq!(crawled.pages, 50, "exactly, with {per_host} at a time");
        assert_eq!(crawled.rows.len(), 50);
    }
}

#[test]
fn bytes() {
    let mut settings = plain(&[SEED]);
    settings.budget.bytes = Some(10_000);
    let crawled = crawl(&mut endless(), settings);
    assert_eq!(crawled.stop, Some(Stop::Budget(BudgetKind::Bytes)));
    assert!((10_000..10_500).contains(&crawled.bytes), "{}", crawled.bytes);
}

#[test]
fn time() {
    let mut settings = plain(&[SEED]);
    settings.budget.time = Some(Duration::from_secs(10));
    let mut world = endless();
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.stop, Some(Stop::Budget(BudgetKind::Time)));
    assert_eq!(crawled.pages, 200, "50 ms each");

    // A host that wants a long pause does not keep the crawl waiting beyond its time.
    let mut settings = plain(&["https://a.example/0"]);
    settings.politeness.delay = Duration::from_secs(3_600);
    settings.budget.time = Some(Duration::from_secs(10));
    let mut world = endless();
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.stop, Some(Stop::Budget(BudgetKind::Time)));
    assert_eq!(world.now.since(crate::world::START), Duration::from_secs(10));
}

#[test]
fn a_larger_budget_goes_on_where_the_smaller_ended() {
    let mut world = endless();
    let mut frontier = MemoryFrontier::default();
    let mut settings = plain(&[SEED]);
    settings.budget = Budget { pages: Some(20), ..Budget::default() };
    let first = crawl_on(&mut world, settings.clone(), &mut frontier, usize::MAX);
    assert!(frontier.counts().unwrap().queued > 0, "what is left stays queued");

    settings.spent = Spent { pages: first.pages, ..Spent::default() };
    let same = crawl_on(&mut world, settings.clone(), &mut frontier, usize::MAX);
    assert_eq!((same.requests, same.stop), (0, Some(Stop::Budget(BudgetKind::Pages))));

    settings.budget.pages = Some(50);
    let second = crawl_on(&mut world, settings, &mut frontier, usize::MAX);
    assert_eq!(second.pages, 30);
    let mut settings = plain(&[SEED]);
    settings.budget.pages = Some(50);
    let at_once = crawl(&mut endless(), settings);
    let both: Vec<_> = first.urls().into_iter().chain(second.urls()).collect();
    assert_eq!(both, at_once.urls());
}

#[test]
fn an_interrupted_session_finishes_what_is_in_flight() {
    let mut world = endless();
    let mut frontier = MemoryFrontier::default();
    let mut settings = plain(&[SEED]);
    settings.politeness.per_host = 4;
    let mut session = Session::new(settings);
    session.engine.start(&mut frontier, world.now).unwrap();
    for _ in 0..60 {
        assert!(!session.step(&mut world, &mut frontier));
    }
    session.engine.stop(Stop::Interrupted);
    let (before, flying) = (session.crawled.pages, session.engine.progress().in_flight as u64);
    let sent = world.log.len();
    while !session.step(&mut world, &mut frontier) {}
    assert_eq!(session.crawled.stop, Some(Stop::Interrupted));
    assert_eq!(session.crawled.pages, before + flying);
    assert_eq!(world.log.len(), sent, "no new requests");
    assert_eq!(frontier.counts().unwrap().leased, 0);
}

/// Every page redirects to the next number.
fn redirecting() -> World {
    World::new().script(|url, _| {
        let number: u64 = url.rsplit('/').next()?.parse().ok()?;
        let links: Vec<String> = (0..600).map(|n| format!("/{}", 1_000 + n * 10)).collect();
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        Some(if number == 0 { page("front", &links) } else { redirect("/gone") })
    })
}

#[test]
fn redirects_and_answers_that_are_not_kept_count() {
    let mut settings = plain(&[SEED]);
    settings.budget.pages = Some(10);
    let mut world = redirecting();
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.stop, Some(Stop::Budget(BudgetKind::Pages)));
    assert!(crawled.requests <= 14, "{} requests", crawled.requests);
}

#[test]
fn every_request_counts() {
    for most in [1, 2, 7, 40] {
        let mut settings = plain(&[SEED]);
        settings.sitemaps = true;
        settings.budget.requests = Some(most);
        let mut world = redirecting();
        let crawled = crawl(&mut world, settings);
        assert_eq!(crawled.stop, Some(Stop::Budget(BudgetKind::Requests)));
        assert_eq!(crawled.requests, most, "robots.txt, sitemap and redirects included");
    }
    // What earlier sessions have sent counts, too.
    let mut settings = plain(&[SEED]);
    settings.budget.requests = Some(10);
    settings.spent.requests = 10;
    let mut world = redirecting();
    assert_eq!(crawl(&mut world, settings).requests, 0);
}

#[test]
fn an_endless_index_of_sitemaps_ends() {
    let mut settings = plain(&[SEED]);
    settings.sitemaps = true;
    let mut world = World::new().script(|url, _| {
        let Some(number) = url
            .split("map")
            .nth(1)
            .and_then(|rest| rest.trim_end_matches(".xml").parse::<u64>().ok())
        else {
            return Some(page("front", &[]));
        };
        let more: String = (1..=5_000)
            .map(|n| {
                format!(
                    "<sitemap><loc>http://127.0.0.1/map{}.xml</loc></sitemap>",
                    number * 5_000 + n
                )
            })
            .collect();
        Some(text(&format!("<sitemapindex>{more}</sitemapindex>")))
    });
    world = world.at("http://127.0.0.1/robots.txt", text("Sitemap: http://127.0.0.1/map1.xml"));
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.stop, Some(Stop::Finished));
    assert!(world.log.len() < 210, "{} requests", world.log.len());
}
