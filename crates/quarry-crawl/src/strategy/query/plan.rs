//! What does a group of links mean? Judged by what one of its links leads to (§4.2, Assumptions 2
//! and 3).

use super::sight::Sight;
use crate::query::QueryNode;

/// What a group of links means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Meaning {
    /// Nobody has looked yet.
    #[default]
    Unknown,
    /// Its links narrow the list: values of an attribute.
    Facet,
    /// Its links lead elsewhere, or change nothing.
    Nothing,
}

/// What one sample says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Facet,
    Not,
    Unsure,
}

/// Judges the first page of a query against the query that it should narrow.
pub(super) fn verdict(
    parent: &QueryNode,
    query: &QueryNode,
    sight: &Sight,
    found: usize,
    page_size: usize,
) -> Verdict {
    let found = found as u64;
    if found == 0 {
        return if query.expected == Some(0) { Verdict::Unsure } else { Verdict::Not };
    }
    if parent.answers.is_empty() {
        return Verdict::Facet;
    }
    let whole = sight.next.is_none() && found < page_size as u64;
    let total = sight.total.or(whole.then_some(found));
    if let (Some(expected), Some(total)) = (query.expected, total) {
        let near = expected.abs_diff(total) as f64 <= (expected as f64 * 0.05).max(1.0);
        return if near { Verdict::Facet } else { Verdict::Unsure };
    }
    // Assumption 2: a more selective query has fewer results.
    if let (Some(all), Some(total)) = (parent.claimed(), total) {
        return match total.cmp(&all) {
            std::cmp::Ordering::Less => Verdict::Facet,
            std::cmp::Ordering::Equal => Verdict::Unsure,
            std::cmp::Ordering::Greater => Verdict::Not,
        };
    }
    if whole {
        return Verdict::Facet;
    }
    // Without any number: at least it shows others first, or fewer.
    let others = query.answers.iter().zip(&parent.answers).any(|(a, b)| a.entity != b.entity);
    if others { Verdict::Facet } else { Verdict::Unsure }
}
