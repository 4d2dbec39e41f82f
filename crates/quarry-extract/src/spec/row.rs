//! Finds the parts of a page that could be a name with its value. Rows of tables, terms of
//! definition lists, elements of two or three parts, runs of siblings that take turns, lines, and
//! texts with a colon. Generous: what is a specification is decided later, fragment by fragment.
//!
//! Elements are looked at from the last to the first, children before parents, each child once.

use quarry_dom::{Document, NodeId, Tag};

use super::outline::{Outline, Span, TEXT_LOOK};
use super::table;
use crate::page::hash;

/// A name has at most so many characters: longer ones are sentences.
pub(crate) const MAX_NAME_CHARS: u32 = 90;
/// Texts in a name: a word and what a tooltip adds.
const MAX_NAME_LEAVES: usize = 4;
/// A value has at most so many characters; longer ones are prose.
const MAX_VALUE_CHARS: u32 = 2000;
/// Texts in a value.
const MAX_VALUE_LEAVES: usize = 80;

/// How a row is marked up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RowKind {
    /// A `tr`, or cells of it.
    Table,
    /// A column of a table with one row of data below its header.
    Header,
    /// `dt` and `dd`.
    Terms,
    /// An element of two or three parts.
    Parts,
    /// Siblings that take turns.
    Turns,
    /// A text with a colon, or a text that ends in one and what follows it.
    Colon,
}

/// A name with its value, as the page has them.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) kind: RowKind,
    /// The row's element; for rows without one, the element around all of them.
    pub(crate) anchor: NodeId,
    /// Name and value; three where there may be a group before the name; one where a colon parts them.
    pub(crate) cells: Vec<Span>,
    /// The element around this row and its neighbours.
    pub(crate) container: NodeId,
    /// Whether an empty cell stands before the first.
    pub(crate) indented: bool,
    /// The heading row above, in tables.
    pub(crate) section: Option<Span>,
    /// The same for rows that look alike at like places.
    pub(crate) key: u64,
}

/// All rows of a page in document order.
pub(crate) fn rows(outline: &Outline<'_>) -> Vec<Row> {
    let document = outline.document;
    let mut finder = Finder { outline, rows: Vec::new(), inside: vec![0; document.len()] };
    for node in document.all().rev() {
        if !document.is_element(node) || !outline.has_content(node) {
            continue;
        }
        match document.tag(node) {
            Some(Tag::TR | Tag::TBODY | Tag::THEAD | Tag::TFOOT | Tag::BODY | Tag::HTML) => {}
            Some(Tag::TABLE) => {
                finder.accept(node, |f| table::rows(f.outline, node, &f.inside));
            }
            Some(Tag::DL) => {
                finder.accept(node, |f| f.terms(node));
            }
            _ => finder.general(node),
        }
        if let Some(parent) = document.parent(node) {
            finder.inside[parent.index()] += finder.inside[node.index()];
        }
    }
    let mut rows = finder.rows;
    rows.sort_by_key(|row| row.cells[0].first);
    rows
}

struct Finder<'o, 'a> {
    outline: &'o Outline<'a>,
    rows: Vec<Row>,
    /// For each node looked at, the rows inside.
    inside: Vec<u32>,
}

impl Finder<'_, '_> {
    fn document(&self) -> &Document {
        self.outline.document
    }

    /// Takes rows that replace those inside their cells; none leaves everything as it is.
    fn accept(&mut self, node: NodeId, find: impl Fn(&Self) -> Vec<Row>) -> bool {
        let mut found = find(self);
        if found.is_empty() {
            return false;
        }
        let end = self.document().subtree_end(node);
        let start = self.rows.iter().rposition(|row| row.anchor >= end).map_or(0, |at| at + 1);
        let mut spans: Vec<Span> = found.iter().flat_map(|row| row.cells.iter().copied()).collect();
        spans.sort_unstable();
        let mut inner = self.rows.split_off(start);
        inner.retain(|row| {
            let at = row.cells[0].first;
            let next = spans.partition_point(|span| span.first <= at);
            next == 0 || spans[next - 1].end <= at
        });
        self.rows.append(&mut inner);
        self.rows.append(&mut found);
        let count = self.rows.len() - start;
        self.inside[node.index()] = u32::try_from(count).unwrap_or(u32::MAX);
        true
    }

