//! Kinds and meanings of values: a table of texts, and laws.

use proptest::prelude::*;
use quarry_value::{self as value, ColumnReading, Meaning, ValueKind};

/// A text, its kind, and what it says (`?` where it has more than one reading).
const CASES: &[(&str, ValueKind, &str)] = &[
    // Numbers in any locale
    ("5", ValueKind::Number, "5"),
    ("1226.5", ValueKind::Number, "1226.5"),
    ("1,226.50", ValueKind::Number, "1226.5"),
    ("1.226,50", ValueKind::Number, "1226.5"),
    ("1 226,50", ValueKind::Number, "1226.5"),
    ("1\u{202f}226,50", ValueKind::Number, "1226.5"),
    ("1'226.50", ValueKind::Number, "1226.5"),
    ("1’226.50", ValueKind::Number, "1226.5"),
    ("12,34,567", ValueKind::Number, "1234567"),
    ("1,226,000", ValueKind::Number, "1226000"),
    ("1.226.000", ValueKind::Number, "1226000"),
    ("1,226", ValueKind::Number, "?"),
    ("1.226", ValueKind::Number, "?"),
    ("0.125", ValueKind::Number, "0.125"),
    ("0,125", ValueKind::Number, "0.125"),
    (".5", ValueKind::Number, "0.5"),
    ("1234,567", ValueKind::Number, "1234.567"),
    ("-7", ValueKind::Number, "-7"),
    ("−7.25", ValueKind::Number, "-7.25"),
    ("(123)", ValueKind::Number, "?"),
    ("007", ValueKind::Number, "?"),
    ("12345678901234567890", ValueKind::Number, "?"),
    ("2024", ValueKind::Number, "2024"),
    ("1.2.3", ValueKind::Text, "?"),
    ("192.168.0.1", ValueKind::Text, "?"),
    ("12:30", ValueKind::Text, "?"),
    ("1/2", ValueKind::Text, "?"),
    ("A4", ValueKind::Text, "?"),
    ("123 reviews", ValueKind::Text, "?"),
    ("Windows 11", ValueKind::Text, "?"),
    // Quantities
    ("27 inch", ValueKind::Number, "27 in"),
    ("27\"", ValueKind::Number, "27 in"),
    ("27-inch", ValueKind::Number, "27 in"),
    ("1.5 kg", ValueKind::Number, "1.5 kg"),
    ("1,5kg", ValueKind::Number, "1.5 kg"),
    ("300 cd/m²", ValueKind::Number, "300 cd/m²"),
    ("300 cd/m2", ValueKind::Number, "300 cd/m²"),
    ("5 ms", ValueKind::Number, "5 ms"),
    ("3 GHz", ValueKind::Number, "3 GHz"),
    ("5 mW", ValueKind::Number, "5 mW"),
    ("5 MW", ValueKind::Number, "5 MW"),
    ("95%", ValueKind::Number, "95 %"),
    ("95 %", ValueKind::Number, "95 %"),
    ("20 °C", ValueKind::Number, "20 °C"),
    ("8 fl oz", ValueKind::Number, "8 fl oz"),
    ("1,200 sq ft", ValueKind::Number, "?"),
    ("10–20 W", ValueKind::Number, "10..20 W"),
    ("10 W - 20 W", ValueKind::Number, "10..20 W"),
    ("10–20", ValueKind::Number, "10..20"),
    ("6-9", ValueKind::Number, "?"),
    ("6-5 W", ValueKind::Number, "?"),
    ("10 to 20 kg", ValueKind::Number, "10..20 kg"),
    ("10 x 20 x 3 cm", ValueKind::Number, "10x20x3 cm"),
    ("10cm × 20cm", ValueKind::Number, "10x20 cm"),
    ("1920x1080", ValueKind::Number, "1920x1080"),
    ("1920 x 1080 pixels", ValueKind::Number, "1920x1080 px"),
    ("10,5 x 20 x 3 cm", ValueKind::Number, "10.5x20x3 cm"),
    ("~ 5 kg", ValueKind::Number, "?"),
    // Prices
    ("$5", ValueKind::Price, "5 $"),
    ("$1,226.50", ValueKind::Price, "1226.5 $"),
    ("-1.226 €", ValueKind::Price, "-1226 EUR"),
    ("$1,226", ValueKind::Price, "1226 $"),
    ("$1.226", ValueKind::Price, "?"),
    ("1.226,50 €", ValueKind::Price, "1226.5 EUR"),
    ("1.226 €", ValueKind::Price, "1226 EUR"),
    ("EUR 12,99", ValueKind::Price, "12.99 EUR"),
    ("12,99 EUR", ValueKind::Price, "12.99 EUR"),
    ("12.99 euros", ValueKind::Price, "12.99 EUR"),
    ("€12.99", ValueKind::Price, "12.99 EUR"),
    ("£ 3.50", ValueKind::Price, "3.5 GBP"),
    ("US$ 20", ValueKind::Price, "20 USD"),
    ("$20 USD", ValueKind::Price, "20 USD"),
    ("CHF 1'226.50", ValueKind::Price, "1226.5 CHF"),
    ("1 226,50 zł", ValueKind::Price, "1226.5 PLN"),
    ("44 890 тг.", ValueKind::Price, "44890 KZT"),
    ("5 kgs", ValueKind::Number, "5 kg"),
    ("24 AWG", ValueKind::Text, "?"),
    ("299 kr", ValueKind::Price, "299 kr"),
    ("299,- kr", ValueKind::Price, "299 kr"),
    ("5,– €", ValueKind::Price, "5 EUR"),
    ("¥1,200", ValueKind::Price, "1200 ¥"),
    ("1,200円", ValueKind::Price, "1200 JPY"),
    ("₹ 1,23,456", ValueKind::Price, "123456 INR"),
    ("Rs. 500", ValueKind::Price, "500 Rs"),
    ("R$ 10,50", ValueKind::Price, "10.5 BRL"),
    ("1 200 руб.", ValueKind::Price, "1200 RUB"),
    ("from $5", ValueKind::Price, "from 5 $"),
    ("ab 12,99 €", ValueKind::Price, "from 12.99 EUR"),
    ("à partir de 5 €", ValueKind::Price, "from 5 EUR"),
    ("$5 - $10", ValueKind::Price, "5..10 $"),
    ("$5–10", ValueKind::Price, "5..10 $"),
    ("5 bis 10 EUR", ValueKind::Price, "5..10 EUR"),
    ("3,50 €/kg", ValueKind::Price, "3.5 EUR per kg"),
    ("$9.99 per month", ValueKind::Price, "9.99 $ per mo"),
    ("1,459 €/l", ValueKind::Price, "?"),
    ("-$5.00", ValueKind::Price, "-5 $"),
    ("KWD 1.250", ValueKind::Price, "?"),
    ("US $5-7 / Piece", ValueKind::Price, "5..7 USD per pcs"),
    ("$ 26 99", ValueKind::Price, "26.99 $"),
    ("$5 off", ValueKind::Text, "?"),
    ("$", ValueKind::Text, "?"),
    ("Save $5", ValueKind::Text, "?"),
    // Dates
    ("12 Mar 2024", ValueKind::Date, "2024-03-12"),
    ("2024-03-12", ValueKind::Date, "2024-03-12"),
    ("2024/3/12", ValueKind::Date, "2024-03-12"),
    ("12.03.2024", ValueKind::Date, "2024-03-12"),
    ("12. 3. 2024", ValueKind::Date, "2024-03-12"),
    ("12.03.24", ValueKind::Date, "2024-03-12"),
    ("March 12, 2024", ValueKind::Date, "2024-03-12"),
    ("Mar. 12th, 2024", ValueKind::Date, "2024-03-12"),
    ("12th of March, 2024", ValueKind::Date, "2024-03-12"),
    ("12-Mar-24", ValueKind::Date, "2024-03-12"),
    ("12/03/24", ValueKind::Date, "?"),
    ("12/03/2024", ValueKind::Date, "?"),
    ("13/03/2024", ValueKind::Date, "2024-03-13"),
    ("03/13/2024", ValueKind::Date, "2024-03-13"),
    ("12/12/2024", ValueKind::Date, "2024-12-12"),
    ("31/02/2024", ValueKind::Text, "?"),
    ("Tuesday, March 12, 2024", ValueKind::Date, "2024-03-12"),
    ("Tue 12 Mar 2024", ValueKind::Date, "2024-03-12"),
    ("12. März 2024", ValueKind::Date, "2024-03-12"),
    ("12 mars 2024", ValueKind::Date, "2024-03-12"),
    ("le 1er mars 2024", ValueKind::Date, "2024-03-01"),
    ("12 de marzo de 2024", ValueKind::Date, "2024-03-12"),
    ("12 marzo 2024", ValueKind::Date, "2024-03-12"),
    ("12 de março de 2024", ValueKind::Date, "2024-03-12"),
    ("12 maart 2024", ValueKind::Date, "2024-03-12"),
    ("12 marca 2024", ValueKind::Date, "2024-03-12"),
    ("12 марта 2024", ValueKind::Date, "2024-03-12"),
    ("2024. március 12.", ValueKind::Date, "2024-03-12"),
    ("2024年3月12日", ValueKind::Date, "2024-03-12"),
    ("2024년 3월 12일", ValueKind::Date, "2024-03-12"),
    ("Aug 26 '14", ValueKind::Date, "2014-08-26"),
    ("26 Aug '14", ValueKind::Date, "2014-08-26"),
    ("March 2024", ValueKind::Date, "2024-03"),
    ("03/2024", ValueKind::Date, "2024-03"),
    ("2024-03", ValueKind::Date, "2024-03"),
    ("2010-12", ValueKind::Date, "?"),
    ("12 March", ValueKind::Date, "--03-12"),
    ("Mar 12", ValueKind::Date, "--03-12"),
    ("2024-03-12T10:30:45Z", ValueKind::Date, "2024-03-12T10:30:45Z"),
    ("2024-03-12T10:30:45.123+01:00", ValueKind::Date, "2024-03-12T10:30:45+01:00"),
    ("2024-03-12 10:30", ValueKind::Date, "2024-03-12T10:30:00"),
    ("12 Mar 2024, 10:30 PM", ValueKind::Date, "2024-03-12T22:30:00"),
    ("March 12, 2024 at 12:05 a.m.", ValueKind::Date, "2024-03-12T00:05:00"),
    ("12.03.2024 10:30 Uhr", ValueKind::Date, "2024-03-12T10:30:00"),
    ("10:30, 12 Mar 2024", ValueKind::Date, "2024-03-12T10:30:00"),
    ("vor 3 Tagen", ValueKind::Text, "?"),
    ("yesterday", ValueKind::Text, "?"),
    ("3 days ago", ValueKind::Text, "?"),
    ("Set 3", ValueKind::Text, "?"),
    ("Gen 2", ValueKind::Text, "?"),
    ("May", ValueKind::Text, "?"),
    ("updated 12 Mar 2024", ValueKind::Text, "?"),
    // Addresses
    ("https://example.org/a?b=1", ValueKind::Link, "https://example.org/a?b=1"),
    ("www.example.org", ValueKind::Link, "www.example.org"),
    ("/items/12", ValueKind::Link, "/items/12"),
    ("//cdn.example.org/a.png", ValueKind::Link, "//cdn.example.org/a.png"),
    ("example.org/item", ValueKind::Link, "example.org/item"),
    ("and/or", ValueKind::Text, "?"),
    ("Node.js", ValueKind::Text, "?"),
    ("/kg", ValueKind::Text, "?"),
    ("", ValueKind::Text, "?"),
    // Product numbers
    ("4006381333931", ValueKind::Number, "gtin 04006381333931"),
    ("4006381333932", ValueKind::Number, "4006381333932"),
    ("036000291452", ValueKind::Number, "gtin 00036000291452"),
    ("978-3-16-148410-0", ValueKind::Text, "isbn 09783161484100"),
    ("ISBN 0-306-40615-2", ValueKind::Text, "isbn 09780306406157"),
    ("ISBN-10: 0306406152", ValueKind::Text, "isbn 09780306406157"),
    ("0306406152", ValueKind::Number, "?"),
    ("0-8044-2957-X", ValueKind::Text, "isbn 09780804429573"),
    ("EAN: 40170725", ValueKind::Text, "gtin 00000040170725"),
    ("EAN 40170726", ValueKind::Text, "?"),
    ("40170725", ValueKind::Number, "40170725"),
    // Telephone numbers
    ("+49 30 1234567", ValueKind::Text, "tel +49301234567"),
    ("(212) 555-0100", ValueKind::Text, "tel 2125550100"),
    ("212-555-0100", ValueKind::Text, "tel 2125550100"),
    ("1-800-555-0100", ValueKind::Text, "tel 18005550100"),
    ("030/1234567", ValueKind::Text, "tel 0301234567"),
    ("01 23 45 67 89", ValueKind::Text, "tel 0123456789"),
    ("123 456 789", ValueKind::Number, "123456789"),
    // Yes and no, lists
    ("Yes", ValueKind::Text, "true"),
    ("nein", ValueKind::Text, "false"),
    ("✔", ValueKind::Text, "true"),
    ("✗", ValueKind::Text, "false"),
    ("Anna Smith, Bob Jones and Carl Doe", ValueKind::Text, "Anna Smith+Bob Jones+Carl Doe"),
    ("Anna Smith; Bob Jones", ValueKind::Text, "Anna Smith+Bob Jones"),
    ("Smith, John", ValueKind::Text, "?"),
    ("Drama / Comedy", ValueKind::Text, "Drama+Comedy"),
    ("Red, Green, Blue", ValueKind::Text, "Red+Green+Blue"),
    ("Fast, and it works well", ValueKind::Text, "?"),
];

