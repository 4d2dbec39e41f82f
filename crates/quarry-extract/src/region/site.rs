//! Uses the other pages of the template: the list that wins on most of them wins here, too,
//! and a page with a single result has its records found by the anchors of the others.

use std::collections::BTreeMap;

use quarry_dom::NodeId;
use rayon::prelude::*;

use super::RegionEvidence;
use super::evidence::evidence;
use super::pairs::pairs;
use super::rank::Weights;
use quarry_dom::key;

use crate::page::RatedPage;
use crate::record::anchor::Likeness;
use crate::record::candidate::{Anchor, Candidate, make};
use crate::record::complete::Completer;
use crate::record::level::{Level, records_at};
use crate::record::unite::unions;

/// A candidate and what speaks for it.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    pub(crate) candidate: Candidate,
    pub(crate) evidence: RegionEvidence,
    /// The weighed sum of the evidence.
    pub(crate) score: f64,
    /// Signatures by which the same list is known on other pages: by looks, and by path.
    patterns: [u64; 2],
}

/// Lists that may be united with others of their kind: the best of each page.
const UNITED: usize = 12;

/// The candidates of one page and their unions, best first.
pub(crate) fn weigh(
    page: &RatedPage<'_>,
    candidates: Vec<Candidate>,
    weights: &Weights,
) -> Vec<Weighed> {
    weigh_with(page, Vec::new(), candidates, weights)
}

/// Lists that were weighed before, further ones, and the unions of all, best first.
fn weigh_with(
    page: &RatedPage<'_>,
    mut weighed: Vec<Weighed>,
    further: Vec<Candidate>,
    weights: &Weights,
) -> Vec<Weighed> {
    weighed.extend(further.into_iter().map(|candidate| weigh_one(page, candidate, weights)));
    for weighed in &mut weighed {
        weighed.evidence = weighed.evidence.without_pairs();
        weighed.score = weights.sum(&weighed.evidence);
    }
    sort(&mut weighed);
    let best: Vec<&Candidate> =
        weighed.iter().take(UNITED).map(|weighed| &weighed.candidate).collect();
    let mut unions = unions(page, &best);
    unions.retain(|union| !weighed.iter().any(|known| known.candidate.roots == union.roots));
    weighed.extend(unions.into_iter().map(|union| weigh_one(page, union, weights)));
    compare(page, &mut weighed, weights);
    // What seems to be a single record and holds a whole list is the box around that list.
    weighed.retain(|weighed| weighed.candidate.spans.len() > 1 || weighed.evidence.nested == 0.0);
    sort(&mut weighed);
    weighed
}

fn weigh_one(page: &RatedPage<'_>, candidate: Candidate, weights: &Weights) -> Weighed {
    let evidence = evidence(page, &candidate);
    Weighed {
        patterns: patterns(page, &candidate),
        score: weights.sum(&evidence),
        candidate,
        evidence,
    }
}

/// Sets the features that compare lists inside each other.
fn compare(page: &RatedPage<'_>, weighed: &mut [Weighed], weights: &Weights) {
    let sight = |weighed: &Weighed| weights.probability(weighed.score);
    let lists: Vec<(&Candidate, f64)> =
        weighed.iter().map(|weighed| (&weighed.candidate, sight(weighed))).collect();
    let pairs = pairs(page, &lists);
    for (weighed, pair) in weighed.iter_mut().zip(pairs) {
        weighed.evidence.nested = pair.nested;
        weighed.evidence.groups = pair.groups;
        weighed.evidence.within = pair.within;
        weighed.score = weights.sum(&weighed.evidence);
    }
}

fn sort(weighed: &mut [Weighed]) {
    weighed.sort_by(|one, other| {
        let by_score = other.score.total_cmp(&one.score);
        by_score.then_with(|| one.candidate.roots.cmp(&other.candidate.roots))
    });
}

fn patterns(page: &RatedPage<'_>, candidate: &Candidate) -> [u64; 2] {
    let mut looks: Vec<u64> = candidate.roots.iter().map(|&root| page.style(root).0).collect();
    looks.sort_unstable();
    let most = looks.chunk_by(|one, other| one == other);
    let look = most.max_by_key(|looks| (looks.len(), looks[0])).map_or(0, |looks| looks[0]);
    let first = candidate.roots.first().copied().unwrap_or(NodeId::ROOT);
    let parent = page.document.parent(first).unwrap_or(NodeId::ROOT);
    let by_look = key::then(look, page.style(parent).0);
    let by_path = key::then(page.path(parent).0, page.name(first));
    [by_look, by_path]
}

