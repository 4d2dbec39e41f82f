//! The names of the boxes around a fragment. Class names and ids of the elements around it, each
//! element read once however many fragments it holds.

use std::collections::BTreeMap;

use quarry_dom::{Document, NodeId, Tag};

use super::words;

/// How far up a box may be called after a specification.
const LEVELS: usize = 5;

/// What the names of an element say.
#[derive(Clone, Copy, Debug, Default)]
struct BoxNames {
    /// Whether its names speak of a specification.
    spec: bool,
    /// How many of it and the elements around it accompany the page's subject.
    boilerplate: u16,
}

/// The elements around the fragments of a page.
#[derive(Debug, Default)]
pub(crate) struct Boxes {
    called: BTreeMap<NodeId, BoxNames>,
}

impl Boxes {
    pub(crate) fn new(document: &Document, fragments: impl Iterator<Item = NodeId>) -> Self {
        let mut boxes = Self::default();
        let mut fresh: Vec<NodeId> = Vec::new();
        for node in fragments {
            let mut at = Some(node);
            while let Some(node) = at.filter(|node| !boxes.called.contains_key(node)) {
                fresh.push(node);
                at = document.parent(node);
            }
            // From the outside in: boilerplate adds up.
            while let Some(node) = fresh.pop() {
                let around = document.parent(node).and_then(|parent| boxes.called.get(&parent));
                let around = around.map_or(0, |called| called.boilerplate);
                boxes.called.insert(node, box_names(document, node, around));
            }
        }
        boxes
    }

    /// How many of the elements near a fragment are called after a specification.
    pub(crate) fn called_spec(&self, document: &Document, node: NodeId) -> usize {
        let chain = std::iter::once(node).chain(document.ancestors(node)).take(LEVELS);
        chain.filter(|node| self.called.get(node).is_some_and(|called| called.spec)).count()
    }

    /// How many of the elements around a fragment accompany the page's subject.
    pub(crate) fn boilerplate(&self, node: NodeId) -> u16 {
        self.called.get(&node).map_or(0, |called| called.boilerplate)
    }
}

fn box_names(document: &Document, node: NodeId, around: u16) -> BoxNames {
    if !document.is_element(node) {
        return BoxNames { spec: false, boilerplate: around };
    }
    let names = || document.classes(node).chain(document.id(node));
    let spec = !document.is(node, Tag::BODY) && names().any(words::speaks_of_specs);
    let boilerplate =
        matches!(document.tag(node), Some(Tag::NAV | Tag::FOOTER | Tag::ASIDE | Tag::HEADER))
            || names().any(words::speaks_of_furniture);
    BoxNames { spec, boilerplate: around.saturating_add(u16::from(boilerplate)) }
}
