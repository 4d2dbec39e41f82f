//! A parsed page in memory: one flat arena in document order: a node is a
//! number, its subtree is the range of numbers from itself to its end, and texts and attribute
//! values are spans of two strings.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::charset::Charset;
use crate::limits::Cut;
use crate::name::{Attr, Names, Tag};

/// A node of one [`Document`]. Ids are given in document order (pre-order), from 0 for the
/// document node itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The document node.
    pub const ROOT: NodeId = NodeId(0);

    /// The id as an index into tables that a caller keeps per node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The document itself, parent of `html`.
    Document,
    /// An element.
    Element,
    /// A run of text; neighbours are always merged.
    Text,
    /// A comment.
    Comment,
}

/// The vocabulary that an element belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Namespace {
    /// HTML
    Html,
    /// SVG
    Svg,
    /// MathML
    MathMl,
}

/// Nothing of the node is shown.
pub(crate) const HIDDEN: u8 = 1;
/// A block begins or ends between the node before and this one, so their texts are two words.
pub(crate) const BREAK_BEFORE: u8 = 2;
pub(crate) const SVG: u8 = 4;
pub(crate) const MATHML: u8 = 8;

/// 24 bytes. `start` and `len` are the span of a text or comment; an element has its attributes at
/// `start` and its number of children in `len`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) end: u32,
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) tag: u16,
    pub(crate) depth: u16,
    pub(crate) attrs: u16,
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
}

/// 12 bytes: the name and the span of the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttrSpan {
    pub(crate) name: u16,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A parsed page.
///
/// ```
/// use quarry_dom::{Document, Tag};
///
/// let page = Document::from_html("<ul><li class='hit first'>One<li>Two</ul>");
/// let item = page.elements(Tag::LI).next().unwrap();
/// assert_eq!(page.xpath(item), "/html/body/ul/li[1]");
/// assert_eq!(page.folded_text(item), "One");
/// assert!(page.classes(item).eq(["hit", "first"]));
/// ```
#[derive(Debug)]
pub struct Document {
    pub(crate) nodes: Vec<Node>,
    pub(crate) attrs: Vec<AttrSpan>,
    pub(crate) text: String,
    pub(crate) values: String,
    pub(crate) tags: Names,
    pub(crate) attr_names: Names,
    /// (control, form) as the parser's form element pointer had it, ordered by control.
    pub(crate) owners: Vec<(NodeId, NodeId)>,
    pub(crate) charset: Charset,
    pub(crate) cut: Cut,
}

