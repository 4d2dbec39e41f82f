//! Compares addresses with each other by the numbers in them: links of one pager have addresses that
//! differ in one number, and that number follows the number shown.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use url::Url;

use quarry_dom::key;

/// An address with its numbers taken out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NumberedAddress {
    /// The hash of everything but the numbers.
    pub(super) pattern: u64,
    /// The numbers in order.
    pub(super) numbers: Vec<u64>,
    /// The letters right before each number: a parameter, or a word of the path.
    pub(super) names: Vec<String>,
    /// Host and path, then each parameter.
    parts: Vec<Part>,
}

/// Host and path of an address, or one of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    /// The hash of a parameter's name, or of host and path with `#` for numbers.
    name: u64,
    /// The hash of a parameter's value with `#` for numbers.
    value: u64,
    /// Which of the address's numbers stand in it.
    numbers: Range<usize>,
}

/// Takes the numbers out of an address; scheme, `www.` and a last slash say nothing.
pub(super) fn numbered(url: &Url) -> NumberedAddress {
    let host = url.host_str().unwrap_or_default();
    let mut found = NumberedAddress::default();
    let mut name = host.strip_prefix("www.").unwrap_or(host).to_owned();
    found.take(url.path().trim_end_matches('/'), None, &mut name);
    let numbers = 0..found.numbers.len();
    found.parts.push(Part { name: key::of(&name), value: 0, numbers });
    for pair in url.query().unwrap_or_default().split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (start, mut text) = (found.numbers.len(), String::new());
        found.take(value, Some(name), &mut text);
        let numbers = start..found.numbers.len();
        found.parts.push(Part { name: key::of(name), value: key::of(&text), numbers });
    }
    found.pattern = pattern(&found.parts);
    found
}

/// The hash of everything but the numbers.
fn pattern(parts: &[Part]) -> u64 {
    parts.iter().fold(0, |hash, part| key::then(key::then(hash, part.name), part.value))
}

impl NumberedAddress {
    /// Adds the numbers of a path, or of the value of a parameter; `text` gets the rest.
    fn take(&mut self, part: &str, parameter: Option<&str>, text: &mut String) {
        let (mut word, mut digits, mut in_word) = (String::new(), String::new(), false);
        for c in part.chars().chain(std::iter::once('/')) {
            if c.is_ascii_digit() {
                digits.push(c);
                continue;
            }
            if !digits.is_empty() {
                self.numbers.push(digits.parse().unwrap_or(u64::MAX));
                self.names.push(parameter.unwrap_or(&word).to_owned());
                text.push('#');
                digits.clear();
            }
            text.push(c);
            let letter = c.is_alphabetic();
            if letter && !in_word {
                word.clear();
            }
            if letter {
                word.push(c);
            }
            in_word = letter;
        }
    }

    /// The address without the values of these parameters.
    fn without(&self, tokens: &BTreeSet<u64>) -> Self {
        let mut rest = Self::default();
        for part in &self.parts {
            let mut part = part.clone();
            let start = rest.numbers.len();
            if tokens.contains(&part.name) {
                part.value = 0;
            } else {
                rest.numbers.extend_from_slice(&self.numbers[part.numbers.clone()]);
                rest.names.extend_from_slice(&self.names[part.numbers.clone()]);
            }
            part.numbers = start..rest.numbers.len();
            rest.parts.push(part);
        }
        rest.pattern = pattern(&rest.parts);
        rest
    }
}

