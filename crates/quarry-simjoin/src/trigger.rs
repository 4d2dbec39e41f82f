//! Which values must be looked at, given how much of each seed word a string contains?
//!
//! With the shares and the y(w) of `attribute.rs`, cos(u, v) = Σ share(u, w) · y(w).
//!
//! *Pigeonhole.* Choose bars with Σ share(u, w) · bar(u, w) = 1. If y(w) < θ · bar(u, w) for all words
//! of u, then cos < θ. So the values of a word are looked at only when it passes the least of its bars.
//!
//! *Common words* are in too many values to be triggers, and numbers have nothing in common with
//! letters. When a string holds little of all common words, x(w) ≤ V · θ · cap, or nothing of numbers,
//! the other words must make up for it, and have higher bars. A `Plan` is the set of bars for such a
//! promise about the string.
//!
//! *Glance.* The values of a word stand side by side, each with its two other weightiest words, so that
//! most of them are ruled out without leaving the list.

use crate::attribute::Part;
use crate::csr::Rows;

/// A word is common if more than this part of the values contain it: few enough words to look at all
/// of them for every string.
const COMMON: f64 = 1.0 / 200.0;

/// Promises about common words: the largest x(w) / (V · θ). The last is no promise. A word of eight
/// grams that the string contains has 4 in a string of two words, at θ = 0.5.
const CAPS: [f32; 10] = [0.4, 0.7, 1.0, 1.3, 1.6, 2.0, 2.5, 3.0, 4.0, f32::INFINITY];

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

/// Is a word in so many values that it is common?
pub(crate) fn is_common(values: u32, of: usize) -> bool {
    f64::from(values) > (of as f64 * COMMON).max(8.0)
}

/// A value of a word, with what is needed to rule it out. Factors are those of `attribute.rs`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glance {
    pub(crate) value: u32,
    /// The factor of the word itself.
    pub(crate) own: f32,
    /// The two weightiest other words that are not common, and their factors.
    pub(crate) others: [(u32, f32); 2],
    /// The sum of the factors of further words.
    pub(crate) rest: f32,
    /// The sum of the factors of further common words.
    pub(crate) common: f32,
}

#[derive(Debug)]
pub(crate) struct Plan {
    /// Common words have at most this x / (V · θ).
    pub(crate) cap: f32,
    /// May numbers have an x above 0?
    pub(crate) numbers: bool,
    /// By word: the least bar × √grams, that is the x / (V · θ) from which there is something to do.
    pub(crate) least: Vec<f32>,
    /// Values whose common words alone could be enough: glanced at in any case.
    pub(crate) always: Vec<Glance>,
}

/// What the plans are made of: the words of each value, and class, √grams and number of values of each
/// word.
pub(crate) struct Words<'a> {
    pub(crate) parts: &'a Rows<Part>,
    pub(crate) class: &'a [Class],
    pub(crate) root: &'a [f64],
    pub(crate) values: &'a [u32],
}

impl Words<'_> {
    fn is_common(&self, part: &Part) -> bool {
        self.class[part.word as usize] == Class::Common
    }

    /// The values of each word.
    pub(crate) fn glances(&self) -> Rows<Glance> {
        let mut pairs = Vec::new();
        for value in 0..self.parts.len() as u32 {
            let parts = self.parts.row(value);
            for part in parts {
                let mut glance = Glance {
                    value,
                    own: part.factor,
                    others: [(0, 0.0); 2],
                    rest: 0.0,
                    common: 0.0,
                };
                let mut others: Vec<&Part> =
                    parts.iter().filter(|p| p.word != part.word && !self.is_common(p)).collect();
                others.sort_by(|a, b| b.factor.total_cmp(&a.factor).then(a.word.cmp(&b.word)));
                for (place, other) in glance.others.iter_mut().zip(&others) {
                    *place = (other.word, other.factor);
                }
                glance.rest = others.iter().skip(2).map(|other| other.factor).sum();
                let common = parts.iter().filter(|p| p.word != part.word && self.is_common(p));
                glance.common = common.map(|other| other.factor).sum();
                pairs.push((part.word, glance));
            }
        }
        Rows::grouped(self.class.len(), &pairs)
    }

    /// The plans, those with the strongest promises first.
    pub(crate) fn plans(&self) -> Vec<Plan> {
        let has_numbers = self.class.contains(&Class::Number);
        let numbers = if has_numbers { vec![false, true] } else { vec![false] };
        let kinds = CAPS.iter().flat_map(|cap| numbers.iter().map(move |numbers| (*cap, *numbers)));
        kinds.map(|(cap, numbers)| self.plan(cap, numbers)).collect()
    }

    fn plan(&self, cap: f32, numbers: bool) -> Plan {
        let active = |part: &&Part| match self.class[part.word as usize] {
            Class::Common => cap.is_infinite(),
            Class::Number => numbers,
            Class::Other => true,
        };
        let share = |part: &Part| f64::from(part.factor) * self.root[part.word as usize];
        let price: Vec<f64> = self.values.iter().map(|n| f64::from(*n).powf(PRICE)).collect();
        let mut least = vec![f32::INFINITY; self.class.len()];
        let mut always = Vec::new();
        for value in 0..self.parts.len() as u32 {
            let parts = self.parts.row(value);
            let mut budget = 1.0;
            if cap.is_finite() {
                let common = parts.iter().filter(|part| self.is_common(part));
                budget -= f64::from(cap) * common.map(|part| f64::from(part.factor)).sum::<f64>();
            }
            if budget <= 0.0 {
                always.push(weightiest(value, parts));
                continue;
            }
            let weight = |part: &Part| share(part).powi(2) * price[part.word as usize];
            let sum: f64 = parts.iter().filter(active).map(weight).sum();
            for part in parts.iter().filter(active) {
                let word = part.word as usize;
                let bar = share(part) * price[word] / sum * budget;
                least[word] = least[word].min((bar * self.root[word]) as f32);
            }
        }
        Plan { cap, numbers, least, always }
    }
}

/// A glance at a value by its two weightiest words, common or not; the others are in `rest`.
fn weightiest(value: u32, parts: &[Part]) -> Glance {
    let mut order: Vec<&Part> = parts.iter().collect();
    order.sort_by(|a, b| b.factor.total_cmp(&a.factor).then(a.word.cmp(&b.word)));
    let mut glance = Glance { value, own: 0.0, others: [(0, 0.0); 2], rest: 0.0, common: 0.0 };
    for (place, part) in glance.others.iter_mut().zip(&order) {
        *place = (part.word, part.factor);
    }
    glance.rest = order.iter().skip(2).map(|part| part.factor).sum();
    glance
}
