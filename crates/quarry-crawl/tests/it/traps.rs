//! Are endless spaces of addresses left, and large sites not mistaken for them?

use quarry_crawl::CrawlSettings;
use quarry_model::{SkipReason, Timestamp};

use crate::world::{Crawled, World, crawl, page, plain};

const FRONT: &str = "http://127.0.0.1/";

fn settings() -> CrawlSettings {
    let mut settings = plain(&[FRONT]);
    settings.budget.pages = Some(30_000);
    settings
}

/// Crawls a site whose pages link to what this function says for their path and query.
fn site(links: impl Fn(&str) -> Vec<String> + 'static) -> Crawled {
    let mut world = World::new().script(move |url, _| {
        let links = links(url.strip_prefix("http://127.0.0.1")?);
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        Some(page("some page", &links))
    });
    crawl(&mut world, settings())
}

#[track_caller]
fn is_trap(link: &str, trap: bool) {
    let link = link.to_owned();
    let shown = link.clone();
    let crawled = site(move |path| if path == "/" { vec![link.clone()] } else { vec![] });
    assert_eq!(crawled.skipped(SkipReason::Trap), u64::from(trap), "{shown}");
    assert_eq!(crawled.pages, 1 + u64::from(!trap), "{shown}");
}

#[test]
fn paths_that_repeat_themselves() {
    is_trap("/a/a/a", true);
    is_trap("/a/b/a/b/a/b", true);
    is_trap("/x/a/b/c/a/b/c/a/b/c/y", true);
    is_trap("/a/x/a/y/a/z/a", true);
    is_trap("/a/a/b", false);
    is_trap("/a/b/a/b", false);
    is_trap("/a/x/a/y/a", false);
    is_trap("/1/1/1/1", false);
    is_trap("/2011/11/11/11", false);
    is_trap("/shop/men/shoes/men/running", false);
}

#[test]
fn too_much_of_everything() {
    let path = |n: usize| (0..n).map(|n| format!("/s{n}")).collect::<String>();
    is_trap(&path(20), false);
    is_trap(&path(21), true);
    let query =
        |n: usize| format!("/?{}", (0..n).map(|n| format!("p{n}=1")).collect::<Vec<_>>().join("&"));
    is_trap(&query(24), false);
    is_trap(&query(25), true);
    is_trap("/login?next=%2Flogin%3Fnext%3D%252Flogin", false);
    is_trap("/login?next=%2Flogin%3Fnext%3D%252Flogin%252Fnext%253D%25252F", true);
}

#[test]
fn relative_links_that_grow() {
    // Every page links to `more/`, relative to itself.
    let crawled = site(|path| vec![format!("{path}more/"), "/".to_owned()]);
    assert!(crawled.pages < 10, "{}", crawled.pages);
    assert_eq!(crawled.skipped(SkipReason::Trap), 1);
}

/// The months after a month, as a calendar links to them.
fn next_month(year: u32, month: u32) -> (u32, u32) {
    if month == 12 { (year + 1, 1) } else { (year, month + 1) }
}

fn month_of(path: &str) -> Option<(u32, u32)> {
    let (year, month) = path.strip_prefix("/calendar/")?.split_once('/')?;
    Some((year.parse().ok()?, month.parse().ok()?))
}

#[test]
fn a_calendar_ends() {
    let (year, month, ..) = Timestamp(1_794_772_800_000).civil();
    assert_eq!((year, month), (2026, 11));
    let crawled = site(move |path| match month_of(path) {
        Some((year, month)) => {
            let (y, m) = next_month(year, month);
            vec![format!("/calendar/{y}/{m:02}"), "/".to_owned(), "/about".to_owned()]
        }
        None => vec!["/calendar/2026/11".to_owned()],
    });
    assert!((60..70).contains(&crawled.pages), "{}", crawled.pages);
    assert_eq!(crawled.skipped(SkipReason::Trap), 1);
}

