//! What happens when servers fail, refuse or break off?

use std::time::Duration;

use quarry_crawl::{HostState, MemoryFrontier, Stop};
use quarry_model::{End, Failure, Frontier, IssueKind, Timestamp, Truncation};

use crate::world::{Answer, Session, World, crawl, crawl_on, fails, page, plain, reset, status};

const FRONT: &str = "https://a.example/";
const BAD: &str = "https://a.example/bad";

/// A front page that links to `/bad` and `/good`; what `/bad` says, in order.
fn world(bad: Vec<Answer>) -> World {
    World::new()
        .latency(|_| Duration::ZERO)
        .at(FRONT, page("front", &["/bad", "/good"]))
        .at_first(BAD, bad)
        .at("https://a.example/good", page("good", &[]))
}

#[track_caller]
fn check(bad: Vec<Answer>, times: u32, end: &End, rows: &[u16], issues: &[(IssueKind, &str)]) {
    let mut world = world(bad);
    let mut frontier = MemoryFrontier::default();
    let crawled = crawl_on(&mut world, plain(&[FRONT]), &mut frontier, usize::MAX);
    assert_eq!(crawled.stop, Some(Stop::Finished));
    assert_eq!(world.times_asked(BAD), times, "attempts");
    assert_eq!(frontier.end_of(BAD), Some(end));
    let statuses = crawled.rows.iter().filter(|(url, _)| url == BAD).map(|(_, status)| *status);
    assert_eq!(statuses.collect::<Vec<_>>(), rows, "rows of the page");
    assert!(crawled.urls().contains(&"https://a.example/good"), "the crawl goes on");
    let met: Vec<_> = crawled.issues.iter().map(|i| (i.kind, i.detail.as_str())).collect();
    assert_eq!(met, issues);
}

fn failed(what: &str) -> End {
    End::Failed(what.to_owned())
}

#[test]
fn what_may_pass_is_tried_again() {
    for first in [reset(), status(500), status(502), status(504)] {
        check(vec![first.clone(), page("bad", &[])], 2, &End::Done, &[200], &[]);
        check(vec![first.clone(), first, page("bad", &[])], 3, &End::Done, &[200], &[]);
    }
    let cut = Answer { truncated: Some(Truncation::Disconnect), ..page("bad", &[]) };
    check(vec![cut, page("bad", &[])], 2, &End::Done, &[200], &[]);
}

#[test]
fn what_does_not_pass_is_given_up() {
    let what = "the server broke off: connection reset by peer";
    check(vec![reset()], 3, &failed(what), &[], &[(IssueKind::FetchFailed, what)]);
    let what = "the server broke off in the middle of the body";
    let cut = Answer { truncated: Some(Truncation::Disconnect), ..page("bad", &[]) };
    check(vec![cut], 3, &failed(what), &[200], &[(IssueKind::FetchFailed, what)]);
    let what = "status 500";
    check(vec![status(500)], 3, &failed(what), &[500], &[(IssueKind::HttpError, what)]);
    let what = "status 501";
    check(vec![status(501)], 1, &failed(what), &[501], &[(IssueKind::HttpError, what)]);
    let tls = fails(Failure::Tls { detail: "expired".to_owned() });
    let what = "no secure connection: expired";
    check(vec![tls], 1, &failed(what), &[], &[(IssueKind::FetchFailed, what)]);
}

#[test]
fn error_pages_are_kept_with_their_status() {
    for code in [400, 401, 404, 410, 451] {
        let what = format!("status {code}");
        check(vec![status(code)], 1, &End::Done, &[code], &[(IssueKind::HttpError, &what)]);
    }
}

#[test]
fn refusals_are_never_content() {
    check(vec![status(403), page("bad", &[])], 2, &End::Done, &[200], &[]);
    let what = "refused with status 403";
    check(vec![status(403)], 2, &failed(what), &[], &[(IssueKind::Refused, what)]);
    let what = "refused with status 429";
    let first = (IssueKind::Refused, what);
    check(vec![status(429), page("bad", &[])], 2, &End::Done, &[200], &[first]);
    let what = "refused with status 503";
    let (first, last) = ((IssueKind::Refused, what), (IssueKind::Refused, what));
    check(vec![status(503)], 5, &failed(what), &[], &[first, last]);
}

