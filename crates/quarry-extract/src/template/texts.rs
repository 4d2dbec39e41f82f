//! Finds the texts inside data strings that belong to the template. High-frequency texts by
//! position-weighted voting, judged by the template text detector, part a string into data units
//! (paper §4.3).

use std::collections::BTreeMap;
use std::ops::Range;

use super::network::{Detector, NEUTRAL_PRIOR};
use quarry_value::{self as value, ValueKind};

/// Features of a high-frequency text: the seven of the paper's table 2, and [`MORE_FEATURES`] more.
pub const PAPER_FEATURES: usize = 7;
/// Features that the paper does not have; see [`TextSample::features`].
pub const MORE_FEATURES: usize = 9;

/// Strings whose tokens are voted for (the paper's k). They are taken at even distances from the sorted strings.
const SEED_STRINGS: usize = 8;
/// Strings that vote, and over which the features are taken: enough for stable averages.
const VOTING_STRINGS: usize = 120;
/// A token needs this share of the votes it could get (the paper's T).
const MIN_VOTE_SHARE: f64 = 0.4;
/// Groups with fewer strings have no template texts.
const MIN_STRINGS: usize = 3;

/// A high-frequency text of a group of strings.
#[derive(Clone, Debug)]
pub struct TextSample {
    /// The text, its tokens as they stand in a string.
    pub text: String,
    /// The seven features of the paper (average and deviation of: number in a string, first position from the left and
    /// from the right; prior probability, to be filled in), then: the share of strings that have it, the share that it
    /// fills alone, whether it has letters, whether it ends in a colon, its tokens, the share of distinct strings; the shares
    /// of strings with a number, date, price or address before it and behind it; and the tokens of a string.
    pub features: [f64; PAPER_FEATURES + MORE_FEATURES],
}

/// A word or a single other character of a text; white space aside.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut word: Option<usize> = None;
    for (at, char) in text.char_indices() {
        if char.is_alphanumeric() {
            word.get_or_insert(at);
            continue;
        }
        if let Some(start) = word.take() {
            tokens.push(start..at);
        }
        if !char.is_whitespace() {
            tokens.push(at..at + char.len_utf8());
        }
    }
    if let Some(start) = word {
        tokens.push(start..text.len());
    }
    tokens
}

/// A string and its tokens.
struct Tokenized<'a> {
    text: &'a str,
    tokens: Vec<Range<usize>>,
}

impl Tokenized<'_> {
    fn token(&self, at: usize) -> &str {
        &self.text[self.tokens[at].clone()]
    }

    fn place(&self, at: usize) -> f64 {
        (at + 1) as f64 / self.tokens.len() as f64
    }
}

/// Where the sequence of tokens occurs.
fn find<T: PartialEq>(tokens: &[T], sequence: &[T]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + sequence.len() <= tokens.len() {
        if tokens[at..at + sequence.len()] == *sequence {
            found.push(at);
            at += sequence.len();
        } else {
            at += 1;
        }
    }
    found
}

/// Strings as numbers of their tokens, equal tokens having equal numbers, and where each token occurs.
struct Numbered<'a> {
    numbers: BTreeMap<&'a str, usize>,
    strings: Vec<Vec<usize>>,
    /// For each token the strings and positions that have it, in order.
    occurrences: Vec<Vec<(usize, usize)>>,
}

impl<'a> Numbered<'a> {
    fn new(sample: &'a [Tokenized<'a>]) -> Self {
        let mut all = Self {
            numbers: BTreeMap::new(),
            strings: Vec::with_capacity(sample.len()),
            occurrences: Vec::new(),
        };
        for (string, own) in sample.iter().enumerate() {
            let mut numbers = Vec::with_capacity(own.tokens.len());
            for at in 0..own.tokens.len() {
                let next = all.occurrences.len();
                let number = *all.numbers.entry(own.token(at)).or_insert(next);
                if number == next {
                    all.occurrences.push(Vec::new());
                }
                all.occurrences[number].push((string, at));
                numbers.push(number);
            }
            all.strings.push(numbers);
        }
        all
    }

    /// The numbers of a text's tokens; `None` where no string has one of them.
    fn of(&self, own: &Tokenized<'_>) -> Option<Vec<usize>> {
        (0..own.tokens.len()).map(|at| self.numbers.get(own.token(at)).copied()).collect()
    }
}

/// Strings longer than this are prose: their words are no template.
const MAX_TOKENS: usize = 60;

/// A text that this share of a group's strings consists of is a constant.
const CONSTANT: f64 = 0.5;

/// Members of a sorted list at even distances.
fn spread<T: Copy>(all: &[T], count: usize) -> Vec<T> {
    if all.len() <= count {
        return all.to_vec();
    }
    (0..count).map(|at| all[at * all.len() / count]).collect()
}