/// Parameters whose values differ in more than numbers between links that are alike otherwise: tokens that a site makes
/// for every link. Values of words alone choose something: `stars=five`.
fn tokens(points: &[(u64, &NumberedAddress)]) -> BTreeSet<u64> {
    // By path and parameter, the values and whether they have digits.
    let mut values: BTreeMap<(u64, u64), BTreeMap<u64, bool>> = BTreeMap::new();
    for (_, address) in points {
        let [path, parameters @ ..] = &address.parts[..] else { continue };
        for part in parameters {
            let known = values.entry((path.name, part.name)).or_default();
            known.insert(part.value, !part.numbers.is_empty());
        }
    }
    let is_token = |values: &BTreeMap<u64, bool>| {
        let with_digits = values.values().filter(|digits| **digits).count();
        values.len() > 1 && 2 * with_digits > values.len()
    };
    let differ = values.into_iter().filter(|(_, values)| is_token(values));
    differ.map(|((_, name), _)| name).collect()
}

/// How the numbers of a series' addresses follow the numbers shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Axis {
    /// The pattern that most addresses have.
    pub(super) pattern: u64,
    /// Which of the pattern's numbers counts.
    pub(super) column: usize,
    /// What that number grows by for each page; taken for 1 where only one point is known.
    pub(super) step: f64,
    /// One point on the line: number shown, number in the address.
    pub(super) point: (u64, u64),
    /// The numbers of one of the addresses.
    pub(super) sample: Vec<u64>,
    /// Which columns differ between the addresses.
    pub(super) varies: Vec<bool>,
    /// The share of links with the pattern; one to the first page may have another.
    pub(super) share: f64,
    /// The share of those with the pattern whose number is on the line.
    pub(super) on_line: f64,
    /// The name of the number that counts.
    pub(super) name: String,
    /// Parameters that were not looked at: their values differ in more than numbers.
    pub(super) tokens: BTreeSet<u64>,
}

/// How far a number may lie from the line: steps are whole in nearly all pagers.
const TOLERANCE: f64 = 0.01;

/// The axis of links given as numbers shown with addresses. `None` where no address has a number.
pub(super) fn axis(points: &[(u64, &NumberedAddress)]) -> Option<Axis> {
    let plain = axis_of(points);
    if points.len() < MIN_POINTS || plain.as_ref().is_some_and(Axis::is_line) {
        return plain;
    }
    let tokens = tokens(points);
    if tokens.is_empty() {
        return plain;
    }
    let rest: Vec<(u64, NumberedAddress)> =
        points.iter().map(|(shown, address)| (*shown, address.without(&tokens))).collect();
    let rest: Vec<(u64, &NumberedAddress)> = rest.iter().map(|(n, a)| (*n, a)).collect();
    axis_of(&rest).filter(Axis::is_line).map(|axis| Axis { tokens, ..axis }).or(plain)
}

/// Links that must be on one line for what differs otherwise to be passed over: any two are on one.
const MIN_POINTS: usize = 3;

/// Of the patterns that addresses have, the axis of the one that most are on a line of.
fn axis_of(points: &[(u64, &NumberedAddress)]) -> Option<Axis> {
    let mut patterns: Vec<u64> = points
        .iter()
        .filter(|(_, address)| !address.numbers.is_empty())
        .map(|(_, address)| address.pattern)
        .collect();
    patterns.sort_unstable();
    let same = patterns.chunk_by(|one, other| one == other);
    let mut common: Vec<(usize, u64)> = same.map(|same| (same.len(), same[0])).collect();
    common.sort_unstable_by(|one, other| other.cmp(one));
    common.truncate(MOST_PATTERNS);
    let weight = |axis: &Axis| axis.share * (axis.on_line + LEAST_WEIGHT);
    common
        .into_iter()
        .filter_map(|(_, pattern)| axis_of_pattern(points, pattern))
        .reduce(|best, next| if weight(&next) > weight(&best) { next } else { best })
}

/// Patterns of a series that are looked at, the most common ones.
const MOST_PATTERNS: usize = 8;
/// Links of a series that a line is drawn through in search of its step.
const MOST_STEPS: usize = 16;
/// What a pattern counts that no number is on a line of.
const LEAST_WEIGHT: f64 = 0.01;

