//! Splits each row into name and value. The first part is the name (paper §4.2), unless class names
//! or a colon say that the value stands first; of three parts the first may be a group of names.
//! Values that are lists of items or links give a pair each.

use std::collections::BTreeSet;

use quarry_dom::{NodeId, Tag};

use super::outline::{Outline, Span};
use super::row::{Row, RowKind, ends_in_colon, split_at};
use super::words;

/// A name and a value of a fragment.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) name_node: NodeId,
    pub(crate) value_node: NodeId,
    /// The attribute that the value was read from, if it is not text.
    pub(crate) attribute: Option<&'static str>,
    /// The heading above, or the group that the name stands in.
    pub(crate) section: Option<String>,
    /// Which of several values of the name this is, from 1; 0 where there is one.
    pub(crate) item: usize,
}

/// The share of rows whose first of three parts is new, above which it is a name and no group.
const GROUP_NEWS: f64 = 0.8;

/// The pairs of rows that belong together; `turned`: the second of two parts is the name.
pub(crate) fn pairs(outline: &Outline<'_>, rows: &[Row], turned: bool) -> Vec<Pair> {
    let grouped = first_is_group(outline, rows);
    let mut found: Vec<Pair> = Vec::new();
    let mut group: Option<String> = None;
    for row in rows {
        let mut section = row.section.map(|span| outline.text(span));
        let (name, value) = match row.cells[..] {
            [only] => {
                push_colon(outline, only, section, &mut found);
                continue;
            }
            [first, name, value] if grouped => {
                group = Some(clean_name(&outline.text(first)));
                (name, value)
            }
            [name, value] if turned => (value, name),
            [name, value] => (name, value),
            [name, .., last] => (name, Span { first: row.cells[1].first, end: last.end }),
            [] => continue,
        };
        if row.cells.len() == 3 || row.indented {
            section = group.clone().or(section);
        }
        let values = lines(outline, row, value);
        push(outline, name, &values, section, &mut found);
    }
    found
}

fn push(
    outline: &Outline<'_>,
    name_span: Span,
    values: &[Span],
    section: Option<String>,
    found: &mut Vec<Pair>,
) {
    let name = clean_name(&outline.text(name_span));
    if !name.chars().any(char::is_alphabetic) {
        return;
    }
    let items: Vec<Span> = values.iter().flat_map(|&value| items(outline, value)).collect();
    let several = items.len() > 1;
    for (number, span) in items.into_iter().enumerate() {
        let (value, attribute) = outline.meaning(span);
        let value = clean_value(&value);
        if !value.is_empty() {
            found.push(Pair {
                name: name.clone(),
                value,
                name_node: settled(outline, name_span),
                value_node: settled(outline, span),
                attribute,
                section: section.clone(),
                item: if several { number + 1 } else { 0 },
            });
        }
    }
}

/// The lines of a value whose name has a line of its own, else the value as it is.
fn lines(outline: &Outline<'_>, row: &Row, value: Span) -> Vec<Span> {
    let document = outline.document;
    let siblings = |span: Span| {
        let next =
            move |&node: &NodeId| Some(document.subtree_end(node)).filter(|&node| node < span.end);
        std::iter::successors(Some(span.first).filter(|&first| first < span.end), next)
    };
    let name = row.cells[0];
    let between = Span { first: name.end, end: value.first };
    let is_break = |node: NodeId| document.is(node, Tag::BR);
    if row.kind != RowKind::Turns || name.end > value.first || !siblings(between).any(is_break) {
        return vec![value];
    }
    let mut found: Vec<Span> = Vec::new();
    let mut line: Option<Span> = None;
    for node in siblings(value) {
        if is_break(node) {
            found.extend(line.take());
        } else {
            let end = document.subtree_end(node);
            line = Some(Span { first: line.map_or(node, |line| line.first), end });
        }
    }
    found.extend(line);
    found.retain(|&line| !outline.leaves_of(line).is_empty());
    if found.is_empty() { vec![value] } else { found }
}

