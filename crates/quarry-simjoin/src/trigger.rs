//! Finds the values that must be looked at, given how much of each seed word a string contains.
//!
//! With the shares and the y(w) of `attribute.rs`, cos(u, v) = Σ share(u, w) · y(w).
//!
//! *Pigeonhole.* Let F be the sum of a value's factors. If x(w) / (V · θ) < 1 / F for all its words,
//! then cos < θ. So the values of a word are looked at only when it passes the least of its bars 1 / F,
//! and a value need only pass at the word with the largest x.
//!
//! *Promises.* Common words are in too many values to be triggers, numbers have nothing in common with
//! letters, and a long string resembles only values with many grams. When a string holds little of all
//! common words, x(w) ≤ V · θ · cap, or nothing of numbers, the other words must make up for it, and have
//! higher bars. A `Plan` is the set of bars for such promises about the string. Values of which common
//! words could make up a large part are found by these.
//!
//! *Outline and glance.* The values of a word stand side by side, first with sums of their factors, then
//! each with its three other weightiest words, so that most of them are ruled out without leaving the list.

use crate::attribute::Part;
use crate::csr::Rows;

/// A word is common if more than this part of the values contain it: few enough words to look at all
/// of them for every string.
const COMMON: f64 = 1.0 / 200.0;

/// Promises about common words: the largest x(w) / (V · θ). The last is no promise. A word of eight
/// grams that the string contains has 4 in a string of two words, at θ = 0.5.
const CAPS: [f32; 6] = [0.5, 1.0, 1.5, 2.0, 3.0, f32::INFINITY];

/// Promises about the values in question: the least number of grams.
const SIZES: [usize; 5] = [40, 32, 24, 16, 0];

/// Where common words add up to this part of the threshold or more, they are triggers themselves. Up to
/// it, the other words must make up for the rest.
pub(crate) const HEAVY: f32 = 0.6;

/// Words that are compared with their bars at once.
pub(crate) const BLOCK: usize = 32;

/// The words of an attribute stand in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Common,
    Number,
    Other,
}

/// Is a word in so many values that it is common?
pub(crate) fn is_common(values: u32, of: usize) -> bool {
    f64::from(values) > (of as f64 * COMMON).max(8.0)
}

/// A value of a word, with what is needed to rule it out. Factors are those of `attribute.rs`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glance {
    pub(crate) value: u32,
    /// The three weightiest other words, and their factors.
    pub(crate) others: [(u32, f32); 3],
    /// The sums of the factors of further words, by class.
    pub(crate) rest: [f32; 3],
}

/// The factors of a value of a word in short: of the word itself, and the sums of the other words'.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline {
    pub(crate) own: f32,
    pub(crate) common: f32,
    pub(crate) numbers: f32,
    pub(crate) others: f32,
}

#[derive(Debug)]
pub(crate) struct Plan {
    /// Values with fewer grams are out of the question.
    pub(crate) size: usize,
    /// Common words have at most this x / (V · θ).
    pub(crate) cap: f32,
    /// May numbers have an x above 0?
    pub(crate) numbers: bool,
    /// By word that is not common: the x / (V · θ) from which there is something to do.
    pub(crate) least: Vec<f32>,
    /// The smallest of them in each block of words.
    pub(crate) least_of_block: Vec<f32>,
}

/// What the plans are made of: the words of each value, and the class of each word.
pub(crate) struct Words<'a> {
    pub(crate) parts: &'a Rows<Part>,
    pub(crate) class: &'a [Class],
    pub(crate) grams: &'a [usize],
}

impl Words<'_> {
    fn class(&self, part: &Part) -> Class {
        self.class[part.word as usize]
    }

    /// The values of each word, in outline and with their weightiest words. Those of a common word come
    /// in the order of what common words can add, most first.
    pub(crate) fn values(&self) -> (Rows<Outline>, Rows<Glance>) {
        let mut pairs = Vec::new();
        for value in 0..self.parts.len() as u32 {
            let parts = self.parts.row(value);
            let mut order: Vec<&Part> = parts.iter().collect();
            order.sort_by(|a, b| b.factor.total_cmp(&a.factor).then(a.word.cmp(&b.word)));
            for part in parts {
                let of = |class: Class| -> f32 {
                    let same = |p: &&Part| p.word != part.word && self.class(p) == class;
                    parts.iter().filter(same).map(|other| other.factor).sum()
                };
                let outline = Outline {
                    own: part.factor,
                    common: of(Class::Common),
                    numbers: of(Class::Number),
                    others: of(Class::Other),
                };
                let mut glance = Glance { value, others: [(0, 0.0); 3], rest: [0.0; 3] };
                let others = order.iter().filter(|other| other.word != part.word);
                for (at, other) in others.enumerate() {
                    match glance.others.get_mut(at) {
                        Some(place) => *place = (other.word, other.factor),
                        None => glance.rest[self.class(other) as usize] += other.factor,
                    }
                }
                pairs.push((part.word, (outline, glance)));
            }
        }
        let common = |word: u32| self.class[word as usize] == Class::Common;
        let reach = |outline: &Outline| outline.own + outline.common;
        pairs.sort_by(|(a, (x, _)), (b, (y, _))| {
            let order = a.cmp(b);
            if common(*a) { order.then(reach(y).total_cmp(&reach(x))) } else { order }
        });
        let outlines: Vec<_> = pairs.iter().map(|(word, (outline, _))| (*word, *outline)).collect();
        let glances: Vec<_> = pairs.iter().map(|(word, (_, glance))| (*word, *glance)).collect();
        let words = self.class.len();
        (Rows::grouped(words, &outlines), Rows::grouped(words, &glances))
    }

    /// The plans, those with the strongest promises first.
    pub(crate) fn plans(&self) -> Vec<Plan> {
        let has_numbers = self.class.contains(&Class::Number);
        let numbers = if has_numbers { vec![false, true] } else { vec![false] };
        let kinds = CAPS.iter().flat_map(|cap| numbers.iter().map(move |numbers| (*cap, *numbers)));
        let kinds: Vec<(f32, bool)> = kinds.collect();
        let plans = SIZES.iter().flat_map(|size| {
            kinds.iter().map(move |(cap, numbers)| self.plan(*size, *cap, *numbers))
        });
        plans.collect()
    }

    fn plan(&self, size: usize, cap: f32, numbers: bool) -> Plan {
        let mut least = vec![f32::INFINITY; self.class.len()];
        for value in 0..self.parts.len() as u32 {
            let parts = self.parts.row(value);
            if parts.iter().map(|part| self.grams[part.word as usize]).sum::<usize>() < size {
                continue;
            }
            let sum = |of: &dyn Fn(Class) -> bool| -> f32 {
                parts.iter().filter(|part| of(self.class(part))).map(|part| part.factor).sum()
            };
            let common = sum(&|class| class == Class::Common);
            let budget = if common > 0.0 { 1.0 - (common * cap).min(HEAVY) } else { 1.0 };
            let active = |class| class == Class::Other || class == Class::Number && numbers;
            let bar = budget / sum(&active);
            for part in parts.iter().filter(|part| active(self.class(part))) {
                let least = &mut least[part.word as usize];
                *least = least.min(bar);
            }
        }
        let least_of_block =
            least.chunks(BLOCK).map(|block| block.iter().copied().fold(f32::INFINITY, f32::min));
        Plan { size, cap, numbers, least_of_block: least_of_block.collect(), least }
    }
}
