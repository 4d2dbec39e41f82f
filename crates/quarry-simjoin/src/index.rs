//! The index of the seed records. Words, grams and weights of every attribute, laid out for the
//! join. Built once, then shared by all threads.

use rayon::prelude::*;

use crate::attribute::{Attribute, Vocabulary};
use crate::csr::Rows;
use crate::intern::{GramTable, Interner};
use crate::text::{each_word, grams_into};

/// One attribute of the seed records: a name, and texts with the number of the record they belong
/// to. A record may have several texts, or none.
#[derive(Debug, Clone)]
pub struct SeedColumn<'a> {
    name: &'a str,
    values: Vec<(u32, &'a str)>,
}

impl<'a> SeedColumn<'a> {
    /// A column from pairs of record number and text.
    pub fn new(name: &'a str, values: impl IntoIterator<Item = (u32, &'a str)>) -> Self {
        Self { name, values: values.into_iter().collect() }
    }
}

/// The seed records, ready to be joined with.
#[derive(Debug)]
pub struct SeedIndex {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) words: Interner,
    pub(crate) grams: GramTable,
    /// The grams of each word.
    pub(crate) word_grams: Rows<u32>,
}

impl SeedIndex {
    /// Reads the columns. The number of records, the N of Appendix A, is that of the different
    /// record numbers in all columns.
    pub fn build(columns: &[SeedColumn<'_>]) -> Self {
        let mut words = Interner::default();
        let mut sequences: Vec<Vec<(u32, Vec<u32>)>> = Vec::new();
        let mut buffer = String::new();
        for column in columns {
            let read = |(record, text): &(u32, &str)| {
                let mut sequence = Vec::new();
                each_word(text, &mut buffer, |word| sequence.push(words.intern(word.as_bytes())));
                (*record, sequence)
            };
            let mut rows: Vec<_> = column.values.iter().map(read).collect();
            rows.sort();
            sequences.push(rows);
        }
        let mut records: Vec<u32> = sequences.iter().flatten().map(|(record, _)| *record).collect();
        records.sort_unstable();
        records.dedup();
        let (grams, word_grams) = grams_of(&words, &sequences);
        let vocabulary = Vocabulary { words: &words, grams_of: &word_grams, grams: grams.len() };
        let attributes = columns
            .par_iter()
            .zip(&sequences)
            .map(|(column, rows)| Attribute::build(column.name, rows, records.len(), &vocabulary))
            .collect();
        Self { attributes, words, grams, word_grams }
    }

    /// The names of the attributes, in the order of the columns.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|attribute| attribute.name.as_str())
    }

    /// The number of different values of an attribute.
    pub fn value_count(&self, attribute: u32) -> usize {
        self.attributes[attribute as usize].sequences.len()
    }

    /// The records that have this value, ascending.
    pub fn records(&self, attribute: u32, value: u32) -> &[u32] {
        self.attributes[attribute as usize].records.row(value)
    }

    /// The words of a value, in their order.
    pub fn value_words(&self, attribute: u32, value: u32) -> Vec<&str> {
        let sequence = self.attributes[attribute as usize].sequences.row(value);
        sequence.iter().map(|word| self.word(*word)).collect()
    }

    /// How much a word that the attribute's seeds contain says about the entity: log N / N(a, w).
    pub fn idf(&self, attribute: u32, word: &str) -> Option<f64> {
        let word = self.words.find(word.as_bytes())?;
        Some(self.attributes[attribute as usize].idf[word as usize]).filter(|idf| !idf.is_nan())
    }

    fn word(&self, id: u32) -> &str {
        std::str::from_utf8(self.words.get(id)).unwrap_or_default()
    }
}

/// The grams of all words, numbered by how many texts contain them, rarest first.
fn grams_of(words: &Interner, texts: &[Vec<(u32, Vec<u32>)>]) -> (GramTable, Rows<u32>) {
    let mut grams = GramTable::default();
    let mut first = Rows::default();
    let mut buffer = Vec::new();
    for id in 0..words.len() as u32 {
        grams_into(std::str::from_utf8(words.get(id)).unwrap_or_default(), &mut buffer);
        first.push(buffer.iter().map(|gram| grams.intern(*gram)));
    }
    let mut times = vec![0u32; grams.len()];
    for word in texts.iter().flatten().flat_map(|(_, sequence)| sequence) {
        for gram in first.row(*word) {
            times[*gram as usize] += 1;
        }
    }
    let mut order: Vec<u32> = (0..grams.len() as u32).collect();
    order.sort_by_key(|gram| times[*gram as usize]);
    let mut number = vec![0; grams.len()];
    for (new, old) in (0..).zip(&order) {
        number[*old as usize] = new;
    }
    grams.renumber(&number);
    let mut rows = Rows::default();
    for word in 0..words.len() as u32 {
        rows.push(first.row(word).iter().map(|gram| number[*gram as usize]));
    }
    (grams, rows)
}
