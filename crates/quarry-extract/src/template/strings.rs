//! Cuts a record into data strings and the template strings around them. The tag string of a
//! record, cut into template strings (tags) and data strings (texts), decorative tags aside (paper
//! §4.1.3, §4.2).

use quarry_dom::{Document, NodeId, Tag};

use super::forest::{EMPTY_PATH, Forest, Item, NO_PARENT, Names, below};
use crate::page::hash;
use quarry_value::{self as value, ValueKind};

/// A tag of a template string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TagToken {
    /// The hash of the element's name.
    pub(crate) name: u64,
    /// The hash of name and classes.
    pub(crate) step: u64,
    /// Whether it is the end tag.
    pub(crate) closes: bool,
}

/// A text between two template strings.
#[derive(Clone, Debug)]
pub(crate) struct DataString {
    pub(crate) text: String,
    pub(crate) kind: ValueKind,
    /// Where it stands: the steps from the record's root, decorative tags aside.
    pub(crate) path: u64,
    /// The text nodes that it was made of.
    pub(crate) nodes: Vec<NodeId>,
    /// The template string before it: a range of [`Strings::tags`].
    pub(crate) left: (usize, usize),
    /// The template string behind it.
    pub(crate) right: (usize, usize),
    /// Its relative position in the tag string (paper: pos).
    pub(crate) position: f64,
}

/// A record as its data strings and template strings.
#[derive(Clone)]
pub(crate) struct Strings {
    pub(crate) strings: Vec<DataString>,
    pub(crate) tags: Vec<TagToken>,
}

/// Tags of a template string that count; the nearest to the data string say most.
const MAX_TAGS: usize = 16;

impl Strings {
    /// The nearest tags before a data string.
    pub(crate) fn left(&self, string: &DataString) -> &[TagToken] {
        let (start, end) = string.left;
        &self.tags[start.max(end.saturating_sub(MAX_TAGS))..end]
    }

    /// The nearest tags behind a data string.
    pub(crate) fn right(&self, string: &DataString) -> &[TagToken] {
        let (start, end) = string.right;
        &self.tags[start..end.min(start + MAX_TAGS)]
    }

    /// The tag right behind a data string. Further ones only say whether it is the last of a list.
    pub(crate) fn next_tag(&self, string: &DataString) -> &[TagToken] {
        let (start, end) = string.right;
        &self.tags[start..end.min(start + 1)]
    }
}

/// The hash of a template string.
pub(crate) fn tags_hash(tags: &[TagToken]) -> u64 {
    let token = |tag: &TagToken| hash::then(tag.step, u64::from(tag.closes));
    tags.iter().fold(0, |all, tag| hash::then(all, token(tag)))
}

/// A template string as text, `</a><p class>` in the short form `</a><p.class>`.
pub(crate) fn tags_text(tags: &[TagToken], names: &Names) -> String {
    let mut text = String::new();
    for tag in tags {
        text.push_str(if tag.closes { "</" } else { "<" });
        text.push_str(names.step_text(tag.step));
        text.push('>');
    }
    text
}

/// The hash of a template string as [`tags_text`] writes it.
pub(crate) fn tags_text_hash(text: &str) -> u64 {
    let mut all = 0;
    for tag in text.split('>').filter(|tag| !tag.is_empty()) {
        let tag = tag.strip_prefix('<').unwrap_or(tag);
        let (step, closes) = match tag.strip_prefix('/') {
            Some(step) => (step, true),
            None => (tag, false),
        };
        all = hash::then(all, hash::then(hash::of(step), u64::from(closes)));
    }
    all
}

/// A path that no item has: decorative tags above it are gone.
pub(crate) struct Lifted {
    pub(crate) path: u64,
    pub(crate) above: u64,
    pub(crate) step: u64,
}

