//! Recognises the links of a list page that lead to the entities of its answer: those with the path
//! key and the address shape that the first list has shown, on a list of one entity as on a list of
//! fifty.

use std::collections::BTreeSet;

use quarry_extract::links::UrlShape;
use url::Url;

use super::facts::{ListLink, QueryFacts};

/// How links to entities are told from others.
#[derive(Debug, Default)]
pub(super) struct EntityLinks {
    path_keys: BTreeSet<u64>,
    /// Promotions have such path keys, too: only the page as a whole can tell them apart.
    shared_with_promotions: bool,
    shape: Option<UrlShape>,
    /// Addresses of this shape are lists.
    list_shape: Option<UrlShape>,
}

impl EntityLinks {
    /// Nothing is known, but that addresses of this shape are lists.
    pub(super) fn beside(list_shape: Option<UrlShape>) -> Self {
        Self { list_shape, ..Self::default() }
    }

    fn may_be_entity(&self, link: &ListLink) -> bool {
        !self.list_shape.as_ref().is_some_and(|shape| fits(shape, link))
    }

    /// Learns from a list, unless one is known.
    pub(super) fn learn(&mut self, facts: &QueryFacts) {
        if self.shape.is_some() {
            return;
        }
        let entities: Vec<&ListLink> =
            facts.entities.iter().filter(|link| self.may_be_entity(link)).collect();
        let urls: Vec<Url> =
            entities.iter().filter_map(|link| Url::parse(&link.address).ok()).collect();
        self.shape = UrlShape::of(&urls);
        self.path_keys = entities.iter().map(|link| link.path_key).collect();
        self.shared_with_promotions = !self.path_keys.is_disjoint(&facts.promoted);
    }

    /// The links of a page that lead to entities, in document order.
    pub(super) fn among<'f>(&self, facts: &'f QueryFacts) -> Vec<&'f ListLink> {
        let Some(shape) = &self.shape else {
            return facts.entities.iter().filter(|link| self.may_be_entity(link)).collect();
        };
        let by_page = || -> Vec<&ListLink> {
            facts.entities.iter().filter(|link| fits(shape, link)).collect()
        };
        let by_path = || -> Vec<&ListLink> {
            let similar = facts.links.iter().filter(|l| self.path_keys.contains(&l.path_key));
            similar.filter(|link| fits(shape, link)).collect()
        };
        let found = if self.shared_with_promotions { by_page() } else { by_path() };
        match (found.is_empty(), self.shared_with_promotions) {
            (false, _) => found,
            (true, true) => by_path(),
            (true, false) => by_page(),
        }
    }
}

fn fits(shape: &UrlShape, link: &ListLink) -> bool {
    Url::parse(&link.address).is_ok_and(|address| shape.fits(&address))
}
