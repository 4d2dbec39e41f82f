//! Is robots.txt asked first, obeyed, and what if it cannot be had?

use std::time::Duration;

use quarry_crawl::{CrawlSettings, HostState, MemoryFrontier, Purpose, Stop};
use quarry_model::{Failure, Frontier, IssueKind, SkipReason};

use crate::world::{
    Answer, Session, World, crawl, crawl_on, fails, page, plain, redirect, reset, status, text,
};

const FRONT: &str = "https://a.example/";
const ROBOTS: &str = "https://a.example/robots.txt";

fn settings() -> CrawlSettings {
    let mut settings = plain(&[FRONT]);
    settings.politeness.obey_robots = true;
    settings
}

fn world(robots: Vec<Answer>) -> World {
    World::new()
        .at_first(ROBOTS, robots)
        .at(FRONT, page("front", &["/open", "/closed"]))
        .at("https://a.example/open", page("open", &["/closed"]))
        .at("https://a.example/closed", page("closed", &[]))
}

#[test]
fn asked_first_and_obeyed() {
    let mut world = world(vec![text("User-agent: *\nDisallow: /closed\n")]);
    let crawled = crawl(&mut world, settings());
    assert_eq!(world.log[0].purpose, Purpose::Robots);
    assert_eq!(crawled.urls(), [FRONT, "https://a.example/open"]);
    assert_eq!(crawled.skipped(SkipReason::Robots), 1, "counted once");
    assert_eq!(crawled.aside, [ROBOTS], "archived, but no page");
    assert_eq!(crawled.requests, 3);
}

#[test]
fn our_own_group() {
    let robots = "User-agent: *\nDisallow: /\nUser-agent: mybot\nDisallow: /open\n";
    let mut world = world(vec![text(robots)]);
    let mut settings = settings();
    settings.user_agent = "MyBot/1.0 (+https://me.example/)".to_owned();
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.urls(), [FRONT, "https://a.example/closed"]);
}

#[test]
fn a_seed_is_no_exception() {
    let mut world = world(vec![text("User-agent: *\nDisallow: /\n")]);
    let crawled = crawl(&mut world, settings());
    assert_eq!(crawled.pages, 0);
    assert_eq!(crawled.skipped(SkipReason::Robots), 1);
    assert_eq!(crawled.stop, Some(Stop::Finished));
}

#[test]
fn not_asked_if_so_told() {
    let mut world = world(vec![text("User-agent: *\nDisallow: /\n")]);
    let crawled = crawl(&mut world, plain(&[FRONT]));
    assert_eq!(world.times_asked(ROBOTS), 0);
    assert_eq!(crawled.pages, 3);
}

#[test]
fn none_means_everything() {
    for answer in [status(404), status(403), status(410), redirect("/robots.txt")] {
        let mut world = world(vec![answer]);
        let crawled = crawl(&mut world, settings());
        assert_eq!(crawled.pages, 3);
    }
}

#[test]
fn redirects_are_followed_to_other_hosts() {
    let mut world = world(vec![redirect("https://www.a.example/robots.txt")])
        .at("https://www.a.example/robots.txt", redirect("https://cdn.example/r"))
        .at("https://cdn.example/r", text("User-agent: *\nDisallow: /closed\n"));
    let crawled = crawl(&mut world, settings());
    assert_eq!(crawled.pages, 2);
    assert_eq!(crawled.requests, 3 + 2);
    assert_eq!(crawled.aside.len(), 3);
}

#[test]
fn a_short_outage_is_waited_out() {
    for answer in [status(500), status(503), status(429), reset()] {
        let fine = text("User-agent: *\nDisallow: /closed\n");
        let mut world = world(vec![answer.clone(), answer, fine]);
        let crawled = crawl(&mut world, settings());
        assert_eq!(crawled.pages, 2);
        assert_eq!(crawled.issues, []);
        assert!(world.log[1].start.since(world.log[0].end) >= Duration::from_secs(2));
        assert!(world.log[2].start.since(world.log[1].end) >= Duration::from_secs(4));
    }
}

#[test]
fn a_long_outage_closes_the_host_and_keeps_its_queue() {
    let mut world = world(vec![status(500)]);
    let mut frontier = MemoryFrontier::default();
    let mut session = Session::new(settings());
    session.engine.start(&mut frontier, world.now).unwrap();
    while !session.step(&mut world, &mut frontier) {}
    assert_eq!(world.times_asked(ROBOTS), 3);
    let state = session.engine.progress().hosts().next().unwrap().state;
    assert_eq!(state, HostState::GivenUp);
    let issues = session.crawled.issues(IssueKind::RobotsUnreachable);
    assert_eq!(issues.len(), 1);
    assert_eq!(issues[0].url, ROBOTS);
    assert!(issues[0].detail.starts_with("status 500;"), "{}", issues[0].detail);
    assert_eq!(session.crawled.pages, 0);
    assert_eq!(frontier.counts().unwrap().queued, 1);

    // The next session asks again.
    let mut world = self::world(vec![status(404)]);
    world.now = world.now.plus(Duration::from_secs(600));
    let crawled = crawl_on(&mut world, settings(), &mut frontier, usize::MAX);
    assert_eq!(crawled.pages, 3);
}

#[test]
fn a_private_address_is_hopeless_at_once() {
    let failure = Failure::PrivateAddress {
        host: "a.example".to_owned(),
        address: "10.0.0.1".parse().unwrap(),
    };
    let mut world = world(vec![fails(failure)]);
    let crawled = crawl(&mut world, settings());
    assert_eq!(world.log.len(), 1);
    let issues = crawled.issues(IssueKind::RobotsUnreachable);
    assert!(issues[0].detail.contains("name the host"), "{}", issues[0].detail);
    assert_eq!(crawled.requests, 0, "nothing was sent");
}

#[test]
fn an_archive_without_it_allows_everything() {
    let mut world = world(vec![fails(Failure::NotArchived)]);
    assert_eq!(crawl(&mut world, settings()).pages, 3);
}

#[test]
fn asked_again_after_a_day_and_old_rules_serve_if_that_fails() {
    let mut world = World::new()
        .at_first(ROBOTS, vec![text("user-agent: *\ndisallow: /closed\n"), status(500)])
        .script(|url, _| {
            let n: u64 = url.rsplit('/').next()?.parse().unwrap_or(0);
            Some(page("slow", &[&format!("/{}", n + 1), &format!("/closed/{n}")]))
        });
    let mut settings = settings();
    settings.politeness.delay = Duration::from_secs(3_600);
    settings.politeness.max_delay = Duration::from_secs(3_600);
    settings.budget.pages = Some(30);
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.pages, 30);
    assert!(world.times_asked(ROBOTS) >= 2);
    assert!(crawled.urls().iter().all(|url| !url.contains("closed")));
    let again = world.log.iter().skip(1).find(|sent| sent.purpose == Purpose::Robots).unwrap();
    assert!(again.start.since(world.log[0].end) >= Duration::from_secs(24 * 3_600));
}
