//! What does a user see when the server misbehaves, and does the crawl go on? Each fault of the
//! generated sites, over real sockets.

mod rules;

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use quarry_testsite::{FacetStyle, Fault, FaultRule, SearchForm, Server, Site, SiteSpec};
use serde_json::Value;

use crate::program::{Folder, Ran, crawl, front, quarry, report, run, serve};

/// No crawl of a dozen pages takes longer, whatever the server does.
const PATIENCE: Duration = Duration::from_secs(60);
/// Products of the shop, and which of them are struck.
const PRODUCTS: usize = 12;
const STRUCK: [usize; 2] = [2, 7];
/// No crawl here needs more memory beside the code of the program, whatever the server sends.
const MEMORY: u64 = 72 << 20;

/// A shop of about twenty pages.
fn small_shop() -> SiteSpec {
    let mut spec = SiteSpec { entities: PRODUCTS, ..SiteSpec::preset("shop").unwrap() };
    spec.facets.style = FacetStyle::None;
    spec.listing.sorts = false;
    spec.search.form = SearchForm::None;
    spec.traps.actions = false;
    spec.traps.forms = false;
    spec
}

/// The paths of the products.
fn products(spec: &SiteSpec) -> Vec<String> {
    Site::generate(spec.clone()).truth().map(|line| line.url).collect()
}

/// What came of a crawl.
struct Seen {
    folder: Folder,
    server: Server,
    ran: Ran,
    /// `quarry report --json` and `quarry report`.
    counts: Value,
    text: String,
    /// Rows of the table of pages by address.
    pages: BTreeMap<String, Value>,
    /// The largest size of the process in memory, as far as it was seen.
    peak: u64,
    struck: Vec<String>,
    spared: Vec<String>,
}

/// A rule for one address.
fn rule(path: &str, times: u32, fault: Fault) -> FaultRule {
    FaultRule { path: path.to_owned(), rate: 1.0, times, fault }
}

/// Crawls a shop of which two product pages have the fault, with one try per page.
fn strike(fault: Fault, flags: &[&str]) -> Seen {
    let mut spec = small_shop();
    let products = products(&spec);
    spec.faults.rules = STRUCK.map(|n| rule(&products[n], 0, fault.clone())).to_vec();
    visit(spec, &[flags, &["--retries", "1"]].concat())
}

/// Crawls a shop of which the last product page has the fault, for so many requests. The engine
/// waits for seconds after a refusal: it should not do so in the middle of the crawl.
fn strike_last(fault: Fault, times: u32, flags: &[&str]) -> Seen {
    let mut spec = small_shop();
    let last = products(&spec).remove(PRODUCTS - 1);
    spec.faults.rules = vec![rule(&last, times, fault)];
    visit(spec, flags)
}

/// Crawls a site to the end.
fn visit(spec: SiteSpec, flags: &[&str]) -> Seen {
    visit_server(serve(spec), flags)
}

fn visit_server(server: Server, flags: &[&str]) -> Seen {
    let site = server.site();
    let products: Vec<String> = site.truth().map(|line| line.url).collect();
    let faults = &site.spec().faults;
    let folder = Folder::new();
    let project = folder.join("project");
    let (ran, peak) = watched(&crawl(&front(&server), &project, flags));
    let export = run(["export", "-p", project.to_str().unwrap(), "--table", "pages"]).ended(0);
    let pages = export.lines().into_iter();
    let pages = pages.map(|row| (row["url"].as_str().unwrap().to_owned(), row)).collect();
    let address = |path: &String| format!("{}{path}", server.url());
    let (mut struck, mut spared) = (Vec::new(), Vec::new());
    for path in &products {
        let hit = faults.strike(site.spec().seed, path, 1).is_some();
        if hit { &mut struck } else { &mut spared }.push(address(path));
    }
    Seen {
        counts: report(&project),
        text: run(["report", "-p", project.to_str().unwrap()]).ended(0).out,
        folder,
        server,
        ran,
        pages,
        peak,
        struck,
        spared,
    }
}

