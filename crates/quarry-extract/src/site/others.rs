//! What of an entity's page is about other entities? Records of related ones, each with its own facts.

use quarry_dom::NodeId;

use super::SitePage;
use super::lists::{self, Looks};
use crate::model::SiteModel;
use crate::spec::{Spec, SpecPair};

/// The share of a specification in the records of other entities, from which on it is about them.
const OF_OTHERS: f64 = 0.6;

/// Leaves out what stands in the records of other entities that an entity's page shows. A row of the entity's own
/// specification may well link to another one.
pub(super) fn leave_out(page: &SitePage<'_>, model: &SiteModel, specs: &mut Vec<Spec>) {
    let document = page.document;
    let links = lists::to_others(document, page.address, &model.entities);
    let looks = Looks { first: model.records.clone(), following: model.following.clone() };
    let spans = lists::spans(document, &links, &looks);
    let mut nodes: Vec<NodeId> = spans.into_iter().flat_map(|span| span.nodes).collect();
    nodes.sort_unstable();
    let inside = |pair: &SpecPair| {
        let before = nodes.partition_point(|&node| node <= pair.value_node);
        nodes[..before].last().is_some_and(|&node| document.contains(node, pair.value_node))
    };
    for spec in specs.iter_mut() {
        let others = spec.pairs.iter().filter(|pair| inside(pair)).count();
        if others as f64 >= OF_OTHERS * spec.pairs.len() as f64 {
            spec.pairs.retain(|pair| !inside(pair));
        }
    }
    specs.retain(|spec| !spec.pairs.is_empty());
}
