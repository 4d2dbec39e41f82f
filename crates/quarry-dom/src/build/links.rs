//! The tree while it is built. The standard's algorithms insert before, remove
//! and adopt, so for this time the nodes are linked to parent, siblings and children. Texts go
//! straight into the document's one string, attributes into its one list.

use html5ever::Attribute;

use crate::document::{AttrSpan, Kind};
use crate::limits::{Cut, Limits};
use crate::name::Interner;

/// What real pages have on average, a little generously (measured: 40 and 71). A page with more
/// makes its lists grow by half, not by the usual double, so that memory stays in proportion.
const BYTES_PER_NODE: usize = 36;
const BYTES_PER_ATTRIBUTE: usize = 64;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A node while the tree grows.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) parent: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) next: u32,
    prev: u32,
    /// Span of the text, or of the element's attributes.
    pub(super) start: u32,
    pub(super) len: u32,
    /// How deep the node was inserted. Moving a subtree never makes it less: it bounds the stack of
    /// open elements, it does not describe the finished tree.
    pub(super) depth: u16,
    pub(super) tag: u16,
    pub(super) kind: Kind,
    pub(super) flags: u8,
}

/// The growing tree. Node 0 is the document.
pub(super) struct Tree {
    pub(super) links: Vec<Link>,
    pub(super) attrs: Vec<AttrSpan>,
    pub(super) text: String,
    pub(super) values: String,
    pub(super) tags: Interner,
    pub(super) attr_names: Interner,
    /// (control, form)
    pub(super) owners: Vec<(u32, u32)>,
    pub(super) cut: Cut,
    /// The depth of the deepest element inserted so far.
    pub(super) deepest: u16,
    limits: Limits,
    /// Copies of formatting elements repeat their attributes; this bounds all values together.
    max_values: usize,
}

impl Tree {
    /// `source_len` is the length of the decoded page, from which the first capacities follow.
    pub(super) fn new(limits: Limits, source_len: usize) -> Self {
        let mut tree = Self {
            links: Vec::with_capacity(source_len / BYTES_PER_NODE + 16),
            attrs: Vec::with_capacity(source_len / BYTES_PER_ATTRIBUTE + 16),
            text: String::with_capacity(source_len / 2 + 16),
            values: String::with_capacity(source_len / 4 + 16),
            tags: Interner::tags(),
            attr_names: Interner::attrs(),
            owners: Vec::new(),
            cut: Cut::default(),
            deepest: 0,
            limits,
            max_values: source_len.saturating_mul(4) + (64 << 10),
        };
        tree.push(Kind::Document, 0, 0, 0, 0);
        tree
    }

    pub(super) fn push(&mut self, kind: Kind, tag: u16, flags: u8, start: u32, len: u32) -> u32 {
        let id = self.links.len() as u32;
        if self.links.len() == self.links.capacity() {
            self.links.reserve_exact(self.links.len() / 2);
        }
        self.links.push(Link {
            parent: NONE,
            first: NONE,
            last: NONE,
            next: NONE,
            prev: NONE,
            start,
            len,
            depth: 0,
            tag,
            kind,
            flags,
        });
        id
    }

    #[inline]
    pub(super) fn link(&self, id: u32) -> &Link {
        &self.links[id as usize]
    }

    #[inline]
    fn link_mut(&mut self, id: u32) -> &mut Link {
        &mut self.links[id as usize]
    }

    /// Appends the attributes to the list; returns the span that they take there.
    pub(super) fn push_attrs(&mut self, attrs: &[Attribute]) -> (u32, u32) {
        let start = self.attrs.len() as u32;
        for attr in attrs {
            self.push_attr(start, attr);
        }
        (start, self.attrs.len() as u32 - start)
    }

    #[inline]
    fn push_attr(&mut self, element_start: u32, attr: &Attribute) {
        let on_element = self.attrs.len() - element_start as usize;
        let value: &str = &attr.value;
        if on_element >= self.limits.attributes
            || self.attrs.len() >= self.limits.nodes.saturating_mul(4)
            || self.values.len() + value.len() > self.max_values
        {
            self.cut.attributes = true;
            return;
        }
        let name = match &attr.name.prefix {
            Some(prefix) if !prefix.is_empty() => {
                self.attr_names.intern_prefixed(prefix, &attr.name.local)
            }
            _ => self.attr_names.intern(&attr.name.local),
        };
        let start = self.values.len() as u32;
        push_str(&mut self.values, value);
        if self.attrs.len() == self.attrs.capacity() {
            self.attrs.reserve_exact(self.attrs.len() / 2);
        }
        self.attrs.push(AttrSpan { name, start, len: value.len() as u32 });
    }

