//! The texts of a page, tabs and folded parts included. Specifications often stand in parts that a script
//! shows later, so a text counts here unless its element is never read: scripts, styles, controls.
//!
//! One pass; afterwards sums over any subtree take constant time.

use quarry_dom::{Attr, Document, Kind, Namespace, NodeId, Tag};

use super::words;
use crate::page::hash;

/// A text that says something, or a picture or sign with a meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) node: NodeId,
    pub(crate) chars: u32,
    pub(crate) linked: bool,
    /// Not a text: an image with `alt` or `title`, or an empty element whose class says yes or no.
    pub(crate) icon: bool,
}

/// Neighbouring nodes of one parent, as a range of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) first: NodeId,
    pub(crate) end: NodeId,
}

/// One page, looked over once.
pub(crate) struct Outline<'a> {
    pub(crate) document: &'a Document,
    pub(crate) leaves: Vec<Leaf>,
    /// The names of the elements from `html` to the element.
    pub(crate) path: Vec<u64>,
    /// The element's name and classes, digits aside; 1 for texts.
    pub(crate) look: Vec<u64>,
    /// For each node and the end, what stands before it.
    before: Vec<Sum>,
}

/// What stands before a node.
#[derive(Clone, Copy, Default, Debug)]
struct Sum {
    leaves: u32,
    chars: u32,
    linked: u32,
    controls: u32,
    images: u32,
    links: u32,
}

/// What [`Outline::look`] has for texts.
pub(crate) const TEXT_LOOK: u64 = 1;

impl<'a> Outline<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        let nodes = document.len();
        let mut outline = Self {
            document,
            leaves: Vec::new(),
            path: vec![0; nodes],
            look: vec![TEXT_LOOK; nodes],
            before: vec![Sum::default(); nodes + 1],
        };
        let mut link_end = 0;
        let mut sum = Sum::default();
        let mut at = 0;
        let all = u32::try_from(nodes).expect("node ids have 32 bits");
        while at < all {
            let node = NodeId(at);
            let mut end = at + 1;
            outline.before[node.index()] = sum;
            match document.kind(node) {
                Kind::Element => {
                    sum.controls += u32::from(is_control(document, node));
                    sum.images += u32::from(document.is(node, Tag::IMG));
                    if document.is(node, Tag::A) {
                        sum.links += 1;
                        link_end = document.subtree_end(node).0;
                    }
                    outline.look_at(node);
                    if is_unread(document, node) {
                        end = document.subtree_end(node).0;
                    } else if icon_text(document, node).is_some() {
                        let leaf = Leaf { node, chars: 0, linked: at < link_end, icon: true };
                        outline.add(leaf, &mut sum);
                    }
                }
                Kind::Text => {
                    let chars = said(document.text(node));
                    if chars > 0 {
                        let leaf = Leaf { node, chars, linked: at < link_end, icon: false };
                        outline.add(leaf, &mut sum);
                    }
                }
                Kind::Document | Kind::Comment => {}
            }
            for inner in at + 1..end {
                outline.before[inner as usize] = sum;
            }
            at = end;
        }
        outline.before[nodes] = sum;
        outline
    }

    fn look_at(&mut self, node: NodeId) {
        let document = self.document;
        let name = hash::of(document.tag_name(node));
        let parent = document.parent(node).map_or(0, NodeId::index);
        self.path[node.index()] = hash::then(self.path[parent], name);
        let classes = hash::of_set(document.classes(node).filter_map(class_hash));
        self.look[node.index()] = hash::then(name, classes);
    }

    fn add(&mut self, leaf: Leaf, sum: &mut Sum) {
        sum.leaves += 1;
        sum.chars = sum.chars.saturating_add(leaf.chars);
        if leaf.linked {
            sum.linked = sum.linked.saturating_add(leaf.chars);
        }
        self.leaves.push(leaf);
    }

    /// The node alone.
    pub(crate) fn span(&self, node: NodeId) -> Span {
        Span { first: node, end: self.document.subtree_end(node) }
    }

    fn both(&self, span: Span) -> (Sum, Sum) {
        (self.before[span.first.index()], self.before[span.end.max(span.first).index()])
    }

    /// The positions of the span's leaves.
    pub(crate) fn leaf_range(&self, span: Span) -> std::ops::Range<usize> {
        let (from, to) = self.both(span);
        from.leaves as usize..to.leaves as usize
    }

    pub(crate) fn leaves_of(&self, span: Span) -> &[Leaf] {
        &self.leaves[self.leaf_range(span)]
    }

    pub(crate) fn has_content(&self, node: NodeId) -> bool {
        !self.leaf_range(self.span(node)).is_empty()
    }

    pub(crate) fn chars(&self, span: Span) -> u32 {
        let (from, to) = self.both(span);
        to.chars - from.chars
    }

    pub(crate) fn linked_chars(&self, span: Span) -> u32 {
        let (from, to) = self.both(span);
        to.linked - from.linked
    }

    pub(crate) fn controls(&self, span: Span) -> u32 {
        let (from, to) = self.both(span);
        to.controls - from.controls
    }

    pub(crate) fn images(&self, span: Span) -> u32 {
        let (from, to) = self.both(span);
        to.images - from.images
    }

    pub(crate) fn links(&self, span: Span) -> u32 {
        let (from, to) = self.both(span);
        to.links - from.links
    }

    /// The children that say something.
    pub(crate) fn content_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.document.children(node).filter(|&child| self.has_content(child))
    }

    /// The text of a span, white space folded, block boundaries parting words.
    pub(crate) fn text(&self, span: Span) -> String {
        let mut text = String::new();
        let mut blocks: Vec<u32> = Vec::new();
        let mut space = false;
        let mut at = span.first.0;
        while at < span.end.0 {
            let node = NodeId(at);
            while blocks.last().is_some_and(|&end| at >= end) {
                blocks.pop();
                space = true;
            }
            match self.document.kind(node) {
                Kind::Element if is_unread(self.document, node) => {
                    at = self.document.subtree_end(node).0;
                    continue;
                }
                Kind::Element => {
                    let tag = self.document.tag(node);
                    if tag == Some(Tag::BR) || tag.is_some_and(Tag::is_block) {
                        space = true;
                        blocks.push(self.document.subtree_end(node).0);
                    }
                }
                Kind::Text => push_folded(self.document.text(node), &mut space, &mut text),
                Kind::Document | Kind::Comment => {}
            }
            at += 1;
        }
        text
    }

    /// The text of a span or, where it has none, what its icon says, with the attribute that said it.
    pub(crate) fn meaning(&self, span: Span) -> (String, Option<&'static str>) {
        let text = self.text(span);
        if text.chars().any(says_something) {
            return (text, None);
        }
        let icons = self.leaves_of(span).iter().filter(|leaf| leaf.icon);
        let mut said: Vec<String> = Vec::new();
        let mut attribute = None;
        for leaf in icons {
            if let Some((says, from)) = icon_text(self.document, leaf.node) {
                said.push(says);
                attribute = Some(from);
            }
        }
        (said.join(" "), attribute)
    }
}

