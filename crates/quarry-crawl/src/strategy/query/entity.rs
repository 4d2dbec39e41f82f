//! Which links of a page lead to the entities of its answer? Those at the places, and with the shape of
//! address, that the first list has shown: the same on a list of one as on a list of fifty.

use std::collections::BTreeSet;

use quarry_extract::links::UrlShape;
use url::Url;

use super::sight::{SeenEntity, Sight};

/// How links to entities are told from others.
#[derive(Debug, Default)]
pub(super) struct EntityLinks {
    places: BTreeSet<u64>,
    /// Promotions stand at such places, too: only the page as a whole can tell them apart.
    shared: bool,
    shape: Option<UrlShape>,
    /// Addresses of this shape are lists.
    lists: Option<UrlShape>,
}

impl EntityLinks {
    /// Nothing is known, but that addresses of this shape are lists.
    pub(super) fn beside(lists: Option<UrlShape>) -> Self {
        Self { lists, ..Self::default() }
    }

    /// Whether an address may be an entity's.
    fn may_be(&self, entity: &SeenEntity) -> bool {
        let Some(lists) = &self.lists else { return true };
        !Url::parse(&entity.address).is_ok_and(|address| lists.fits(&address))
    }

    /// Learns from a list, unless one is known.
    pub(super) fn learn(&mut self, sight: &Sight) {
        if self.shape.is_some() {
            return;
        }
        let entities: Vec<&SeenEntity> =
            sight.entities.iter().filter(|entity| self.may_be(entity)).collect();
        let urls: Vec<Url> =
            entities.iter().filter_map(|entity| Url::parse(&entity.address).ok()).collect();
        self.shape = UrlShape::of(&urls);
        self.places = entities.iter().map(|entity| entity.place).collect();
        self.shared = !self.places.is_disjoint(&sight.promoted);
    }

    /// The entities of a page, in document order.
    pub(super) fn among<'s>(&self, sight: &'s Sight) -> Vec<&'s SeenEntity> {
        let Some(shape) = &self.shape else {
            return sight.entities.iter().filter(|entity| self.may_be(entity)).collect();
        };
        let fits = |entity: &&SeenEntity| {
            Url::parse(&entity.address).is_ok_and(|address| shape.fits(&address))
        };
        let at_place = |entity: &&SeenEntity| self.places.contains(&entity.place) && fits(entity);
        let by_page = || sight.entities.iter().filter(fits).collect::<Vec<_>>();
        let by_place = || sight.links.iter().filter(at_place).collect::<Vec<_>>();
        let found = if self.shared { by_page() } else { by_place() };
        match (found.is_empty(), self.shared) {
            (false, _) => found,
            (true, true) => by_place(),
            (true, false) => by_page(),
        }
    }
}
