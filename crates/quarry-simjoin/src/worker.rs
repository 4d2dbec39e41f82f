//! Joins one string at a time. Its weights, candidates by bounds that err on the safe side, and the
//! cosine itself, which decides. One worker per thread keeps its tables between strings.

use crate::attribute::Attribute;
use crate::candidates::largest;
use crate::index::SeedIndex;
use crate::join::{MAX_WORDS, Match};
use crate::query::Weigher;
use crate::trigger::{BLOCK, Plan};

/// Filters err on the safe side by this part; the cosine itself decides.
const SLACK: f64 = 1e-4;

/// One thread's tables.
pub(crate) struct Worker<'i> {
    pub(crate) weigher: Weigher<'i>,
    pub(crate) threshold: f64,
    pub(crate) found: Vec<Match>,
    pub(crate) too_long: usize,
    /// The string's weights c_v(e), by gram; zero between strings.
    pub(crate) weights: Vec<f64>,
    /// The grams of the string.
    pub(crate) grams: Vec<u32>,
    /// x(w) / (V · θ), by word of the attribute.
    pub(crate) sums: Vec<f32>,
    /// Squares of the string's weights.
    pub(crate) squares: Vec<f64>,
    /// The largest of each block of sums.
    pub(crate) tops: Vec<f32>,
    /// Words with their sums.
    pub(crate) hits: Vec<(f32, u32)>,
    /// Values by their place among the glances, with what the word adds by which they were found.
    pub(crate) candidates: Vec<(f32, u32)>,
}

/// A string as a value of an attribute.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) attribute: &'a Attribute,
    pub(crate) number: u32,
    pub(crate) length: f64,
    /// The largest of the `sums` of each class of words.
    pub(crate) most: [f32; 3],
}

impl<'i> Worker<'i> {
    pub(crate) fn new(index: &'i SeedIndex, threshold: f64) -> Self {
        Self {
            weigher: Weigher::new(index),
            threshold,
            found: Vec::new(),
            too_long: 0,
            weights: vec![0.0; index.grams.len()],
            grams: Vec::new(),
            sums: Vec::new(),
            squares: Vec::new(),
            tops: Vec::new(),
            hits: Vec::new(),
            candidates: Vec::new(),
        }
    }

    pub(crate) fn join(&mut self, text: &str) {
        self.weigher.forget_if_full();
        if !self.weigher.read(text, MAX_WORDS) {
            self.too_long += 1;
            return;
        }
        if self.weights.len() < self.weigher.gram_count() {
            self.weights.resize(self.weigher.gram_count() * 2, 0.0);
        }
        for attribute in 0..self.weigher.index.attributes.len() as u32 {
            let touches = |word: &u32| self.weigher.touches(*word, attribute);
            if !self.weigher.sequence.iter().any(touches) {
                continue;
            }
            let length = self.weigh(attribute);
            if length > 0.0 {
                let before = self.found.len();
                self.search(attribute, length);
                self.found[before..].sort_unstable_by_key(|found| found.value);
                self.forget_repeats(before);
            }
            for gram in self.grams.drain(..) {
                self.weights[gram as usize] = 0.0;
            }
        }
    }

    /// A value may have been looked at for several of its words.
    fn forget_repeats(&mut self, from: usize) {
        let mut kept = from;
        for at in from..self.found.len() {
            if kept == from || self.found[kept - 1].value != self.found[at].value {
                self.found[kept] = self.found[at];
                kept += 1;
            }
        }
        self.found.truncate(kept);
    }

    /// Fills in the string's weights; returns the length of the vector.
    fn weigh(&mut self, attribute: u32) -> f64 {
        for at in 0..self.weigher.sequence.len() {
            let word = self.weigher.sequence[at];
            let idf = self.weigher.idf(word, attribute);
            if idf <= 0.0 {
                continue;
            }
            for gram in self.weigher.grams(word) {
                let weight = &mut self.weights[*gram as usize];
                if *weight == 0.0 {
                    self.grams.push(*gram);
                }
                *weight += idf;
            }
        }
        let square: f64 = self.grams.iter().map(|gram| self.weights[*gram as usize].powi(2)).sum();
        square.sqrt()
    }

    fn search(&mut self, number: u32, length: f64) {
        let attribute = &self.weigher.index.attributes[number as usize];
        let Some(size) = self.least_size(attribute, length) else { return };
        self.add_up(attribute, length);
        self.tops.clear();
        self.tops.extend(self.sums.chunks(BLOCK).map(largest));
        let query = Query { attribute, number, length, most: self.most(attribute) };
        let [common, numbers, _] = query.most;
        let fits = |plan: &&Plan| {
            size >= plan.size && common <= plan.cap && (plan.numbers || numbers == 0.0)
        };
        let Some(plan) = attribute.plans.iter().find(fits) else { return };
        self.candidates.clear();
        self.find_by_common(&query);
        self.find_by_others(&query, plan);
        self.glance(&query);
    }

    /// How many of the string's grams must a value have, at least? A cosine of θ needs grams with θ² of
    /// the square of the string's length. None if the attribute does not have them.
    fn least_size(&mut self, attribute: &Attribute, length: f64) -> Option<usize> {
        let lists = &attribute.words_of_gram;
        self.squares.clear();
        let known = self.grams.iter().filter(|gram| (**gram as usize) < lists.len());
        let known = known.filter(|gram| !lists.row(**gram).is_empty());
        self.squares.extend(known.map(|gram| self.weights[*gram as usize].powi(2)));
        self.squares.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut left = (length * self.threshold).powi(2) * (1.0 - SLACK);
        for (at, square) in self.squares.iter().enumerate() {
            left -= square;
            if left <= 0.0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// Fills in `sums`, a little too large so that rounding hides nothing.
    fn add_up(&mut self, attribute: &Attribute, length: f64) {
        let scale = (1.0 + SLACK) / (length * self.threshold);
        self.sums.clear();
        self.sums.resize(attribute.words.len(), 0.0);
        let lists = &attribute.words_of_gram;
        for gram in self.grams.iter().filter(|gram| (**gram as usize) < lists.len()) {
            let weight = (self.weights[*gram as usize] * scale) as f32;
            for word in lists.row(*gram) {
                self.sums[*word as usize] += weight;
            }
        }
    }

    /// Is the cosine of this value large enough?
    pub(crate) fn look(&mut self, query: &Query<'_>, value: u32) {
        let Query { attribute, number, length, .. } = *query;
        let parts = attribute.parts.row(value);
        let about: f32 = parts.iter().map(|part| part.factor * self.sums[part.word as usize]).sum();
        if about < 1.0 {
            return;
        }
        let sum = |word: u32| -> f64 {
            let grams = self.weigher.index.word_grams.row(attribute.words[word as usize]);
            grams.iter().map(|gram| self.weights[*gram as usize]).sum()
        };
        let parts = attribute.factors.row(value).iter().zip(parts);
        let dot: f64 = parts.map(|(factor, part)| factor * sum(part.word)).sum();
        let cosine = dot / length;
        if cosine >= self.threshold {
            self.found.push(Match { attribute: number, value, cosine: cosine.min(1.0) });
        }
    }
}
