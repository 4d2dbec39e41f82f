//! Node paths: XPath from the root, 1-based, with an index only where the parent has
//! several children of that name: `/html/body/div[2]/ul/li[3]`, texts as `text()`, comments as
//! `comment()`. And back.

use std::fmt::Write as _;

use crate::document::{Document, Kind, NodeId};

/// What XPath calls a child: siblings of one step are counted together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Element(u16),
    Text,
    Comment,
}

impl Document {
    fn step(&self, node: NodeId) -> Option<Step> {
        let node = self.node(node);
        match node.kind {
            Kind::Document => None,
            Kind::Element => Some(Step::Element(node.tag)),
            Kind::Text => Some(Step::Text),
            Kind::Comment => Some(Step::Comment),
        }
    }

    /// The names of the elements from `html` to the node: `html/body/div/ul/li`.
    pub fn tag_path(&self, node: NodeId) -> String {
        let mut path = String::new();
        for step in self.steps_to(node) {
            if !path.is_empty() {
                path.push('/');
            }
            path.push_str(self.tag_name(step));
        }
        path
    }

    /// The XPath of the node; `/` for the document node. Counts the node's siblings and those of
    /// its ancestors; for the paths of many nodes see [`Document::xpaths`].
    ///
    /// ```
    /// use quarry_dom::{Document, Tag};
    /// let page = Document::from_html("<table><tr><td>a<td>b</table>");
    /// let cell = page.elements(Tag::TD).nth(1).unwrap();
    /// assert_eq!(page.xpath(cell), "/html/body/table/tbody/tr/td[2]");
    /// assert_eq!(page.node_at("/html/body/table/tbody/tr/td[2]"), Some(cell));
    /// let text = page.first_child(cell).unwrap();
    /// assert_eq!(page.xpath(text), "/html/body/table/tbody/tr/td[2]/text()");
    /// ```
    pub fn xpath(&self, node: NodeId) -> String {
        let mut path = String::new();
        for step in self.steps_to(node) {
            self.push_step(step, self.index_among_siblings(step), &mut path);
        }
        if path.is_empty() {
            path.push('/');
        }
        path
    }

    /// Positions of all nodes among their siblings, so that each path costs only its length.
    pub fn xpaths(&self) -> XPaths<'_> {
        let mut index = vec![0; self.len()];
        let mut counts: Vec<u32> = Vec::new();
        for parent in self.all() {
            // Forwards, each child gets its position; backwards, the only ones lose it.
            for child in self.children(parent) {
                let slot = slot(self.step(child));
                if counts.len() <= slot {
                    counts.resize(slot + 1, 0);
                }
                counts[slot] += 1;
                index[child.index()] = counts[slot];
            }
            for child in self.children(parent) {
                if counts[slot(self.step(child))] == 1 {
                    index[child.index()] = 0;
                }
            }
            for child in self.children(parent) {
                counts[slot(self.step(child))] = 0;
            }
        }
        XPaths { document: self, index }
    }

    /// The node at an XPath as [`Document::xpath`] writes it; an index of 1 may be given where it is
    /// not needed.
    pub fn node_at(&self, xpath: &str) -> Option<NodeId> {
        let mut node = NodeId::ROOT;
        let steps = xpath.strip_prefix('/')?;
        if steps.is_empty() {
            return Some(node);
        }
        for step in steps.split('/') {
            let (test, index) = split_index(step)?;
            let mut same = self.children(node).filter(|&child| self.child_passes(child, test));
            node = match index {
                Some(index) => same.nth(index.checked_sub(1)?)?,
                None => {
                    let only = same.next()?;
                    if same.next().is_some() {
                        return None;
                    }
                    only
                }
            };
        }
        Some(node)
    }

    fn child_passes(&self, child: NodeId, test: Test<'_>) -> bool {
        match test {
            Test::Element(name) => self.is_element(child) && self.tag_name(child) == name,
            Test::Text => self.is_text(child),
            Test::Comment => self.kind(child) == Kind::Comment,
        }
    }

    /// The node and its ancestors below the document, outermost first.
    fn steps_to(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        let mut chain = Vec::with_capacity(self.depth(node));
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            chain.push(at);
            at = parent;
        }
        chain.into_iter().rev()
    }

    /// The position among the siblings of the same step; 0 where there is only one.
    fn index_among_siblings(&self, node: NodeId) -> u32 {
        let Some(parent) = self.parent(node) else { return 0 };
        let step = self.step(node);
        let (mut before, mut same) = (0, 0);
        for sibling in self.children(parent).filter(|&sibling| self.step(sibling) == step) {
            same += 1;
            before += u32::from(sibling < node);
        }
        if same > 1 { before + 1 } else { 0 }
    }

    fn push_step(&self, node: NodeId, index: u32, path: &mut String) {
        path.push('/');
        match self.kind(node) {
            Kind::Element => push_name(self.tag_name(node), path),
            Kind::Text => path.push_str("text()"),
            Kind::Comment => path.push_str("comment()"),
            Kind::Document => {}
        }
        if index > 0 {
            write!(path, "[{index}]").expect("a string takes everything");
        }
    }
}

/// All paths of a document; see [`Document::xpaths`].
#[derive(Debug)]
pub struct XPaths<'a> {
    document: &'a Document,
    index: Vec<u32>,
}

impl XPaths<'_> {
    /// As [`Document::xpath`].
    pub fn xpath(&self, node: NodeId) -> String {
        let mut path = String::new();
        for step in self.document.steps_to(node) {
            self.document.push_step(step, self.index[step.index()], &mut path);
        }
        if path.is_empty() {
            path.push('/');
        }
        path
    }
}

fn slot(step: Option<Step>) -> usize {
    match step {
        None | Some(Step::Text) => 0,
        Some(Step::Comment) => 1,
        Some(Step::Element(tag)) => 2 + usize::from(tag),
    }
}

/// A name test of XPath where the name allows it. Pages may have elements of any name; what XPath
/// cannot say plainly is put in quotes.
fn push_name(name: &str, path: &mut String) {
    if is_plain(name) {
        path.push_str(name);
        return;
    }
    let quote = if name.contains('"') { '\'' } else { '"' };
    write!(path, "*[local-name()={quote}{name}{quote}]").expect("a string takes everything");
}

fn is_plain(name: &str) -> bool {
    let plain = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.' | ':');
    name.starts_with(char::is_alphabetic) && name.chars().all(plain)
}

#[derive(Clone, Copy)]
enum Test<'a> {
    Element(&'a str),
    Text,
    Comment,
}

/// `li[3]` is (li, 3). A name in quotes may itself contain brackets, so it ends at its last quote.
fn split_index(step: &str) -> Option<(Test<'_>, Option<usize>)> {
    if let Some(quoted) = step.strip_prefix("*[local-name()=") {
        let quote = quoted.chars().next().filter(|char| matches!(char, '"' | '\''))?;
        let (name, rest) = quoted[1..].rsplit_once(quote)?;
        return Some((Test::Element(name), index(rest.strip_prefix(']')?)?));
    }
    let (name, rest) = step.split_at(step.find('[').unwrap_or(step.len()));
    let test = match name {
        "" => return None,
        "text()" => Test::Text,
        "comment()" => Test::Comment,
        name => Test::Element(name),
    };
    Some((test, index(rest)?))
}

/// Nothing, or a number in brackets; the outer `None` is for anything else.
fn index(rest: &str) -> Option<Option<usize>> {
    if rest.is_empty() {
        return Some(None);
    }
    let digits = rest.strip_prefix('[')?.strip_suffix(']')?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().ok())
        .flatten()
        .map(Some)
}
