//! Parses numbers of any locale.
//!
//! `1,226.50`, `1.226,50`, `1 226,50` and `1'226.50` are one number. Two different marks, or one mark
//! in a place where groups of thousands cannot be, settle what they mean. `1,226` alone does not: it
//! has two readings, and a column decides (see `column`).

use crate::scan::{Class, Cursor};

/// Up to this many digits a number is exact in an `f64`; longer runs are codes.
const MAX_DIGITS: usize = 15;
/// Groups in a number: 15 digits in threes, and decimals.
const MAX_GROUPS: usize = 8;
const MINUS: [char; 2] = ['-', '\u{2212}'];

/// What a written number may stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reading {
    /// One value, and the decimal mark if the text shows which it is.
    Certain { value: f64, decimal: Option<char> },
    /// `1,226`: the mark groups thousands or starts decimals.
    Either { grouped: f64, decimal: f64, mark: char },
    /// Digits that are no exact quantity: too many, or with leading zeros.
    Code,
}

impl Reading {
    /// The same digits with a minus before them.
    pub(super) fn negated(self) -> Self {
        match self {
            Reading::Certain { value, decimal } => Reading::Certain { value: -value, decimal },
            Reading::Either { grouped, decimal, mark } => {
                Reading::Either { grouped: -grouped, decimal: -decimal, mark }
            }
            Reading::Code => Reading::Code,
        }
    }

    /// The value, given the decimal mark of the column.
    pub(super) fn value(self, decimal_mark: Option<char>) -> Option<f64> {
        match self {
            Reading::Certain { value, .. } => Some(value),
            Reading::Either { grouped, decimal, mark } => {
                decimal_mark.map(|column| if column == mark { decimal } else { grouped })
            }
            Reading::Code => None,
        }
    }
}

/// Reads a number with an optional sign.
pub(super) fn signed(cursor: &mut Cursor<'_, '_>) -> Option<Reading> {
    let mut at = *cursor;
    let negative = at.eat_mark(&MINUS).is_some();
    if !negative {
        at.eat_mark(&['+', '±']);
    }
    let reading = unsigned(&mut at)?;
    *cursor = at;
    Some(if negative { reading.negated() } else { reading })
}

/// Reads a number without a sign. Dates, versions and addresses (`12.03.2024`, `1.2.3`) are none.
pub(super) fn unsigned(cursor: &mut Cursor<'_, '_>) -> Option<Reading> {
    let mut at = *cursor;
    if at.eat_mark(&['.']).is_some() {
        let digits = at.eat_digits(1..=MAX_DIGITS)?;
        if continues(&at) {
            return None;
        }
        *cursor = at;
        let value = exact(&[digits], digits.len());
        return Some(Reading::Certain { value, decimal: Some('.') });
    }
    let mut groups = [""; MAX_GROUPS];
    let mut marks = ['\0'; MAX_GROUPS];
    groups[0] = at.eat_digits(1..=usize::MAX)?;
    let mut len = 1;
    while len < MAX_GROUPS {
        let (Some(mark), Some(digits)) = (at.peek(), at.ahead(1)) else { break };
        if digits.class != Class::Digits {
            break;
        }
        let mark = match mark.class {
            Class::Mark(c @ (',' | '.' | '\'' | '’')) => c,
            Class::Space if digits.text.len() == 3 && groups[len - 1].len() <= 3 => ' ',
            _ => break,
        };
        // A space never follows a decimal mark: "1.5 200" are two numbers.
        if mark == ' ' && len > 1 && marks[len - 2] != ' ' {
            break;
        }
        groups[len] = digits.text;
        marks[len - 1] = mark;
        len += 1;
        at.skip(2);
    }
    if continues(&at) {
        return None;
    }
    let reading = read(&groups[..len], &marks[..len - 1])?;
    *cursor = at;
    Some(reading)
}

/// Whether digits go on after another mark, as in `10:30` or `1/2`.
fn continues(at: &Cursor<'_, '_>) -> bool {
    let (Some(mark), Some(digits)) = (at.peek(), at.ahead(1)) else { return false };
    digits.class == Class::Digits
        && matches!(mark.class, Class::Mark(':' | '/' | ',' | '.' | '\'' | '’'))
}

fn read(groups: &[&str], marks: &[char]) -> Option<Reading> {
    let digits: usize = groups.iter().map(|group| group.len()).sum();
    let zero_first = groups[0].starts_with('0');
    let Some((&last, before)) = marks.split_last() else {
        if digits > MAX_DIGITS || (zero_first && digits > 1) {
            return Some(Reading::Code);
        }
        return Some(Reading::Certain { value: exact(groups, 0), decimal: None });
    };
    let tail = groups[groups.len() - 1].len();
    let point = |mark: char| matches!(mark, ',' | '.');
    if digits > MAX_DIGITS {
        return None;
    }
    if before.is_empty() {
        if !point(last) {
            let grouped = grouped(groups, last) && !zero_first;
            return grouped.then(|| Reading::Certain { value: exact(groups, 0), decimal: None });
        }
        if grouped(groups, last) && !zero_first {
            return Some(Reading::Either {
                grouped: exact(groups, 0),
                decimal: exact(groups, tail),
                mark: last,
            });
        }
        if zero_first && groups[0].len() > 1 {
            return None;
        }
        return Some(Reading::Certain { value: exact(groups, tail), decimal: Some(last) });
    }
    let mark = before[0];
    if zero_first || before.iter().any(|&m| m != mark) {
        return None;
    }
    if last == mark {
        let decimal = point(mark).then_some(if mark == ',' { '.' } else { ',' });
        return grouped(groups, mark)
            .then(|| Reading::Certain { value: exact(groups, 0), decimal });
    }
    let whole = &groups[..groups.len() - 1];
    (point(last) && grouped(whole, mark))
        .then(|| Reading::Certain { value: exact(groups, tail), decimal: Some(last) })
}

/// Whether these are groups of thousands: in threes, or the Indian way (12,34,567).
fn grouped(groups: &[&str], mark: char) -> bool {
    let Some((last, before)) = groups.split_last() else { return false };
    let Some((first, middle)) = before.split_first() else { return false };
    let threes = first.len() <= 3 && middle.iter().all(|group| group.len() == 3);
    let indian = mark == ',' && first.len() <= 2 && middle.iter().all(|group| group.len() == 2);
    last.len() == 3 && (threes || indian)
}

/// The number of these digits, the last `decimals` of them after the point. Both parts are whole numbers
/// below 2^53, so that the division rounds once, as reading the text would.
fn exact(groups: &[&str], decimals: usize) -> f64 {
    let digits = groups.iter().flat_map(|group| group.bytes());
    let whole = digits.fold(0_u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    whole as f64 / 10_u64.pow(decimals as u32) as f64
}
