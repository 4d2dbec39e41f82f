//! The weights of a string, taken as a value of an attribute. Appendix A, with words that no seed
//! contains.

use crate::attribute::{Attribute, Shape, bit};
use crate::csr::Rows;
use crate::index::SeedIndex;
use crate::intern::{GramTable, Interner};
use crate::text::{each_word, grams_into};

/// Words whose grams and weights are remembered; beyond it, all are forgotten. Bounds the memory.
const REMEMBERED: usize = 1 << 18;

/// Weighs strings. Remembers words, so that it is worth keeping for many strings; the results do not
/// depend on what was asked before.
#[derive(Debug)]
pub struct Weigher<'i> {
    pub(crate) index: &'i SeedIndex,
    words: Interner,
    /// Grams of the remembered words; those that no seed contains are numbered after the seeds'.
    grams: Rows<u32>,
    unknown: GramTable,
    /// By word and attribute; not a number while not asked for.
    idf: Vec<f64>,
    /// By word and attribute: does the attribute contain one of its grams?
    touches: Vec<bool>,
    near: Near,
    text: String,
    gram_buffer: Vec<u64>,
    /// The words of the string that was read last.
    pub(crate) sequence: Vec<u32>,
}

impl<'i> Weigher<'i> {
    /// Starts with nothing remembered.
    pub fn new(index: &'i SeedIndex) -> Self {
        Self {
            index,
            words: Interner::default(),
            grams: Rows::default(),
            unknown: GramTable::default(),
            idf: Vec::new(),
            touches: Vec::new(),
            near: Near::new(index),
            text: String::new(),
            gram_buffer: Vec::new(),
            sequence: Vec::new(),
        }
    }

    /// Weak similarity sim_a(u, v) of two strings (Definition A.1). 0 where one has no weight.
    pub fn similarity(&mut self, attribute: u32, u: &str, v: &str) -> f64 {
        self.forget_if_full();
        let u = self.weights(attribute, u);
        let v = self.weights(attribute, v);
        let length = |vector: &[(u32, f64)]| vector.iter().map(|(_, w)| w * w).sum::<f64>().sqrt();
        let mut dot = 0.0;
        let mut rest = v.as_slice();
        for (gram, weight) in &u {
            let skip = rest.partition_point(|(other, _)| other < gram);
            rest = &rest[skip..];
            if let Some((_, other)) = rest.first().filter(|(other, _)| other == gram) {
                dot += weight * other;
            }
        }
        let lengths = length(&u) * length(&v);
        if lengths > 0.0 { (dot / lengths).min(1.0) } else { 0.0 }
    }

    /// The string as a vector: gram numbers, ascending, with their weights c_v(e). The numbers of
    /// grams that seeds contain are the same for all weighers of an index.
    pub fn vector(&mut self, attribute: u32, text: &str) -> Vec<(u32, f64)> {
        self.forget_if_full();
        self.weights(attribute, text)
    }

