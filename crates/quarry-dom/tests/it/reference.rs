//! What would html5ever's own tokenizer, with another tree behind it, make of a page? The same
//! lines for both: depth and name with sorted attributes, texts, comments.

use html5ever::ParseOpts;
use html5ever::tendril::TendrilSink as _;
use html5ever::tree_builder::TreeBuilderOpts;
use quarry_dom::{Document, Kind};
use scraper::{Html, HtmlTreeSink, Node};

/// The lines of html5ever with `scraper`'s tree.
pub fn reference(html: &str) -> Vec<String> {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let opts = ParseOpts { tree_builder, ..ParseOpts::default() };
    let sink = HtmlTreeSink::new(Html::new_document());
    let parsed = html5ever::parse_document(sink, opts).one(html);
    let mut lines = Lines::default();
    let mut stack = vec![(parsed.tree.root(), 0)];
    while let Some((node, depth)) = stack.pop() {
        let mut below = depth + 1;
        match node.value() {
            Node::Element(element) => {
                let attrs = element.attrs.iter().map(|(name, value)| {
                    let local = name.local.to_string();
                    let prefix = name.prefix.as_deref().filter(|prefix| !prefix.is_empty());
                    let name = prefix.map_or(local.clone(), |prefix| format!("{prefix}:{local}"));
                    (name, value.to_string())
                });
                lines.element(depth, element.name(), attrs.collect());
            }
            Node::Text(text) => lines.text(depth, text),
            Node::Comment(comment) => lines.comment(depth, comment),
            Node::Fragment => below = depth,
            _ => {}
        }
        stack.extend(node.children().rev().map(|child| (child, below)));
    }
    lines.0
}

/// The lines of our document.
pub fn ours(document: &Document) -> Vec<String> {
    let mut lines = Lines::default();
    for node in document.all() {
        let depth = document.depth(node);
        match document.kind(node) {
            Kind::Document => {}
            Kind::Element => {
                let attrs = document.attrs(node);
                let attrs = attrs.map(|(name, value)| (name.to_owned(), value.to_owned()));
                lines.element(depth, document.tag_name(node), attrs.collect());
            }
            Kind::Text => lines.text(depth, document.text(node)),
            Kind::Comment => lines.comment(depth, document.text(node)),
        }
    }
    lines.0
}

/// The first line where the two differ.
pub fn difference(html: &str) -> Option<String> {
    let (ours, theirs) = (ours(&Document::from_html(html)), reference(html));
    if ours == theirs {
        return None;
    }
    let at = ours.iter().zip(&theirs).take_while(|(one, other)| one == other).count();
    Some(format!("line {at}: {:?} instead of {:?}", ours.get(at), theirs.get(at)))
}

#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    fn element(&mut self, depth: usize, name: &str, mut attrs: Vec<(String, String)>) {
        attrs.sort();
        self.0.push(format!("{depth} {name} {attrs:?}"));
    }

    /// Texts that became neighbours are one.
    fn text(&mut self, depth: usize, text: &str) {
        let start = format!("{depth} \"");
        match self.0.last_mut() {
            Some(last) if last.starts_with(&start) => last.push_str(text),
            _ => self.0.push(start + text),
        }
    }

    fn comment(&mut self, depth: usize, text: &str) {
        self.0.push(format!("{depth} <!--{text}-->"));
    }
}
