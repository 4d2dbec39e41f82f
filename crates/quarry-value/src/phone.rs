//! Recognises telephone numbers.

use crate::scan::{Class, Cursor};

/// Digits of a number with its country (ITU-T E.164 allows 15).
const INTERNATIONAL: std::ops::RangeInclusive<usize> = 8..=15;
/// Digits of a number within a country, its trunk zero included.
const NATIONAL: std::ops::RangeInclusive<usize> = 9..=12;

/// Whether the text is a telephone number and nothing else: `+49 30 1234567`, `(212) 555-0100`, `212-555-0100`,
/// `030/1234567`, `01 23 45 67 89`.
pub(super) fn is_phone(mut at: Cursor<'_, '_>) -> bool {
    let plus = at.eat_mark(&['+']).is_some();
    let bracket = at.peek().is_some_and(|token| token.class == Class::Mark('('));
    let mut lengths = [0_usize; 8];
    let mut groups = 0;
    let mut digits = 0;
    let mut trunk_zero = false;
    let mut mark = None;
    while let Some(token) = at.peek() {
        match token.class {
            Class::Digits => {
                let Some(length) = lengths.get_mut(groups) else { return false };
                *length = token.text.len();
                trunk_zero |= groups == 0 && token.text.starts_with('0');
                digits += token.text.len();
                groups += 1;
            }
            Class::Space | Class::Mark('(' | ')') => {}
            Class::Mark(c @ ('-' | '.' | '/' | '–')) => mark = mark.or(Some(c)),
            _ => return false,
        }
        at.skip(1);
    }
    let american =
        matches!(&lengths[..groups], [3, 3, 4] | [1, 3, 3, 4]) && (bracket || mark.is_some());
    let national = trunk_zero && groups > 1 && NATIONAL.contains(&digits);
    plus && INTERNATIONAL.contains(&digits) || american || national
}

/// The digits of a telephone number, with a plus sign in front if it has one.
pub(super) fn dialled(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect()
}
