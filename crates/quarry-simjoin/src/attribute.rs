//! The index of one attribute. Its words, their weights, its values, and who has them.
//!
//! The cosine is linear in the words of the seed value u, because grams inherit the weight of their
//! word (Appendix A). With x(w) the sum of the string's weights over the grams of w, and V its length,
//!
//! ```text
//! cos(u, v) = Σ over w in u of factor(u, w) · x(w) / V,   factor(u, w) = times(w) · IDF(w) / |u|
//!           = Σ over w in u of share(u, w) · y(w)
//! share(u, w) = factor(u, w) · √grams(w),   y(w) = x(w) / (V · √grams(w)) ≤ 1
//! ```
//!
//! There are far fewer different words than values, so the join adds up x(w) for words, and goes on to
//! values only where `trigger.rs` says so.

use crate::csr::Rows;
use crate::intern::Interner;
use crate::trigger::{Class, Glance, Outline, Plan, Words, is_common};

/// A word of a value: how much a string's `x(word) / V` adds to the cosine, about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) word: u32,
    pub(crate) factor: f32,
}

/// What is needed to compare a word with another, in one place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// A bit for each of its grams.
    pub(crate) signature: u64,
    /// How many grams it has.
    pub(crate) grams: u32,
    /// Its number in the index.
    pub(crate) word: u32,
}

/// The bit of a gram in a signature.
pub(crate) fn bit(gram: u32) -> u64 {
    1 << (gram.wrapping_mul(0x9E37_79B1) >> 26)
}

#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    /// By word; not a number for words that the attribute does not contain.
    pub(crate) idf: Vec<f64>,
    /// The mean over the attribute's words: the weight of a word that is equally far from all.
    pub(crate) mean_idf: f64,
    /// The words of each value, in order, as numbered in the index.
    pub(crate) sequences: Rows<u32>,
    pub(crate) records: Rows<u32>,
    /// The attribute's own numbers of its words: common ones, numbers, others. The number in the index
    /// of each.
    pub(crate) words: Vec<u32>,
    pub(crate) shapes: Vec<Shape>,
    /// The first word that is not common, and the first that is not a number either.
    pub(crate) numbers_from: usize,
    pub(crate) others_from: usize,
    /// By gram: the words that contain it.
    pub(crate) words_of_gram: Rows<u32>,
    /// The different words of each value that weigh something.
    pub(crate) parts: Rows<Part>,
    /// The factors of the parts, exactly.
    pub(crate) factors: Rows<f64>,
    /// By word: the values that contain it, in the same order.
    pub(crate) outlines: Rows<Outline>,
    pub(crate) glances: Rows<Glance>,
    pub(crate) plans: Vec<Plan>,
}

/// The words of the seeds, as far as an attribute needs to know.
pub(crate) struct Vocabulary<'a> {
    pub(crate) words: &'a Interner,
    pub(crate) grams_of: &'a Rows<u32>,
    pub(crate) grams: usize,
}

impl Attribute {
    /// `rows`: record and words of each text, sorted by record.
    pub(crate) fn build(
        name: &str,
        rows: &[(u32, Vec<u32>)],
        total: usize,
        vocabulary: &Vocabulary<'_>,
    ) -> Self {
        let grams_of = vocabulary.grams_of;
        let (idf, mean_idf) = weights(rows, total, grams_of.len());
        let (sequences, records) = values(rows);
        let counts = counts(&sequences, grams_of.len());
        let class_of = |word: u32| {
            if is_common(counts[word as usize], sequences.len()) {
                Class::Common
            } else if vocabulary.words.get(word).iter().all(u8::is_ascii_digit) {
                Class::Number
            } else {
                Class::Other
            }
        };
        let mut words: Vec<u32> =
            (0..grams_of.len() as u32).filter(|word| !idf[*word as usize].is_nan()).collect();
        // Words with a common beginning side by side: what a string is similar to stands together.
        words.sort_by_cached_key(|word| (class_of(*word), vocabulary.words.get(*word)));
        let class: Vec<Class> = words.iter().map(|word| class_of(*word)).collect();
        let mut number = vec![u32::MAX; grams_of.len()];
        for (new, word) in (0..).zip(&words) {
            number[*word as usize] = new;
        }
        let pairs: Vec<(u32, u32)> = (0..)
            .zip(&words)
            .flat_map(|(new, word)| grams_of.row(*word).iter().map(move |gram| (*gram, new)))
            .collect();
        let words_of_gram = Rows::grouped(vocabulary.grams, &pairs);
        let (parts, factors) = parts(&sequences, &idf, vocabulary, &number);
        let shape = |word: &u32| {
            let grams = grams_of.row(*word);
            let signature = grams.iter().fold(0, |all, gram| all | bit(*gram));
            Shape { signature, grams: grams.len() as u32, word: *word }
        };
        let grams: Vec<usize> = words.iter().map(|word| grams_of.row(*word).len()).collect();
        let all = Words { parts: &parts, class: &class, grams: &grams };
        let (outlines, glances) = all.values();
        Self {
            name: name.to_owned(),
            mean_idf,
            sequences,
            records,
            numbers_from: class.partition_point(|class| *class < Class::Number),
            others_from: class.partition_point(|class| *class < Class::Other),
            words_of_gram,
            outlines,
            glances,
            shapes: words.iter().map(shape).collect(),
            plans: all.plans(),
            words,
            idf,
            parts,
            factors,
        }
    }
}

