//! Is every host left in peace as long as it should be?

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use quarry_crawl::{MemoryFrontier, Purpose};
use quarry_model::{Frontier, HostRecord, Timestamp};

use crate::world::{Sent, World, crawl, crawl_on, page, plain, status, text};

const SECOND: Duration = Duration::from_secs(1);

/// A site of `n` pages on each host, every page linking to the next two, the first to all hosts.
fn sites(hosts: &[&'static str], n: usize) -> World {
    let names: Vec<&'static str> = hosts.to_vec();
    World::new().script(move |url, _| {
        let host = *names.iter().find(|host| url.starts_with(**host))?;
        let number: usize = url[host.len()..].strip_prefix("/p")?.parse().ok()?;
        let mut links: Vec<String> =
            (number + 1..=number + 2).filter(|next| *next < n).map(|n| format!("/p{n}")).collect();
        if number == 0 {
            links.extend(names.iter().map(|host| format!("{host}/p0")));
        }
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        (number < n).then(|| page(&format!("page number {number}"), &links))
    })
}

/// The least pause between the end of a request and the start of the next at the same host.
fn least_pause(log: &[Sent]) -> Duration {
    let mut last: BTreeMap<&str, Timestamp> = BTreeMap::new();
    let mut least = Duration::MAX;
    for sent in log {
        if let Some(end) = last.insert(&sent.host, sent.end) {
            assert!(sent.start >= end, "two requests to {} at the same time", sent.host);
            least = least.min(sent.start.since(end));
        }
    }
    least
}

#[test]
fn one_request_at_a_time_and_a_second_between_them() {
    let mut world = sites(&["https://a.example"], 6);
    let crawled = crawl(&mut world, plain(&["https://a.example/p0"]));
    assert_eq!(crawled.pages, 6);
    assert_eq!(crawled.most_in_flight, 1);
    for pair in world.log.windows(2) {
        assert_eq!(pair[1].start.since(pair[0].end), SECOND, "a second, and not more");
    }
}

#[test]
fn a_loopback_host_that_was_named_needs_no_delay() {
    let mut world = sites(&["http://127.0.0.1:8080"], 6);
    let crawled = crawl(&mut world, plain(&["http://127.0.0.1:8080/p0"]));
    assert_eq!(crawled.pages, 6);
    assert_eq!(least_pause(&world.log), Duration::ZERO);
    assert!(world.now.since(crate::world::START) <= Duration::from_millis(300));
}

#[test]
fn several_requests_at_a_time_start_a_delay_apart() {
    let mut world = sites(&["https://a.example"], 12).latency(|_| Duration::from_millis(2_500));
    let mut settings = plain(&["https://a.example/p0"]);
    settings.politeness.per_host = 3;
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.pages, 12);
    assert!(crawled.most_in_flight > 1 && crawled.most_in_flight <= 3);
    for pair in world.log.windows(2) {
        assert!(pair[1].start.since(pair[0].start) >= SECOND);
    }
}

#[test]
fn no_more_in_flight_than_allowed_and_every_host_gets_its_turn() {
    let hosts = ["https://a.example", "https://b.example", "https://c.example"];
    let mut world = sites(&hosts, 10).latency(|_| Duration::from_secs(3));
    let mut settings =
        plain(&["https://a.example/p0", "https://b.example/p0", "https://c.example/p0"]);
    settings.politeness.max_in_flight = 2;
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.pages, 30);
    assert_eq!(crawled.most_in_flight, 2);
    assert!(least_pause(&world.log) >= SECOND);
    // In any nine requests, every host comes up at least twice.
    for window in world.log[..24].windows(9) {
        for host in hosts {
            let turns = window.iter().filter(|sent| sent.host == host).count();
            assert!(turns >= 2, "{host} had {turns} of 9 turns");
        }
    }
}

#[test]
fn hosts_of_a_group_keep_the_pause_together_and_take_turns() {
    let hosts = ["https://a.shop.example", "https://b.shop.example", "https://c.example"];
    // A and B are one domain, B and C stand at one address.
    let groups: [&[&str]; 3] = [&["shop.example"], &["shop.example", "8.8.8.8"], &["8.8.8.8"]];
    for (per_host, latency, other) in [(1, 50, 50), (1, 50, 80), (1, 3_000, 2_100), (2, 3_000, 900)]
    {
        let latency = move |url: &str| {
            Duration::from_millis(if url.contains("c.ex") { other } else { latency })
        };
        let mut world = sites(&hosts, 10).latency(latency);
        let mut frontier = MemoryFrontier::default();
        for (host, groups) in hosts.iter().zip(groups) {
            let groups = groups.iter().map(|group| (*group).to_owned()).collect();
            let host = (*host).to_owned();
            frontier.save_host(&HostRecord { host, groups, ..HostRecord::default() }).unwrap();
        }
        let mut settings =
            plain(&hosts.map(|host| format!("{host}/p0")).each_ref().map(|s| &s[..]));
        settings.politeness.per_host = per_host;
        let crawled = crawl_on(&mut world, settings, &mut frontier, usize::MAX);
        assert_eq!(crawled.pages, 30);
        for (own, other) in [(0, 1), (1, 2)] {
            let of_group: Vec<&Sent> = (world.log.iter())
                .filter(|sent| sent.host == hosts[own] || sent.host == hosts[other])
                .collect();
            for pair in of_group.windows(2) {
                let since = if per_host == 1 { pair[0].end } else { pair[0].start };
                assert!(pair[1].start.since(since) >= SECOND, "{pair:?}");
            }
        }
        // A and C have no group in common; in any eight requests, every host comes up, also one that waits for two groups.
        let first = |host: &str| world.log.iter().find(|sent| sent.host == host).unwrap().start;
        assert_eq!(first(hosts[0]), first(hosts[2]));
        for window in world.log[..20].windows(8) {
            for host in hosts {
                assert!(window.iter().any(|sent| sent.host == host), "{host} waits: {window:?}");
            }
        }
    }
}

