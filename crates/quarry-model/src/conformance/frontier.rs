//! The conformance suite of [`Frontier`]: each request once, leased in order, back-offs and hosts
//! remembered, redirect targets claimed, leases released after a crash.

use std::time::Duration;

use crate::{
    Added, Candidate, End, Entry, EntryId, Frontier, FrontierCounts, HostRecord, HostWork, Request,
    RequestRole, RobotsRecord, SkipReason, Timestamp,
};

const HOST: &str = "https://shop.example";
const NOW: Timestamp = Timestamp(1_794_772_800_000);

/// Runs the whole suite; `new` gives an empty frontier at every call.
///
/// # Panics
/// At the first broken promise, with a message that names it.
pub fn check<F: Frontier>(mut new: impl FnMut() -> F) {
    each_request_is_accepted_once(new());
    post_and_get_differ(new());
    leases_by_priority_depth_arrival(new());
    a_queued_candidate_gets_the_lesser_depth_and_priority(new());
    candidates_come_back_as_they_went_in(new());
    hosts_do_not_mix(new());
    ended_entries_stay_ended(new());
    put_back_waits_and_counts(new());
    put_back_keeps_its_place(new());
    claims(new());
    work_lists_hosts_in_order(new());
    counts_follow_every_change(new());
    releases_leases(new());
    remembers_hosts(new());
    agrees_with_a_simple_model(new());
}

fn page(path: &str) -> Candidate {
    on(HOST, path)
}

fn on(host: &str, path: &str) -> Candidate {
    Candidate {
        request: Request::get(format!("{host}{path}")),
        host: host.to_owned(),
        ..Candidate::default()
    }
}

/// A promise of the port that storage errors do not excuse within the suite.
fn kept<T, E: std::error::Error>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("the frontier's storage failed: {error}"),
    }
}

fn lease<F: Frontier>(frontier: &mut F, host: &str, now: Timestamp) -> Option<Entry> {
    kept(frontier.lease(host, now))
}

fn lease_url<F: Frontier>(frontier: &mut F) -> Option<String> {
    lease(frontier, HOST, NOW).map(|entry| entry.candidate.request.url)
}

fn later(seconds: u64) -> Timestamp {
    NOW.plus(Duration::from_secs(seconds))
}

fn each_request_is_accepted_once<F: Frontier>(mut frontier: F) {
    let added = kept(frontier.add(&[page("/a"), page("/b"), page("/a")]));
    assert_eq!(added, Added { new: 2, known: 1 }, "a key twice in one call is new once");
    let added = kept(frontier.add(&[page("/b"), page("/c")]));
    assert_eq!(added, Added { new: 1, known: 1 }, "a key of an earlier call is known");
    assert_eq!(kept(frontier.add(&[])), Added::default(), "adding nothing adds nothing");
    let mut urls = Vec::new();
    while let Some(url) = lease_url(&mut frontier) {
        urls.push(url);
    }
    let expect: Vec<_> = ["/a", "/b", "/c"].iter().map(|path| format!("{HOST}{path}")).collect();
    assert_eq!(urls, expect, "every accepted candidate is leased once, in order of arrival");
}

fn post_and_get_differ<F: Frontier>(mut frontier: F) {
    let url = format!("{HOST}/search");
    let ask = |request| Candidate { request, host: HOST.to_owned(), ..Candidate::default() };
    let requests = [
        Request::get(&*url),
        Request::post(&*url, "q=red"),
        Request::post(&*url, "q=blue"),
        Request::post(&*url, "q=red"),
    ];
    let added = kept(frontier.add(&requests.map(ask)));
    assert_eq!(added, Added { new: 3, known: 1 }, "the key of a POST holds method and body");
}

fn leases_by_priority_depth_arrival<F: Frontier>(mut frontier: F) {
    let at = |path, priority, depth| Candidate { priority, depth, ..page(path) };
    kept(frontier.add(&[
        at("/late", 1, 0),
        at("/deep", 0, 2),
        at("/first", 0, 1),
        at("/second", 0, 1),
        at("/urgent", -5, 9),
    ]));
    let order: Vec<_> = std::iter::from_fn(|| lease_url(&mut frontier)).collect();
    let expect = ["/urgent", "/first", "/second", "/deep", "/late"];
    let expect: Vec<_> = expect.iter().map(|path| format!("{HOST}{path}")).collect();
    assert_eq!(order, expect, "leased by priority, then depth, then arrival");
}

