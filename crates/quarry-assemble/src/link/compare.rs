//! How alike are the values that two entities have in a column, and how alike are their names?

use quarry_simjoin::jaccard;

use super::input::SiteColumnId;
use super::prepare::{Class, CompactValue, DIGIT, Prepared, QUALIFIER, ValueNo};

/// Values of one entity in one column that are compared; more are seldom all printed elsewhere.
const MAX_VALUES: usize = 8;
/// Two numbers of different units: both are printed with about three digits.
const OTHER_UNIT: f64 = 5e-3;
/// Two numbers of one unit that differ by less than this share are equal: noise of binary fractions.
const SAME_UNIT: f64 = 1e-6;
/// Numbers that differ by less than this share neither agree nor disagree: sites round and measure differently.
const NEAR: f64 = 0.03;
/// Whole numbers without a unit that may be years: the next year is another year.
const YEARS: std::ops::RangeInclusive<f64> = 1500.0..=2100.0;
/// From this likeness on values agree; below the second they disagree. Between, they say nothing.
pub(super) const AGREE: f64 = 0.6;
pub(super) const DIFFER: f64 = 0.35;

/// How alike two sets of values are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Likeness {
    /// From 0 to 1.
    pub(super) share: f64,
    /// The rarest key that both have, if they share one.
    pub(super) key: Option<u32>,
}

/// Compares the values of two entities in columns that may be one.
pub(super) fn compare_values(
    prepared: &Prepared,
    a: &[(SiteColumnId, ValueNo)],
    b: &[(SiteColumnId, ValueNo)],
) -> Likeness {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let (few, many) = (&few[..few.len().min(MAX_VALUES)], &many[..many.len().min(MAX_VALUES)]);
    let mut sum = 0.0;
    let mut key: Option<u32> = None;
    for (_, own) in few {
        let mut best: f64 = 0.0;
        for (_, other) in many {
            let (left, right) =
                (prepared.compact[own.0 as usize], prepared.compact[other.0 as usize]);
            if left.key != 0 && left.key == right.key {
                best = 1.0;
                let entities = |key: u32| prepared.key_entities[key as usize];
                if key.is_none_or(|known| entities(left.key) < entities(known)) {
                    key = Some(left.key);
                }
                break;
            }
            best = best.max(alike(prepared, *own, left, *other, right));
        }
        sum += best;
    }
    Likeness { share: sum / few.len().max(1) as f64, key }
}

/// How alike two values are that are not the same.
fn alike(
    prepared: &Prepared,
    a: ValueNo,
    left: CompactValue,
    b: ValueNo,
    right: CompactValue,
) -> f64 {
    use Class::{Boolean, Code, Date, Link, Number, Phone, Price};
    if left.key == 0 || right.key == 0 {
        return 0.0;
    }
    match (left.class, right.class) {
        (Number | Price, Number | Price) => numbers(left, right),
        (Date, Date) => dates(left.number, right.number),
        (Date, Number) => year_of(left.number, right.number),
        (Number, Date) => year_of(right.number, left.number),
        (Code, Code) | (Phone, Phone) | (Boolean, Boolean) | (Link, Link) => 0.0,
        _ => words_alike(prepared, prepared.value_words.row(a.0), prepared.value_words.row(b.0)),
    }
}

fn numbers(left: CompactValue, right: CompactValue) -> f64 {
    if left.base != 0 && right.base != 0 && left.base != right.base {
        return 0.0;
    }
    let (a, b) = (left.number, right.number);
    let difference = (a - b).abs() / a.abs().max(b.abs()).max(f64::MIN_POSITIVE);
    let allowed = if left.unit == right.unit { SAME_UNIT } else { OTHER_UNIT };
    let is_year = left.unit == 0 && right.unit == 0 && YEARS.contains(&a) && a.fract() == 0.0;
    if difference <= allowed {
        1.0
    } else if difference <= NEAR && !is_year {
        0.5
    } else {
        0.0
    }
}

/// What one of the dates leaves open does not part them.
fn dates(a: f64, b: f64) -> f64 {
    let parts = |date: f64| {
        let date = date as u32;
        (date / 10_000, date / 100 % 100, date % 100)
    };
    let ((year, month, day), (other_year, other_month, other_day)) = (parts(a), parts(b));
    let open = |a: u32, b: u32| a == 0 || b == 0 || a == b;
    if !open(year, other_year) {
        return 0.0;
    }
    match (open(month, other_month), open(day, other_day)) {
        (true, true) => 1.0,
        (true, false) => 0.5,
        _ => 0.3,
    }
}

fn year_of(date: f64, year: f64) -> f64 {
    if (date / 10_000.0).floor() == year { 0.9 } else { 0.0 }
}

/// Shared words by weight: the mean of their share of the shorter text and of both.
fn words_alike(prepared: &Prepared, a: &[u32], b: &[u32]) -> f64 {
    let weight = |words: &[u32]| words.iter().map(|word| prepared.value_weight(*word)).sum::<f64>();
    let (mut shared, mut at) = (0.0, 0);
    for word in a {
        while at < b.len() && b[at] < *word {
            at += 1;
        }
        if b.get(at) == Some(word) {
            shared += prepared.value_weight(*word);
        }
    }
    if shared == 0.0 {
        return 0.0;
    }
    let (own, other) = (weight(a), weight(b));
    0.5 * (shared / own.min(other) + 2.0 * shared / (own + other))
}

