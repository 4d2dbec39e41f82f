//! Scores how well the text of a link names a category (DEXTER §3.2.1). The paper trains a classifier on
//! anchor words of known sites; here the category's name and a few example words are given.

use std::collections::BTreeSet;

/// Weight of an example word; a word of the category's own name has 1. Less than half, so that the
/// department that it names does not win over the category below.
const EXAMPLE_WEIGHT: f64 = 0.3;
/// The score of a text that does not name the category: the way to it may lead through "Products"
/// or "Departments". Small enough that two such steps score less than one weak hit.
pub(super) const UNRELATED: f64 = 0.1;

/// A category by its name and some words that stand in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Category {
    name: BTreeSet<String>,
    examples: BTreeSet<String>,
}

impl Category {
    pub(super) fn new(name: &str, examples: &[String]) -> Self {
        let name: BTreeSet<String> = words(name).collect();
        let examples = examples.iter().flat_map(|text| words(text));
        Self { examples: examples.filter(|word| !name.contains(word)).collect(), name }
    }

    /// From [`UNRELATED`] to 1: the harmonic mean of the share of the text that is about the category and
    /// the share of the category's name that the text has.
    pub(super) fn score(&self, text: &str) -> f64 {
        let text: BTreeSet<String> = words(text).collect();
        let named = self.name.intersection(&text).count() as f64;
        let exampled = self.examples.intersection(&text).count() as f64 * EXAMPLE_WEIGHT;
        if named + exampled == 0.0 || text.is_empty() {
            return UNRELATED;
        }
        let precision = ((named + exampled) / text.len() as f64).min(1.0);
        let recall = ((named + exampled) / self.name.len().max(1) as f64).min(1.0);
        (2.0 * precision * recall / (precision + recall)).max(UNRELATED)
    }
}

/// Words in lower case without numbers, plural endings taken off.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().any(char::is_alphabetic))
        .map(|word| singular(&word.to_lowercase()))
}

/// "cameras" and "camera", "batteries" and "battery", "boxes" and "box" are one word. Crude, and meant
/// for comparison only.
fn singular(word: &str) -> String {
    let stem = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.chars().count() > 2);
    if let Some(stem) = stem("ies") {
        return format!("{stem}y");
    }
    let hisses = |stem: &&str| ["ss", "x", "z", "ch", "sh"].iter().any(|end| stem.ends_with(end));
    if let Some(stem) = stem("es").filter(hisses) {
        return stem.to_owned();
    }
    stem("s").filter(|stem| !stem.ends_with('s')).unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_category_itself_scores_most() {
        let camera = Category::new("Camera", &["lens".to_owned(), "mirrorless".to_owned()]);
        let check = |text: &str, low: f64, high: f64| {
            let score = camera.score(text);
            assert!((low..=high).contains(&score), "{text}: {score}");
        };
        check("Cameras", 1.0, 1.0);
        check("Camera bags", 0.6, 0.7);
        check("Digital Cameras & Lenses", 0.4, 0.9);
        check("Mirrorless", 0.2, 0.4);
        check("Vacuum cleaners", UNRELATED, UNRELATED);
        check("", UNRELATED, UNRELATED);
    }

    #[test]
    fn plurals_are_the_same_word() {
        for (one, many) in
            [("battery", "batteries"), ("box", "boxes"), ("case", "cases"), ("glass", "glasses")]
        {
            assert_eq!(singular(many), singular(one), "{many}");
        }
    }
}
