//! What a group of links means, judged by what one of its links returns (query-centric crawling, §4.2,
//! Assumptions 2 and 3): words and looks have only decided that it was asked.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::facts::QueryFacts;
use crate::query::{EntityId, QueryNode, QueryState};

/// Share by which the count beside a link may differ from the narrower list's: counts are cached.
const COUNT_TOLERANCE: f64 = 0.05;

/// Share of neighbours in a list that may stand the other way round than in the wider list and still be
/// in its order: sites change while they are read.
const ORDER_TOLERANCE: f64 = 0.1;

/// Share of a list's entities that a list with as many pages has at the least, for these to be the same: nine
/// pages in ten.
const SAME_SHARE: f64 = 0.9;

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
    /// The same entities in another order, all of them or some: the end of the list tells.
    Reordered,
    /// The list that was narrowed is itself a part of what the link returns.
    Superset,
}

/// A sampled list beside the list that it should narrow.
pub(super) struct Sampled<'a> {
    pub(super) parent: &'a QueryNode,
    pub(super) query: &'a QueryNode,
    /// The first page of the sampled list.
    pub(super) facts: &'a QueryFacts,
    /// Entities that it shows.
    pub(super) shown: usize,
    /// Entities on a full page.
    pub(super) page_size: usize,
    /// The highest page number that the first page of the list to narrow shows.
    pub(super) parent_last_page: Option<u32>,
}

impl Sampled<'_> {
    /// How many entities the list to narrow has, as far as that is known.
    fn all(&self) -> Option<u64> {
        let is_whole = self.parent.state == QueryState::Whole;
        self.parent.claimed().or(is_whole.then_some(self.parent.answers.len() as u64))
    }

    /// The places of the sampled entities in the list to narrow, for those that it has.
    fn places(&self) -> Vec<usize> {
        let place: BTreeMap<EntityId, usize> =
            self.parent.answers.iter().enumerate().map(|(n, answer)| (answer.entity, n)).collect();
        self.query.answers.iter().filter_map(|answer| place.get(&answer.entity).copied()).collect()
    }

    /// Judges the sampled list, and says by what evidence.
    pub(super) fn judge(&self) -> (Judgement, String) {
        let Self { parent, query, facts, page_size, .. } = *self;
        let shown = self.shown as u64;
        if shown == 0 {
            return match query.expected {
                Some(0) => (Judgement::Unsure, "it has no entities, as its count says".to_owned()),
                _ => (Judgement::NotAFacet, "it leads to a page without entities".to_owned()),
            };
        }
        if parent.answers.is_empty() {
            return (Judgement::Facet, format!("it leads to a list of {shown} entities or more"));
        }
        let is_whole = !facts.is_paged() && shown < page_size as u64;
        let all = self.all();
        // A number that stands on every page, whatever its list and the count beside the link, is not
        // said of the list.
        let is_furniture = query.total.is_some()
            && query.total == parent.total
            && query.expected.is_some_and(|expected| query.total != Some(expected));
        let total = query.total.filter(|_| !is_furniture).or(is_whole.then_some(shown));
        if let (Some(total), Some(all)) = (total, all)
            && total == all
            && all > 1
            // Within a narrow list a value may well have all of it, if the count beside it says so.
            && query.expected != Some(total)
        {
            return (Judgement::Unsure, format!("it returned all {all} entities"));
        }
        if let (Some(expected), Some(total)) = (query.expected, total) {
            let tolerated = (expected as f64 * COUNT_TOLERANCE).max(1.0);
            let is_near = expected.abs_diff(total) as f64 <= tolerated;
            return match is_near {
                true => {
                    (Judgement::Facet, format!("it returned {total} entities, as its count says"))
                }
                false => {
                    (Judgement::Unsure, format!("its count says {expected}, it returned {total}"))
                }
            };
        }
        // Assumption 2: a more selective query has fewer results.
        if let (Some(all), Some(total)) = (all, total) {
            return match total.cmp(&all) {
                Ordering::Less => {
                    (Judgement::Facet, format!("it returned {total} of {all} entities"))
                }
                Ordering::Equal => (Judgement::Unsure, format!("it returned all {all} entities")),
                Ordering::Greater => (
                    Judgement::Superset,
                    format!("it returned {total} entities, the list has {all}"),
                ),
            };
        }
        if is_whole {
            return (Judgement::Facet, format!("it returned {shown} entities"));
        }
        if let Some(by_pages) = self.judge_by_pages() {
            return by_pages;
        }
        let by_order = (parent.state == QueryState::Whole).then(|| self.judge_by_order());
        if let Some((Judgement::Facet | Judgement::NotAFacet, _)) = by_order {
            return by_order.unwrap_or((Judgement::Unsure, String::new()));
        }
        if let (Some(last), Some(all)) = (facts.last_page(), self.parent_last_page) {
            let evidence = format!("it has {last} pages, the list {all}");
            return (if last < all { Judgement::Facet } else { Judgement::Unsure }, evidence);
        }
        if let Some(unsure) = by_order {
            return unsure;
        }
        // Without any count: the narrower list at least begins with other entities.
        let differs = query.answers.iter().zip(&parent.answers).any(|(a, b)| a.entity != b.entity);
        match differs {
            true => (Judgement::Facet, "it begins with other entities".to_owned()),
            false => (Judgement::Unsure, "it begins with the same entities".to_owned()),
        }
    }

    /// Judges by how many entities a list has that was read to its end.
    pub(super) fn judge_by_end(parent: &QueryNode, query: &QueryNode) -> (Judgement, String) {
        let (all, own) = (parent.answers.len(), query.answers.len());
        match (own as f64) < SAME_SHARE * all as f64 {
            true => (Judgement::Facet, format!("it ended after {own} of {all} entities")),
            false => (Judgement::NotAFacet, format!("it returned {own} of {all} entities: a view")),
        }
    }

    /// Judges by the number of pages, where the pager of the list to narrow has proved to show the last one.
    fn judge_by_pages(&self) -> Option<(Judgement, String)> {
        let Self { parent, facts, page_size, .. } = *self;
        let last = facts.last_page()?;
        let shows_last = parent.state == QueryState::Whole
            && self.parent_last_page == Some(parent.pages)
            && parent.pages > 1;
        let all = parent.answers.len();
        let (least, most) = ((last as usize - 1) * page_size, last as usize * page_size);
        let evidence = format!("it has {last} pages, the list {}", parent.pages);
        if !shows_last {
            None
        } else if least as f64 >= SAME_SHARE * all as f64 {
            Some((Judgement::Unsure, evidence))
        } else {
            (most < all).then_some((Judgement::Facet, evidence))
        }
    }

    /// Judges by the order of entities, where all of the list to narrow is known: a part of a list keeps
    /// its order, another view of it does not.
    fn judge_by_order(&self) -> (Judgement, String) {
        let places = self.places();
        if places.is_empty() {
            return (Judgement::NotAFacet, "its entities are not in the list".to_owned());
        }
        let turns = places.windows(2).filter(|pair| pair[0] > pair[1]).count();
        let is_ordered = turns as f64 <= ORDER_TOLERANCE * places.len() as f64;
        let is_beginning = places.iter().enumerate().all(|(n, &place)| n == place);
        match (is_ordered, is_beginning) {
            (true, false) => {
                (Judgement::Facet, "it returned a part of the entities in their order".to_owned())
            }
            (true, true) => (Judgement::Unsure, "it begins with the same entities".to_owned()),
            (false, _) => (
                Judgement::Reordered,
                "it returned entities of the list in another order".to_owned(),
            ),
        }
    }
}
