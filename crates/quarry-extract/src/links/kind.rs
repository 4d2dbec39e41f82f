//! Decides whether a page is about one entity, a list of them, or something else, over the pages of one site by
//! what leads where (query-centric crawling, §4.1): entity pages are what the records of lists lead to,
//! and what a page that is itself led to shows of the same kind is only related.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use url::Url;

use super::LinkMap;
use super::shape::{Parts, UrlShape};

/// Kinds of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// Describes one entity.
    Entity,
    /// Links to entities and describes none.
    List,
    /// Everything else.
    Other,
}

impl PageKind {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::List => "list",
            Self::Other => "other",
        }
    }
}

/// A page of the site.
#[derive(Debug, Clone, Copy)]
pub struct SeenPage<'a> {
    /// Where it came from, if that is known.
    pub address: Option<&'a Url>,
    /// Its links.
    pub map: &'a LinkMap,
}

/// Entity links of one kind of address, over all pages of the site.
struct Kind {
    shape: UrlShape,
    /// The addresses that records lead to.
    hrefs: BTreeSet<String>,
    /// Pages that fit the shape and list entities of another kind: it is a kind of lists.
    lists: usize,
    /// Pages that fit the shape and do not.
    leaves: usize,
}

/// The kind of each page of one site.
#[must_use]
pub fn page_kinds(pages: &[SeenPage<'_>]) -> Vec<PageKind> {
    let own: Vec<Option<Parts>> = pages.iter().map(|page| page.address.map(Parts::of)).collect();
    let mut kinds = entity_kinds(pages, &own);
    let lists_of: Vec<Option<usize>> =
        pages.iter().map(|page| main_kind(&kinds, page.map)).collect();
    let fits_of: Vec<Option<usize>> = pages
        .iter()
        .zip(&own)
        .map(|(page, own)| fitting(&kinds, page.address, own.as_ref()?))
        .collect();
    for ((page, fits), lists) in pages.iter().zip(&fits_of).zip(&lists_of) {
        let Some(fits) = *fits else { continue };
        let foreign = lists.is_some_and(|lists| lists != fits);
        if foreign && page.map.entities.len() > 1 && lists_something(page.map) {
            kinds[fits].lists += 1;
        } else {
            kinds[fits].leaves += 1;
        }
    }
    let is_entities = |kind: usize| kinds[kind].lists <= kinds[kind].leaves;
    let judge = |at: usize| {
        let map = pages[at].map;
        if fits_of[at].is_some_and(is_entities) {
            return PageKind::Entity;
        }
        match lists_of[at] {
            Some(kind) if is_entities(kind) => PageKind::List,
            // No entity was told from the rest, but all else that lists have is there.
            None if lists_something(map) && (map.facets().count() > 1 || map.shown.is_some()) => {
                PageKind::List
            }
            _ => PageKind::Other,
        }
    };
    (0..pages.len()).map(judge).collect()
}

/// Whether there is more to a page than links: paging, facets, orders, a number of results.
fn lists_something(map: &LinkMap) -> bool {
    !map.pagination.is_empty()
        || !map.sorts.is_empty()
        || map.shown.is_some()
        || map.facets().next().is_some()
        || map.entities.len() >= 5
}

/// The kinds of addresses that records lead to: same host, number of segments and parameters. Links
/// of a page to others of its own kind do not count, they are related entities.
fn entity_kinds(pages: &[SeenPage<'_>], own: &[Option<Parts>]) -> Vec<Kind> {
    let mut groups: BTreeMap<String, (Vec<Parts>, BTreeSet<String>)> = BTreeMap::new();
    for (page, own) in pages.iter().zip(own) {
        let urls = page.map.entities.iter().filter_map(|entity| Url::parse(&entity.href).ok());
        let parts: Vec<Parts> = urls.map(|url| Parts::of(&url)).collect();
        let Some(shape) = UrlShape::of_parts(parts.iter()) else { continue };
        let related = own
            .as_ref()
            .is_some_and(|own| shape.fits_parts(own) && (!shape.is_vague() || parts.len() < 5));
        if related {
            continue;
        }
        for (parts, entity) in parts.into_iter().zip(&page.map.entities) {
            let group = groups.entry(group_key(&parts)).or_default();
            if group.1.insert(entity.href.clone()) {
                group.0.push(parts);
            }
        }
    }
    let kinds = groups.into_values().filter_map(|(parts, hrefs)| {
        let shape = UrlShape::of_parts(parts.iter())?;
        Some(Kind { shape, hrefs, lists: 0, leaves: 0 })
    });
    let mut kinds: Vec<Kind> = kinds.collect();
    // A kind that few links have beside others with many is a mistake of one page.
    let most = kinds.iter().map(|kind| kind.hrefs.len()).max().unwrap_or(0);
    kinds.retain(|kind| kind.hrefs.len() * RARE_KIND_DIVISOR >= most);
    kinds
}

/// A kind that is more than so many times rarer than the most frequent one was a mistake.
const RARE_KIND_DIVISOR: usize = 20;

/// What addresses of one kind have in common: host, number of segments, the first of several, names of
/// parameters.
fn group_key(parts: &Parts) -> String {
    let first = parts.segments.first().filter(|_| parts.segments.len() > 1);
    let mut names: Vec<&str> = parts.params.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let (count, first) = (parts.segments.len(), first.map_or("", String::as_str));
    format!("{}/{count}/{first}?{}", parts.origin, names.join("&"))
}

/// The kind of most of the entity links of a page.
fn main_kind(kinds: &[Kind], map: &LinkMap) -> Option<usize> {
    let count = |kind: &Kind| map.entities.iter().filter(|e| kind.hrefs.contains(&e.href)).count();
    let best = (0..kinds.len()).map(|at| (count(&kinds[at]), at));
    let best = best.max_by_key(|&(count, at)| (count, std::cmp::Reverse(at)))?;
    (best.0 * 2 > map.entities.len()).then_some(best.1)
}

/// The kind that a page's own address is of.
fn fitting(kinds: &[Kind], address: Option<&Url>, own: &Parts) -> Option<usize> {
    let mut href = address?.clone();
    href.set_fragment(None);
    let known = kinds.iter().position(|kind| kind.hrefs.contains(href.as_str()));
    known.or_else(|| {
        kinds.iter().position(|kind| !kind.shape.is_vague() && kind.shape.fits_parts(own))
    })
}
