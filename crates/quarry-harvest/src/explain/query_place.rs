//! Finds the query that a page belongs to, and which of its pages it is.

use std::collections::BTreeSet;

use quarry_crawl::Address;
use quarry_crawl::query::{QueryGraph, QueryId, QueryNode, QueryState};
use serde::Serialize;

use super::ArchivedPage;
use crate::text::thousands;

/// Queries that are named in a row.
const NAMED: usize = 4;

/// A page among the pages of a query.
#[derive(Debug, Serialize)]
pub struct QueryPlace {
    /// Number of the query in its graph.
    #[serde(skip)]
    pub(super) id: QueryId,
    /// Its pairs `attribute=value`.
    pub query: Vec<String>,
    /// Which of its pages, where that can be told.
    pub page: Option<usize>,
    /// Pages that were read.
    pub pages: u32,
    /// Entities of the answer on this page.
    pub entities_here: usize,
    /// Entities of the answer.
    pub entities: usize,
    /// As many as the site says.
    pub claimed: Option<u64>,
    /// Its state in a word.
    pub state: &'static str,
    /// Queries with one pair less, which this one narrows.
    pub parents: Vec<Vec<String>>,
    /// Other queries with the same entities.
    pub same: Vec<Vec<String>>,
}

impl QueryPlace {
    pub(super) fn sentence(&self) -> String {
        let query = the_query(&self.query);
        match (self.page, self.pages) {
            _ if self.state == QueryState::Dropped.as_str() => {
                format!("was asked as {query}, which is not a query: it does not narrow the list")
            }
            (_, 0 | 1) => format!("is {query}"),
            (Some(page), pages) => format!("is page {page} of {pages} of {query}"),
            (None, pages) => format!("is one of {pages} pages of {query}"),
        }
    }

    /// What is known of it, by name, for people.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let number = |n: usize| thousands(n as u64);
        let said = match self.claimed {
            Some(claimed) if claimed == self.entities as u64 => {
                ", as many as the site says".to_owned()
            }
            Some(claimed) => format!(", the site says {}", thousands(claimed)),
            None => String::new(),
        };
        let state = match self.state {
            "whole" => "all its pages were read",
            "short" => "its list ends before all entities were shown",
            "asked" if self.query.is_empty() => "read as far as its values needed",
            "asked" => "not all its pages were read",
            _ => "not counted",
        };
        let mut rows = vec![
            (
                "entities",
                format!(
                    "{} here, {} in all{said}",
                    number(self.entities_here),
                    number(self.entities)
                ),
            ),
            ("state", format!("{}: {state}", self.state)),
        ];
        for (title, queries) in [("narrows", &self.parents), ("same as", &self.same)] {
            if !queries.is_empty() {
                let names: Vec<String> =
                    queries.iter().take(NAMED).map(|q| query_name(q)).collect();
                let more = queries.len().saturating_sub(NAMED);
                let more = if more > 0 { format!(" | and {more} more") } else { String::new() };
                let why = if title == "same as" { " (the same entities)" } else { "" };
                rows.push((title, format!("{}{more}{why}", names.join(" | "))));
            }
        }
        rows
    }
}

/// A query in words.
#[must_use]
pub fn query_name(pairs: &[String]) -> String {
    if pairs.is_empty() { "everything".to_owned() } else { pairs.join(", ") }
}

/// A query in a sentence.
pub(super) fn the_query(pairs: &[String]) -> String {
    let what = if pairs.is_empty() { "for " } else { "" };
    format!("the query {what}{}", query_name(pairs))
}

/// Finds the query of a page: the one that asks for it, or the one whose answer was read there. Pages
/// of a POST form share an address; the entities on them decide.
pub(super) fn locate(graph: &QueryGraph, page: &ArchivedPage) -> Option<QueryPlace> {
    let seen: BTreeSet<String> = entity_links(page).collect();
    let asked = |query: &QueryNode| query.state != QueryState::Offered;
    let here = |query: &QueryNode| {
        query.answers.iter().filter(|a| seen.contains(graph.entity_address(a.entity))).count()
    };
    let mut queries = graph.queries().filter(|(_, query)| asked(query));
    let by_request = queries.clone().find(|(_, query)| query.request == page.row.key);
    let found = by_request.or_else(|| {
        let on_page = |query: &QueryNode| {
            query.answers.iter().any(|answer| graph.page_of(answer) == page.row.key)
        };
        let here = |(id, query): &(QueryId, &QueryNode)| {
            (here(query), std::cmp::Reverse(query.answers.len()), std::cmp::Reverse(*id))
        };
        queries.by_ref().filter(|(_, query)| on_page(query)).max_by_key(here)
    });
    let (id, query) = found?;
    let mut pages: Vec<&str> = query.answers.iter().map(|answer| graph.page_of(answer)).collect();
    pages.dedup();
    let number = pages.iter().position(|name| *name == page.row.key).map(|at| at + 1);
    let first = by_request.is_some().then_some(1);
    let is_post = page.row.key != page.row.url;
    let names = |ids: Vec<QueryId>| ids.iter().map(|id| graph.name(&graph[*id])).collect();
    Some(QueryPlace {
        id,
        query: graph.name(query),
        page: first.or(number.filter(|_| !is_post)),
        pages: query.pages,
        entities_here: here(query),
        entities: query.answers.len(),
        claimed: query.claimed(),
        state: query.state.as_str(),
        parents: names(graph.parents(query)),
        same: names(same(graph, id)),
    })
}

/// The addresses that the page's links lead to.
fn entity_links(page: &ArchivedPage) -> impl Iterator<Item = String> {
    let links = page.document.links(&page.address);
    links
        .into_iter()
        .filter_map(|link| Address::normalise(link.url.as_str()).ok().map(Address::into_string))
}

/// Other queries with the same entities: equivalent as far as was seen (§3).
fn same(graph: &QueryGraph, id: QueryId) -> Vec<QueryId> {
    let own = &graph[id];
    if own.answers.is_empty() || id == QueryId::ROOT {
        return Vec::new();
    }
    let answer = own.entities();
    let alike = |(other, query): &(QueryId, &QueryNode)| {
        *other != QueryId::ROOT
            && *other != id
            && query.is_answered()
            && query.answers.len() == answer.len()
            && query.entities() == answer
    };
    let others = graph.queries().filter(alike);
    others.map(|(other, _)| other).collect()
}