/// Runs the program and watches its size; fails the test if it does not end by itself.
fn watched(arguments: &[String]) -> (Ran, u64) {
    let mut child =
        quarry(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let begun = Instant::now();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the crawl did not end: {:?}", child.wait_with_output().unwrap());
        }
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let kib = |name: &str| -> Option<u64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().trim_end_matches(" kB").parse().ok()
        };
        // Without the code itself, which is larger in a test than in a release.
        peak = kib("RssAnon:").map_or(0, |now| now << 10).max(peak);
        std::thread::sleep(Duration::from_millis(2));
    }
    (Ran::from(child.wait_with_output().unwrap()), peak)
}

impl Seen {
    /// It ended by itself and like this; every page that was not struck is there.
    #[track_caller]
    fn ended(self, status: i32) -> Self {
        assert_eq!(self.ran.status, status, "{}\n{}", self.text, self.ran.err);
        for url in &self.spared {
            let row = self.pages.get(url).unwrap_or_else(|| panic!("{url} is missing"));
            assert_eq!(row["fetch_status"], 200, "{url}");
        }
        assert!(self.peak < MEMORY, "{} MiB", self.peak >> 20);
        self
    }

    /// Oddities as `quarry report --json` counts them, and no others.
    #[track_caller]
    fn issues(self, expect: &[(&str, u64)]) -> Self {
        assert_eq!(self.counts["issues"], counts(expect), "{}", self.text);
        self
    }

    /// Skipped addresses as `quarry report --json` counts them, and no others.
    #[track_caller]
    fn skipped(self, expect: &[(&str, u64)]) -> Self {
        assert_eq!(self.counts["skipped"], counts(expect), "{}", self.text);
        self
    }

    #[track_caller]
    fn failed(self, expect: u64) -> Self {
        assert_eq!(self.counts["failed"], expect, "{}", self.text);
        self
    }

    /// What `quarry report` says in words, wherever its table breaks the line.
    #[track_caller]
    fn says(self, words: &str) -> Self {
        let text: Vec<&str> = self.text.split_whitespace().collect();
        assert!(text.join(" ").contains(words), "{words:?} is not in\n{}", self.text);
        self
    }

    /// Status and truncation of the struck pages' rows; `None` where there must be no row.
    #[track_caller]
    fn rows(self, expect: Option<(u16, Option<&str>)>) -> Self {
        for url in &self.struck {
            let row = self.pages.get(url).map(|row| {
                (row["fetch_status"].as_u64().unwrap(), row["content_truncated"].as_str())
            });
            assert_eq!(row, expect.map(|(status, cut)| (status.into(), cut)), "{url}");
        }
        assert!(!self.struck.is_empty());
        self
    }

    /// What `quarry inspect` shows of a struck page.
    #[track_caller]
    fn inspect(&self, show: &str) -> String {
        let project = self.folder.join("project");
        let arguments =
            ["inspect", &self.struck[0], "-p", project.to_str().unwrap(), "--show", show];
        run(arguments).ended(0).out
    }

    /// Paths that the server was asked for, in order.
    fn asked(&self) -> Vec<String> {
        self.server.log().into_iter().map(|line| line.target).collect()
    }
}

fn counts(expect: &[(&str, u64)]) -> Value {
    expect.iter().map(|(name, n)| ((*name).to_owned(), Value::from(*n))).collect()
}

const BROKE_OFF: &str = "the server broke off in the middle of the body";

#[test]
fn latency_is_waited_for() {
    strike(Fault::Latency { ms: 300 }, &[]).ended(0).issues(&[]).rows(Some((200, None)));
}

#[test]
fn latency_beyond_the_limit_is_a_failure() {
    strike(Fault::Latency { ms: 5_000 }, &["--first-byte-timeout", "200ms"])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says("the answer took too long")
        .rows(None);
}

#[test]
fn stall() {
    strike(Fault::Stall, &["--first-byte-timeout", "200ms"])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says("the answer took too long")
        .rows(None);
}

#[test]
fn reset_before_head() {
    strike(Fault::ResetBeforeHead, &[])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says("the server broke off")
        .rows(None);
}

