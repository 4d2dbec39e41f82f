//! Which seed values resemble these strings? An exact join: every pair with a cosine of at least the
//! threshold is found, no other. `attribute.rs` says why so few pairs need to be looked at.

use rayon::prelude::*;

use crate::attribute::Attribute;
use crate::index::SeedIndex;
use crate::intern::Interner;
use crate::query::Weigher;
use crate::trigger::{BLOCK, Glance, HEAVY, Outline, Plan};

/// Strings with more words are not joined, and are counted in [`Joined::too_long`].
pub const MAX_WORDS: usize = 512;

/// Filters err on the safe side by this part; the cosine itself decides.
const SLACK: f64 = 1e-4;

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
    /// Squares of the string's weights.
    squares: Vec<f64>,
    /// The largest of each block of sums.
    tops: Vec<f32>,
    /// Words with their sums.
    hits: Vec<(f32, u32)>,
    /// Values by their place among the glances, with what the word adds by which they were found.
    candidates: Vec<(f32, u32)>,
}

/// A string as a value of an attribute.
#[derive(Clone, Copy)]
struct Query<'a> {
    attribute: &'a Attribute,
    number: u32,
    length: f64,
    /// The largest of the `sums` of each class of words.
    most: [f32; 3],
}

/// The largest of numbers that are not negative.
fn largest(sums: &[f32]) -> f32 {
    // Side by side, so that the compiler may compare several at once.
    const LANES: usize = 8;
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let (chunks, rest) = sums.as_chunks::<LANES>();
    let mut most = [0.0; LANES];
    for chunk in chunks {
        for (most, sum) in most.iter_mut().zip(chunk) {
            *most = larger(*most, *sum);
        }
    }
    most.iter().chain(rest).copied().fold(0.0, larger)
}

/// Appends the numbers that pass their test. Which do is hard to foretell, so there is no branch: each is
/// written down, and the next one over it if it did not pass.
fn keep(list: &mut Vec<(f32, u32)>, tested: impl ExactSizeIterator<Item = (bool, f32, usize)>) {
    let mut len = list.len();
    list.resize(len + tested.len(), (0.0, 0));
    for (passes, sum, number) in tested {
        list[len] = (sum, number as u32);
        len += usize::from(passes);
    }
    list.truncate(len);
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
            squares: Vec::new(),
            tops: Vec::new(),
            hits: Vec::new(),
            candidates: Vec::new(),
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

    /// The largest sum of each class of words.
    fn most(&self, attribute: &Attribute) -> [f32; 3] {
        let most = |from: usize, to: usize| {
            let (first, last) = (from.div_ceil(BLOCK), to / BLOCK);
            if first >= last {
                return largest(&self.sums[from..to]);
            }
            let ends = [&self.sums[from..first * BLOCK], &self.sums[last * BLOCK..to]];
            largest(&[largest(ends[0]), largest(ends[1]), largest(&self.tops[first..last])])
        };
        let (numbers, others) = (attribute.numbers_from, attribute.others_from);
        [most(0, numbers), most(numbers, others), most(others, self.sums.len())]
    }

    /// Finds values of which common words make up a large part. A value need only pass at the one of
    /// its common words that comes first: there no other has a larger sum than the next word's.
    fn find_by_common(&mut self, query: &Query<'_>) {
        let Query { attribute, most: [_, numbers, others], .. } = *query;
        let outlines = &attribute.outlines;
        let sums = self.sums[..attribute.numbers_from].iter().zip(0..);
        self.hits.clear();
        self.hits.extend(sums.filter(|(sum, _)| **sum > 0.0).map(|(sum, word)| (*sum, word)));
        self.hits.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (at, (sum, word)) in self.hits.iter().enumerate() {
            let next = self.hits.get(at + 1).map_or(0.0, |(next, _)| *next);
            for (outline, place) in outlines.row(*word).iter().zip(outlines.range(*word)) {
                if (outline.own + outline.common) * sum < HEAVY {
                    break;
                }
                let common = outline.own * sum + outline.common * next;
                let others = outline.numbers * numbers + outline.others * others;
                if common >= HEAVY && common + others >= 1.0 {
                    self.candidates.push((outline.own * sum, place as u32));
                }
            }
        }
    }

    /// Finds values of which a word that is not common passes its bar. A value need only pass at the
    /// word with the largest sum.
    fn find_by_others(&mut self, query: &Query<'_>, plan: &Plan) {
        let Query { attribute, most, .. } = *query;
        let from = if plan.numbers { attribute.numbers_from } else { attribute.others_from };
        self.hits.clear();
        for block in from / BLOCK..self.tops.len() {
            if self.tops[block] >= plan.least_of_block[block] {
                let words = block * BLOCK..((block + 1) * BLOCK).min(self.sums.len());
                let pairs = self.sums[words.clone()].iter().zip(&plan.least[words.clone()]);
                let hits = pairs.zip(words);
                keep(&mut self.hits, hits.map(|((sum, least), word)| (sum >= least, *sum, word)));
            }
        }
        for (sum, word) in &self.hits {
            let [common, numbers, others] = [most[0], most[1].min(*sum), most[2].min(*sum)];
            let test = |(outline, place): (&Outline, usize)| {
                let own = outline.own * sum;
                let rest = outline.numbers * numbers + outline.others * others;
                (own + outline.common * common + rest >= 1.0, own, place)
            };
            let outlines = attribute.outlines.row(*word).iter();
            keep(&mut self.candidates, outlines.zip(attribute.outlines.range(*word)).map(test));
        }
    }

    /// Looks at the candidates unless their weightiest words rule them out.
    fn glance(&mut self, query: &Query<'_>) {
        let glances = query.attribute.glances.items();
        let mut passing = std::mem::take(&mut self.hits);
        passing.clear();
        let test = |(own, place): &(f32, u32)| {
            let glance: &Glance = &glances[*place as usize];
            let [a, b, c] = glance.others.map(|(word, factor)| self.sums[word as usize] * factor);
            let [d, e, f] = glance.rest;
            let [common, numbers, others] = query.most;
            let sum = own + a + b + c + d * common + e * numbers + f * others;
            (sum >= 1.0, sum, glance.value as usize)
        };
        keep(&mut passing, self.candidates.iter().map(test));
        for (_, value) in &passing {
            self.look(query, *value);
        }
        self.hits = passing;
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
