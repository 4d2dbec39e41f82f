//! Which seed values resemble these strings? An exact join: every pair with a cosine of at least the
//! threshold is found, no other. `attribute.rs` says why so few pairs need to be looked at.

use rayon::prelude::*;

use crate::attribute::Attribute;
use crate::index::SeedIndex;
use crate::intern::Interner;
use crate::query::Weigher;
use crate::trigger::{Glance, Plan};

/// Strings with more words are not joined, and are counted in [`Joined::too_long`].
pub const MAX_WORDS: usize = 512;

/// Filters err on the safe side by this part; the cosine itself decides.
const SLACK: f64 = 1e-4;

/// Words that are compared with their bars at once.
const BLOCK: usize = 32;

/// Strings in a piece of work, at least: below it, starting a worker costs more than it gains.
const LEAST_PIECE: usize = 1 << 11;

/// A string and a seed value that resemble each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// Position of the attribute's column.
    pub attribute: u32,
    /// The value; [`SeedIndex::records`] has its records.
    pub value: u32,
    /// Weak similarity, from the threshold to 1.
    pub cosine: f64,
}

/// What a join found.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// For each string, the group of strings that are equal to it.
    groups: Vec<u32>,
    /// Where the matches of each group begin.
    starts: Vec<usize>,
    matches: Vec<Match>,
    too_long: usize,
}

impl Joined {
    /// The matches of the string at a position, by attribute and value.
    pub fn of(&self, string: usize) -> &[Match] {
        self.of_group(self.groups[string])
    }

    /// For each string the number of its group: equal strings are joined once. Groups are numbered in
    /// order of first appearance.
    pub fn groups(&self) -> &[u32] {
        &self.groups
    }

    /// The matches of a group.
    pub fn of_group(&self, group: u32) -> &[Match] {
        let group = group as usize;
        &self.matches[self.starts[group]..self.starts[group + 1]]
    }

    /// The matches of all groups, one after the other.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// Different strings that were left out because they have more than [`MAX_WORDS`] words.
    pub fn too_long(&self) -> usize {
        self.too_long
    }
}

impl SeedIndex {
    /// Finds all values with a cosine of at least `threshold` (above 0) to one of the strings, in
    /// parallel. The result does not depend on the number of threads.
    pub fn join<S: AsRef<str> + Sync>(&self, strings: &[S], threshold: f64) -> Joined {
        let mut different = Interner::default();
        let mut firsts: Vec<&str> = Vec::new();
        let mut groups = Vec::with_capacity(strings.len());
        for string in strings {
            let group = different.intern(string.as_ref().as_bytes());
            if group as usize == firsts.len() {
                firsts.push(string.as_ref());
            }
            groups.push(group);
        }
        drop(different);
        let piece = firsts.len().div_ceil(2 * rayon::current_num_threads()).max(LEAST_PIECE);
        let pieces: Vec<(Vec<usize>, Vec<Match>, usize)> = firsts
            .par_chunks(piece)
            .map(|strings| {
                let mut worker = Worker::new(self, threshold);
                let mut counts = Vec::with_capacity(strings.len());
                for string in strings {
                    let before = worker.found.len();
                    worker.join(string);
                    counts.push(worker.found.len() - before);
                }
                (counts, worker.found, worker.too_long)
            })
            .collect();
        let mut joined = Joined { groups, starts: vec![0], matches: Vec::new(), too_long: 0 };
        for (counts, matches, too_long) in pieces {
            let mut end = joined.matches.len();
            joined.starts.extend(counts.iter().map(|count| {
                end += count;
                end
            }));
            joined.matches.extend(matches);
            joined.too_long += too_long;
        }
        joined
    }
}

/// One thread's tables.
struct Worker<'i> {
    weigher: Weigher<'i>,
    threshold: f64,
    found: Vec<Match>,
    too_long: usize,
    /// The string's weights c_v(e), by gram; zero between strings.
    weights: Vec<f64>,
    /// The grams of the string.
    grams: Vec<u32>,
    /// x(w) / (V · θ), by word of the attribute.
    sums: Vec<f32>,
}

/// A string as a value of an attribute.
#[derive(Clone, Copy)]
struct Query<'a> {
    attribute: &'a Attribute,
    number: u32,
    length: f64,
    /// The largest of the `sums` of common words, and of the others.
    common: f32,
    most: f32,
}

fn largest(sums: &[f32]) -> f32 {
    sums.iter().fold(0.0, |most, sum| if *sum > most { *sum } else { most })
}

impl<'i> Worker<'i> {
    fn new(index: &'i SeedIndex, threshold: f64) -> Self {
        Self {
            weigher: Weigher::new(index),
            threshold,
            found: Vec::new(),
            too_long: 0,
            weights: vec![0.0; index.grams.len()],
            grams: Vec::new(),
            sums: Vec::new(),
        }
    }

    fn join(&mut self, text: &str) {
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
        self.add_up(attribute, length);
        let (common, others) = self.sums.split_at(attribute.numbers_from);
        let (common, most) = (largest(common), largest(others));
        let numbers = &self.sums[attribute.numbers_from..attribute.others_from];
        let numbers = largest(numbers) > 0.0;
        let fits = |plan: &&Plan| common <= plan.cap && (plan.numbers || !numbers);
        let Some(plan) = attribute.plans.iter().find(fits) else { return };
        let query = Query { attribute, number, length, common, most };
        let any = Query { most: most.max(common), ..query };
        self.glance(&any, 0.0, &plan.always);
        let mut at = match (plan.cap.is_infinite(), plan.numbers) {
            (true, _) => 0,
            (false, true) => attribute.numbers_from,
            (false, false) => attribute.others_from,
        };
        while at < self.sums.len() {
            let end = (at + BLOCK).min(self.sums.len());
            let pairs = self.sums[at..end].iter().zip(&plan.least[at..end]);
            if pairs.fold(false, |any, (sum, least)| any | (sum >= least)) {
                for word in at..end {
                    if self.sums[word] >= plan.least[word] {
                        let values = attribute.glances.row(word as u32);
                        self.glance(&query, self.sums[word], values);
                    }
                }
            }
            at = end;
        }
    }

    /// Looks at values unless their weightiest words rule them out. `own`: the sum of the word that
    /// they have in common.
    fn glance(&mut self, query: &Query<'_>, own: f32, values: &[Glance]) {
        for glance in values {
            let [(a, of_a), (b, of_b)] = glance.others;
            let known =
                own * glance.own + self.sums[a as usize] * of_a + self.sums[b as usize] * of_b;
            if known + glance.rest * query.most + glance.common * query.common >= 1.0 {
                self.look(query, glance.value);
            }
        }
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
    fn look(&mut self, query: &Query<'_>, value: u32) {
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
