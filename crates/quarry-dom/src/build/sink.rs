//! The operations that the tree builder needs, on a [`Tree`]: handles are plain
//! numbers, names are looked up without a reference count, parse errors are not kept.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, ns};

use super::links::{NONE, Tree, push_str};
use crate::document::{Kind, MATHML, SVG};
use crate::name::{Tag, tag_atom};

/// `annotation-xml` with an encoding of HTML: its content is HTML again.
const INTEGRATION_POINT: u8 = 0x80;

static HTML_NS: Namespace = ns!(html);
static SVG_NS: Namespace = ns!(svg);
static MATHML_NS: Namespace = ns!(mathml);

/// The name of an element, as the tree builder wants it.
#[derive(Debug)]
pub(super) struct Name {
    ns: &'static Namespace,
    local: Local,
}

#[derive(Debug)]
enum Local {
    Known(&'static LocalName),
    Other(LocalName),
}

impl ElemName for Name {
    #[inline]
    fn ns(&self) -> &Namespace {
        self.ns
    }

    #[inline]
    fn local_name(&self) -> &LocalName {
        match &self.local {
            Local::Known(name) => name,
            Local::Other(name) => name,
        }
    }
}

/// The tree builder's view of a [`Tree`].
pub(super) struct Sink {
    pub(super) tree: RefCell<Tree>,
    /// The node whose name was asked for last; see [`super::feed::Feed`].
    pub(super) asked: Cell<u32>,
    /// An emptied list of attributes, given back so that the next tag needs no allocation.
    pub(super) spare_attrs: RefCell<Vec<Attribute>>,
}

impl Sink {
    pub(super) fn new(tree: Tree) -> Self {
        Self { tree: RefCell::new(tree), asked: Cell::new(0), spare_attrs: RefCell::default() }
    }

    fn take_back(&self, mut attrs: Vec<Attribute>) {
        if attrs.capacity() > 0 {
            attrs.clear();
            self.spare_attrs.replace(attrs);
        }
    }
}

impl TreeSink for Sink {
    type Handle = u32;
    type Output = Tree;
    type ElemName<'a> = Name;

    fn finish(self) -> Tree {
        self.tree.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    #[inline]
    fn elem_name<'a>(&'a self, &target: &'a u32) -> Name {
        self.asked.set(target);
        let tree = self.tree.borrow();
        let link = tree.link(target);
        let ns = match link.flags & (SVG | MATHML) {
            0 => &HTML_NS,
            SVG => &SVG_NS,
            _ => &MATHML_NS,
        };
        let local = match tag_atom(Tag(link.tag)) {
            Some(atom) => Local::Known(atom),
            None => Local::Other(tree.tags.atom(link.tag)),
        };
        Name { ns, local }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> u32 {
        let mut tree = self.tree.borrow_mut();
        let tag = tree.tags.intern(&name.local);
        let mut bits = match name.ns {
            ns!(svg) => SVG,
            ns!(mathml) => MATHML,
            _ => 0,
        };
        if flags.mathml_annotation_xml_integration_point {
            bits |= INTEGRATION_POINT;
        }
        let (start, len) = tree.push_attrs(&attrs);
        let node = tree.push(Kind::Element, tag, bits, start, len);
        drop(tree);
        self.take_back(attrs);
        node
    }

    fn create_comment(&self, text: StrTendril) -> u32 {
        let mut tree = self.tree.borrow_mut();
        let start = tree.text.len() as u32;
        push_str(&mut tree.text, &text);
        tree.push(Kind::Comment, 0, 0, start, text.len32())
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> u32 {
        // Only XML has processing instructions; HTML's tokenizer makes comments of them.
        self.create_comment(StrTendril::new())
    }

    fn append(&self, &parent: &u32, child: NodeOrText<u32>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(node) => tree.append(parent, node),
            NodeOrText::AppendText(text) => tree.append_text(parent, &text),
        }
    }

    fn append_based_on_parent_node(&self, element: &u32, prev: &u32, child: NodeOrText<u32>) {
        if self.tree.borrow().link(*element).parent == NONE {
            self.append(prev, child);
        } else {
            self.append_before_sibling(element, child);
        }
    }

    fn append_before_sibling(&self, &sibling: &u32, child: NodeOrText<u32>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(node) => {
                tree.detach(node);
                tree.insert_before(sibling, node);
            }
            NodeOrText::AppendText(text) => tree.insert_text_before(sibling, &text),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// What a template holds stands below it like any other content, only hidden.
    fn get_template_contents(&self, &target: &u32) -> u32 {
        target
    }

    fn allow_declarative_shadow_roots(&self, _: &u32) -> bool {
        false
    }

    #[inline]
    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, &target: &u32, attrs: Vec<Attribute>) {
        self.tree.borrow_mut().add_missing_attrs(target, &attrs);
        self.take_back(attrs);
    }

    fn associate_with_form(&self, &target: &u32, &form: &u32, _: (&u32, Option<&u32>)) {
        self.tree.borrow_mut().owners.push((target, form));
    }

    fn remove_from_parent(&self, &target: &u32) {
        self.tree.borrow_mut().detach(target);
    }

    fn reparent_children(&self, &node: &u32, &new_parent: &u32) {
        self.tree.borrow_mut().move_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, &node: &u32) -> bool {
        self.tree.borrow().link(node).flags & INTEGRATION_POINT != 0
    }
}
