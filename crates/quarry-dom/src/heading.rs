//! Headings of a node: those in whose scope it stands, outermost first.
//!
//! The standard has no outline algorithm any more, and pages rarely nest sections; what counts
//! here is where a heading stands. It heads the element around it, or, where it is wrapped in an
//! element that holds little else (a header, a title bar), the element around that wrapper; its
//! scope reaches from the heading to the end of that element or to the next heading there of the
//! same or a higher rank. A heading in a finished side bar therefore says nothing about what
//! follows the side bar.

use std::collections::BTreeMap;

use crate::document::{Document, NodeId};
use crate::name::{Attr, Tag};

/// A wrapper of a heading may hold this many characters of other text ("see all", a count) and
/// still count as a part of the heading.
const WRAPPER_EXTRA_CHARS: usize = 40;

/// A wrapper of a heading has fewer nodes than this.
const WRAPPER_NODES: usize = 64;

/// Ranks below those of `h1` to `h6`.
const LABEL: u8 = 7;
const TERM: u8 = 8;
const ROW: u8 = 9;

/// The headings of a document, ready to be asked for many nodes.
#[derive(Debug)]
pub struct Headings<'a> {
    document: &'a Document,
    /// In document order.
    found: Vec<Heading>,
    /// Positions in `found`.
    by_scope: BTreeMap<NodeId, Vec<usize>>,
}

#[derive(Clone, Copy, Debug)]
struct Heading {
    node: NodeId,
    rank: u8,
    /// The element whose end is the end of the scope.
    scope: NodeId,
    /// The nearest heading of a higher rank before it in the same scope, by its position.
    higher: Option<usize>,
}

impl Document {
    /// Finds all headings once: `h1` to `h6`, `role=heading`, `legend`, `caption`, `summary`, `dt`
    /// and row headers (`th`). Hidden ones and empty ones do not count.
    pub fn headings(&self) -> Headings<'_> {
        let mut found: Vec<Heading> = Vec::new();
        for node in self.all() {
            if let Some(rank) = self.heading_rank(node)
                && self.has_text(node)
                && let Some(scope) = self.headed_element(node, rank)
            {
                found.push(Heading { node, rank, scope, higher: None });
            }
        }
        let mut by_scope: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
        for at in 0..found.len() {
            let own = by_scope.entry(found[at].scope).or_default();
            let mut higher = own.last().copied();
            while let Some(before) = higher
                && found[before].rank >= found[at].rank
            {
                higher = found[before].higher;
            }
            found[at].higher = higher;
            own.push(at);
        }
        Headings { document: self, found, by_scope }
    }

    /// The headings in whose scope the node stands, outermost first; for many nodes see
    /// [`Document::headings`].
    ///
    /// ```
    /// use quarry_dom::{Document, Tag};
    /// let page = Document::from_html(
    ///     "<h1>Shop</h1><div><h3>Colour</h3><a>red</a></div><div><h3>Size</h3><a>XL</a></div>");
    /// let link = page.elements(Tag::A).nth(1).unwrap();
    /// let names: Vec<_> = page.headings_for(link).iter().map(|&h| page.folded_text(h)).collect();
    /// assert_eq!(names, ["Shop", "Size"]);
    /// ```
    pub fn headings_for(&self, node: NodeId) -> Vec<NodeId> {
        self.headings().of(node)
    }

    fn heading_rank(&self, node: NodeId) -> Option<u8> {
        if self.is_hidden(node) {
            return None;
        }
        let tag = self.tag(node)?;
        let rank = match tag {
            Tag::LEGEND | Tag::CAPTION | Tag::SUMMARY => Some(LABEL),
            Tag::DT => Some(TERM),
            Tag::TH => Some(ROW),
            tag => tag.heading_level(),
        };
        if rank.is_some() {
            return rank.filter(|_| self.is(node, tag));
        }
        if self.known_attr(node, Attr::ROLE) != Some("heading") {
            return None;
        }
        // ARIA: a heading without a level has level 2.
        let level = self.known_attr(node, Attr::ARIA_LEVEL).and_then(|level| level.parse().ok());
        Some(level.filter(|level| (1..=6).contains(level)).unwrap_or(2))
    }

    /// The element that a heading stands above.
    fn headed_element(&self, heading: NodeId, rank: u8) -> Option<NodeId> {
        let parent = self.parent(heading)?;
        match rank {
            LABEL => return Some(parent),
            TERM => return self.ancestor_named(heading, Tag::DL).or(Some(parent)),
            // Header rows are columns' business; see `column_header`.
            ROW => return (!self.is_header_row(parent)).then_some(parent),
            _ => {}
        }
        let mut scope = parent;
        while let Some(outer) = self.parent(scope)
            && self.is_wrapper(scope, heading)
        {
            scope = outer;
        }
        Some(scope)
    }

    /// Whether an element around a heading is a part of the heading: no section of its own, no
    /// other block inside, little other text.
    fn is_wrapper(&self, element: NodeId, heading: NodeId) -> bool {
        #[rustfmt::skip]
        let may_wrap = matches!(
            self.tag(element),
            Some(Tag::DIV | Tag::HEADER | Tag::HGROUP | Tag::SPAN | Tag::A | Tag::CENTER
                | Tag::BUTTON | Tag::SUMMARY | Tag::B | Tag::FONT)
        );
        let part = |node: NodeId| self.contains(node, heading) || self.contains(heading, node);
        let is_block = |node: NodeId| self.tag(node).is_some_and(Tag::is_block);
        may_wrap
            && self.subtree_size(element) < WRAPPER_NODES
            && !self.descendants(element).any(|node| is_block(node) && !part(node))
            && self.folded_chars(element) <= self.folded_chars(heading) + WRAPPER_EXTRA_CHARS
    }

    fn is_header_row(&self, row: NodeId) -> bool {
        self.is(row, Tag::TR) && self.child_elements(row).all(|cell| self.is(cell, Tag::TH))
    }

    /// The header above a cell: the cell at the same place in the last row of headers before it.
    fn column_header(&self, cell: NodeId) -> Option<NodeId> {
        let row = self.parent(cell)?;
        let table = self.ancestor_named(cell, Tag::TABLE)?;
        if self.is_header_row(row) {
            return None;
        }
        let column = self.span_before(row, cell);
        let mut header = None;
        for group in self.child_elements(table).take_while(|&group| group < cell) {
            let rows = std::iter::once(group).chain(self.child_elements(group));
            let rows = rows.take_while(|&row| row < cell);
            header = rows.filter(|&row| self.is_header_row(row)).last().or(header);
        }
        let header = header?;
        let mut cells = self.child_elements(header);
        cells.find(|&cell| {
            let start = self.span_before(header, cell);
            (start..start + self.col_span(cell)).contains(&column) && self.has_text(cell)
        })
    }

    fn span_before(&self, row: NodeId, cell: NodeId) -> usize {
        let before = self.child_elements(row).take_while(|&other| other < cell);
        before.map(|cell| self.col_span(cell)).sum()
    }

    fn col_span(&self, cell: NodeId) -> usize {
        let span = self.known_attr(cell, Attr::COLSPAN).and_then(|span| span.trim().parse().ok());
        // The standard's bounds.
        span.unwrap_or(1).clamp(1, 1000)
    }
}