/// Lets the pages of one template support each other's lists.
pub(crate) fn support(indexed: &[&RatedPage<'_>], pages: &mut [Vec<Weighed>], weights: &Weights) {
    if pages.len() < 2 {
        return;
    }
    add_lists_of_others(indexed, pages, weights);
    // For each pattern, the probability that it is the answer, summed over the pages.
    let mut beliefs: BTreeMap<u64, f64> = BTreeMap::new();
    let own: Vec<Vec<[f64; 2]>> = pages.iter().map(|page| page_beliefs(page)).collect();
    for (page, own) in pages.iter().zip(&own) {
        let mut counted: BTreeMap<u64, f64> = BTreeMap::new();
        for (weighed, own) in page.iter().zip(own) {
            for (pattern, belief) in weighed.patterns.iter().zip(own) {
                counted.insert(*pattern, *belief);
            }
        }
        for (pattern, belief) in counted {
            *beliefs.entry(pattern).or_default() += belief;
        }
    }
    let others = (pages.len() - 1) as f64;
    for (page, own) in pages.iter_mut().zip(&own) {
        for (weighed, own) in page.iter_mut().zip(own) {
            let mut support = 0.0;
            for (pattern, own) in weighed.patterns.iter().zip(own) {
                let all = beliefs.get(pattern).copied().unwrap_or(0.0);
                support += (all - own).max(0.0) / others / 2.0;
            }
            weighed.evidence.support = support;
            weighed.score = weights.sum(&weighed.evidence);
        }
        sort(page);
    }
}

/// For each candidate, the probability of each of its patterns on its own page.
fn page_beliefs(page: &[Weighed]) -> Vec<[f64; 2]> {
    let most = page.iter().map(|weighed| weighed.score).fold(f64::MIN, f64::max);
    let parts: Vec<f64> = page.iter().map(|weighed| (weighed.score - most).exp()).collect();
    let all: f64 = parts.iter().sum();
    let mut sums: BTreeMap<u64, f64> = BTreeMap::new();
    for (weighed, part) in page.iter().zip(&parts) {
        for pattern in weighed.patterns {
            *sums.entry(pattern).or_default() += part / all;
        }
    }
    let belief = |pattern: u64| sums.get(&pattern).copied().unwrap_or(0.0);
    page.iter().map(|weighed| weighed.patterns.map(belief)).collect()
}

/// Pages may hold a list that is too short to be seen on its own: the anchors of the other pages'
/// best lists are looked for.
fn add_lists_of_others(indexed: &[&RatedPage<'_>], pages: &mut [Vec<Weighed>], weights: &Weights) {
    let mut known: BTreeMap<Anchor, usize> = BTreeMap::new();
    for page in pages.iter() {
        for anchor in page.first().iter().flat_map(|best| &best.candidate.anchors) {
            *known.entry(*anchor).or_default() += 1;
        }
    }
    pages.par_iter_mut().zip(indexed).for_each(|(page, index)| {
        let lists = known_lists(index, &known);
        let fresh = lists
            .into_iter()
            .filter(|list| !page.iter().any(|weighed| weighed.candidate.roots == list.roots));
        let fresh: Vec<Candidate> = fresh.collect();
        if !fresh.is_empty() {
            *page = weigh_with(index, std::mem::take(page), fresh, weights);
        }
    });
}

fn known_lists(page: &RatedPage<'_>, known: &BTreeMap<Anchor, usize>) -> Vec<Candidate> {
    let mut anchored: BTreeMap<Anchor, Vec<NodeId>> = BTreeMap::new();
    for leaf in &page.leaves {
        for likeness in Likeness::ALL {
            let signature = likeness.of(page, leaf);
            let lowest = (signature, Level { height: 0, name: 0 });
            for (&anchor, _) in known.range(lowest..).take_while(|(key, _)| key.0 == signature) {
                anchored.entry(anchor).or_default().push(leaf.node);
            }
        }
    }
    let mut completer = Completer::new(page);
    let mut lists: BTreeMap<Vec<NodeId>, Vec<Anchor>> = BTreeMap::new();
    for (anchor, nodes) in anchored {
        let roots = records_at(page, &nodes, anchor.1);
        if !roots.is_empty() {
            lists.entry(completer.complete(&roots)).or_default().push(anchor);
        }
    }
    lists.into_iter().map(|(roots, anchors)| make(page, roots, anchors)).collect()
}
