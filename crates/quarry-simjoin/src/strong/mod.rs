//! Finds pairs of values that are the same but for the way a site writes them. Strong similarity
//! (§2.2).
//!
//! If many pairs agree in the same segments, the other segments are decoration of the site: an address
//! with "(between 28th and 29th St)" in its middle. Then similarity is measured on what agrees.

mod pattern;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

pub use pattern::{Alignment, align};

use crate::index::SeedIndex;
use crate::query::Weigher;

/// Thresholds of Algorithm 1.
#[derive(Debug, Clone)]
pub struct StrongConfig {
    /// α: the least number of different matching subsequences of a pattern, as a part of the weakly
    /// similar pairs. Section 4.1 uses 0.1.
    pub support: f64,
    /// Patterns within this edit distance support each other (end of §2.2). 0: each by itself, as in
    /// Algorithm 1.
    pub pattern_edits: usize,
}

impl Default for StrongConfig {
    fn default() -> Self {
        Self { support: 0.1, pattern_edits: 0 }
    }
}

/// A weakly similar pair: a seed value, a string, and their weak similarity.
#[derive(Debug, Clone, Copy)]
pub struct WeakPair<'a> {
    /// Text (or words, separated by spaces) of the seed value.
    pub u: &'a str,
    /// The string.
    pub v: &'a str,
    /// sim_a(u, v).
    pub cosine: f64,
}

/// What Algorithm 1 says about a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Strong {
    /// ssim_a(u, v).
    pub similarity: f64,
    /// Was the pattern supported, so that only the matching words count?
    pub boosted: bool,
    /// The pattern P(u, v), as in "1 0 3 1 0 3".
    pub pattern: String,
    /// Different matching subsequences of the pattern (of its cluster).
    pub distinct: usize,
}

/// The different matching subsequences (u', v') of a pattern.
type Matching<'a> = BTreeSet<(&'a str, &'a str)>;

/// Patterns that take part in clustering, the most frequent ones: it compares all with all.
const MOST_PATTERNS: usize = 2_000;

/// Algorithm 1, STRONGSIM, for the weakly similar pairs WS of two sets of values. One result per pair.
pub fn strong_similarity(
    index: &SeedIndex,
    attribute: u32,
    pairs: &[WeakPair<'_>],
    config: &StrongConfig,
) -> Vec<Strong> {
    let aligned: Vec<Alignment> = pairs.par_iter().map(|pair| align(pair.u, pair.v)).collect();
    // B(): the different matching subsequences of each pattern.
    let mut patterns: BTreeMap<&[u16], Matching<'_>> = BTreeMap::new();
    for alignment in &aligned {
        let matching = (alignment.u_matching.as_str(), alignment.v_matching.as_str());
        patterns.entry(&alignment.pattern).or_default().insert(matching);
    }
    let distinct = cluster(&patterns, config.pattern_edits);
    let needed = config.support * pairs.len() as f64;
    let score = |weigher: &mut Weigher<'_>, pair: &WeakPair<'_>, alignment: &Alignment| {
        let distinct = distinct.get(alignment.pattern.as_slice()).copied().unwrap_or(0);
        let boosted = !alignment.u_matching.is_empty() && distinct as f64 >= needed;
        let similarity = if boosted {
            weigher.similarity(attribute, &alignment.u_matching, &alignment.v_matching)
        } else {
            pair.cosine
        };
        Strong { similarity, boosted, pattern: alignment.pattern_text(), distinct }
    };
    pairs
        .par_chunks(1024)
        .zip(aligned.par_chunks(1024))
        .flat_map_iter(|(pairs, aligned)| {
            let mut weigher = Weigher::new(index);
            let scored: Vec<Strong> =
                pairs.iter().zip(aligned).map(|(p, a)| score(&mut weigher, p, a)).collect();
            scored
        })
        .collect()
}

/// How many different matching subsequences the cluster of each pattern has. Patterns within `edits`
/// of each other are in one cluster, and so on from there (single linkage).
fn cluster<'a>(
    patterns: &BTreeMap<&'a [u16], Matching<'_>>,
    edits: usize,
) -> BTreeMap<&'a [u16], usize> {
    let mut by_size: Vec<(&[u16], &Matching<'_>)> =
        patterns.iter().map(|(pattern, set)| (*pattern, set)).collect();
    by_size.sort_by_key(|(_, set)| std::cmp::Reverse(set.len()));
    let most = if edits == 0 { 0 } else { by_size.len().min(MOST_PATTERNS) };
    let mut cluster: Vec<usize> = (0..by_size.len()).collect();
    for a in 0..most {
        for b in a + 1..most {
            let (from, to) = (cluster[b], cluster[a]);
            if from != to && pattern::edit_distance(by_size[a].0, by_size[b].0, edits) <= edits {
                for of in cluster.iter_mut().filter(|of| **of == from) {
                    *of = to;
                }
            }
        }
    }
    let mut unions: BTreeMap<usize, Matching<'_>> = BTreeMap::new();
    for (of, (_, set)) in cluster.iter().zip(&by_size) {
        unions.entry(*of).or_default().extend(set.iter());
    }
    cluster.iter().zip(&by_size).map(|(of, (pattern, _))| (*pattern, unions[of].len())).collect()
}
