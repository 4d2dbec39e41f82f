//! What of an entity's page is about other entities? Records of related ones, each with its own facts.

use quarry_dom::{Document, NodeId};

use super::lists::{self, Looks};
use super::{PageData, SitePage};
use crate::model::SiteModel;

/// The share of a specification in the records of other entities, from which on it is about them.
const OF_OTHERS: f64 = 0.6;

/// The records of other entities that an entity's page shows.
pub(super) struct Others<'a> {
    document: &'a Document,
    /// Their first nodes, sorted.
    nodes: Vec<NodeId>,
}

impl<'a> Others<'a> {
    pub(super) fn of(page: &SitePage<'a>, model: &SiteModel) -> Self {
        let document = page.document;
        let links = lists::to_others(document, page.address, &model.entities);
        let looks = Looks { first: model.records.clone(), following: model.following.clone() };
        let spans = lists::spans(document, &links, &looks);
        let mut nodes: Vec<NodeId> = spans.into_iter().flat_map(|span| span.nodes).collect();
        nodes.sort_unstable();
        Self { document, nodes }
    }

    /// Whether a node stands in one of them.
    fn hold(&self, node: NodeId) -> bool {
        let before = self.nodes.partition_point(|&first| first <= node);
        self.nodes[..before].last().is_some_and(|&first| self.document.contains(first, node))
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
    }
}
