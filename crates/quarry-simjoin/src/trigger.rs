//! Which values must be looked at, given how much of each seed word a string contains?
//!
//! With the shares and the y(w) of `attribute.rs`, cos(u, v) = Σ share(u, w) · y(w).
//!
//! *Pigeonhole.* Choose bars with Σ share(u, w) · bar(u, w) = 1. If y(w) < θ · bar(u, w) for all words
//! of u, then cos < θ. So u is looked at only when one of its words passes its bar, and the values of a
//! word are listed by rising bar.
//!
//! *Common words* are in too many values to be triggers, and numbers have nothing in common with
//! letters. When a string holds little of all common words, y(w) ≤ θ · cap, or nothing of numbers, the
//! other words must make up for it, and have higher bars. A `Plan` is the set of bars for such a
//! promise about the string.

use crate::attribute::Part;
use crate::csr::Rows;

/// A word is common if this part of the values contain it: few enough words to look at all of them.
const COMMON: f64 = 1.0 / 200.0;

/// Promises about common words: the largest y(w) / θ. The last is no promise.
const CAPS: [f32; 4] = [0.3, 0.6, 1.0, f32::INFINITY];

/// A frequent word is dearer as a trigger: its bar rises with this power of the number of values that
/// contain it.
const PRICE: f64 = 0.15;

/// The words of an attribute stand in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Common,
    Number,
    Other,
}

/// In how many values is a word common?
pub(crate) fn is_common(values: u32, of: usize) -> bool {
    f64::from(values) > (of as f64 * COMMON).max(8.0)
}

/// Entry of a word's list: a value, and the y / θ from which it must be looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trigger {
    pub(crate) bar: f32,
    pub(crate) value: u32,
}

#[derive(Debug)]
pub(crate) struct Plan {
    /// Common words have at most this y / θ.
    pub(crate) cap: f32,
    /// Do numbers have a y above 0?
    pub(crate) numbers: bool,
    /// By word: the least bar × √grams, that is x / (V · θ) from which there is something to do.
    pub(crate) least: Vec<f32>,
    pub(crate) triggers: Rows<Trigger>,
    /// Values that are looked at in any case.
    pub(crate) always: Vec<u32>,
}

/// What the plans are made of: the words of each value, and class, √grams and number of values of each
/// word.
pub(crate) struct Words<'a> {
    pub(crate) parts: &'a Rows<Part>,
    pub(crate) class: &'a [Class],
    pub(crate) root: &'a [f64],
    pub(crate) values: &'a [u32],
}

/// The plans, those with the strongest promises first.
pub(crate) fn plans(words: &Words<'_>) -> Vec<Plan> {
    let has_numbers = words.class.contains(&Class::Number);
    let numbers = if has_numbers { vec![false, true] } else { vec![false] };
    let kinds = CAPS.iter().flat_map(|cap| numbers.iter().map(move |numbers| (*cap, *numbers)));
    kinds.map(|(cap, numbers)| plan(words, cap, numbers)).collect()
}

fn plan(words: &Words<'_>, cap: f32, numbers: bool) -> Plan {
    let count = words.class.len();
    let active = |part: &&Part| match words.class[part.word as usize] {
        Class::Common => cap.is_infinite(),
        Class::Number => numbers,
        Class::Other => true,
    };
    let share = |part: &Part| f64::from(part.factor) * words.root[part.word as usize];
    let price = |part: &Part| f64::from(words.values[part.word as usize]).powf(PRICE);
    let mut pairs = Vec::new();
    let mut always = Vec::new();
    for value in 0..words.parts.len() as u32 {
        let parts = words.parts.row(value);
        let mut budget = 1.0;
        if cap.is_finite() {
            let common = |part: &&Part| words.class[part.word as usize] == Class::Common;
            budget -= f64::from(cap) * parts.iter().filter(common).map(share).sum::<f64>();
        }
        if budget <= 0.0 {
            always.push(value);
            continue;
        }
        let sum: f64 =
            parts.iter().filter(active).map(|part| share(part).powi(2) * price(part)).sum();
        for part in parts.iter().filter(active) {
            let bar = (share(part) * price(part) / sum * budget) as f32;
            pairs.push((part.word, Trigger { bar, value }));
        }
    }
    let mut triggers = Rows::grouped(count, &pairs);
    triggers.sort_rows_by(|a, b| a.bar.total_cmp(&b.bar).then(a.value.cmp(&b.value)));
    let least = (0..count as u32)
        .map(|word| {
            let first = triggers.row(word).first();
            first.map_or(f32::INFINITY, |first| first.bar * words.root[word as usize] as f32)
        })
        .collect();
    Plan { cap, numbers, least, triggers, always }
}
