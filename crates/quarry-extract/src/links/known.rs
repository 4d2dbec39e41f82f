//! Remembers what a site's entity links look like on other pages. A list of one record cannot be told from
//! other links of its page alone; the lists seen before say what entity links look like here.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{NodeId, PageIndex, key};
use serde::{Deserialize, Serialize};
use url::Url;

use super::anchor::{followable, without_fragment};
use super::shape::{Parts, UrlShape};
use super::{EntityLink, LinkMap};

/// Fewer entity links teach nothing.
const MIN_ENTITY_LINKS: usize = 3;
/// A style of links that is more than so many times rarer than the most frequent one was a mistake.
const RARE_STYLE_DIVISOR: usize = 4;

/// How the entity links of a site look, and where they lead.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct KnownEntities {
    looks: BTreeMap<u64, Look>,
}

/// What was seen of the links of one look.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Look {
    links: usize,
    /// What the addresses look like: several shapes where the links of a look lead to several kinds of entities, none once they have too
    /// little in common.
    shapes: Vec<UrlShape>,
}

impl Look {
    /// Adds a shape: joined with one that it has anything in common with, else beside the others.
    fn add(&mut self, shape: &UrlShape) {
        for own in &mut self.shapes {
            let joined = own.join(shape).filter(|joined| !joined.is_vague() || own.is_vague());
            if let Some(joined) = joined {
                *own = joined;
                return;
            }
        }
        self.shapes.push(shape.clone());
    }
}

impl KnownEntities {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing was learned yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.looks.is_empty()
    }

    /// Learns from a page with a list. Pages that list too little, and pages whose own address has the
    /// shape of the links (entities with related ones), teach nothing.
    pub fn learn(&mut self, address: &Url, map: &LinkMap) {
        let urls = map.entities.iter().filter_map(|entity| Url::parse(&entity.href).ok());
        let parts: Vec<Parts> = urls.map(|url| Parts::of(&url)).collect();
        let Some(shape) = UrlShape::of_parts(parts.iter()) else { return };
        if map.entities.len() < MIN_ENTITY_LINKS || shape.fits(address) {
            return;
        }
        self.add(map, &shape);
    }

    /// Learns from a page that is known to be a list.
    pub(super) fn learn_list(&mut self, map: &LinkMap) {
        let urls = map.entities.iter().filter_map(|entity| Url::parse(&entity.href).ok());
        let parts: Vec<Parts> = urls.map(|url| Parts::of(&url)).collect();
        if let Some(shape) = UrlShape::of_parts(parts.iter()) {
            self.add(map, &shape);
        }
    }

    fn add(&mut self, map: &LinkMap, shape: &UrlShape) {
        for &(look, links) in &map.entity_looks {
            let known = self.looks.entry(look).or_default();
            known.links += links;
            known.add(shape);
        }
    }

    /// Whether a link of this look with this address leads to an entity.
    pub(super) fn has(&self, look: u64, parts: &Parts) -> bool {
        let Some(known) = self.looks.get(&look) else { return false };
        let most = self.looks.values().map(|look| look.links).max().unwrap_or(0);
        known.links * RARE_STYLE_DIVISOR >= most
            && known.shapes.iter().any(|shape| shape.fits_parts(parts))
    }

    /// Whether the entity links of a page look as expected.
    #[must_use]
    pub fn agrees(&self, map: &LinkMap) -> bool {
        let urls = map.entities.iter().filter_map(|entity| Url::parse(&entity.href).ok());
        let parts: Vec<Parts> = urls.map(|url| Parts::of(&url)).collect();
        let fits = |look: u64| parts.first().is_some_and(|parts| self.has(look, parts));
        map.entity_looks.iter().any(|&(look, _)| fits(look))
    }

    /// Whether an address is an entity's: links of the usual looks lead there.
    #[must_use]
    pub fn leads_to(&self, address: &Url) -> bool {
        let parts = Parts::of(address);
        let is_told = |shape: &UrlShape| !shape.is_vague() && shape.fits_parts(&parts);
        let mut told = self.looks.iter().filter(|(_, look)| look.shapes.iter().any(is_told));
        told.any(|(&look, _)| self.has(look, &parts))
    }

    /// The shape of the entity links of a look.
    pub(super) fn shape(&self, look: u64) -> Option<&UrlShape> {
        self.looks.get(&look)?.shapes.first()
    }
}

/// An entity that a list links to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedEntity {
    /// Where the link leads.
    pub(crate) href: String,
    /// The text of the link.
    pub(crate) text: String,
    /// The link.
    pub(crate) node: NodeId,
}

impl From<&EntityLink> for ListedEntity {
    fn from(link: &EntityLink) -> Self {
        Self { href: link.href.clone(), text: link.text.clone(), node: link.node }
    }
}

/// The entities of a list by what is known of the site alone: what [`super::read_links_knowing`] finds where any link is
/// known, without a look at the rest of the page. Empty where none is.
pub(crate) fn known_entities(
    index: &PageIndex<'_>,
    address: &Url,
    known: &KnownEntities,
) -> Vec<ListedEntity> {
    let document = index.document;
    let page = without_fragment(address);
    let mut chains = StyleChains::new(index);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut found = Vec::new();
    for (link, _) in followable(document, &page) {
        let style = chains.of(link.node);
        if known.looks.contains_key(&style)
            && link.url != page
            && known.has(style, &Parts::of(&link.url))
            && seen.insert(link.url.to_string())
        {
            let text = document.link_text(link.node).into_owned();
            found.push(ListedEntity { href: link.url.into(), text, node: link.node });
        }
    }
    found
}

/// The names, classes and ids of elements and of all elements around them, as one hash each.
pub(super) struct StyleChains<'a> {
    index: &'a PageIndex<'a>,
    /// By node; 0 where it is not known yet.
    known: Vec<u64>,
    path: Vec<NodeId>,
}

impl<'a> StyleChains<'a> {
    pub(super) fn new(index: &'a PageIndex<'a>) -> Self {
        Self { index, known: vec![0; index.document.len()], path: Vec::new() }
    }

    pub(super) fn of(&mut self, element: NodeId) -> u64 {
        let document = self.index.document;
        let mut all = 0;
        for node in std::iter::once(element).chain(document.ancestors(element)) {
            all = self.known[node.index()];
            if all != 0 {
                break;
            }
            self.path.push(node);
        }
        let has_digit = |name: &str| name.bytes().any(|byte| byte.is_ascii_digit());
        while let Some(node) = self.path.pop() {
            let id = document.id(node).filter(|id| !has_digit(id));
            let classes = document.classes(node).filter(|class| !has_digit(class));
            let classes = key::of_set(classes.map(key::of));
            let name = key::then(key::of(document.tag_name(node)), classes);
            all = key::then(key::then(all, name), id.map_or(0, key::of));
            self.known[node.index()] = all;
        }
        all
    }
}