fn a_queued_candidate_gets_the_lesser_depth_and_priority<F: Frontier>(mut frontier: F) {
    kept(frontier.add(&[
        Candidate { depth: 1, ..page("/near") },
        Candidate { depth: 5, priority: 3, ..page("/far") },
    ]));
    kept(frontier.add(&[Candidate { depth: 7, priority: -1, ..page("/far") }]));
    kept(frontier.add(&[Candidate { depth: 2, priority: 9, ..page("/far") }]));
    let entry = lease(&mut frontier, HOST, NOW).expect("two entries are queued");
    assert_eq!(entry.candidate.request.url, format!("{HOST}/far"), "the lesser priority counts");
    assert_eq!(entry.candidate.depth, 2, "the lesser depth is kept");
    assert_eq!(entry.candidate.priority, -1, "the lesser priority is kept");
}

fn candidates_come_back_as_they_went_in<F: Frontier>(mut frontier: F) {
    let mut request = Request::post(format!("{HOST}/search?lang=de"), "q=h%C3%BCte&page=2");
    request.unless.etag = Some("\"v1\"".to_owned());
    request.unless.last_modified = Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned());
    let candidate = Candidate {
        request,
        host: HOST.to_owned(),
        role: RequestRole::Sitemap,
        depth: 3,
        priority: -2,
        via: Some(format!("{HOST}/start")),
    };
    kept(frontier.add(std::slice::from_ref(&candidate)));
    let entry = lease(&mut frontier, HOST, NOW).expect("one entry is queued");
    assert_eq!(entry.candidate, candidate, "every field of a candidate is kept");
    assert_eq!(entry.attempts, 0, "a new entry has not been tried");
}

fn hosts_do_not_mix<F: Frontier>(mut frontier: F) {
    let other = "http://127.0.0.1:8080";
    kept(frontier.add(&[page("/a"), on(other, "/b")]));
    let entry = lease(&mut frontier, other, NOW).expect("the other host has an entry");
    assert_eq!(entry.candidate.host, other);
    assert!(lease(&mut frontier, other, NOW).is_none(), "its only entry is leased");
    assert!(lease(&mut frontier, "https://unknown.example", NOW).is_none());
    assert!(lease(&mut frontier, HOST, NOW).is_some());
}

fn ended_entries_stay_ended<F: Frontier>(mut frontier: F) {
    let ends = [End::Done, End::Skipped(SkipReason::Trap), End::Failed("status 500".to_owned())];
    for (n, end) in ends.iter().enumerate() {
        let candidate = page(&format!("/{n}"));
        kept(frontier.add(std::slice::from_ref(&candidate)));
        let entry = lease(&mut frontier, HOST, NOW).expect("just added");
        kept(frontier.finish(entry.id, end));
        assert!(lease(&mut frontier, HOST, later(9)).is_none(), "{end:?}: not leased again");
        let again = kept(frontier.add(&[candidate]));
        assert_eq!(again, Added { new: 0, known: 1 }, "{end:?}: not accepted again");
    }
    let counts = kept(frontier.counts());
    let expect = FrontierCounts { done: 1, skipped: 1, failed: 1, ..FrontierCounts::default() };
    assert_eq!(counts, expect, "each end is counted under its own name");
    assert_eq!(kept(frontier.release_leases()), 0, "an ended entry is not leased");
}

fn put_back_waits_and_counts<F: Frontier>(mut frontier: F) {
    kept(frontier.add(&[page("/a")]));
    let first = lease(&mut frontier, HOST, NOW).expect("just added");
    kept(frontier.put_back(first.id, later(60), true));
    assert!(lease(&mut frontier, HOST, later(59)).is_none(), "not before it is due");
    let work = kept(frontier.work());
    assert_eq!(
        work,
        [HostWork { host: HOST.to_owned(), queued: 1, due: later(60) }],
        "waiting work is listed with the moment when it is due"
    );
    let second = lease(&mut frontier, HOST, later(60)).expect("due now");
    assert_eq!(second.id, first.id, "an entry keeps its name");
    assert_eq!(second.attempts, 1, "the attempt was counted");
    kept(frontier.put_back(second.id, NOW, false));
    let third = lease(&mut frontier, HOST, later(60)).expect("due at once");
    assert_eq!(third.attempts, 1, "put back without an attempt");
    kept(frontier.put_back(third.id, NOW, true));
    let fourth = lease(&mut frontier, HOST, later(60)).expect("due at once");
    assert_eq!(fourth.attempts, 2);
}

