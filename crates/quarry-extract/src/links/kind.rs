//! Is a page about one entity, a list of them, or something else? Decided over the pages of one site by
//! what leads where (query-centric crawling, §4.1): entity pages are what the lists lead to.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use url::Url;

use super::LinkMap;
use crate::page::template;

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

/// How alike the signatures of pages of one template are.
const LIKENESS: f64 = 0.6;

/// The kind of each page of one site.
#[must_use]
pub fn page_kinds(pages: &[SeenPage<'_>]) -> Vec<PageKind> {
    let signatures: Vec<Vec<u64>> = pages.iter().map(|page| page.map.signature.clone()).collect();
    let clusters = template::group(&signatures, LIKENESS);
    let known: BTreeMap<String, usize> = pages
        .iter()
        .enumerate()
        .filter_map(|(at, page)| Some((without_fragment(page.address?), at)))
        .collect();
    // How often the records of pages of other clusters lead to a cluster's pages, and the reverse.
    let count = clusters.iter().max().map_or(0, |most| most + 1);
    let mut led_to = vec![0usize; count];
    let mut leads = vec![0usize; count];
    let mut targets: BTreeSet<usize> = BTreeSet::new();
    for (from, page) in pages.iter().enumerate() {
        for entity in &page.map.entities {
            let Some(&to) = known.get(&entity.href) else { continue };
            if clusters[to] != clusters[from] {
                led_to[clusters[to]] += 1;
                leads[clusters[from]] += 1;
                targets.insert(to);
            }
        }
    }
    pages
        .iter()
        .enumerate()
        .map(|(at, page)| {
            kind(page, led_to[clusters[at]], leads[clusters[at]], targets.contains(&at))
        })
        .collect()
}

fn kind(page: &SeenPage<'_>, led_to: usize, leads: usize, is_target: bool) -> PageKind {
    let map = page.map;
    let is_list = !map.entities.is_empty();
    let own_shape = || {
        let (Some(address), Some(shape)) = (page.address, &map.entity_shape) else { return false };
        super::shape::UrlShape::of([address]).is_some_and(|own| own.to_string() == *shape)
    };
    if led_to > leads && (is_target || led_to > 0) {
        return PageKind::Entity;
    }
    if is_list && (leads > 0 || !own_shape()) {
        return PageKind::List;
    }
    if is_target { PageKind::Entity } else { PageKind::Other }
}

fn without_fragment(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    url.to_string()
}
