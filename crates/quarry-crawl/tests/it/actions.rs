//! Links that could change something are not followed, in 38 languages and 20 systems; harmless ones are.
//!
//! The tables are in `tests/cases/actions`. Every link stands on a page as it would on a site, and the whole
//! engine decides.

use std::collections::BTreeSet;

use quarry_crawl::{Address, CrawlSettings};
use quarry_model::SkipReason;

use crate::world::{World, crawl, html, page, plain};

const FRONT: &str = "https://a.example/";

struct Case {
    from: String,
    address: String,
    markup: String,
}

fn cases(table: &str, has_origin: bool) -> Vec<Case> {
    let rows = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|line| {
        let mut columns: Vec<&str> = line.split('\t').collect();
        let from = if has_origin { columns.remove(0) } else { "" };
        let column = |at: usize| columns.get(at).copied().unwrap_or_default();
        let (href, text, attributes) = (column(0), column(1), column(2));
        let text = if text.is_empty() { "x" } else { text };
        let address = Address::normalise(&format!("https://a.example{href}")).unwrap();
        let markup = format!("<p><a href=\"{href}\" {attributes}>{text}</a></p>");
        Case { from: from.to_owned(), address: address.into_string(), markup }
    })
    .collect()
}

/// Which of the links are followed.
fn followed(cases: &[Case], settings: CrawlSettings) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    // A few links a page, so that nothing but the links themselves is judged.
    for chunk in cases.chunks(20) {
        let links: String = chunk.iter().map(|case| case.markup.as_str()).collect();
        let mut world = World::new().at(FRONT, html(&links)).script(|_, _| Some(page("leaf", &[])));
        let crawled = crawl(&mut world, settings.clone());
        asked.extend(crawled.urls().into_iter().map(ToOwned::to_owned));
    }
    asked
}

#[test]
fn none_of_the_links_that_change_something_is_followed() {
    let cases = cases(include_str!("../cases/actions/changing.tsv"), true);
    assert!(cases.len() >= 300, "{}", cases.len());
    let origins: BTreeSet<&str> = cases.iter().map(|case| case.from.as_str()).collect();
    assert!(origins.iter().filter(|name| name.len() == 2).count() >= 25);
    assert!(origins.iter().filter(|name| name.len() > 2).count() >= 12);
    let asked = followed(&cases, plain(&[FRONT]));
    let wrong: Vec<_> = cases.iter().filter(|case| asked.contains(&case.address)).collect();
    let shown: Vec<String> =
        wrong.iter().map(|case| format!("{} {}", case.from, case.markup)).collect();
    assert!(wrong.is_empty(), "{} followed:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn harmless_links_are_followed() {
    let cases = cases(include_str!("../cases/actions/harmless.tsv"), false);
    assert!(cases.len() >= 300, "{}", cases.len());
    let asked = followed(&cases, plain(&[FRONT]));
    let left: Vec<&str> = cases
        .iter()
        .filter(|case| !asked.contains(&case.address))
        .map(|case| case.markup.as_str())
        .collect();
    println!("{} of {} harmless links left out:\n{}", left.len(), cases.len(), left.join("\n"));
    assert!(left.len() * 20 <= cases.len(), "{} left out:\n{}", left.len(), left.join("\n"));
}

#[test]
fn a_setting_allows_them() {
    let cases = cases(include_str!("../cases/actions/changing.tsv"), true);
    let settings = CrawlSettings { follow_actions: true, ..plain(&[FRONT]) };
    let asked = followed(&cases, settings);
    // A few are left out for what they are beside: scripts are no pages.
    let allowed = cases.iter().filter(|case| asked.contains(&case.address)).count();
    assert!(allowed * 100 >= cases.len() * 99, "{allowed} of {}", cases.len());
}

#[test]
fn a_plain_link_to_the_same_address_shows_that_requesting_it_is_harmless() {
    let both =
        "<h2><a href=/posts/5>A post</a></h2><a href=/posts/5 data-method=delete>Destroy</a>";
    let mut world = World::new().at(FRONT, html(both)).script(|_, _| Some(page("leaf", &[])));
    assert_eq!(crawl(&mut world, plain(&[FRONT])).urls().len(), 2);
    let only = "<a href=/posts/5 data-method=delete>Destroy</a>";
    let mut world = World::new().at(FRONT, html(only)).script(|_, _| Some(page("leaf", &[])));
    let crawled = crawl(&mut world, plain(&[FRONT]));
    assert_eq!((crawled.urls().len(), crawled.skipped(SkipReason::Unsafe)), (1, 1));
}

#[test]
fn taking_a_choice_away_from_a_list_is_harmless() {
    let list = "https://a.example/list?brand=x&size=3";
    let wider =
        "<a href='/list?size=3'>Remove</a><a href=/list>Clear all</a><a href='/x?i=1'>Remove</a>";
    let mut world = World::new().at(list, html(wider)).script(|_, _| Some(page("leaf", &[])));
    let crawled = crawl(&mut world, plain(&[list]));
    assert_eq!(crawled.urls(), [list, "https://a.example/list?size=3", "https://a.example/list"]);
}
