//! What the index walk reads from a page: its links in collections, the next page, the site's search,
//! and whether it shows a price.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, NodeId};
use quarry_extract::forms::Submission;
use quarry_extract::links::{LinkMap, read_links};
use quarry_model::Request;
use quarry_value as value;
use url::Url;

use super::super::ParsedPage;
use super::super::query::LinkRules;
use crate::Address;

/// Bytes of the longest text that may be a price.
const MAX_PRICE_BYTES: usize = 24;

/// Links that share an XPath (DEXTER §3.2.2) and a kind of address.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Links {
    pub(super) key: Key,
    /// They stand in the records of the page's list.
    pub(super) in_list: bool,
    /// How much they look like values that narrow the page's own list, from 0 to 1.
    pub(super) facet: f64,
    pub(super) links: Vec<Link>,
}

/// Where links stand, and what their addresses have in common: the same on every page of a template.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The path without indices.
    pub(super) path: String,
    /// Number of segments, the first of several, names of parameters.
    pub(super) address: String,
}

/// A link that may be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// Normalised.
    pub(super) address: String,
    pub(super) text: String,
}

/// What the index walk reads from a page.
#[derive(Debug, Default)]
pub(crate) struct IndexFacts {
    /// Everything the page leads to; addresses normalised.
    pub(super) map: LinkMap,
    /// What may be followed, in document order of the first link of each.
    pub(super) collections: Vec<Links>,
    pub(super) next: Option<Request>,
    pub(super) search: Option<Submission>,
    /// Some text is a price.
    pub(super) has_price: bool,
}

impl IndexFacts {
    pub(in crate::strategy) fn of(page: &ParsedPage<'_>) -> Self {
        let Ok(address) = Url::parse(page.address.as_str()) else { return Self::default() };
        let mut map = read_links(page.document, &address);
        let rules = LinkRules { judge: page.judge, address: &address };
        let (next, search) = (rules.next(&map), rules.search(&map));
        for link in map.entities.iter_mut().chain(&mut map.promoted) {
            link.href = normal(&link.href);
        }
        let allows = |url: &str| rules.allows(&Request::get(url));
        let collections = collections(&map, &allows);
        let has_price = has_price(page.document);
        Self { map, collections, next, search, has_price }
    }

    /// All links, in the order of their collections.
    pub(super) fn links(&self) -> impl Iterator<Item = &Link> {
        self.collections.iter().flat_map(|links| &links.links)
    }
}

fn normal(href: &str) -> String {
    Address::normalise(href).map_or_else(|_| href.to_owned(), Address::into_string)
}

/// Records first, then promotions, then all other groups.
fn collections(map: &LinkMap, allows: &dyn Fn(&str) -> bool) -> Vec<Links> {
    let mut found: Vec<Links> = Vec::new();
    let mut places: BTreeMap<(Key, bool), usize> = BTreeMap::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut put = |path: String, in_list: bool, facet: f64, href: &str, text: &str| {
        let address = normal(href);
        let Ok(url) = Url::parse(&address) else { return };
        if !seen.insert(address.clone()) || !allows(&address) {
            return;
        }
        let key = Key { path, address: kind_of(&url) };
        let link = Link { address, text: text.to_owned() };
        let at = *places.entry((key.clone(), in_list)).or_insert(found.len());
        if at == found.len() {
            found.push(Links { key, in_list, facet, links: Vec::new() });
        }
        found[at].links.push(link);
    };
    for (entities, in_list) in [(&map.entities, true), (&map.promoted, false)] {
        for link in entities {
            put(without_indices(&link.path), in_list, 0.0, &link.href, &link.text);
        }
    }
    for group in &map.groups {
        for link in group.links.iter().filter(|link| !link.selected) {
            put(group.path.clone(), false, group.facet_score, &link.href, &link.value);
        }
    }
    found
}

/// `/html/body/ul/li[3]/a` as `/html/body/ul/li/a`.
fn without_indices(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for part in path.split('[') {
        out.push_str(part.split_once(']').map_or(part, |(_, rest)| rest));
    }
    out
}

/// What addresses of one kind have in common.
pub(super) fn kind_of(url: &Url) -> String {
    let segments: Vec<&str> =
        url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let first = segments.first().filter(|_| segments.len() > 1).copied().unwrap_or_default();
    let names: BTreeSet<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    let names: Vec<String> = names.into_iter().collect();
    let host = url.host_str().unwrap_or_default();
    format!("{host}/{first}/{}?{}", segments.len(), names.join("&"))
}

fn has_price(document: &Document) -> bool {
    document.all().any(|node: NodeId| {
        let text = document.text(node).trim();
        !text.is_empty()
            && text.len() <= MAX_PRICE_BYTES
            && value::kind(text) == value::ValueKind::Price
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_their_indices() {
        assert_eq!(without_indices("/html/body/ul[2]/li[13]/a"), "/html/body/ul/li/a");
        assert_eq!(without_indices("/html/body"), "/html/body");
    }

    #[test]
    fn kinds_of_addresses() {
        let kind = |url: &str| kind_of(&Url::parse(url).unwrap());
        assert_eq!(kind("https://a.example/product/7"), kind("https://a.example/product/8"));
        assert_ne!(kind("https://a.example/product/7"), kind("https://a.example/category/7"));
        assert_eq!(kind("https://a.example/about"), kind("https://a.example/help"));
        assert_ne!(kind("https://a.example/list"), kind("https://a.example/list?page=2"));
    }
}
