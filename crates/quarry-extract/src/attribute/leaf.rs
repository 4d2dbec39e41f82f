//! The locators of a text: up to seven kinds, each of which finds it again on other pages.
//!
//! The paper's positions are absolute paths (§3). An optional block above shifts them. Each text is
//! therefore also named by what its element looks like and how many like it come before, by the closest
//! ancestor with an id, by the text in front of it, and by its own beginning. A position in any
//! of these is one key; texts of different pages with the same key are a column.

use quarry_dom::{Attr, Document, Kind, NodeId, PageIndex, Tag};
use serde::{Deserialize, Serialize};

use crate::page::hash;

/// The kinds of node locator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocatorKind {
    /// The absolute path with indices: `/html/body/div[2]/p/text()`.
    Absolute,
    /// From the closest ancestor with an id, with indices: `#main/div[2]/p/text()`.
    Anchored,
    /// Names and classes without indices, and the number among texts of that style.
    #[serde(rename = "look")]
    Style,
    /// The text right before it, and the element that holds it.
    Label,
    /// The text two before it: a sign or unit may stand between label and value.
    FarLabel,
    /// The beginning of the text itself, up to a colon.
    Prefix,
    /// Number among the page's headings and title: `h1`, `h2`.
    Heading,
}

impl LocatorKind {
    /// All of them, in the order of the keys of a leaf.
    pub const ALL: [LocatorKind; 7] = [
        LocatorKind::Absolute,
        LocatorKind::Anchored,
        LocatorKind::Style,
        LocatorKind::Label,
        LocatorKind::FarLabel,
        LocatorKind::Prefix,
        LocatorKind::Heading,
    ];
}

/// A shown text of a page.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The text node.
    pub(crate) node: NodeId,
    /// The text, white space folded.
    pub(crate) text: String,
    /// Its key in each kind of locator; 0 where it has none.
    pub(crate) keys: [u64; LocatorKind::ALL.len()],
    /// The position in the list of leaves of the text before it.
    pub(crate) before: Option<u32>,
    /// Texts of the page whose elements look the same, itself included: a list has many.
    pub(crate) crowd: u32,
    /// What it shares with the other texts of a list: look and parent, look and grandparent.
    pub(crate) lists: [u64; 2],
}

/// Longer texts in front of a value are prose, not its label.
const MAX_LABEL_CHARS: usize = 60;

/// The shown texts of a page with their keys.
pub(crate) fn leaves(document: &Document) -> Vec<Leaf> {
    let index = PageIndex::new(document);
    let paths = Paths::of(document);
    let mut found: Vec<Leaf> = Vec::new();
    let mut looks: Vec<u64> = Vec::new();
    let mut seen: std::collections::HashMap<u64, u64> = std::collections::HashMap::new();
    for leaf in index.leaves.iter().filter(|leaf| !leaf.image) {
        let text = quarry_dom::fold_whitespace(document.text(leaf.node)).into_owned();
        let element = leaf.element;
        let parent = document.parent(element).unwrap_or(NodeId::ROOT);
        let of_text = hash::then(hash::of("text()"), paths.index[leaf.node.index()]);
        let absolute = hash::then(paths.absolute[element.index()], of_text);
        let anchored = paths.anchored[element.index()].map_or(0, |key| hash::then(key, of_text));
        let look = hash::then(index.field(leaf), index.style(parent).0);
        let count = seen.entry(look).or_insert(0);
        *count += 1;
        let nth = hash::then(look, *count);
        let tag = hash::of(document.tag_name(element));
        let label_at = |back: usize| -> u64 {
            let at = found.len().checked_sub(back);
            let Some(label) = at.and_then(|at| found.get(at)) else { return 0 };
            if label.text.chars().nth(MAX_LABEL_CHARS).is_some() {
                return 0;
            }
            hash::then(hash::then(hash::of(&label.text), tag), back as u64)
        };
        let prefix = prefix(&text).map_or(0, |prefix| hash::then(hash::of(prefix), tag));
        let heading = heading(document, element).map_or(0, |level| {
            let key = hash::then(hash::of("heading"), level);
            let count = seen.entry(key).or_insert(0);
            *count += 1;
            hash::then(key, *count)
        });
        let keys = [absolute, anchored, nth, label_at(1), label_at(2), prefix, heading];
        let keys = std::array::from_fn(|at| match keys[at] {
            0 => 0,
            key => hash::then(key, at as u64 + 1),
        });
        let before = found.len().checked_sub(1).map(|at| at as u32);
        let grandparent = document.parent(parent).unwrap_or(NodeId::ROOT);
        let lists = [parent, grandparent].map(|of| hash::then(look, u64::from(of.0)));
        found.push(Leaf { node: leaf.node, text, keys, before, crowd: 1, lists });
        looks.push(look);
    }
    for (leaf, look) in found.iter_mut().zip(&looks) {
        leaf.crowd = seen.get(look).map_or(1, |count| u32::try_from(*count).unwrap_or(u32::MAX));
    }
    found
}

/// The label that a text begins with: "Posted" in "Posted: today".
pub(crate) fn prefix(text: &str) -> Option<&str> {
    let (prefix, rest) = text.split_once(':')?;
    let short = prefix.chars().nth(MAX_LABEL_CHARS / 2).is_none();
    let worded = prefix.starts_with(char::is_alphabetic);
    (short && worded && rest.contains(char::is_alphanumeric)).then_some(prefix)
}

fn heading(document: &Document, element: NodeId) -> Option<u64> {
    let mut at = Some(element);
    for _ in 0..3 {
        let node = at?;
        if let Some(level) = document.tag(node).and_then(Tag::heading_level) {
            return Some(u64::from(level));
        }
        at = document.parent(node);
    }
    None
}

/// Path keys of all elements.
struct Paths {
    /// Number among siblings of the same name, from 1.
    index: Vec<u64>,
    absolute: Vec<u64>,
    anchored: Vec<Option<u64>>,
}

impl Paths {
    fn of(document: &Document) -> Self {
        let nodes = document.len();
        let mut paths =
            Self { index: vec![0; nodes], absolute: vec![0; nodes], anchored: vec![None; nodes] };
        let mut counts: std::collections::HashMap<(u32, u64), u64> =
            std::collections::HashMap::new();
        for node in document.all() {
            let Some(parent) = document.parent(node) else { continue };
            let name = match document.kind(node) {
                Kind::Element => hash::of(document.tag_name(node)),
                Kind::Text => 1,
                Kind::Comment | Kind::Document => continue,
            };
            let count = counts.entry((parent.0, name)).or_insert(0);
            *count += 1;
            paths.index[node.index()] = *count;
            if !document.is_element(node) {
                continue;
            }
            let step = hash::then(name, *count);
            paths.absolute[node.index()] = hash::then(paths.absolute[parent.index()], step);
            let id = document.known_attr(node, Attr::ID).filter(|id| is_name(id));
            paths.anchored[node.index()] = match id {
                Some(id) => Some(hash::of(id)),
                None => paths.anchored[parent.index()].map(|key| hash::then(key, step)),
            };
        }
        paths
    }
}

/// An id with digits may number the entity; it is no anchor.
fn is_name(id: &str) -> bool {
    !id.is_empty() && !id.bytes().any(|byte| byte.is_ascii_digit())
}
