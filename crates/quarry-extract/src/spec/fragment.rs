//! Groups rows into fragments. Those that look alike at like places, in one container: a table, a
//! list, a box of pairs. Rows that are alone in their wrappers are grouped by the wrapper around
//! those.

use std::collections::BTreeMap;

use quarry_dom::NodeId;

use super::outline::Outline;
use super::pair::{Pair, pairs, value_stands_first};
use super::row::{Row, RowKind, rows};

/// How many wrappers around lone rows are tried.
const MAX_WRAPPERS: usize = 4;

/// A candidate: a part of the page that may be a specification, or a section of one.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) kind: RowKind,
    /// The element around the rows.
    pub(crate) node: NodeId,
    /// The same for fragments whose rows look alike at like places.
    pub(crate) key: u64,
    pub(crate) rows: Vec<Row>,
    /// Whether values stand before names.
    pub(crate) turned: bool,
    pub(crate) pairs: Vec<Pair>,
}

impl Fragment {
    /// Takes the other part of each row for the name.
    pub(crate) fn turn(&mut self, outline: &Outline<'_>) {
        self.turned = !self.turned;
        self.pairs = pairs(outline, &self.rows, self.turned);
    }
}

/// All candidates of a page, in document order.
pub(crate) fn fragments(outline: &Outline<'_>) -> Vec<Fragment> {
    let mut by_key: BTreeMap<u64, Vec<Row>> = BTreeMap::new();
    for row in rows(outline) {
        by_key.entry(row.key).or_default().push(row);
    }
    let mut found = Vec::new();
    for rows in by_key.into_values() {
        for (node, rows) in by_container(outline, rows) {
            let turned = value_stands_first(outline, &rows);
            let pairs = pairs(outline, &rows, turned);
            if !pairs.is_empty() {
                let (kind, key) = (rows[0].kind, rows[0].key);
                found.push(Fragment { kind, node, key, rows, turned, pairs });
            }
        }
    }
    found.sort_by_key(|fragment| (fragment.rows[0].cells[0].first, fragment.key));
    found
}

/// Groups rows of one key by the element around them.
fn by_container(outline: &Outline<'_>, rows: Vec<Row>) -> Vec<(NodeId, Vec<Row>)> {
    let mut grouped: BTreeMap<NodeId, Vec<Row>> = BTreeMap::new();
    let mut open: BTreeMap<NodeId, Vec<Row>> = BTreeMap::new();
    for row in rows {
        open.entry(row.container).or_default().push(row);
    }
    for _ in 0..MAX_WRAPPERS {
        let mut lone: BTreeMap<NodeId, Vec<Row>> = BTreeMap::new();
        for (node, rows) in open {
            if rows.len() > 1 {
                grouped.entry(node).or_default().extend(rows);
            } else if let Some(parent) = outline.document.parent(node) {
                lone.entry(parent).or_default().extend(rows);
            }
        }
        open = lone;
    }
    for row in open.into_values().flatten() {
        grouped.entry(row.container).or_default().push(row);
    }
    grouped.into_iter().collect()
}
