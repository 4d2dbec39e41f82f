//! The texts and lines that a value is made of, and how they are printed.

use quarry_dom::{Document, Kind, NodeId, Tag};

use super::find::SpecPair;
use crate::page::hash;

pub(super) fn squeezed(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).collect()
}

/// How a name looks and where: the elements around its first text, with the classes of the innermost.
pub(super) fn style(document: &Document, node: NodeId) -> u64 {
    let inside = (node.0..document.subtree_end(node).0).map(NodeId);
    let is_text = |&node: &NodeId| {
        document.kind(node) == Kind::Text && !document.text(node).trim().is_empty()
    };
    let text = inside.into_iter().find(is_text).unwrap_or(node);
    let element = if document.is_element(text) { Some(text) } else { document.parent(text) };
    let Some(element) = element else { return 0 };
    let around = std::iter::once(element).chain(document.ancestors(element));
    let path = around
        .into_iter()
        .fold(0, |path, node| hash::then(path, hash::of(document.tag_name(node))));
    hash::then(path, hash::of_set(document.classes(element).map(class)))
}

/// A class without its digits.
fn class(class: &str) -> u64 {
    let kept: String = class.chars().filter(|char| !char.is_ascii_digit()).collect();
    hash::of(&kept)
}

/// A text of a value.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) node: NodeId,
    /// Whether it begins a line or a box.
    is_line: bool,
    /// Whether it is a link or a line that looks different from the first text. A further line or item, such as the town of an
    /// address, looks the same.
    pub(super) is_apart: bool,
}

impl Text {
    /// Whether it has words: marks behind a link are no text of their own.
    pub(super) fn has_words(&self) -> bool {
        self.text.chars().any(char::is_alphanumeric)
    }
}

/// The texts that a value is made of. They begin in its node, and may go on behind it.
pub(super) fn texts(document: &Document, pair: &SpecPair) -> Vec<Text> {
    let value = squeezed(&pair.value);
    let mut rest = value.as_str();
    let mut found = Vec::new();
    let mut is_line = false;
    let mut at = pair.value_node;
    let mut link_end = NodeId(0);
    while !rest.is_empty() && at.index() < document.len() {
        let node = at;
        at = NodeId(at.0 + 1);
        if document.kind(node) != Kind::Text {
            let tag = document.tag(node);
            is_line |= tag == Some(Tag::BR) || tag.is_some_and(Tag::is_block);
            if tag == Some(Tag::A) {
                link_end = document.subtree_end(node);
            }
            if matches!(tag, Some(Tag::SCRIPT | Tag::STYLE | Tag::NOSCRIPT | Tag::SELECT)) {
                at = document.subtree_end(node);
            }
            continue;
        }
        let own = squeezed(document.text(node));
        if own.is_empty() {
            continue;
        }
        if let Some(behind) = rest.strip_prefix(own.as_str()) {
            rest = behind;
        } else if found.is_empty() {
            // The name stands before the value in one text.
            let Some(begins) =
                own.char_indices().map(|(at, _)| &own[at..]).find(|own| rest.starts_with(own))
            else {
                break;
            };
            rest = &rest[begins.len()..];
        } else {
            break;
        }
        let text = quarry_dom::fold_whitespace(document.text(node)).trim().to_owned();
        let is_other = |first: &Text| style(document, first.node) != style(document, node);
        let is_apart = (is_line || node < link_end) && found.first().is_some_and(is_other);
        found.push(Text { text, node, is_line, is_apart });
        is_line = false;
    }
    found
}

/// The lines of a value, each with the node of its first text.
pub(super) fn lines(texts: Vec<Text>) -> Vec<(String, NodeId)> {
    let mut lines: Vec<(String, NodeId)> = Vec::new();
    for text in texts {
        match lines.last_mut() {
            Some((line, _)) if !text.is_line => {
                line.push(' ');
                line.push_str(&text.text);
            }
            _ => lines.push((text.text, text.node)),
        }
    }
    lines
}