impl Headings<'_> {
    /// The headings in whose scope the node stands, outermost first. Nodes inside a heading are
    /// not in its scope. A table cell's last heading is that of its column, if it has one.
    pub fn of(&self, node: NodeId) -> Vec<NodeId> {
        let mut chain: Vec<Heading> = Vec::new();
        let around = std::iter::once(node).chain(self.document.ancestors(node));
        let mut above: Vec<Heading> = around.flat_map(|scope| self.last_in(scope, node)).collect();
        above.sort_unstable_by_key(|heading| heading.node);
        for heading in above {
            let replaced =
                |last: &Heading| last.scope == heading.scope && last.rank >= heading.rank;
            while chain.last().is_some_and(replaced) {
                chain.pop();
            }
            chain.push(heading);
        }
        let mut chain: Vec<NodeId> = chain.into_iter().map(|heading| heading.node).collect();
        let cell = std::iter::once(node).chain(self.document.ancestors(node));
        let cell = cell.into_iter().find(|&node| self.document.is(node, Tag::TD));
        chain.extend(cell.and_then(|cell| self.document.column_header(cell)));
        chain
    }

    /// Of the headings of a scope before a node, the last of each rank: those before them are replaced by them. Nodes
    /// inside a heading are not in its scope.
    fn last_in(&self, scope: NodeId, node: NodeId) -> Vec<Heading> {
        let own = self.by_scope.get(&scope).map_or(&[][..], Vec::as_slice);
        let before = own.partition_point(|&at| self.found[at].node < node);
        let outside = |&&at: &&usize| !self.document.contains(self.found[at].node, node);
        let last = own[..before].iter().rev().find(outside).copied();
        let chain = std::iter::successors(last, |&at| self.found[at].higher);
        chain.map(|at| self.found[at]).collect()
    }

    /// All headings in document order.
    pub fn all(&self) -> impl Iterator<Item = NodeId> {
        self.found.iter().map(|heading| heading.node)
    }
}
