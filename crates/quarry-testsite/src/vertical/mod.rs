//! Subjects of sites. Each vertical is one file: its vocabulary, its attributes and a few
//! sentence patterns. To add one, write the file and name it in [`Vertical`] and [`definition`].

mod books;
mod electronics;
mod goods;
mod homes;
mod phones;
mod recipes;
mod restaurants;
mod shoes;

pub use goods::Category;

use crate::format::{Unit, choices};
use crate::text::NameKind;

choices! {
    /// The subjects that sites can have.
    Vertical {
        /// A shoe shop.
        Shoes,
        /// A shop for electronics, with many attributes and facets that depend on the category.
        Electronics,
        /// A shop for mobile phones.
        Phones,
        /// Recipes with several ingredients each.
        Recipes,
        /// A restaurant guide with addresses and phone numbers.
        Restaurants,
        /// Houses and flats for sale.
        Homes,
        /// A bookshop.
        Books,
    }
}

/// A vertical's vocabulary and patterns. The patterns are those of [`crate::text::compose`].
#[derive(Debug)]
pub(crate) struct Definition {
    /// "shoe", "shoes".
    pub(crate) noun: (&'static str, &'static str),
    /// The path of the list of everything.
    pub(crate) root: &'static str,
    /// Names a site of this vertical may have; `{}` takes an invented word.
    pub(crate) site_names: &'static [&'static str],
    /// One line under the name of the site.
    pub(crate) slogans: &'static [&'static str],
    /// The pattern of an entity's title.
    pub(crate) title: &'static str,
    /// Sentences of the description; those with a missing value are left out. `{~Name}` is the value
    /// in lower case.
    pub(crate) sentences: &'static [&'static str],
    /// What one does with an entity: "Add to cart", "Save recipe".
    pub(crate) action: &'static str,
    /// A text that is the same in every record: "In stock".
    pub(crate) constant: &'static str,
    /// The outline in pictures: an SVG path in a box of 160 by 120.
    pub(crate) glyph: &'static str,
    /// Schema.org type of an entity.
    pub(crate) schema: &'static str,
    /// The attributes, those that others refer to first.
    pub(crate) attributes: &'static [AttributeDef],
}

