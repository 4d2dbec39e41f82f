//! What a group of links means, judged by what one of its links returns (query-centric crawling, §4.2,
//! Assumptions 2 and 3).

use super::facts::QueryFacts;
use crate::query::QueryNode;

/// Share by which the count beside a link may differ from the narrower list's: counts are cached.
const COUNT_TOLERANCE: f64 = 0.05;

/// What a group of links means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Meaning {
    /// None of its links has been judged.
    #[default]
    Unknown,
    /// Its links narrow the list: values of an attribute.
    Facet,
    /// Its links lead to other pages, or show the same list.
    NotAFacet,
}

/// What one sampled link says of its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judgement {
    Facet,
    NotAFacet,
    Unsure,
}

/// Judges the first page of a query, which shows `shown` entities, against the query that it should
/// narrow.
pub(super) fn judge(
    parent: &QueryNode,
    query: &QueryNode,
    facts: &QueryFacts,
    shown: usize,
    page_size: usize,
) -> Judgement {
    let shown = shown as u64;
    if shown == 0 {
        return match query.expected {
            Some(0) => Judgement::Unsure,
            _ => Judgement::NotAFacet,
        };
    }
    if parent.answers.is_empty() {
        return Judgement::Facet;
    }
    let is_whole = facts.next.is_none() && shown < page_size as u64;
    let total = facts.total.or(is_whole.then_some(shown));
    if let (Some(expected), Some(total)) = (query.expected, total) {
        let tolerated = (expected as f64 * COUNT_TOLERANCE).max(1.0);
        let is_near = expected.abs_diff(total) as f64 <= tolerated;
        return if is_near { Judgement::Facet } else { Judgement::Unsure };
    }
    // Assumption 2: a more selective query has fewer results.
    if let (Some(all), Some(total)) = (parent.claimed(), total) {
        return match total.cmp(&all) {
            std::cmp::Ordering::Less => Judgement::Facet,
            std::cmp::Ordering::Equal => Judgement::Unsure,
            std::cmp::Ordering::Greater => Judgement::NotAFacet,
        };
    }
    if is_whole {
        return Judgement::Facet;
    }
    // Without any count: the narrower list at least begins with other entities.
    let differs = query.answers.iter().zip(&parent.answers).any(|(a, b)| a.entity != b.entity);
    if differs { Judgement::Facet } else { Judgement::Unsure }
}