/// How many values contain each word.
fn counts(values: &Rows<u32>, words: usize) -> Vec<u32> {
    let mut counts = vec![0; words];
    let mut bag: Vec<u32> = Vec::new();
    for value in 0..values.len() as u32 {
        bag.clear();
        bag.extend(values.row(value));
        bag.sort_unstable();
        bag.dedup();
        for word in &bag {
            counts[*word as usize] += 1;
        }
    }
    counts
}

/// IDF of each word, and its mean over the words.
fn weights(rows: &[(u32, Vec<u32>)], total: usize, words: usize) -> (Vec<f64>, f64) {
    let mut counts = vec![0u32; words];
    let mut last = vec![None; words];
    for (record, sequence) in rows {
        for word in sequence {
            if last[*word as usize] != Some(*record) {
                last[*word as usize] = Some(*record);
                counts[*word as usize] += 1;
            }
        }
    }
    let of = |count: &u32| match count {
        0 => f64::NAN,
        count => (total as f64 / f64::from(*count)).ln(),
    };
    let idf: Vec<f64> = counts.iter().map(of).collect();
    let present: Vec<f64> = idf.iter().copied().filter(|idf| !idf.is_nan()).collect();
    let mean = present.iter().sum::<f64>() / present.len().max(1) as f64;
    (idf, mean)
}

/// The different values (sequences of words), and the records of each. A text without words is none.
fn values(rows: &[(u32, Vec<u32>)]) -> (Rows<u32>, Rows<u32>) {
    let mut seen = Interner::default();
    let mut sequences = Rows::default();
    let mut owners = Vec::new();
    for (record, sequence) in rows.iter().filter(|(_, sequence)| !sequence.is_empty()) {
        let key: Vec<u8> = sequence.iter().flat_map(|word| word.to_le_bytes()).collect();
        let value = seen.intern(&key);
        if value as usize == sequences.len() {
            sequences.push(sequence.iter().copied());
        }
        owners.push((value, *record));
    }
    owners.sort_unstable();
    owners.dedup();
    let records = Rows::grouped(sequences.len(), &owners);
    (sequences, records)
}

/// The different words of each value with their factors; words by the attribute's own numbers.
fn parts(
    values: &Rows<u32>,
    idf: &[f64],
    vocabulary: &Vocabulary<'_>,
    number: &[u32],
) -> (Rows<Part>, Rows<f64>) {
    let mut vector = vec![0.0; vocabulary.grams];
    let (mut rows, mut factors) = (Rows::default(), Rows::default());
    let mut bag: Vec<u32> = Vec::new();
    for value in 0..values.len() as u32 {
        bag.clear();
        bag.extend(values.row(value).iter().filter(|word| idf[**word as usize] > 0.0));
        bag.sort_unstable();
        for word in &bag {
            for gram in vocabulary.grams_of.row(*word) {
                vector[*gram as usize] += idf[*word as usize];
            }
        }
        let mut square = 0.0;
        for gram in bag.iter().flat_map(|word| vocabulary.grams_of.row(*word)) {
            square += std::mem::take(&mut vector[*gram as usize]).powi(2);
        }
        let length = square.sqrt();
        let words = || bag.chunk_by(|a, b| a == b);
        let factor = |same: &[u32]| same.len() as f64 * idf[same[0] as usize] / length;
        factors.push(words().map(factor));
        rows.push(
            words()
                .map(|same| Part { word: number[same[0] as usize], factor: factor(same) as f32 }),
        );
    }
    (rows, factors)
}
