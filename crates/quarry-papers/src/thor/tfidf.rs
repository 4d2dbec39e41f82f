//! The similarity of texts: weights w = log(tf + 1) · log((n + 1) / n_k) (THOR §3.1.2), vectors
//! of length 1, cosine.

use std::collections::BTreeMap;

/// A vector of length 1 (or 0 where nothing weighs anything), ordered by term.
pub(super) type Vector = Vec<(u32, f64)>;

/// One vector for each text, given as its terms with repeats.
pub(super) fn vectors(texts: &[Vec<u32>]) -> Vec<Vector> {
    let counts: Vec<BTreeMap<u32, u32>> = texts.iter().map(|terms| frequencies(terms)).collect();
    let mut holders: BTreeMap<u32, u32> = BTreeMap::new();
    for term in counts.iter().flat_map(BTreeMap::keys) {
        *holders.entry(*term).or_default() += 1;
    }
    let all = texts.len() as f64 + 1.0;
    let weigh = |(&term, &frequency): (&u32, &u32)| {
        let rarity = (all / f64::from(holders[&term])).ln();
        (term, f64::from(frequency).ln_1p() * rarity)
    };
    counts.iter().map(|counts| unit(counts.iter().map(weigh).collect())).collect()
}

fn frequencies(terms: &[u32]) -> BTreeMap<u32, u32> {
    let mut counts = BTreeMap::new();
    for &term in terms {
        *counts.entry(term).or_default() += 1;
    }
    counts
}

fn unit(mut vector: Vector) -> Vector {
    let length = vector.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|(_, weight)| *weight /= length);
    }
    vector
}

/// The mean cosine of all pairs of different vectors, 0 where there are fewer than two. Costs one
/// pass: the square of a sum of unit vectors is the sum of all their cosines.
pub(super) fn mean_similarity(vectors: &[Vector]) -> f64 {
    let mut sum: BTreeMap<u32, f64> = BTreeMap::new();
    let mut own = 0.0;
    for vector in vectors {
        for &(term, weight) in vector {
            *sum.entry(term).or_default() += weight;
            own += weight * weight;
        }
    }
    let count = vectors.len() as f64;
    let pairs = count * (count - 1.0);
    let square: f64 = sum.values().map(|weight| weight * weight).sum();
    if pairs > 0.0 { ((square - own) / pairs).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_of_sets() {
        let check = |texts: &[&[u32]], expected: f64| {
            let texts: Vec<Vec<u32>> = texts.iter().map(|terms| terms.to_vec()).collect();
            let found = mean_similarity(&vectors(&texts));
            assert!((found - expected).abs() < 1e-9, "{texts:?}: {found}");
        };
        check(&[], 0.0);
        check(&[&[1, 2]], 0.0);
        check(&[&[1, 2], &[1, 2]], 1.0);
        check(&[&[1, 2], &[3, 4]], 0.0);
        check(&[&[1], &[1], &[2]], 1.0 / 3.0);
        check(&[&[], &[1]], 0.0);
    }

    #[test]
    fn weights_are_those_of_the_paper() {
        let texts = vec![vec![7, 7, 9], vec![9]];
        let vectors = vectors(&texts);
        let seven = 3f64.ln() * (3.0f64 / 1.0).ln();
        let nine = 2f64.ln() * (3.0f64 / 2.0).ln();
        let length = (seven * seven + nine * nine).sqrt();
        for (found, expected) in vectors[0].iter().zip([(7, seven / length), (9, nine / length)]) {
            assert_eq!(found.0, expected.0);
            assert!((found.1 - expected.1).abs() < 1e-12);
        }
        assert_eq!(vectors[1], [(9, 1.0)]);
    }
}
