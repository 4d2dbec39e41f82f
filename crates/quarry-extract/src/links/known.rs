//! What is known of a site's entity links from other pages? A list of one record cannot be told from
//! other links of its page alone; the lists seen before say what entity links look like here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use url::Url;

use super::LinkMap;
use super::shape::{Parts, UrlShape};

/// Fewer entity links teach nothing.
const ENOUGH: usize = 3;
/// A look with less than this share of the links of the most frequent one was a mistake.
const SHARE: usize = 4;

/// How the entity links of a site look, and where they lead.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct KnownEntities {
    looks: BTreeMap<u64, Look>,
}

/// What was seen of the links of one look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Look {
    links: usize,
    /// `None` once the addresses have too little in common.
    shape: Option<UrlShape>,
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
        if map.entities.len() < ENOUGH || shape.fits(address) {
            return;
        }
        for &(look, links) in &map.entity_looks {
            let known =
                self.looks.entry(look).or_insert(Look { links: 0, shape: Some(shape.clone()) });
            known.links += links;
            known.shape = known.shape.take().and_then(|known| known.join(&shape));
        }
    }

    /// Whether a link of this look with this address leads to an entity.
    pub(super) fn has(&self, look: u64, parts: &Parts) -> bool {
        let Some(known) = self.looks.get(&look) else { return false };
        let most = self.looks.values().map(|look| look.links).max().unwrap_or(0);
        known.links * SHARE >= most && known.shape.as_ref().is_some_and(|s| s.fits_parts(parts))
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
        let mut shaped =
            self.looks.iter().filter(|(_, l)| l.shape.as_ref().is_some_and(|s| !s.is_vague()));
        shaped.any(|(&look, _)| self.has(look, &parts))
    }

    /// The shape of the entity links of a look.
    pub(super) fn shape(&self, look: u64) -> Option<&UrlShape> {
        self.looks.get(&look)?.shape.as_ref()
    }
}
