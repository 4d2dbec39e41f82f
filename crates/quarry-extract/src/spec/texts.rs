//! The texts of a page that a specification may consist of, for readers outside this module.

use quarry_dom::{Document, NodeId};

use super::outline::{Outline, Span};

/// The texts of one page, also those that a script shows later: tabs, folded parts.
pub struct SpecTexts<'a>(Outline<'a>);

impl<'a> SpecTexts<'a> {
    /// Reads the page once.
    pub fn new(document: &'a Document) -> Self {
        Self(Outline::new(document))
    }

    /// The first text or icon inside a node.
    pub fn first(&self, node: NodeId) -> Option<NodeId> {
        self.0.leaves_of(self.0.span(node)).first().map(|leaf| leaf.node)
    }

    /// The text of a node, white space folded.
    pub fn text(&self, node: NodeId) -> String {
        self.0.text(self.0.span(node))
    }

    /// The text of a node that comes after another node inside it.
    pub fn text_after(&self, node: NodeId, inner: NodeId) -> String {
        let document = self.0.document;
        let rest = Span { first: document.subtree_end(inner), end: document.subtree_end(node) };
        self.0.text(rest)
    }
}
