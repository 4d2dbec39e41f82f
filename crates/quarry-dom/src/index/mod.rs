//! One pass over a page: its visible texts and images in document order, the style and path of every
//! element, and sums over any subtree in constant time. Made once, read by every stage.

pub mod key;

use std::ops::Range;

use crate::document::{Document, Kind, Namespace, NodeId};
use crate::name::{Attr, Tag};
use crate::text::fold_whitespace;
use key::{PathKey, StyleKey};

/// A visible text with at least one letter or digit, or a visible image.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The text or `img` node.
    pub node: NodeId,
    /// The element that holds the text, or the `img` itself.
    pub element: NodeId,
    /// Characters of the folded text; 0 for images.
    pub chars: u32,
    /// The hash of the folded text, or of the image's address.
    pub content: u64,
    /// Whether the leaf is an image.
    pub image: bool,
    /// Whether the leaf stands in a link.
    pub linked: bool,
}

/// Cells of a table row that are told apart by their column; rows with more are no records.
const MAX_COLUMNS: usize = 64;

/// What every stage asks of a page again and again.
///
/// ```
/// use quarry_dom::{Document, PageIndex, Tag};
///
/// let page = Document::from_html("<ul><li class=hit1>One<li class=hit2>Two<li hidden>Three</ul>");
/// let index = PageIndex::new(&page);
/// let list = page.elements(Tag::UL).next().unwrap();
/// assert_eq!((index.leaves_of(list).len(), index.chars(list)), (2, 6));
/// let items: Vec<_> = page.elements(Tag::LI).collect();
/// assert_eq!(index.style(items[0]), index.style(items[1]));
/// ```
#[derive(Debug)]
pub struct PageIndex<'a> {
    /// The page.
    pub document: &'a Document,
    /// Its visible texts and images in document order.
    pub leaves: Vec<Leaf>,
    /// The hash of each element's name.
    names: Vec<u64>,
    styles: Vec<StyleKey>,
    tag_paths: Vec<PathKey>,
    /// The element's own step in `paths`.
    steps: Vec<u64>,
    paths: Vec<PathKey>,
    /// For each node and the end, the number of leaves before it.
    leaves_before: Vec<u32>,
    /// For each leaf and the end, the characters before it, and those of them in links.
    chars_before: Vec<(u32, u32)>,
}

impl<'a> PageIndex<'a> {
    /// Goes over the page.
    #[must_use]
    pub fn new(document: &'a Document) -> Self {
        let nodes = document.len();
        let mut index = Self {
            document,
            leaves: Vec::new(),
            names: vec![0; nodes],
            styles: vec![StyleKey::TEXT; nodes],
            tag_paths: vec![PathKey(0); nodes],
            steps: vec![0; nodes],
            paths: vec![PathKey(0); nodes],
            leaves_before: vec![0; nodes + 1],
            chars_before: vec![(0, 0)],
        };
        index.styles[0] = StyleKey(0);
        let mut known_names = KnownNames::default();
        let (mut link_end, mut at) = (NodeId::ROOT, 0);
        let all = nodes as u32;
        while at < all {
            let node = NodeId(at);
            index.leaves_before[node.index()] = index.leaves.len() as u32;
            at += 1;
            match document.kind(node) {
                Kind::Element => {
                    index.names[node.index()] = known_names.of(document, node);
                    index.add_element(node);
                    if document.namespace(node) != Namespace::Html || is_program(document, node) {
                        let end = document.subtree_end(node).0;
                        index.leaves_before[at as usize..end as usize]
                            .fill(index.leaves.len() as u32);
                        at = end;
                    } else if document.is(node, Tag::A) && !document.is_hidden(node) {
                        link_end = document.subtree_end(node);
                    } else if document.is(node, Tag::IMG) && !document.is_hidden(node) {
                        index.add_image(node, node < link_end);
                    }
                }
                Kind::Text if !document.is_hidden(node) => index.add_text(node, node < link_end),
                Kind::Text | Kind::Document | Kind::Comment => {}
            }
        }
        index.leaves_before[nodes] = index.leaves.len() as u32;
        index
    }

    fn add_element(&mut self, node: NodeId) {
        let (document, at) = (self.document, node.index());
        let name = self.names[at];
        let parent = document.parent(node).map_or(0, NodeId::index);
        let is_cell = document.is(node, Tag::TD) || document.is(node, Tag::TH);
        let step = if is_cell { key::then(name, self.column(node)) } else { name };
        self.steps[at] = step;
        self.paths[at] = PathKey(key::then(self.paths[parent].0, step));
        self.tag_paths[at] = PathKey(key::then(self.tag_paths[parent].0, name));
        self.styles[at] = key::style(document, node, name);
    }

    fn column(&self, cell: NodeId) -> u64 {
        let row = self.document.parent(cell).unwrap_or(NodeId::ROOT);
        let before = self.document.child_elements(row).take(MAX_COLUMNS);
        before.take_while(|&other| other < cell).count() as u64
    }

    fn add_image(&mut self, node: NodeId, linked: bool) {
        let source = self.document.known_attr(node, Attr::SRC).unwrap_or_default();
        let content = key::of(source);
        self.add(Leaf { node, element: node, chars: 0, content, image: true, linked });
    }

