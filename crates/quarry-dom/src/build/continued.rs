//! Recognises hidden elements that continue a list: the records behind the shown ones that a script shows on demand.

use std::collections::{BTreeMap, HashMap};

use super::links::{Link, NONE};
use crate::document::{Document, Kind};
use crate::index::key;
use crate::name::Attr;

/// So many siblings of one style are shown before hidden ones continue them: fewer are tabs and slides.
const SHOWN: usize = 3;
/// Parts that a child without a class must have to be compared.
const PARTS: usize = 2;

/// The hidden children that continue a list, gathered once for each parent of a hidden element.
pub(super) struct Continued<'t> {
    links: &'t [Link],
    by_parent: HashMap<u32, Vec<u32>>,
}

/// A child of an element.
struct Child {
    at: u32,
    hidden: bool,
    /// The styles of its children, ordered.
    parts: Vec<u64>,
}

impl<'t> Continued<'t> {
    pub(super) fn new(links: &'t [Link]) -> Self {
        Self { links, by_parent: HashMap::new() }
    }

    /// Whether a hidden element stands behind three shown siblings or more of its name and classes, before none of them,
    /// and is built like one of them.
    pub(super) fn has(
        &mut self,
        document: &Document,
        at: u32,
        is_hidden: impl Fn(&Link) -> bool,
    ) -> bool {
        let links = self.links;
        let parent = links[at as usize].parent;
        let known = self
            .by_parent
            .entry(parent)
            .or_insert_with(|| continuing(document, links, parent, is_hidden));
        known.binary_search(&at).is_ok()
    }
}

/// The hidden children of a parent that continue shown ones, ordered by number.
fn continuing(
    document: &Document,
    links: &[Link],
    parent: u32,
    is_hidden: impl Fn(&Link) -> bool,
) -> Vec<u32> {
    let mut by_style: BTreeMap<u64, Vec<Child>> = BTreeMap::new();
    for at in children(links, parent) {
        let link = &links[at as usize];
        if link.kind == Kind::Element {
            let (style, classed) = style(document, link);
            let parts = parts(document, links, at, classed);
            by_style.entry(style).or_default().push(Child { at, hidden: is_hidden(link), parts });
        }
    }
    let mut continuing = Vec::new();
    for same in by_style.values() {
        let shown = same.iter().take_while(|child| !child.hidden).count();
        let (shown, hidden) = same.split_at(shown);
        if shown.len() < SHOWN || !hidden.iter().all(|child| child.hidden) {
            continue;
        }
        let is_alike = |one: &&Child| shown.iter().any(|other| one.is_built_like(other));
        continuing.extend(hidden.iter().filter(is_alike).map(|child| child.at));
    }
    continuing.sort_unstable();
    continuing
}

/// The name and classes of an element, and whether it has classes.
fn style(document: &Document, link: &Link) -> (u64, bool) {
    let start = link.start as usize;
    let attrs = &document.attrs[start..start + link.len as usize];
    let class = attrs.iter().find(|attr| Attr(attr.name) == Attr::CLASS);
    let class = class.map_or("", |class| document.value(class).trim());
    (key::then(u64::from(link.tag), key::of(class)), !class.is_empty())
}

/// The styles of an element's children; none where they are too few to be compared.
fn parts(document: &Document, links: &[Link], at: u32, classed: bool) -> Vec<u64> {
    let elements = children(links, at).map(|child| &links[child as usize]);
    let elements = elements.filter(|child| child.kind == Kind::Element);
    let mut parts: Vec<u64> = elements.map(|child| style(document, child).0).collect();
    parts.sort_unstable();
    parts.dedup();
    let least = if classed { 1 } else { PARTS };
    if parts.len() < least {
        parts.clear();
    }
    parts
}

impl Child {
    /// Whether half of the parts of the one with more are parts of the other.
    fn is_built_like(&self, other: &Self) -> bool {
        let (one, two) = (&self.parts, &other.parts);
        let shared = one.iter().filter(|part| two.binary_search(part).is_ok()).count();
        shared > 0 && 2 * shared >= one.len().max(two.len())
    }
}

fn children(links: &[Link], parent: u32) -> impl Iterator<Item = u32> + '_ {
    let first = Some(links[parent as usize].first).filter(|&first| first != NONE);
    std::iter::successors(first, |&at| Some(links[at as usize].next).filter(|&next| next != NONE))
}

#[cfg(test)]
mod tests {
    use crate::{Document, Limits, NodeId};

    #[test]
    fn hidden_items_behind_three_shown_ones_are_read() {
        let item = |n: u32, hidden: bool| {
            let style = if hidden { " style='display: none'" } else { "" };
            format!("<div class=item{style}><b>{n}</b><i class=g{n}>x</i></div>")
        };
        let text = |hidden: &[bool]| {
            let items: String = hidden.iter().zip(1..).map(|(&is, n)| item(n, is)).collect();
            let page =
                format!("<div>{items}<div class=pop style='display:none'><b>P</b></div></div>");
            let document = Document::parse(page.as_bytes(), None, &Limits::default());
            document.folded_text(NodeId::ROOT).replace(" x", "")
        };
        let check = |hidden: &[bool], shown: &str| {
            assert_eq!(text(hidden).replace('x', ""), shown, "{hidden:?}");
        };
        check(&[false, false, false, true, true], "1 2 3 4 5");
        // Tabs and slides, and what is hidden between shown ones.
        check(&[false, true, true], "1");
        check(&[false, false, true, false, false], "1 2 4 5");
    }
}