fn axis_of_pattern(points: &[(u64, &NumberedAddress)], pattern: u64) -> Option<Axis> {
    let own: Vec<&(u64, &NumberedAddress)> =
        points.iter().filter(|(_, address)| address.pattern == pattern).collect();
    // The first page often has an address without a number.
    let is_first = |point: &(u64, &NumberedAddress)| point.0 <= 1 && point.1.pattern != pattern;
    let first_page = usize::from(points.iter().any(is_first));
    let first = own.first()?.1;
    let columns = first.numbers.len();
    let varies: Vec<bool> = (0..columns)
        .map(|at| own.iter().any(|(_, address)| address.numbers[at] != first.numbers[at]))
        .collect();
    let mut best: Option<Axis> = None;
    for column in (0..columns).rev() {
        let alone = own.len() == 1;
        if !varies[column] && !alone {
            continue;
        }
        let pairs: Vec<(f64, f64)> = own
            .iter()
            .map(|(shown, address)| (*shown as f64, address.numbers[column] as f64))
            .collect();
        let (step, on_line) = if alone { (1.0, lone_fit(pairs[0])) } else { line(&pairs) };
        if best.as_ref().is_none_or(|best| on_line > best.on_line) {
            best = Some(Axis {
                pattern,
                column,
                step,
                point: (own[0].0, first.numbers[column]),
                sample: first.numbers.clone(),
                varies: varies.clone(),
                share: (own.len() + first_page) as f64 / points.len() as f64,
                on_line,
                name: first.names[column].clone(),
                tokens: BTreeSet::new(),
            });
        }
    }
    best
}

/// One link alone: the number shown, or one less, in the address.
fn lone_fit((shown, value): (f64, f64)) -> f64 {
    if shown == value || shown - 1.0 == value { 1.0 } else { 0.0 }
}

/// The most common step between neighbours, and the share of points on the line with that step.
fn line(pairs: &[(f64, f64)]) -> (f64, f64) {
    let mut best = (0.0, 0.0);
    for (at, one) in pairs.iter().enumerate().take(MOST_STEPS) {
        let Some(next) = pairs[at + 1..].iter().find(|next| next.0 != one.0) else { continue };
        let step = (next.1 - one.1) / (next.0 - one.0);
        if step == 0.0 {
            continue;
        }
        let on = |pair: &&(f64, f64)| (one.1 + step * (pair.0 - one.0) - pair.1).abs() < TOLERANCE;
        let share = pairs.iter().filter(on).count() as f64 / pairs.len() as f64;
        if share > best.1 {
            best = (step, share);
        }
    }
    best
}

/// Addresses and numbers on one line, from this share of the links on, make a line.
const LINE_SHARE: f64 = 0.6;

impl Axis {
    pub(super) fn is_line(&self) -> bool {
        self.on_line * self.share >= LINE_SHARE
    }

    /// Whether a link that shows a number has the address for it.
    pub(super) fn has(&self, shown: u64, address: &NumberedAddress) -> bool {
        let address = self.without_tokens(address);
        self.fits_rest(&address) && {
            let expected = self.point.1 as f64 + self.step * (shown as f64 - self.point.0 as f64);
            (expected - address.numbers[self.column] as f64).abs() < TOLERANCE
        }
    }