/// One attribute of a vertical.
#[derive(Debug)]
pub(crate) struct AttributeDef {
    pub(crate) name: &'static str,
    /// Names that other sites use for it.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) source: Source,
    pub(crate) facet: bool,
    pub(crate) list: bool,
    pub(crate) spec: bool,
    /// Share of entities without a value.
    pub(crate) missing: f64,
    /// The section of the specification that it stands in.
    pub(crate) group: &'static str,
    /// Only entities whose `.0` is one of `.1` have it; as a dependent facet it is offered only
    /// after one of these was chosen.
    pub(crate) when: Option<(&'static str, &'static [&'static str])>,
    /// As a dependent facet, offered only after any value of this attribute was chosen.
    pub(crate) after: Option<&'static str>,
}

/// Where the values of an attribute come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// One of these; the first are the most popular.
    One(&'static [&'static str]),
    /// Several of these.
    Several { of: &'static [&'static str], min: usize, max: usize },
    /// One that depends on the value of another attribute: the branches of a tree.
    Under { parent: &'static str, tree: &'static [(&'static str, &'static [&'static str])] },
    /// One of invented names: `least` of them, and one more for every `per` entities up to `most`.
    Invented { kind: NameKind, least: usize, per: usize, most: usize },
    /// One of the `each` invented names that belong to the value of the attribute `by`.
    Owned { kind: NameKind, by: &'static str, each: usize },
    /// A number `low..=high` in steps, in hundredths of the unit.
    Number { low: i64, high: i64, step: i64, unit: Unit },
    /// A price in cents, whose level is fixed by the value of the attribute `by`.
    Money { low: i64, high: i64, by: &'static str },
    /// The band of a [`Source::Number`] or [`Source::Money`] attribute.
    Band { of: &'static str, edges: &'static [i64] },
    /// A code: `#` is a digit, `@` a letter.
    Code(&'static str),
    /// Thirteen digits with a check digit, after a prefix.
    Ean(&'static str),
    /// A text made by a pattern.
    Phrase(&'static str),
    /// An invented name of its own.
    Name(NameKind),
    /// One to three people.
    People { pool: usize, max: usize },
    /// A day in these years.
    Date { from: i64, to: i64 },
    /// A telephone number.
    Phone,
    /// An address in the town that another attribute names.
    Address { town: &'static str },
}

impl AttributeDef {
    /// An attribute that is shown nowhere yet.
    const fn new(name: &'static str, source: Source) -> Self {
        Self {
            name,
            aliases: &[],
            source,
            facet: false,
            list: false,
            spec: false,
            missing: 0.0,
            group: "General",
            when: None,
            after: None,
        }
    }

    /// The name under a choice of synonyms: 0 is its own.
    pub(crate) fn label(&self, choice: usize) -> &'static str {
        match choice {
            0 => self.name,
            n => self.aliases.get(n - 1).or(self.aliases.first()).copied().unwrap_or(self.name),
        }
    }

    const fn facet(mut self) -> Self {
        self.facet = true;
        self
    }

    const fn list(mut self) -> Self {
        self.list = true;
        self
    }

    const fn spec(mut self) -> Self {
        self.spec = true;
        self
    }

    const fn missing(mut self, share: f64) -> Self {
        self.missing = share;
        self
    }

    const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    const fn group(mut self, group: &'static str) -> Self {
        self.group = group;
        self
    }

    const fn when(mut self, name: &'static str, values: &'static [&'static str]) -> Self {
        self.when = Some((name, values));
        self
    }

    const fn after(mut self, name: &'static str) -> Self {
        self.after = Some(name);
        self
    }
}

/// The definition of a vertical.
pub(crate) fn definition(vertical: Vertical) -> &'static Definition {
    match vertical {
        Vertical::Shoes => &shoes::SHOES,
        Vertical::Electronics => &electronics::ELECTRONICS,
        Vertical::Phones => &phones::PHONES,
        Vertical::Recipes => &recipes::RECIPES,
        Vertical::Restaurants => &restaurants::RESTAURANTS,
        Vertical::Homes => &homes::HOMES,
        Vertical::Books => &books::BOOKS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under every choice of synonyms, no two attributes of a site have the same name.
    #[test]
    fn names_are_distinct() {
        for vertical in Vertical::ALL {
            for labels in 0..3 {
                let names: Vec<&str> =
                    definition(*vertical).attributes.iter().map(|a| a.label(labels)).collect();
                let distinct: std::collections::BTreeSet<&&str> = names.iter().collect();
                assert_eq!(distinct.len(), names.len(), "{vertical:?} {labels} {names:?}");
            }
        }
    }

    /// Names that attributes refer to exist and stand earlier; branches cover their parent.
    #[test]
    fn definitions_are_consistent() {
        for vertical in Vertical::ALL {
            let definition = definition(*vertical);
            for (at, attribute) in definition.attributes.iter().enumerate() {
                let earlier = |name: &str| {
                    let found = definition.attributes[..at].iter().find(|a| a.name == name);
                    found.unwrap_or_else(|| panic!("{vertical:?}: {} needs {name}", attribute.name))
                };
                match &attribute.source {
                    Source::Under { parent, tree } => {
                        if let Source::One(values) = &earlier(parent).source {
                            for value in *values {
                                assert!(tree.iter().any(|(v, _)| v == value), "no branch {value}");
                            }
                        }
                    }
                    Source::Money { by, .. } | Source::Owned { by, .. } => _ = earlier(by),
                    Source::Band { of, .. } => _ = earlier(of),
                    Source::Address { town } => _ = earlier(town),
                    _ => {}
                }
                if let Some((name, _)) = attribute.when {
                    earlier(name);
                }
                if let Some(name) = attribute.after {
                    earlier(name);
                }
            }
        }
    }
}
