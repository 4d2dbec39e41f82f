//! Which texts of an entity's own page its record does not say.

use std::collections::BTreeSet;

use quarry_dom::{Document, Tag, fold_whitespace};

use super::JsonRecord;

/// Of the letters and digits of a text, the share that a value in it has for the text to say just that: `12 kg` says 12.
const MIN_SHARE: f64 = 0.5;

/// The different texts of a page.
#[derive(Debug, Clone, Default)]
pub struct DetailTexts(BTreeSet<String>);

impl DetailTexts {
    /// The texts that a document shows.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let hidden = [Tag::SCRIPT, Tag::STYLE, Tag::NOSCRIPT, Tag::TEMPLATE, Tag::HEAD];
        let is_hidden = |node| {
            document.ancestors(node).any(|above| hidden.iter().any(|&tag| document.is(above, tag)))
        };
        let texts = document.all().filter(|&node| document.is_text(node) && !is_hidden(node));
        let texts = texts.map(|node| fold_whitespace(document.text(node)).trim().to_owned());
        Self(texts.filter(|text| text.chars().any(char::is_alphanumeric)).collect())
    }
}

/// For each page of an entity: how many texts it does not share with all the others, and how many of these its record does not say.
#[must_use]
pub fn texts_missing_from_records(
    pages: &[(DetailTexts, Vec<&JsonRecord>)],
) -> Vec<(usize, usize)> {
    let is_common = |text: &String| pages.iter().all(|(other, _)| other.0.contains(text));
    pages
        .iter()
        .map(|(texts, records)| {
            let own: Vec<&String> = texts.0.iter().filter(|text| !is_common(text)).collect();
            let values: Vec<&str> = records
                .iter()
                .flat_map(|record| record.fields.iter().map(|field| field.value.as_str()))
                .collect();
            // A name before its value in one text: what surrounds the value stands on all pages.
            let is_named = |text: &str, value: &str| {
                text.match_indices(value).any(|(at, _)| {
                    let (before, behind) = (&text[..at], &text[at + value.len()..]);
                    let frames = |other: &String| {
                        other.starts_with(before) && other[before.len()..].ends_with(behind)
                    };
                    !before.is_empty() && pages.iter().all(|(other, _)| other.0.iter().any(frames))
                })
            };
            let names: BTreeSet<String> = records
                .iter()
                .flat_map(|record| record.fields.iter().map(|field| bare(&field.name)))
                .collect();
            // The name of a field that not all records have, and all values of a field in one text.
            let is_name = |text: &str| names.contains(&bare(text));
            let are_values = |text: &str| {
                let parts = text.split([',', ';', '|', '/']).map(str::trim);
                parts.filter(|part| !part.is_empty()).all(|part| values.contains(&part))
            };
            let is_said = |text: &&&String| {
                values.iter().any(|value| says(text, value) || is_named(text, value))
                    || is_name(text)
                    || are_values(text)
            };
            let missing = own.iter().filter(|text| !is_said(text));
            (own.len(), missing.count())
        })
        .collect()
}

/// Letters and digits in small letters: `Price level:` is what a field `priceLevel` is called.
fn bare(text: &str) -> String {
    let chars = text.chars().filter(|char| char.is_alphanumeric());
    chars.flat_map(char::to_lowercase).collect()
}

/// Whether a text says a value and little else.
fn says(text: &str, value: &str) -> bool {
    if text == value {
        return true;
    }
    let weight = |text: &str| text.chars().filter(|char| char.is_alphanumeric()).count() as f64;
    if let Ok(number) = value.parse::<f64>() {
        let tokens = text.split(|char: char| !char.is_ascii_digit() && !matches!(char, '.' | ','));
        return tokens.filter(|token| !token.is_empty()).any(|token| {
            let plain: String = token.chars().filter(|&char| char != ',').collect();
            plain.trim_matches('.').parse() == Ok(number)
                && weight(token) >= MIN_SHARE * weight(text)
        });
    }
    let (long, short) = if text.len() >= value.len() { (text, value) } else { (value, text) };
    long.contains(short) && weight(short) >= MIN_SHARE * weight(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_before_its_value_is_no_news() {
        let page = |html: &str| DetailTexts::of(&Document::from_html(html));
        let record = |maker: &str| {
            let json = serde_json::json!({ "a": maker });
            super::super::record(&json, String::new()).unwrap()
        };
        let (left, right) = (record("Norva"), record("Bergen"));
        let pages = [
            (page("<h1>One</h1><p>Manufacturer : Norva"), vec![&left]),
            (page("<h1>Two</h1><p>Manufacturer : Bergen"), vec![&right]),
        ];
        assert_eq!(texts_missing_from_records(&pages), [(2, 1), (2, 1)]);
    }

    #[test]
    fn names_of_fields_and_joined_values_are_no_news() {
        let page = |html: &str| DetailTexts::of(&Document::from_html(html));
        let record = |json: serde_json::Value| super::super::record(&json, String::new()).unwrap();
        let left = record(serde_json::json!({ "openFrom": "9:00", "meals": ["Lunch", "Brunch"] }));
        let right = record(serde_json::json!({ "seats": "12" }));
        let pages = [
            (page("<dt>Open from:<dd>9:00<dt>Meals<dd>Lunch, Brunch"), vec![&left]),
            (page("<dt>Seats<dd>12<dt>Terrace<dd>Oak, Ash"), vec![&right]),
        ];
        assert_eq!(texts_missing_from_records(&pages), [(4, 0), (4, 2)]);
    }

    #[test]
    fn texts_with_units_say_their_values() {
        for (text, value, expect) in [
            ("262 g", "262", true),
            ("€1,077.20", "1077.2", true),
            ("A sturdy piece of 5 parts", "5", false),
            ("by Acme", "Acme", true),
            ("Oak", "Steel", false),
        ] {
            assert_eq!(says(text, value), expect, "{text} {value}");
        }
    }
}
