//! Which part of an endpoint's address is a page number or an offset: tried in an order of likelihood, decided by what comes back.

use std::collections::BTreeSet;

use serde_json::Value;
use url::Url;

/// The highest first value of a page number or an offset.
const MAX_FIRST: u64 = 1;
/// Ways that are tried, at most.
const MAX_WAYS: usize = 4;

/// A way to ask an endpoint for more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    /// The address that is varied.
    url: Url,
    /// The place of the number among the parts of its query.
    part: usize,
    /// The next number.
    pub(super) next: u64,
    /// The difference between one number and the next.
    step: u64,
}

impl Way {
    /// The address with its next number.
    pub(super) fn address(&self) -> String {
        let mut parts = parts(&self.url);
        if let Some((_, value)) = parts.get_mut(self.part) {
            *value = self.next.to_string();
        }
        let query: Vec<String> =
            parts.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut url = self.url.clone();
        url.set_query(Some(&query.join("&")));
        url.into()
    }

    /// Goes on to the next number.
    pub(super) fn advance(&mut self) {
        self.next += self.step;
    }
}

/// The parts of a query as they are written.
fn parts(url: &Url) -> Vec<(String, String)> {
    let part = |text: &str| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        (name.to_owned(), value.to_owned())
    };
    url.query().map(|query| query.split('&').map(part).collect()).unwrap_or_default()
}

/// An answer: its address, and how many records it has.
pub(super) type Asked = (Url, usize);

/// Ways to ask for more, the likeliest first: numbers in which the requests of the page differ; else numbers of a first page that
/// stand beside the number of records that came.
pub(super) fn ways(asked: &[Asked]) -> Vec<Way> {
    let mut ways = if asked.len() > 1 { differing(asked) } else { Vec::new() };
    if ways.is_empty() {
        ways = asked.last().map(first_page).unwrap_or_default();
    }
    ways.truncate(MAX_WAYS);
    ways
}

fn differing(asked: &[Asked]) -> Vec<Way> {
    let all: Vec<Vec<(String, String)>> = asked.iter().map(|(url, _)| parts(url)).collect();
    let Some((last, _)) = asked.last() else { return Vec::new() };
    let records = asked.iter().map(|(_, records)| *records).max().unwrap_or_default() as u64;
    let width = all[0].len();
    let is_alike = |own: &Vec<(String, String)>| {
        own.len() == width && own.iter().zip(&all[0]).all(|(own, first)| own.0 == first.0)
    };
    if !all.iter().all(is_alike) {
        return Vec::new();
    }
    let mut ways: Vec<(bool, Way)> = Vec::new();
    for part in 0..width {
        let numbers: Option<BTreeSet<u64>> =
            all.iter().map(|own| own[part].1.parse().ok()).collect();
        let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1) else { continue };
        let sorted: Vec<u64> = numbers.into_iter().collect();
        let step = sorted.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1);
        let next = sorted[sorted.len() - 1] + step;
        let is_offset = step == records;
        if is_offset || step == 1 {
            ways.push((!is_offset, Way { url: last.clone(), part, next, step }));
        }
    }
    // Offsets first: what counts requests goes up by one, too.
    ways.sort_by_key(|(is_page, _)| *is_page);
    ways.into_iter().map(|(_, way)| way).collect()
}

fn first_page((url, records): &Asked) -> Vec<Way> {
    let (parts, records) = (parts(url), *records as u64);
    let numbers: Vec<Option<u64>> = parts.iter().map(|(_, value)| value.parse().ok()).collect();
    let sizes: Vec<usize> =
        (0..parts.len()).filter(|&at| records > 1 && numbers[at] == Some(records)).collect();
    let mut ways: Vec<(usize, Way)> = Vec::new();
    for (part, number) in numbers.iter().enumerate() {
        let Some(first) = number.filter(|&number| number <= MAX_FIRST) else { continue };
        let away = sizes.iter().map(|&size| size.abs_diff(part)).min().unwrap_or(parts.len());
        let way = |step: u64| Way { url: url.clone(), part, next: first + step, step };
        // An offset begins at 0, a page at 0 or 1.
        if first == 0 {
            ways.push((away, way(records)));
        }
        ways.push((away, way(1)));
    }
    ways.sort_by_key(|(away, _)| *away);
    ways.into_iter().map(|(_, way)| way).collect()
}

