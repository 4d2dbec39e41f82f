//! Parses values: numbers, prices, dates, measures, codes, phones and addresses in the main locales.
//!
//! [`kind`] gives one of the five kinds of data strings (template paper, section 4.2): number, date, price,
//! link, text. It looks at the whole text, in any of the main locales, and allocates nothing. [`parse`] says
//! what a value means, and only where that is certain: `1,226` and `12/03/24` have several readings, which
//! [`ColumnReading::of`] decides over a whole column. The raw text is always kept.

mod calendar;
mod clock;
mod code;
mod column;
mod currency;
mod date;
mod link;
mod measure;
mod names;
mod number;
mod phone;
mod price;
mod scan;
mod unit;

use serde::{Deserialize, Serialize};

pub use code::{Code, Scheme, code};
pub use column::{ColumnReading, Format};
pub use date::{Date, DateOrder};
pub use measure::{Quantity, Shape};
pub use price::Price;

/// Longer texts are prose. The longest values that are kept, dates with a time and a zone, have 60 bytes or so.
const MAX_BYTES: usize = 96;

/// The kind of a data string.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// Anything else.
    #[default]
    Text,
    /// A number, with or without a unit; a range of numbers; dimensions.
    Number,
    /// A day or a month, with or without a time.
    Date,
    /// A sum of money, or a range of them.
    Price,
    /// An address.
    Link,
}

impl ValueKind {
    /// The name used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            ValueKind::Text => "text",
            ValueKind::Number => "number",
            ValueKind::Date => "date",
            ValueKind::Price => "price",
            ValueKind::Link => "link",
        }
    }
}

impl std::fmt::Display for ValueKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text and its parsed value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    /// The text as it was found.
    pub raw: String,
    /// Its parsed value.
    pub meaning: Meaning,
}

/// A parsed value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    /// A number, a range or dimensions, perhaps with a unit.
    Quantity(Quantity),
    /// A day or a month.
    Date(Date),
    /// A sum of money.
    Price(Price),
    /// An address, as written.
    Link(String),
    /// A product number with a right check digit.
    Code(Code),
    /// A telephone number: its digits, with a plus sign in front if it has one.
    Phone(String),
    /// Yes or no, in words or as a sign.
    Boolean(bool),
    /// Several names, in the order given.
    Names(Vec<String>),
}

/// The kind of a text, taken as a whole.
pub fn kind(text: &str) -> ValueKind {
    read(text).as_ref().map_or(ValueKind::Text, Read::kind)
}

/// Parses a text; none where it can be read in several ways.
pub fn parse(text: &str) -> Option<Value> {
    parse_in(text, &Format::default())
}

/// Parses a text in the format of its column.
pub fn parse_in(text: &str, format: &Format) -> Option<Value> {
    let meaning = match read(text) {
        Some(Read::Link) => Meaning::Link(text.trim().to_owned()),
        Some(Read::Date(written)) => Meaning::Date(written.date(format.date_order)?),
        Some(Read::Price(written)) => Meaning::Price(written.price(format.decimal_mark)?),
        Some(Read::Phone) => match code::named_or_plain(text) {
            Some(code) => Meaning::Code(code),
            None => Meaning::Phone(phone::dialled(text)),
        },
        Some(Read::Quantity(written)) => match code::named_or_plain(text) {
            Some(code) => Meaning::Code(code),
            None => Meaning::Quantity(written.quantity(format.decimal_mark)?),
        },
        None => in_words(text)?,
    };
    Some(Value { raw: text.to_owned(), meaning })
}

/// Parses a text that is no number, date, price, phone or address.
fn in_words(text: &str) -> Option<Meaning> {
    let code = code::named_or_plain(text).map(Meaning::Code);
    let boolean = || names::boolean(text).map(Meaning::Boolean);
    code.or_else(boolean).or_else(|| names::names(text).map(Meaning::Names))
}

/// A text as one of the written forms, its readings still open.
#[derive(Clone, Copy, Debug)]
enum Read {
    Link,
    Date(date::Written),
    Price(price::Written),
    Phone,
    Quantity(measure::Written),
}

impl Read {
    fn kind(&self) -> ValueKind {
        match self {
            Read::Link => ValueKind::Link,
            Read::Date(_) => ValueKind::Date,
            Read::Price(_) => ValueKind::Price,
            Read::Phone => ValueKind::Text,
            Read::Quantity(_) => ValueKind::Number,
        }
    }
}

/// Whether a text with this first word, in lower case, can be a value at all: tells most texts before they are cut up.
fn may_begin_a_value(word: &str) -> bool {
    currency::may_begin(word) || price::may_begin(word) || date::begins(word)
}

/// Whether the first word, if there is one, can begin a date or a price. Most texts end here.
fn begins_a_value(mut at: scan::Cursor<'_, '_>) -> bool {
    let word = at.peek().is_some_and(|token| token.class == scan::Class::Word);
    !word || price::begins(at) || at.eat_word(|word| date::begins(word).then_some(())).is_some()
}

fn read(text: &str) -> Option<Read> {
    let text = text.trim();
    if link::is_link(text) {
        return Some(Read::Link);
    }
    if text.len() > MAX_BYTES || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    if scan::first_word(text).is_some_and(|word| !may_begin_a_value(word.as_str())) {
        return None;
    }
    let scan = scan::Scan::new(text)?;
    let at = scan.cursor();
    if !begins_a_value(at) {
        return None;
    }
    if let Some(written) = date::date(at) {
        return Some(Read::Date(written));
    }
    if let Some(written) = price::price(at) {
        return Some(Read::Price(written));
    }
    if phone::is_phone(at) {
        return Some(Read::Phone);
    }
    measure::quantity(at).map(Read::Quantity)
}
