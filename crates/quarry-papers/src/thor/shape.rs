//! The four-part distance of subtrees by shape (THOR §3.2.1, step 1): path, fan-out, depth, number of
//! nodes.

use quarry_dom::{Document, NodeId, Tag};

/// How much each part of the distance counts; they should sum to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShapeWeights {
    /// The edit distance of the paths. Default 0.25 (§3.2.1).
    pub path: f64,
    /// The difference in fan-out of the roots. Default 0.25.
    pub fan_out: f64,
    /// The difference in depth of the roots. Default 0.25.
    pub depth: f64,
    /// The difference in numbers of nodes. Default 0.25.
    pub nodes: f64,
}

impl Default for ShapeWeights {
    fn default() -> Self {
        Self { path: 0.25, fan_out: 0.25, depth: 0.25, nodes: 0.25 }
    }
}

/// The quadruple ⟨P, F, D, N⟩ of a subtree.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) node: NodeId,
    /// The tags from the root, one code each: the paper's identifiers of fixed length q.
    path: Vec<Tag>,
    fan_out: usize,
    pub(super) depth: usize,
    nodes: usize,
}

impl Shape {
    pub(super) fn new(document: &Document, node: NodeId) -> Self {
        let chain = std::iter::once(node).chain(document.ancestors(node));
        let mut path: Vec<Tag> = chain.filter_map(|node| document.tag(node)).collect();
        path.reverse();
        Self {
            node,
            path,
            fan_out: document.fan_out(node),
            depth: document.depth(node),
            nodes: document.subtree_size(node),
        }
    }

    /// The distance from 0 (same shape) to 1; or `None` where it cannot be under `limit`.
    pub(super) fn distance(&self, other: &Self, weights: &ShapeWeights, limit: f64) -> Option<f64> {
        let cheap = weights.fan_out * difference(self.fan_out, other.fan_out)
            + weights.depth * difference(self.depth, other.depth)
            + weights.nodes * difference(self.nodes, other.nodes);
        if cheap >= limit {
            return None;
        }
        let longest = self.path.len().max(other.path.len()).max(1) as f64;
        let edits = edit_distance(&self.path, &other.path) as f64;
        let distance = cheap + weights.path * edits / longest;
        (distance < limit).then_some(distance)
    }
}

/// |a − b| / max(a, b), 0 where both are 0.
fn difference(one: usize, other: usize) -> f64 {
    one.abs_diff(other) as f64 / one.max(other).max(1) as f64
}

fn edit_distance<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, item) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, candidate) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(item != candidate);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits() {
        let check = |one: &str, other: &str, expected: usize| {
            assert_eq!(edit_distance(one.as_bytes(), other.as_bytes()), expected, "{one} {other}");
        };
        // The paper's own examples.
        check("cat", "cake", 2);
        check("he", "het", 1);
        check("", "abc", 3);
        check("abc", "abc", 0);
    }

    #[test]
    fn equal_subtrees_have_no_distance_and_others_less_than_one() {
        let page = Document::from_html("<ul><li>a<li>b</ul><div><p>x</p><p><b>y</b></p></div>");
        let list = Shape::new(&page, page.elements(Tag::UL).next().unwrap());
        let other = Shape::new(&page, page.elements(Tag::DIV).next().unwrap());
        let weights = ShapeWeights::default();
        assert_eq!(list.distance(&list, &weights, 1.0), Some(0.0));
        let distance = list.distance(&other, &weights, 1.0).unwrap();
        assert!(distance > 0.0 && distance < 1.0);
        assert_eq!(other.distance(&list, &weights, 1.0), Some(distance));
        assert_eq!(list.distance(&other, &weights, distance), None);
    }
}