#[test]
fn crawl_delay_is_kept_and_an_absurd_one_cut() {
    for (asked, kept, issues) in [("3", 3, 0), ("0.1", 1, 0), ("86400", 120, 1)] {
        let robots = format!("user-agent: *\ncrawl-delay: {asked}\n");
        let mut world =
            sites(&["https://a.example"], 4).at("https://a.example/robots.txt", text(&robots));
        let mut settings = plain(&["https://a.example/p0"]);
        settings.politeness.obey_robots = true;
        let crawled = crawl(&mut world, settings);
        assert_eq!(crawled.pages, 4);
        assert_eq!(least_pause(&world.log), Duration::from_secs(kept), "asked for {asked}");
        assert_eq!(crawled.issues(quarry_model::IssueKind::CrawlDelay).len(), issues);
    }
}

#[test]
fn a_host_that_slows_down_is_asked_less_often() {
    let mut world = sites(&["https://a.example"], 40).latency(|url| {
        let number: u64 = url.rsplit('p').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        Duration::from_millis(if (15..25).contains(&number) { 5_000 } else { 100 })
    });
    crawl(&mut world, plain(&["https://a.example/p0"]));
    let pauses: Vec<f64> =
        world.log.windows(2).map(|pair| pair[1].start.since(pair[0].end).as_secs_f64()).collect();
    assert!(pauses[..14].iter().all(|pause| *pause == 1.0), "{pauses:?}");
    assert!(pauses[17] > 2.0, "slow answers, longer pauses: {pauses:?}");
    assert!(pauses[36] == 1.0, "and back again: {pauses:?}");
}

#[test]
fn retry_after_is_kept_to_the_second() {
    for (value, seconds) in [("90", 90), ("Sun, 15 Nov 2026 20:05:00 GMT", 300), ("86400", 900)] {
        let refusal = status(429).header("Retry-After", value);
        let mut world = World::new()
            .latency(|_| Duration::ZERO)
            .at_first("https://a.example/", vec![refusal, page("front", &[])]);
        let crawled = crawl(&mut world, plain(&["https://a.example/"]));
        assert_eq!(crawled.rows, [("https://a.example/".to_owned(), 200)], "429 is no content");
        assert_eq!(world.log.len(), 2);
        let waited = world.log[1].start.since(world.log[0].end);
        assert_eq!(waited, Duration::from_secs(seconds), "{value}");
    }
}

#[test]
fn a_refusal_holds_the_whole_host() {
    let refusal = status(503).header("Retry-After", "60");
    let mut world = World::new()
        .at("https://a.example/", page("front", &["/b", "/c", "/d"]))
        .at_first("https://a.example/b", vec![refusal, page("b", &[])])
        .at("https://a.example/c", page("c", &[]))
        .at("https://a.example/d", page("d", &[]));
    let crawled = crawl(&mut world, plain(&["https://a.example/"]));
    assert_eq!(crawled.pages, 4);
    assert!(world.log[2].start.since(world.log[1].end) >= Duration::from_secs(60));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the latencies, the number in flight and the faults: one request at a time per host
    /// and never less than the delay between them.
    #[test]
    fn the_delay_is_kept_in_every_world(
        seed in any::<u64>(),
        max_in_flight in 1_u32..6,
        delay_ms in 0_u64..3_000,
        faults in 0_u64..4,
    ) {
        let hosts = ["https://a.example", "https://b.example", "http://c.example:81"];
        let draw = move |url: &str| {
            xxhash_rust::xxh3::xxh3_64_with_seed(url.as_bytes(), seed)
        };
        let mut world = sites(&hosts, 12)
            .latency(move |url| Duration::from_millis(draw(url) % 4_000));
        // Some pages fail at first, in one way or the other.
        for n in 0..12 {
            for host in hosts {
                let url = format!("{host}/p{n}");
                if draw(&url) % 7 < faults {
                    let fault = [500, 429, 503, 403][(draw(&url) >> 8) as usize % 4];
                    let links = [format!("/p{}", n + 1), format!("/p{}", n + 2)];
                    let links: Vec<&str> = links.iter().map(String::as_str).collect();
                    world = world.at_first(&url, vec![status(fault), page("late", &links)]);
                }
            }
        }
        let mut settings = plain(&["https://a.example/p0", "https://b.example/p0", "http://c.example:81/p0"]);
        settings.politeness.max_in_flight = max_in_flight;
        settings.politeness.delay = Duration::from_millis(delay_ms);
        settings.seed = seed;
        let crawled = crawl(&mut world, settings);
        prop_assert!(crawled.most_in_flight <= max_in_flight as usize);
        prop_assert!(least_pause(&world.log) >= Duration::from_millis(delay_ms));
        prop_assert!(world.log.iter().all(|sent| sent.purpose == Purpose::Page));
    }
}
