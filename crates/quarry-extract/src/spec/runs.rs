//! Several names with values in one text: `Height: 6-5 Weight: 205 lbs Born: May 3, 1980`. The words before a colon that recur
//! in different texts of the site are a name; what stands before them is the end of the value before.

use std::collections::{BTreeMap, BTreeSet};

use super::find::{Spec, SpecPair};

/// Different texts that have a name, at least.
const MIN_TEXTS: usize = 3;
/// Words of a name, at most.
const MAX_WORDS: usize = 5;
/// A longer name is taken if it is in this share of the texts that have its last word as a name, at least: words of a value before
/// it are in fewer.
const LONGER: f64 = 0.7;
/// Longer texts are prose, in characters.
const MAX_TEXT_CHARS: usize = 600;
/// Marks between a value and the next name.
const MARKS: &[char] = &['|', '•', '·', ';', ',', ' ', '\u{a0}'];
/// Marks that end a value wherever they stand before a name.
const PARTING: &[char] = &['|', '•', '·'];

/// Learns the names inside of texts; `least`: different texts that must have one.
pub(crate) fn inner_names<'t>(
    texts: impl Iterator<Item = &'t str>,
    least: usize,
) -> BTreeSet<String> {
    let is_run =
        |text: &&str| text.chars().nth(MAX_TEXT_CHARS).is_none() && colons(text).nth(1).is_some();
    // A text that every page repeats is no evidence, so each counts once.
    let different: BTreeSet<&str> = texts.filter(is_run).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in &different {
        let endings: BTreeSet<&str> = before_colons(text).flat_map(endings).collect();
        for ending in endings {
            *counts.entry(ending).or_default() += 1;
        }
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    let mut names = BTreeSet::new();
    for before in different.iter().flat_map(|text| before_colons(text)) {
        let mut all = endings(before);
        let Some(last) = all.next().map(count).filter(|&last| last >= least.max(MIN_TEXTS)) else {
            continue;
        };
        let recurs = |name: &&str| count(name) as f64 >= LONGER * last as f64;
        let recurring = || endings(before).take_while(recurs).filter(|name| starts_as_name(name));
        // Where names have capitals, the small words before one end the value: a unit, for example.
        let capital = recurring().filter(|name| name.starts_with(char::is_uppercase)).last();
        names.extend(capital.or_else(|| recurring().last()).map(str::to_owned));
    }
    names
}

/// Parts pairs whose value holds further names with their values.
pub(crate) fn part(specs: &mut [Spec], names: &BTreeSet<String>) {
    for spec in specs {
        let is_run =
            |pair: &SpecPair| pair.attribute.is_none() && colons(&pair.value).next().is_some();
        if !spec.pairs.iter().any(is_run) {
            continue;
        }
        let parted = spec
            .pairs
            .drain(..)
            .flat_map(|pair| if is_run(&pair) { parts(&pair, names) } else { vec![pair] });
        spec.pairs = parted.collect();
    }
}

fn parts(pair: &SpecPair, names: &BTreeSet<String>) -> Vec<SpecPair> {
    let text = pair.value.as_str();
    // Where the next name begins, and where its value does.
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for colon in colons(text) {
        let before = &text[from..colon];
        let own = before.rfind(PARTING).map(|at| before[at..].trim_start_matches(MARKS));
        let known = || endings(before).filter(|name| names.contains(*name)).last();
        if let Some(name) = own.filter(|name| is_short_name(name)).or_else(known) {
            let name_at = before.rfind(name).map_or(from, |at| from + at);
            cuts.push((name_at, colon));
            from = after(text, colon);
        }
    }
    if cuts.is_empty() {
        return vec![pair.clone()];
    }
    let mut found = Vec::new();
    let mut name = pair.name.as_str();
    let mut value_from = 0;
    let ends = cuts.iter().map(|cut| cut.0).chain([text.len()]);
    let nexts = cuts.iter().map(|cut| Some(*cut)).chain([None]);
    for (end, next) in ends.zip(nexts) {
        let value = text[value_from..end].trim_matches(MARKS);
        if value.chars().any(char::is_alphanumeric) {
            found.push(SpecPair { name: name.to_owned(), value: value.to_owned(), ..pair.clone() });
        }
        if let Some((name_at, colon)) = next {
            name = text[name_at..colon].trim();
            value_from = after(text, colon);
        }
    }
    found
}

/// A name at the very beginning of a text, and what follows it.
pub(super) fn first_name(text: &str) -> Option<(&str, &str)> {
    let colon = colons(text).next()?;
    let name = text[..colon].trim();
    let rest = text[after(text, colon)..].trim_start_matches([':', '：', ' ']).trim();
    (is_short_name(name) && !rest.is_empty()).then_some((name, rest))
}

fn after(text: &str, colon: usize) -> usize {
    colon + text[colon..].chars().next().map_or(0, char::len_utf8)
}

/// Colons that may stand behind a name: not those of times, ratios and addresses.
fn colons(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.char_indices()
        .filter(|&(at, char)| {
            let behind = &text[at + char.len_utf8()..];
            let digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
            let is_ratio = digit(text[..at].chars().next_back()) && digit(behind.chars().next());
            matches!(char, ':' | '：') && !is_ratio && !behind.starts_with("//")
        })
        .map(|(at, _)| at)
}

/// The text before each colon, from the colon before it on.
fn before_colons(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    colons(text).map(move |colon| {
        let before = &text[from..colon];
        from = after(text, colon);
        before
    })
}

/// The last words of a text: one, two and so on.
fn endings(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim();
    let begins = text.char_indices().rev().filter(|&(at, char)| {
        let before = text[..at].chars().next_back();
        !char.is_whitespace() && before.is_none_or(char::is_whitespace)
    });
    begins.take(MAX_WORDS).map(|(at, _)| &text[at..])
}

fn starts_as_name(name: &str) -> bool {
    name.starts_with(char::is_alphabetic)
}

fn is_short_name(name: &str) -> bool {
    starts_as_name(name) && name.split_whitespace().count() <= MAX_WORDS
}
