//! Finds the subtree of a record around its anchor: as far up as it can without taking in a second
//! anchor: the largest subtree that holds one record only. Where anchors stand alone and could
//! climb on, the height that most of them reach decides.

use quarry_dom::{NodeId, Tag};

use crate::page::RatedPage;

/// How to get from an anchor to its record on any page of the site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Level {
    /// Levels from the anchor up to the record.
    pub(crate) height: u16,
    /// The hash of the name of the record's element.
    pub(crate) name: u64,
}

/// The level that most anchors agree on, and their records there, without repeats, in document
/// order; no record lies in another.
pub(crate) fn records_at_best_level(
    page: &RatedPage<'_>,
    anchors: &[NodeId],
) -> Option<(Level, Vec<NodeId>)> {
    let mut levels: Vec<Level> = Vec::with_capacity(anchors.len());
    for (at, &anchor) in anchors.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| anchors[before]);
        let top = climb(page, anchor, before, anchors.get(at + 1).copied());
        levels.push(level_of(page, anchor, top));
    }
    levels.sort_unstable();
    let most = levels.chunk_by(|one, other| one == other);
    let level = most.max_by_key(|level| (level.len(), level[0].height))?[0];
    Some((level, records_at(page, anchors, level)))
}

/// The records of the anchors at a known level.
pub(crate) fn records_at(page: &RatedPage<'_>, anchors: &[NodeId], level: Level) -> Vec<NodeId> {
    let mut roots: Vec<NodeId> = Vec::with_capacity(anchors.len());
    for &anchor in anchors {
        let Some(root) = ancestor(page, anchor, level.height) else { continue };
        if name(page, root) == level.name && roots.last() != Some(&root) {
            roots.push(root);
        }
    }
    without_nested(page, roots)
}

/// `roots` in document order without those that lie in another one, and without those that hold
/// several others.
pub(crate) fn without_nested(page: &RatedPage<'_>, mut roots: Vec<NodeId>) -> Vec<NodeId> {
    roots.sort_unstable();
    roots.dedup();
    let mut kept: Vec<NodeId> = Vec::with_capacity(roots.len());
    for (at, &root) in roots.iter().enumerate() {
        if kept.last().is_some_and(|&last| page.document.contains(last, root)) {
            continue;
        }
        let inside = |other: &&NodeId| page.document.contains(root, **other);
        if roots[at + 1..].iter().take_while(inside).take(2).count() < 2 {
            kept.push(root);
        }
    }
    kept
}

/// The highest ancestor of the anchor that holds neither the anchor before nor the one after.
fn climb(
    page: &RatedPage<'_>,
    anchor: NodeId,
    before: Option<NodeId>,
    after: Option<NodeId>,
) -> NodeId {
    let document = page.document;
    let mut top = anchor;
    while let Some(parent) = document.parent(top) {
        let holds_another = before.is_some_and(|before| before >= parent)
            || after.is_some_and(|after| after < document.subtree_end(parent));
        if holds_another || is_page(page, parent) {
            break;
        }
        top = parent;
    }
    top
}

fn is_page(page: &RatedPage<'_>, node: NodeId) -> bool {
    node == NodeId::ROOT || page.document.is(node, Tag::BODY) || page.document.is(node, Tag::HTML)
}

fn level_of(page: &RatedPage<'_>, anchor: NodeId, top: NodeId) -> Level {
    let height = page.document.depth(anchor) - page.document.depth(top);
    // Depths fit into 16 bits in a document.
    Level { height: u16::try_from(height).unwrap_or(u16::MAX), name: name(page, top) }
}

fn name(page: &RatedPage<'_>, node: NodeId) -> u64 {
    page.name(node)
}

fn ancestor(page: &RatedPage<'_>, anchor: NodeId, height: u16) -> Option<NodeId> {
    let mut node = anchor;
    for _ in 0..height {
        node = page.document.parent(node)?;
    }
    (!is_page(page, node)).then_some(node)
}