    fn general(&mut self, node: NodeId) {
        let children: Vec<NodeId> = self.outline.content_children(node).collect();
        if let [only] = children[..] {
            if self.document().is_text(only) {
                self.accept(node, |f| {
                    f.colon(f.lifted(node), true, f.outline.span(only)).into_iter().collect()
                });
            }
            return;
        }
        if children.len() < 2 {
            return;
        }
        // The items of a list are no parts of one row.
        if matches!(self.document().tag(node), Some(Tag::UL | Tag::OL)) {
            return;
        }
        let _ = self.accept(node, |f| f.turns(node, &children))
            || self.accept(node, |f| f.lines(node, &children))
            || self.accept(node, |f| f.parts(node, &children).into_iter().collect());
    }

    /// The highest element that holds nothing but this one.
    fn lifted(&self, mut node: NodeId) -> NodeId {
        let range = self.outline.leaf_range(self.outline.span(node));
        while let Some(parent) = self.document().parent(node) {
            let stop = matches!(
                self.document().tag(parent),
                None | Some(Tag::BODY | Tag::TABLE | Tag::UL | Tag::OL)
            );
            if stop || self.outline.leaf_range(self.outline.span(parent)) != range {
                break;
            }
            node = parent;
        }
        node
    }

    fn row(&self, kind: RowKind, anchor: NodeId, container: NodeId, cells: Vec<Span>) -> Row {
        let look = self.outline.look[cells[0].first.index()];
        let place = hash::then(kind as u64, self.outline.path[anchor.index()]);
        let key = hash::then(place, look);
        Row { kind, anchor, cells, container, indented: false, section: None, key }
    }

    /// A row that is an element of its own.
    fn own_row(&self, kind: RowKind, anchor: NodeId, cells: Vec<Span>) -> Row {
        let container = self.document().parent(anchor).unwrap_or(anchor);
        self.row(kind, anchor, container, cells)
    }

    fn colon(&self, anchor: NodeId, own: bool, span: Span) -> Option<Row> {
        let name = colon_name(self.outline, span)?;
        let good = !name.is_empty() && name.chars().count() <= MAX_NAME_CHARS as usize;
        if !good || !value_fits(self.outline, span) {
            return None;
        }
        let cells = vec![span];
        Some(if own {
            self.own_row(RowKind::Colon, anchor, cells)
        } else {
            self.row(RowKind::Colon, anchor, anchor, cells)
        })
    }

