//! The terms of a text: words in lower case, stemmed with Porter's algorithm (THOR §3.1.2, §3.2.1).

use std::collections::BTreeMap;

use rust_stemmers::{Algorithm, Stemmer};

/// The terms of texts as numbers, the same number for the same stem.
pub(super) struct StemVocabulary {
    stemmer: Stemmer,
    known: BTreeMap<String, u32>,
}

impl Default for StemVocabulary {
    fn default() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English), known: BTreeMap::new() }
    }
}

impl StemVocabulary {
    /// Appends the terms of `text` to `terms`, in their order, with repeats.
    pub(super) fn push_terms(&mut self, text: &str, terms: &mut Vec<u32>) {
        for word in text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty())
        {
            let word = word.to_lowercase();
            let stem = self.stemmer.stem(&word);
            let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
            let term = match self.known.get(stem.as_ref()) {
                Some(&term) => term,
                None => *self.known.entry(stem.into_owned()).or_insert(next),
            };
            terms.push(term);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_stem_are_one_term() {
        let mut terms = Vec::new();
        let mut vocabulary = StemVocabulary::default();
        vocabulary.push_terms("Connected connections, 12 connect", &mut terms);
        assert_eq!(terms, [0, 0, 1, 0]);
    }
}
