//! Which lists are parts of one? Sections of a page, rows loaded later into a box of their own,
//! columns: lists of records that are built alike, wherever they stand.

use quarry_dom::NodeId;

use super::candidate::{Candidate, make};
use crate::page::RatedPage;

/// Two lists are of one kind if this share of the fields of the one with fewer is in the other.
const KINDS_AGREE: f64 = 0.6;
/// A field belongs to the kind if this share of a list's records has it.
const COMMON: f64 = 0.5;

/// The fields that most records of a list have, sorted.
fn kind(page: &RatedPage<'_>, roots: &[NodeId]) -> Vec<u64> {
    let mut all: Vec<u64> = Vec::new();
    for &root in roots {
        let mut fields: Vec<u64> =
            page.leaves_of(root).iter().map(|leaf| page.field_in(leaf, root)).collect();
        fields.sort_unstable();
        fields.dedup();
        all.extend(fields);
    }
    all.sort_unstable();
    let enough = COMMON * roots.len() as f64;
    let same = all.chunk_by(|one, other| one == other);
    same.filter(|same| same.len() as f64 >= enough).map(|same| same[0]).collect()
}

/// For each of the lists, best first, the union with all others of its kind that stand apart from
/// it; lists that are no union are left out.
pub(crate) fn unions(page: &RatedPage<'_>, lists: &[&Candidate]) -> Vec<Candidate> {
    let document = page.document;
    let kinds: Vec<Vec<u64>> = lists.iter().map(|list| kind(page, &list.roots)).collect();
    let mut unions: Vec<Candidate> = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        let Some(&first) = list.roots.first() else { continue };
        let mut roots = list.roots.clone();
        let mut anchors = list.anchors.clone();
        for (other, candidate) in lists.iter().enumerate() {
            let alike = other != at
                && candidate
                    .roots
                    .first()
                    .is_some_and(|&root| document.tag_name(root) == document.tag_name(first))
                && agree(&kinds[at], &kinds[other]);
            if alike && page.apart(&roots, &candidate.roots) {
                roots.extend_from_slice(&candidate.roots);
                roots.sort_unstable();
                anchors.extend_from_slice(&candidate.anchors);
            }
        }
        if roots.len() == list.roots.len() {
            continue;
        }
        let known = |union: &Candidate| union.roots == roots;
        if !lists.iter().any(|list| known(list)) && !unions.iter().any(known) {
            unions.push(make(page, roots, anchors));
        }
    }
    unions
}

fn agree(one: &[u64], other: &[u64]) -> bool {
    let shared = one.iter().filter(|field| other.binary_search(field).is_ok()).count();
    shared > 0 && shared as f64 >= KINDS_AGREE * one.len().min(other.len()) as f64
}
