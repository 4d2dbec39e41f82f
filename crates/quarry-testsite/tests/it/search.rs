//! A search has four kinds of answer.

use quarry_testsite::{OneMatch, PageClass, SearchForm, Site, SiteRequest, SiteSpec};

use crate::{get, small};

#[test]
fn the_four_answers() {
    let site = Site::generate(SiteSpec::preset("search").unwrap());
    let check = |word: &str, class: PageClass| {
        assert_eq!(get(&site, &format!("/search?q={word}")).class, class, "{word:?}");
    };
    check(site.search_word(40).or(site.search_word(30)).unwrap_or("the"), PageClass::List);
    check(site.search_word(1).unwrap(), PageClass::OneMatch);
    check("xqzzvw", PageClass::NoMatch);
    check("", PageClass::Error);
    check("a", PageClass::Error);
    check("%2A%2A%2A", PageClass::Error);
}

#[test]
fn a_search_finds_what_its_word_stands_in() {
    let site = Site::generate(small("search"));
    let word = site.search_word(5).unwrap();
    let page = get(&site, &format!("/search?q={word}"));
    assert!(page.text().contains("of 5 books"));
    let truth = site.page_truth(&SiteRequest::get(format!("/search?q={word}")));
    for url in truth.entities {
        assert!(get(&site, &url).text().to_lowercase().contains(word), "{url} {word}");
    }
}

#[test]
fn words_asked_for_are_decorated() {
    let site = Site::generate(SiteSpec::preset("search").unwrap());
    let page = get(&site, "/search?q=winter").text();
    assert!(page.contains("<b>Winter</b>"));
}

#[test]
fn one_match_in_three_ways() {
    for (style, status, class) in [
        (OneMatch::Redirect, 302, PageClass::Asset),
        (OneMatch::Page, 200, PageClass::OneMatch),
        (OneMatch::List, 200, PageClass::List),
    ] {
        let mut spec = small("search");
        spec.search.one_match = style;
        let site = Site::generate(spec);
        let answer = get(&site, &format!("/search?q={}", site.search_word(1).unwrap()));
        assert_eq!((answer.status, answer.class), (status, class));
    }
}

#[test]
fn a_post_search_needs_a_post() {
    let site = Site::generate(small("search-post"));
    assert_eq!(site.spec().search.form, SearchForm::Post);
    let word = site.search_word(30).or(site.search_word(20)).unwrap_or("the");
    let by_post = site.respond(&SiteRequest::post("/search", format!("query={word}")));
    assert_eq!(by_post.class, PageClass::List);
    assert_eq!(get(&site, &format!("/search?query={word}")).class, PageClass::Error);
}

#[test]
fn a_site_that_needs_keywords_has_nothing_to_browse() {
    let site = Site::generate(small("k-keyword"));
    let home = get(&site, "/").text();
    assert!(!home.contains("/recipe/") && home.contains("role=\"search\""));
    assert_eq!(get(&site, "/recipes").class, PageClass::Error);
    let found = site.page_truth(&SiteRequest::get("/search?q=chicken"));
    assert!(!found.entities.is_empty() && !found.facets.is_empty());
    assert!(found.facets.iter().all(|f| f.2.starts_with("/search?q=chicken")));
}
