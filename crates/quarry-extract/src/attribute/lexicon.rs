//! The values of each attribute in the seed, indexed by their words and numbers. Its values as
//! weighted pieces, which pieces tell entities apart, and which values a text may be.
//!
//! Weights are inverse document frequencies by attribute (content redundancy, Appendix A), over the pieces of
//! `tokens.rs` in place of q-grams.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::seed::{SeedAttributeId, SeedDb, SeedRecordId};
use super::tokens::{Token, tokens};

/// Values looked at for one text, at most; rarer pieces come first.
const MAX_LOOKED_AT: usize = 400;
/// Values kept for one text, the most similar.
const MAX_HITS: usize = 6;
/// A text resembles a value from here on. Below the paper's T_s, because agreement over the pages of a position is
/// what decides; above T_w, because a single piece in common is not enough.
const LEAST_SIMILARITY: f64 = 0.6;
/// Every word counts a little, however common.
const LEAST_WEIGHT: f32 = 0.1;

/// A different value of an attribute.
#[derive(Debug)]
pub(crate) struct SeedValue {
    /// Numbers of its pieces, ascending.
    pub(crate) tokens: Vec<u32>,
    /// Their weights.
    weights: Vec<f32>,
    /// Sum of their weights.
    pub(crate) total: f32,
    /// The records that have it.
    pub(crate) records: Vec<SeedRecordId>,
}

/// One attribute of the seed.
#[derive(Debug, Default)]
pub(crate) struct AttributeLexicon {
    /// Numbers of the pieces that its values have, ascending: memory grows with what is known, not with all pieces times all attributes.
    tokens: Vec<u32>,
    /// The weight of each of them.
    weight: Vec<f32>,
    /// The weight of a piece that no value has.
    unknown: f32,
    pub(crate) values: Vec<SeedValue>,
    /// For each of them, the values that have it.
    postings: Vec<Vec<u32>>,
    /// For each record, its values.
    of_record: HashMap<SeedRecordId, Vec<u32>>,
    /// Records that have a value.
    pub(crate) records: usize,
    /// Records that share a value, on average over values of records: near 1 for names, many for genres.
    pub(crate) sharing: f64,
}

/// A text of a page in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextTokens {
    /// Numbers of the pieces that some seed has, ascending.
    pub(crate) known: Vec<u32>,
    /// The pieces that no seed has.
    pub(crate) strange: Vec<Token>,
}

impl TextTokens {
    /// Pieces in all.
    pub(crate) fn len(&self) -> usize {
        self.known.len() + self.strange.len()
    }
}

/// A value that a text may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) value: u32,
    pub(crate) similarity: f64,
}

/// The seed records, ready to be compared with texts.
#[derive(Debug)]
pub(crate) struct Lexicon {
    numbers: HashMap<Token, u32>,
    pub(crate) attributes: Vec<AttributeLexicon>,
    /// The records that differ.
    pub(crate) different: Vec<SeedRecordId>,
}

impl Lexicon {
    pub(crate) fn of(seeds: &SeedDb) -> Self {
        let attributes: Vec<SeedAttributeId> = seeds.attribute_ids().collect();
        let different = seeds.different();
        let read = |attribute| read_values(seeds, &different, attribute);
        let read: Vec<BTreeMap<Vec<Token>, Vec<SeedRecordId>>> =
            attributes.into_par_iter().map(read).collect();
        let mut numbers = HashMap::new();
        for token in read.iter().flat_map(BTreeMap::keys).flatten() {
            let next = numbers.len() as u32;
            numbers.entry(*token).or_insert(next);
        }
        let attributes =
            read.into_par_iter().map(|values| AttributeLexicon::of(values, &numbers)).collect();
        Self { numbers, attributes, different }
    }

    pub(crate) fn attribute_ids(&self) -> impl Iterator<Item = SeedAttributeId> + use<> {
        (0..self.attributes.len() as u32).map(SeedAttributeId)
    }

    /// For each piece, the attributes whose values have it, ascending.
    pub(crate) fn holders(&self) -> Vec<Vec<SeedAttributeId>> {
        let mut holders: Vec<Vec<SeedAttributeId>> = vec![Vec::new(); self.numbers.len()];
        for (number, attribute) in (0..).map(SeedAttributeId).zip(&self.attributes) {
            attribute.tokens.iter().for_each(|token| holders[*token as usize].push(number));
        }
        holders
    }