/// Cuts a record into strings; tags that are `decorative` (told their item and the path around them) are replaced by
/// what they hold. Notes the paths that change by that.
pub(crate) fn strings(
    forest: &Forest<'_>,
    decorative: impl Fn(&Item, u64) -> bool,
    changed: &mut Vec<Lifted>,
) -> Strings {
    let document = forest.document;
    let mut gone = vec![false; forest.items.len()];
    let texts = forest.items.iter().filter(|item| item.is_text).count();
    let tags = 2 * (forest.items.len() - texts);
    let mut found = Strings { strings: Vec::with_capacity(texts), tags: Vec::with_capacity(tags) };
    // For each item the path that counts when decorative tags are gone.
    let mut lifted: Vec<u64> = Vec::with_capacity(forest.items.len());
    // Elements that are open: their position and whether they stay.
    let mut open: Vec<usize> = Vec::new();
    // Where the current template string began, and whether a text may still be continued.
    let mut start = 0;
    let mut joins = false;
    let mut space = false;
    let close = |found: &mut Strings, joins: &mut bool, space: &mut bool, at: usize, gone: bool| {
        let item = &forest.items[at];
        // Space matters only while a text may be continued.
        *space |= *joins && breaks(forest, at);
        if !gone {
            found.tags.push(TagToken { name: item.name, step: item.step, closes: true });
            *joins = false;
        }
    };
    for (at, item) in forest.items.iter().enumerate() {
        while let Some(&last) = open.last()
            && forest.items[last].end as usize <= at
        {
            open.pop();
            close(&mut found, &mut joins, &mut space, last, gone[last]);
        }
        let above = match item.parent {
            NO_PARENT => EMPTY_PATH,
            parent => lifted[parent as usize],
        };
        if item.is_text {
            lifted.push(above);
            let raw = document.text(item.node);
            let folded = quarry_dom::fold_whitespace(raw);
            if !joins && is_separator(&folded) && !is_alone_in_cell(document, item.node) {
                continue;
            }
            if joins && let Some(last) = found.strings.last_mut() {
                if space || raw.starts_with(char::is_whitespace) || ends_in_space(forest, last) {
                    last.text.push(' ');
                }
                last.text.push_str(&folded);
                last.nodes.push(item.node);
            } else {
                let path = below(above, item.step);
                if path != item.path {
                    changed.push(Lifted { path, above, step: item.step });
                }
                let left = (start, found.tags.len());
                start = found.tags.len();
                if let Some(last) = found.strings.last_mut() {
                    last.right = left;
                }
                found.strings.push(DataString {
                    text: folded.into_owned(),
                    kind: ValueKind::Text,
                    path,
                    nodes: vec![item.node],
                    left,
                    right: (start, start),
                    position: 0.0,
                });
            }
            joins = true;
            space = false;
            continue;
        }
        open.push(at);
        space |= joins && breaks(forest, at);
        if decorative(item, above) {
            gone[at] = true;
            lifted.push(above);
            continue;
        }
        let path = below(above, item.step);
        if path != item.path {
            changed.push(Lifted { path, above, step: item.step });
        }
        lifted.push(path);
        found.tags.push(TagToken { name: item.name, step: item.step, closes: false });
        joins = false;
    }
    while let Some(last) = open.pop() {
        close(&mut found, &mut joins, &mut space, last, gone[last]);
    }
    let end = found.tags.len();
    if let Some(last) = found.strings.last_mut() {
        last.right = (start, end);
    }
    // The tag string is t d t d … t, each of length 1 (paper §4.2).
    let length = (2 * found.strings.len() + 1) as f64;
    for (number, string) in found.strings.iter_mut().enumerate() {
        string.kind = value::kind(&string.text);
        string.position = (2 * number + 2) as f64 / length;
    }
    found
}

/// Whether a text is only punctuation, as bars and dots between values are: template, not data (paper §3.3.2).
fn is_separator(text: &str) -> bool {
    let marks = ['–', '—', '…', '·', '•', '|', '‹', '›', '«', '»', '→', '\u{a0}'];
    text.chars().all(|char| {
        char.is_ascii_punctuation() && char != '$' || char == ' ' || marks.contains(&char)
    })
}

/// Whether the text is all that a table cell holds: `---` there is a value that is missing.
fn is_alone_in_cell(document: &Document, text: NodeId) -> bool {
    document.parent(text).is_some_and(|parent| {
        let cell = matches!(document.tag(parent), Some(Tag::TD | Tag::DD));
        cell && document.children(parent).filter(|&child| document.has_text(child)).count() == 1
    })
}

/// Whether words on the two sides of the element's tag are apart on the screen.
fn breaks(forest: &Forest<'_>, at: usize) -> bool {
    let inline = [
        Tag::A,
        Tag::ABBR,
        Tag::ACRONYM,
        Tag::B,
        Tag::BDI,
        Tag::BDO,
        Tag::BIG,
        Tag::CITE,
        Tag::CODE,
        Tag::DEL,
        Tag::DFN,
        Tag::EM,
        Tag::FONT,
        Tag::I,
        Tag::INS,
        Tag::KBD,
        Tag::MARK,
        Tag::NOBR,
        Tag::Q,
        Tag::S,
        Tag::SAMP,
        Tag::SMALL,
        Tag::SPAN,
        Tag::STRIKE,
        Tag::STRONG,
        Tag::SUB,
        Tag::SUP,
        Tag::TIME,
        Tag::TT,
        Tag::U,
        Tag::VAR,
        Tag::WBR,
    ];
    let tag = forest.document.tag(forest.items[at].node);
    !tag.is_some_and(|tag| inline.contains(&tag))
}

fn ends_in_space(forest: &Forest<'_>, string: &DataString) -> bool {
    let last = string.nodes.last().map(|&node| forest.document.text(node));
    last.is_some_and(|text| text.ends_with(char::is_whitespace))
}