fn put_back_keeps_its_place<F: Frontier>(mut frontier: F) {
    kept(frontier.add(&[page("/a"), page("/b"), page("/c")]));
    let first = lease(&mut frontier, HOST, NOW).expect("three queued");
    kept(frontier.put_back(first.id, later(10), true));
    let url = lease(&mut frontier, HOST, later(5)).map(|entry| entry.candidate.request.url);
    assert_eq!(url, Some(format!("{HOST}/b")), "others go on while one waits");
    let url = lease(&mut frontier, HOST, later(10)).map(|entry| entry.candidate.request.url);
    assert_eq!(url, Some(format!("{HOST}/a")), "once due, order of arrival counts again");
}

fn claims<F: Frontier>(mut frontier: F) {
    assert!(kept(frontier.claim(&page("/new"))), "a key never seen can be claimed");
    assert!(!kept(frontier.claim(&page("/new"))), "but only once");
    let added = kept(frontier.add(&[page("/new")]));
    assert_eq!(added, Added { new: 0, known: 1 }, "and is known from then on");
    assert!(lease(&mut frontier, HOST, NOW).is_none(), "and done: nothing to lease");

    kept(frontier.add(&[page("/queued"), page("/waiting")]));
    assert!(kept(frontier.claim(&page("/queued"))), "a queued key can be claimed");
    let entry = lease(&mut frontier, HOST, NOW).expect("one is left");
    assert_eq!(entry.candidate.request.url, format!("{HOST}/waiting"), "the claimed one is done");
    assert!(!kept(frontier.claim(&page("/waiting"))), "a leased key is about to have its page");
    kept(frontier.put_back(entry.id, later(60), true));
    assert!(kept(frontier.claim(&page("/waiting"))), "put back means queued again");
    assert!(lease(&mut frontier, HOST, later(99)).is_none(), "a claimed waiting entry is done");

    kept(frontier.add(&[page("/done")]));
    let entry = lease(&mut frontier, HOST, NOW).expect("just added");
    kept(frontier.finish(entry.id, &End::Done));
    assert!(!kept(frontier.claim(&page("/done"))), "an ended key cannot be claimed");
    let counts = kept(frontier.counts());
    assert_eq!(counts, FrontierCounts { done: 4, ..FrontierCounts::default() });
    assert_eq!(kept(frontier.work()), [], "nothing is left to do");
}

fn work_lists_hosts_in_order<F: Frontier>(mut frontier: F) {
    let (alpha, zeta) = ("http://alpha.example", "https://zeta.example");
    kept(frontier.add(&[on(zeta, "/1"), on(alpha, "/1"), on(alpha, "/2"), page("/only")]));
    let entry = lease(&mut frontier, HOST, NOW).expect("queued");
    kept(frontier.finish(entry.id, &End::Done));
    let work = kept(frontier.work());
    let names: Vec<_> = work.iter().map(|host| (host.host.as_str(), host.queued)).collect();
    assert_eq!(names, [(alpha, 2), (zeta, 1)], "hosts with queued entries, in order of name");
    assert!(work.iter().all(|host| host.due <= NOW), "new entries are due at once");

    let entry = lease(&mut frontier, alpha, NOW).expect("queued");
    kept(frontier.put_back(entry.id, later(60), true));
    let work = kept(frontier.work());
    assert_eq!(work[0].queued, 2, "what was put back is queued");
    assert!(work[0].due <= NOW, "due when the first of its entries is");
}

fn counts_follow_every_change<F: Frontier>(mut frontier: F) {
    let counts =
        |queued, leased, done| FrontierCounts { queued, leased, done, ..FrontierCounts::default() };
    assert_eq!(kept(frontier.counts()), counts(0, 0, 0), "empty at first");
    kept(frontier.add(&[page("/a"), page("/b"), page("/c")]));
    assert_eq!(kept(frontier.counts()), counts(3, 0, 0));
    let entry = lease(&mut frontier, HOST, NOW).expect("queued");
    assert_eq!(kept(frontier.counts()), counts(2, 1, 0));
    kept(frontier.put_back(entry.id, NOW, false));
    assert_eq!(kept(frontier.counts()), counts(3, 0, 0));
    let entry = lease(&mut frontier, HOST, NOW).expect("queued");
    kept(frontier.finish(entry.id, &End::Done));
    assert_eq!(kept(frontier.counts()), counts(2, 0, 1));
    kept(frontier.claim(&page("/b")));
    assert_eq!(kept(frontier.counts()), counts(1, 0, 2));
}

