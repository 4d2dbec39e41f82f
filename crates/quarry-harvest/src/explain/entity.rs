//! Collects what is known of an entity, and the lists that say so.

use quarry_crawl::query::{QueryGraph, QueryNode};
use quarry_dom::NodeId;
use serde::Serialize;

use super::query_place::the_query;
use super::{AddressKind, ArchivedPage, Explanation};

/// A value of an entity and where it comes from.
#[derive(Debug, Serialize)]
pub struct ExplainedValue {
    /// The attribute.
    pub attribute: String,
    /// Its value.
    pub value: String,
    /// From 0 to 1.
    pub confidence: f64,
    /// The narrowest query that gave it, as pairs.
    pub query: Vec<String>,
    /// The list page on which the entity stood.
    pub page: String,
    /// Whether the entity's own page shows it, where that was fetched.
    pub shown: Option<bool>,
}

/// A list that shows the entity.
#[derive(Debug, Serialize)]
pub struct EntityList {
    /// The query that it answers, as pairs.
    pub query: Vec<String>,
    /// Its page on which the entity stands.
    pub page: String,
    /// Entities of the query.
    pub entities: usize,
}

/// Whether a text has these words, not only as parts of longer words or numbers.
fn has_words(text: &str, words: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + words.len()..]);
        !words.is_empty() && !inside(before.chars().next_back()) && !inside(after.chars().next())
    })
}

/// The address as an entity of a graph. False if it is none.
pub(super) fn explain(
    found: &mut Explanation,
    graph: &QueryGraph,
    page: Option<&ArchivedPage>,
) -> bool {
    let Some(entity) = graph.entities().iter().position(|address| *address == found.url) else {
        return false;
    };
    let text = page.map(|page| page.document.folded_text(NodeId::ROOT).to_lowercase());
    let answer = |query: &QueryNode| {
        query.answers.iter().find(|answer| answer.entity.index() == entity).copied()
    };
    let counted = graph.queries.iter().filter(|query| query.is_answered());
    let mut lists: Vec<(&QueryNode, String)> = counted
        .filter_map(|query| Some((query, graph.page_of(&answer(query)?).to_owned())))
        .collect();
    lists.sort_by_key(|(query, _)| query.answers.len());
    found.values = graph
        .values()
        .filter(|row| row.entity == found.url)
        .map(|row| {
            let pair = graph.find_predicate(row.attribute, row.value);
            let gave = |query: &&QueryNode| pair.is_some_and(|p| query.predicates.contains(&p));
            let at_page = lists.iter().filter(|(_, page)| page == row.page);
            let query = at_page.map(|(query, _)| *query).find(gave);
            ExplainedValue {
                attribute: row.attribute.to_owned(),
                value: row.value.to_owned(),
                confidence: row.confidence,
                query: query.map(|query| graph.name(query)).unwrap_or_default(),
                page: row.page.to_owned(),
                shown: text.as_ref().map(|text| has_words(text, &row.value.to_lowercase())),
            }
        })
        .collect();
    found.values.sort_by(|a, b| (&a.attribute, &a.value).cmp(&(&b.attribute, &b.value)));
    found.lists = lists
        .into_iter()
        .map(|(query, page)| EntityList {
            query: graph.name(query),
            page,
            entities: query.answers.len(),
        })
        .collect();
    found.kind = AddressKind::Entity;
    let narrowest = found.lists.first().map(|list| the_query(&list.query)).unwrap_or_default();
    found.what = format!(
        "is an entity with {} values, seen in {} lists, the narrowest of them {narrowest}",
        found.values.len(),
        found.lists.len(),
    );
    true
}

#[cfg(test)]
mod tests {
    use super::has_words;

    #[test]
    fn words_are_found_whole() {
        for (text, words, found) in [
            ("size 39, black", "39", true),
            ("$139.00", "39", false),
            ("slip-on clogs", "slip-on", true),
            ("mediumblue", "medium", false),
            ("mediumblue medium", "medium", true),
            ("größe 39", "größe", true),
            ("anything", "", false),
        ] {
            assert_eq!(has_words(text, words), found, "{words} in {text}");
        }
    }
}