/// The high-frequency texts of a group of strings with their features, sorted by text.
pub(crate) fn text_samples(strings: &[&str]) -> Vec<TextSample> {
    if strings.len() < MIN_STRINGS {
        return Vec::new();
    }
    let mut sorted: Vec<&str> = strings.to_vec();
    sorted.sort_unstable();
    let sample: Vec<Tokenized<'_>> = spread(&sorted, VOTING_STRINGS)
        .into_iter()
        .map(|text| Tokenized { text, tokens: tokens(text) })
        .filter(|string| !string.tokens.is_empty() && string.tokens.len() <= MAX_TOKENS)
        .collect();
    if sample.len() < MIN_STRINGS {
        return Vec::new();
    }
    let mut distinct = sorted;
    distinct.dedup();
    let distinct = distinct.len() as f64 / strings.len() as f64;
    let seeds: Vec<usize> = spread(&(0..sample.len()).collect::<Vec<usize>>(), SEED_STRINGS);
    let numbered = Numbered::new(&sample);
    let mut texts: Vec<String> = Vec::new();
    for seed in seeds {
        texts.extend(frequent(&sample, &numbered, seed));
    }
    texts.sort();
    texts.dedup();
    let samples = texts.into_iter().map(|text| features(text, &sample, &numbered, distinct));
    // A text that is the whole string of most is a constant value or a label, not a separator.
    samples.filter(|sample| sample.features[PAPER_FEATURES + 1] < CONSTANT).collect()
}

/// The longest runs of tokens of a seed that get enough votes.
fn frequent(sample: &[Tokenized<'_>], numbered: &Numbered<'_>, seed: usize) -> Vec<String> {
    let own = &sample[seed];
    let enough = MIN_VOTE_SHARE * (sample.len() - 1) as f64;
    let votes = (0..own.tokens.len()).map(|at| {
        let place = own.place(at);
        let occurrences = &numbered.occurrences[numbered.strings[seed][at]];
        let mut weight = 0.0;
        for same in occurrences.chunk_by(|one, other| one.0 == other.0) {
            let number = same[0].0;
            if number == seed {
                continue;
            }
            // A string votes once for a token: with its nearest one.
            let nearest = same
                .iter()
                .map(|&(_, at)| 1.0 - (place - sample[number].place(at)).abs())
                .fold(0.0, f64::max);
            weight += nearest;
        }
        weight
    });
    let frequent: Vec<bool> = votes.map(|weight| weight > enough).collect();
    let mut texts = Vec::new();
    let mut at = 0;
    while at < frequent.len() {
        let end = at + frequent[at..].iter().take_while(|&&is| is).count();
        if end > at {
            texts.push(own.text[own.tokens[at].start..own.tokens[end - 1].end].to_owned());
        }
        at = end + 1;
    }
    texts
}

fn features(
    text: String,
    sample: &[Tokenized<'_>],
    numbered: &Numbered<'_>,
    distinct: f64,
) -> TextSample {
    let own = Tokenized { text: &text, tokens: tokens(&text) };
    let sequence = numbered.of(&own).expect("the text is a part of a string of the sample");
    let (mut number, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
    let mut alone = 0.0;
    let (mut typed_before, mut typed_behind, mut length) = (0.0, 0.0, 0.0);
    let typed = |text: &str| f64::from(u8::from(value::kind(text.trim()) != ValueKind::Text));
    for (string, numbers) in sample.iter().zip(&numbered.strings) {
        let found = find(numbers, &sequence);
        number.push(found.len() as f64);
        let count = string.tokens.len() as f64;
        if let (Some(&first), Some(&last)) = (found.first(), found.last()) {
            left.push(first as f64 / count);
            right.push((string.tokens.len() - last - sequence.len()) as f64 / count);
            alone += f64::from(u8::from(sequence.len() == string.tokens.len()));
            typed_before += typed(&string.text[..string.tokens[first].start]);
            typed_behind += typed(&string.text[string.tokens[first + sequence.len() - 1].end..]);
            length += count.ln();
        }
    }
    let has = left.len() as f64 / sample.len() as f64;
    let features = [
        average(&number),
        deviation(&number),
        average(&left),
        deviation(&left),
        average(&right),
        deviation(&right),
        NEUTRAL_PRIOR,
        has,
        alone / sample.len() as f64,
        f64::from(u8::from(text.chars().any(char::is_alphabetic))),
        f64::from(u8::from(text.ends_with(':'))),
        sequence.len() as f64,
        distinct,
        typed_before / left.len().max(1) as f64,
        typed_behind / left.len().max(1) as f64,
        length / left.len().max(1) as f64,
    ];
    TextSample { text, features }
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = average(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / values.len().max(1) as f64).sqrt()
}

/// The prior probability of a text: the highest of its tokens' (paper §4.3.2).
pub(crate) fn prior(text: &str, detector: &Detector) -> f64 {
    let known = tokens(text);
    let known = known.into_iter().filter_map(|token| detector.prior(&text[token].to_lowercase()));
    known
        .fold(None, |most: Option<f64>, prior| Some(most.map_or(prior, |most| most.max(prior))))
        .unwrap_or(NEUTRAL_PRIOR)
}

/// A text parts strings only if the detector is this sure. A unit parted by mistake is lost in every record, and at the
/// paper's 0.5 running text with a common word was parted on two of 72 labelled sites; at 0.8 and at 0.9 on none.
const SURE: f64 = 0.8;
/// A text nearer to the beginning or end of strings than this, on average, is at their edge.
const EDGE: f64 = 0.05;

/// Whether a text stands between values. At the edge it names the one value that there is: `by Ann` stays one unit, as
/// people read and copy it (the paper gives such texts to the template string beside them, §4.3.3).
fn parts_values(sample: &TextSample) -> bool {
    sample.features[2] >= EDGE && sample.features[4] >= EDGE
}

/// The texts that part values and that the detector takes for template, longest first.
pub(crate) fn template_texts(samples: &[TextSample], detector: &Detector) -> Vec<String> {
    let inputs = detector.network.means.len();
    let judge = |sample: &&TextSample| {
        if !parts_values(sample) {
            return false;
        }
        let mut features = sample.features;
        features[PAPER_FEATURES - 1] = prior(&sample.text, detector);
        detector.network.output(&features[..inputs.min(features.len())]) > SURE
    };
    let mut texts: Vec<String> =
        samples.iter().filter(judge).map(|sample| sample.text.clone()).collect();
    texts.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    texts
}

/// A part of a string: the number of the template text before it, see [`text_before`], and its range.
pub(crate) type Segment = (usize, Range<usize>);

/// The template text that a segment's number stands for, and how many of the same come before it.
pub(crate) fn text_before(number: usize, texts: &[String]) -> (&str, usize) {
    match number.checked_sub(1) {
        Some(at) if !texts.is_empty() => (&texts[at % texts.len()], at / texts.len()),
        _ => ("", 0),
    }
}

/// Marks that part values when they stand between spaces.
const MARKS: [&str; 3] = ["|", "·", "•"];
/// This share of the strings has the same number of marks, or they are no separators.
const SAME_NUMBER: f64 = 0.95;

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_digit()) || value::kind(text) != ValueKind::Text
}

/// The mark that parts the strings of a group into values that each differ from record to record. `typed` is the number
/// of strings that are a number, date, price or link as they stand.
pub(crate) fn separator(strings: &[&str], typed: usize) -> Option<&'static str> {
    if strings.len() < MIN_STRINGS || 2 * typed > strings.len() {
        return None;
    }
    MARKS.into_iter().find(|mark| {
        let around = format!(" {mark} ");
        let count = strings[strings.len() / 2].split(around.as_str()).count();
        if count < 2 {
            return false;
        }
        let parts: Vec<Vec<&str>> =
            strings.iter().map(|text| text.split(around.as_str()).collect()).collect();
        let same: Vec<&Vec<&str>> = parts.iter().filter(|parts| parts.len() == count).collect();
        let varies = |at: usize| same.iter().any(|parts| parts[at] != same[0][at]);
        // A date and a time of day are one value, whatever stands between them.
        let is_numeric = |at: usize| {
            let numeric = same.iter().filter(|parts| begins_with_digit(parts[at])).count();
            2 * numeric > same.len()
        };
        !(0..count).all(is_numeric)
            && same.len() as f64 >= SAME_NUMBER * parts.len() as f64
            && (0..count).all(varies)
    })
}