    /// `dt` and `dd`, each pair perhaps in an element of its own.
    fn terms(&self, list: NodeId) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut term: Option<NodeId> = None;
        for node in self.outline.content_children(list) {
            let group = self.document().is(node, Tag::DIV);
            let parts: Vec<NodeId> =
                if group { self.outline.content_children(node).collect() } else { vec![node] };
            for part in parts {
                if self.document().is(part, Tag::DT) {
                    term = Some(part);
                } else if let Some(name) = term
                    && self.document().is(part, Tag::DD)
                {
                    let cells = vec![self.outline.span(name), self.outline.span(part)];
                    if pair_fits(self.outline, &cells) && self.inside[part.index()] < 2 {
                        rows.push(self.row(RowKind::Terms, list, list, cells));
                    }
                }
            }
        }
        rows
    }

    /// Siblings that take turns: every name of one look is followed by something of another.
    fn turns(&self, node: NodeId, children: &[NodeId]) -> Vec<Row> {
        if children.len() < 4 {
            return Vec::new();
        }
        let mut tried: Vec<u64> = Vec::new();
        for &first in children.iter().take(3) {
            let look = self.outline.look[first.index()];
            if look == TEXT_LOOK || tried.contains(&look) {
                continue;
            }
            tried.push(look);
            let is_name = |child: NodeId| self.outline.look[child.index()] == look;
            let rows = self.take_turns(node, children, is_name);
            if rows.len() >= 2 && rows.len() > self.inside[node.index()] as usize {
                return rows;
            }
        }
        let same = children
            .windows(2)
            .all(|two| self.outline.look[two[0].index()] == self.outline.look[two[1].index()]);
        let ends = |child: &NodeId| ends_in_colon(&self.outline.text(self.outline.span(*child)));
        if same
            && children.len().is_multiple_of(2)
            && children.len() <= 200
            && children.iter().step_by(2).all(ends)
        {
            let names: Vec<NodeId> = children.iter().copied().step_by(2).collect();
            return self.take_turns(node, children, |child| names.contains(&child));
        }
        Vec::new()
    }

    fn take_turns(
        &self,
        node: NodeId,
        children: &[NodeId],
        is_name: impl Fn(NodeId) -> bool,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        let (mut names, mut marked, mut plain_text) = (0, 0, 0);
        let mut at = 0;
        while at < children.len() {
            let name = children[at];
            at += 1;
            if !is_name(name) {
                continue;
            }
            names += 1;
            let first = at;
            while at < children.len() && !is_name(children[at]) {
                at += 1;
            }
            if first == at {
                // An empty element behind it is its value: nothing, and not what comes after the next name.
                names -= usize::from(self.is_empty_behind(name));
                continue;
            }
            let text = self.outline.text(self.outline.span(name));
            let after = self.outline.document.text(children[first]).trim_start();
            marked +=
                u32::from(ends_in_colon(&text) || after.starts_with(':') || self.after_break(name));
            plain_text += u32::from(self.outline.look[children[first].index()] == TEXT_LOOK);
            let end = self.end_of_line(name, children[first], children[at - 1]);
            let cells = vec![self.outline.span(name), Span { first: children[first], end }];
            let inner: u32 =
                children[first..at].iter().map(|child| self.inside[child.index()]).sum();
            if inner < 2 && pair_fits(self.outline, &cells) {
                rows.push(self.row(RowKind::Turns, node, node, cells));
            }
        }
        // Each name has its value; names before bare text are marked, or this is prose with bold words.
        let regular = rows.len() * 3 >= names * 2;
        let prose = plain_text > 0 && marked * 3 < names as u32 * 2;
        if regular && !prose { rows } else { Vec::new() }
    }

    /// Whether an element without content stands directly behind a name.
    fn is_empty_behind(&self, name: NodeId) -> bool {
        let document = self.document();
        let behind =
            std::iter::successors(document.next_sibling(name), |&node| document.next_sibling(node));
        let element = behind.into_iter().find(|&node| document.is_element(node));
        element.is_some_and(|node| !document.is(node, Tag::BR) && !self.outline.has_content(node))
    }

    fn after_break(&self, node: NodeId) -> bool {
        let before = self.document().prev_sibling(node);
        before.is_none_or(|before| {
            self.document().is(before, Tag::BR)
                || (self.document().text(before).trim().is_empty()
                    && self
                        .document()
                        .prev_sibling(before)
                        .is_none_or(|b| self.document().is(b, Tag::BR)))
        })
    }

    /// The end of a value: where its line ends, if the name began one.
    fn end_of_line(&self, name: NodeId, first: NodeId, last: NodeId) -> NodeId {
        let end = self.document().subtree_end(last);
        // A name on a line of its own stands over several lines.
        if !self.after_break(name) || self.break_between(self.document().subtree_end(name), first) {
            return end;
        }
        let mut at = first;
        while at < end {
            let next = self.document().subtree_end(at);
            if next < end && self.document().is(next, Tag::BR) {
                return next;
            }
            at = next;
        }
        end
    }

    /// Lines parted by `br`, each a text with a colon and what follows it.
    fn lines(&self, node: NodeId, children: &[NodeId]) -> Vec<Row> {
        let document = self.document();
        if !document.child_elements(node).any(|child| document.is(child, Tag::BR)) {
            return Vec::new();
        }
        let mut rows = Vec::new();
        let mut lines = 0;
        let mut at = 0;
        while at < children.len() {
            let first = children[at];
            let mut end = document.subtree_end(first);
            at += 1;
            // The line goes on until a `br` stands between two children.
            while at < children.len() && !self.break_between(end, children[at]) {
                end = document.subtree_end(children[at]);
                at += 1;
            }
            lines += 1;
            let span = Span { first, end };
            rows.extend(self.colon(node, false, span));
        }
        if rows.len() * 2 > lines && rows.len() > self.inside[node.index()] as usize {
            rows
        } else {
            Vec::new()
        }
    }

    fn break_between(&self, mut from: NodeId, to: NodeId) -> bool {
        while from < to {
            if self.document().is(from, Tag::BR) {
                return true;
            }
            from = self.document().subtree_end(from);
        }
        false
    }

    /// An element of a name and a value, or of a group, a name and a value.
    fn parts(&self, node: NodeId, children: &[NodeId]) -> Option<Row> {
        let outline = self.outline;
        let inside = self.inside[node.index()];
        if inside > 1 || children.len() > 12 {
            return None;
        }
        let anchor = self.lifted(node);
        let whole =
            Span { first: children[0], end: self.document().subtree_end(*children.last()?) };
        let first = outline.span(children[0]);
        let name = outline.text(first);
        let colon = ends_in_colon(&name);
        if inside == 1 && !colon {
            return None;
        }
        if self.document().is_text(children[0]) && (colon || children.len() != 2) {
            return self.colon(anchor, true, whole);
        }
        let rest = Span { first: children[1], end: whole.end };
        let follows = outline.document.text(children[1]).trim_start().starts_with(':');
        let cells = match children.len() {
            2 => vec![first, rest],
            _ if colon || follows => vec![first, rest],
            3 if children.iter().all(|&child| self.document().is_element(child)) => {
                children.iter().map(|&child| outline.span(child)).collect()
            }
            _ => return None,
        };
        let leads_on = |cell: Span| outline.linked_chars(cell) == outline.chars(cell);
        // A menu, or the way to this page: `Home > Houses > 7 Mill Lane`.
        let is_way = cells.len() == 3 && leads_on(cells[1]);
        let menu = !colon && leads_on(first) && (is_way || outline.links(rest) >= 2);
        // Two links that look alike are two values of what stands before both: neither names the other.
        let look = |cell: Span| outline.look[cell.first.index()];
        let alike = !colon && cells.len() == 2 && look(cells[0]) == look(cells[1]);
        let menu = menu || (alike && cells.iter().all(|&cell| leads_on(cell)));
        (!menu && pair_fits(outline, &cells)).then(|| self.own_row(RowKind::Parts, anchor, cells))
    }
}

