//! Unites lists that are parts of one: sections of a page, rows loaded later into a box of their own,
//! columns: lists of records that are built alike, wherever they stand.

use quarry_dom::NodeId;

use super::candidate::{Candidate, make};
use super::kind::RecordKind;
use crate::page::RatedPage;

/// For each of the lists, best first, the union with all others of its kind that stand apart from
/// it; lists that are no union are left out.
pub(crate) fn unions(page: &RatedPage<'_>, lists: &[&Candidate]) -> Vec<Candidate> {
    let kind =
        |list: &&Candidate| RecordKind::of(page, list.roots.iter().map(std::slice::from_ref));
    let kinds: Vec<RecordKind> = lists.iter().map(kind).collect();
    let mut unions: Vec<Candidate> = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        let mut roots = list.roots.clone();
        let mut anchors = list.anchors.clone();
        for (other, candidate) in lists.iter().enumerate() {
            let alike = other != at && kinds[at].agrees(&kinds[other]);
            if alike && page.apart(&roots, &candidate.roots) {
                roots.extend_from_slice(&candidate.roots);
                roots.sort_unstable();
                anchors.extend_from_slice(&candidate.anchors);
            }
        }
        let twins = with_twins(page, list);
        for (roots, anchors) in [(roots, anchors), (twins, list.anchors.clone())] {
            let known = |union: &Candidate| union.roots == roots;
            if roots.len() > list.roots.len()
                && !lists.iter().any(|list| known(list))
                && !unions.iter().any(known)
            {
                unions.push(make(page, roots, anchors));
            }
        }
    }
    unions
}

/// The roots of a list and all elements of the page with the same path and style.
fn with_twins(page: &RatedPage<'_>, list: &Candidate) -> Vec<NodeId> {
    let mut roots = list.roots.clone();
    roots.extend(page.marks().twins(page, &list.roots));
    roots.sort_unstable();
    roots.dedup();
    roots
}
