//! Draws a page with frames around what was found. A copy in one file that runs nothing and loads
//! nothing.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, Kind, NodeId, Tag};

use super::allow::{Fate, attribute, fate};
use super::css::harmless_sheet;
use super::frame::{Frame, Note};

/// The first thing in the copy: whatever may have slipped through is neither run nor loaded.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
    style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'\">";

/// A copy of a page with frames drawn around some of its nodes and a legend in the corner (a title
/// and a line for each shade). Scripts, event attributes, frames, forms, addresses and everything
/// remote are gone; the page's own inline styles and embedded pictures stay.
///
/// ```
/// use quarry_dom::{Document, Tag};
/// use quarry_extract::explain::{Frame, FrameRole, draw};
///
/// let page = Document::from_html("<p onclick='steal()'>One<script>run()</script></p>");
/// let node = page.elements(Tag::P).next().unwrap();
/// let frame = Frame { node, shade: FrameRole::Record, caption: "1".into() };
/// let copy = draw(&page, &[frame], "one record", &[]);
/// assert!(copy.contains(r#"<p data-quarry="record" data-quarry-caption="1">One</p>"#));
/// ```
pub fn draw(document: &Document, frames: &[Frame], title: &str, legend: &[Note]) -> String {
    let mut framed: BTreeMap<NodeId, Vec<&Frame>> = BTreeMap::new();
    for frame in frames {
        framed.entry(frame.node).or_default().push(frame);
    }
    let marked = legend.iter().filter_map(|note| note.node).collect();
    let mut copy = Copy { document, framed, marked, html: String::new(), open: Vec::new() };
    copy.head(title);
    copy.body();
    copy.legend(title, legend);
    copy.html.push_str("</body></html>\n");
    copy.html
}

struct Copy<'a> {
    document: &'a Document,
    framed: BTreeMap<NodeId, Vec<&'a Frame>>,
    /// Nodes that the legend leads to.
    marked: BTreeSet<NodeId>,
    html: String,
    /// Elements that are not closed yet: where their subtree ends, and their name in the copy.
    open: Vec<(NodeId, &'a str)>,
}

impl<'a> Copy<'a> {
    fn head(&mut self, title: &str) {
        self.html.push_str("<!doctype html>\n<html");
        if let Some(html) = self.document.elements(Tag::HTML).next() {
            self.attributes(html);
        }
        self.html.push_str("><head><meta charset=\"utf-8\">");
        self.html.push_str(POLICY);
        self.html.push_str("<title>");
        escape(title, &mut self.html);
        self.html.push_str("</title>");
        let head = self.document.elements(Tag::HEAD).next();
        let styles = self.document.elements(Tag::STYLE);
        for style in styles.filter(|&style| head.is_some_and(|h| self.document.contains(h, style)))
        {
            self.style(style);
        }
        self.html.push_str("<style>\n");
        self.html.push_str(include_str!("frame.css"));
        self.html.push_str("</style></head><body");
        if let Some(body) = self.document.elements(Tag::BODY).next() {
            self.attributes(body);
        }
        self.html.push('>');
    }

    fn body(&mut self) {
        let end = NodeId(self.document.len() as u32);
        let mut foreign_until = NodeId::ROOT;
        let mut node = NodeId::ROOT;
        while node < end {
            self.close_before(node);
            let foreign = node < foreign_until;
            let mut next = NodeId(node.0 + 1);
            match self.document.kind(node) {
                Kind::Document | Kind::Comment => {}
                // What hid it may be gone.
                Kind::Text if foreign && self.document.is_hidden(node) => {}
                Kind::Text => self.text(node, foreign),
                Kind::Element => match fate(self.document, node, foreign) {
                    Fate::Dropped => next = self.document.subtree_end(node),
                    Fate::Unwrapped => {}
                    Fate::Renamed(name) => self.element(node, name),
                    Fate::Kept if self.document.is(node, Tag::STYLE) => {
                        self.style(node);
                        next = self.document.subtree_end(node);
                    }
                    Fate::Kept => {
                        let name = self.document.tag_name(node);
                        if name == "svg" && !foreign {
                            foreign_until = self.document.subtree_end(node);
                        }
                        self.element(node, name);
                    }
                },
            }
            node = next;
        }
        self.close_before(end);
    }

