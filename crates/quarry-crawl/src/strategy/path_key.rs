//! Path keys: elements with the same names, and the same classes near by, on the way to the root. Pages
//! of one template have the same path keys.

use quarry_dom::{Attr, Document, NodeId};
use xxhash_rust::xxh3::Xxh3;

/// Elements whose classes and ids count: the nearest ones.
const LEVELS_WITH_CLASSES: usize = 4;

/// A hash of the element names up to the root, with first classes and ids of the nearest.
pub(super) fn path_key(document: &Document, element: NodeId) -> u64 {
    let mut hash = Xxh3::new();
    let mut node = element;
    for level in 0.. {
        let Some(tag) = document.tag(node) else { break };
        hash.update(document.name_of(tag).as_bytes());
        if level < LEVELS_WITH_CLASSES {
            let class = document.known_attr(node, Attr::CLASS).unwrap_or_default();
            hash.update(class.split_ascii_whitespace().next().unwrap_or_default().as_bytes());
            // Up to the first digit: numbers differ from page to page.
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
