//! Recognises single addresses of endless spaces: paths that repeat themselves, too many segments or
//! parameters, addresses inside addresses; and dates, which [`crate::growth::Growth`] counts.

use xxhash_rust::xxh3::xxh3_64;

use crate::Address;

/// From when on a single address looks like a trap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeLimits {
    /// Most path segments. Real sites stay under 10; relative links that grow by one segment per
    /// page pass 20 soon.
    pub segments: usize,
    /// So many times the same run of segments one after the other (`/a/b/a/b/a/b`) is a trap.
    pub repeats: usize,
    /// So many times the same segment anywhere in the path is a trap.
    pub same_segment: usize,
    /// Most parameters in a query.
    pub parameters: usize,
}

impl Default for ShapeLimits {
    fn default() -> Self {
        Self { segments: 20, repeats: 3, same_segment: 4, parameters: 24 }
    }
}

/// Longest run of segments that is looked for.
const LONGEST_RUN: usize = 6;

pub(super) fn looks_endless(address: &Address, limits: &ShapeLimits) -> bool {
    if let Some(query) = address.query() {
        // Three encodings deep: an address inside an address inside an address.
        if query.contains("%2525") || query.split('&').count() > limits.parameters {
            return true;
        }
    }
    if address.path().bytes().filter(|byte| *byte == b'/').count() < limits.repeats {
        return false;
    }
    let segments: Vec<&str> = address.segments().collect();
    segments.len() > limits.segments
        || repeats_itself(&segments, limits.repeats)
        || comes_again(&segments, limits.same_segment)
}

/// Numbers repeat for good reasons (`/1/1/1`, `/2011/11/11`); a run counts if it has a word in it.
fn is_word(segment: &str) -> bool {
    segment.bytes().any(|byte| !byte.is_ascii_digit())
}

fn repeats_itself(segments: &[&str], times: usize) -> bool {
    let longest = LONGEST_RUN.min(segments.len() / times.max(1));
    (1..=longest).any(|run| {
        // `equal` segments in a row that each equal the one a run earlier make a repetition.
        let needed = run * (times - 1);
        let (mut equal, mut words) = (0, 0);
        (run..segments.len()).any(|at| {
            if segments[at] == segments[at - run] {
                equal += 1;
                words += usize::from(is_word(segments[at]));
            } else {
                (equal, words) = (0, 0);
            }
            equal >= needed && words > 0
        })
    })
}

fn comes_again(segments: &[&str], times: usize) -> bool {
    segments.len() >= times
        && segments.iter().enumerate().any(|(at, segment)| {
            is_word(segment)
                && segments[at..].iter().filter(|other| *other == segment).count() >= times
        })
}

/// Addresses that differ only in their date have the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DateShape(u64);

/// Parameter names whose number is a date or a part of one. Single letters are not among them:
/// `?m=2` may be anything.
const DATE_NAMES: [&str; 12] = [
    "ano", "cal", "calendar", "date", "datum", "day", "jahr", "monat", "month", "tag", "week",
    "year",
];

/// The shape of an address whose path ends with a date (`/2026/11`, `/events/2026-11-15`) or whose
/// query has one (`?month=11&year=2026`). An article below a date (`/2026/11/15/title`) has none.
pub(crate) fn date_shape(address: &Address) -> Option<DateShape> {
    if !address.path_and_query().bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let dated_query = address.parameters().any(|(name, value)| is_date_parameter(name, value));
    if !dated_query && !ends_with_date(address.path()) {
        return None;
    }
    let mut shape = String::with_capacity(address.as_str().len());
    shape.push_str(address.host());
    let mut in_number = false;
    for byte in address.path_and_query().bytes() {
        if !byte.is_ascii_digit() {
            shape.push(char::from(byte));
        } else if !in_number {
            shape.push('#');
        }
        in_number = byte.is_ascii_digit();
    }
    Some(DateShape(xxh3_64(shape.as_bytes())))
}

fn is_date_parameter(name: &str, value: &str) -> bool {
    is_date(value)
        || (!value.is_empty()
            && value.len() <= 8
            && value.bytes().all(|byte| byte.is_ascii_digit())
            && DATE_NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

fn ends_with_date(path: &str) -> bool {
    let mut last = path.trim_end_matches('/').rsplit('/');
    let (Some(a), Some(b)) = (last.next(), last.next()) else { return false };
    if is_date(a) {
        return true;
    }
    let year = |text: &str| text.len() == 4 && number(text).is_some_and(|n| n >= 1000);
    let month = |text: &str| text.len() <= 2 && number(text).is_some_and(|n| (1..=12).contains(&n));
    let day = |text: &str| text.len() <= 2 && number(text).is_some_and(|n| (1..=31).contains(&n));
    (year(b) && month(a)) || (day(a) && month(b) && last.next().is_some_and(year))
}

/// `2026-11`, `2026-11-15`. Without hyphens it could be any number.
fn is_date(text: &str) -> bool {
    let between = |text: &str, len: usize, least: u32, most: u32| {
        text.len() == len && number(text).is_some_and(|n| (least..=most).contains(&n))
    };
    let mut parts = text.split('-');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(year), Some(month), day, None) => {
            between(year, 4, 1000, 2999)
                && between(month, 2, 1, 12)
                && day.is_none_or(|day| between(day, 2, 1, 31))
        }
        _ => false,
    }
}

fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
