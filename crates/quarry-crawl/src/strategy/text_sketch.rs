//! A small summary of a page's text that says how much of it two pages share: the smallest hashes of its
//! word triples (bottom-k sketch, Broder 1997).

use quarry_dom::{Document, NodeId};
use xxhash_rust::xxh3::xxh3_64;

/// Hashes that are kept: the estimate of the shared part is within 0.06, nearer where pages are alike.
const KEPT_HASHES: usize = 256;

/// Words that are hashed together: single words are shared by all pages of a site.
const WORDS_PER_HASH: usize = 3;

/// The smallest hashes of a text, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TextSketch(Vec<u32>);

impl TextSketch {
    pub(super) fn of(document: &Document) -> Self {
        Self::of_text(&document.folded_text(NodeId::ROOT))
    }

    fn of_text(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        let width = WORDS_PER_HASH.min(words.len()).max(1);
        let mut hashes: Vec<u32> = words
            .windows(width)
            .map(|words| (xxh3_64(words.join(" ").as_bytes()) >> 32) as u32)
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes.truncate(KEPT_HASHES);
        Self(hashes)
    }

    /// The share of the two texts that is in both, from 0 to 1.
    pub(super) fn similarity(&self, other: &Self) -> f64 {
        let mut union: Vec<u32> = self.0.iter().chain(&other.0).copied().collect();
        union.sort_unstable();
        union.dedup();
        union.truncate(KEPT_HASHES);
        let is_shared =
            |hash: &&u32| self.0.binary_search(hash).is_ok() && other.0.binary_search(hash).is_ok();
        let shared = union.iter().filter(is_shared).count();
        if union.is_empty() { 1.0 } else { shared as f64 / union.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_estimated() {
        let words =
            |from: u32, to: u32| -> String { (from..to).map(|n| format!("w{n} ")).collect() };
        let sketch = |from, to| TextSketch::of_text(&words(from, to));
        assert_eq!(sketch(0, 1_000).similarity(&sketch(0, 1_000)), 1.0);
        assert_eq!(sketch(0, 500).similarity(&sketch(600, 900)), 0.0);
        let half = sketch(0, 2_000).similarity(&sketch(0, 1_000));
        assert!((half - 0.5).abs() < 0.1, "{half}");
        assert_eq!(TextSketch::of_text("").similarity(&TextSketch::of_text("")), 1.0);
        assert_eq!(TextSketch::of_text("one").similarity(&TextSketch::of_text("two")), 0.0);
    }
}