fn shown(meaning: &Meaning) -> String {
    let unit = |unit: Option<&str>| unit.map_or(String::new(), |unit| format!(" {unit}"));
    match meaning {
        Meaning::Quantity(quantity) => {
            let between = if quantity.shape == value::Shape::Range { ".." } else { "x" };
            let numbers: Vec<String> = quantity.numbers.iter().map(f64::to_string).collect();
            format!("{}{}", numbers.join(between), unit(quantity.unit))
        }
        Meaning::Date(date) => date.to_string(),
        Meaning::Price(price) => {
            let from = if price.from { "from " } else { "" };
            let to = price.to.map_or(String::new(), |to| format!("..{to}"));
            let per = price.per.map_or(String::new(), |per| format!(" per {per}"));
            format!("{from}{}{to} {}{per}", price.amount, price.currency)
        }
        Meaning::Link(link) => link.clone(),
        Meaning::Code(code) => {
            let scheme = if code.scheme == value::Scheme::Isbn { "isbn" } else { "gtin" };
            format!("{scheme} {}", code.gtin)
        }
        Meaning::Phone(digits) => format!("tel {digits}"),
        Meaning::Boolean(yes) => yes.to_string(),
        Meaning::Names(names) => names.join("+"),
    }
}

#[test]
fn every_text_of_the_table() {
    let mut wrong = Vec::new();
    for &(text, kind, says) in CASES {
        let found = value::parse(text);
        let shown = found.as_ref().map_or("?".to_owned(), |value| shown(&value.meaning));
        if value::kind(text) != kind || shown != says {
            wrong.push(format!("{text}: {} {shown}, not {kind} {says}", value::kind(text)));
        }
        assert!(found.is_none_or(|value| value.raw == text));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_column_decides_what_one_value_leaves_open() {
    let cases: &[(&[&str], &str, &str)] = &[
        (&["12/03/24", "25/03/24"], "12/03/24", "2024-03-12"),
        (&["12/03/24", "03/25/24"], "12/03/24", "2024-12-03"),
        (&["12/03/24", "05/06/23"], "12/03/24", "?"),
        (&["25/03/24"], "25/03/24", "2024-03-25"),
        (&["24/03/12", "99/05/06", "85/12/31"], "24/03/12", "2024-03-12"),
        (&["1,226", "3,5"], "1,226", "1.226"),
        (&["1,226", "3.5"], "1,226", "1226"),
        (&["1,226", "2,000", "31,415"], "1,226", "1226"),
        (&["1.226", "2.000", "31.415"], "1.226", "1226"),
        (&["1.226", "2450"], "1.226", "1.226"),
        (&["1,226"], "1,226", "?"),
        (&["3,5", "3.5", "1,226"], "1,226", "?"),
        (&["$1.226", "$12.50"], "$1.226", "1.226 $"),
        (&["$1.226", "$12.500", "$999", "$2.000"], "$1.226", "1226 $"),
    ];
    for (values, text, says) in cases {
        let column = ColumnReading::of(values.iter().copied());
        let found = column.parse(text).map_or("?".to_owned(), |value| shown(&value.meaning));
        assert_eq!(&found, says, "{text} in {values:?}: {column:?}");
    }
}

/// A number of hundredths, written with these marks.
fn written(hundredths: u64, group: &str, decimal: char) -> String {
    let digits = (hundredths / 100).to_string();
    let mut whole = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            whole.push_str(group);
        }
        whole.push(digit);
    }
    format!("{whole}{decimal}{:02}", hundredths % 100)
}