/// Words of a name without a counterpart that are compared letter by letter.
const MAX_LEFT: usize = 8;
/// Likeness of the letters of two words that may be one, misspelt.
const SPELLING: f64 = 0.4;
/// Credit for an abbreviated word, and for an initial.
const ABBREVIATION: f64 = 0.7;
const INITIAL: f64 = 0.4;

/// How alike two names are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct NameLikeness {
    /// Cosine of the weights of the words; misspelt and abbreviated words count in part.
    pub(super) cosine: f64,
    /// Shared weight as a share of the shorter name.
    pub(super) contained: f64,
    /// Whether the words outside of brackets are the same.
    pub(super) is_equal: bool,
    /// How rare the shared words are; 1: as rare as two words that stand nowhere else.
    pub(super) rarity: f64,
    /// Whether both names have a number that the other has not.
    pub(super) numbers_differ: bool,
    /// Whether both names have a word that the other has not: the smaller weight, as a share of a rare word.
    pub(super) both_differ: f64,
}

/// Compares the names of two entities; none where one has no name.
pub(super) fn compare_names(prepared: &Prepared, a: u32, b: u32) -> Option<NameLikeness> {
    let (left, right) = (prepared.names.row(a), prepared.names.row(b));
    if left.is_empty() || right.is_empty() {
        return None;
    }
    let plain = |word: u32| word & !QUALIFIER;
    let norm = |words: &[u32]| words.iter().map(|w| prepared.name_weight(*w).powi(2)).sum::<f64>();
    let total = |words: &[u32]| words.iter().map(|w| prepared.name_weight(*w)).sum::<f64>();
    let (mut dot, mut shared) = (0.0, 0.0);
    let (mut own, mut other): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        match (left.get(i), right.get(j)) {
            (Some(l), Some(r)) if plain(*l) == plain(*r) => {
                let (x, y) = (prepared.name_weight(*l), prepared.name_weight(*r));
                dot += x * y;
                shared += x.min(y);
                (i, j) = (i + 1, j + 1);
            }
            (Some(l), Some(r)) if plain(*l) < plain(*r) => {
                own.push(*l);
                i += 1;
            }
            (Some(l), None) => {
                own.push(*l);
                i += 1;
            }
            (_, Some(r)) => {
                other.push(*r);
                j += 1;
            }
            (None, None) => break,
        }
    }
    let is_core = |words: &[u32]| words.iter().all(|word| word & QUALIFIER != 0);
    let mut found =
        NameLikeness { is_equal: is_core(&own) && is_core(&other), ..Default::default() };
    if !own.is_empty() && !other.is_empty() {
        let more = match_spelling(prepared, &mut own, &mut other);
        dot += more.0;
        shared += more.1;
        let number = |word: &u32| prepared.letters[plain(*word) as usize] & DIGIT != 0;
        found.numbers_differ = own.iter().any(number) && other.iter().any(number);
        let scale = (1.0 + prepared.entities() as f64).ln();
        found.both_differ = (total(&own).min(total(&other)) / scale).min(2.0);
    }
    let scale = 2.0 * (1.0 + prepared.entities() as f64).ln();
    found.cosine = (dot / (norm(left) * norm(right)).sqrt()).min(1.0);
    found.contained = (shared / total(left).min(total(right))).min(1.0);
    found.rarity = (shared / scale).min(1.5);
    Some(found)
}

/// Pairs words that are spelt alike or abbreviated, takes them out, and returns what they add to the product and to the shared weight.
fn match_spelling(prepared: &Prepared, own: &mut Vec<u32>, other: &mut Vec<u32>) -> (f64, f64) {
    let (mut dot, mut shared) = (0.0, 0.0);
    // Words of other letters are not compared one by one.
    let letters = |word: u32| prepared.letters[(word & !QUALIFIER) as usize];
    let may_match = |a: u32, b: u32| {
        let (a, b) = (letters(a), letters(b));
        (a | b) & DIGIT == 0 && 2 * (a & b).count_ones() >= a.count_ones().min(b.count_ones())
    };
    let any = own.iter().any(|a| other.iter().any(|b| may_match(*a, *b)));
    if own.len() > MAX_LEFT || other.len() > MAX_LEFT || !any {
        return (dot, shared);
    }
    loop {
        let mut best = (0.0, 0, 0);
        for (i, left) in own.iter().enumerate() {
            for (j, right) in other.iter().enumerate() {
                let word = |w: u32| prepared.words.get(w & !QUALIFIER);
                if !may_match(*left, *right) {
                    continue;
                }
                let likeness = spelling(word(*left), word(*right));
                if likeness > best.0 {
                    best = (likeness, i, j);
                }
            }
        }
        let (likeness, i, j) = best;
        if likeness == 0.0 {
            return (dot, shared);
        }
        let (left, right) = (own.remove(i), other.remove(j));
        let (x, y) = (prepared.name_weight(left), prepared.name_weight(right));
        dot += likeness * x * y;
        shared += likeness * x.min(y);
    }
}

/// How likely two different words are one word, written differently.
fn spelling(a: &str, b: &str) -> f64 {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.starts_with(short) {
        return if short.len() >= 3 { ABBREVIATION } else { INITIAL };
    }
    let is_near = short.len() >= 4 && long.len() <= short.len() + 3;
    let likeness = if is_near { jaccard(short, long) } else { 0.0 };
    if likeness >= SPELLING { likeness } else { 0.0 }
}
