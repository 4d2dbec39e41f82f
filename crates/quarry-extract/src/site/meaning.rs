//! Names numbers that have no label: a rating stands beside the number of reviews, or in an element whose class says
//! so; a number with a noun behind it counts that.

use std::collections::BTreeMap;

use quarry_dom::{Attr, Document, NodeId};

use crate::template::DataUnit;

/// The share of a slot's units that must be of one sort.
const NEARLY_ALL: f64 = 0.9;
/// The share of ratings that something shows to be one.
const SHOWN: f64 = 0.8;
/// Ratings go up to here.
const HIGHEST: f64 = 10.0;
/// Elements around a number whose classes are looked at.
const LEVELS: usize = 3;
/// What readers give: reviews, ratings, votes. Words begin so, in languages of large shops.
const REVIEWS: [&str; 14] = [
    "review",
    "rating",
    "vote",
    "opinion",
    "bewertung",
    "rezension",
    "avis",
    "valoraci",
    "opini",
    "recension",
    "beoordeling",
    "оценк",
    "отзыв",
    "レビュー",
];
/// Parts of classes and properties that say that something is a rating.
const RATED: [&str; 6] = ["rating", "ratings", "ratingvalue", "stars", "star", "score"];

/// What is known of a slot's units as numbers.
#[derive(Default)]
pub(super) struct Numbers {
    ratings: usize,
    fractions: usize,
    /// Ratings that a class shows to be one, and with a number of reviews behind them.
    rated: usize,
    reviewed: usize,
    /// Numbers by the noun behind them.
    nouns: BTreeMap<String, usize>,
}

impl Numbers {
    /// Takes a unit and the text of the next one.
    pub(super) fn see(&mut self, document: &Document, unit: &DataUnit, next: Option<&str>) {
        if let Some(noun) = counted(&unit.text) {
            *self.nouns.entry(noun.to_lowercase()).or_default() += 1;
        }
        let Some(number) = rating(&unit.text) else { return };
        self.ratings += 1;
        self.fractions += usize::from(number.fract() != 0.0);
        self.rated += usize::from(is_rated(document, unit.node));
        let noun = next.and_then(counted).map(str::to_lowercase);
        let reviews = |noun: String| REVIEWS.iter().any(|review| noun.starts_with(review));
        self.reviewed += usize::from(noun.is_some_and(reviews));
    }

    pub(super) fn add(&mut self, other: Self) {
        self.ratings += other.ratings;
        self.fractions += other.fractions;
        self.rated += other.rated;
        self.reviewed += other.reviewed;
        for (noun, count) in other.nouns {
            *self.nouns.entry(noun).or_default() += count;
        }
    }

    /// What the slot is called, of so many units.
    pub(super) fn name(&self, units: usize) -> Option<String> {
        let nearly_all = |count: usize| count as f64 >= NEARLY_ALL * units as f64;
        let shown = self.rated.max(self.reviewed) as f64 >= SHOWN * self.ratings as f64;
        if nearly_all(self.ratings) && self.fractions > 0 && shown {
            return Some("Rating".to_owned());
        }
        let most = self.nouns.iter().max_by_key(|(_, count)| **count)?;
        // One review, two reviews.
        let same = |noun: &str| noun == most.0 || most.0.strip_suffix('s') == Some(noun);
        let all: usize = self.nouns.iter().filter(|(noun, _)| same(noun)).map(|(_, n)| n).sum();
        nearly_all(all).then(|| most.0.clone())
    }
}

/// A number that may be a rating: `4.5`, `4,5`, `4.5 out of 5`, `4.5/5`.
fn rating(text: &str) -> Option<f64> {
    let end = text.find(|char: char| !char.is_ascii_digit() && !matches!(char, '.' | ','));
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    let number: f64 = number.replace(',', ".").parse().ok()?;
    let rest = rest.trim_start();
    let of = ["/", "out of", "of ", "von ", "sur ", "de ", "star", "★"];
    let fits = rest.is_empty() || of.iter().any(|of| rest.starts_with(of));
    (fits && (0.0..=HIGHEST).contains(&number)).then_some(number)
}

/// The noun that a number counts: `reviews` in `122 reviews`, `(1,024 reviews)`.
fn counted(text: &str) -> Option<&str> {
    let text = text.trim_matches(['(', ')']);
    let (number, noun) = text.split_once(' ')?;
    let digits = number.chars().all(|char| char.is_ascii_digit() || matches!(char, ',' | '.'));
    let letters = noun.chars().all(char::is_alphabetic) && noun.chars().count() > 2;
    (digits && number.starts_with(|char: char| char.is_ascii_digit()) && letters).then_some(noun)
}

/// Whether a class or property of the element, or of those close around it, says that it holds a rating.
fn is_rated(document: &Document, node: NodeId) -> bool {
    let around = std::iter::once(node).chain(document.ancestors(node)).take(LEVELS);
    around.filter(|&node| document.is_element(node)).any(|node| {
        let property = document.known_attr(node, Attr::ITEMPROP);
        document.classes(node).chain(property).any(|class| {
            let mut words = class.split(|char: char| !char.is_ascii_alphanumeric());
            words.any(|word| RATED.iter().any(|rated| word.eq_ignore_ascii_case(rated)))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_small_numbers() {
        for (text, is) in [("4.5", true), ("4,5", true), ("4.5 out of 5", true), ("3/5", true)] {
            assert_eq!(rating(text).is_some(), is, "{text}");
        }
        for text in ["45", "4.5 GB", "$4.50", "four", "", "4.5.2024", "4 - 5"] {
            assert_eq!(rating(text), None, "{text}");
        }
    }

    #[test]
    fn counts_have_a_noun() {
        assert_eq!(counted("122 reviews"), Some("reviews"));
        assert_eq!(counted("(1,024 reviews)"), Some("reviews"));
        for text in ["reviews", "12", "12 in", "May 12", "12 long words"] {
            assert_eq!(counted(text), None, "{text}");
        }
    }
}
