//! The report of a query-centric crawl: attributes, counts, requests sent and saved.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::meaning::Meaning;
use super::state::SiteState;
use crate::query::{QueryId, QueryNode, QueryState};

/// Requests that were not needed, by reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedRequests {
    /// Other views of a list: sort orders, page sizes, removals of a predicate, exports.
    pub views: u64,
    /// Combinations of predicates that were each requested on their own.
    pub combinations: u64,
    /// Queries that were requested before with their predicates in another order.
    pub equivalent: u64,
    /// Values that all entities of a list have, by the counts that it shows.
    pub concluded: u64,
}

/// An attribute that was found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AttributeReport {
    /// Its name.
    pub name: String,
    /// Different values.
    pub values: usize,
    /// (entity, value) pairs.
    pub pairs: usize,
}

/// What came of crawling a site by queries.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct QueryReport {
    /// The key of the request it began with.
    pub root: String,
    /// Attributes that narrow its lists, the largest first.
    pub attributes: Vec<AttributeReport>,
    /// Groups of links that do not narrow lists.
    pub rejected: Vec<String>,
    /// Entities found.
    pub entities: usize,
    /// Entities that list pages link to, and that no list shows.
    #[serde(default)]
    pub unlisted: Vec<String>,
    /// How many the site says there are.
    pub total: Option<u64>,
    /// (entity, attribute, value) triples.
    pub triples: usize,
    /// Queries that were requested.
    pub queries: usize,
    /// Queries that are known but were not requested.
    pub unasked: usize,
    /// Queries with as many entities as the site says.
    pub complete: usize,
    /// Queries whose lists end before all their entities are shown, and how many entities are missing,
    /// those of narrower queries counted.
    pub short: Vec<(String, u64)>,
    /// Requests that brought a page of the site.
    pub requests: u64,
    /// Requests that were saved.
    pub saved: SavedRequests,
    /// Entities whose own pages were compared with their values.
    pub details: Vec<String>,
    /// Share of the values of these entities that their pages do not show.
    pub hidden: Option<f64>,
    /// What was decided about lists, groups of links and addresses, each with its evidence.
    #[serde(default)]
    pub decisions: Vec<String>,
    /// Why it is over; `None` while it is not.
    pub end: Option<String>,
}

/// What was decided, and by what evidence.
fn decisions(state: &SiteState) -> Vec<String> {
    let mut lines = state.notes.clone();
    lines.extend(state.identity.evidence.iter().cloned());
    for (id, known) in &state.attributes {
        let meaning = match known.meaning {
            Meaning::Facet => "facet",
            Meaning::NotAFacet => "not a facet",
            Meaning::Unknown => "not decided",
        };
        if !known.evidence.is_empty() {
            let name = state.graph.attribute_name(*id);
            let asked = match known.samples.len() {
                0 | 1 => String::new(),
                several => format!("{several} values asked: "),
            };
            lines.push(format!("{name}: {meaning} ({asked}{})", known.evidence.join("; ")));
        }
    }
    lines
}

/// The report of an exploration so far.
pub(super) fn report(state: &SiteState) -> QueryReport {
    let graph = &state.graph;
    let mut attributes: Vec<AttributeReport> = graph
        .attributes()
        .iter()
        .map(|name| AttributeReport { name: name.clone(), ..Default::default() })
        .collect();
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut triples = 0;
    for row in graph.values() {
        triples += 1;
        let id = graph.attributes.find(row.attribute).unwrap_or_default().index();
        attributes[id].pairs += 1;
        if seen.insert((row.attribute, row.value)) {
            attributes[id].values += 1;
        }
    }
    attributes.retain(|attribute| attribute.pairs > 0);
    attributes.sort_by(|a, b| b.pairs.cmp(&a.pairs).then(a.name.cmp(&b.name)));
    let answered = || graph.queries.iter().filter(|query| query.is_answered());
    let is_complete = |query: &&QueryNode| query.claimed() == Some(query.answers.len() as u64);
    let mut short = Vec::new();
    for (id, query) in graph.queries().skip(1) {
        if query.state == QueryState::Short {
            let claimed = query.claimed().unwrap_or(0);
            let missing = claimed.saturating_sub(state.known_entities(id) as u64);
            if missing > 0 {
                short.push((graph.name(query).join(", "), missing));
            }
        }
    }
    let keywords = state.search.keywords.as_ref();
    let rejected = state.attributes.iter().filter(|(id, known)| {
        known.meaning == Meaning::NotAFacet && !keywords.is_some_and(|k| k.is_keyword(**id))
    });
    let address = |page: &String| graph.identity.canonical(page).into_owned();
    QueryReport {
        root: state.requests.root_key().to_owned(),
        rejected: rejected.map(|(id, _)| graph.attribute_name(*id).to_owned()).collect(),
        entities: graph.entities.len(),
        unlisted: state.unlisted(),
        total: graph[QueryId::ROOT].total,
        triples,
        queries: answered().count(),
        unasked: graph.queries.iter().filter(|q| q.state == QueryState::Offered).count(),
        complete: answered().filter(is_complete).count(),
        attributes,
        short,
        requests: state.requests.answered,
        saved: state.saved,
        details: state.entity_pages.sampled.iter().map(address).collect(),
        hidden: None,
        decisions: decisions(state),
        end: state.end.clone(),
    }
}
