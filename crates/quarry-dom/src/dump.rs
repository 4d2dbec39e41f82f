//! Prints a document: a text with one line per node, for tests, bug reports and
//! `quarry inspect`.

use std::fmt::Write as _;

use crate::document::{Document, Kind, Namespace, NodeId};
use crate::text::fold_whitespace;

/// Longer texts are cut after this many characters.
const TEXT_CHARS: usize = 100;

impl Document {
    /// The tree, one node a line, children further in: names with their attributes, texts folded
    /// and in quotes, hidden nodes marked. Texts of white space only are left out.
    ///
    /// ```
    /// let page = quarry_dom::Document::from_html("<title>T</title><p class=x>a <b hidden>b</b>");
    /// assert_eq!(page.dump(), r#"
    /// html
    ///   head (hidden)
    ///     title (hidden)
    ///       "T" (hidden)
    ///   body
    ///     p class="x"
    ///       "a"
    ///       b hidden="" (hidden)
    ///         "b" (hidden)
    /// "#.trim_start());
    /// ```
    pub fn dump(&self) -> String {
        self.dump_subtree(NodeId::ROOT)
    }

    /// [`Document::dump`] of one subtree.
    pub fn dump_subtree(&self, root: NodeId) -> String {
        let mut dump = String::new();
        let top = self.depth(root).max(1);
        for node in self.subtree(root) {
            self.dump_node(node, self.depth(node).saturating_sub(top), &mut dump);
        }
        dump
    }

    fn dump_node(&self, node: NodeId, level: usize, dump: &mut String) {
        let line = match self.kind(node) {
            Kind::Document => return,
            Kind::Element => self.dump_element(node),
            Kind::Text => match fold_whitespace(self.text(node)) {
                text if text.is_empty() => return,
                text => shortened(&text),
            },
            Kind::Comment => format!("<!-- {} -->", shortened(&fold_whitespace(self.text(node)))),
        };
        let hidden = if self.is_hidden(node) { " (hidden)" } else { "" };
        writeln!(dump, "{:width$}{line}{hidden}", "", width = 2 * level)
            .expect("a string takes everything");
    }

    fn dump_element(&self, node: NodeId) -> String {
        let mut line = match self.namespace(node) {
            Namespace::Html => String::new(),
            Namespace::Svg => "svg:".to_owned(),
            Namespace::MathMl => "math:".to_owned(),
        };
        line.push_str(self.tag_name(node));
        for (name, value) in self.attrs(node) {
            write!(line, " {name}={}", shortened(value)).expect("a string takes everything");
        }
        line
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}… ({} characters)", &text[..end], text.chars().count()),
    }
}
