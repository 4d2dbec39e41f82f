//! Matches the words of two values, and finds the pattern that the matching segments form. The
//! matching of Algorithm 1, and Algorithm 2, MATCHINGPATTERN.

use crate::assignment::max_weight_matching;
use crate::text::{Gram, grams_into, jaccard_of, words};

/// Words match from this Jaccard similarity of their grams on (Algorithm 1).
const SAME_WORD: f64 = 0.9;

/// Among equal matchings, words at near places are preferred by this much: "new york new york" then
/// matches itself in order. Far too small to outweigh a difference in similarity.
const NEAR: f64 = 1e-6;

/// Words that take part in matching; what follows counts as not matching. Bounds the cost.
const MOST_WORDS: usize = 256;

/// How two values match.
#[derive(Debug, Clone, PartialEq)]
pub struct Alignment {
    /// The pattern P(u) · P(v): for each segment the number of the segment it matches, or 0.
    pub pattern: Vec<u16>,
    /// Segments of u; the others in `pattern` are those of v.
    pub u_segments: usize,
    /// The matching words of u, in order.
    pub u_matching: String,
    /// The matching words of v, in order.
    pub v_matching: String,
}

impl Alignment {
    /// The pattern as the paper writes it.
    pub fn pattern_text(&self) -> String {
        let numbers: Vec<String> = self.pattern.iter().map(u16::to_string).collect();
        numbers.join(" ")
    }
}

/// Matches the words of two values, and finds the pattern of their segments.
///
/// ```
/// use quarry_simjoin::strong::align;
/// let found = align("120 Lexington Avenue New York", "New York: 120 Lexington Ave");
/// assert_eq!(found.pattern_text(), "2 0 1 3 1 0");
/// assert_eq!(found.v_matching, "new york 120 lexington");
/// ```
pub fn align(u: &str, v: &str) -> Alignment {
    let (u, v) = (words(u), words(v));
    let to_v = matching(&u, &v);
    let mut to_u = vec![None; v.len()];
    for (at, other) in to_v.iter().enumerate() {
        if let Some(other) = other {
            to_u[*other] = Some(at);
        }
    }
    let (of_u, of_v) = (segments(&to_v), segments(&to_u));
    let mut pattern = Vec::new();
    for (own, to, others) in [(&of_u, &to_v, &of_v), (&of_v, &to_u, &of_u)] {
        for start in own {
            // The segments of the other value begin at known words; the match begins one of them.
            let number = to[*start].map_or(0, |word| 1 + others.partition_point(|s| *s < word));
            pattern.push(number as u16);
        }
    }
    let matching = |words: &[String], to: &[Option<usize>]| {
        let kept =
            words.iter().zip(to).filter(|(_, to)| to.is_some()).map(|(word, _)| word.as_str());
        kept.collect::<Vec<_>>().join(" ")
    };
    Alignment {
        pattern,
        u_segments: of_u.len(),
        u_matching: matching(&u, &to_v),
        v_matching: matching(&v, &to_u),
    }
}

/// M(u, v): for each word of u the matching word of v.
fn matching(u: &[String], v: &[String]) -> Vec<Option<usize>> {
    let (rows, columns) = (u.len().min(MOST_WORDS), v.len().min(MOST_WORDS));
    let grams_of = |words: &[String]| -> Vec<Vec<Gram>> {
        let grams = |word: &String| {
            let mut grams = Vec::new();
            grams_into(word, &mut grams);
            grams
        };
        words.iter().map(grams).collect()
    };
    let (of_u, of_v) = (grams_of(&u[..rows]), grams_of(&v[..columns]));
    let weight = |r: usize, c: usize| {
        let (a, b) = (&of_u[r], &of_v[c]);
        // Sets whose sizes differ by more cannot be similar enough.
        if (a.len().min(b.len()) as f64) < SAME_WORD * a.len().max(b.len()) as f64 {
            return 0.0;
        }
        match jaccard_of(a, b) {
            same if same >= SAME_WORD => same - NEAR * r.abs_diff(c) as f64 / MOST_WORDS as f64,
            _ => 0.0,
        }
    };
    let weights: Vec<Vec<f64>> =
        (0..rows).map(|r| (0..columns).map(|c| weight(r, c)).collect()).collect();
    let mut matched = max_weight_matching(&weights, columns);
    matched.resize(u.len(), None);
    matched
}

/// Where the segments begin: runs of words that match consecutive words, or that match none.
fn segments(to: &[Option<usize>]) -> Vec<usize> {
    let goes_on = |at: usize| match (to[at - 1], to[at]) {
        (Some(before), Some(this)) => this == before + 1,
        (None, None) => true,
        _ => false,
    };
    (0..to.len()).filter(|at| *at == 0 || !goes_on(*at)).collect()
}

/// Edit distance of two patterns; anything above `most` if it is larger than that.
pub(crate) fn edit_distance(a: &[u16], b: &[u16], most: usize) -> usize {
    if a.len().abs_diff(b.len()) > most {
        return most + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let cases = [
            ("a b c", "a b c", "1 1", "a b c"),
            ("a b c", "x y", "0 0", ""),
            ("", "", "", ""),
            ("new york new york", "new york new york", "1 1", "new york new york"),
            ("b c a", "a b c", "2 1 2 1", "b c a"),
            ("banana x", "bananana x", "1 1", "banana x"),
        ];
        for (u, v, pattern, matching) in cases {
            let found = align(u, v);
            assert_eq!(found.pattern_text(), pattern, "{u} | {v}");
            assert_eq!(found.u_matching, matching, "{u} | {v}");
        }
    }

    #[test]
    fn edits() {
        assert_eq!(edit_distance(&[1, 0, 3], &[1, 0, 3], 2), 0);
        assert_eq!(edit_distance(&[1, 0, 3], &[1, 3], 2), 1);
        assert_eq!(edit_distance(&[1, 0, 3], &[0, 2, 0], 2), 3);
        assert!(edit_distance(&[1; 9], &[1], 2) > 2);
    }
}
