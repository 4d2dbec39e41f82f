//! Finds anchors: leaves that mark one record each. Leaves that look alike or stand alike: all titles, all prices,
//! all thumbnails of a list. Each such set is a guess at where the records are.

use quarry_dom::NodeId;

use quarry_dom::{Leaf, key};

use crate::page::RatedPage;

/// What the leaves of a set have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Likeness {
    /// How the element and the one around it look, wherever they stand: finds the promoted and the
    /// lazily loaded record, too.
    Look,
    /// The names of all elements above and the look of the last: tells fields of one look apart.
    Place,
    /// The names of all elements above: does not mind that classes vary from row to row.
    Path,
}

impl Likeness {
    pub(crate) const ALL: [Likeness; 3] = [Likeness::Look, Likeness::Place, Likeness::Path];

    /// The signature that leaves of one set share.
    pub(crate) fn of(self, page: &RatedPage<'_>, leaf: &Leaf) -> u64 {
        let signature = match self {
            Likeness::Look => page.local_style(leaf),
            Likeness::Place => page.field(leaf),
            Likeness::Path => page.path(leaf.element).0,
        };
        key::then(signature, u64::from(leaf.image) * 4 + self as u64)
    }
}

/// Leaves of one page that share a signature, in document order.
pub(crate) struct Anchors {
    pub(crate) signature: u64,
    pub(crate) nodes: Vec<NodeId>,
}

/// All sets of the page, ordered by signature.
pub(crate) fn anchor_sets(page: &RatedPage<'_>) -> Vec<Anchors> {
    let mut keyed: Vec<(u64, NodeId)> = Vec::with_capacity(page.leaves.len() * 3);
    for likeness in Likeness::ALL {
        keyed.extend(page.leaves.iter().map(|leaf| (likeness.of(page, leaf), leaf.node)));
    }
    keyed.sort_unstable();
    let sets = keyed.chunk_by(|one, other| one.0 == other.0);
    sets.map(|set| Anchors {
        signature: set[0].0,
        nodes: set.iter().map(|&(_, node)| node).collect(),
    })
    .collect()
}
