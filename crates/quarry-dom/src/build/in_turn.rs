//! Recognises hidden elements that a page shows in turn: further records of a list that a script pages through or filters.
//! Such an element is built like a sibling that is shown: the same name and classes, and children with the same names and
//! classes.

use std::collections::HashMap;

use super::links::{Link, NONE};
use crate::document::{Document, Kind};
use crate::index::key;
use crate::name::Attr;

/// The builds of shown elements, gathered once for each parent of a hidden one.
pub(super) struct ShownInTurn<'t> {
    links: &'t [Link],
    by_parent: HashMap<u32, Vec<u64>>,
}

impl<'t> ShownInTurn<'t> {
    pub(super) fn new(links: &'t [Link]) -> Self {
        Self { links, by_parent: HashMap::new() }
    }

    /// Whether a hidden element is built like a sibling that is shown.
    pub(super) fn has(
        &mut self,
        document: &Document,
        at: u32,
        is_hidden: impl Fn(&Link) -> bool,
    ) -> bool {
        let links = self.links;
        let Some(own) = build(document, links, at) else { return false };
        let parent = links[at as usize].parent;
        let shown = self.by_parent.entry(parent).or_insert_with(|| {
            let shown = children(links, parent).filter(|&child| {
                links[child as usize].kind == Kind::Element && !is_hidden(&links[child as usize])
            });
            let mut builds: Vec<u64> =
                shown.filter_map(|child| build(document, links, child)).collect();
            builds.sort_unstable();
            builds
        });
        shown.binary_search(&own).is_ok()
    }
}

/// How an element is built; `None` for one without elements in it, of which there is too little to compare.
fn build(document: &Document, links: &[Link], at: u32) -> Option<u64> {
    let style = |link: &Link| {
        let start = link.start as usize;
        let attrs = &document.attrs[start..start + link.len as usize];
        let class = attrs.iter().find(|attr| Attr(attr.name) == Attr::CLASS);
        key::then(u64::from(link.tag), class.map_or(0, |class| key::of(document.value(class))))
    };
    let elements = children(links, at).map(|child| &links[child as usize]);
    let elements = elements.filter(|child| child.kind == Kind::Element);
    let mut parts: Vec<u64> = elements.map(style).collect();
    parts.sort_unstable();
    parts.dedup();
    let own = style(&links[at as usize]);
    (!parts.is_empty()).then(|| parts.into_iter().fold(own, key::then))
}

fn children(links: &[Link], parent: u32) -> impl Iterator<Item = u32> + '_ {
    let first = Some(links[parent as usize].first).filter(|&first| first != NONE);
    std::iter::successors(first, |&at| Some(links[at as usize].next).filter(|&next| next != NONE))
}