#[test]
fn reset_mid_body() {
    let seen = strike(Fault::ResetMidBody, &[])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says(BROKE_OFF)
        .rows(Some((200, Some("disconnect"))));
    // The half that came can be looked at.
    assert!(seen.inspect("text").contains("Boots"));
}

#[test]
fn what_passes_is_fetched_at_the_second_try() {
    strike_last(Fault::ResetMidBody, 1, &["--retries", "2"])
        .ended(0)
        .issues(&[])
        .rows(Some((200, None)));
}

#[test]
fn server_error() {
    strike(Fault::ServerError { status: 500 }, &[])
        .ended(1)
        .issues(&[("http_error", 2)])
        .failed(2)
        .says("status 500")
        .rows(Some((500, None)));
}

#[test]
fn unavailable_for_a_moment() {
    strike_last(Fault::ServerError { status: 503 }, 1, &[])
        .ended(0)
        .issues(&[("refused", 1)])
        .says("refused with status 503")
        .rows(Some((200, None)));
}

#[test]
fn unavailable_for_long_ends_with_the_time_budget() {
    let seen = strike_last(Fault::ServerError { status: 503 }, 0, &["--max-time", "4s"]);
    assert!(seen.ran.err.contains("--max-time is used up"), "{}", seen.ran.err);
    assert!(seen.counts["elapsed_s"].as_f64().unwrap() < 8.0, "{}", seen.counts);
    assert!(seen.counts["queued"].as_u64().unwrap() > 0, "{}", seen.counts);
    // Reported again after each page that came in between.
    assert!(seen.counts["issues"]["refused"].as_u64().unwrap() >= 1, "{}", seen.counts);
    assert_eq!(seen.ran.status, 0, "{}", seen.text);
    seen.failed(0).says("refused with status 503").rows(None);
}

#[test]
fn too_many_requests_waits_as_long_as_asked() {
    let seen = strike_last(Fault::TooManyRequests { retry_after: 2 }, 1, &[])
        .ended(0)
        .issues(&[("refused", 1)])
        .says("refused with status 429")
        .rows(Some((200, None)));
    assert!(seen.counts["elapsed_s"].as_f64().unwrap() >= 2.0, "{}", seen.counts);
}

#[test]
fn too_many_requests_for_an_hour_ends_with_the_time_budget() {
    let fault = Fault::TooManyRequests { retry_after: 3_600 };
    let seen = strike_last(fault, 0, &["--max-time", "3s"]);
    assert!(seen.ran.err.contains("--max-time is used up"), "{}", seen.ran.err);
    assert!(seen.counts["elapsed_s"].as_f64().unwrap() < 8.0, "{}", seen.counts);
    assert_eq!(seen.asked().iter().filter(|path| seen.struck[0].ends_with(*path)).count(), 1);
    assert_eq!(seen.ran.status, 0, "{}", seen.text);
    seen.issues(&[("refused", 1)]).failed(0).says("refused with status 429").rows(None);
}

#[test]
fn forbidden() {
    strike(Fault::Forbidden, &[])
        .ended(1)
        .issues(&[("refused", 2)])
        .failed(2)
        .says("refused with status 403")
        .rows(None);
}

#[test]
fn redirect_loop() {
    strike(Fault::RedirectLoop, &[])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says("more than 10 redirects")
        .rows(None);
}

#[test]
fn wrong_charset() {
    let seen = strike(Fault::WrongCharset, &[]).ended(0).issues(&[]).rows(Some((200, None)));
    assert!(seen.inspect("text").contains("Caf\u{fffd} D\u{fffd}j\u{fffd} vu"));
    assert!(seen.inspect("summary").contains("bytes that make no sense"));
}

#[test]
fn missing_charset() {
    let seen = strike(Fault::MissingCharset, &[]).ended(0).issues(&[]).rows(Some((200, None)));
    assert!(seen.inspect("text").contains("Café Déjà vu naïve façade"));
}

#[test]
fn endless_body() {
    let seen = strike(Fault::EndlessBody, &["--max-body", "256KB"])
        .ended(0)
        .issues(&[("truncated", 2)])
        .says("the body was cut at the byte limit")
        .rows(Some((200, Some("length"))));
    assert!(seen.counts["bytes"].as_u64().unwrap() < 2 * (256 << 10) + (64 << 10));
}

