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
        // Where promotions stand at such places, too, only the page as a whole can tell.
        self.places = entities.iter().map(|entity| entity.place).collect();
        if !self.places.is_disjoint(&sight.promoted) {
            self.places.clear();
        }
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
        let found: Vec<&SeenEntity> = sight.links.iter().filter(at_place).collect();
        if !found.is_empty() {
            return found;
        }
        sight.entities.iter().filter(fits).collect()
    }
}
