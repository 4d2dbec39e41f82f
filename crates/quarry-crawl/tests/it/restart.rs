//! Does a crawl that was killed at any moment end up with the same pages?

use std::collections::BTreeMap;
use std::time::Duration;

use quarry_crawl::{CrawlSettings, MemoryFrontier};
use quarry_model::{Frontier, HostRecord};

use crate::world::{World, crawl, crawl_on, page, plain, redirect, reset, status, text};

/// Two hosts with everything that happens: redirects, failures, refusals, robots, sitemaps.
fn world() -> World {
    let seed = |n: u64| xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes());
    World::new()
        .latency(|url| Duration::from_millis(url.len() as u64 * 37 % 900))
        .at(
            "https://a.example/robots.txt",
            text("user-agent: *\ndisallow: /private\nsitemap: https://a.example/map.txt"),
        )
        .at("https://a.example/map.txt", text("https://a.example/hidden\n"))
        .at("https://a.example/hidden", page("hidden", &["/p1"]))
        .at("https://b.example/robots.txt", status(404))
        .script(move |url, before| {
            let (host, n) = url.split_once("/p")?;
            let n: u64 = n.parse().ok()?;
            if n > 40 {
                return None;
            }
            match seed(n) % 10 {
                0 if before == 0 => return Some(reset()),
                1 if before == 0 => return Some(status(503).header("retry-after", "2")),
                2 => return Some(redirect(&format!("/p{}", n + 1))),
                _ => {}
            }
            let other = if host.contains('a') { "https://b.example" } else { "https://a.example" };
            let links = [
                format!("/p{}", n * 2),
                format!("/p{}", n * 2 + 1),
                format!("/private/{n}"),
                format!("{other}/p{}", n + 7),
            ];
            let links: Vec<&str> = links.iter().map(String::as_str).collect();
            Some(page(&format!("page {n}"), &links))
        })
}

fn settings() -> CrawlSettings {
    let mut settings = plain(&["https://a.example/p1", "https://b.example/p1"]);
    settings.politeness.obey_robots = true;
    settings.sitemaps = true;
    settings.probe_missing = true;
    settings
}

fn statuses(rows: &[(String, u16)]) -> BTreeMap<String, u16> {
    let mut statuses = BTreeMap::new();
    for (url, status) in rows {
        assert_eq!(statuses.insert(url.clone(), *status), None, "{url} has two rows");
    }
    statuses
}

#[test]
fn killed_at_any_step() {
    let undisturbed = crawl(&mut world(), settings());
    let expect = statuses(&undisturbed.rows);
    assert!(expect.len() > 50, "{}", expect.len());
    let mut steps = 1;
    loop {
        let (mut world, mut frontier) = (world(), MemoryFrontier::default());
        let mut rows = crawl_on(&mut world, settings(), &mut frontier, steps).rows;
        let rest = crawl_on(&mut world, settings(), &mut frontier, usize::MAX);
        let over = rest.rows.is_empty();
        rows.extend(rest.rows);
        assert_eq!(statuses(&rows), expect, "killed after {steps} steps");
        assert_eq!(frontier.counts().unwrap().queued, 0);
        if over {
            break;
        }
        steps += 3;
    }
    assert!(steps > 100);
}

#[test]
fn killed_again_and_again() {
    let expect = statuses(&crawl(&mut world(), settings()).rows);
    for every in [7, 11, 30] {
        let (mut world, mut frontier) = (world(), MemoryFrontier::default());
        let mut rows = Vec::new();
        for _ in 0..1_000 {
            let part = crawl_on(&mut world, settings(), &mut frontier, every);
            rows.extend(part.rows);
            if part.stop.is_some() {
                break;
            }
        }
        assert_eq!(statuses(&rows), expect, "killed every {every} steps");
    }
}

#[test]
fn the_same_events_give_the_same_steps() {
    let (mut one, mut two) = (world(), world());
    let (a, b) = (crawl(&mut one, settings()), crawl(&mut two, settings()));
    assert_eq!(a.rows, b.rows);
    let log = |world: &World| -> Vec<_> {
        world.log.iter().map(|sent| (sent.url.clone(), sent.start)).collect()
    };
    assert_eq!(log(&one), log(&two));
}

#[test]
fn robots_and_pauses_are_remembered() {
    let mut world = world();
    let mut frontier = MemoryFrontier::default();
    crawl_on(&mut world, settings(), &mut frontier, 12);
    assert_eq!(world.times_asked("https://a.example/robots.txt"), 1);
    let held = world.now.plus(Duration::from_secs(500));
    let record = frontier.host("https://a.example").unwrap().unwrap();
    assert!(record.robots.as_ref().unwrap().body.contains("/private"));
    frontier.save_host(&HostRecord { not_before: held, ..record }).unwrap();
    let before = world.log.len();
    crawl_on(&mut world, settings(), &mut frontier, usize::MAX);
    assert_eq!(world.times_asked("https://a.example/robots.txt"), 1, "not asked again");
    let first = world.log[before..].iter().find(|sent| sent.host == "https://a.example").unwrap();
    assert!(first.start >= held);

    // A day later it is.
    world.now = world.now.plus(Duration::from_secs(25 * 3_600));
    let mut later = settings();
    later.seeds.push("https://a.example/p999".to_owned());
    crawl_on(&mut world, later, &mut frontier, usize::MAX);
    assert_eq!(world.times_asked("https://a.example/robots.txt"), 2);
}
