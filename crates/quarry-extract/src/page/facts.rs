//! What does every later step ask of a page again and again? Its leaves (shown texts and images) in
//! document order, how each element looks and where it stands, and sums over any subtree in
//! constant time.

use quarry_dom::{Attr, Document, Kind, Namespace, NodeId, Tag};

use super::hash;

/// A shown text with at least one letter or digit, or a shown image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// The text or `img` node.
    pub(crate) node: NodeId,
    /// The element that holds the text, or the `img` itself.
    pub(crate) element: NodeId,
    /// Characters of the folded text; 0 for images.
    pub(crate) chars: u32,
    /// The hash of the folded text, or of the image's address.
    pub(crate) content: u64,
    /// Whether the leaf is an image.
    pub(crate) image: bool,
    /// Whether the leaf stands in a link.
    pub(crate) linked: bool,
}

/// One page, looked over once.
pub(crate) struct Facts<'a> {
    pub(crate) document: &'a Document,
    pub(crate) leaves: Vec<Leaf>,
    /// The names of the elements from `html` to the node; cells of a table row also by their column.
    pub(crate) path: Vec<u64>,
    /// The element's own step in `path`.
    step: Vec<u64>,
    /// The element's name and classes, digits aside.
    pub(crate) look: Vec<u64>,
    /// For each node, the number of leaves before it.
    leaves_before: Vec<u32>,
    /// For each leaf and the end, the characters before it.
    chars_before: Vec<u32>,
    linked_before: Vec<u32>,
    /// For each leaf, how much of its site's other pages lack this text, 0 to 255.
    fresh: Vec<u8>,
    fresh_before: Vec<u32>,
}

/// What [`Facts::fresh`] has for a text that no other page shows.
const ALL_FRESH: u8 = 255;

impl<'a> Facts<'a> {
    pub(crate) fn new(document: &'a Document) -> Self {
        let nodes = document.len();
        let mut facts = Self {
            document,
            leaves: Vec::new(),
            path: vec![0; nodes],
            step: vec![0; nodes],
            look: vec![0; nodes],
            leaves_before: vec![0; nodes + 1],
            chars_before: vec![0],
            linked_before: vec![0],
            fresh: Vec::new(),
            fresh_before: Vec::new(),
        };
        let mut link_end = NodeId::ROOT;
        let mut text = String::new();
        let mut at = 0;
        let all = u32::try_from(nodes).expect("node ids have 32 bits");
        while at < all {
            let node = NodeId(at);
            let before = u32::try_from(facts.leaves.len()).expect("no more leaves than nodes");
            facts.leaves_before[node.index()] = before;
            let drawing =
                document.kind(node) == Kind::Element && document.namespace(node) != Namespace::Html;
            if drawing || (document.is_hidden(node) && node != NodeId::ROOT) {
                let end = document.subtree_end(node);
                for skipped in at..end.0 {
                    facts.leaves_before[skipped as usize] = before;
                }
                at = end.0;
                continue;
            }
            match document.kind(node) {
                Kind::Element => {
                    facts.look_at(node);
                    if document.is(node, Tag::A) {
                        link_end = document.subtree_end(node);
                    }
                    if document.is(node, Tag::IMG) {
                        facts.add_image(node, node < link_end);
                    }
                }
                Kind::Text => facts.add_text(node, node < link_end, &mut text),
                Kind::Document | Kind::Comment => {}
            }
            at += 1;
        }
        facts.leaves_before[nodes] =
            u32::try_from(facts.leaves.len()).expect("no more leaves than nodes");
        facts.set_fresh(vec![ALL_FRESH; facts.leaves.len()]);
        facts
    }

    fn look_at(&mut self, node: NodeId) {
        let document = self.document;
        let name = hash::of(document.tag_name(node));
        let parent = document.parent(node).map_or(0, NodeId::index);
        let mut step = name;
        if document.is(node, Tag::TD) || document.is(node, Tag::TH) {
            step = hash::then(step, self.column(node));
        }
        self.step[node.index()] = step;
        self.path[node.index()] = hash::then(self.path[parent], step);
        let classes = hash::of_set(document.classes(node).filter_map(class_hash));
        self.look[node.index()] = hash::then(name, classes);
    }

    fn column(&self, cell: NodeId) -> u64 {
        let row = self.document.parent(cell).unwrap_or(NodeId::ROOT);
        // Rows with very many cells are no records; the first columns tell them apart well enough.
        self.document.child_elements(row).take(64).take_while(|&other| other < cell).count() as u64
    }

    fn add_image(&mut self, node: NodeId, linked: bool) {
        let source = self.document.known_attr(node, Attr::SRC).unwrap_or_default();
        let content = hash::of(source);
        self.add(Leaf { node, element: node, chars: 0, content, image: true, linked });
    }

