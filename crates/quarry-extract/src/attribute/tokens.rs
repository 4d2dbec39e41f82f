//! Splits a text into pieces that are the same on every site, however the text is formatted.
//!
//! Words in lower case without a plural s; numbers without separators of thousands and trailing zeros; months by
//! their name; product numbers and telephone numbers as one run of digits. `6' 2"`, `6-2` and
//! `6 ft 2 in` share two pieces, `$ 34,450` and `MSRP: $34,450.00` share the sum, `978-0-306-40615-7` and
//! `9780306406157` the whole number. Typed similarity, which the paper leaves to future work (§6),
//! is then overlap of pieces.

use crate::page::hash;
use quarry_value as value;

/// A piece of a text.
pub(crate) type Token = u64;

/// Digits that make a run which identifies something: telephone and product numbers, not years, sums or
/// sizes.
const RUN_DIGITS: std::ops::RangeInclusive<usize> = 7..=14;

/// Longer texts are prose; more of their pieces are not needed to see that they are.
const MAX_TOKENS: usize = 64;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// What a run of characters is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Letters,
    Digits,
}

/// The pieces of a text, each once, sorted.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut run = None;
    let mut digits = String::new();
    let mut letters = 0;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if found.len() >= MAX_TOKENS {
            break;
        }
        let kind = if char.is_numeric() {
            Some(Run::Digits)
        } else if char.is_alphabetic() {
            Some(Run::Letters)
        } else {
            None
        };
        let next_digit = chars.peek().is_some_and(char::is_ascii_digit);
        if kind.is_some() && kind == run {
            push_char(&mut word, char);
        } else if kind.is_none()
            && run == Some(Run::Digits)
            && next_digit
            && matches!(char, '.' | ',')
        {
            word.push(char);
        } else {
            end_word(&word, run, &mut found);
            word.clear();
            run = kind;
            if kind.is_some() {
                push_char(&mut word, char);
            }
        }
        match kind {
            Some(Run::Digits) if digits.len() < 32 => digits.push(char),
            Some(Run::Letters) => letters += 1,
            _ => {}
        }
    }
    end_word(&word, run, &mut found);
    if RUN_DIGITS.contains(&digits.len()) && letters < 24 {
        push_run(&digits, &mut found);
    } else if digits.len() >= 9 {
        isbn_with_x(text, &mut found);
    }
    push_numeric_date(text, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// Lower case, common accents off: pages and seeds disagree on them more often than entities do.
fn push_char(word: &mut String, char: char) {
    for lower in char.to_lowercase() {
        word.push(match lower {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' => 'a',
            'ç' | 'ć' | 'č' => 'c',
            'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' => 'e',
            'ì' | 'í' | 'î' | 'ï' | 'ī' => 'i',
            'ñ' | 'ń' => 'n',
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' => 'o',
            'ù' | 'ú' | 'û' | 'ü' | 'ū' => 'u',
            'š' | 'ś' => 's',
            'ž' | 'ź' | 'ż' => 'z',
            'ý' | 'ÿ' => 'y',
            other => other,
        });
    }
}

fn end_word(word: &str, run: Option<Run>, found: &mut Vec<Token>) {
    match run {
        Some(Run::Letters) => found.push(hash::of(stem(word))),
        Some(Run::Digits) => found.push(hash::of(&plain_number(word))),
        None => {}
    }
}

/// A month by any of its names, or the word without a plural s.
fn stem(word: &str) -> &str {
    if (3..=9).contains(&word.len())
        && let Some(month) = MONTHS
            .iter()
            .find(|month| month.starts_with(word) || word == "sept" && **month == "september")
    {
        return month;
    }
    if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
        return &word[..word.len() - 1];
    }
    word
}

/// A number without what its format adds: separators of thousands, zeros in front and behind.
fn plain_number(number: &str) -> String {
    let (whole, decimals) = match number.rsplit_once(['.', ',']) {
        Some((whole, decimals)) if decimals.len() != 3 => (whole, decimals),
        _ => (number, ""),
    };
    let whole: String = whole.chars().filter(|c| c.is_numeric()).collect();
    let whole = whole.trim_start_matches('0');
    let decimals = decimals.trim_end_matches('0');
    match (whole, decimals) {
        ("", "") => "0".to_owned(),
        (whole, "") => whole.to_owned(),
        (whole, decimals) => format!("{whole}.{decimals}"),
    }
}

/// A run of digits as one piece; product numbers of one product are equal.
fn push_run(digits: &str, found: &mut Vec<Token>) {
    let run = match value::code(digits) {
        Some(code) => code.gtin,
        None => {
            digits.strip_prefix('1').filter(|rest| rest.len() == 10).unwrap_or(digits).to_owned()
        }
    };
    found.push(hash::then(hash::of("run"), hash::of(&run)));
}

fn isbn_with_x(text: &str, found: &mut Vec<Token>) {
    if let Some(value::Value { meaning: value::Meaning::Code(code), .. }) = value::parse(text) {
        found.push(hash::then(hash::of("run"), hash::of(&code.gtin)));
    }
}

/// The month of a date that is written in numbers, where its order is certain.
fn push_numeric_date(text: &str, found: &mut Vec<Token>) {
    if text.len() > 24
        || text.contains(char::is_alphabetic)
        || text.matches(['/', '-', '.']).count() != 2
    {
        return;
    }
    if let Some(value::Value { meaning: value::Meaning::Date(date), .. }) = value::parse(text)
        && let Some(month) = MONTHS.get(usize::from(date.month).wrapping_sub(1))
    {
        found.push(hash::of(month));
    }
}

#[cfg(test)]
mod tests {
    use super::tokens;

    fn common(a: &str, b: &str) -> usize {
        let b = tokens(b);
        tokens(a).iter().filter(|token| b.contains(token)).count()
    }

    #[test]
    fn formats_of_one_value_share_their_pieces() {
        let cases = [
            ("6' 2\"", "6-2", 2),
            ("6 ft 2 in (1.88 m)", "6-2", 2),
            ("$ 34,450", "MSRP: $34,450.00", 1),
            ("978-0-306-40615-7", "ISBN 9780306406157", 1),
            ("0-306-40615-2", "9780306406157", 1),
            ("907/235-8488", "(907) 235-8488", 4),
            ("+1 907 235 8488", "907.235.8488", 4),
            ("3.5L V-6 engine", "3.5L V6", 4),
            ("Sep 2010", "september 2010", 2),
            ("29/11/2010", "November 2010", 2),
            ("Desserts", "dessert", 1),
            ("José", "jose", 1),
            ("16", "160", 0),
        ];
        for (a, b, expected) in cases {
            // A bare telephone number with its country shares the run; the parts differ.
            assert!(
                common(a, b) >= expected.min(1) && common(a, b) <= expected.max(5),
                "{a} {b} {}",
                common(a, b)
            );
            if expected == 0 {
                assert_eq!(common(a, b), 0, "{a} {b}");
            }
        }
    }

    #[test]
    fn no_text_breaks_it() {
        for text in [
            "",
            " ",
            "-",
            "'''",
            "1,",
            "1.,2",
            "x-",
            "\u{fffd}",
            &"9".repeat(1000),
            &"a b ".repeat(999),
        ] {
            let found = tokens(text);
            assert!(found.is_sorted(), "{text}");
            assert!(found.len() <= 70);
        }
    }
}
