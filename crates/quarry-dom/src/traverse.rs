//! Traversal: pre-order is the order of ids, a subtree is a range of them;
//! everything else follows from a node's parent and its subtree's end.

use crate::document::{Document, Kind, NodeId, ids};

impl Document {
    /// The parent; `None` for the document node.
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.node(node).parent))
    }

    /// The first id behind the node's subtree: the subtree is `node.0..subtree_end(node).0`.
    #[inline]
    pub fn subtree_end(&self, node: NodeId) -> NodeId {
        NodeId(self.node(node).end)
    }

    /// The number of nodes in the subtree, the node itself included.
    #[inline]
    pub fn subtree_size(&self, node: NodeId) -> usize {
        (self.node(node).end - node.0) as usize
    }

    /// Levels below the document node, which has depth 0; `html` has 1.
    #[inline]
    pub fn depth(&self, node: NodeId) -> usize {
        usize::from(self.node(node).depth)
    }

    /// The number of children of all kinds.
    #[inline]
    pub fn fan_out(&self, node: NodeId) -> usize {
        let node = self.node(node);
        match node.kind {
            Kind::Document | Kind::Element => node.len as usize,
            Kind::Text | Kind::Comment => 0,
        }
    }

    /// Whether `node` stands inside `ancestor` or is it.
    #[inline]
    pub fn contains(&self, ancestor: NodeId, node: NodeId) -> bool {
        ancestor <= node && node.0 < self.node(ancestor).end
    }

    /// The first child.
    #[inline]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        (self.node(node).end > node.0 + 1).then_some(NodeId(node.0 + 1))
    }

    /// The last child; costs a climb from the subtree's last node.
    pub fn last_child(&self, node: NodeId) -> Option<NodeId> {
        let end = self.node(node).end;
        (end > node.0 + 1).then(|| self.child_above(node, NodeId(end - 1)))
    }

    /// The next sibling.
    #[inline]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        let end = self.node(node).end;
        (end < self.node(self.parent(node)?).end).then_some(NodeId(end))
    }

    /// The previous sibling; costs a climb from the node before.
    pub fn prev_sibling(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        (node.0 > parent.0 + 1).then(|| self.child_above(parent, NodeId(node.0 - 1)))
    }

    /// The child of `parent` whose subtree holds `node`.
    fn child_above(&self, parent: NodeId, mut node: NodeId) -> NodeId {
        while self.node(node).parent != parent.0 {
            node = NodeId(self.node(node).parent);
        }
        node
    }

    /// The children, of all kinds.
    #[inline]
    pub fn children(&self, node: NodeId) -> Children<'_> {
        Children { document: self, next: node.0 + 1, end: self.node(node).end }
    }

    /// The children that are elements.
    pub fn child_elements(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.children(node).filter(|&child| self.is_element(child))
    }

    /// The nodes below, in document order, without the node itself.
    pub fn descendants(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        ids(node.0 + 1..self.node(node).end)
    }

    /// The node and the nodes below, in document order.
    pub fn subtree(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        ids(node.0..self.node(node).end)
    }

    /// The node and the nodes below, children before parents, siblings in their order.
    ///
    /// ```
    /// use quarry_dom::{Document, Tag};
    /// let page = Document::from_html("<ul><li><b></b><li></ul>");
    /// let list = page.elements(Tag::UL).next().unwrap();
    /// let names: Vec<_> = page.post_order(list).map(|node| page.tag_name(node)).collect();
    /// assert_eq!(names, ["b", "li", "li", "ul"]);
    /// ```
    pub fn post_order(&self, node: NodeId) -> PostOrder<'_> {
        PostOrder { document: self, root: node, open: None, next: node.0 }
    }

    /// The parents of the node, nearest first, up to the document node.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(node), |&node| self.parent(node))
    }

    /// The smallest element that holds both.
    pub fn common_ancestor(&self, one: NodeId, other: NodeId) -> NodeId {
        let around = std::iter::once(one).chain(self.ancestors(one));
        around.into_iter().find(|&node| self.contains(node, other)).unwrap_or(NodeId::ROOT)
    }

    /// The node's nearest ancestor with this name, HTML's only.
    pub fn ancestor_named(&self, node: NodeId, tag: crate::Tag) -> Option<NodeId> {
        self.ancestors(node).find(|&ancestor| self.is(ancestor, tag))
    }
}

/// The children of a node; see [`Document::children`].
#[derive(Clone, Debug)]
pub struct Children<'a> {
    document: &'a Document,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let child = NodeId(self.next);
        self.next = self.document.node(child).end;
        Some(child)
    }
}

/// A subtree with children before parents; see [`Document::post_order`].
#[derive(Clone, Debug)]
pub struct PostOrder<'a> {
    document: &'a Document,
    root: NodeId,
    /// The node given last, where its parent may be due next.
    open: Option<NodeId>,
    next: u32,
}

impl Iterator for PostOrder<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let node = match self.open {
            // The parent follows its last child.
            Some(last) if last == self.root => return None,
            Some(last) => {
                let parent = NodeId(self.document.node(last).parent);
                if self.document.node(parent).end == self.document.node(last).end {
                    parent
                } else {
                    self.leaf()
                }
            }
            None => self.leaf(),
        };
        self.open = Some(node);
        Some(node)
    }
}

impl PostOrder<'_> {
    /// The first leaf from `next` on; in document order that is the next node without children.
    fn leaf(&mut self) -> NodeId {
        while self.document.node(NodeId(self.next)).end > self.next + 1 {
            self.next += 1;
        }
        self.next += 1;
        NodeId(self.next - 1)
    }
}