/// A text with a colon: the name before it, the value behind it.
fn push_colon(outline: &Outline<'_>, span: Span, section: Option<String>, found: &mut Vec<Pair>) {
    let Some(leaf) = outline.leaves_of(span).iter().find(|leaf| !leaf.icon) else { return };
    let text = outline.document.text(leaf.node);
    let Some(at) = split_at(text) else { return };
    let name = clean_name(&quarry_dom::fold_whitespace(&text[..at]));
    if !name.chars().any(char::is_alphabetic) {
        return;
    }
    let behind =
        quarry_dom::fold_whitespace(text[at..].trim_start_matches([':', '：', '='])).into_owned();
    let next = outline.document.subtree_end(leaf.node);
    let rest = Span { first: next, end: span.end.max(next) };
    let in_text = behind.chars().any(super::outline::says_something);
    if !in_text {
        let before = found.len();
        push(outline, outline.span(leaf.node), &[rest], section, found);
        for pair in &mut found[before..] {
            pair.name.clone_from(&name);
        }
        return;
    }
    let more = outline.text(rest);
    let value = if more.is_empty() { behind } else { format!("{behind} {more}") };
    found.push(Pair {
        name,
        value: clean_value(&value),
        name_node: leaf.node,
        value_node: leaf.node,
        attribute: None,
        section,
        item: 0,
    });
}

/// Whether the first of three parts repeats, or is left empty, from row to row: then it names a group.
fn first_is_group(outline: &Outline<'_>, rows: &[Row]) -> bool {
    let firsts: Vec<String> = rows
        .iter()
        .filter(|row| row.cells.len() == 3)
        .map(|row| outline.text(row.cells[0]))
        .collect();
    if firsts.is_empty() {
        return false;
    }
    let distinct = firsts.iter().collect::<BTreeSet<_>>().len();
    rows.iter().any(|row| row.cells.len() == 2 && row.indented)
        || (firsts.len() > 1 && (distinct as f64) < GROUP_NEWS * firsts.len() as f64)
}

/// Whether classes or colons say that the second part is the name.
pub(crate) fn value_stands_first(outline: &Outline<'_>, rows: &[Row]) -> bool {
    let two: Vec<&Row> = rows.iter().filter(|row| row.cells.len() == 2).collect();
    let Some(row) = two.first() else { return false };
    if matches!(row.kind, RowKind::Terms | RowKind::Header) {
        return false;
    }
    let roles = [0, 1].map(|at| role(outline, row.cells[at]));
    if roles == [Some(false), Some(true)] {
        return true;
    }
    let colon =
        |at: usize| two.iter().filter(|row| ends_in_colon(&outline.text(row.cells[at]))).count();
    two.len() > 1 && colon(1) == two.len() && colon(0) == 0
}

/// What the classes of a part say: names or values.
fn role(outline: &Outline<'_>, span: Span) -> Option<bool> {
    let document = outline.document;
    let mut node = span.first;
    loop {
        if let Some(role) = document.classes(node).find_map(words::class_role) {
            return Some(role);
        }
        let mut inner = document.child_elements(node);
        match (inner.next(), inner.next()) {
            (Some(only), None) => node = only,
            _ => return None,
        }
    }
}

/// The items of a value that is a list of them, else the value itself.
fn items(outline: &Outline<'_>, span: Span) -> Vec<Span> {
    let document = outline.document;
    let mut items: Vec<NodeId> = Vec::new();
    for leaf in outline.leaves_of(span) {
        let around = document.ancestors(leaf.node).take_while(|&node| node >= span.first);
        let item =
            around.filter(|&node| document.is(node, Tag::LI) || document.is(node, Tag::A)).last();
        match item {
            Some(item) if items.last() != Some(&item) => items.push(item),
            Some(_) => {}
            None if is_joint(document.text(leaf.node)) => {}
            None => return vec![span],
        }
    }
    if items.len() < 2 {
        vec![span]
    } else {
        items.into_iter().map(|item| outline.span(item)).collect()
    }
}

/// Words that join the items of a list.
fn is_joint(text: &str) -> bool {
    let word = text.trim_matches(|char: char| !char.is_alphanumeric());
    matches!(
        word.to_lowercase().as_str(),
        "" | "and" | "und" | "et" | "y" | "e" | "en" | "or" | "oder"
    )
}

/// The innermost node that holds all of a part: what its path points to.
fn settled(outline: &Outline<'_>, span: Span) -> NodeId {
    let leaves = outline.leaves_of(span);
    let Some(leaf) = leaves.first() else { return span.first };
    if outline.document.subtree_end(span.first) >= span.end || leaves.len() > 1 {
        return span.first;
    }
    leaf.node
}

/// A name without the marks around it.
pub(crate) fn clean_name(name: &str) -> String {
    let name = name.trim_start_matches(['•', '·', '*', '-', '–', '»', '›', ' ']);
    name.trim_end_matches([':', '：', '=', ' ', '\u{a0}']).to_owned()
}

/// A value without the mark before it.
pub(crate) fn clean_value(value: &str) -> String {
    value.trim_start_matches([':', '：', '=']).trim().to_owned()
}
