//! Are sitemaps found, read and followed?

use quarry_crawl::{CrawlSettings, MemoryFrontier};
use quarry_model::{End, IssueKind, SkipReason};

use crate::world::{World, crawl, crawl_on, page, plain, text};

const FRONT: &str = "https://a.example/";

fn settings() -> CrawlSettings {
    let mut settings = plain(&[FRONT]);
    settings.politeness.obey_robots = true;
    settings.sitemaps = true;
    settings
}

fn world() -> World {
    World::new()
        .at(FRONT, page("front", &["/linked"]))
        .script(|url, _| url.contains("/l").then(|| page("leaf", &[])))
}

#[test]
fn named_by_robots_and_nested() {
    let robots = "Sitemap: https://a.example/index.xml\nSitemap: https://other.example/s.xml\n\
                  User-agent: *\nDisallow: /lost";
    let index =
        "<sitemapindex><sitemap><loc>https://a.example/one.txt</loc></sitemap></sitemapindex>";
    let one = "https://a.example/listed\nhttps://a.example/lost\nhttps://other.example/x\n\
               https://a.example/l.jpg\n";
    let mut world = world()
        .at("https://a.example/robots.txt", text(robots))
        .at("https://a.example/index.xml", text(index))
        .at("https://a.example/one.txt", text(one));
    let crawled = crawl(&mut world, settings());
    assert_eq!(
        crawled.sorted(),
        ["https://a.example/", "https://a.example/linked", "https://a.example/listed"]
    );
    assert_eq!(world.times_asked("https://other.example/s.xml"), 0);
    for reason in [SkipReason::Robots, SkipReason::OutOfScope, SkipReason::NotAPage] {
        assert_eq!(crawled.skipped(reason), 1, "{reason}");
    }
    assert_eq!(crawled.issues, []);
    assert_eq!(crawled.pages, 3, "sitemaps are no pages");
    assert_eq!(crawled.aside.len(), 3, "but archived, like robots.txt");
}

#[test]
fn guessed_at_the_usual_place() {
    let map = "<urlset><url><loc>https://a.example/listed</loc></url></urlset>";
    let mut with = world().at("https://a.example/sitemap.xml", text(map));
    assert_eq!(crawl(&mut with, settings()).pages, 3);
    let mut without = world();
    let crawled = crawl(&mut without, settings());
    assert_eq!(without.times_asked("https://a.example/sitemap.xml"), 1);
    assert_eq!(crawled.issues, [], "nobody promised one");
    let mut plain_settings = settings();
    plain_settings.sitemaps = false;
    let mut unasked = world();
    crawl(&mut unasked, plain_settings);
    assert_eq!(unasked.times_asked("https://a.example/sitemap.xml"), 0);
}

#[test]
fn broken_ones_are_reported_and_used() {
    let map = "<urlset><url><loc>https://a.example/listed</loc></url><url><loc>https://a.exa";
    let mut world = world()
        .at(
            "https://a.example/robots.txt",
            text("Sitemap: https://a.example/a.xml\nSitemap: https://a.example/b.xml"),
        )
        .at("https://a.example/a.xml", text(map));
    let mut frontier = MemoryFrontier::default();
    let crawled = crawl_on(&mut world, settings(), &mut frontier, usize::MAX);
    let issues = crawled.issues(IssueKind::BadSitemap);
    let details: Vec<&str> = issues.iter().map(|issue| issue.detail.as_str()).collect();
    assert_eq!(details, ["it breaks off before its end", "status 404"]);
    assert_eq!(crawled.pages, 3);
    assert_eq!(frontier.end_of("https://a.example/b.xml"), Some(&End::Done));
}

#[test]
fn pages_of_a_sitemap_are_one_step_away() {
    let mut world = world()
        .at("https://a.example/sitemap.xml", text("https://a.example/listed"))
        .at("https://a.example/listed", page("listed", &["/leaf"]));
    let mut settings = settings();
    settings.scope.depth = Some(1);
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.pages, 3);
    assert_eq!(crawled.skipped(SkipReason::Depth), 1);
}

#[test]
fn found_without_robots_and_when_asked_for_later() {
    let map = || text("https://a.example/listed");
    let mut unruly = settings();
    unruly.politeness.obey_robots = false;
    let mut world = world().at("https://a.example/sitemap.xml", map());
    assert_eq!(crawl(&mut world, unruly).pages, 3);

    // robots.txt is remembered from the first session, which did not want sitemaps.
    let mut world = self::world().at("https://a.example/sitemap.xml", map());
    let mut frontier = MemoryFrontier::default();
    let mut without = settings();
    without.sitemaps = false;
    assert_eq!(crawl_on(&mut world, without, &mut frontier, usize::MAX).pages, 2);
    assert_eq!(crawl_on(&mut world, settings(), &mut frontier, usize::MAX).pages, 1);
}
