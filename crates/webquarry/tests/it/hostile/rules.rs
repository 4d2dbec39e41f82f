//! What holds whatever the server wants? Budgets, robots.txt, and that nothing private is asked.

use quarry_testsite::{Fault, Robots, Site, SiteSpec, Sitemap};

use super::{
    MEMORY, PRODUCTS, STRUCK, Seen, products, rule, small_shop, strike, visit, visit_server,
};
use crate::program::serve;

#[test]
fn redirects_out_of_scope_are_kept_and_not_followed() {
    strike(Fault::RedirectTo { to: "http://10.0.0.1/secret".to_owned() }, &[])
        .ended(0)
        .issues(&[])
        .skipped(&[("out_of_scope", 1)])
        .rows(Some((302, None)));
}

#[test]
fn redirects_to_private_addresses_are_refused() {
    // In the address itself, behind a name, the metadata service of clouds, and IPv6.
    for host in ["10.0.0.1", "localhost", "169.254.169.254", "[::1]", "[::ffff:192.168.0.1]"] {
        let to = || Fault::RedirectTo { to: format!("http://{host}/secret") };
        let name = host.trim_matches(['[', ']']).replace("192.168.0.1", "c0a8:1");
        let words = format!("{name} resolves to the private address");
        strike(to(), &["--scope", "any", "--robots", "false", "--sitemaps", "false"])
            .ended(1)
            .issues(&[("fetch_failed", 1)])
            .failed(1)
            .says(&words)
            .rows(Some((302, None)));
        // Already the question for its robots.txt is.
        let seen = strike(to(), &["--scope", "any"])
            .ended(1)
            .issues(&[("robots_unreachable", 1)])
            .says(&words)
            .says("name the host on the command line to allow it")
            .rows(Some((302, None)));
        assert!(seen.ran.err.contains("still queued"), "{}", seen.ran.err);
    }
}

#[test]
fn redirects_to_private_addresses_that_the_user_named_are_followed() {
    let server = serve(small_shop());
    let other = serve(small_shop());
    let mut spec = small_shop();
    let path = products(&spec).remove(STRUCK[0]);
    let port = other.address().port();
    let target = format!("http://localhost:{port}{path}");
    spec.faults.rules = vec![rule(&path, 0, Fault::RedirectTo { to: target.clone() })];
    server.replace(Site::generate(spec));
    let seen = visit_server(server, &[&format!("http://localhost:{port}/help")])
        .ended(0)
        .issues(&[])
        .rows(Some((302, None)));
    assert_eq!(seen.pages[&target]["fetch_status"], 200);
}

#[test]
fn a_robots_txt_at_a_private_address_is_not_fetched() {
    let mut spec = small_shop();
    let to = "http://169.254.169.254/robots.txt".to_owned();
    spec.faults.rules = vec![rule("/robots.txt", 0, Fault::RedirectTo { to })];
    let seen = visit(spec, &[])
        .issues(&[("robots_unreachable", 1)])
        .says("169.254.169.254 resolves to the private address");
    assert_eq!(seen.ran.status, 1, "{}", seen.ran.err);
    assert_eq!(seen.asked(), ["/robots.txt"]);
}

/// A shop without end: lists, calendars, paths that grow, session ids.
fn endless_shop() -> SiteSpec {
    let mut spec = small_shop();
    spec.paging.endless = true;
    spec.paging.size = 4;
    spec.traps.calendar = true;
    spec.traps.compare = true;
    spec.traps.spiral = true;
    spec.traps.sessions = true;
    spec
}

#[test]
fn endless_pages_end_with_the_page_budget() {
    let seen = visit(endless_shop(), &["--limit", "120"]);
    assert_eq!(seen.ran.status, 0, "{}", seen.text);
    assert_eq!(seen.counts["pages"], 120);
    assert!(seen.ran.err.contains("--limit is used up"), "{}", seen.ran.err);
    assert!(seen.peak < MEMORY, "{} MiB", seen.peak >> 20);
    assert!(seen.server.requests() < 150, "{}", seen.server.requests());
}

