//! The data that a page embeds for machines: JSON-LD, microdata, RDFa, data of scripts, `data-*` attributes and meta tags, flattened
//! to names and values.
//!
//! All types of things are read, not only products. Nothing is executed: scripts are parsed as JSON, and a script that
//! is no JSON is left alone. Every value keeps the element that holds it and, inside JSON, its pointer (RFC 6901).

pub mod behind;
mod flatten;
mod items;
mod json;
mod meta;
mod script;

use std::collections::BTreeSet;

use quarry_dom::{Document, NodeId};

pub use flatten::readable_name;

/// How data is embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Syntax {
    /// A script of type `application/ld+json`.
    JsonLd,
    /// `itemscope` and `itemprop`.
    Microdata,
    /// `typeof` and `property`.
    Rdfa,
    /// The data of a script.
    Script,
    /// `data-*` attributes.
    Attributes,
    /// OpenGraph and other meta tags.
    Meta,
}

/// One thing that a page describes for machines.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedThing {
    /// How it is embedded.
    pub syntax: Syntax,
    /// Its type as written, without the vocabulary: `Recipe`.
    pub kind: Option<String>,
    /// The element that holds it.
    pub node: NodeId,
    /// What it says.
    pub fields: Vec<EmbeddedField>,
}

/// A name and a value of an embedded thing.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedField {
    /// A readable name: `offers.price` is `price`, `ratingValue` is `rating value`.
    pub name: String,
    /// The value as text, white space folded.
    pub value: String,
    /// The element that holds it.
    pub node: NodeId,
    /// The place inside JSON.
    pub pointer: Option<String>,
    /// The attribute that holds it, outside JSON and text.
    pub attribute: Option<String>,
}

/// The things that a page describes for machines, in document order.
#[must_use]
pub fn embedded_things(document: &Document) -> Vec<EmbeddedThing> {
    let mut things = json::things(document);
    things.extend(items::things(document));
    let names = PageNames::of(document);
    things.extend(script::things(document, &names));
    things.extend(script::attribute_things(document, &names));
    things.extend(meta::thing(document));
    things.retain(|thing| !thing.fields.is_empty());
    things
}

/// The things that tell of what the page is about, as far as the page alone can tell: those with a name that its title
/// or main heading repeats, and of each syntax the one that says most, which comes first. What an earlier one says a later one does not
/// say again.
#[must_use]
pub fn subject_of(document: &Document, things: Vec<EmbeddedThing>) -> Vec<EmbeddedThing> {
    let names_of_page = PageNames::of(document);
    let repeated = |field: &EmbeddedField| names_of_page.likeness(&field.value);
    let coverage: Vec<f64> =
        things.iter().map(|thing| thing.fields.iter().map(repeated).fold(0.0, f64::max)).collect();
    let best = |syntax: Syntax| {
        let own = things.iter().zip(&coverage).filter(|(thing, _)| thing.syntax == syntax);
        own.map(|(_, share)| *share).fold(0.0, f64::max)
    };
    let most = |syntax: Syntax| {
        let own = things.iter().filter(|thing| thing.syntax == syntax);
        own.map(|thing| names(thing).len()).max().unwrap_or(0)
    };
    let says_most = |thing: &EmbeddedThing| {
        let own = names(thing).len();
        let is_written_for_all = !matches!(thing.syntax, Syntax::Script | Syntax::Attributes);
        is_written_for_all && own >= MIN_NAMES && own == most(thing.syntax)
    };
    // The site's name stands in titles, too; what the page is about covers more of them.
    let covers = |thing: &EmbeddedThing, share: f64| {
        share > 0.0 && share >= MIN_COVERAGE_OF_BEST * best(thing.syntax)
    };
    let is_subject: Vec<bool> = things
        .iter()
        .zip(&coverage)
        .map(|(thing, share)| covers(thing, *share) || says_most(thing))
        .collect();
    let mut subjects: Vec<EmbeddedThing> =
        things.into_iter().zip(is_subject).filter(|(_, is)| *is).map(|(thing, _)| thing).collect();
    subjects.sort_by_key(|thing| (thing.syntax, std::cmp::Reverse(names(thing).len())));
    let mut known: BTreeSet<(Syntax, String)> = BTreeSet::new();
    for thing in &mut subjects {
        let syntax = thing.syntax;
        // Meta tags and scripts repeat what the page says elsewhere.
        let is_known = |name: &String| match syntax {
            Syntax::Meta | Syntax::Script | Syntax::Attributes => {
                known.iter().any(|(_, other)| other == name)
            }
            _ => known.contains(&(syntax, name.clone())),
        };
        thing.fields.retain(|field| !is_known(&field.name));
        known.extend(thing.fields.iter().map(|field| (syntax, field.name.clone())));
    }
    subjects.retain(|thing| !thing.fields.is_empty());
    subjects
}

/// What a page calls itself: the words of its title and of its main headings.
pub(crate) struct PageNames(Vec<BTreeSet<String>>);

impl PageNames {
    fn of(document: &Document) -> Self {
        let mut names = vec![words_of(&document.title().unwrap_or_default())];
        let headings = document.elements(quarry_dom::Tag::H1).take(MAX_HEADINGS);
        names.extend(headings.map(|node| words_of(&document.folded_text(node))));
        Self(names)
    }

    /// How much of the page's title or main heading a value repeats; nothing if it is no name.
    fn likeness(&self, value: &str) -> f64 {
        let length = value.chars().take(MAX_NAME_CHARS + 1).count();
        if !(MIN_NAME_CHARS..=MAX_NAME_CHARS).contains(&length) {
            return 0.0;
        }
        let words = words_of(value);
        let is_name = (1..=MAX_NAME_WORDS).contains(&words.len());
        let shares = self.0.iter().map(|name| {
            let shared = words.intersection(name).count() as f64;
            let is_repeated = is_name && shared >= REPEATED * words.len() as f64;
            if is_repeated { shared / name.len().max(1) as f64 } else { 0.0 }
        });
        shares.fold(0.0, f64::max)
    }
}

/// The different names of a thing's fields.
fn names(thing: &EmbeddedThing) -> BTreeSet<&str> {
    thing.fields.iter().map(|field| field.name.as_str()).collect()
}

/// Main headings that are looked at.
const MAX_HEADINGS: usize = 4;
/// Characters of a name, at least: shorter ones are repeated by chance.
const MIN_NAME_CHARS: usize = 4;
/// Characters and words of a name, at most: longer values are descriptions.
const MAX_NAME_CHARS: usize = 300;
const MAX_NAME_WORDS: usize = 24;
/// The share of a name's words that a title or heading has in common with it.
const REPEATED: f64 = 0.6;
/// The share of a title or heading that a thing's name covers at least, relative to the thing whose name covers most.
const MIN_COVERAGE_OF_BEST: f64 = 0.5;
/// Names that a thing has at least where nothing but its size speaks for it.
const MIN_NAMES: usize = 6;

/// The different words of a text in lower case.
fn words_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