/// Whether an answer may be a part of something larger: it claims a larger number than came, names its own size, or leads on.
pub(super) fn may_continue(url: &Url, json: &Value, pointer: &str, records: usize) -> bool {
    let is_size = |(_, value): &(String, String)| value.parse() == Ok(records);
    (records > 1 && parts(url).iter().any(is_size))
        || claims(json, pointer).iter().any(|&claimed| claimed > records as u64)
        || !leads_on(url, json, pointer).is_empty()
}

/// The whole numbers of an answer outside of its records.
pub(super) fn claims(json: &Value, pointer: &str) -> Vec<u64> {
    let mut found = Vec::new();
    outside(json, pointer, &mut |value| found.extend(value.as_u64()));
    found
}

/// The addresses that an answer names for what is before and behind it: the endpoint's own, with another query.
pub(super) fn leads_on(url: &Url, json: &Value, pointer: &str) -> Vec<String> {
    let mut found = Vec::new();
    outside(json, pointer, &mut |value| {
        let to = value.as_str().filter(|text| text.contains('?') || text.contains('/'));
        let to = to.and_then(|text| url.join(text).ok());
        let is_next = |to: &Url| {
            to.origin() == url.origin() && to.path() == url.path() && to.query() != url.query()
        };
        found.extend(to.filter(is_next).map(String::from));
    });
    found
}

/// Shows the plain values of an answer but for those of its records.
fn outside(json: &Value, pointer: &str, visit: &mut dyn FnMut(&Value)) {
    let mut open: Vec<(&Value, String)> = vec![(json, String::new())];
    while let Some((value, at)) = open.pop() {
        match value {
            _ if at == pointer && (value.is_array() || !pointer.is_empty()) => {}
            // Lists beside the records are choices and the like.
            Value::Array(_) => {}
            Value::Object(object) => {
                open.extend(object.iter().map(|(name, inner)| (inner, format!("{at}/{name}"))));
            }
            plain => visit(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(url: &str, records: usize) -> Asked {
        (Url::parse(url).unwrap(), records)
    }

    fn first(answers: &[Asked]) -> Option<String> {
        ways(answers).first().map(Way::address)
    }

    #[test]
    fn offsets_and_page_numbers_are_varied() {
        for (urls, expect) in [
            (
                vec!["http://h/a?draw=1&c[0]=0&start=0&length=10"],
                "http://h/a?draw=1&c[0]=0&start=10&length=10",
            ),
            (vec!["http://h/a?page=1&size=10"], "http://h/a?page=2&size=10"),
            (vec!["http://h/a?n=1&p=3", "http://h/a?n=2&p=3"], "http://h/a?n=3&p=3"),
            (
                vec!["http://h/a?draw=1&start=0", "http://h/a?draw=2&start=10"],
                "http://h/a?draw=2&start=20",
            ),
        ] {
            let answers: Vec<Asked> = urls.iter().map(|url| asked(url, 10)).collect();
            assert_eq!(first(&answers).as_deref(), Some(expect));
        }
        assert_eq!(first(&[asked("http://h/all.json", 300)]), None);
    }

    #[test]
    fn answers_say_whether_there_is_more() {
        let url = Url::parse("http://h/a?offset=0").unwrap();
        let json =
            json!({ "items": [{ "n": 999 }], "total": 40, "links": { "next": "/a?offset=1" } });
        assert!(may_continue(&url, &json, "/items", 1));
        assert_eq!(leads_on(&url, &json, "/items"), ["http://h/a?offset=1"]);
        assert_eq!(claims(&json, "/items"), [40]);
        assert!(!may_continue(&url, &json!({ "items": [{ "n": 999 }] }), "/items", 1));
    }
}
