//! Recognises currencies by symbol, code and name.

use crate::scan::{Class, Cursor, Folded, look_up};

/// Spellings in lower case. A symbol of several countries ("$", "kr", "¥") stands for itself. Sorted.
#[rustfmt::skip]
const CURRENCIES: &[(&str, &str)] = &[
    ("$", "$"), ("a$", "AUD"), ("aed", "AED"), ("ars", "ARS"), ("au$", "AUD"), ("aud", "AUD"),
    ("bdt", "BDT"), ("bgn", "BGN"), ("bhd", "BHD"), ("brl", "BRL"), ("c$", "CAD"),
    ("ca$", "CAD"), ("cad", "CAD"), ("cdn$", "CAD"), ("chf", "CHF"), ("clp", "CLP"),
    ("cny", "CNY"), ("cop", "COP"), ("czk", "CZK"), ("dkk", "DKK"), ("egp", "EGP"),
    ("eur", "EUR"), ("euro", "EUR"), ("euros", "EUR"), ("fr.", "CHF"), ("ft", "HUF"),
    ("gbp", "GBP"), ("hk$", "HKD"), ("hkd", "HKD"), ("hrk", "HRK"), ("huf", "HUF"),
    ("idr", "IDR"), ("ils", "ILS"), ("inr", "INR"), ("isk", "ISK"), ("jod", "JOD"),
    ("jpy", "JPY"), ("kes", "KES"), ("kr", "kr"), ("kr.", "kr"), ("krw", "KRW"), ("kwd", "KWD"),
    ("kzt", "KZT"), ("kč", "CZK"), ("lei", "RON"), ("lkr", "LKR"), ("mad", "MAD"),
    ("mx$", "MXN"), ("mxn", "MXN"), ("myr", "MYR"), ("ngn", "NGN"), ("nis", "ILS"),
    ("nok", "NOK"), ("nt$", "TWD"), ("nz$", "NZD"), ("nzd", "NZD"), ("omr", "OMR"),
    ("pen", "PEN"), ("php", "PHP"), ("pkr", "PKR"), ("pln", "PLN"), ("qar", "QAR"),
    ("r$", "BRL"), ("rm", "MYR"), ("rmb", "CNY"), ("ron", "RON"), ("rp", "IDR"), ("rp.", "IDR"),
    ("rs", "Rs"), ("rs.", "Rs"), ("rsd", "RSD"), ("rub", "RUB"), ("s$", "SGD"), ("s/", "PEN"),
    ("s/.", "PEN"), ("sar", "SAR"), ("sek", "SEK"), ("sfr", "CHF"), ("sfr.", "CHF"),
    ("sgd", "SGD"), ("thb", "THB"), ("tl", "TRY"), ("tnd", "TND"), ("try", "TRY"),
    ("twd", "TWD"), ("uah", "UAH"), ("us $", "USD"), ("us$", "USD"), ("usd", "USD"),
    ("vnd", "VND"), ("zar", "ZAR"), ("zl", "PLN"), ("zł", "PLN"), ("£", "GBP"), ("¥", "¥"),
    ("đ", "VND"), ("грн", "UAH"), ("грн.", "UAH"), ("лв", "BGN"), ("лв.", "BGN"), ("р.", "RUB"),
    ("руб", "RUB"), ("руб.", "RUB"), ("฿", "THB"), ("₡", "CRC"), ("₦", "NGN"), ("₩", "KRW"),
    ("₪", "ILS"), ("₫", "VND"), ("€", "EUR"), ("₱", "PHP"), ("₲", "PYG"), ("₴", "UAH"),
    ("₵", "GHS"), ("₸", "KZT"), ("₹", "INR"), ("₺", "TRY"), ("₼", "AZN"), ("₽", "RUB"),
    ("₾", "GEL"), ("元", "CNY"), ("円", "JPY"), ("원", "KRW"), ("￥", "¥"),
];

/// Currencies that are written with three decimals, so that `1,226` stays open.
pub(super) const THREE_DECIMALS: [&str; 5] = ["BHD", "JOD", "KWD", "OMR", "TND"];

/// The most pieces in one spelling ("S", "/", ".").
const MAX_PIECES: usize = 3;

/// Whether a spelling begins with this word, in lower case.
pub(super) fn may_begin(word: &str) -> bool {
    let at = CURRENCIES.partition_point(|(spelling, _)| *spelling < word);
    CURRENCIES.get(at).is_some_and(|(spelling, _)| spelling.starts_with(word))
}

/// Reads a currency: its ISO 4217 code, or its symbol if several currencies share it.
pub(super) fn currency(cursor: &mut Cursor<'_, '_>) -> Option<&'static str> {
    let mut pieces = 1;
    let mut bytes = [0; MAX_PIECES + 1];
    for n in 0..MAX_PIECES {
        let Some(token) = cursor.ahead(n) else { break };
        let fits = match token.class {
            Class::Mark(_) => true,
            Class::Word => n == 0,
            // US $5
            Class::Space => n == 1 && cursor.ahead(2).is_some_and(|next| next.text == "$"),
            Class::Digits => false,
        };
        if !fits {
            break;
        }
        bytes[n + 1] = bytes[n] + token.text.len();
        pieces = n + 1;
    }
    if bytes[1] == 0 {
        return None;
    }
    for pieces in (1..=pieces).rev() {
        let spelling = &cursor.rest()[..bytes[pieces]];
        let found = Folded::new(spelling).and_then(|word| look_up(CURRENCIES, word.as_str()));
        if let Some(code) = found {
            cursor.skip(pieces);
            return Some(code);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(CURRENCIES.is_sorted_by(|a, b| a.0 < b.0));
    }
}
