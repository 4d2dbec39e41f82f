//! The entities of several sites, as linking takes them: kept compactly, because there may be millions.

use super::texts::{DifferentTexts, Texts};
use crate::hash::{self, Lookup};

/// An entity as it is given: texts as in the table `entities`, numbers with their unit behind them.
#[derive(Clone, Copy, Debug)]
pub struct LinkEntity<'a> {
    /// The site.
    pub site: &'a str,
    /// The entity's address.
    pub entity: &'a str,
    /// What kind of entity it is, as its site calls it.
    pub kind: &'a str,
    /// What it is called.
    pub name: Option<&'a str>,
    /// Its values: attribute and text. An attribute may have several.
    pub values: &'a [(&'a str, &'a str)],
}

/// An attribute of the entities of one kind on one site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteColumn {
    /// The number of the site.
    pub site: u32,
    /// The kind of entities.
    pub kind: String,
    /// What the site calls it.
    pub attribute: String,
}

/// The number of a column of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteColumnId(pub u32);

/// No name.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// What is kept of an entity.
#[derive(Clone, Copy)]
pub(super) struct EntityHead {
    pub(super) site: u32,
    pub(super) name: u32,
    /// Where its values begin.
    pub(super) first: u32,
}

/// The entities of several sites.
#[derive(Default)]
pub struct LinkInput {
    pub(super) sites: Vec<String>,
    pub(super) columns: Vec<SiteColumn>,
    pub(super) heads: Vec<EntityHead>,
    pub(super) values: Vec<(SiteColumnId, u32)>,
    pub(super) addresses: Texts,
    texts: DifferentTexts,
    known_columns: Lookup<u64, u32>,
}

impl std::fmt::Debug for LinkInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (sites, entities) = (self.sites.len(), self.heads.len());
        f.debug_struct("LinkInput").field("sites", &sites).field("entities", &entities).finish()
    }
}

impl LinkInput {
    /// Adds an entity. Its number is the number of entities before it.
    pub fn add(&mut self, entity: &LinkEntity<'_>) {
        let site = match self.sites.iter().rposition(|site| site == entity.site) {
            Some(at) => at as u32,
            None => {
                self.sites.push(entity.site.to_owned());
                (self.sites.len() - 1) as u32
            }
        };
        let name = entity.name.map(str::trim).filter(|name| !name.is_empty());
        let name = name.map_or(NO_TEXT, |name| self.texts.number(name));
        self.heads.push(EntityHead { site, name, first: self.values.len() as u32 });
        self.addresses.push(entity.entity);
        for (attribute, text) in entity.values {
            if !text.trim().is_empty() {
                let column = self.column(site, entity.kind, attribute);
                let text = self.texts.number(text.trim());
                self.values.push((column, text));
            }
        }
    }

    fn column(&mut self, site: u32, kind: &str, attribute: &str) -> SiteColumnId {
        let mut key = hash::of((site, kind, attribute));
        loop {
            match self.known_columns.get(&key) {
                Some(&at) => {
                    let known = &self.columns[at as usize];
                    if known.site == site && known.kind == kind && known.attribute == attribute {
                        return SiteColumnId(at);
                    }
                    key = key.wrapping_add(1);
                }
                None => {
                    let at = self.columns.len() as u32;
                    let (kind, attribute) = (kind.to_owned(), attribute.to_owned());
                    self.columns.push(SiteColumn { site, kind, attribute });
                    self.known_columns.insert(key, at);
                    return SiteColumnId(at);
                }
            }
        }
    }

    /// How many entities there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The sites, in the order in which they came.
    #[must_use]
    pub fn sites(&self) -> &[String] {
        &self.sites
    }

    /// The values of an entity: columns and numbers of texts.
    pub(super) fn values_of(&self, entity: u32) -> &[(SiteColumnId, u32)] {
        let at = entity as usize;
        let end = self.heads.get(at + 1).map_or(self.values.len(), |next| next.first as usize);
        &self.values[self.heads[at].first as usize..end]
    }

    pub(super) fn text(&self, number: u32) -> &str {
        self.texts.texts.get(number)
    }

    /// Ends reading: what is only needed to add entities is dropped.
    pub(super) fn close(mut self) -> Self {
        self.values.shrink_to_fit();
        self.heads.shrink_to_fit();
        self.addresses.shrink();
        let texts = std::mem::take(&mut self.texts).into_texts();
        self.texts = DifferentTexts::of(texts);
        self.known_columns = Lookup::default();
        self
    }
}

impl DifferentTexts {
    fn of(texts: Texts) -> Self {
        Self { texts, ..Self::default() }
    }
}