fn releases_leases<F: Frontier>(mut frontier: F) {
    kept(frontier.add(&[page("/a"), page("/b"), page("/c")]));
    let first = lease(&mut frontier, HOST, NOW).expect("queued");
    let second = lease(&mut frontier, HOST, NOW).expect("queued");
    assert_eq!(kept(frontier.release_leases()), 2, "both leases are put back");
    assert_eq!(kept(frontier.release_leases()), 0, "and none is left");
    let again = lease(&mut frontier, HOST, NOW).expect("put back");
    assert_eq!(again, first, "as if it had never been leased, attempts included");
    assert_eq!(lease(&mut frontier, HOST, NOW), Some(second));
}

fn remembers_hosts<F: Frontier>(mut frontier: F) {
    assert_eq!(kept(frontier.host(HOST)), None, "an unknown host");
    let mut record = HostRecord {
        host: HOST.to_owned(),
        robots: Some(RobotsRecord {
            at: NOW,
            status: Some(200),
            body: "User-agent: *\nDisallow: /caf\u{e9}\n".to_owned(),
        }),
        not_before: later(30),
        delay: Duration::from_millis(1_500),
        troubles: 2,
        groups: Vec::new(),
    };
    kept(frontier.save_host(&record));
    assert_eq!(kept(frontier.host(HOST)), Some(record.clone()), "every field is kept");
    record.robots = Some(RobotsRecord { at: later(1), status: None, body: String::new() });
    record.troubles = 0;
    kept(frontier.save_host(&record));
    assert_eq!(kept(frontier.host(HOST)), Some(record), "the newest record counts");
    let bare = HostRecord { host: "http://other.example".to_owned(), ..HostRecord::default() };
    kept(frontier.save_host(&bare));
    assert_eq!(kept(frontier.host("http://other.example")), Some(bare));
    assert_eq!(kept(frontier.work()), [], "a remembered host has no work of its own");
}

/// The same 2,000 random operations on the frontier and on a model that scans a list.
fn agrees_with_a_simple_model<F: Frontier>(mut frontier: F) {
    #[derive(PartialEq, Clone, Copy)]
    enum State {
        Queued,
        Leased,
        Ended,
    }
    struct Known {
        path: u64,
        depth: u32,
        priority: i32,
        due: Timestamp,
        state: State,
        id: Option<EntryId>,
    }
    let mut known: Vec<Known> = Vec::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    for step in 0..2_000_u64 {
        let now = later(step);
        match draw(6) {
            0 | 1 => {
                let (path, depth, priority) = (draw(400), draw(4) as u32, draw(3) as i32 - 1);
                let candidate = Candidate { depth, priority, ..page(&format!("/{path}")) };
                let added = kept(frontier.add(&[candidate]));
                let seen = known.iter_mut().find(|entry| entry.path == path);
                assert_eq!(added.new, usize::from(seen.is_none()), "step {step}: add /{path}");
                match seen {
                    Some(entry) if entry.state == State::Queued => {
                        entry.depth = entry.depth.min(depth);
                        entry.priority = entry.priority.min(priority);
                    }
                    Some(_) => {}
                    None => known.push(Known {
                        path,
                        depth,
                        priority,
                        due: NOW,
                        state: State::Queued,
                        id: None,
                    }),
                }
            }
            2 | 3 => {
                let expect = known
                    .iter_mut()
                    .filter(|entry| entry.state == State::Queued && entry.due <= now)
                    .min_by_key(|entry| (entry.priority, entry.depth));
                let got = lease(&mut frontier, HOST, now);
                let url = got.as_ref().map(|entry| entry.candidate.request.url.clone());
                let want = expect.as_ref().map(|entry| format!("{HOST}/{}", entry.path));
                assert_eq!(url, want, "step {step}: lease");
                if let (Some(entry), Some(got)) = (expect, got) {
                    entry.state = State::Leased;
                    entry.id = Some(got.id);
                }
            }
            what => {
                let leased = known.iter_mut().find(|entry| entry.state == State::Leased);
                let Some(entry) = leased else { continue };
                let id = entry.id.expect("a leased entry has a name");
                if what == 4 {
                    entry.due = now.plus(Duration::from_secs(draw(40)));
                    entry.state = State::Queued;
                    kept(frontier.put_back(id, entry.due, true));
                } else {
                    entry.state = State::Ended;
                    kept(frontier.finish(id, &End::Done));
                }
            }
        }
    }
    let in_state = |state| known.iter().filter(|entry| entry.state == state).count() as u64;
    let expect = FrontierCounts {
        queued: in_state(State::Queued),
        leased: in_state(State::Leased),
        done: in_state(State::Ended),
        ..FrontierCounts::default()
    };
    assert_eq!(kept(frontier.counts()), expect, "after 2,000 operations");
}
