//! Recognises product numbers by their check digits.
//!
//! GTIN-8, -12 (UPC), -13 (EAN, ISBN-13) and -14 share one check digit (GS1 General Specifications,
//! 7.9); ISBN-10 has its own (ISO 2108). A bare run of 8 or 10 digits passes one time in ten or eleven by chance,
//! so [`parse`](super::parse) takes it only with its name before it ("ISBN 0306406152") or with hyphens.

use serde::Serialize;

use crate::scan::Folded;

/// A product number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Code {
    /// What the number is.
    pub scheme: Scheme,
    /// As 14 digits, zeros in front: equal for UPC and EAN, for ISBN-10 and ISBN-13 of one product.
    pub gtin: String,
}

/// A scheme of product numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    /// EAN, UPC, JAN and the other GTINs.
    Gtin,
    /// Books.
    Isbn,
}

const NAMES: [&str; 9] =
    ["ean", "gtin", "upc", "isbn", "jan", "isbn10", "isbn13", "ean13", "gtin13"];

/// Reads a product number with its name before it, with hyphens, or bare.
pub(super) fn named_or_plain(text: &str) -> Option<Code> {
    let text = text.trim();
    let digits_at = text.find(|c: char| c.is_ascii_digit())?;
    let (name, number) = match text.split_once([':', ' ']) {
        Some((name, number)) if digits_at > 0 => (name, number.trim_start_matches([':', ' '])),
        _ => ("", text),
    };
    let name = name.trim_end_matches(['-', '.', '#']).replace(['-', ' '], "");
    let named = Folded::new(&name).is_some_and(|name| NAMES.contains(&name.as_str()));
    if !name.is_empty() && !named {
        return None;
    }
    let code = code(number)?;
    let length = number.bytes().filter(u8::is_ascii_alphanumeric).count();
    // An X at the end, or four hyphens in a number of ten, are the form of an ISBN.
    let formed = number.ends_with(['X', 'x']) || number.matches('-').count() == 3;
    (named || length >= 12 || (length == 10 && formed)).then_some(code)
}

/// Reads digits, with hyphens or spaces between them, as a product number if the check digit is right. For
/// callers who know from a label that it is one.
pub fn code(text: &str) -> Option<Code> {
    let mut digits = [0_u8; 14];
    let mut len = 0;
    let mut tenth_is_x = false;
    for byte in text.trim().bytes() {
        match byte {
            b'0'..=b'9' if !tenth_is_x => *digits.get_mut(len)? = byte - b'0',
            b'X' | b'x' if len == 9 => tenth_is_x = true,
            b'-' | b' ' => continue,
            _ => return None,
        }
        len += 1;
    }
    let number = &digits[..len];
    if len == 10 && is_isbn10(number, tenth_is_x) {
        let mut isbn = [0_u8; 13];
        isbn[..3].copy_from_slice(&[9, 7, 8]);
        isbn[3..12].copy_from_slice(&number[..9]);
        isbn[12] = check_digit(&isbn[..12]);
        return Some(Code { scheme: Scheme::Isbn, gtin: padded(&isbn) });
    }
    let (check, body) = number.split_last()?;
    let right = matches!(len, 8 | 12 | 13 | 14) && !tenth_is_x && *check == check_digit(body);
    if !right || number.iter().all(|digit| *digit == 0) {
        return None;
    }
    let book = len == 13 && (number.starts_with(&[9, 7, 8]) || number.starts_with(&[9, 7, 9]));
    let scheme = if book { Scheme::Isbn } else { Scheme::Gtin };
    Some(Code { scheme, gtin: padded(number) })
}

/// From the right, digits weigh three and one in turn; the check digit fills up to a multiple of ten.
fn check_digit(body: &[u8]) -> u8 {
    let weights = [3, 1].into_iter().cycle();
    let sum: u32 =
        body.iter().rev().zip(weights).map(|(&digit, weight)| u32::from(digit) * weight).sum();
    ((10 - sum % 10) % 10) as u8
}

/// Digits weigh ten down to one; the sum is a multiple of eleven, X being ten.
fn is_isbn10(number: &[u8], tenth_is_x: bool) -> bool {
    let last = if tenth_is_x { 10 } else { u32::from(number[9]) };
    let sum: u32 = number[..9]
        .iter()
        .zip((2..=10).rev())
        .map(|(&digit, weight)| u32::from(digit) * weight)
        .sum();
    (sum + last).is_multiple_of(11) && number[..9].iter().any(|&digit| digit != 0)
}

fn padded(number: &[u8]) -> String {
    let zeros = std::iter::repeat_n('0', 14 - number.len());
    zeros.chain(number.iter().map(|&digit| char::from(b'0' + digit))).collect()
}
