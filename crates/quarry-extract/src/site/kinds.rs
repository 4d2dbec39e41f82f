//! Whether pages that nothing leads to are about one entity each, or lists: by their template, not by words.

use quarry_dom::{NodeId, PageIndex, Tag};
use rayon::prelude::*;

use super::SitePage;
use crate::detail::DetailTemplate;
use crate::links::LinkMap;

/// A list has at least so many records.
const MIN_RECORDS: usize = 3;
/// The share of a list's records that lead somewhere.
const LINKED: f64 = 0.9;
/// The share of a list's visible text that its records hold.
const RECORD_TEXT: f64 = 0.5;
/// The score of the region that holds a list's records.
const REGION_SCORE: f64 = 0.9;
/// How well a slot says what each page is about where pages are about one entity each.
const SUBJECT: f64 = 0.9;
/// With fewer pages, lists of different queries have a subject, too: the words asked for.
const SUBJECT_PAGES: usize = 8;
/// The share of pages with paging, orders or a count of results from which on they are lists, whatever their titles say.
const LIST_CONTROLS: f64 = 0.3;

/// Whether most pages are about one entity each.
pub(super) fn are_details(
    pages: &[SitePage<'_>],
    maps: &[LinkMap],
    template: Option<&DetailTemplate>,
) -> bool {
    let lists = pages.par_iter().zip(maps).filter(|(page, map)| is_list(page, map)).count();
    if 2 * lists <= pages.len() {
        return true;
    }
    let has_controls =
        |map: &&LinkMap| !map.pagination.is_empty() || !map.sorts.is_empty() || map.shown.is_some();
    let controlled = maps.iter().filter(has_controls).count() as f64 / maps.len().max(1) as f64;
    let has_subject = template.is_some_and(|template| template.subject >= SUBJECT);
    has_subject && pages.len() >= SUBJECT_PAGES && controlled < LIST_CONTROLS
}

/// Whether records that lead somewhere hold most of a page's text.
fn is_list(page: &SitePage<'_>, map: &LinkMap) -> bool {
    let Some(region) = map.regions.first() else { return false };
    if region.records.len() < MIN_RECORDS || region.score < REGION_SCORE {
        return false;
    }
    let document = page.document;
    let leads = |root: NodeId| document.subtree(root).any(|node| document.is(node, Tag::A));
    let linked = region.records.iter().filter(|record| record.nodes.iter().any(|&n| leads(n)));
    if (linked.count() as f64) < LINKED * region.records.len() as f64 {
        return false;
    }
    let index = PageIndex::new(document);
    let nodes = region.records.iter().flat_map(|record| &record.nodes);
    let own: u32 = nodes.map(|&node| index.chars(node)).sum();
    f64::from(own) >= RECORD_TEXT * f64::from(index.chars(NodeId::ROOT).max(1))
}
