//! The links of a page in the paper's terms (§3, equation 2, and §4.1): entities E_q, queries Q_q with
//! attribute and value, and other links L_q.

use std::collections::BTreeMap;

use quarry_crawl::{Address, ShapeLimits, judge_address};
use quarry_dom::Document;
use quarry_extract::links::{KnownEntities, LinkMap, UrlShape, read_links_knowing};
use url::Url;

/// The links of a page. Addresses are normalised.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// Whether the page describes an entity itself.
    pub is_entity: bool,
    /// Address and node path of the links to entities of the answer; promotions are not among them.
    pub entities: Vec<(String, String)>,
    /// All links that do not lead to entities, each address once.
    pub links: Vec<PageLink>,
}

impl PageLinks {
    /// "A list page contains one or more links to entity pages, and it must not be an entity page
    /// itself" (§4.1).
    #[must_use]
    pub fn is_list(&self) -> bool {
        !self.is_entity && !self.entities.is_empty()
    }
}

/// A link that does not lead to an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// Where it leads.
    pub url: String,
    /// Attribute and value that it adds, where the page tells (§4.2, step 3).
    pub predicate: Option<(String, String)>,
    /// Whether it narrows, widens, orders or pages the list; if not, it is navigation of the site.
    pub is_query: bool,
}

/// Reads the pages of one site. What entity links look like is learned from the first list.
#[derive(Debug, Default)]
pub struct LinkReader {
    known: KnownEntities,
    shape: Option<UrlShape>,
}

impl LinkReader {
    /// Reads a page.
    pub fn read(&mut self, document: &Document, address: &Url) -> PageLinks {
        let map = read_links_knowing(document, address, &self.known);
        if self.shape.is_none() {
            let entities = map.entities.iter().filter_map(|link| Url::parse(&link.href).ok());
            self.shape = UrlShape::of(&entities.collect::<Vec<_>>());
            self.known.learn(address, &map);
        }
        let mut page = PageLinks { is_entity: self.is_entity(address), ..PageLinks::default() };
        let mut seen = std::collections::BTreeSet::new();
        for link in &map.entities {
            let Ok(target) = Address::normalise(&link.href) else { continue };
            let fits = Url::parse(target.as_str()).is_ok_and(|url| self.is_entity(&url));
            if fits && seen.insert(target.as_str().to_owned()) {
                page.entities.push((target.into_string(), link.path.clone()));
            }
        }
        page.links = self.others(&map, address);
        page
    }

    fn is_entity(&self, address: &Url) -> bool {
        self.shape.as_ref().is_some_and(|shape| shape.fits(address))
    }

    /// Links to pages of the same host that may be asked for.
    fn others(&self, map: &LinkMap, address: &Url) -> Vec<PageLink> {
        let limits = ShapeLimits::default();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut found: Vec<PageLink> = Vec::new();
        for (href, predicate, is_query) in all_links(map) {
            let Ok(target) = Address::normalise(href) else { continue };
            let Ok(url) = Url::parse(target.as_str()) else { continue };
            let elsewhere = url.origin() != address.origin();
            if elsewhere || self.is_entity(&url) || judge_address(&target, &limits).is_err() {
                continue;
            }
            let predicate = predicate.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let place = *places.entry(target.as_str().to_owned()).or_insert(found.len());
            if place == found.len() {
                found.push(PageLink { url: target.into_string(), predicate, is_query });
            } else {
                found[place].predicate = found[place].predicate.take().or(predicate);
                found[place].is_query |= is_query;
            }
        }
        found
    }
}

/// Every link that leads neither to an entity nor to an export: attribute and value if it stands
/// among facet values, and whether it concerns the list.
fn all_links(map: &LinkMap) -> impl Iterator<Item = (&str, Option<(&str, &str)>, bool)> {
    let groups = map.groups.iter().flat_map(|group| {
        let attribute = group.attribute.as_deref().filter(|_| group.is_facet());
        group.links.iter().map(move |link| {
            let names = !link.selected && !link.more && !link.value.is_empty();
            let attribute = attribute.filter(|_| names);
            let predicate = attribute.map(|name| (name, link.value.as_str()));
            (link.href.as_str(), predicate, group.is_facet())
        })
    });
    let paging = map.pagination.iter().map(|link| link.href.as_str());
    let views = map.sorts.iter().chain(&map.removals).map(|link| link.href.as_str());
    let sizes = map.sizes.iter().map(|link| link.href.as_str());
    groups.chain(paging.chain(views).chain(sizes).map(|href| (href, None, true)))
}
