//! In what kind of place does a node stand? Pages of one template have the same places.

use quarry_dom::{Attr, Document, NodeId};
use xxhash_rust::xxh3::Xxh3;

/// Elements that tell a place by their classes and ids: the nearest ones.
const LEVELS: usize = 4;

/// The kind of place of an element: names up to the root, with first classes near by.
pub(super) fn place(document: &Document, element: NodeId) -> u64 {
    let mut hash = Xxh3::new();
    let mut node = element;
    for level in 0.. {
        let Some(tag) = document.tag(node) else { break };
        hash.update(document.name_of(tag).as_bytes());
        if level < LEVELS {
            let class = document.known_attr(node, Attr::CLASS).unwrap_or_default();
            hash.update(class.split_ascii_whitespace().next().unwrap_or_default().as_bytes());
            // Without digits: a number is the element's own.
            let id = document.known_attr(node, Attr::ID).unwrap_or_default();
            let id = id.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
            hash.update(id.as_bytes());
        }
        hash.update(b"/");
        let Some(parent) = document.parent(node) else { break };
        node = parent;
    }
    hash.digest()
}
