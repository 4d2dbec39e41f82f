//! Things in the mark-up itself: microdata (`itemscope`, `itemprop`) and RDFa (`typeof`, `property`).

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::flatten::{readable_name, visible_text};
use super::{EmbeddedField, EmbeddedThing, Syntax};

/// Properties of a thing that are read, at most.
const MAX_FIELDS: usize = 400;

/// The outermost things, each with the properties of the things inside it.
pub(super) fn things(document: &Document) -> Vec<EmbeddedThing> {
    let mut things = Vec::new();
    let mut at = 0;
    let all = document.len() as u32;
    while at < all {
        let node = NodeId(at);
        at += 1;
        let Some(syntax) = scope(document, node) else { continue };
        let mut fields = Vec::new();
        add_properties(document, node, syntax, &mut Vec::new(), &mut fields);
        // A page that is a thing itself may hold the things that it is about.
        let is_page = document.is(node, Tag::HTML) || document.is(node, Tag::BODY);
        things.push(EmbeddedThing { syntax, kind: kind(document, node, syntax), node, fields });
        if !is_page {
            at = document.subtree_end(node).0;
        }
    }
    things
}

fn scope(document: &Document, node: NodeId) -> Option<Syntax> {
    if !document.is_element(node) {
        return None;
    }
    if document.known_attr(node, Attr::ITEMSCOPE).is_some() {
        return Some(Syntax::Microdata);
    }
    document.attr(node, "typeof").map(|_| Syntax::Rdfa)
}

fn kind(document: &Document, node: NodeId, syntax: Syntax) -> Option<String> {
    let text = match syntax {
        Syntax::Microdata => document.known_attr(node, Attr::ITEMTYPE),
        _ => document.attr(node, "typeof"),
    }?;
    let first = text.split_whitespace().next()?;
    Some(first.rsplit(['/', ':', '#']).next().unwrap_or(first).to_owned())
}

fn property(document: &Document, node: NodeId, syntax: Syntax) -> Option<String> {
    let text = match syntax {
        Syntax::Microdata => document.known_attr(node, Attr::ITEMPROP),
        _ => document.known_attr(node, Attr::PROPERTY),
    }?;
    let first = text.split_whitespace().next()?;
    Some(first.rsplit(['/', ':', '#']).next().unwrap_or(first).to_owned())
}

fn add_properties(
    document: &Document,
    thing: NodeId,
    syntax: Syntax,
    path: &mut Vec<String>,
    fields: &mut Vec<EmbeddedField>,
) {
    let (mut at, end) = (thing.0 + 1, document.subtree_end(thing).0);
    while at < end && fields.len() < MAX_FIELDS {
        let node = NodeId(at);
        at += 1;
        if !document.is_element(node) {
            continue;
        }
        let name = property(document, node, syntax);
        let is_thing = scope(document, node).is_some();
        if let Some(name) = name {
            path.push(name);
            match is_thing {
                true => add_properties(document, node, syntax, path, fields),
                false => fields.extend(field(document, node, path)),
            }
            path.pop();
        }
        if is_thing {
            at = document.subtree_end(node).0;
        }
    }
}

/// The value of a property, as the standard reads it: from an attribute where the element has one for it.
fn field(document: &Document, node: NodeId, path: &[String]) -> Option<EmbeddedField> {
    let attribute = |known: Attr, name: &str| {
        let value = document.known_attr(node, known)?.trim();
        (!value.is_empty()).then(|| (value.to_owned(), Some(name.to_owned())))
    };
    let own = attribute(Attr::CONTENT, "content");
    let of_tag = || match document.tag(node)? {
        Tag::A | Tag::LINK => attribute(Attr::HREF, "href").filter(|_| {
            // A link with a text says it; one without leads to it.
            document.folded_text(node).trim().is_empty()
        }),
        Tag::IMG => attribute(Attr::SRC, "src"),
        Tag::TIME => attribute(Attr::DATETIME, "datetime")
            .filter(|_| document.folded_text(node).trim().is_empty()),
        _ => None,
    };
    let (value, attribute) =
        own.or_else(of_tag).unwrap_or_else(|| (document.folded_text(node).into_owned(), None));
    let value = visible_text(&value);
    let name = readable_name(path);
    (!value.is_empty() && !name.is_empty()).then_some(EmbeddedField {
        name,
        value,
        node,
        pointer: None,
        attribute,
    })
}
