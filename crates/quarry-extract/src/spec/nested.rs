//! Names below a heading: `Students` over `Male: 3` and `Female: 780`. The pages agree that the words before the colon are names of
//! their own: they stand on most pages that have the heading, and what follows them varies. The heading is their section.
//!
//! Where a page has the same inner name below two headings, or alone as well, the heading is a part of the name.
//!
//! `Setting` before `City: Small` here and `Suburb: Large` there is no heading: each of these words stands on some pages only.

use std::collections::{BTreeMap, BTreeSet};

use super::find::{Spec, SpecPair};
use super::runs::first_name;

/// Pages that have the heading, at least: fewer agree by chance.
const MIN_PAGES: usize = 3;
/// The share of the heading's pages that have the inner name, at least. Kinds of one value share the pages among them.
const MIN_WORD_SHARE: f64 = 0.6;
/// The share of the heading's values that begin with an inner name, at least.
const WITH_NAME: f64 = 0.8;

/// A heading over all pages.
#[derive(Default)]
struct Heading<'s> {
    pages: usize,
    values: usize,
    /// Words before the colon: pages that have them, and what follows.
    inner: BTreeMap<&'s str, (usize, BTreeSet<&'s str>)>,
}

/// Headings, each with the names below it as they are printed and as they tell their values apart.
pub(super) type Headings = BTreeMap<String, BTreeMap<String, String>>;

/// Learns the headings of a site from the pairs of its pages.
pub(super) fn learn(found: &[Vec<Spec>]) -> Headings {
    let mut headings: BTreeMap<&str, Heading<'_>> = BTreeMap::new();
    for specs in found {
        let mut of_page: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for pair in specs.iter().flat_map(|spec| &spec.pairs) {
            let inner = of_page.entry(&pair.name).or_default();
            let heading = headings.entry(&pair.name).or_default();
            heading.values += 1;
            if let Some((name, rest)) = first_name(&pair.value) {
                heading.inner.entry(name).or_default().1.insert(rest);
                inner.insert(name);
            }
        }
        for (name, inner) in of_page {
            let heading = headings.entry(name).or_default();
            heading.pages += 1;
            for name in inner {
                heading.inner.entry(name).or_default().0 += 1;
            }
        }
    }
    let with_names = headings.into_iter().filter(|(_, own)| own.pages >= MIN_PAGES);
    let below: BTreeMap<&str, BTreeSet<String>> =
        with_names.filter_map(|(name, own)| Some((name, own.names(found, name)?))).collect();
    let shared = shared(found, &below);
    let named = |heading: &str, inner: String| match shared.contains(&inner) {
        true => (inner.clone(), format!("{heading} | {inner}")),
        false => (inner.clone(), inner),
    };
    below
        .into_iter()
        .map(|(heading, inner)| {
            (heading.to_owned(), inner.into_iter().map(|inner| named(heading, inner)).collect())
        })
        .collect()
}

/// Inner names that a page has below several headings, or both below one and alone.
fn shared(found: &[Vec<Spec>], below: &BTreeMap<&str, BTreeSet<String>>) -> BTreeSet<String> {
    let mut shared = BTreeSet::new();
    for specs in found {
        let mut origins: BTreeMap<&str, &str> = BTreeMap::new();
        for pair in specs.iter().flat_map(|spec| &spec.pairs) {
            let inner = below.get(pair.name.as_str()).and_then(|names| {
                first_name(&pair.value).map(|(name, _)| name).filter(|name| names.contains(*name))
            });
            let name = inner.unwrap_or(&pair.name);
            if *origins.entry(name).or_insert(&pair.name) != pair.name {
                shared.insert(name.to_owned());
            }
        }
    }
    shared
}

impl Heading<'_> {
    /// The names below the heading, if that is what it has.
    fn names(&self, found: &[Vec<Spec>], heading: &str) -> Option<BTreeSet<String>> {
        let is_common = |pages: usize| pages as f64 >= MIN_WORD_SHARE * self.pages as f64;
        let names: BTreeSet<&str> = self
            .inner
            .iter()
            .filter(|(_, (pages, rests))| is_common(*pages) && rests.len() > 1)
            .map(|(name, _)| *name)
            .collect();
        if names.is_empty() {
            return None;
        }
        let pairs = found.iter().flatten().flat_map(|spec| &spec.pairs);
        let has_name = |pair: &&SpecPair| {
            pair.name == heading
                && first_name(&pair.value).is_some_and(|(name, _)| names.contains(name))
        };
        let with_name = pairs.filter(has_name).count();
        let is_heading = with_name as f64 >= WITH_NAME * self.values as f64;
        is_heading.then(|| names.into_iter().map(str::to_owned).collect())
    }
}

/// Gives the value of a heading the name that it begins with.
pub(super) fn rename(pair: &mut SpecPair, headings: &Headings) {
    let Some(names) = headings.get(&pair.name) else { return };
    let Some((name, rest)) = first_name(&pair.value) else { return };
    let Some(name) = names.get(name) else { return };
    let (name, rest) = (name.clone(), rest.to_owned());
    if name != pair.name {
        pair.section = Some(std::mem::replace(&mut pair.name, name));
    }
    pair.value = rest;
    pair.item = 0;
}