    pub(crate) fn read(&self, text: &str) -> TextTokens {
        let mut read = TextTokens::default();
        for token in tokens(text) {
            match self.numbers.get(&token) {
                Some(number) => read.known.push(*number),
                None => read.strange.push(token),
            }
        }
        read.known.sort_unstable();
        read
    }
}

/// The different values of an attribute, as sets of pieces. The values of a list count each, and together.
fn read_values(
    seeds: &SeedDb,
    different: &[SeedRecordId],
    attribute: SeedAttributeId,
) -> BTreeMap<Vec<Token>, Vec<SeedRecordId>> {
    let mut values: BTreeMap<Vec<Token>, Vec<SeedRecordId>> = BTreeMap::new();
    for &number in different {
        let record = &seeds.records()[number.index()];
        let mut all = Vec::new();
        for value in record.values(attribute) {
            let tokens = tokens(value);
            all.extend_from_slice(&tokens);
            let records = values.entry(tokens).or_default();
            if records.last() != Some(&number) {
                records.push(number);
            }
        }
        if record.values(attribute).len() > 1 {
            all.sort_unstable();
            all.dedup();
            let records = values.entry(all).or_default();
            if records.last() != Some(&number) {
                records.push(number);
            }
        }
    }
    values.remove(&Vec::new());
    values
}

/// How far the partner is in turn number `turn` among `count`: never itself, if there are others.
fn far(turn: usize, count: usize) -> usize {
    match count {
        0 | 1 => 0,
        count => 1 + (turn + 1) * 7919 % (count - 1),
    }
}

impl AttributeLexicon {
    fn of(values: BTreeMap<Vec<Token>, Vec<SeedRecordId>>, numbers: &HashMap<Token, u32>) -> Self {
        let mut of_record: HashMap<SeedRecordId, Vec<u32>> = HashMap::new();
        let mut read = Vec::with_capacity(values.len());
        for ((tokens, records), value) in values.into_iter().zip(0u32..) {
            let mut tokens: Vec<u32> =
                tokens.iter().filter_map(|token| numbers.get(token).copied()).collect();
            tokens.sort_unstable();
            for record in &records {
                of_record.entry(*record).or_default().push(value);
            }
            read.push(SeedValue { tokens, weights: Vec::new(), total: 0.0, records });
        }
        let mut known: Vec<u32> = read.iter().flat_map(|value| &value.tokens).copied().collect();
        known.sort_unstable();
        known.dedup();
        let mut postings: Vec<Vec<u32>> = vec![Vec::new(); known.len()];
        let mut times = vec![0u32; known.len()];
        for (value, number) in read.iter().zip(0u32..) {
            for at in value.tokens.iter().filter_map(|token| known.binary_search(token).ok()) {
                times[at] += value.records.len() as u32;
                postings[at].push(number);
            }
        }
        let records = of_record.len();
        let all = records as f32 + 1.0;
        let weigh = |times: &u32| match times {
            0 => 0.0,
            times => (all / *times as f32).ln().max(0.0) + LEAST_WEIGHT,
        };
        let weight: Vec<f32> = times.iter().map(weigh).collect();
        for value in &mut read {
            let places = value.tokens.iter().filter_map(|token| known.binary_search(token).ok());
            value.weights = places.map(|at| weight[at]).collect();
            value.total = value.weights.iter().sum();
        }
        let unknown = all.ln() + LEAST_WEIGHT;
        let holders = read.iter().map(|value| value.records.len() as f64);
        let sharing =
            holders.clone().map(|count| count * count).sum::<f64>() / holders.sum::<f64>().max(1.0);
        Self { tokens: known, weight, unknown, values: read, postings, of_record, records, sharing }
    }

