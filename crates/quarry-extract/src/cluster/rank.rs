//! Ranks clusters by how likely they hold answers. Pages with answers have more different words, a
//! node with more children, and more bytes; a linear combination of the three orders the clusters
//! (THOR §3.1.3).

use serde::{Deserialize, Serialize};

use super::signature::PageSignature;

/// The means of a cluster that its rank follows from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Criteria {
    /// Mean number of distinct terms of a page.
    pub terms: f64,
    /// Mean of the largest fan-out of a page.
    pub fan_out: f64,
    /// Mean length of a page in bytes.
    pub bytes: f64,
}

impl Criteria {
    pub(super) fn of<'a>(pages: impl Iterator<Item = &'a PageSignature>) -> Self {
        // Sums of integers: the order of pages cannot be seen in them.
        let (mut n, mut terms, mut fan_out, mut bytes) = (0u64, 0u64, 0u64, 0u128);
        for page in pages {
            n += 1;
            terms += u64::from(page.distinct_terms);
            fan_out += u64::from(page.fan_out);
            bytes += u128::from(page.bytes);
        }
        let n = n.max(1) as f64;
        Self { terms: terms as f64 / n, fan_out: fan_out as f64 / n, bytes: bytes as f64 / n }
    }
}

/// The score of each cluster, from 0 to 1: "a simple linear combination of the three" criteria (§3.1.3) with equal
/// weights, each relative to the cluster in which it is largest.
pub(super) fn scores(clusters: &[Criteria]) -> Vec<f64> {
    let most = |of: fn(&Criteria) -> f64| clusters.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
    let (terms, fan_out, bytes) = (most(|c| c.terms), most(|c| c.fan_out), most(|c| c.bytes));
    clusters
        .iter()
        .map(|c| {
            const THIRD: f64 = 1.0 / 3.0;
            THIRD * c.terms / terms + THIRD * c.fan_out / fan_out + THIRD * c.bytes / bytes
        })
        .collect()
}
