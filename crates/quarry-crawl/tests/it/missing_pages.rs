//! Are pages that are not there told from those that are?

use quarry_crawl::{CrawlSettings, Purpose};
use quarry_model::SkipReason;

use crate::world::{Answer, Crawled, World, crawl, html, page, plain, redirect, status};

const FRONT: &str = "http://127.0.0.1/";
const WORDS: [&str; 8] = ["walnut", "oak", "desk", "chair", "lamp", "drawer", "linen", "brass"];

fn settings() -> CrawlSettings {
    let mut settings = plain(&[FRONT]);
    settings.probe_missing = true;
    settings
}

fn menu(body: &str) -> String {
    format!("<nav>Home Products Recipes About us Contact Basket Your account</nav>{body}")
}

fn sorry(url: &str) -> Answer {
    html(&menu(&format!(
        "<title>Not found - Shop</title><h1>We are sorry</h1><p>The page {url} that you are \
         looking for could not be found. Try the search or go back to the front page.</p>"
    )))
}

fn product(n: usize) -> Answer {
    let word = |k: usize| WORDS[(n / 8_usize.pow(k as u32) + k) % 8];
    html(&menu(&format!(
        "<title>{} {} - Shop</title><h1>{} {}</h1><p>A {} {} made of {} with {} in {} for your \
         {} and {}.</p>",
        word(0),
        word(1),
        word(0),
        word(1),
        word(2),
        word(3),
        word(4),
        word(5),
        word(1),
        word(0),
        word(2),
    )))
}

/// 30 products and 10 links to what is no longer there.
fn shop(missing: impl Fn(&str) -> Answer + 'static) -> World {
    let links: Vec<String> = (0..40).map(|n| format!("/product/{n}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    World::new().at(FRONT, page("the front of the shop", &links)).script(move |url, _| {
        let n: Option<usize> = url.rsplit('/').next().and_then(|n| n.parse().ok());
        Some(n.filter(|n| n % 4 != 3).map_or_else(|| missing(url), product))
    })
}

fn probes(world: &World) -> usize {
    world.log.iter().filter(|sent| sent.purpose == Purpose::Probe).count()
}

fn run(mut world: World, settings: CrawlSettings) -> (Crawled, usize) {
    let crawled = crawl(&mut world, settings);
    let probes = probes(&world);
    (crawled, probes)
}

#[test]
fn friendly_pages_for_what_is_missing_are_not_kept() {
    let (crawled, probes) = run(shop(sorry), settings());
    assert_eq!(probes, 1, "one question per host");
    assert_eq!(crawled.pages, 31);
    assert_eq!(crawled.skipped(SkipReason::SoftNotFound), 10);
    assert_eq!(crawled.requests, 42, "the probe counts as a request");
    assert!(crawled.aside.iter().any(|url| url.contains("/no-such-page-")), "and is archived");
}

#[test]
fn honest_sites_keep_everything() {
    let (crawled, probes) = run(shop(|_| status(404)), settings());
    assert_eq!(probes, 1);
    assert_eq!(crawled.pages, 41);
    assert_eq!(crawled.skipped(SkipReason::SoftNotFound), 0);
}

#[test]
fn redirects_to_the_front_are_redirects() {
    let (crawled, _) = run(shop(|_| redirect("/")), settings());
    assert_eq!(crawled.skipped(SkipReason::SoftNotFound), 0);
    assert_eq!(crawled.skipped(SkipReason::DuplicateRedirect), 10);
    assert_eq!(crawled.pages, 31);
}

#[test]
fn a_site_that_answers_everything_alike_is_kept() {
    let shell =
        || html(&menu("<title>App</title><div id=root>Loading the application, please wait</div>"));
    let links: String = (0..40).map(|n| format!("<a href=/view/{n}></a>")).collect();
    let front = html(&menu(&format!(
        "<title>App</title><div id=root>Loading the application, please wait</div>{links}"
    )));
    let world = World::new().at(FRONT, front).script(move |_, _| Some(shell()));
    let (crawled, _) = run(world, settings());
    assert_eq!(crawled.pages, 41);
    assert_eq!(crawled.skipped(SkipReason::SoftNotFound), 0);
}

#[test]
fn most_of_a_site_is_never_dropped() {
    // The front page differs, but every other page looks like the answer to a missing one.
    let links: Vec<String> = (0..200).map(|n| format!("/view/{n}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let world = World::new()
        .at(FRONT, page("a front page of its own", &links))
        .script(|_, _| Some(html(&menu("<title>App</title>Loading the application, please wait"))));
    let (crawled, _) = run(world, settings());
    let dropped = crawled.skipped(SkipReason::SoftNotFound);
    assert!(dropped <= 8 + 201 / 5 + 1, "{dropped}");
    assert_eq!(crawled.pages + dropped, 201);
}

#[test]
fn off_by_setting() {
    let (crawled, probes) = run(shop(sorry), plain(&[FRONT]));
    assert_eq!(probes, 0);
    assert_eq!(crawled.pages, 41);
}
