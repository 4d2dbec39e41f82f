//! The database behind a generated site: entities × attributes, stored by column, with an
//! inverted index from every value to its entities.

mod generate;

pub(crate) use generate::{Generation, describe, generate};

use crate::format::{SiteValue, ValueFormat};
use crate::text;

/// An entity's place in its catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CatalogueEntityId(pub u32);

/// An attribute's place in its catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CatalogueAttributeId(pub u16);

/// One attribute with one of its words: what a facet link adds to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FacetPredicate {
    /// The attribute.
    pub attribute: CatalogueAttributeId,
    /// The place of the word among the attribute's words.
    pub word: u32,
}

/// A word that an attribute can have, as printed and as it stands in addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As printed.
    pub text: String,
    /// As it stands in readable addresses and form values.
    pub slug: String,
    /// The entities that have it, in catalogue order.
    pub entities: Vec<u32>,
}

/// The values of one attribute for all entities.
#[derive(Debug, Clone)]
pub enum CatalogueColumn {
    /// Words from a vocabulary; the only kind that can be a facet.
    Words {
        /// The vocabulary, in the order of popularity.
        words: Vec<Word>,
        /// Where each entity's cells begin in `cells`; one more than there are entities.
        starts: Vec<u32>,
        /// Places in `words`.
        cells: Vec<u32>,
    },
    /// Values of their own.
    Values(Vec<Option<SiteValue>>),
}

/// One attribute of the catalogue.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The name that this site prints.
    pub name: String,
    /// The name in the vertical's definition, the same on every site of a family.
    pub canonical: &'static str,
    /// The name as it stands in addresses and form fields.
    pub key: String,
    /// Offered as a facet.
    pub facet: bool,
    /// Shown in list records.
    pub list: bool,
    /// Shown in the specification of an entity page.
    pub spec: bool,
    /// An entity can have several.
    pub several: bool,
    /// The section of the specification that it stands in.
    pub group: &'static str,
    /// Offered as a facet only after this attribute was chosen, with one of these words if any.
    pub needs: Option<(CatalogueAttributeId, Vec<u32>)>,
    /// The level above, when the attribute is a level of a category tree.
    pub parent: Option<CatalogueAttributeId>,
    /// The values.
    pub column: CatalogueColumn,
}

impl Attribute {
    /// The vocabulary; empty when the attribute has values of their own.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        match &self.column {
            CatalogueColumn::Words { words, .. } => words,
            CatalogueColumn::Values(_) => &[],
        }
    }

    /// The places of an entity's words in the vocabulary.
    #[must_use]
    pub fn cells(&self, entity: CatalogueEntityId) -> &[u32] {
        match &self.column {
            CatalogueColumn::Words { starts, cells, .. } => {
                let e = entity.0 as usize;
                &cells[starts[e] as usize..starts[e + 1] as usize]
            }
            CatalogueColumn::Values(_) => &[],
        }
    }

    /// True when the attribute is on no entity page and in no list record.
    #[must_use]
    pub fn hidden(&self) -> bool {
        !self.list && !self.spec
    }
}

/// The database behind a site.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// The attributes.
    pub attributes: Vec<Attribute>,
    /// Titles as printed.
    pub titles: Vec<String>,
    /// What the title is in addresses.
    pub slugs: Vec<String>,
    /// The number of the entity in the world that a family of sites shares.
    pub bases: Vec<u64>,
    /// How values are printed.
    pub format: ValueFormat,
}

impl Catalogue {
    /// How many entities there are, those that appear later included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.titles.len()
    }

    /// True when there are no entities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.titles.is_empty()
    }

    /// All entities, in catalogue order.
    pub fn entities(&self) -> impl Iterator<Item = CatalogueEntityId> + use<> {
        (0..self.titles.len() as u32).map(CatalogueEntityId)
    }

    /// An attribute.
    #[must_use]
    pub fn attribute(&self, id: CatalogueAttributeId) -> &Attribute {
        &self.attributes[usize::from(id.0)]
    }

    /// The attribute with this name in the vertical's definition.
    #[must_use]
    pub fn find(&self, canonical: &str) -> Option<CatalogueAttributeId> {
        let at = self.attributes.iter().position(|a| a.canonical == canonical)?;
        Some(CatalogueAttributeId(at as u16))
    }

    /// Attributes that are offered as facets.
    pub fn facets(&self) -> impl Iterator<Item = (CatalogueAttributeId, &Attribute)> {
        let all = self.attributes.iter().enumerate();
        all.filter(|(_, a)| a.facet).map(|(i, a)| (CatalogueAttributeId(i as u16), a))
    }

    /// The word of a predicate.
    #[must_use]
    pub fn word(&self, predicate: FacetPredicate) -> &Word {
        &self.attribute(predicate.attribute).words()[predicate.word as usize]
    }

    /// The printed values of one cell; empty when the entity has none.
    #[must_use]
    pub fn printed(
        &self,
        attribute: CatalogueAttributeId,
        entity: CatalogueEntityId,
    ) -> Vec<String> {
        let attribute = self.attribute(attribute);
        match &attribute.column {
            CatalogueColumn::Words { words, .. } => {
                attribute.cells(entity).iter().map(|w| words[*w as usize].text.clone()).collect()
            }
            CatalogueColumn::Values(values) => match &values[entity.0 as usize] {
                Some(SiteValue::People(people)) => people
                    .iter()
                    .map(|p| self.format.print(&SiteValue::People(vec![p.clone()])))
                    .collect(),
                Some(value) => vec![self.format.print(value)],
                None => Vec::new(),
            },
        }
    }

    /// The value of a cell that is not a word.
    #[must_use]
    pub fn value(
        &self,
        attribute: CatalogueAttributeId,
        entity: CatalogueEntityId,
    ) -> Option<&SiteValue> {
        match &self.attribute(attribute).column {
            CatalogueColumn::Values(values) => values[entity.0 as usize].as_ref(),
            CatalogueColumn::Words { .. } => None,
        }
    }

    /// The predicate with this attribute key and word slug.
    #[must_use]
    pub fn predicate(&self, key: &str, slug: &str) -> Option<FacetPredicate> {
        let at = self.attributes.iter().position(|a| a.facet && a.key == key)?;
        let word = self.attributes[at].words().iter().position(|w| w.slug == slug)?;
        Some(FacetPredicate { attribute: CatalogueAttributeId(at as u16), word: word as u32 })
    }

    /// "12 shoes have 3 attributes": the catalogue as text, one line an attribute.
    #[must_use]
    pub fn dump(&self) -> String {
        let mut out = format!("{} entities\n", self.len());
        for a in &self.attributes {
            let shown: Vec<&str> = [(a.facet, "facet"), (a.list, "list"), (a.spec, "spec")]
                .into_iter()
                .filter_map(|(on, name)| on.then_some(name))
                .collect();
            let size = match &a.column {
                CatalogueColumn::Words { words, cells, .. } => {
                    format!("{} words, {} cells", words.len(), cells.len())
                }
                CatalogueColumn::Values(values) => {
                    format!("{} values", values.iter().flatten().count())
                }
            };
            out.push_str(&format!("{} [{}] {size}\n", a.name, shown.join(" ")));
        }
        out
    }
}

/// Makes slugs different from each other by numbering the repeated ones.
pub(crate) fn distinct_slugs<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    texts
        .map(|t| {
            let slug = text::slug(t);
            let n = seen.entry(slug.clone()).or_default();
            *n += 1;
            if *n == 1 { slug } else { format!("{slug}-{n}") }
        })
        .collect()
}