#[test]
fn a_calendar_in_the_query_ends_in_both_directions() {
    let crawled = site(|path| {
        let day = path.strip_prefix("/events?date=");
        let number: i64 = match day {
            Some(day) => {
                let parts: Vec<i64> = day.split('-').map(|part| part.parse().unwrap()).collect();
                (parts[0] * 12 + parts[1] - 1) * 28 + parts[2] - 1
            }
            None => 2026 * 12 * 28,
        };
        let link = |n: i64| {
            format!("/events?date={:04}-{:02}-{:02}", n / 28 / 12, n / 28 % 12 + 1, n % 28 + 1)
        };
        vec![link(number - 1), link(number + 1)]
    });
    assert!((60..130).contains(&crawled.pages), "{}", crawled.pages);
}

#[test]
fn an_archive_by_date_that_leads_somewhere_does_not_end() {
    // A newspaper: 300 months, each with an article of its own.
    let crawled = site(|path| match month_of(path) {
        Some((year, month)) => {
            let (y, m) = next_month(year, month);
            let mut links = vec![format!("/calendar/{year}/{month:02}/15/article-{year}-{month}")];
            if y < 2026 {
                links.push(format!("/calendar/{y}/{m:02}"));
            }
            links
        }
        None if path == "/" => vec!["/calendar/2001/01".to_owned()],
        None => vec![],
    });
    assert_eq!(crawled.skipped(SkipReason::Trap), 0);
    assert_eq!(crawled.pages, 1 + 300 + 300);
}

#[test]
fn a_catalogue_of_5000_list_pages_is_no_trap() {
    let crawled = site(|path| {
        let n: u32 = path.strip_prefix("/list?page=").and_then(|n| n.parse().ok()).unwrap_or(0);
        if n < 5_000 && !path.starts_with("/item") {
            vec![format!("/list?page={}", n + 1), format!("/item?id={n}&view=full")]
        } else {
            vec![]
        }
    });
    assert_eq!(crawled.skipped(SkipReason::Trap), 0);
    assert_eq!(crawled.pages, 1 + 5_000 + 5_000);
}

#[test]
fn a_catalogue_without_item_pages_is_no_trap() {
    let crawled = site(|path| {
        let n: u32 = path.strip_prefix("/shop/list/").and_then(|n| n.parse().ok()).unwrap_or(0);
        if n < 2_000 { vec![format!("/shop/list/{}", n + 1)] } else { vec![] }
    });
    assert_eq!(crawled.skipped(SkipReason::Trap), 0);
    assert_eq!(crawled.pages, 2_001);
}

#[test]
fn parameters_that_are_combined_without_end() {
    // Twelve filters that can be set in any order and any number: 12! addresses.
    let mut world = World::new().script(|url, _| {
        let set: Vec<&str> = url.split(['?', '&']).skip(1).collect();
        let links: Vec<String> = (0..12)
            .map(|n| format!("f{n}=1"))
            .filter(|filter| !set.contains(&filter.as_str()))
            .map(|filter| format!("/list?{}", [&set[..], &[&filter]].concat().join("&")))
            .collect();
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        Some(page("filters", &links))
    });
    let crawled = crawl(&mut world, settings());
    assert!((1_000..1_100).contains(&crawled.pages), "{}", crawled.pages);
    assert!(crawled.skipped(SkipReason::Trap) > 1_000);
}

#[test]
fn combinations_of_many_values_end_too() {
    let mut settings = settings();
    settings.growth.combinations = 500;
    let mut world = World::new().script(|url, before| {
        assert_eq!(before, 0);
        let links: Vec<String> = (0..8)
            .map(|n| {
                let mix = xxhash_rust::xxh3::xxh3_64_with_seed(url.as_bytes(), n);
                format!("/l?a={}&b={}&c={}&d={}", mix % 90, mix / 90 % 90, mix / 8_100 % 90, n)
            })
            .collect();
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        Some(page("combinations", &links))
    });
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.pages, 501);
    assert!(crawled.skipped(SkipReason::Trap) > 500);
}
