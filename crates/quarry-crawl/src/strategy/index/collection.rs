//! Collections of links that share an XPath: they lead to pages of one kind, so that a few of them show
//! what all are (DEXTER §3.2.2).

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Key, Link};

/// What a page turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// About one product.
    Target,
    /// Lists products.
    Index {
        /// Some of them are new.
        fresh: bool,
    },
    /// Lists nothing, but has new links.
    Hub,
    /// Has no new links.
    Leaf,
    /// Could not be fetched.
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
    /// To pages of no use.
    Nothing,
}

/// Where the links of a collection stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkPosition {
    /// In the records of a list: products, or categories on a page that lists them.
    InRecords,
    /// On a home page, an entry page or a hub: they may lead to categories.
    Navigation,
    /// Beside a list: facets or subcategories. ParsedPage at when nothing else is left.
    BesideList,
}

/// The links of all pages with one key at one position.
#[derive(Debug)]
pub(super) struct Collection {
    pub(super) key: Key,
    pub(super) position: LinkPosition,
    pub(super) verdict: Verdict,
    /// The collection whose page showed it first.
    pub(super) parent: Option<usize>,
    /// How far from the root, counted in collections.
    pub(super) level: u32,
    /// In the order in which they were found.
    pub(super) links: Vec<Link>,
    known: BTreeSet<String>,
    /// Links before this one were requested or need not be.
    pub(super) followed: usize,
    /// Index pages in a row that showed no new records.
    pub(super) pages_without_news: u32,
}

/// All collections of a site.
#[derive(Debug, Default)]
pub(super) struct Collections {
    pub(super) list: Vec<Collection>,
    keys: BTreeMap<(Key, LinkPosition), usize>,
}

impl Collections {
    /// The collection with a key at a position, added if it is new.
    pub(super) fn at(
        &mut self,
        key: &Key,
        position: LinkPosition,
        parent: Option<usize>,
        level: u32,
    ) -> usize {
        let at = *self.keys.entry((key.clone(), position)).or_insert(self.list.len());
        if at == self.list.len() {
            self.list.push(Collection {
                key: key.clone(),
                position,
                verdict: Verdict::Unknown,
                parent,
                level,
                links: Vec::new(),
                known: BTreeSet::new(),
                followed: 0,
                pages_without_news: 0,
            });
        }
        let collection = &mut self.list[at];
        collection.level = collection.level.min(level);
        at
    }

    /// Whether links in records with this key lead to targets.
    pub(super) fn leads_to_targets(&self, key: &Key) -> bool {
        let at = self.keys.get(&(key.clone(), LinkPosition::InRecords));
        at.is_some_and(|&at| self.list[at].verdict == Verdict::Targets)
    }

    /// Marks a collection, and those that led to it, as leading to indexes.
    pub(super) fn mark_as_indexes(&mut self, at: Option<usize>) {
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
    /// Adds a link. False if it was there.
    pub(super) fn add(&mut self, link: &Link) -> bool {
        let new = self.known.insert(link.address.clone());
        if new {
            self.links.push(link.clone());
        }
        new
    }

    /// What the pages of its links turned out to be, as far as they were read.
    pub(super) fn roles(&self, seen: &BTreeMap<String, Role>) -> Vec<Role> {
        self.links.iter().filter_map(|link| seen.get(&link.address).copied()).collect()
    }
}
