//! Parses prices: an amount with its currency.

use serde::Serialize;

use crate::currency::{THREE_DECIMALS, currency};
use crate::measure::eat_to;
use crate::number::{Reading, unsigned};
use crate::scan::Cursor;
use crate::unit::unit_at_end;

/// A sum of money, or a range of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Price {
    /// The sum, or the lower end.
    pub amount: f64,
    /// The upper end of a range.
    pub to: Option<f64>,
    /// ISO 4217 code, or the symbol where several currencies share it (`$`, `kr`, `¥`, `Rs`).
    pub currency: &'static str,
    /// Whether the text says "from".
    pub from: bool,
    /// The unit that the price is for: `kg` in "5 €/kg".
    pub per: Option<&'static str>,
}

/// A price as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Written {
    pub(super) amount: Reading,
    to: Option<Reading>,
    pub(super) currency: &'static str,
    from: bool,
    per: Option<&'static str>,
}

impl Written {
    pub(super) fn price(self, decimal_mark: Option<char>) -> Option<Price> {
        let to = match self.to {
            Some(to) => Some(self.settle(to).value(decimal_mark)?),
            None => None,
        };
        let amount = self.settle(self.amount).value(decimal_mark)?;
        let Written { currency, from, per, .. } = self;
        Some(Price { amount, to, currency, from, per })
    }

    pub(super) fn readings(self) -> impl Iterator<Item = Reading> {
        std::iter::once(self.amount).chain(self.to)
    }

    /// Sums have two decimals or none, so three digits after a mark are thousands. Not certain where money
    /// has three decimals, per litre or kilogram (fuel: 1,459 €/l), and for `$1.226`, which is
    /// one dollar in some countries and a thousand pesos in others.
    pub(super) fn settle(self, reading: Reading) -> Reading {
        match reading {
            Reading::Either { grouped, mark, .. }
                if !THREE_DECIMALS.contains(&self.currency)
                    && self.per.is_none()
                    && !(self.currency == "$" && mark == '.') =>
            {
                Reading::Certain {
                    value: grouped,
                    decimal: Some(if mark == ',' { '.' } else { ',' }),
                }
            }
            other => other,
        }
    }
}

/// Reads a text that is a price and nothing else: `$5`, `1.226,50 €`, `from EUR 5`, `$5 – $10`, `5,- kr`, `3 €/kg`.
pub(super) fn price(mut at: Cursor<'_, '_>) -> Option<Written> {
    let from = eat_from(&mut at);
    let (amount, before) = sum(&mut at)?;
    let mut to_sum = None;
    let mut end = at;
    if eat_to(&mut end)
        && let Some(found) = sum(&mut end)
    {
        to_sum = Some(found);
        at = end;
    }
    let after = to_sum.and_then(|(_, currency)| currency);
    let currency = match (before, after) {
        (Some(a), Some(b)) if a != b => return None,
        (a, b) => a.or(b)?,
    };
    let mut per = None;
    if !at.is_done() {
        let mut to = at;
        to.eat_space();
        if to.eat_mark(&['/']).is_some() || to.eat_one_of(&["per", "pro", "par", "por", "je"]) {
            to.eat_space();
            per = Some(unit_at_end(&mut to)?);
            at = to;
        } else if to.eat_mark(&['*', '+', '¹']).is_some() {
            at = to;
        }
    }
    at.is_done().then_some(Written {
        amount,
        to: to_sum.map(|(reading, _)| reading),
        currency,
        from,
        per,
    })
}

/// Whether a price may begin here, with a word.
pub(super) fn begins(mut at: Cursor<'_, '_>) -> bool {
    currency(&mut at).is_some() || eat_from(&mut at)
}

/// "from", "starting at", "à partir de" and the like.
const PHRASES: [&[&str]; 12] = [
    &["from"],
    &["starting", "at"],
    &["starting", "from"],
    &["as", "low", "as"],
    &["ab"],
    &["von"],
    &["à", "partir", "de"],
    &["dès"],
    &["desde"],
    &["a", "partir", "de"],
    &["da"],
    &["vanaf"],
];

/// Whether one of [`PHRASES`] begins with this word, in lower case.
pub(super) fn may_begin(word: &str) -> bool {
    PHRASES.iter().any(|phrase| phrase[0] == word)
}

/// Reads one of [`PHRASES`].
fn eat_from(cursor: &mut Cursor<'_, '_>) -> bool {
    PHRASES.iter().any(|phrase| {
        let mut at = *cursor;
        let found = phrase.iter().all(|word| at.eat_one_of(&[word]) && at.eat_space());
        if found {
            *cursor = at;
        }
        found
    })
}

/// One sum: a number with a currency before it, after it, or with none.
fn sum(cursor: &mut Cursor<'_, '_>) -> Option<(Reading, Option<&'static str>)> {
    let mut at = *cursor;
    let negative = at.eat_mark(&['-', '\u{2212}']).is_some();
    let before = currency(&mut at);
    at.eat_space();
    let mut reading = unsigned(&mut at)?;
    if before.is_some()
        && let Some(value) = raised_cents(&mut at, reading)
    {
        reading = value;
    }
    // Round sums: 5,- and 5.– and 5,--
    let mut dash = at;
    if dash.eat_mark(&[',', '.']).is_some() && dash.eat_mark(&['-', '–', '—']).is_some() {
        dash.eat_mark(&['-', '–']);
        at = dash;
    }
    let mut spaced = at;
    spaced.eat_space();
    let after = currency(&mut spaced);
    if after.is_some() {
        at = spaced;
    }
    let currency = match (before, after) {
        (None, after) => after,
        (before, None) => before,
        // "$5 USD" and "US$ 5 USD": the code is the more exact of the two.
        (Some(a), Some(b)) if a == b || is_symbol_of(a, b) => Some(b),
        (Some(a), Some(b)) if is_symbol_of(b, a) => Some(a),
        _ => return None,
    };
    if negative {
        reading = reading.negated();
    }
    *cursor = at;
    Some((reading, currency))
}

/// `$ 26 99`: cents that were set smaller, as an element of their own.
fn raised_cents(cursor: &mut Cursor<'_, '_>, whole: Reading) -> Option<Reading> {
    let Reading::Certain { value, decimal: None } = whole else { return None };
    let mut at = *cursor;
    at.eat_space().then_some(())?;
    let cents = at.eat_digits(2..=2)?;
    let cents = cents.bytes().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    at.is_done().then_some(())?;
    *cursor = at;
    let hundredths = value * 100.0 + f64::from(cents);
    Some(Reading::Certain { value: hundredths / 100.0, decimal: None })
}

fn is_symbol_of(symbol: &str, code: &str) -> bool {
    match symbol {
        "$" => ["USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "TWD", "ARS", "CLP", "COP"]
            .contains(&code),
        "¥" => ["JPY", "CNY"].contains(&code),
        "kr" => ["SEK", "NOK", "DKK", "ISK"].contains(&code),
        "Rs" => ["INR", "PKR", "LKR"].contains(&code),
        _ => false,
    }
}