    /// A style sheet of the page, unless it is for readers without scripts: such hide all but a notice.
    fn style(&mut self, node: NodeId) {
        if self.document.ancestor_named(node, Tag::NOSCRIPT).is_none() {
            self.html.push_str("<style>");
            self.html.push_str(&harmless_sheet(&self.document.text_content(node)));
            self.html.push_str("</style>");
        }
    }

    fn close_before(&mut self, node: NodeId) {
        while let Some((_, name)) = self.open.pop_if(|(end, _)| *end <= node) {
            self.html.push_str("</");
            self.html.push_str(name);
            self.html.push('>');
        }
    }

    fn element(&mut self, node: NodeId, name: &'a str) {
        self.html.push('<');
        self.html.push_str(name);
        self.attributes(node);
        self.html.push('>');
        if !Tag::known(name).is_some_and(Tag::is_void) {
            self.open.push((self.document.subtree_end(node), name));
        }
    }

    fn text(&mut self, node: NodeId, foreign: bool) {
        let text = self.document.text(node);
        // These hold no elements.
        let bare = [Tag::TEXTAREA, Tag::OPTION, Tag::OPTGROUP, Tag::SELECT];
        let parent = self.document.parent(node).and_then(|parent| self.document.tag(parent));
        let framed = !foreign
            && self.framed.contains_key(&node)
            && !text.trim().is_empty()
            && !parent.is_some_and(|parent| bare.contains(&parent));
        if framed {
            self.html.push_str("<span");
            self.frame(node);
            self.html.push('>');
        }
        escape(text, &mut self.html);
        if framed {
            self.html.push_str("</span>");
        }
    }

    fn attributes(&mut self, node: NodeId) {
        let document = self.document;
        for (name, value) in document.attrs(node) {
            if let Some(value) = attribute(document, node, name, value) {
                self.attribute(name, &value);
            }
        }
        // Links lead nowhere; resting on one shows where it led.
        let title = document.attr(node, "title").is_none();
        if let Some(address) =
            document.attr(node, "href").filter(|_| title && document.is(node, Tag::A))
        {
            self.attribute("title", address);
        }
        self.frame(node);
    }

    fn frame(&mut self, node: NodeId) {
        if self.marked.contains(&node) && self.document.id(node).is_none() {
            self.attribute("id", &own_id(node));
        }
        let Some(frames) = self.framed.get(&node) else { return };
        let shades: Vec<&str> = frames.iter().map(|frame| frame.shade.word()).collect();
        let captions: Vec<&str> = frames
            .iter()
            .map(|frame| frame.caption.as_str())
            .filter(|caption| !caption.is_empty())
            .collect();
        let (shades, caption) = (shades.join(" "), captions.join(" · "));
        self.attribute("data-quarry", &shades);
        if !caption.is_empty() {
            self.attribute("data-quarry-caption", &caption);
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.html.push(' ');
        self.html.push_str(name);
        self.html.push_str("=\"");
        escape(value, &mut self.html);
        self.html.push('"');
    }

    fn legend(&mut self, title: &str, notes: &[Note]) {
        self.html.push_str("<details open data-quarry-legend><summary>");
        escape(title, &mut self.html);
        self.html.push_str("</summary>");
        for Note { shade, text, node } in notes {
            self.html.push_str("<div><i data-quarry-swatch=\"");
            self.html.push_str(shade.word());
            self.html.push_str("\"></i><a");
            if let Some(node) = node {
                let id = self.document.id(*node).map_or_else(|| own_id(*node), str::to_owned);
                self.attribute("href", &format!("#{id}"));
            }
            self.html.push('>');
            escape(text, &mut self.html);
            self.html.push_str("</a></div>");
        }
        self.html.push_str("</details>");
    }
}

fn own_id(node: NodeId) -> String {
    format!("data-quarry-{}", node.0)
}

/// Text for an element or a quoted attribute.
fn escape(text: &str, html: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\r' => html.push_str("&#13;"),
            _ => html.push(letter),
        }
    }
}
