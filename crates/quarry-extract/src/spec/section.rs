//! The section heading of a part of a specification. The caption of a table, or the last short text
//! before the fragment that stands in a heading, a caption or an element of its own.

use quarry_dom::{NodeId, Tag};

use super::fragment::Fragment;
use super::outline::Outline;

/// A heading has at most so many characters.
const MAX_CHARS: u32 = 60;
/// Elements around the fragment whose earlier siblings may be its heading.
const LEVELS: usize = 3;

/// The heading of a fragment.
pub(crate) fn heading(outline: &Outline<'_>, fragment: &Fragment) -> Option<String> {
    let document = outline.document;
    if document.is(fragment.node, Tag::TABLE) {
        let caption =
            document.child_elements(fragment.node).find(|&child| document.is(child, Tag::CAPTION));
        if let Some(text) = caption.and_then(|caption| short_text(outline, caption)) {
            return Some(text);
        }
    }
    let first = fragment.rows.first()?.cells.first()?.first;
    // Inside the container, before the first row.
    let inside = document
        .child_elements(fragment.node)
        .take_while(|&child| document.subtree_end(child) <= first);
    if let Some(text) = inside
        .filter(|&child| is_heading(outline, child))
        .last()
        .and_then(|child| short_text(outline, child))
    {
        return Some(text);
    }
    let mut node = fragment.node;
    for _ in 0..LEVELS {
        let mut before = document.prev_sibling(node);
        while let Some(sibling) = before {
            if outline.has_content(sibling) {
                break;
            }
            before = document.prev_sibling(sibling);
        }
        if let Some(sibling) = before {
            let head = document.is_element(sibling) && is_heading(outline, sibling);
            return if head { short_text(outline, sibling) } else { None };
        }
        node = document.parent(node)?;
    }
    None
}

fn is_heading(outline: &Outline<'_>, node: NodeId) -> bool {
    let span = outline.span(node);
    let leaves = outline.leaves_of(span);
    leaves.len() == 1 && !leaves[0].icon && !leaves[0].linked && leaves[0].chars <= MAX_CHARS
}

fn short_text(outline: &Outline<'_>, node: NodeId) -> Option<String> {
    let text = outline.text(outline.span(node));
    let text = super::pair::clean_name(&text);
    (!text.is_empty() && text.chars().count() <= MAX_CHARS as usize).then_some(text)
}
