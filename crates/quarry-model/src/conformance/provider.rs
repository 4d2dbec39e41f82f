//! The conformance suites of [`SearchProvider`] and [`LinkProvider`], on one small web that an implementation is given in
//! its own form: [`PAGES`] and [`LINKS`].

use crate::{LinkProvider, SearchProvider, site_of};

/// The pages that a search provider under test knows: address, and the ids that stand on it.
pub const PAGES: &[(&str, &[&str])] = &[
    ("http://shop-a.example/p/4006381333931", &["4006381333931", "XK-200B"]),
    ("http://shop-a.example/p/9780201379624", &["9780201379624"]),
    ("http://shop-b.example/item/4006381333931", &["4006381333931"]),
    ("http://www.forum.example/thread/xk-200b", &["XK-200B"]),
];

/// The links between sites that a link provider under test knows.
pub const LINKS: &[(&str, &str)] = &[
    ("hub-one.example", "shop-a.example"),
    ("hub-one.example", "shop-b.example"),
    ("hub-one.example", "shop-c.example"),
    ("hub-two.example", "shop-a.example"),
    ("blog.hub-two.example", "shop-b.example"),
    ("shop-a.example", "hub-one.example"),
];

/// Checks that a search provider over [`PAGES`] keeps its promises.
///
/// # Panics
/// At the first broken promise, with a message that names it.
pub fn check_search(provider: &mut dyn SearchProvider) {
    assert!(!provider.name().is_empty(), "a provider has a name");
    assert!(provider.batch() >= 1, "at least one query goes in a call");
    let sites = |provider: &mut dyn SearchProvider, query: &str| -> Vec<String> {
        let found = ask(provider, &[query], 100).remove(0);
        let mut sites: Vec<String> = found.iter().filter_map(|url| site_of(url)).collect();
        sites.sort();
        sites
    };
    assert_eq!(sites(provider, "4006381333931"), ["shop-a.example", "shop-b.example"], "a GTIN");
    assert_eq!(sites(provider, "9780201379624"), ["shop-a.example"], "an ISBN");
    assert_eq!(sites(provider, "0000000000017"), [""; 0], "what no page prints has no results");
    let twice = ask(provider, &["4006381333931"], 100);
    assert_eq!(twice, ask(provider, &["4006381333931"], 100), "the same query, the same answer");
    let mut distinct = twice[0].clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), twice[0].len(), "no address twice");
    assert_eq!(ask(provider, &["4006381333931"], 1)[0].len(), 1, "the limit is kept");
    let both = ask(provider, &["9780201379624", "0000000000017", "4006381333931"], 100);
    let counts: Vec<usize> = both.iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 0, 2], "answers come in the order of the queries");
    assert!(ask(provider, &[], 100).is_empty(), "no query, no answer");
}

fn ask(provider: &mut dyn SearchProvider, queries: &[&str], limit: usize) -> Vec<Vec<String>> {
    let queries: Vec<String> = queries.iter().map(|&query| query.to_owned()).collect();
    match provider.search(&queries, limit) {
        Ok(found) => found,
        Err(error) => panic!("the provider failed: {error}"),
    }
}

/// Checks that a link provider over [`LINKS`] keeps its promises.
///
/// # Panics
/// At the first broken promise, with a message that names it.
pub fn check_links(provider: &mut dyn LinkProvider) {
    assert!(!provider.name().is_empty(), "a provider has a name");
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<String>>();
    let kept = |answer: Result<Vec<Vec<String>>, crate::ProviderError>| match answer {
        Ok(lists) => lists,
        Err(error) => panic!("the provider failed: {error}"),
    };
    let sites = owned(&["shop-b.example", "unknown.example", "shop-a.example"]);
    let hubs = kept(provider.backlinks(&sites, 100));
    assert_eq!(hubs[0], ["blog.hub-two.example", "hub-one.example"], "hubs of a site, sorted");
    assert_eq!(hubs[1], [""; 0], "a site that is not known has no hubs");
    assert_eq!(hubs[2], ["hub-one.example", "hub-two.example"], "in the order of the sites");
    let to = kept(provider.forward_links(&owned(&["hub-one.example", "nobody.example"]), 100));
    assert_eq!(to[0], ["shop-a.example", "shop-b.example", "shop-c.example"], "links of a hub");
    assert_eq!(to[1], [""; 0], "a hub that is not known has no links");
    let few = kept(provider.forward_links(&owned(&["hub-one.example"]), 2));
    assert_eq!(few[0].len(), 2, "the limit is kept");
    assert!(kept(provider.backlinks(&[], 100)).is_empty(), "no site, no answer");
}
