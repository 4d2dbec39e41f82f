//! What does the paper's heuristic alone read? Of tables each row: the first text is the name, the other texts together are the
//! value; of lists each item, parted at its colon (DEXTER §4.2). Kept to compare with.

use quarry_dom::{Document, NodeId, Tag};

use super::outline::{Outline, Span};

/// Names and values of the table or list at `node`, or of those inside it.
pub fn paper_pairs(document: &Document, node: NodeId) -> Vec<(String, String)> {
    let outline = Outline::new(document);
    let mut pairs = Vec::new();
    for row in document.subtree(node) {
        let span = outline.span(row);
        if document.is(row, Tag::TR) {
            let mut leaves = outline.leaves_of(span).iter();
            let Some(first) = leaves.next() else { continue };
            let name = outline.text(outline.span(first.node));
            let rest = Span { first: document.subtree_end(first.node), end: span.end };
            let value = outline.text(rest);
            if !value.is_empty() {
                pairs.push((name, value));
            }
        } else if document.is(row, Tag::LI)
            && let Some((name, value)) = outline.text(span).split_once(':')
        {
            pairs.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    pairs
}
