//! What does a user see when the server misbehaves, and does the crawl go on? Each fault of the
//! generated sites, over real sockets.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::time::{Duration, Instant};

use quarry_testsite::{
    FacetStyle, Fault, FaultRule, Robots, SearchForm, Server, Site, SiteSpec, Sitemap,
};
use serde_json::Value;

use crate::program::{Folder, Ran, crawl, quarry, report, run, serve};

/// No crawl of a dozen pages takes longer, whatever the server does.
const PATIENCE: Duration = Duration::from_secs(60);
/// Products of the shop, and which of them are struck.
const PRODUCTS: usize = 12;
const STRUCK: [usize; 2] = [2, 7];

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

/// Crawls a shop of which two product pages have the fault.
fn strike(fault: Fault, flags: &[&str]) -> Seen {
    strike_times(fault, 0, flags)
}

/// The same; the fault is over after so many requests of an address.
fn strike_times(fault: Fault, times: u32, flags: &[&str]) -> Seen {
    let mut spec = small_shop();
    let products = products(&spec);
    spec.faults.rules = STRUCK
        .iter()
        .map(|n| FaultRule { path: products[*n].clone(), rate: 1.0, times, fault: fault.clone() })
        .collect();
    let mut flags = flags.to_vec();
    if !flags.contains(&"--retries") {
        flags.extend(["--retries", "1"]);
    }
    visit(spec, &flags)
}

/// Crawls a site to the end.
fn visit(spec: SiteSpec, flags: &[&str]) -> Seen {
    let products = products(&spec);
    let server = serve(spec);
    let folder = Folder::new();
    let project = folder.join("project");
    let (ran, peak) = watched(&crawl(&crate::program::front(&server), &project, flags));
    let export = run(["export", "-p", project.to_str().unwrap(), "--table", "pages"]).ended(0);
    let pages = export.lines().into_iter();
    let pages = pages.map(|row| (row["url"].as_str().unwrap().to_owned(), row)).collect();
    let address = |path: &String| format!("{}{path}", server.url());
    let (mut struck, mut spared) = (Vec::new(), Vec::new());
    for (n, path) in products.iter().enumerate() {
        if STRUCK.contains(&n) { &mut struck } else { &mut spared }.push(address(path));
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
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) << 10);
        std::thread::sleep(Duration::from_millis(2));
    }
    (Ran::from(child.wait_with_output().unwrap()), peak)
}

#[test]
fn explore() {
    let none: &[&str] = &[];
    let all: Vec<(Fault, u32, &[&str])> = vec![
        (Fault::Latency { ms: 300 }, 0, none),
        (Fault::Latency { ms: 3000 }, 0, &["--first-byte-timeout", "200ms"]),
        (Fault::Stall, 0, &["--first-byte-timeout", "200ms"]),
        (Fault::ResetBeforeHead, 0, none),
        (Fault::ResetBeforeHead, 1, &["--retries", "2"]),
        (Fault::ResetMidBody, 0, none),
        (Fault::ServerError { status: 500 }, 0, none),
        (Fault::ServerError { status: 503 }, 1, none),
        (Fault::ServerError { status: 503 }, 0, &["--max-time", "3s"]),
        (Fault::TooManyRequests { retry_after: 1 }, 1, none),
        (Fault::TooManyRequests { retry_after: 3600 }, 0, &["--max-time", "2s"]),
        (Fault::Forbidden, 0, none),
        (Fault::RedirectLoop, 0, none),
        (Fault::RedirectTo { to: "http://10.0.0.1/x".into() }, 0, none),
        (Fault::RedirectTo { to: "http://10.0.0.1/x".into() }, 0, &["--scope", "any"]),
        (
            Fault::RedirectTo { to: "http://10.0.0.1/x".into() },
            0,
            &["--scope", "any", "--robots", "false"],
        ),
        (
            Fault::RedirectTo { to: "http://localhost/x".into() },
            0,
            &["--scope", "any", "--robots", "false"],
        ),
        (Fault::WrongCharset, 0, none),
        (Fault::MissingCharset, 0, none),
        (Fault::EndlessBody, 0, &["--max-body", "256KB"]),
        (Fault::SlowDrip { ms: 50 }, 0, &["--body-timeout", "400ms"]),
        (Fault::GzipBomb { mib: 300 }, 0, &["--max-body", "1MB"]),
        (Fault::GzipTruncated, 0, none),
        (Fault::LengthTooLong, 0, none),
        (Fault::LengthTooShort, 0, none),
        (Fault::HugeHeaders { kib: 256 }, 0, none),
        (Fault::Garbage, 0, none),
        (Fault::BrokenChunks, 0, none),
        (Fault::Soft404, 0, none),
        (Fault::CookieWall, 0, none),
        (Fault::DeepNesting { depth: 100_000 }, 0, none),
        (Fault::EmptyBody, 0, none),
        (Fault::Binary, 0, none),
    ];
    for (fault, times, flags) in all {
        let begun = Instant::now();
        let seen = strike_times(fault.clone(), times, flags);
        println!(
            "==== {fault:?} x{times} {flags:?} exit {} in {:?} peak {} MiB",
            seen.ran.status,
            begun.elapsed(),
            seen.peak >> 20
        );
        println!("{}", seen.counts);
        println!("{}", seen.text);
        println!("ERR {}", seen.ran.err);
        let missing: Vec<_> = seen.spared.iter().filter(|u| !seen.pages.contains_key(*u)).collect();
        println!("spared missing: {missing:?}");
        for u in &seen.struck {
            println!(
                "struck {u} {:?}",
                seen.pages.get(u).map(|r| (
                    &r["fetch_status"],
                    &r["content_truncated"],
                    &r["content_mime_detected"]
                ))
            );
            if seen.pages.contains_key(u) {
                let t = run([
                    "inspect",
                    u,
                    "-p",
                    seen.folder.join("project").to_str().unwrap(),
                    "--show",
                    "text",
                ]);
                println!(
                    "inspect {} {} {}",
                    t.status,
                    t.out.chars().take(300).collect::<String>().replace("\n", "|"),
                    t.err
                );
                let t = run(["inspect", u, "-p", seen.folder.join("project").to_str().unwrap()]);
                println!(
                    "inspect {} {} {}",
                    t.status,
                    t.out.chars().take(300).collect::<String>().replace("\n", "|"),
                    t.err
                );
            }
        }
    }
}