const LOCALES: [(&str, char); 7] = [
    (",", '.'),
    (".", ','),
    (" ", ','),
    ("\u{a0}", ','),
    ("\u{202f}", ','),
    ("'", '.'),
    ("’", '.'),
];

proptest! {
    #[test]
    fn a_number_comes_back_from_every_locale(hundredths in 0_u64..100_000_000_000_000) {
        for (group, decimal) in LOCALES {
            let text = written(hundredths, group, decimal);
            let says = shown(&value::parse(&text).unwrap().meaning);
            prop_assert_eq!(says, (hundredths as f64 / 100.0).to_string(), "{}", text);
            for price in [format!("{text} €"), format!("EUR{text}"), format!("from {text}€")] {
                let price = value::parse(&price).unwrap();
                let Meaning::Price(price) = price.meaning else { panic!("{price:?}") };
                prop_assert_eq!(price.amount, hundredths as f64 / 100.0);
            }
        }
    }

    #[test]
    fn a_day_comes_back_from_every_form(year in 1950_u16..2069, month in 1_usize..=12, day in 1_u16..=28) {
        let english = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December"][month - 1];
        let short = &english[..3];
        let iso = format!("{year}-{month:02}-{day:02}");
        for text in [
            iso.clone(), format!("{day}.{month}.{year}"), format!("{day} {english} {year}"),
            format!("{short} {day}, {year}"), format!("{day}-{short}-{year}"), format!("{year}/{month}/{day}"),
            format!("{short}. {day} {year}"), format!("{iso}T00:00:00Z"),
        ] {
            prop_assert_eq!(value::kind(&text), ValueKind::Date, "{}", text);
            let says = shown(&value::parse(&text).unwrap().meaning);
            prop_assert_eq!(says.split('T').next().unwrap(), iso.as_str(), "{}", text);
        }
    }

    #[test]
    fn any_text_has_a_kind(text in "\\PC{0,40}") {
        let kind = value::kind(&text);
        if let Some(value) = value::parse(&text) {
            prop_assert!(kind != ValueKind::Text || matches!(value.raw, _));
            prop_assert_eq!(value.raw, text);
        }
    }

    #[test]
    fn a_column_in_any_order_is_the_same_column(
        mut values in proptest::collection::vec("[0-9]{1,2}/[0-9]{1,2}/[0-9]{2}|[0-9]{1,3}[.,][0-9]{1,3}|[a-z]{3}", 0..12)
    ) {
        let column = ColumnReading::of(values.iter().map(String::as_str));
        values.reverse();
        prop_assert_eq!(column, ColumnReading::of(values.iter().map(String::as_str)));
    }
}