/// Whether a text ends as names do.
pub(crate) fn ends_in_colon(text: &str) -> bool {
    text.trim_end().ends_with([':', '：', '='])
}

/// Whether the first cells can be names and the last a value.
pub(crate) fn pair_fits(outline: &Outline<'_>, cells: &[Span]) -> bool {
    let Some((value, names)) = cells.split_last() else { return false };
    // A box to tick beside each of two texts: both are choices, neither names the other.
    let choices = cells.iter().all(|&cell| outline.controls(cell) > 0);
    !choices && names.iter().all(|&name| name_fits(outline, name)) && value_fits(outline, *value)
}

pub(crate) fn name_fits(outline: &Outline<'_>, span: Span) -> bool {
    let leaves = outline.leaves_of(span);
    let chars = outline.chars(span);
    leaves.len() <= MAX_NAME_LEAVES && chars > 0 && chars <= MAX_NAME_CHARS
}

fn value_fits(outline: &Outline<'_>, span: Span) -> bool {
    let leaves = outline.leaves_of(span).len();
    (1..=MAX_VALUE_LEAVES).contains(&leaves)
        && outline.chars(span) <= MAX_VALUE_CHARS
        && !holds_grid(outline, span)
}

/// Whether a part of the page has a table of several rows and columns: a name over it is the title of a table, and its cells are
/// no values of that name.
fn holds_grid(outline: &Outline<'_>, span: Span) -> bool {
    let document = outline.document;
    let is_row = |&node: &NodeId| {
        document.is(node, Tag::TR) && outline.content_children(node).nth(1).is_some()
    };
    (span.first.0..span.end.0).map(NodeId).filter(is_row).nth(1).is_some()
}

/// The name in a text whose first piece has a colon or an equals sign after it; `None` where it has none.
pub(crate) fn colon_name(outline: &Outline<'_>, span: Span) -> Option<String> {
    let leaf = outline.leaves_of(span).iter().find(|leaf| !leaf.icon)?;
    let text = outline.document.text(leaf.node);
    let at = split_at(text)?;
    let after = text[at..].trim_start_matches([':', '：', '=']);
    let more =
        after.chars().any(super::outline::says_something) || outline.leaf_range(span).len() > 1;
    let name = quarry_dom::fold_whitespace(&text[..at]).into_owned();
    let worded = name.chars().any(char::is_alphabetic);
    let sentence = name.contains(". ") || name.split(' ').count() > 8;
    (more && worded && !sentence).then_some(name)
}

/// Where the name ends: at the first colon that is no part of a time, an address or a ratio, or at an equals sign.
pub(crate) fn split_at(text: &str) -> Option<usize> {
    for (at, char) in text.char_indices() {
        let after = &text[at + char.len_utf8()..];
        match char {
            '：' => return Some(at),
            ':' => {
                let address = after.starts_with("//");
                let digits = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
                let ratio = digits(text[..at].chars().next_back()) && digits(after.chars().next());
                return (!address && !ratio).then_some(at);
            }
            '=' => return (!after.starts_with('=')).then_some(at),
            '?' | '!' => return None,
            _ => {}
        }
    }
    None
}
