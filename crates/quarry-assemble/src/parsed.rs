//! A text of a column and what it says; whether two texts say the same.
//!
//! Numbers, prices and dates agree in value, whatever their format and unit; other texts agree if they have the same words.
//! Never by likeness alone: `16 GB` and `18 GB` look alike.

use quarry_value::{Date, Format, Meaning, Price, Quantity, Shape, parse_in};

use crate::hash;
use crate::unit::{base, convert};

/// Two numbers of one unit that differ by less than this share are equal: noise of binary fractions.
const SAME_UNIT: f64 = 1e-9;
/// Two numbers of different units: both are printed with about three digits.
const OTHER_UNIT: f64 = 5e-3;
/// Sums of money that differ by less are equal: half a cent.
const HALF_A_CENT: f64 = 0.005;
/// "4 bedrooms", "2 car garage": so many words may follow a number that they count.
const MAX_NOUN_WORDS: usize = 2;
/// Longer texts are prose with commas, not lists.
const MAX_LIST_BYTES: usize = 400;
/// Numbers within one of these steps of the logarithm may be equal; see [`ParsedValue::hints`].
const STEP: f64 = 0.01;

/// A text of a column, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct ParsedValue<'a> {
    pub(crate) text: &'a str,
    pub(crate) meaning: Option<Meaning>,
    /// The words: in their order if there are digits among them, else in the order of the alphabet, so that "Smith, John"
    /// is "John Smith". Zero if there are none.
    words: u64,
    /// Equal for texts that surely say the same.
    pub(crate) exact: u64,
    /// The items, where the text may be a list.
    pub(crate) items: Vec<ParsedValue<'a>>,
    /// Whether the text is one full name, or a list of them.
    pub(crate) full_names: bool,
    /// Whether the text is written as a list: `["a", "b"]`.
    pub(crate) is_written_list: bool,
}

impl<'a> ParsedValue<'a> {
    /// Reads a text in the format of its column; `separator` is what stands between its items, where that is known.
    pub(crate) fn read(text: &'a str, format: &Format, separator: Option<&str>) -> Self {
        let mut parsed = Self::read_item(text, format);
        if let Some(separator) = separator {
            let items = text.split(separator).map(str::trim).filter(|item| !item.is_empty());
            parsed.items = items.map(|item| Self::read_item(item, format)).collect();
        } else if let Some(items) = written_list(text) {
            parsed.is_written_list = true;
            parsed.items = items.into_iter().map(|item| Self::read_item(item, format)).collect();
        } else if !matches!(
            parsed.meaning,
            Some(Meaning::Date(_) | Meaning::Price(_) | Meaning::Quantity(_))
        ) {
            let items = split(text);
            let is_name = |item: &&str| is_full_name(item);
            parsed.full_names =
                is_full_name(text) || !items.is_empty() && items.iter().all(is_name);
            parsed.items = items.into_iter().map(|item| Self::read_item(item, format)).collect();
        }
        parsed
    }

    /// Reads a text that is not cut into items.
    pub(crate) fn read_item(text: &'a str, format: &Format) -> Self {
        let meaning = parse_in(text, format).map(|value| value.meaning);
        let meaning = meaning.filter(|meaning| !matches!(meaning, Meaning::Names(_)));
        let meaning = meaning.or_else(|| counted(text, format));
        let words = words(text);
        let exact = match is_nothing(text) {
            true => 0,
            false => meaning.as_ref().map_or(words, exact),
        };
        Self {
            text,
            meaning,
            words,
            exact,
            items: Vec::new(),
            full_names: false,
            is_written_list: false,
        }
    }

    /// Whether the text says anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.exact == 0
    }

    /// Whether two texts say the same.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        if self.is_empty() || other.is_empty() {
            return false;
        }
        if self.exact == other.exact {
            return true;
        }
        match (&self.meaning, &other.meaning) {
            (Some(a), Some(b)) => same(a, b),
            _ => self.words == other.words,
        }
    }

    /// Texts that agree have one of these in common, and seldom others do.
    pub(crate) fn hints(&self, out: &mut Vec<u64>) {
        match &self.meaning {
            Some(Meaning::Quantity(quantity)) => {
                let Some(&number) = quantity.numbers.first() else { return };
                out.push(plain(number));
                if let Some(unit) = quantity.unit {
                    let number = number * base(unit).1;
                    let step = (number.abs().max(f64::MIN_POSITIVE).ln() / STEP).floor() as i64;
                    out.extend([step, step + 1].map(|step| hash::of(("step", step))));
                }
            }
            Some(Meaning::Price(price)) => out.push(plain(price.amount)),
            Some(Meaning::Date(date)) => out.push(hash::of(("month", date.month))),
            _ => out.extend((self.exact != 0).then_some(self.exact)),
        }
        for item in &self.items {
            item.hints(out);
        }
    }
}

fn plain(number: f64) -> u64 {
    hash::of(("number", (number * 100.0).round() as i64))
}