    /// Values that nobody has: half of the pieces of one value and half of another's, dealt to other records than those
    /// that have either. `turn` says which. Weights stay.
    pub(crate) fn decoy(&self, turn: usize) -> Self {
        let count = self.values.len().max(1);
        let mut postings: Vec<Vec<u32>> = vec![Vec::new(); self.postings.len()];
        let mut values = Vec::with_capacity(self.values.len());
        let mut holders: Vec<SeedRecordId> = self.of_record.keys().copied().collect();
        holders.sort_unstable();
        let place: HashMap<SeedRecordId, usize> =
            holders.iter().enumerate().map(|(place, record)| (*record, place)).collect();
        let mut of_record: HashMap<SeedRecordId, Vec<u32>> = HashMap::new();
        for (value, number) in self.values.iter().zip(0u32..) {
            let other = &self.values[(number as usize + far(turn, count)) % count];
            let own = value.tokens.iter().skip(turn % 2).step_by(2);
            let others = other.tokens.iter().skip((turn + 1) % 2).step_by(2);
            let mut tokens: Vec<u32> = own.chain(others).copied().collect();
            if value.tokens.len() == 1 {
                tokens.clone_from(&value.tokens);
            }
            tokens.sort_unstable();
            tokens.dedup();
            let places: Vec<usize> = tokens.iter().filter_map(|token| self.place(*token)).collect();
            for at in &places {
                postings[*at].push(number);
            }
            let dealt = |record: &SeedRecordId| {
                holders[(place[record] + far(turn + 1, holders.len())) % holders.len()]
            };
            let records: Vec<SeedRecordId> = value.records.iter().map(dealt).collect();
            for record in &records {
                of_record.entry(*record).or_default().push(number);
            }
            let weights: Vec<f32> = places.iter().map(|at| self.weight[*at]).collect();
            let total = weights.iter().sum();
            values.push(SeedValue { tokens, weights, total, records });
        }
        let (tokens, weight) = (self.tokens.clone(), self.weight.clone());
        Self { tokens, weight, values, postings, of_record, ..*self }
    }

    /// The place of a piece among those that the values have.
    fn place(&self, token: u32) -> Option<usize> {
        self.tokens.binary_search(&token).ok()
    }

    /// The sum of the weights of a text's pieces.
    pub(crate) fn total(&self, text: &TextTokens) -> f32 {
        let weight = |token: &u32| self.place(*token).map_or(self.unknown, |at| self.weight[at]);
        let known = text.known.iter().map(weight);
        known.sum::<f32>() + text.strange.len() as f32 * self.unknown
    }

    /// Whether some value has the piece.
    pub(crate) fn has(&self, token: u32) -> bool {
        self.place(token).is_some()
    }

    /// The values of a record.
    pub(crate) fn of_record(&self, record: SeedRecordId) -> &[u32] {
        self.of_record.get(&record).map_or(&[], Vec::as_slice)
    }

    /// The weights in common by the geometric mean of both sums: 1 for the same pieces.
    pub(crate) fn similarity(&self, value: u32, text: &TextTokens, total: f32) -> f64 {
        let value = &self.values[value as usize];
        let (mut at, mut common) = (0, 0.0);
        for (token, weight) in value.tokens.iter().zip(&value.weights) {
            while at < text.known.len() && text.known[at] < *token {
                at += 1;
            }
            if text.known.get(at) == Some(token) {
                common += weight;
            }
        }
        if common == 0.0 { 0.0 } else { f64::from(common / (value.total * total).sqrt()) }
    }

    /// The similarity of a text with the closest value of a record.
    pub(crate) fn with_record(&self, record: SeedRecordId, text: &TextTokens, total: f32) -> f64 {
        let of = |value: &u32| self.similarity(*value, text, total);
        self.of_record(record).iter().map(of).fold(0.0, f64::max)
    }

    /// The values that a text resembles, the most similar first.
    pub(crate) fn hits(&self, text: &TextTokens) -> Vec<Hit> {
        let mut order: Vec<usize> =
            text.known.iter().filter_map(|token| self.place(*token)).collect();
        if order.is_empty() {
            return Vec::new();
        }
        order.sort_by_key(|at| (self.postings[*at].len(), *at));
        let total = self.total(text);
        let mut values: Vec<u32> = Vec::new();
        // A value that is similar enough shares more than the weight that may be missing.
        let mut left: f32 = order.iter().map(|at| self.weight[*at]).sum();
        let needed = (LEAST_SIMILARITY * LEAST_SIMILARITY) as f32 * total;
        for at in order {
            let list = &self.postings[at];
            if left < needed * 0.5
                || (!values.is_empty() && values.len() + list.len() > MAX_LOOKED_AT)
            {
                break;
            }
            values.extend(list.iter().take(MAX_LOOKED_AT));
            left -= self.weight[at];
        }
        values.sort_unstable();
        values.dedup();
        let mut hits: Vec<Hit> = values
            .into_iter()
            .map(|value| Hit { value, similarity: self.similarity(value, text, total) })
            .filter(|hit| hit.similarity >= LEAST_SIMILARITY)
            .collect();
        hits.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.value.cmp(&b.value)));
        hits.truncate(MAX_HITS);
        hits
    }
}
