//! What a crawl by queries has found out about pages goes before what links look like: which addresses are entities, and which
//! pages are lists of them. A menu on every page looks like a list of entities, and is none.

use std::collections::BTreeMap;

use quarry_dom::{Document, PageIndex};
use rayon::prelude::*;
use url::Url;

use super::anchor::{followable, without_fragment};
use super::known::StyleChains;
use super::{EntityLink, KnownEntities, LinkMap, PageKind};

/// Whether an address is known to be an entity or a list.
pub type KnownKinds<'a> = &'a (dyn Fn(&Url) -> Option<PageKind> + Sync);

/// Corrects the entity links of pages that are known to be lists, where most of what was taken for entities is known to be
/// something else. Where that holds for most lists, entity links are learned anew.
pub(crate) fn correct_by_crawl(
    pages: &[(&Document, &Url)],
    maps: &mut [LinkMap],
    learned: KnownEntities,
    kinds: KnownKinds<'_>,
) -> KnownEntities {
    let is_list = |address: &Url| kinds(address) == Some(PageKind::List);
    let is_wrong = |map: &LinkMap| {
        let hrefs = map.entities.iter().filter_map(|entity| Url::parse(&entity.href).ok());
        2 * hrefs.filter(|url| kinds(url) == Some(PageKind::Entity)).count() <= map.entities.len()
    };
    let lists = pages.iter().filter(|(_, address)| is_list(address)).count();
    let wrong: Vec<bool> = pages
        .par_iter()
        .zip(&*maps)
        .map(|((_, address), map)| is_list(address) && is_wrong(map))
        .collect();
    if 2 * wrong.iter().filter(|wrong| **wrong).count() <= lists {
        return learned;
    }
    maps.par_iter_mut().zip(pages).for_each(|(map, (document, address))| {
        if is_list(address) {
            take_known(map, document, address, kinds);
        }
    });
    let mut known = KnownEntities::new();
    for ((_, address), map) in pages.iter().zip(&*maps) {
        if is_list(address) {
            known.learn_list(map);
        }
    }
    if known.is_empty() { learned } else { known }
}

/// Takes the links of a list that lead to known entities for its entity links: of each entity the first with a text.
fn take_known(map: &mut LinkMap, document: &Document, address: &Url, kinds: KnownKinds<'_>) {
    let index = PageIndex::new(document);
    let mut chains = StyleChains::new(&index);
    let xpaths = document.xpaths();
    let mut first: BTreeMap<String, (EntityLink, u64)> = BTreeMap::new();
    let page = without_fragment(address);
    for (link, _) in followable(document, &page) {
        if link.url == page || kinds(&link.url) != Some(PageKind::Entity) {
            continue;
        }
        let text = document.link_text(link.node).into_owned();
        let href = String::from(link.url);
        if first.get(&href).is_none_or(|(known, _)| known.text.is_empty() && !text.is_empty()) {
            let (path, node) = (xpaths.xpath(link.node), link.node);
            let entity = EntityLink { href: href.clone(), text, path, node };
            first.insert(href, (entity, chains.of(node)));
        }
    }
    if first.is_empty() {
        return;
    }
    let mut links: Vec<(EntityLink, u64)> = first.into_values().collect();
    links.sort_by_key(|(link, _)| link.node);
    let mut looks: BTreeMap<u64, usize> = BTreeMap::new();
    links.iter().for_each(|(_, look)| *looks.entry(*look).or_default() += 1);
    map.entity_looks = looks.into_iter().collect();
    map.entities = links.into_iter().map(|(link, _)| link).collect();
}