    fn add_text(&mut self, node: NodeId, linked: bool) {
        let raw = self.document.text(node);
        if !raw.chars().any(char::is_alphanumeric) {
            return;
        }
        let text = fold_whitespace(raw);
        let element = self.document.parent(node).unwrap_or(NodeId::ROOT);
        let chars = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let content = key::of(&text);
        self.add(Leaf { node, element, chars, content, image: false, linked });
    }

    fn add(&mut self, leaf: Leaf) {
        let (all, linked) = self.chars_before.last().copied().unwrap_or_default();
        let own = if leaf.linked { leaf.chars } else { 0 };
        self.chars_before.push((all.saturating_add(leaf.chars), linked.saturating_add(own)));
        self.leaves.push(leaf);
    }

    /// The hash of an element's name.
    #[inline]
    #[must_use]
    pub fn name(&self, element: NodeId) -> u64 {
        self.names[element.index()]
    }

    /// The style of an element; [`StyleKey::TEXT`] for other nodes.
    #[inline]
    #[must_use]
    pub fn style(&self, node: NodeId) -> StyleKey {
        self.styles[node.index()]
    }

    /// The path of an element by names alone.
    #[inline]
    #[must_use]
    pub fn tag_path(&self, element: NodeId) -> PathKey {
        self.tag_paths[element.index()]
    }

    /// The path of an element by names, cells of a table row also by their column.
    #[inline]
    #[must_use]
    pub fn path(&self, element: NodeId) -> PathKey {
        self.paths[element.index()]
    }

    /// The visible elements in document order.
    pub fn visible_elements(&self) -> impl Iterator<Item = NodeId> + '_ {
        let in_drawing = |node: NodeId| self.names[node.index()] == 0;
        let elements = self.document.all().filter(move |&node| !in_drawing(node));
        elements.filter(|&node| {
            !self.document.is_hidden(node) && self.document.namespace(node) == Namespace::Html
        })
    }

    /// The positions of the subtree's leaves in [`PageIndex::leaves`].
    #[inline]
    #[must_use]
    pub fn leaf_range(&self, node: NodeId) -> Range<usize> {
        let end = self.document.subtree_end(node);
        self.leaves_before[node.index()] as usize..self.leaves_before[end.index()] as usize
    }

    /// The subtree's leaves.
    #[must_use]
    pub fn leaves_of(&self, node: NodeId) -> &[Leaf] {
        &self.leaves[self.leaf_range(node)]
    }

    /// Whether there is any leaf in the subtree.
    #[inline]
    #[must_use]
    pub fn has_content(&self, node: NodeId) -> bool {
        !self.leaf_range(node).is_empty()
    }

    /// Characters of visible text in the subtree.
    #[must_use]
    pub fn chars(&self, node: NodeId) -> u32 {
        let range = self.leaf_range(node);
        self.chars_before[range.end].0 - self.chars_before[range.start].0
    }

    /// Characters in links.
    #[must_use]
    pub fn linked_chars(&self, node: NodeId) -> u32 {
        let range = self.leaf_range(node);
        self.chars_before[range.end].1 - self.chars_before[range.start].1
    }

    /// Whether no node of one list is, holds or lies in a node of the other. Both are sorted, and no
    /// node of the first lies in another of it.
    #[must_use]
    pub fn apart(&self, one: &[NodeId], other: &[NodeId]) -> bool {
        other.iter().all(|&node| {
            let next = one.partition_point(|&before| before < node);
            let inside = next > 0 && self.document.contains(one[next - 1], node);
            let around = one.get(next).is_some_and(|&after| self.document.contains(node, after));
            !inside && !around
        })
    }

    /// The field that a leaf is: its path and the style of its element.
    #[inline]
    #[must_use]
    pub fn field(&self, leaf: &Leaf) -> u64 {
        key::then(self.path(leaf.element).0, self.style(leaf.element).0)
    }

    /// The field that a leaf is inside a record, wherever the record stands: the names from `root`
    /// down to the leaf and the style of the leaf's element.
    #[must_use]
    pub fn field_in(&self, leaf: &Leaf, root: NodeId) -> u64 {
        let mut field = self.style(leaf.element).0;
        let mut node = leaf.element;
        while node > root {
            field = key::then(field, self.steps[node.index()]);
            node = self.document.parent(node).unwrap_or(root);
        }
        key::then(field, u64::from(leaf.image))
    }

    /// The styles of the leaf's element and of the element around it.
    #[inline]
    #[must_use]
    pub fn local_style(&self, leaf: &Leaf) -> u64 {
        let parent = self.document.parent(leaf.element).unwrap_or(NodeId::ROOT);
        key::then(self.style(leaf.element).0, self.style(parent).0)
    }
}

/// Elements whose content is not text at all.
fn is_program(document: &Document, node: NodeId) -> bool {
    matches!(document.tag(node), Some(Tag::SCRIPT | Tag::STYLE))
}

/// The hashes of element names, each made once.
#[derive(Default)]
struct KnownNames(Vec<u64>);

impl KnownNames {
    fn of(&mut self, document: &Document, element: NodeId) -> u64 {
        let tag = document.tag(element).map_or(0, |tag| usize::from(tag.0));
        if self.0.len() <= tag {
            self.0.resize(tag + 1, 0);
        }
        if self.0[tag] == 0 {
            self.0[tag] = key::of(document.tag_name(element));
        }
        self.0[tag]
    }
}
