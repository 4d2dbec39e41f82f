//! Which kinds of entities does a site have? Pages of one kind have addresses of one shape and one template: films and people.
//!
//! Addresses only say what may be a kind. Groups of pages with other addresses but the same structure and the same printed
//! names are one kind. See `docs/algorithms/harvest.md`.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, Tag, fold_whitespace};
use url::Url;

use super::SitePage;
use crate::links::{LinkMap, PageKind, UrlShape};
use crate::page::hash;
use crate::parallel;

/// Fewer pages or links show no kind of their own.
const MIN_MEMBERS: usize = 3;
/// A part of addresses with at most one value for so many pages may tell kinds apart.
const PAGES_PER_VALUE: usize = 3;
/// Pages of a group that are compared with those of others.
const COMPARED: usize = 24;
/// The share of a group's pages that have what is typical of it.
const TYPICAL: f64 = 0.6;
/// The share of typical structure that pages of one kind have in common: Jaccard.
const SAME_STRUCTURE: f64 = 0.5;
/// The share of typical texts that pages of one kind have in common. Products of two categories have some names of their own.
const SAME_TEXTS: f64 = 0.2;
/// Fewer typical texts do not tell groups apart.
const MIN_TEXTS: usize = 2;
/// Longer texts are content.
const MAX_TEXT_CHARS: usize = 40;

/// The pages and addresses of one kind of entities.
#[derive(Debug, Default)]
pub(super) struct KindMembers {
    /// What the addresses look like; none where they have nothing in common.
    pub(super) shapes: Vec<UrlShape>,
    /// Positions of its pages.
    pub(super) pages: Vec<usize>,
    /// Addresses that lists lead to.
    pub(super) links: BTreeSet<Url>,
}

