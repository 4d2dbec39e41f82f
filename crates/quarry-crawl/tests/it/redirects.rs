//! Where do redirects lead, and is every page there once?

use quarry_crawl::MemoryFrontier;
use quarry_model::{End, IssueKind, SkipReason};

use crate::world::{World, crawl, crawl_on, html, page, plain, redirect, text};

const FRONT: &str = "https://a.example/";

#[test]
fn every_hop_has_a_row_and_the_target_is_asked_once() {
    let mut world = World::new()
        .at(FRONT, page("front", &["/old", "/older", "/new"]))
        .at("https://a.example/old", redirect("/new"))
        .at("https://a.example/older", redirect("/old"))
        .at("https://a.example/new", page("new", &["/next"]))
        .at("https://a.example/next", page("next", &[]));
    let mut frontier = MemoryFrontier::default();
    let crawled = crawl_on(&mut world, plain(&[FRONT]), &mut frontier, usize::MAX);
    assert_eq!(
        crawled.sorted(),
        [
            "https://a.example/",
            "https://a.example/new",
            "https://a.example/next",
            "https://a.example/old",
            "https://a.example/older",
        ]
    );
    assert_eq!(crawled.pages, 3, "redirects are no pages");
    assert_eq!(crawled.skipped(SkipReason::DuplicateRedirect), 1, "/older led to /new again");
    assert_eq!(frontier.end_of("https://a.example/new"), Some(&End::Done), "claimed");
    assert_eq!(
        frontier.end_of("https://a.example/older"),
        Some(&End::Skipped(SkipReason::DuplicateRedirect))
    );
    assert_eq!(
        crawled.requests,
        2 + 2 + 3,
        "every hop is a request: front, next; old, new; older, old, new"
    );
}

#[test]
fn another_host_is_asked_on_its_own() {
    let mut world = World::new()
        .at("http://a.example/x", redirect("https://www.a.example/x"))
        .at("https://www.a.example/x", page("x", &["/y"]))
        .at("https://www.a.example/y", page("y", &[]))
        .at("https://www.a.example/robots.txt", text("user-agent: *\ndisallow: /z"));
    let mut settings = plain(&["http://a.example/x"]);
    settings.politeness.obey_robots = true;
    let crawled = crawl(&mut world, settings);
    assert_eq!(
        crawled.urls(),
        ["http://a.example/x", "https://www.a.example/x", "https://www.a.example/y"]
    );
    assert_eq!(crawled.rows[0].1, 302);
    assert_eq!(crawled.pages, 2);
    let order: Vec<&str> = world.log.iter().map(|sent| sent.url.as_str()).collect();
    assert_eq!(
        order,
        [
            "http://a.example/robots.txt",
            "http://a.example/x",
            "https://www.a.example/robots.txt",
            "https://www.a.example/x",
            "https://www.a.example/y",
        ],
        "robots.txt of the other host first"
    );
}

#[test]
fn a_redirect_keeps_its_depth() {
    let mut world = World::new()
        .at("http://a.example/", redirect("https://a.example/"))
        .at(FRONT, page("front", &["/one"]))
        .at("https://a.example/one", page("one", &["/two"]));
    let mut settings = plain(&["http://a.example/"]);
    settings.scope.depth = Some(1);
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.pages, 2, "http to https is no step away from the seed");
    assert_eq!(crawled.skipped(SkipReason::Depth), 1);
}

#[test]
fn redirects_to_forbidden_places_are_not_followed() {
    let mut world = World::new()
        .at(FRONT, page("front", &["/out", "/bye", "/file", "/secret"]))
        .at("https://a.example/out", redirect("https://elsewhere.example/"))
        .at("https://a.example/bye", redirect("/account/logout"))
        .at("https://a.example/file", redirect("/big.zip"))
        .at("https://a.example/secret", redirect("/private/x"))
        .at("https://a.example/robots.txt", text("user-agent: *\ndisallow: /private/"));
    let mut settings = plain(&[FRONT]);
    settings.politeness.obey_robots = true;
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.rows.len(), 5, "the redirects themselves are kept");
    assert_eq!(crawled.pages, 1);
    for reason in
        [SkipReason::OutOfScope, SkipReason::Unsafe, SkipReason::NotAPage, SkipReason::Robots]
    {
        assert_eq!(crawled.skipped(reason), 1, "{reason}");
    }
    for never in ["https://elsewhere.example/", "https://a.example/account/logout"] {
        assert_eq!(world.times_asked(never), 0);
    }
}

#[test]
fn loops_and_cookie_rounds() {
    // A page that wants to see its cookie again redirects to itself by way of another.
    let mut world = World::new()
        .at(FRONT, page("front", &["/a", "/loop"]))
        .at_first("https://a.example/a", vec![redirect("/set"), page("a", &[])])
        .at("https://a.example/set", redirect("/a"))
        .at("https://a.example/loop", redirect("/loop?n=1"))
        .at("https://a.example/loop?n=1", redirect("/loop"));
    let mut frontier = MemoryFrontier::default();
    let crawled = crawl_on(&mut world, plain(&[FRONT]), &mut frontier, usize::MAX);
    assert_eq!(frontier.end_of("https://a.example/a"), Some(&End::Done));
    assert_eq!(crawled.pages, 2);
    let failed = crawled.issues(IssueKind::FetchFailed);
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].detail, "more than 10 redirects");
    assert!(matches!(frontier.end_of("https://a.example/loop"), Some(End::Failed(_))));
}

#[test]
fn refresh_and_canonical_are_links() {
    let mut world = World::new()
        .at(
            FRONT,
            html(
                "<meta http-equiv=Refresh content=\"3; URL='/refreshed'\">\
                 <link rel=canonical href=/canonical><link rel=\"nofollow next\" href=/next>\
                 <link rel=stylesheet href=/style>",
            ),
        )
        .script(|_, _| Some(page("more", &[])));
    let crawled = crawl(&mut world, plain(&[FRONT]));
    assert_eq!(
        crawled.urls()[1..],
        ["https://a.example/refreshed", "https://a.example/canonical", "https://a.example/next"]
    );
}

#[test]
fn links_that_only_lead_back_are_left_alone_after_three() {
    let links: Vec<String> = (0..20).map(|n| format!("/zq/{n}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let front = "https://a.example/";
    let mut world = World::new()
        .at(front, page("front", &links))
        .script(|url, _| url.contains("/zq/").then(|| redirect("/").header("Set-Cookie", "z=1")));
    let crawled = crawl(&mut world, plain(&[front]));
    assert_eq!(crawled.skipped(SkipReason::Unsafe), 17, "{:?}", crawled.skipped);
}
