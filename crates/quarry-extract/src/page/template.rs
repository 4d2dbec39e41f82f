//! Groups pages by template, and tells which texts of a page belong to the template.
//!
//! Pages are compared by the set of styles and tag paths of their elements. Leaders are taken in the
//! order of page ids, so that neither the order of input nor a page of another template changes
//! who belongs together.

use rayon::prelude::*;

use super::rated::{ON_NO_OTHER_PAGE, RatedPage};
use quarry_dom::{PageIndex, key};

use crate::parallel;

/// The sorted set of paths and styles of a page's visible elements.
pub(crate) fn signature(page: &PageIndex<'_>) -> Vec<u64> {
    let of = |element| key::then(page.path(element).0, page.style(element).0);
    let mut set: Vec<u64> = page.visible_elements().map(of).collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// The members in common by the geometric mean of both sizes: 1 for equal sets.
fn likeness(one: &[u64], other: &[u64]) -> f64 {
    let sizes = (one.len() as f64 * other.len() as f64).sqrt();
    common(one, other) as f64 / sizes.max(1.0)
}

fn common(one: &[u64], other: &[u64]) -> usize {
    let (mut at, mut found) = (0, 0);
    for item in one {
        while at < other.len() && other[at] < *item {
            at += 1;
        }
        if other.get(at) == Some(item) {
            found += 1;
            at += 1;
        }
    }
    found
}

/// A number for each page: pages of the same number were made by one template. `pages` must be in
/// the order of their ids.
pub(crate) fn group(signatures: &[Vec<u64>], min_likeness: f64) -> Vec<usize> {
    let mut leaders: Vec<usize> = Vec::new();
    let mut groups = Vec::with_capacity(signatures.len());
    for signature in signatures {
        let best = leaders
            .iter()
            .enumerate()
            .map(|(number, &leader)| (likeness(signature, &signatures[leader]), number))
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        match best {
            Some((similarity, number)) if similarity >= min_likeness => groups.push(number),
            _ => {
                groups.push(leaders.len());
                leaders.push(groups.len() - 1);
            }
        }
    }
    groups
}

/// Rates the texts of the pages of one template: a text that all other pages have too was not made for
/// its page (the paper's static content, §3.2.1).
pub(crate) fn rate(pages: &mut [&mut RatedPage<'_>]) {
    if pages.len() < 2 {
        return;
    }
    let sets: Vec<Vec<u64>> = parallel::map(pages, |page| contents(page));
    let mut counted: Vec<u64> = sets.concat();
    counted.par_sort_unstable();
    let others = (pages.len() - 1) as f64;
    pages.par_iter_mut().for_each(|page| {
        let ratings: Vec<u8> = page
            .leaves
            .iter()
            .map(|leaf| {
                let start = counted.partition_point(|&content| content < leaf.content);
                let holders = counted[start..].partition_point(|&content| content == leaf.content);
                let shared = holders.saturating_sub(1) as f64 / others;
                (f64::from(ON_NO_OTHER_PAGE) * (1.0 - shared)).round() as u8
            })
            .collect();
        page.rate(ratings.into_iter());
    });
}

fn contents(page: &PageIndex<'_>) -> Vec<u64> {
    let mut contents: Vec<u64> = page.leaves.iter().map(|leaf| leaf.content).collect();
    contents.sort_unstable();
    contents.dedup();
    contents
}