/// The kinds of entities, the one with most pages first.
pub(super) fn kinds_of(
    pages: &[SitePage<'_>],
    maps: &[LinkMap],
    kinds: &[PageKind],
    are_details: bool,
) -> Vec<KindMembers> {
    let is_entity = |at: usize| are_details || kinds[at] == PageKind::Entity;
    let entity_pages: Vec<usize> = (0..pages.len()).filter(|&at| is_entity(at)).collect();
    let lists: BTreeSet<&str> = (0..pages.len())
        .filter(|&at| !is_entity(at) && kinds[at] == PageKind::List)
        .map(|at| pages[at].address.as_str())
        .collect();
    let linked = maps.iter().enumerate().filter(|(at, _)| !is_entity(*at) && !are_details);
    let links: BTreeSet<Url> = linked
        .flat_map(|(_, map)| &map.entities)
        .filter(|link| !lists.contains(link.href.as_str()))
        .filter_map(|link| Url::parse(&link.href).ok())
        .collect();
    let mut groups = grouped(pages, &entity_pages, links);
    // What few pages have is no kind; nor is what only lists mention, beside kinds that pages describe.
    let has_pages = groups.iter().any(|group| group.pages.len() >= MIN_MEMBERS);
    groups.retain(|group| match has_pages {
        true => group.pages.len() >= MIN_MEMBERS,
        false => group.links.len() >= MIN_MEMBERS,
    });
    if groups.is_empty() && !entity_pages.is_empty() {
        // Too few pages to tell kinds apart: all are of one.
        return vec![KindMembers { pages: entity_pages, ..KindMembers::default() }];
    }
    if !has_pages {
        groups.sort_by_key(|group| std::cmp::Reverse(group.links.len()));
        groups.truncate(1);
        return groups;
    }
    let others: Vec<usize> = (0..pages.len()).filter(|&at| !is_entity(at)).collect();
    let boilerplate = Typical::of(pages, maps, &others);
    let typical: Vec<Typical> = parallel::map(&groups, |group| {
        Typical::of(pages, maps, &group.pages).without(&boilerplate)
    });
    // The largest first: it stands for its kind.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(groups[at].pages.len()), at));
    let mut found: Vec<(usize, KindMembers)> = Vec::new();
    for at in order {
        let group = std::mem::take(&mut groups[at]);
        let same = found.iter_mut().find(|(first, _)| typical[*first].is_like(&typical[at]));
        match same {
            Some((_, kind)) => kind.add(group),
            None => found.push((at, group)),
        }
    }
    let mut found: Vec<KindMembers> = found.into_iter().map(|(_, kind)| kind).collect();
    found.sort_by_key(|kind| std::cmp::Reverse(kind.pages.len()));
    let joined: Vec<Option<UrlShape>> = found.iter().map(|kind| kind.joined(pages)).collect();
    for (at, shape) in joined.into_iter().enumerate() {
        let others = || found.iter().enumerate().filter(|(other, _)| *other != at);
        let is_own = |shape: &UrlShape| {
            others().all(|(_, kind)| !kind.pages.iter().any(|&p| shape.fits(pages[p].address)))
        };
        if let Some(shape) = shape.filter(is_own) {
            found[at].shapes = vec![shape];
        }
    }
    found
}

/// What the addresses of lists look like that other lists lead to.
pub(super) fn listed_lists(
    pages: &[SitePage<'_>],
    maps: &[LinkMap],
    kinds: &[PageKind],
) -> Vec<UrlShape> {
    let is_list = |at: &usize| kinds[*at] == PageKind::List;
    let lists: BTreeSet<&str> =
        (0..pages.len()).filter(is_list).map(|at| pages[at].address.as_str()).collect();
    let links = maps.iter().flat_map(|map| &map.entities);
    let listed: BTreeSet<Url> = links
        .filter(|link| lists.contains(link.href.as_str()))
        .filter_map(|link| Url::parse(&link.href).ok())
        .collect();
    let groups = grouped(pages, &[], listed);
    let shapes = groups.into_iter().filter(|group| group.links.len() >= MIN_MEMBERS);
    shapes.flat_map(|group| group.shapes).filter(|shape| !shape.is_vague()).collect()
}

impl KindMembers {
    fn add(&mut self, other: Self) {
        self.shapes.extend(other.shapes);
        self.pages.extend(other.pages);
        self.links.extend(other.links);
        self.pages.sort_unstable();
    }

    /// The shape of all its addresses, if they have anything in common.
    fn joined(&self, pages: &[SitePage<'_>]) -> Option<UrlShape> {
        let own = self.pages.iter().map(|&at| pages[at].address);
        UrlShape::of(own.chain(&self.links)).filter(|shape| !shape.is_vague())
    }
}

/// Pages and links by what their addresses have in common: host, number of parts, names of parameters, and parts with few values.
fn grouped(
    pages: &[SitePage<'_>],
    entity_pages: &[usize],
    links: BTreeSet<Url>,
) -> Vec<KindMembers> {
    let mut coarse: BTreeMap<String, (Vec<usize>, Vec<Url>)> = BTreeMap::new();
    for &at in entity_pages {
        coarse.entry(coarse_key(pages[at].address)).or_default().0.push(at);
    }
    for link in links {
        coarse.entry(coarse_key(&link)).or_default().1.push(link);
    }
    let mut groups = Vec::new();
    for (members, links) in coarse.into_values() {
        let addresses = || members.iter().map(|&at| pages[at].address).chain(&links);
        let all: BTreeSet<&Url> = addresses().collect();
        let parts = all.iter().map(|url| segments(url).len()).max().unwrap_or(0);
        let values = |place: usize| -> BTreeSet<&str> {
            all.iter().map(|url| segments(url)[place]).collect()
        };
        // A number stands for any number: the days in the addresses of a blog are no kinds.
        let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        let telling: Vec<usize> = (0..parts)
            .filter(|&place| {
                let values = values(place);
                values.len() * PAGES_PER_VALUE <= all.len() && !values.iter().all(is_number)
            })
            .collect();
        let key = |url: &Url| -> Vec<String> {
            let own = segments(url);
            telling.iter().map(|&place| own[place].to_owned()).collect()
        };
        let mut fine: BTreeMap<Vec<String>, KindMembers> = BTreeMap::new();
        for &at in &members {
            fine.entry(key(pages[at].address)).or_default().pages.push(at);
        }
        for link in &links {
            fine.entry(key(link)).or_default().links.insert(link.clone());
        }
        for mut group in fine.into_values() {
            let own = group.pages.iter().map(|&at| pages[at].address);
            group.shapes = UrlShape::of(own.chain(&group.links)).into_iter().collect();
            groups.push(group);
        }
    }
    groups
}

fn segments(url: &Url) -> Vec<&str> {
    url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).collect()
}

fn coarse_key(url: &Url) -> String {
    let mut names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    names.sort_unstable();
    names.dedup();
    format!("{}/{}?{}", url.host_str().unwrap_or_default(), segments(url).len(), names.join("&"))
}

/// What most pages of a group have.
struct Typical {
    structure: BTreeSet<u64>,
    texts: BTreeSet<u64>,
}

impl Typical {
    fn of(pages: &[SitePage<'_>], maps: &[LinkMap], members: &[usize]) -> Self {
        let step = members.len().div_ceil(COMPARED).max(1);
        let some: Vec<usize> = members.iter().copied().step_by(step).collect();
        let texts: Vec<BTreeSet<u64>> =
            some.iter().map(|&at| short_texts(pages[at].document)).collect();
        let structure = some.iter().map(|&at| maps[at].signature.iter().copied());
        Self {
            structure: frequent(structure, some.len()),
            texts: frequent(texts.into_iter().map(BTreeSet::into_iter), some.len()),
        }
    }

    fn without(mut self, boilerplate: &Self) -> Self {
        self.structure.retain(|own| !boilerplate.structure.contains(own));
        self.texts.retain(|own| !boilerplate.texts.contains(own));
        self
    }

    /// Whether groups of pages are of one kind. Texts tell groups of one structure apart: what pages print before their values.
    fn is_like(&self, other: &Self) -> bool {
        let is_known = self.texts.len() >= MIN_TEXTS && other.texts.len() >= MIN_TEXTS;
        let same_texts = !is_known || jaccard(&self.texts, &other.texts) >= SAME_TEXTS;
        same_texts && jaccard(&self.structure, &other.structure) >= SAME_STRUCTURE
    }
}

fn frequent(all: impl Iterator<Item = impl Iterator<Item = u64>>, pages: usize) -> BTreeSet<u64> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for own in all {
        let own: BTreeSet<u64> = own.collect();
        own.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
    }
    let enough = (TYPICAL * pages as f64).max(1.0);
    counts.into_iter().filter(|(_, n)| *n as f64 >= enough).map(|(key, _)| key).collect()
}

/// Of two empty sets all is common.
fn jaccard(one: &BTreeSet<u64>, other: &BTreeSet<u64>) -> f64 {
    let both = one.intersection(other).count();
    let either = one.len() + other.len() - both;
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

fn short_texts(document: &Document) -> BTreeSet<u64> {
    let mut texts = BTreeSet::new();
    for node in document.all().filter(|&node| document.is_text(node)) {
        let text = fold_whitespace(document.text(node));
        let text = text.trim();
        let is_short = !text.is_empty() && text.chars().count() <= MAX_TEXT_CHARS;
        // Links lead to other things; what names a value is seldom one.
        let is_linked = || document.ancestors(node).take(3).any(|up| document.is(up, Tag::A));
        let has_letters = text.chars().any(char::is_alphabetic);
        if is_short && has_letters && !document.is_hidden(node) && !is_linked() {
            texts.insert(hash::of(text));
        }
    }
    texts
}
