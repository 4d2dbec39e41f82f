//! Recognises currencies by symbol, code and name.

use crate::scan::{Class, Cursor, Folded, look_up};

/// Spellings in lower case: ISO 4217 codes that mean nothing else beside a number (not `cup`, `kgs`, `awg`), and the symbols that the Unicode CLDR
/// gives in the languages of each country. A symbol of several countries ("$", "kr", "¥") stands for itself. Sorted.
#[rustfmt::skip]
const CURRENCIES: &[(&str, &str)] = &[
    ("$", "$"), ("a$", "AUD"), ("aed", "AED"), ("afn", "AFN"), ("aoa", "AOA"), ("ars", "ARS"),
    ("au$", "AUD"), ("aud", "AUD"), ("azn", "AZN"), ("bbd", "BBD"), ("bdt", "BDT"), ("bgn", "BGN"),
    ("bhd", "BHD"), ("bif", "BIF"), ("bnd", "BND"), ("brl", "BRL"), ("bwp", "BWP"), ("byn", "BYN"),
    ("bzd", "BZD"), ("c$", "CAD"), ("ca$", "CAD"), ("cad", "CAD"), ("cdn$", "CAD"), ("chf", "CHF"),
    ("clp", "CLP"), ("cny", "CNY"), ("cop", "COP"), ("czk", "CZK"),
    ("djf", "DJF"), ("dkk", "DKK"), ("dop", "DOP"), ("dzd", "DZD"), ("egp", "EGP"), ("eur", "EUR"),
    ("euro", "EUR"), ("euros", "EUR"), ("fcfa", "FCFA"), ("fjd", "FJD"), ("fr.", "CHF"),
    ("ft", "HUF"), ("gbp", "GBP"), ("ghs", "GHS"), ("gh₵", "GHS"), ("gmd", "GMD"), ("gnf", "GNF"),
    ("gtq", "GTQ"), ("gyd", "GYD"), ("hk$", "HKD"), ("hkd", "HKD"), ("hnl", "HNL"), ("hrk", "HRK"),
    ("htg", "HTG"), ("huf", "HUF"), ("idr", "IDR"), ("ils", "ILS"), ("inr", "INR"), ("iqd", "IQD"),
    ("irr", "IRR"), ("isk", "ISK"), ("j$", "JMD"), ("jmd", "JMD"), ("jod", "JOD"), ("jpy", "JPY"),
    ("kes", "KES"), ("khr", "KHR"), ("kmf", "KMF"), ("kr", "kr"), ("kr.", "kr"), ("krw", "KRW"),
    ("ksh", "KES"), ("ksh.", "KES"), ("kshs", "KES"), ("kwd", "KWD"), ("kyd", "KYD"),
    ("kzt", "KZT"), ("kč", "CZK"), ("lak", "LAK"), ("lei", "RON"), ("lei.", "RON"), ("lek", "ALL"),
    ("lekë", "ALL"), ("lkr", "LKR"), ("lrd", "LRD"), ("lsl", "LSL"), ("lyd", "LYD"), ("mad", "MAD"),
    ("mga", "MGA"), ("mkd", "MKD"), ("mmk", "MMK"), ("mru", "MRU"), ("mur", "MUR"), ("mvr", "MVR"),
    ("mwk", "MWK"), ("mx$", "MXN"), ("mxn", "MXN"), ("myr", "MYR"), ("mzn", "MZN"), ("n$", "NAD"),
    ("ngn", "NGN"), ("nis", "ILS"), ("nok", "NOK"), ("npr", "NPR"), ("nt$", "TWD"), ("nz$", "NZD"),
    ("nzd", "NZD"), ("omr", "OMR"), ("pen", "PEN"), ("pgk", "PGK"), ("php", "PHP"), ("pkr", "PKR"),
    ("pln", "PLN"), ("pyg", "PYG"), ("qar", "QAR"), ("r$", "BRL"), ("rd$", "DOP"), ("rm", "MYR"),
    ("rmb", "CNY"), ("ron", "RON"), ("rp", "IDR"), ("rp.", "IDR"), ("rs", "Rs"), ("rs.", "Rs"),
    ("rsd", "RSD"), ("rub", "RUB"), ("rwf", "RWF"), ("s$", "SGD"), ("s/", "PEN"), ("s/.", "PEN"),
    ("sar", "SAR"), ("sbd", "SBD"), ("sdg", "SDG"), ("sek", "SEK"), ("sfr", "CHF"), ("sfr.", "CHF"),
    ("sgd", "SGD"), ("srd", "SRD"), ("syp", "SYP"), ("szl", "SZL"), ("thb", "THB"), ("tjs", "TJS"),
    ("tl", "TRY"), ("tmt", "TMT"), ("tnd", "TND"), ("try", "TRY"), ("tsh", "TZS"), ("tt$", "TTD"),
    ("ttd", "TTD"), ("twd", "TWD"), ("tzs", "TZS"), ("u$s", "USD"), ("uah", "UAH"), ("ugx", "UGX"),
    ("us $", "USD"), ("us$", "USD"), ("usd", "USD"), ("ush", "UGX"), ("uyu", "UYU"), ("uzs", "UZS"),
    ("vnd", "VND"), ("vuv", "VUV"), ("xaf", "XAF"), ("xcd", "XCD"), ("xof", "XOF"), ("xpf", "XPF"),
    ("yer", "YER"), ("zar", "ZAR"), ("zl", "PLN"), ("zmw", "ZMW"), ("zł", "PLN"), ("£", "GBP"),
    ("¥", "¥"), ("đ", "VND"), ("грн", "UAH"), ("грн.", "UAH"), ("ден", "MKD"), ("ден.", "MKD"),
    ("дин", "RSD"), ("дин.", "RSD"), ("лв", "BGN"), ("лв.", "BGN"), ("р.", "RUB"), ("рсд", "RSD"),
    ("руб", "RUB"), ("руб.", "RUB"), ("рублей", "RUB"), ("сом", "KGS"), ("сум", "UZS"),
    ("тг", "KZT"), ("тг.", "KZT"), ("тенге", "KZT"), ("֏", "AMD"), ("؋", "AFN"), ("تومان", "IRT"),
    ("جنيه", "EGP"), ("ريال", "SAR"), ("ریال", "IRR"), ("৳", "BDT"),
    ("රු", "LKR"), ("රු.", "LKR"), ("บาท", "THB"), ("฿", "THB"), ("៛", "KHR"), ("₡", "CRC"),
    ("₤", "GBP"), ("₦", "NGN"), ("₨", "Rs"), ("₩", "KRW"), ("₪", "ILS"), ("₫", "VND"), ("€", "EUR"),
    ("₭", "LAK"), ("₮", "MNT"), ("₱", "PHP"), ("₲", "PYG"), ("₴", "UAH"), ("₵", "GHS"),
    ("₸", "KZT"), ("₹", "INR"), ("₺", "TRY"), ("₼", "AZN"), ("₽", "RUB"), ("₾", "GEL"),
    ("人民币", "CNY"), ("元", "CNY"), ("円", "JPY"), ("원", "KRW"), ("﷼", "IRR"), ("￥", "¥"),
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