/// Parts a string at template texts; a segment's number says which one is before it, 0 at the beginning. Segments without a letter, digit or symbol of money are punctuation and left out.
pub(crate) fn segments(text: &str, texts: &[String]) -> Vec<Segment> {
    if texts.is_empty() {
        return vec![(0, 0..text.len())];
    }
    let own = Tokenized { text, tokens: tokens(text) };
    let own_tokens: Vec<&str> = (0..own.tokens.len()).map(|at| own.token(at)).collect();
    // For each token the template text that begins there, longest first, never overlapping.
    let mut taken = vec![false; own.tokens.len()];
    let mut cuts: Vec<(usize, usize, usize)> = Vec::new();
    for (number, template) in texts.iter().enumerate() {
        let parts = tokens(template);
        let sequence: Vec<&str> = parts.iter().map(|part| &template[part.clone()]).collect();
        for at in find(&own_tokens, &sequence) {
            let range = at..at + sequence.len();
            if !taken[range.clone()].iter().any(|&taken| taken) {
                taken[range.clone()].fill(true);
                cuts.push((range.start, range.end, number + 1));
            }
        }
    }
    cuts.sort_unstable();
    let mut seen = vec![0; texts.len()];
    for (_, _, number) in &mut cuts {
        let text = *number - 1;
        *number += seen[text] * texts.len();
        seen[text] += 1;
    }
    cuts.push((own.tokens.len(), own.tokens.len(), 0));
    let mut segments = Vec::new();
    let (mut from, mut after) = (0, 0);
    for (start, end, number) in cuts {
        if start > from {
            let range = own.tokens[from].start..own.tokens[start - 1].end;
            if text[range.clone()].chars().any(|char| char.is_alphanumeric() || !char.is_ascii()) {
                segments.push((after, range));
            }
        }
        (from, after) = (end, number);
    }
    segments
}
