//! Jaccard coefficient and inclusion of ascending lists.

use std::cmp::Ordering;

/// Members of both of two ascending lists.
pub(super) fn common(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    common
}

/// The Jaccard coefficient of two ascending lists; 0 of two empty ones.
pub(super) fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let common = common(a, b);
    common as f64 / (a.len() + b.len() - common).max(1) as f64
}

/// The share of the first list that the second has, both ascending: |E_q′ ∩ E_q| / |E_q′|.
pub(super) fn inclusion(inner: &[u32], outer: &[u32]) -> f64 {
    common(inner, outer) as f64 / inner.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_ascending_lists() {
        assert_eq!(jaccard(&[1, 2, 3], &[2, 3, 4]), 0.5);
        assert_eq!(jaccard(&[], &[]), 0.0);
        assert_eq!(inclusion(&[2, 9], &[1, 2, 3]), 0.5);
        assert_eq!(inclusion(&[], &[1]), 0.0);
    }
}
