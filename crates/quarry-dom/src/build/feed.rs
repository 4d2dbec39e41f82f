//! Feeds the tree builder: every token, as long as the page is within its limits.
//!
//! The standard's tree construction looks through the stack of open elements for most tags, so a
//! page that only ever opens elements would cost time quadratic in its length. Once the current
//! node stands at the depth limit, start tags are withheld (what they would have held then stands
//! flat at that depth) and remembered, so that their end tags do not close anything else. The
//! same holds for the list of active formatting elements, which unclosed formatting tags lengthen.

use std::collections::BTreeMap;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName};

use super::Built;
use super::links::Tree;
use super::sink::Sink;
use crate::limits::Limits;
use crate::name::Tag;

/// What the tokenizer has to do after a tag.
pub(crate) type Next = TokenSinkResult<u32>;

/// Passes tokens on to the tree builder.
pub(crate) struct Feed {
    builder: TreeBuilder<u32, Sink>,
    limits: Limits,
    withheld: Withheld,
    /// The list of active formatting elements is as long as it may be.
    formatting_full: bool,
}

impl Feed {
    pub(crate) fn new(limits: Limits, source_len: usize) -> Self {
        let opts = TreeBuilderOpts {
            // Pages are read as a client without scripts reads them: noscript has elements.
            scripting_enabled: false,
            drop_doctype: true,
            ..TreeBuilderOpts::default()
        };
        let sink = Sink::new(Tree::new(limits, source_len));
        Self {
            builder: TreeBuilder::new(sink, opts),
            limits,
            withheld: Withheld::default(),
            formatting_full: false,
        }
    }

    /// Whether the page has used up its nodes; the rest of it is not worth reading.
    pub(crate) fn is_full(&self) -> bool {
        self.builder.sink.tree.borrow().links.len() >= self.limits.nodes
    }

    /// An empty list for the next tag's attributes.
    pub(crate) fn spare_attrs(&self) -> Vec<Attribute> {
        self.builder.sink.spare_attrs.take()
    }

    /// Notes that the tokenizer dropped attributes.
    pub(crate) fn attributes_cut(&self) {
        self.builder.sink.tree.borrow_mut().cut.attributes = true;
    }

    /// Whether `<![CDATA[` opens a section here, and not a comment.
    pub(crate) fn in_foreign_content(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    pub(crate) fn text(&mut self, text: StrTendril) {
        let before = self.created();
        self.token(Token::CharacterTokens(text));
        self.watch_formatting(before);
    }

    pub(crate) fn null(&mut self) {
        self.token(Token::NullCharacterToken);
    }

    pub(crate) fn comment(&mut self, text: StrTendril) {
        self.token(Token::CommentToken(text));
    }

    pub(crate) fn doctype(&mut self, doctype: Doctype) {
        self.token(Token::DoctypeToken(doctype));
    }

    pub(crate) fn tag(&mut self, tag: TagToken) -> Next {
        if !self.is_deep() {
            return self.pass(tag);
        }
        match tag.kind {
            TagKind::StartTag => self.deep_start_tag(tag),
            TagKind::EndTag => self.deep_end_tag(tag),
        }
    }

    /// The end of the page: what is still open is closed.
    pub(crate) fn finish(mut self) -> Built {
        self.token(Token::EOFToken);
        self.builder.end();
        let full = self.is_full();
        let mut tree = self.builder.sink.tree.into_inner();
        tree.cut.nodes |= full;
        Built { tree, limits: self.limits }
    }

    fn token(&mut self, token: Token) {
        // Only tags change the tokenizer's state.
        let _: Next = self.builder.process_token(token, 1);
    }

    fn pass(&mut self, tag: TagToken) -> Next {
        let before = self.created();
        let next = self.builder.process_token(Token::TagToken(tag), 1);
        self.watch_formatting(before);
        next
    }

    fn created(&self) -> usize {
        self.builder.sink.tree.borrow().links.len()
    }

    /// A token that created as many elements as the tree may be deep reopened that many
    /// formatting elements. There shall be no more of them.
    fn watch_formatting(&mut self, before: usize) {
        if self.created() - before > self.limits.depth {
            self.formatting_full = true;
            self.builder.sink.tree.borrow_mut().cut.depth = true;
        }
    }

    /// Whether the page was at its depth limit at any time; few pages ever are.
    fn is_deep(&self) -> bool {
        self.formatting_full
            || usize::from(self.builder.sink.tree.borrow().deepest) >= self.limits.depth
    }

    /// The depth of the current node. The tree builder does not show its stack, but to say whether
    /// the current node is foreign it must ask the sink for that node's name.
    fn current_depth(&self) -> (usize, bool) {
        let sink = &self.builder.sink;
        sink.asked.set(0);
        let foreign = self.in_foreign_content();
        (usize::from(sink.tree.borrow().link(sink.asked.get()).depth), foreign)
    }

    fn deep_start_tag(&mut self, tag: TagToken) -> Next {
        let known = Tag::of(&tag.name);
        if self.formatting_full && known.is_some_and(Tag::is_formatting) {
            return Next::Continue;
        }
        let (depth, foreign) = self.current_depth();
        if depth < self.limits.depth {
            self.withheld.clear();
            return self.pass(tag);
        }
        // What never has children may pass: it does not lengthen the stack, or not for long.
        let leaf = match foreign {
            true => tag.self_closing,
            false => known.is_some_and(|tag| tag.is_void() || tag.is_raw_text()),
        };
        if leaf {
            return self.pass(tag);
        }
        self.builder.sink.tree.borrow_mut().cut.depth = true;
        if !(foreign && tag.self_closing) {
            self.withheld.push(tag.name);
        }
        Next::Continue
    }

    fn deep_end_tag(&mut self, tag: TagToken) -> Next {
        if self.withheld.close(&tag.name) {
            return Next::Continue;
        }
        let next = self.pass(tag);
        if self.current_depth().0 < self.limits.depth {
            self.withheld.clear();
        }
        next
    }
}

/// The elements that would be open if they had been let through.
#[derive(Default)]
struct Withheld {
    open: Vec<LocalName>,
    counts: BTreeMap<LocalName, u32>,
}

impl Withheld {
    fn push(&mut self, name: LocalName) {
        *self.counts.entry(name.clone()).or_default() += 1;
        self.open.push(name);
    }

    /// Closes the innermost element of this name and all inside it; false where there is none.
    fn close(&mut self, name: &LocalName) -> bool {
        if self.counts.get(name).is_none_or(|&count| count == 0) {
            return false;
        }
        while let Some(open) = self.open.pop() {
            if let Some(count) = self.counts.get_mut(&open) {
                *count -= 1;
            }
            if open == *name {
                break;
            }
        }
        true
    }

    fn clear(&mut self) {
        self.open.clear();
        self.counts.clear();
    }
}