    /// A second `<html>` or `<body>` adds the attributes that the first one had not.
    pub(super) fn add_missing_attrs(&mut self, id: u32, attrs: &[Attribute]) {
        let Link { start, len, .. } = *self.link(id);
        let old = start as usize..(start + len) as usize;
        let has = |tree: &mut Self, attr: &Attribute| {
            let name = tree.attr_names.intern(&attr.name.local);
            tree.attrs[old.clone()].iter().any(|known| known.name == name)
        };
        let missing: Vec<_> = attrs.iter().filter(|attr| !has(self, attr)).collect();
        if missing.is_empty() {
            return;
        }
        if len as usize >= self.limits.attributes {
            self.cut.attributes = true;
            return;
        }
        let start = self.attrs.len() as u32;
        self.attrs.extend_from_within(old);
        for attr in missing {
            self.push_attr(start, attr);
        }
        let len = self.attrs.len() as u32 - start;
        let link = self.link_mut(id);
        (link.start, link.len) = (start, len);
    }

    fn placed(&mut self, child: u32, parent: u32) {
        // A node may be moved below one that has no place yet itself; it does not get less deep.
        let depth = self.link(parent).depth.saturating_add(1).max(self.link(child).depth);
        let link = self.link_mut(child);
        link.parent = parent;
        link.depth = depth;
        if link.kind == Kind::Element && depth > self.deepest {
            self.deepest = depth;
        }
    }

    pub(super) fn append(&mut self, parent: u32, child: u32) {
        self.placed(child, parent);
        let last = self.link(parent).last;
        self.link_mut(child).prev = last;
        self.link_mut(child).next = NONE;
        match last {
            NONE => self.link_mut(parent).first = child,
            last => self.link_mut(last).next = child,
        }
        self.link_mut(parent).last = child;
    }

    pub(super) fn insert_before(&mut self, sibling: u32, child: u32) {
        let Link { parent, prev, .. } = *self.link(sibling);
        if parent == NONE {
            return;
        }
        self.placed(child, parent);
        self.link_mut(child).prev = prev;
        self.link_mut(child).next = sibling;
        self.link_mut(sibling).prev = child;
        match prev {
            NONE => self.link_mut(parent).first = child,
            prev => self.link_mut(prev).next = child,
        }
    }

    pub(super) fn detach(&mut self, child: u32) {
        let Link { parent, prev, next, .. } = *self.link(child);
        if parent == NONE {
            return;
        }
        match prev {
            NONE => self.link_mut(parent).first = next,
            prev => self.link_mut(prev).next = next,
        }
        match next {
            NONE => self.link_mut(parent).last = prev,
            next => self.link_mut(next).prev = prev,
        }
        let link = self.link_mut(child);
        (link.parent, link.prev, link.next) = (NONE, NONE, NONE);
    }

    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        let mut child = self.link(from).first;
        while child != NONE {
            let next = self.link(child).next;
            self.detach(child);
            self.append(to, child);
            child = next;
        }
    }

    /// Appends text below `parent`, lengthening its last child where that is a text which ends
    /// where the string ends. Texts that become neighbours otherwise are merged at the end.
    pub(super) fn append_text(&mut self, parent: u32, text: &str) {
        let last = self.link(parent).last;
        if !self.lengthen(last, text) {
            let node = self.push_text(text);
            self.append(parent, node);
        }
    }

    pub(super) fn insert_text_before(&mut self, sibling: u32, text: &str) {
        let Link { parent, prev, .. } = *self.link(sibling);
        if parent != NONE && !self.lengthen(prev, text) {
            let node = self.push_text(text);
            self.insert_before(sibling, node);
        }
    }

    #[inline]
    fn lengthen(&mut self, node: u32, text: &str) -> bool {
        if node == NONE {
            return false;
        }
        let end = self.text.len() as u32;
        let link = self.link_mut(node);
        if link.kind != Kind::Text || link.start + link.len != end {
            return false;
        }
        link.len += text.len() as u32;
        push_str(&mut self.text, text);
        true
    }

    pub(super) fn push_text(&mut self, text: &str) -> u32 {
        let start = self.text.len() as u32;
        push_str(&mut self.text, text);
        self.push(Kind::Text, 0, 0, start, text.len() as u32)
    }
}

/// Appends, growing by half where it must.
#[inline]
pub(super) fn push_str(buffer: &mut String, text: &str) {
    if buffer.capacity() - buffer.len() < text.len() {
        buffer.reserve_exact(text.len().max(buffer.len() / 2));
    }
    buffer.push_str(text);
}