    fn weights(&mut self, attribute: u32, text: &str) -> Vec<(u32, f64)> {
        self.read(text, usize::MAX);
        let mut vector: Vec<(u32, f64)> = Vec::new();
        for at in 0..self.sequence.len() {
            let word = self.sequence[at];
            let idf = self.idf(word, attribute);
            vector.extend(self.grams(word).iter().map(|gram| (*gram, idf)));
        }
        // The sort is stable, so that equal strings are summed up in the same order.
        vector.sort_by_key(|(gram, _)| *gram);
        vector.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            if same {
                sum.1 += next.1;
            }
            same
        });
        vector.retain(|(_, weight)| *weight > 0.0);
        vector
    }

    /// Reads the words of `text` into `sequence`; false if they are more than `most`.
    pub(crate) fn read(&mut self, text: &str, most: usize) -> bool {
        let mut buffer = std::mem::take(&mut self.text);
        self.sequence.clear();
        let mut count = 0;
        each_word(text, &mut buffer, |word| {
            count += 1;
            if count <= most {
                let id = self.word(word);
                self.sequence.push(id);
            }
        });
        self.text = buffer;
        count <= most
    }

    fn word(&mut self, word: &str) -> u32 {
        let id = self.words.intern(word.as_bytes());
        if (id as usize) < self.grams.len() {
            return id;
        }
        let known = self.index.grams.len() as u32;
        grams_into(word, &mut self.gram_buffer);
        let (unknown, grams) = (&mut self.unknown, &self.index.grams);
        self.grams.push(
            self.gram_buffer
                .iter()
                .map(|gram| grams.find(*gram).unwrap_or_else(|| known + unknown.intern(*gram))),
        );
        let seed = self.index.words.find(word.as_bytes());
        for attribute in &self.index.attributes {
            self.idf.push(seed.map_or(f64::NAN, |seed| attribute.idf[seed as usize]));
            let has = |gram: &u32| *gram < known && !attribute.words_of_gram.row(*gram).is_empty();
            self.touches.push(self.grams.row(id).iter().any(has));
        }
        id
    }

    pub(crate) fn grams(&self, word: u32) -> &[u32] {
        self.grams.row(word)
    }

    /// Does the attribute contain a gram of the word?
    pub(crate) fn touches(&self, word: u32, attribute: u32) -> bool {
        self.touches[word as usize * self.index.attributes.len() + attribute as usize]
    }

    /// All gram numbers given so far are below this.
    pub(crate) fn gram_count(&self) -> usize {
        self.index.grams.len() + self.unknown.len()
    }

    /// IDF of a word of the string; of the closest words of the seeds if they do not contain it.
    pub(crate) fn idf(&mut self, word: u32, attribute: u32) -> f64 {
        let at = word as usize * self.index.attributes.len() + attribute as usize;
        if self.idf[at].is_nan() {
            let grams = self.grams.row(word);
            let attribute = &self.index.attributes[attribute as usize];
            self.idf[at] = self.near.idf(attribute, &self.index.word_grams, grams);
        }
        self.idf[at]
    }

    pub(crate) fn forget_if_full(&mut self) {
        if self.words.len() > REMEMBERED {
            self.words.clear();
            self.grams.clear();
            self.unknown.clear();
            self.idf.clear();
            self.touches.clear();
        }
    }
}

/// Finds the seed words closest to a word by the Jaccard similarity of their grams.
#[derive(Debug)]
struct Near {
    /// Grams of the word asked for, by gram.
    asked: Vec<bool>,
    /// Round in which a seed word was looked at.
    looked: Vec<u32>,
    round: u32,
    order: Vec<u32>,
}

impl Near {
    fn new(index: &SeedIndex) -> Self {
        Self {
            asked: vec![false; index.grams.len()],
            looked: vec![0; index.words.len()],
            round: 0,
            order: Vec::new(),
        }
    }

    /// The mean IDF of the closest words; of all words where none shares a gram.
    fn idf(&mut self, attribute: &Attribute, word_grams: &Rows<u32>, grams: &[u32]) -> f64 {
        let lists = &attribute.words_of_gram;
        self.round += 1;
        self.order.clear();
        let known = grams.iter().filter(|gram| (**gram as usize) < self.asked.len());
        self.order.extend(known.filter(|gram| !lists.row(**gram).is_empty()));
        // Rarest first: a word that is first met at the j-th gram shares at most the rest.
        self.order.sort_unstable_by_key(|gram| (lists.row(*gram).len(), *gram));
        let mut signature = 0;
        for gram in &self.order {
            self.asked[*gram as usize] = true;
            signature |= bit(*gram);
        }
        let mut best = (0, 1);
        let (mut sum, mut count) = (0.0, 0u32);
        for (at, gram) in self.order.iter().enumerate() {
            let rest = self.order.len() - at;
            if rest * best.1 < best.0 * grams.len() {
                break;
            }
            for word in lists.row(*gram) {
                let Shape { signature: other, grams: count_of, word: id } =
                    attribute.shapes[*word as usize];
                // A bit of the signature that is not asked for is a gram that is not shared.
                let missing = (other & !signature).count_ones() as usize;
                let most = rest.min(count_of as usize - missing);
                if most * best.1 < best.0 * (count_of as usize + grams.len() - most) {
                    continue;
                }
                if std::mem::replace(&mut self.looked[*word as usize], self.round) == self.round {
                    continue;
                }
                let others = word_grams.row(id);
                let common = others.iter().filter(|gram| self.asked[**gram as usize]).count();
                let jaccard = (common, grams.len() + others.len() - common);
                let (new, old) = (jaccard.0 * best.1, best.0 * jaccard.1);
                if new > old {
                    (best, sum, count) = (jaccard, 0.0, 0);
                }
                if new >= old {
                    sum += attribute.idf[id as usize];
                    count += 1;
                }
            }
        }
        for gram in &self.order {
            self.asked[*gram as usize] = false;
        }
        if count == 0 { attribute.mean_idf } else { sum / f64::from(count) }
    }
}