#[test]
fn slow_drip() {
    let seen = strike(Fault::SlowDrip { ms: 50 }, &["--body-timeout", "400ms"])
        .ended(0)
        .issues(&[("truncated", 2)])
        .says("the body was cut at the time limit")
        .rows(Some((200, Some("time"))));
    assert!(seen.counts["elapsed_s"].as_f64().unwrap() < 5.0, "{}", seen.counts);
}

#[test]
fn gzip_bomb() {
    let seen = strike(Fault::GzipBomb { mib: 100 }, &["--max-body", "1MB"])
        .ended(0)
        .issues(&[("truncated", 2)])
        .says("the body was cut at the byte limit")
        .rows(Some((200, Some("length"))));
    // The page before the blanks is whole, and only so much of it is ever unpacked.
    assert!(seen.inspect("summary").contains("1.0 MB"), "{}", seen.inspect("summary"));
}

#[test]
fn gzip_truncated() {
    let seen = strike(Fault::GzipTruncated, &[])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says(BROKE_OFF)
        .rows(Some((200, Some("disconnect"))));
    assert!(seen.inspect("text").contains("Boots"), "what came is unpacked");
}

#[test]
fn length_too_long() {
    strike(Fault::LengthTooLong, &[])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says(BROKE_OFF)
        .rows(Some((200, Some("disconnect"))));
}

#[test]
fn length_too_short() {
    // Nobody can know; what is beyond the length must not be taken for the next answer.
    strike(Fault::LengthTooShort, &[]).ended(0).issues(&[]).rows(Some((200, None)));
}

#[test]
fn huge_headers() {
    strike(Fault::HugeHeaders { kib: 256 }, &[])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says("the answer is not valid HTTP")
        .rows(None);
}

#[test]
fn garbage() {
    strike(Fault::Garbage, &[])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says("the answer is not valid HTTP")
        .rows(None);
}

#[test]
fn broken_chunks() {
    strike(Fault::BrokenChunks, &[])
        .ended(1)
        .issues(&[("fetch_failed", 2)])
        .failed(2)
        .says(BROKE_OFF)
        .rows(Some((200, Some("disconnect"))));
}

#[test]
fn soft_404() {
    // Such a site answers every wrong address like this, also the one that the crawl makes up.
    let mut spec = small_shop();
    let products = products(&spec);
    spec.faults.rules = STRUCK.map(|n| rule(&products[n], 0, Fault::Soft404)).to_vec();
    spec.faults.rules.push(rule("*/no-such-page-*", 0, Fault::Soft404));
    visit(spec, &["--per-host", "1"])
        .ended(0)
        .issues(&[])
        .skipped(&[("soft_not_found", 2)])
        .says("2 soft_not_found")
        .rows(None);
}

#[test]
fn cookie_wall() {
    let mut spec = small_shop();
    spec.faults.rules = vec![rule("*", 0, Fault::CookieWall)];
    let seen = visit(spec, &[]).ended(0).issues(&[]).rows(Some((200, None)));
    // The cookie is shown once, not once a page.
    assert!(seen.server.requests() < seen.pages.len() as u64 + 10, "{:?}", seen.asked());
}

#[test]
fn deep_nesting() {
    strike(Fault::DeepNesting { depth: 100_000 }, &[])
        .ended(0)
        .issues(&[("document_limit", 2)])
        .says("the document was cut at its limit of depth")
        .rows(Some((200, None)));
}

#[test]
fn empty_body() {
    let seen = strike(Fault::EmptyBody, &[]).ended(0).issues(&[]).rows(Some((200, None)));
    assert!(seen.inspect("summary").contains("0 B"));
}

#[test]
fn binary() {
    let seen = strike(Fault::Binary, &[]).ended(0).issues(&[]).rows(Some((200, None)));
    for url in &seen.struck {
        assert_eq!(seen.pages[url]["content_mime_detected"], "application/octet-stream");
    }
}