/// The hash of the words: runs of letters and digits in lower case, and the signs that tell names apart (C, C++ and C#).
pub(crate) fn words(text: &str) -> u64 {
    let mut words: Vec<String> = Vec::new();
    let mut inside = false;
    for letter in text.chars() {
        if !letter.is_alphanumeric() && !matches!(letter, '+' | '#' | '%') {
            inside &= matches!(letter, '\'' | '’');
            continue;
        }
        if !inside {
            words.push(String::new());
        }
        inside = true;
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    if words.is_empty() {
        return 0;
    }
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        words.sort_unstable();
    }
    hash::of(("words", words))
}

/// Ways to write that there is nothing; a text without letters and digits says so as well.
const NOTHING: [&str; 6] = ["n/a", "n.a.", "#n/a", "null", "undefined", "nan"];

fn is_nothing(text: &str) -> bool {
    NOTHING.iter().any(|nothing| text.trim().eq_ignore_ascii_case(nothing))
}

/// The items of a text that programs would read as a list of texts.
fn written_list(text: &str) -> Option<Vec<&str>> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let mut items = Vec::new();
    let mut rest = inside;
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\''))?;
        let (item, behind) = rest[1..].split_once(quote)?;
        items.extend((!item.trim().is_empty()).then(|| item.trim()));
        let behind = behind.trim_start();
        rest = match behind.strip_prefix(',') {
            Some(next) => next.trim_start(),
            None if behind.is_empty() => behind,
            None => return None,
        };
    }
    (!items.is_empty()).then_some(items)
}

/// Whether a text may be the full name of a person: two to four words, all but small ones with a capital.
fn is_full_name(text: &str) -> bool {
    const SMALL: [&str; 10] = ["de", "la", "van", "von", "der", "den", "da", "di", "du", "al"];
    let is_part = |word: &str| {
        let plain = |char: char| char.is_alphabetic() || matches!(char, '.' | '\'' | '’' | '-');
        SMALL.contains(&word)
            || word.chars().all(plain) && word.starts_with(|char: char| char.is_uppercase())
    };
    (2..=4).contains(&text.split(' ').count()) && text.split(' ').all(is_part)
}

/// "4 bedrooms" is the number 4.
fn counted(text: &str, format: &Format) -> Option<Meaning> {
    let (number, noun) = text.trim().split_once(' ')?;
    if !number.starts_with(|c: char| c.is_ascii_digit())
        || !noun.chars().all(|c| c.is_alphabetic() || c == ' ')
        || noun.split(' ').count() > MAX_NOUN_WORDS
    {
        return None;
    }
    let meaning = parse_in(number, format)?.meaning;
    let one = matches!(&meaning, Meaning::Quantity(q) if q.shape == Shape::One && q.unit.is_none());
    one.then_some(meaning)
}

/// The items of a text that may be a list; none if it has no separator.
pub(crate) fn split(text: &str) -> Vec<&str> {
    const STRONG: [char; 5] = [';', '|', '•', '\u{b7}', '\n'];
    if text.len() > MAX_LIST_BYTES {
        return Vec::new();
    }
    let items: Vec<&str> = if text.contains(STRONG) {
        text.split(STRONG).collect()
    } else if text.contains(", ") {
        text.split(", ").collect()
    } else {
        text.split(" / ").collect()
    };
    let items: Vec<&str> =
        items.into_iter().map(str::trim).filter(|item| !item.is_empty()).collect();
    if items.len() < 2 { Vec::new() } else { items }
}

fn exact(meaning: &Meaning) -> u64 {
    match meaning {
        Meaning::Quantity(quantity) => {
            let (unit, factor) = quantity.unit.map_or(("", 1.0), base);
            let numbers: Vec<u64> =
                quantity.numbers.iter().map(|number| digits(number * factor)).collect();
            hash::of(("quantity", unit, numbers, quantity.shape as u8))
        }
        Meaning::Price(price) => {
            let to = price.to.map(digits);
            hash::of(("price", price.currency, digits(price.amount), to, price.per))
        }
        Meaning::Date(date) => hash::of(("date", date.to_string())),
        Meaning::Boolean(yes) => hash::of(("boolean", yes)),
        Meaning::Code(code) => hash::of(("code", &code.gtin)),
        Meaning::Phone(digits) => hash::of(("phone", national(digits))),
        Meaning::Link(address) => hash::of(("link", address)),
        Meaning::Names(names) => hash::of(("names", names)),
    }
}

/// The first nine digits of a number.
fn digits(number: f64) -> u64 {
    hash::of(format!("{number:.8e}"))
}

/// A telephone number without the code of a country: its last nine digits.
fn national(digits: &str) -> &str {
    digits.get(digits.len().saturating_sub(9)..).unwrap_or(digits)
}

fn same(a: &Meaning, b: &Meaning) -> bool {
    match (a, b) {
        (Meaning::Quantity(a), Meaning::Quantity(b)) => same_quantity(a, b),
        (Meaning::Price(a), Meaning::Price(b)) => same_price(a, b),
        (Meaning::Price(a), Meaning::Quantity(b)) | (Meaning::Quantity(b), Meaning::Price(a)) => {
            b.unit.is_none()
                && a.to.is_none()
                && b.shape == Shape::One
                && b.numbers.iter().all(|number| close(*number, a.amount, SAME_UNIT))
        }
        (Meaning::Date(a), Meaning::Date(b)) => same_date(a, b),
        _ => false,
    }
}

