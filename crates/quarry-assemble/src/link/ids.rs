//! Which columns hold ids? By the form of their values, check digits and how many are different, not by what the column is called.

use quarry_value::{Meaning, code, parse};

use super::prepare::Class;
use crate::hash;

/// What an id is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdForm {
    /// A GTIN or ISBN: its check digit is right.
    Code,
    /// A telephone number.
    Phone,
    /// A model or article number of its maker: letters and digits, or many digits, in one word.
    Model,
}

impl IdForm {
    /// What it is called in explanations.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "product code",
            Self::Phone => "telephone number",
            Self::Model => "model number",
        }
    }
}

/// The share of a column's values that must have the form of an id; by chance one in ten has a right check digit.
const FORMED_SHARE: f64 = 0.8;
/// The share of values that must be different: a shop's own telephone number stands on every page.
const DISTINCT_SHARE: f64 = 0.9;
/// Values that show the form of a column.
const MIN_VALUES: usize = 3;
/// Digits of a telephone number, without and with its country.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// The last digits of a telephone number that are compared: without the code of the country.
const NATIONAL_DIGITS: usize = 9;
/// Characters of a model number.
const MODEL_LENGTH: std::ops::RangeInclusive<usize> = 4..=24;
/// Digits from which on a number alone may be a model number.
const MODEL_DIGITS: usize = 6;

/// What ids a column holds, by a sample of its texts.
pub(super) fn id_form(texts: &[&str]) -> Option<IdForm> {
    if texts.len() < MIN_VALUES {
        return None;
    }
    let mut different: Vec<&str> = texts.to_vec();
    different.sort_unstable();
    different.dedup();
    if (different.len() as f64) < DISTINCT_SHARE * texts.len() as f64 {
        return None;
    }
    let formed = |id: IdForm| {
        let share = texts.iter().filter(|text| id_key(text, id).is_some()).count() as f64;
        share >= FORMED_SHARE * texts.len() as f64
    };
    [IdForm::Code, IdForm::Phone, IdForm::Model].into_iter().find(|id| formed(*id))
}

/// What an id of a column of ids says; none where a value has not their form.
pub(super) fn id_key(text: &str, id: IdForm) -> Option<(u64, Class)> {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '+' && c != '(');
    match id {
        IdForm::Code => {
            // "ISBN: 978…": the number stands last.
            let number = text.rsplit([':', ' ']).next().unwrap_or(text);
            let found = code(text).or_else(|| code(number))?;
            Some((hash::of(("code", &found.gtin)), Class::Code))
        }
        IdForm::Phone => {
            let is_date = || parse(text).is_some_and(|it| matches!(it.meaning, Meaning::Date(_)));
            let digits = dialled(text).filter(|_| !is_date())?;
            let national = &digits[digits.len().saturating_sub(NATIONAL_DIGITS)..];
            Some((hash::of(("phone", national)), Class::Phone))
        }
        IdForm::Model => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '.' | '_');
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
            let is_formed = MODEL_LENGTH.contains(&text.len())
                && text.chars().all(plain)
                && digits >= 2
                && (letters > 0 || digits >= MODEL_DIGITS);
            let is_value = || {
                parse(text).is_some_and(|value| match value.meaning {
                    Meaning::Quantity(quantity) => quantity.unit.is_some(),
                    Meaning::Price(_) | Meaning::Date(_) => true,
                    _ => false,
                })
            };
            if !is_formed || is_value() {
                return None;
            }
            let key: String =
                text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
            Some((hash::of(("model", key)), Class::Code))
        }
    }
}

/// The digits of a telephone number; what stands behind a letter is an extension.
fn dialled(text: &str) -> Option<String> {
    let mut digits = String::new();
    let start = text.find(|c: char| c.is_ascii_digit())?;
    for letter in text[start..].chars() {
        match letter {
            '0'..='9' => digits.push(letter),
            ' ' | '-' | '.' | '/' | '(' | ')' | '+' | '–' | '\u{a0}' => {}
            _ if PHONE_DIGITS.contains(&digits.len()) => break,
            _ => return None,
        }
    }
    let has_break = text[start..].contains([' ', '-', '.', '/', ')', '–']) || text.contains('+');
    (PHONE_DIGITS.contains(&digits.len()) && has_break).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_ids_are_recognised_by_their_values() {
        let kind = |texts: &[&str]| id_form(texts);
        assert_eq!(
            kind(&["9780306406157", "978-0-385-34099-1", "9780736929684"]),
            Some(IdForm::Code)
        );
        assert_eq!(kind(&["0306406152", "0-19-853453-1", ": 9781848325654"]), Some(IdForm::Code));
        assert_eq!(kind(&["907/260-5751", "617-277-7888", "(505) 255-6633"]), Some(IdForm::Phone));
        assert_eq!(kind(&["DMC-FH20", "EX-Z550", "A3100IS"]), Some(IdForm::Model));
        // The same on every page, or too few, or plain values.
        assert_eq!(kind(&["617-277-7888", "617-277-7888", "617-277-7888"]), None);
        assert_eq!(kind(&["DMC-FH20"]), None);
        assert_eq!(kind(&["1200 g", "1300 g", "1400 g"]), None);
        assert_eq!(kind(&["2003", "2004", "2005"]), None);
        assert_eq!(kind(&["2024-03-12", "2024-03-13", "2024-03-14"]), None);
    }

    #[test]
    fn ids_agree_however_they_are_written() {
        let same = |id, a, b| id_key(a, id).is_some() && id_key(a, id) == id_key(b, id);
        assert!(same(IdForm::Code, "0-306-40615-2", "978 0306406157"));
        assert!(same(IdForm::Code, "ISBN-13: 9780306406157", "9780306406157"));
        assert!(same(IdForm::Phone, "+1 (505) 255-6633", "505.255.6633 x208"));
        assert!(same(IdForm::Model, "DMC-FH20", "dmcfh20"));
        assert!(!same(IdForm::Phone, "505-255-6633", "505-255-6634"));
    }
}
