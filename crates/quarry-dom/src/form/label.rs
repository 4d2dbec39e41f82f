//! Labels of controls: the declared ones, in the order of trust, else the text that stands next to the
//! control.

use std::borrow::Cow;

use super::{ControlKind, Ids, owned, says};
use crate::document::{Document, NodeId};
use crate::name::{Attr, Tag};
use crate::text::fold_whitespace;

/// The label of a control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label<'a> {
    /// The text, white space folded.
    pub text: Cow<'a, str>,
    /// Where it was found.
    pub source: ControlLabelSource,
}

/// Where a label was found, the most trustworthy first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ControlLabelSource {
    /// A `label` whose `for` names the control.
    For,
    /// A `label` around the control.
    Wrapping,
    /// `aria-label`
    AriaLabel,
    /// The elements that `aria-labelledby` names.
    AriaLabelledby,
    /// The button's own text, `value` or `alt`.
    Content,
    /// `placeholder`
    Placeholder,
    /// `title`
    Title,
    /// Not said: the text before the control.
    TextBefore,
    /// Not said: the text behind a box or radio button.
    TextBehind,
}

/// How many nodes are looked at for a text next to the control.
const NEAR: usize = 64;
/// A longer text next to a control is not a label.
const LONGEST: usize = 100;
/// How many nodes of a label, and bytes of its text, are read. Any number of controls can have the
/// same label, and a label any number of controls in it.
const LABEL_NODES: u32 = 1_000;
const LABEL_BYTES: usize = 1_000;
/// How many ids of an `aria-labelledby` are followed.
const LABELLED_BY: usize = 8;

impl Document {
    pub(super) fn label<'a>(
        &'a self,
        node: NodeId,
        kind: ControlKind,
        form: NodeId,
        ids: &Ids<'a>,
    ) -> Option<Label<'a>> {
        if kind == ControlKind::Hidden {
            return None;
        }
        self.said_label(node, kind, ids).or_else(|| self.near_label(node, kind, form))
    }

    fn said_label<'a>(
        &'a self,
        node: NodeId,
        kind: ControlKind,
        ids: &Ids<'a>,
    ) -> Option<Label<'a>> {
        let found = |source, text: Cow<'a, str>| owned(text).map(|text| Label { text, source });
        let said = |source, attr| found(source, fold_whitespace(self.known_attr(node, attr)?));
        (self.id(node).and_then(|id| ids.labels.get(id)))
            .and_then(|&label| found(ControlLabelSource::For, self.label_text(label, node)))
            .or_else(|| {
                let label = self.ancestor_named(node, Tag::LABEL)?;
                // A label with a `for` of its own belongs to that control.
                let other = self
                    .known_attr(label, Attr::FOR)
                    .is_some_and(|id| self.id(node) != Some(id) && ids.elements.contains_key(id));
                if other {
                    None
                } else {
                    found(ControlLabelSource::Wrapping, self.label_text(label, node))
                }
            })
            .or_else(|| said(ControlLabelSource::AriaLabel, Attr::ARIA_LABEL))
            .or_else(|| {
                let named = self.known_attr(node, Attr::ARIA_LABELLEDBY)?.split_ascii_whitespace();
                let named = named.take(LABELLED_BY).filter_map(|id| ids.elements.get(id));
                let texts = named.map(|&named| self.label_head(named));
                let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
                found(ControlLabelSource::AriaLabelledby, texts.join(" ").into())
            })
            .or_else(|| {
                let text = match kind {
                    _ if self.is(node, Tag::BUTTON) => self.label_head(node),
                    ControlKind::Image => fold_whitespace(self.known_attr(node, Attr::ALT)?),
                    kind if kind.is_button() => {
                        fold_whitespace(self.known_attr(node, Attr::VALUE)?)
                    }
                    _ => return None,
                };
                found(ControlLabelSource::Content, text)
            })
            .or_else(|| said(ControlLabelSource::Placeholder, Attr::PLACEHOLDER))
            .or_else(|| said(ControlLabelSource::Title, Attr::TITLE))
    }

    /// The label's text, without that of the control itself where it stands inside.
    fn label_text(&self, label: NodeId, control: NodeId) -> Cow<'_, str> {
        if self.contains(label, control) {
            self.folded_head_without(label, control, LABEL_NODES, LABEL_BYTES).into()
        } else {
            self.label_head(label)
        }
    }

    fn label_head(&self, node: NodeId) -> Cow<'_, str> {
        self.folded_head(node, LABEL_NODES, LABEL_BYTES)
    }

    fn near_label(&self, node: NodeId, kind: ControlKind, form: NodeId) -> Option<Label<'_>> {
        if kind.is_button() {
            return None;
        }
        let before = || {
            let text = self.text_before(node, form)?;
            Some(Label { text, source: ControlLabelSource::TextBefore })
        };
        if matches!(kind, ControlKind::Checkbox | ControlKind::Radio) {
            let text = self.text_behind(node, form);
            let behind = text.map(|text| Label { text, source: ControlLabelSource::TextBehind });
            return behind.or_else(before);
        }
        before()
    }

    /// The text before the control, back to another control or the form's start.
    fn text_before(&self, node: NodeId, form: NodeId) -> Option<Cow<'_, str>> {
        let first = if self.contains(form, node) { form.0 + 1 } else { 0 };
        let mut before = (first..node.0).rev().map(NodeId).take(NEAR);
        let text = before.find_map(|at| self.near_text(at))?;
        self.whole_text(text.ok()?, node)
    }

    /// The text behind the control, up to another control, a line break or the end of its block.
    fn text_behind(&self, node: NodeId, form: NodeId) -> Option<Cow<'_, str>> {
        let block = self
            .ancestors(node)
            .find(|&block| block == form || self.tag(block).is_some_and(Tag::is_block))?;
        let end = self.subtree_end(block).0;
        let behind = (self.subtree_end(node).0..end).map(NodeId).take(NEAR);
        let mut behind = behind.take_while(|&at| !self.is(at, Tag::BR));
        let text = behind.find_map(|at| self.near_text(at))?;
        self.whole_text(text.ok()?, node)
    }

    /// A visible text (ok), another control (error), or neither.
    fn near_text(&self, at: NodeId) -> Option<Result<NodeId, NodeId>> {
        let is_control = |at| self.control_kind(at).is_some_and(|kind| kind != ControlKind::Hidden);
        if self.is_text(at) {
            // The text of an option or a button is not a label of something else.
            let inside = || self.ancestors(at).find(|&outer| is_control(outer));
            return self.has_text(at).then(|| inside().map_or(Ok(at), Err));
        }
        is_control(at).then_some(Err(at))
    }

    /// The text of the largest element around a text that holds no control and is not long: "Your
    /// <b>name</b>:" is one label.
    fn whole_text(&self, text: NodeId, control: NodeId) -> Option<Cow<'_, str>> {
        let holds_control =
            |node: NodeId| self.subtree(node).any(|node| self.control_kind(node).is_some());
        let mut whole = text;
        while let Some(parent) = self.parent(whole)
            && !self.contains(parent, control)
            && !says(self.known_attr(parent, Attr::ROLE), "heading")
            && self.subtree_size(parent) < NEAR
            && self.folded_chars(parent) <= LONGEST
            && !holds_control(parent)
        {
            whole = parent;
        }
        owned(self.folded_text(whole)).filter(|text| text.chars().count() <= LONGEST)
    }
}