fn close(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= share * a.abs().max(b.abs())
}

fn same_quantity(a: &Quantity, b: &Quantity) -> bool {
    let (share, factor) = match (a.unit, b.unit) {
        (Some(from), Some(to)) if from != to => match convert(1.0, from, to) {
            Some(factor) => (OTHER_UNIT, factor),
            None => return false,
        },
        _ => (SAME_UNIT, 1.0),
    };
    let mut numbers = a.numbers.iter().zip(&b.numbers);
    a.shape == b.shape
        && a.numbers.len() == b.numbers.len()
        && numbers.all(|(a, b)| close(a * factor, *b, share))
}

/// A sign of several currencies ("$", "kr") may be any of them.
pub(crate) fn same_currency(a: &str, b: &str) -> bool {
    let is_code = |currency: &str| currency.len() == 3 && currency.is_ascii();
    a == b || !is_code(a) || !is_code(b)
}

fn same_price(a: &Price, b: &Price) -> bool {
    let equal = |a: f64, b: f64| (a - b).abs() < HALF_A_CENT;
    let ends = match (a.to, b.to) {
        (Some(a), Some(b)) => equal(a, b),
        (None, None) => true,
        _ => false,
    };
    same_currency(a.currency, b.currency) && ends && a.per == b.per && equal(a.amount, b.amount)
}

/// What one of the dates leaves open does not part them.
fn same_date(a: &Date, b: &Date) -> bool {
    fn open<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
        a.is_none() || b.is_none() || a == b
    }
    let known = a.year.is_some() && b.year.is_some() || a.day.is_some() && b.day.is_some();
    known
        && a.month == b.month
        && open(a.year, b.year)
        && open(a.day, b.day)
        && open(a.time.map(|(h, m, _)| (h, m)), b.time.map(|(h, m, _)| (h, m)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree(a: &str, b: &str) -> bool {
        let format = Format::default();
        let (a, b) = (ParsedValue::read(a, &format, None), ParsedValue::read(b, &format, None));
        assert_eq!(a.agrees(&b), b.agrees(&a), "{a:?} {b:?}");
        if a.agrees(&b) {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            a.hints(&mut left);
            b.hints(&mut right);
            assert!(left.iter().any(|hint| right.contains(hint)), "{a:?} {b:?}");
        }
        a.agrees(&b)
    }

    #[test]
    fn texts_that_say_the_same_agree() {
        for (a, b) in [
            ("27 inch", "27\""),
            ("27 in", "68.6 cm"),
            ("1 TB", "1000 GB"),
            ("4 bedrooms", "4"),
            ("$1,234.50", "1.234,50 $"),
            ("$45.00", "45 USD"),
            ("$45", "45.00"),
            ("12 March 2024", "2024-03-12"),
            ("12 March 2024", "March 2024"),
            ("Smith, John", "John Smith"),
            ("NORVA  Labs", "Norva-Labs"),
            ("yes", "✓"),
            ("+1 415 555 0132", "(415) 555-0132"),
            ("0.30 m", "30 cm"),
        ] {
            assert!(agree(a, b), "{a} | {b}");
        }
    }

    #[test]
    fn texts_that_do_not_say_the_same_differ() {
        for (a, b) in [
            ("16 GB", "18 GB"),
            ("1.5", "5.1"),
            ("-5", "5"),
            ("27 in", "27 cm"),
            ("€45", "£45"),
            ("12 March 2024", "13 March 2024"),
            ("C++", "C"),
            ("yes", "no"),
            ("200 g", "201 g"),
            ("10 x 20 cm", "20 x 10 cm"),
            ("", ""),
            ("-", "–"),
            ("$5 - $9", "$5"),
        ] {
            assert!(!agree(a, b), "{a} | {b}");
        }
    }

    #[test]
    fn nothing_is_said_in_several_ways() {
        for text in ["-", "—", "n/a", "N/A", "[]", "", "null"] {
            assert!(ParsedValue::read(text, &Format::default(), None).is_empty(), "{text}");
        }
        assert!(!ParsedValue::read("none", &Format::default(), None).is_empty());
    }

    #[test]
    fn texts_written_as_lists_are_lists() {
        let items = |text: &str| {
            let parsed = ParsedValue::read(text, &Format::default(), None);
            let items: Vec<String> = parsed.items.iter().map(|item| item.text.into()).collect();
            (parsed.is_written_list, items)
        };
        assert_eq!(items(r#"["a"]"#), (true, vec!["a".to_owned()]));
        assert_eq!(items(r#"['a, b', "c"]"#), (true, vec!["a, b".to_owned(), "c".to_owned()]));
        assert!(!items("[draft]").0);
    }

    #[test]
    fn lists_have_items() {
        assert_eq!(split("Black, White"), ["Black", "White"]);
        assert_eq!(split("Hartley, Mira; Rook, Emil"), ["Hartley, Mira", "Rook, Emil"]);
        assert!(split("Black").is_empty());
        assert!(split("1,226").is_empty());
    }
}
