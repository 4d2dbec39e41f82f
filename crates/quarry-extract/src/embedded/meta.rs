//! OpenGraph, product and other meta tags as one thing.

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::flatten::{visible_text, words};
use super::{EmbeddedField, EmbeddedThing, Syntax};

/// The names of the HTML standard that tell of a page's content; other names are for browsers and vendors.
const STANDARD_NAMES: [&str; 3] = ["author", "description", "keywords"];

/// Tags of a page that are looked at.
const MAX_TAGS: usize = 400;

/// The meta tags with a name and a content.
pub(super) fn thing(document: &Document) -> Option<EmbeddedThing> {
    let mut fields: Vec<EmbeddedField> = Vec::new();
    for node in document.elements(Tag::META).take(MAX_TAGS) {
        let standard = || document.attr(node, "name").filter(|name| STANDARD_NAMES.contains(name));
        let name = document.known_attr(node, Attr::PROPERTY).or_else(standard);
        let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else { continue };
        let Some(content) = document.known_attr(node, Attr::CONTENT) else { continue };
        let name = name.split_once(':').map_or(name, |(_, name)| name);
        let name = words(name);
        let value = visible_text(content);
        if value.is_empty() || name.is_empty() {
            continue;
        }
        // The same said in two vocabularies is said once.
        if fields.iter().any(|field| field.name == name && field.value == value) {
            continue;
        }
        let attribute = Some("content".to_owned());
        fields.push(EmbeddedField { name, value, node, pointer: None, attribute });
    }
    let node = fields.first().map_or(NodeId::ROOT, |field| field.node);
    (!fields.is_empty()).then_some(EmbeddedThing { syntax: Syntax::Meta, kind: None, node, fields })
}
