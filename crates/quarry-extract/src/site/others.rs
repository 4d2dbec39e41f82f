//! Finds the parts of an entity's page that are about other entities: records of related ones, each with its own facts.

use quarry_dom::{Document, NodeId, Tag};

use super::lists::{self, Looks, OtherEntities};
use super::{PageData, SitePage};
use crate::links::KnownEntities;

/// The share of a specification in the records of other entities, from which on it is about them.
const OF_OTHERS: f64 = 0.6;

/// Elements between a link and its text, at most.
const MAX_INSIDE_LINK: usize = 4;

/// The records of other entities that an entity's page shows.
pub(super) struct Others<'a> {
    document: &'a Document,
    /// Their first nodes, sorted.
    nodes: Vec<NodeId>,
    entities: OtherEntities<'a>,
}

impl<'a> Others<'a> {
    pub(super) fn of(page: &SitePage<'a>, known: &'a KnownEntities, looks: &Looks) -> Self {
        let document = page.document;
        let spans = lists::spans_of_others(document, page.address, known, looks);
        let mut nodes: Vec<NodeId> = spans.into_iter().flat_map(|span| span.nodes).collect();
        nodes.sort_unstable();
        let entities = OtherEntities { document, address: page.address, known };
        Self { document, nodes, entities }
    }

    /// Whether a node stands in one of them.
    fn hold(&self, node: NodeId) -> bool {
        let before = self.nodes.partition_point(|&first| first <= node);
        self.nodes[..before].last().is_some_and(|&first| self.document.contains(first, node))
    }

    /// Whether a text is that of a link to another entity.
    fn is_linked(&self, node: NodeId) -> bool {
        let mut around = self.document.ancestors(node).take(MAX_INSIDE_LINK);
        around.any(|node| self.document.is(node, Tag::A) && self.entities.lead(node))
    }

    /// Leaves out what is about them. A row of the entity's own specification may well link to another one.
    pub(super) fn leave_out(&self, data: &mut PageData) {
        for spec in &mut data.specs {
            let others = spec.pairs.iter().filter(|pair| self.hold(pair.value_node)).count();
            if others as f64 >= OF_OTHERS * spec.pairs.len() as f64 {
                spec.pairs.retain(|pair| !self.hold(pair.value_node));
            }
        }
        data.specs.retain(|spec| !spec.pairs.is_empty());
        data.matched.retain(|found| !self.hold(found.node));
        data.fields.retain(|field| !self.hold(field.node) && !self.is_linked(field.node));
    }
}