impl Document {
    #[inline]
    pub(crate) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// The number of nodes; ids run from 0 to here.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: a document always has its root, `html`, `head` and `body`.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What the node is.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Kind {
        self.node(node).kind
    }

    /// Whether the node is an element.
    #[inline]
    pub fn is_element(&self, node: NodeId) -> bool {
        self.kind(node) == Kind::Element
    }

    /// Whether the node is a text.
    #[inline]
    pub fn is_text(&self, node: NodeId) -> bool {
        self.kind(node) == Kind::Text
    }

    /// The element's name; `None` where the node is no element.
    #[inline]
    pub fn tag(&self, node: NodeId) -> Option<Tag> {
        let node = self.node(node);
        (node.kind == Kind::Element).then_some(Tag(node.tag))
    }

    /// Whether the node is an HTML element of this name (an SVG `title` is no `title`).
    #[inline]
    pub fn is(&self, node: NodeId, tag: Tag) -> bool {
        let node = self.node(node);
        node.kind == Kind::Element && node.tag == tag.0 && node.flags & (SVG | MATHML) == 0
    }

    /// The element's name as text; `#document`, `#text` and `#comment` for the other kinds.
    pub fn tag_name(&self, node: NodeId) -> &str {
        match self.kind(node) {
            Kind::Document => "#document",
            Kind::Element => self.tags.get(self.node(node).tag),
            Kind::Text => "#text",
            Kind::Comment => "#comment",
        }
    }

    /// The text of a [`Tag`] of this document.
    pub fn name_of(&self, tag: Tag) -> &str {
        self.tags.get(tag.0)
    }

    /// The vocabulary that the element belongs to.
    pub fn namespace(&self, node: NodeId) -> Namespace {
        match self.node(node).flags & (SVG | MATHML) {
            SVG => Namespace::Svg,
            MATHML => Namespace::MathMl,
            _ => Namespace::Html,
        }
    }

    /// Whether nothing of the node is shown: it is, or stands inside, a `script`, `style`,
    /// `template`, `head` or the like, an element with `hidden` or an inline `display: none` or
    /// `visibility: hidden`, or a hidden `input`, or it is what an `iframe`, `video` or the like holds
    /// for clients that cannot show those. `noscript` is shown, because pages are read as a
    /// client without scripts reads them. `aria-hidden` says nothing about sight.
    #[inline]
    pub fn is_hidden(&self, node: NodeId) -> bool {
        self.node(node).flags & HIDDEN != 0
    }

    /// The text of a text or comment node as it stands, character references decoded; "" for
    /// other nodes. For the text of an element see [`Document::folded_text`].
    #[inline]
    pub fn text(&self, node: NodeId) -> &str {
        let node = self.node(node);
        match node.kind {
            Kind::Text | Kind::Comment => self.span(node),
            Kind::Document | Kind::Element => "",
        }
    }

    #[inline]
    pub(crate) fn span(&self, node: &Node) -> &str {
        &self.text[node.start as usize..(node.start + node.len) as usize]
    }

    #[inline]
    pub(crate) fn attr_spans(&self, node: NodeId) -> &[AttrSpan] {
        let node = self.node(node);
        match node.kind {
            Kind::Element => {
                let start = node.start as usize;
                &self.attrs[start..start + usize::from(node.attrs)]
            }
            _ => &[],
        }
    }

    #[inline]
    pub(crate) fn value(&self, attr: &AttrSpan) -> &str {
        &self.values[attr.start as usize..(attr.start + attr.len) as usize]
    }

    /// The value of an attribute by its name (lower case, as the parser has it).
    ///
    /// ```
    /// let page = quarry_dom::Document::from_html("<a HREF='/x&amp;y' data-n=3>x</a>");
    /// let link = page.elements(quarry_dom::Tag::A).next().unwrap();
    /// assert_eq!(page.attr(link, "href"), Some("/x&y"));
    /// assert_eq!(page.attr(link, "data-n"), Some("3"));
    /// assert_eq!(page.attr(link, "title"), None);
    /// ```
    pub fn attr(&self, node: NodeId, name: &str) -> Option<&str> {
        let found = self.attr_spans(node).iter().find(|a| self.attr_names.get(a.name) == name)?;
        Some(self.value(found))
    }

    /// [`Document::attr`] for a well known name: a comparison of integers.
    #[inline]
    pub fn known_attr(&self, node: NodeId, name: Attr) -> Option<&str> {
        let found = self.attr_spans(node).iter().find(|attr| attr.name == name.0)?;
        Some(self.value(found))
    }

    /// All attributes in their order, as (name, value).
    pub fn attrs(&self, node: NodeId) -> impl Iterator<Item = (&str, &str)> {
        self.attr_spans(node).iter().map(|a| (self.attr_names.get(a.name), self.value(a)))
    }

    /// The tokens of the `class` attribute, in their order.
    pub fn classes(&self, node: NodeId) -> impl Iterator<Item = &str> {
        self.known_attr(node, Attr::CLASS).unwrap_or_default().split_ascii_whitespace()
    }

    /// The `id` attribute, where it is not empty.
    pub fn id(&self, node: NodeId) -> Option<&str> {
        self.known_attr(node, Attr::ID).filter(|id| !id.is_empty())
    }

    /// The first element with this `id`. Looks through the whole document.
    pub fn element_by_id(&self, id: &str) -> Option<NodeId> {
        self.all().find(|&node| self.id(node) == Some(id))
    }

    /// The first element with each `id`.
    pub fn ids(&self) -> BTreeMap<&str, NodeId> {
        let mut ids = BTreeMap::new();
        for node in self.all() {
            if let Some(id) = self.id(node) {
                ids.entry(id).or_insert(node);
            }
        }
        ids
    }

    /// All elements of this name in document order, HTML's only.
    pub fn elements(&self, tag: Tag) -> impl Iterator<Item = NodeId> {
        self.all().filter(move |&node| self.is(node, tag))
    }

    /// Every node in document order (pre-order): parents before children.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        ids(0..self.nodes.len() as u32)
    }

    /// The encoding that the page was read in and how it was found.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Which limits the page met; what lay beyond them is missing.
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// The heap that the document holds, from the capacities of its parts.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.attrs.capacity() * size_of::<AttrSpan>()
            + self.text.capacity()
            + self.values.capacity()
            + self.owners.capacity() * size_of::<(NodeId, NodeId)>()
            + self.tags.heap_bytes()
            + self.attr_names.heap_bytes()
    }
}

pub(crate) fn ids(
    range: Range<u32>,
) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
    range.map(NodeId)
}