#[test]
fn bodies_cut_at_a_limit_are_kept_and_reported() {
    let cut = |why| Answer { truncated: Some(why), ..page("bad", &["/further"]) };
    let length = (IssueKind::Truncated, "the body was cut at the byte limit");
    let not_found = (IssueKind::HttpError, "status 404");
    check(vec![cut(Truncation::Length)], 1, &End::Done, &[200], &[length, not_found]);
    let time = (IssueKind::Truncated, "the body was cut at the time limit");
    check(vec![cut(Truncation::Time)], 1, &End::Done, &[200], &[time, not_found]);
}

#[test]
fn waits_double_and_differ() {
    let mut world = World::new()
        .latency(|_| Duration::ZERO)
        .at(FRONT, page("front", &["/b", "/c"]))
        .at("https://a.example/b", reset())
        .at("https://a.example/c", reset());
    let mut settings = plain(&[FRONT]);
    settings.retry.pause_after = 100;
    crawl(&mut world, settings);
    let times = |url: &str| -> Vec<Timestamp> {
        world.log.iter().filter(|sent| sent.url.ends_with(url)).map(|sent| sent.start).collect()
    };
    for url in ["/b", "/c"] {
        let times = times(url);
        assert_eq!(times.len(), 3);
        let waits = [times[1].since(times[0]), times[2].since(times[1])];
        assert!(waits[0] >= Duration::from_secs(2) && waits[0] < Duration::from_secs(4));
        assert!(waits[1] >= Duration::from_secs(4) && waits[1] < Duration::from_secs(7));
    }
}

#[test]
fn a_host_that_only_fails_is_paused_then_left_alone() {
    let links: Vec<String> = (0..100).map(|n| format!("/{n}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let mut world = World::new().at(FRONT, page("front", &links)).script(|_, _| Some(reset()));
    let mut frontier = MemoryFrontier::default();
    let mut session = Session::new(plain(&[FRONT]));
    session.engine.start(&mut frontier, world.now).unwrap();
    let mut paused = false;
    while !session.step(&mut world, &mut frontier) {
        let state = session.engine.progress().hosts().next().unwrap().state;
        paused |= matches!(state, HostState::Paused(_));
    }
    assert!(paused);
    let state = session.engine.progress().hosts().next().unwrap().state;
    assert_eq!(state, HostState::GivenUp);
    let crawled = session.crawled;
    assert_eq!(crawled.stop, Some(Stop::Finished));
    assert_eq!(world.log.len(), 1 + 10, "ten troubles in a row");
    let pauses: Vec<u64> =
        world.log[5..].windows(2).map(|two| two[1].start.since(two[0].end).as_secs()).collect();
    assert_eq!(pauses, [15, 30, 60, 120, 240]);
    let last = crawled.issues.last().unwrap();
    assert_eq!(last.url, "https://a.example");
    assert!(last.detail.contains("10 troubles in a row"), "{}", last.detail);
    assert!(frontier.counts().unwrap().queued >= 95, "its queue is kept");
    assert_eq!(frontier.host("https://a.example").unwrap().unwrap().troubles, 10);

    // The next session gives it a chance, and finds it well again.
    let mut world = World::new().script(|_, _| Some(page("fine again", &[])));
    world.now = frontier.host("https://a.example").unwrap().unwrap().not_before;
    let again = crawl_on(&mut world, plain(&[FRONT]), &mut frontier, usize::MAX);
    assert!(again.pages >= 95);
    assert_eq!(frontier.counts().unwrap().queued, 0);
}

#[test]
fn other_hosts_go_on() {
    let mut world = World::new()
        .at(FRONT, page("front", &["https://b.example/1", "https://b.example/2"]))
        .at("https://b.example/1", page("one", &[]))
        .at("https://b.example/2", page("two", &[]))
        .script(|url, _| url.starts_with("https://down.example").then(reset));
    let settings = plain(&[FRONT, "https://b.example/1", "https://down.example/"]);
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.stop, Some(Stop::Finished));
    assert_eq!(crawled.pages, 3);
}

#[test]
fn a_guess_that_is_refused_is_no_failed_page() {
    for is_guess in [true, false] {
        let mut world = World::new().at(FRONT, status(403));
        let mut frontier = MemoryFrontier::default();
        let mut settings = plain(&[FRONT]);
        settings.guessed_seeds = is_guess;
        let crawled = crawl_on(&mut world, settings, &mut frontier, usize::MAX);
        let end = if is_guess { End::Done } else { failed("refused with status 403") };
        assert_eq!(frontier.end_of(FRONT), Some(&end));
        assert_eq!(crawled.issues.len(), usize::from(!is_guess));
        assert_eq!(world.times_asked(FRONT), if is_guess { 1 } else { 2 });
    }
}
