//! Whether pages that nothing leads to are about one entity each, or lists: by their template, not by words.

use std::collections::BTreeSet;

use quarry_dom::{NodeId, PageIndex, Tag, fold_whitespace};

use super::SitePage;
use crate::detail::DetailTemplate;
use crate::links::LinkMap;
use crate::parallel;

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
    detail: Option<&DetailTemplate>,
) -> bool {
    // A single page shares nothing with others: all of it is its own.
    let is_alone = pages.len() == 1;
    let template = are_titled_alike(pages).then(|| shared_texts(pages));
    let template = template.or_else(|| is_alone.then(BTreeSet::new));
    let lists =
        parallel::map_range(pages.len(), |at| is_list(&pages[at], &maps[at], template.as_ref()));
    let lists = lists.into_iter().filter(|is_list| *is_list).count();
    if 2 * lists <= pages.len() {
        return true;
    }
    let has_controls =
        |map: &&LinkMap| !map.pagination.is_empty() || !map.sorts.is_empty() || map.shown.is_some();
    let controlled = maps.iter().filter(has_controls).count() as f64 / maps.len().max(1) as f64;
    let has_subject = detail.is_some_and(|detail| detail.subject >= SUBJECT);
    has_subject && pages.len() >= SUBJECT_PAGES && controlled < LIST_CONTROLS
}

/// Whether all pages have one title, their numbers aside: pages about one entity each are called after it.
fn are_titled_alike(pages: &[SitePage<'_>]) -> bool {
    let plain = |page: &SitePage<'_>| {
        let title = page.document.title().unwrap_or_default();
        title.chars().filter(|char| char.is_alphabetic()).collect::<String>()
    };
    let titles: BTreeSet<String> = pages.iter().map(plain).collect();
    pages.len() > 1 && titles.len() == 1 && !titles.contains("")
}

/// The texts that all pages show.
fn shared_texts(pages: &[SitePage<'_>]) -> BTreeSet<String> {
    let texts = |page: &SitePage<'_>| -> BTreeSet<String> {
        let document = page.document;
        let texts = document.all().filter(|&node| document.is_text(node));
        texts.map(|node| fold_whitespace(document.text(node)).trim().to_owned()).collect()
    };
    let all: Vec<BTreeSet<String>> = parallel::map(pages, texts);
    let mut all = all.into_iter();
    let first = all.next().unwrap_or_default();
    all.fold(first, |shared, own| shared.intersection(&own).cloned().collect())
}

/// The share of a list's own text, which other pages do not show, that its records hold.
const OWN_TEXT: f64 = 0.95;

/// Whether records hold most of a page's text. They lead somewhere; or, where pages have one title (`template` has the texts that
/// all of them show), nearly nothing outside of them is the page's own.
fn is_list(page: &SitePage<'_>, map: &LinkMap, template: Option<&BTreeSet<String>>) -> bool {
    let Some(region) = map.regions.first() else { return false };
    let is_sure = region.score >= REGION_SCORE || template.is_some_and(BTreeSet::is_empty);
    if region.records.len() < MIN_RECORDS || !is_sure {
        return false;
    }
    let document = page.document;
    let index = PageIndex::new(document);
    let leads = |root: NodeId| document.subtree(root).any(|node| document.is(node, Tag::A));
    let linked = region.records.iter().filter(|record| record.nodes.iter().any(|&n| leads(n)));
    let is_linked = linked.count() as f64 >= LINKED * region.records.len() as f64;
    let nodes = || region.records.iter().flat_map(|record| &record.nodes);
    let holds_own = |template: &BTreeSet<String>| {
        let (mut inside, mut all) = (0.0, 0.0);
        let mut records: Vec<NodeId> = nodes().copied().collect();
        records.sort_unstable();
        // Leaves come in document order: the subtree of the records so far ends at `end`.
        let (mut next, mut end) = (0, NodeId::ROOT);
        for leaf in index.leaves.iter().filter(|leaf| !leaf.image) {
            while let Some(&node) = records.get(next).filter(|&&node| node <= leaf.node) {
                end = end.max(document.subtree_end(node));
                next += 1;
            }
            if !template.contains(fold_whitespace(document.text(leaf.node)).trim()) {
                let chars = f64::from(leaf.chars);
                all += chars;
                inside += if leaf.node < end { chars } else { 0.0 };
            }
        }
        inside >= OWN_TEXT * all
    };
    if !is_linked && !template.is_some_and(holds_own) {
        return false;
    }
    let own: u32 = nodes().map(|&node| index.chars(node)).sum();
    f64::from(own) >= RECORD_TEXT * f64::from(index.chars(NodeId::ROOT).max(1))
}