#[test]
fn endless_pages_with_endless_bodies_end_with_the_byte_budget() {
    let mut spec = endless_shop();
    spec.faults.rules = vec![rule("*page=*", 0, Fault::EndlessBody)];
    let seen = visit(spec, &["--max-bytes", "1MB", "--max-body", "256KB"]);
    assert_eq!(seen.ran.status, 0, "{}", seen.text);
    assert!(seen.ran.err.contains("--max-bytes is used up"), "{}", seen.ran.err);
    // What is in flight when the budget ends is still taken in.
    let most = (1 << 20) + 4 * (256 << 10);
    assert!(seen.counts["bytes"].as_u64().unwrap() <= most, "{}", seen.counts);
    // Several of the bodies that were cut are parsed at the same moment.
    let most = MEMORY + (24 << 20);
    assert!(seen.peak < most, "{} MiB", seen.peak >> 20);
}

/// Crawls a shop with this robots.txt.
fn with_robots(robots: Robots, crawl_delay: u32, flags: &[&str]) -> Seen {
    let mut spec = small_shop();
    spec.protocol.robots = robots;
    spec.protocol.crawl_delay = crawl_delay;
    visit(spec, flags)
}

#[test]
fn robots_error_closes_the_site() {
    // The waits between the three tries (2 and 4 seconds) have no flag.
    let seen = with_robots(Robots::Error, 0, &[])
        .issues(&[("robots_unreachable", 1)])
        .says("status 500; nothing is asked of the host, its queue is kept");
    assert_eq!(seen.ran.status, 1, "{}", seen.ran.err);
    assert!(seen.ran.err.contains("still queued"), "{}", seen.ran.err);
    assert_eq!(seen.asked(), ["/robots.txt"; 3]);
    assert_eq!(seen.counts["pages"], 0);
}

#[test]
fn robots_that_are_not_there_allow_everything() {
    for robots in [Robots::Missing, Robots::Forbidden, Robots::Html] {
        with_robots(robots, 0, &[]).ended(0).issues(&[]);
    }
}

#[test]
fn robots_disallow() {
    // A sitemap that the robots.txt itself names may be read, one at the usual place may not.
    for (sitemap, asked) in
        [(Sitemap::Plain, &["/robots.txt", "/sitemap.xml"][..]), (Sitemap::None, &["/robots.txt"])]
    {
        let mut spec = small_shop();
        spec.protocol.robots = Robots::DisallowAll;
        spec.protocol.sitemap = sitemap;
        let seen = visit(spec, &[]).issues(&[]).failed(0);
        assert_eq!(seen.ran.status, 0, "{}", seen.ran.err);
        assert!(seen.counts["skipped"]["robots"].as_u64().unwrap() > 0, "{}", seen.text);
        assert_eq!(seen.asked(), asked);
    }

    let seen = with_robots(Robots::DisallowEntities, 0, &[])
        .issues(&[])
        .skipped(&[("robots", PRODUCTS as u64)])
        .says("12 robots");
    assert_eq!(seen.ran.status, 0, "{}", seen.ran.err);
    assert!(!seen.asked().iter().any(|path| seen.spared.iter().any(|url| url.ends_with(path))));
    assert!(seen.counts["pages"].as_u64().unwrap() > 3, "{}", seen.text);
}

#[test]
fn robots_crawl_delay_is_kept_though_the_user_asked_for_none() {
    let seen = with_robots(Robots::Allow, 1, &["--limit", "2", "--sitemaps", "false"]);
    assert_eq!(seen.ran.status, 0, "{}", seen.ran.err);
    assert_eq!(seen.counts["pages"], 2);
    let requests = seen.counts["requests"].as_f64().unwrap();
    // The first pause is the one after the first page.
    assert!(seen.counts["elapsed_s"].as_f64().unwrap() >= requests - 2.0, "{}", seen.counts);
}

#[test]
fn robots_crawl_delay_beyond_reason_is_cut_and_reported() {
    let seen = with_robots(Robots::Allow, 500, &["--max-time", "1s"])
        .issues(&[("crawl_delay", 1)])
        .says("robots.txt asks for a pause of 500 s; 120 s are kept");
    assert_eq!(seen.ran.status, 0, "{}", seen.ran.err);
}

#[test]
fn robots_larger_than_anyone_reads() {
    let seen = with_robots(Robots::Huge, 0, &[]).ended(0).issues(&[]);
    assert!(seen.server.violations().is_empty(), "{:?}", seen.server.violations());
}
