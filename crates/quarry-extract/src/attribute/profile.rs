//! What the values of an attribute, or of a column, look like. Length, digits, kind, variety: what
//! is left to go by when a site shares no entity with the seed.

use quarry_value::{self as value, ValueKind};

/// Sums over values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    count: f64,
    words: f64,
    chars: f64,
    digits: f64,
    capitals: f64,
    kinds: [f64; 5],
    /// Different values, as a share of all; lists may have more values than records.
    pub(crate) variety: f64,
}

/// Values that a profile is made of, at most.
const SAMPLE: usize = 400;

impl Profile {
    /// The profile of these values; `different` says how many of `all` differ.
    pub(crate) fn of<'a>(
        values: impl Iterator<Item = &'a str>,
        different: usize,
        all: usize,
    ) -> Self {
        let variety = (different as f64 / all.max(1) as f64).min(1.0);
        let mut profile = Self { variety, ..Self::default() };
        for value in values.take(SAMPLE) {
            profile.count += 1.0;
            let (mut chars, mut digits, mut capitals, mut words) = (0u32, 0u32, 0u32, 0u32);
            let mut in_word = false;
            for char in value.chars() {
                chars += 1;
                digits += u32::from(char.is_numeric());
                let of_word = char.is_alphanumeric();
                words += u32::from(of_word && !in_word);
                capitals +=
                    u32::from(of_word && !in_word && (char.is_uppercase() || char.is_numeric()));
                in_word = of_word;
            }
            profile.words += f64::from(words + 1).ln();
            profile.chars += f64::from(chars + 1).ln();
            profile.digits += f64::from(digits) / f64::from(chars.max(1));
            profile.capitals += f64::from(capitals) / f64::from(words.max(1));
            profile.kinds[number(value::kind(value))] += 1.0;
        }
        profile
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.count.max(1.0)
    }

    /// How far the lengths, shares of digits and shares of capitals are apart.
    pub(crate) fn distances(&self, other: &Self) -> [f64; 3] {
        let apart = |a: f64, b: f64| (self.mean(a) - other.mean(b)).abs();
        let length = apart(self.words, other.words) + apart(self.chars, other.chars);
        [length / 2.0, apart(self.digits, other.digits), apart(self.capitals, other.capitals)]
    }

    /// The share of values of a kind: numbers, dates, prices, links.
    pub(crate) fn typed(&self) -> f64 {
        1.0 - self.mean(self.kinds[0])
    }

    /// The share of values whose kinds are the same: 1 for the same mix of kinds.
    pub(crate) fn kinds_in_common(&self, other: &Self) -> f64 {
        let least = |(a, b): (&f64, &f64)| self.mean(*a).min(other.mean(*b));
        self.kinds.iter().zip(&other.kinds).map(least).sum()
    }
}

fn number(kind: ValueKind) -> usize {
    match kind {
        ValueKind::Text => 0,
        ValueKind::Number => 1,
        ValueKind::Date => 2,
        ValueKind::Price => 3,
        ValueKind::Link => 4,
    }
}