fn push_folded(raw: &str, space: &mut bool, text: &mut String) {
    for char in raw.chars() {
        if char.is_whitespace() {
            *space = true;
        } else {
            if *space && !text.is_empty() {
                text.push(' ');
            }
            *space = false;
            text.push(char);
        }
    }
}

/// Letters, digits and the signs for yes and no.
pub(crate) fn says_something(char: char) -> bool {
    char.is_alphanumeric() || words::YES_NO_SIGNS.contains(&char)
}

/// The characters of a text, white space at its ends aside; 0 where it says nothing.
fn said(text: &str) -> u32 {
    let text = text.trim();
    if !text.chars().any(says_something) {
        return 0;
    }
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

/// Elements whose content is never read, or is a choice and no statement.
fn is_unread(document: &Document, node: NodeId) -> bool {
    if document.namespace(node) != Namespace::Html {
        return true;
    }
    #[rustfmt::skip]
    let unread = matches!(
        document.tag(node),
        Some(Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE | Tag::HEAD | Tag::SELECT | Tag::TEXTAREA | Tag::BUTTON
            | Tag::IFRAME | Tag::OBJECT | Tag::VIDEO | Tag::AUDIO | Tag::CANVAS | Tag::NOSCRIPT | Tag::DATALIST)
    );
    unread || is_player(document, node)
}

/// The controls of a media player, as its script has built them: play time and speed say nothing of the page.
fn is_player(document: &Document, node: NodeId) -> bool {
    document.is(node, Tag::DIV)
        && document.classes(node).any(|class| words::PLAYER_CLASSES.contains(&class))
}

fn is_control(document: &Document, node: NodeId) -> bool {
    match document.tag(node) {
        Some(Tag::SELECT | Tag::TEXTAREA | Tag::BUTTON) => true,
        Some(Tag::INPUT) => document.known_attr(node, Attr::TYPE) != Some("hidden"),
        _ => false,
    }
}

/// What an image or an empty element says, and the attribute that says it.
fn icon_text(document: &Document, node: NodeId) -> Option<(String, &'static str)> {
    let short = |text: &str| {
        let folded = quarry_dom::fold_whitespace(text);
        let fits = folded.chars().count() <= 60 && folded.chars().any(char::is_alphanumeric);
        fits.then(|| folded.into_owned())
    };
    let image = document.is(node, Tag::IMG);
    if !image && document.subtree_size(node) > 1 {
        return None;
    }
    if image && let Some(text) = document.known_attr(node, Attr::ALT).and_then(short) {
        return Some((text, "alt"));
    }
    let sign = image || matches!(document.tag(node), Some(Tag::I | Tag::SPAN | Tag::EM | Tag::B));
    if !sign {
        return None;
    }
    if let Some(text) = document.known_attr(node, Attr::TITLE).and_then(short) {
        return Some((text, "title"));
    }
    if let Some(text) = document.known_attr(node, Attr::ARIA_LABEL).and_then(short) {
        return Some((text, "aria-label"));
    }
    let says = document.classes(node).find_map(words::yes_no_class)?;
    Some((says.to_owned(), "class"))
}

/// The hash of a class without its digits; `None` where nothing else is left or the class only counts.
fn class_hash(class: &str) -> Option<u64> {
    if words::COUNTING_CLASSES.contains(&class) {
        return None;
    }
    if class.bytes().any(|byte| byte.is_ascii_digit()) {
        let kept: String = class.chars().filter(|char| !char.is_ascii_digit()).collect();
        return kept.chars().any(char::is_alphabetic).then(|| hash::of(&kept));
    }
    Some(hash::of(class))
}
