//! What do the links of a collection lead to? Links that share an XPath lead to pages of one kind, so
//! that a few of them tell what all are (DEXTER §3.2.2).

use std::collections::{BTreeMap, BTreeSet};

use super::sight::{Key, Link};

/// What a page turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// About one product.
    Target,
    /// Lists products.
    Index {
        /// Some of them had not been met before.
        fresh: bool,
    },
    /// Lists nothing, but has links that no page before had.
    Hub,
    /// Leads nowhere.
    Leaf,
    /// Did not come.
    Missing,
}

/// What the links of a collection lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Verdict {
    #[default]
    Unknown,
    /// To products.
    Targets,
    /// To pages that list products, or lead to such pages.
    Indexes,
    /// To nothing of use.
    Nothing,
}

/// Where the links of a collection were met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// In the records of a list: products, or categories on a page that lists them.
    Records,
    /// On a home page, an entry page or a hub: ways to categories.
    Ways,
    /// Beside a list: facets or subcategories. Looked at when nothing else is left.
    Beside,
}

/// The links of all pages at one kind of place.
#[derive(Debug)]
pub(super) struct Collection {
    pub(super) key: Key,
    pub(super) place: Place,
    pub(super) verdict: Verdict,
    /// The collection whose page showed it first.
    pub(super) parent: Option<usize>,
    /// How far from the root, counted in collections.
    pub(super) level: u32,
    /// In the order in which they were met.
    pub(super) links: Vec<Link>,
    known: BTreeSet<String>,
    /// Members before this one were asked or need not be.
    pub(super) followed: usize,
    /// Index pages in a row that brought nothing new.
    pub(super) barren: u32,
}

/// All collections of a site.
#[derive(Debug, Default)]
pub(super) struct Collections {
    pub(super) list: Vec<Collection>,
    keys: BTreeMap<(Key, Place), usize>,
}

impl Collections {
    /// The collection at a place; new if it was not met before.
    pub(super) fn at(
        &mut self,
        key: &Key,
        place: Place,
        parent: Option<usize>,
        level: u32,
    ) -> usize {
        let at = *self.keys.entry((key.clone(), place)).or_insert(self.list.len());
        if at == self.list.len() {
            self.list.push(Collection {
                key: key.clone(),
                place,
                verdict: Verdict::Unknown,
                parent,
                level,
                links: Vec::new(),
                known: BTreeSet::new(),
                followed: 0,
                barren: 0,
            });
        }
        let collection = &mut self.list[at];
        collection.level = collection.level.min(level);
        at
    }

    /// Whether records at this place lead to targets.
    pub(super) fn leads_to_targets(&self, key: &Key) -> bool {
        let at = self.keys.get(&(key.clone(), Place::Records));
        at.is_some_and(|&at| self.list[at].verdict == Verdict::Targets)
    }

    /// Says of a collection, and of those that led to it, that their links lead on.
    pub(super) fn lead_on(&mut self, at: Option<usize>) {
        let mut next = at;
        while let Some(at) = next {
            let collection = &mut self.list[at];
            next = collection.parent.filter(|&parent| parent != at);
            if collection.verdict == Verdict::Indexes {
                return;
            }
            collection.verdict = Verdict::Indexes;
        }
    }
}

impl Collection {
    /// Takes a link in. False if it was there.
    pub(super) fn add(&mut self, link: &Link) -> bool {
        let new = self.known.insert(link.address.clone());
        if new {
            self.links.push(link.clone());
        }
        new
    }

    /// What its members turned out to be, as far as they were looked at.
    pub(super) fn roles(&self, seen: &BTreeMap<String, Role>) -> Vec<Role> {
        self.links.iter().filter_map(|link| seen.get(&link.address).copied()).collect()
    }
}
