//! Character references (`&eacute;`, `&#233;`): HTML §13.2.5.72 to §13.2.5.80.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use html5ever::tendril::StrTendril;

/// One character, or two: some names stand for a character with an accent of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decoded(char, Option<char>);

impl Decoded {
    pub(super) fn push_to(self, text: &mut StrTendril) {
        text.push_char(self.0);
        if let Some(second) = self.1 {
            text.push_char(second);
        }
    }
}

/// Reads a reference behind its ampersand: what it stands for and how long it is. `None` where the
/// ampersand is just an ampersand.
pub(super) fn char_ref(rest: &str, in_attribute: bool) -> Option<(Decoded, usize)> {
    match rest.as_bytes().first()? {
        b'#' => numeric(rest),
        first if first.is_ascii_alphanumeric() => named(rest, in_attribute),
        _ => None,
    }
}

/// The five that make up most of all references.
const COMMON: [(&str, char); 5] =
    [("amp;", '&'), ("nbsp;", '\u{a0}'), ("quot;", '"'), ("lt;", '<'), ("gt;", '>')];

fn named(rest: &str, in_attribute: bool) -> Option<(Decoded, usize)> {
    for (name, char) in COMMON {
        if rest.starts_with(name) {
            return Some((Decoded(char, None), name.len()));
        }
    }
    // The table holds every beginning of a name, too, with zeros for a value.
    let bytes = rest.as_bytes();
    let mut longest = None;
    let mut end = 1;
    while end <= bytes.len() && bytes[end - 1].is_ascii() {
        let Some(&(first, second)) = NAMED_ENTITIES.get(&rest[..end]) else { break };
        if first != 0 {
            longest = Some((first, second, end));
        }
        end += 1;
    }
    let (first, second, len) = longest?;
    // In attributes "&copy=1" is most likely a part of an address.
    if in_attribute && bytes[len - 1] != b';' {
        let next = bytes.get(len);
        if next.is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric()) {
            return None;
        }
    }
    let second = if second == 0 { None } else { char::from_u32(second) };
    Some((Decoded(char::from_u32(first)?, second), len))
}

fn numeric(rest: &str) -> Option<(Decoded, usize)> {
    let bytes = rest.as_bytes();
    let (radix, digits) = match bytes.get(1) {
        Some(b'x' | b'X') => (16, 2),
        _ => (10, 1),
    };
    let mut number: u32 = 0;
    let mut end = digits;
    while let Some(digit) = bytes.get(end).and_then(|&byte| char::from(byte).to_digit(radix)) {
        // Beyond the last code point it no longer matters by how much.
        number = (number * radix + digit).min(0x0011_0000);
        end += 1;
    }
    if end == digits {
        return None;
    }
    if bytes.get(end) == Some(&b';') {
        end += 1;
    }
    let char = match number {
        0 => '\u{fffd}',
        0x80..=0x9f => {
            let replaced = C1_REPLACEMENTS[(number - 0x80) as usize];
            replaced.or(char::from_u32(number)).unwrap_or('\u{fffd}')
        }
        _ => char::from_u32(number).unwrap_or('\u{fffd}'),
    };
    Some((Decoded(char, None), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let check = |rest: &str, in_attribute: bool, expected: Option<(&str, usize)>| {
            let found = char_ref(rest, in_attribute).map(|(decoded, len)| {
                let mut text = StrTendril::new();
                decoded.push_to(&mut text);
                (text.to_string(), len)
            });
            let expected = expected.map(|(text, len)| (text.to_owned(), len));
            assert_eq!(found, expected, "&{rest}");
        };
        check("amp;x", false, Some(("&", 4)));
        check("ampx", false, Some(("&", 3)));
        check("ampx", true, None);
        check("amp=x", true, None);
        check("amp x", true, Some(("&", 3)));
        check("notin;", false, Some(("∉", 6)));
        check("notit;", false, Some(("¬", 3)));
        check("notit;", true, None);
        check("acE;", false, Some(("∾\u{333}", 4)));
        check("eacute", false, Some(("é", 6)));
        check("bogus;", false, None);
        check(" x", false, None);
        check("", false, None);
        check("é;", false, None);
        check("#233;", false, Some(("é", 5)));
        check("#xE9", false, Some(("é", 4)));
        check("#150;", false, Some(("–", 5)));
        check("#x81;", false, Some(("\u{81}", 5)));
        check("#0;", false, Some(("\u{fffd}", 3)));
        check("#xD800;", false, Some(("\u{fffd}", 7)));
        check("#99999999999999999999;", false, Some(("\u{fffd}", 22)));
        check("#;", false, None);
        check("#x;", false, None);
    }
}