    fn add_text(&mut self, node: NodeId, linked: bool, buffer: &mut String) {
        let raw = self.document.text(node);
        if !raw.chars().any(char::is_alphanumeric) {
            return;
        }
        buffer.clear();
        buffer.push_str(&quarry_dom::fold_whitespace(raw));
        let element = self.document.parent(node).unwrap_or(NodeId::ROOT);
        let chars = u32::try_from(buffer.chars().count()).unwrap_or(u32::MAX);
        let content = hash::of(buffer);
        self.add(Leaf { node, element, chars, content, image: false, linked });
    }

    fn add(&mut self, leaf: Leaf) {
        let chars = self.chars_before.last().copied().unwrap_or(0);
        self.chars_before.push(chars + leaf.chars);
        let linked = self.linked_before.last().copied().unwrap_or(0);
        self.linked_before.push(linked + if leaf.linked { leaf.chars } else { 0 });
        self.leaves.push(leaf);
    }

    /// Says for each leaf how fresh it is (255: on no other page).
    pub(crate) fn set_fresh(&mut self, fresh: Vec<u8>) {
        let mut sum = 0.0;
        self.fresh_before.clear();
        self.fresh_before.push(0);
        for (leaf, &fresh) in self.leaves.iter().zip(&fresh) {
            sum += f64::from(leaf.chars) * f64::from(fresh) / f64::from(ALL_FRESH);
            self.fresh_before.push(sum as u32);
        }
        self.fresh = fresh;
    }

    /// The positions of the subtree's leaves in [`Facts::leaves`].
    #[inline]
    pub(crate) fn leaf_range(&self, node: NodeId) -> std::ops::Range<usize> {
        let end = self.document.subtree_end(node);
        self.leaves_before[node.index()] as usize..self.leaves_before[end.index()] as usize
    }

    /// The subtree's leaves.
    pub(crate) fn leaves_of(&self, node: NodeId) -> &[Leaf] {
        &self.leaves[self.leaf_range(node)]
    }

    /// Characters of shown text in the subtree.
    pub(crate) fn chars(&self, node: NodeId) -> u32 {
        let range = self.leaf_range(node);
        self.chars_before[range.end] - self.chars_before[range.start]
    }

    /// Characters in links.
    pub(crate) fn linked_chars(&self, node: NodeId) -> u32 {
        let range = self.leaf_range(node);
        self.linked_before[range.end] - self.linked_before[range.start]
    }

    /// Characters, each weighted by how few of the site's other pages show its text.
    pub(crate) fn fresh_chars(&self, node: NodeId) -> u32 {
        let range = self.leaf_range(node);
        self.fresh_before[range.end] - self.fresh_before[range.start]
    }

    /// Whether no node of one list is, holds or lies in a node of the other. Both are sorted, and no
    /// node of the first lies in another of it.
    pub(crate) fn apart(&self, one: &[NodeId], other: &[NodeId]) -> bool {
        other.iter().all(|&node| {
            let next = one.partition_point(|&before| before < node);
            let inside = next > 0 && self.document.contains(one[next - 1], node);
            let around = one.get(next).is_some_and(|&after| self.document.contains(node, after));
            !inside && !around
        })
    }

    /// Whether there is any leaf in the subtree.
    pub(crate) fn has_content(&self, node: NodeId) -> bool {
        !self.leaf_range(node).is_empty()
    }

    /// The signature of a field: where the leaf stands and how its element looks.
    #[inline]
    pub(crate) fn field(&self, leaf: &Leaf) -> u64 {
        hash::then(self.path[leaf.element.index()], self.look[leaf.element.index()])
    }

    /// The signature of a field inside a record, wherever the record stands: the names from `root`
    /// down to the leaf and how the leaf's element looks.
    pub(crate) fn field_in(&self, leaf: &Leaf, root: NodeId) -> u64 {
        let mut signature = self.look[leaf.element.index()];
        let mut node = leaf.element;
        while node > root {
            signature = hash::then(signature, self.step[node.index()]);
            node = self.document.parent(node).unwrap_or(root);
        }
        hash::then(signature, u64::from(leaf.image))
    }

    /// How the leaf's element and the element around it look, wherever they stand.
    #[inline]
    pub(crate) fn local_look(&self, leaf: &Leaf) -> u64 {
        let parent = self.document.parent(leaf.element).unwrap_or(NodeId::ROOT);
        hash::then(self.look[leaf.element.index()], self.look[parent.index()])
    }
}

/// The hash of a class without its digits (`item-17` and `item-18` look alike); `None` where
/// nothing else is left.
fn class_hash(class: &str) -> Option<u64> {
    if class.bytes().any(|byte| byte.is_ascii_digit()) {
        let kept: String = class.chars().filter(|char| !char.is_ascii_digit()).collect();
        return kept.chars().any(char::is_alphabetic).then(|| hash::of(&kept));
    }
    Some(hash::of(class))
}