    fn without_tokens<'a>(&self, address: &'a NumberedAddress) -> Cow<'a, NumberedAddress> {
        match self.tokens.is_empty() {
            true => Cow::Borrowed(address),
            false => Cow::Owned(address.without(&self.tokens)),
        }
    }

    /// Whether the first page would have the number 0, 1 or one step.
    pub(super) fn begins_at_origin(&self) -> bool {
        let first = self.point.1 as f64 - self.step * (self.point.0 as f64 - 1.0);
        self.step > 0.0 && [0.0, 1.0, self.step].iter().any(|at| (first - at).abs() < TOLERANCE)
    }

    /// Whether an address is of this series: the same pattern, the same numbers where those of the series are the same.
    pub(super) fn fits(&self, address: &NumberedAddress) -> bool {
        self.fits_rest(&self.without_tokens(address))
    }

    fn fits_rest(&self, address: &NumberedAddress) -> bool {
        address.pattern == self.pattern
            && self.sample.iter().zip(&address.numbers).enumerate().all(|(at, (own, other))| {
                own == other || at == self.column || self.varies.get(at).copied().unwrap_or(false)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> NumberedAddress {
        numbered(&Url::parse(text).unwrap())
    }

    fn axis_of(links: &[(u64, &str)]) -> Option<Axis> {
        let read: Vec<(u64, NumberedAddress)> =
            links.iter().map(|(shown, text)| (*shown, of(text))).collect();
        let points: Vec<(u64, &NumberedAddress)> = read.iter().map(|(n, a)| (*n, a)).collect();
        super::axis(&points)
    }

    #[test]
    fn numbers_are_named_by_what_stands_before() {
        let names = |text: &str| of(text).names;
        assert_eq!(names("http://a.b/list?page=2&from=40"), ["page", "from"]);
        assert_eq!(names("http://a.b/list/page/2/"), ["page"]);
        assert_eq!(names("http://a.b/p2.html"), ["p"]);
        assert_eq!(names("http://a.b/2"), [""]);
        assert_eq!(of("http://a.b/x?p=1").pattern, of("https://www.a.b/x/?p=2").pattern);
    }

    #[test]
    fn the_number_that_counts_is_found() {
        let check = |links: &[(u64, &str)], column: usize, step: f64, on_line: f64| {
            let axis = axis_of(links).unwrap();
            assert_eq!(
                (axis.column, axis.step, axis.on_line),
                (column, step, on_line),
                "{links:?}"
            );
        };
        check(&[(2, "http://a.b/2"), (3, "http://a.b/3"), (9, "http://a.b/9")], 0, 1.0, 1.0);
        check(&[(2, "http://a.b/?c=7&s=20"), (3, "http://a.b/?c=7&s=40")], 1, 20.0, 1.0);
        check(
            &[(2, "http://a.b/?i=71"), (3, "http://a.b/?i=13"), (4, "http://a.b/?i=99")],
            0,
            -58.0,
            2.0 / 3.0,
        );
        assert_eq!(axis_of(&[(2, "http://a.b/x"), (3, "http://a.b/y")]), None);
    }

    #[test]
    fn tokens_that_a_site_makes_for_every_link_are_passed_over() {
        let links = [
            (2, "http://a.b/s?q=x&start=10&t=QARA2"),
            (3, "http://a.b/s?q=x&start=20&t=QZ9RC"),
            (4, "http://a.b/s?q=x&start=30&t=W"),
            (5, "http://a.b/s?q=x&start=40&t=1A7b"),
        ];
        let axis = axis_of(&links).unwrap();
        assert!(axis.is_line() && axis.step == 10.0 && axis.name == "start", "{axis:?}");
        assert!(axis.fits(&of("http://a.b/s?q=x&start=40&t=7UU8")));
        assert!(!axis.fits(&of("http://a.b/s?q=y&start=40&t=7UU8")));
        let tokens_alone =
            [(2, "http://a.b/s?t=QARA2"), (3, "http://a.b/s?t=QZ9RC"), (4, "http://a.b/s?t=7UU8")];
        assert!(!axis_of(&tokens_alone).is_some_and(|axis| axis.is_line()));
        let choices = [
            (1, "http://a.b/s?r=1&stars=one"),
            (2, "http://a.b/s?r=2&stars=two"),
            (3, "http://a.b/s?r=3&stars=three"),
            (4, "http://a.b/s?r=4&stars=four"),
            (5, "http://a.b/s?r=5&stars=five"),
        ];
        assert!(!axis_of(&choices).is_some_and(|axis| axis.is_line()));
    }
}
