//! Guesses the link to the next page where none says so (an icon, a word that nobody knows): the only link whose
//! address is the page's own with one number counted on. What it returns decides.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::{UrlChange, changes};
use url::Url;

/// Different numbers that links of a pager may have at one place of their addresses: the first, the last, the
/// neighbours. More are values.
const MAX_NUMBERS: usize = 4;

/// The address of the page after this one, which shows so many entities, among the addresses of its links.
pub fn guessed_next_page<'a>(
    address: &Url,
    links: impl IntoIterator<Item = &'a str>,
    shown: usize,
) -> Option<&'a str> {
    let mut numbers: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let mut nexts: BTreeSet<(String, &str)> = BTreeSet::new();
    for link in links {
        let Some((place, from, to)) =
            Url::parse(link).ok().and_then(|target| counted_on(address, &target))
        else {
            continue;
        };
        numbers.entry(place.clone()).or_default().insert(to);
        let steps = [1, shown as u64];
        let is_next = match from {
            Some(from) => steps.iter().any(|step| to == from + step),
            // The first page has no number: it is page 1, or begins with entity 0.
            None => to == 2 || to == shown as u64,
        };
        if is_next && to > 0 {
            nexts.insert((place, link));
        }
    }
    nexts.retain(|(place, _)| numbers[place].len() <= MAX_NUMBERS);
    let mut nexts = nexts.into_iter();
    let (_, only) = nexts.next()?;
    nexts.next().is_none().then_some(only)
}

/// The place of the only number that an address changes, the number before and the number there.
fn counted_on(address: &Url, target: &Url) -> Option<(String, Option<u64>, u64)> {
    let found = changes(address, target);
    let [change] = found.as_slice() else { return None };
    let counted = |place: &str, from: &str, to: &str| {
        let (from, to) = (Counted::of(from)?, Counted::of(to)?);
        let is_one = (from.before, from.behind) == (to.before, to.behind);
        is_one.then(|| (to.place(place), Some(from.number), to.number))
    };
    let begun = |place: &str, to: &str| {
        let to = Counted::of(to)?;
        Some((to.place(place), None, to.number))
    };
    match change {
        UrlChange::Added { name, value } => begun(name, value),
        UrlChange::Changed { name, from, to } => counted(name, from, to),
        UrlChange::SegmentsAdded(added) => {
            let (last, before) = added.split_last()?;
            begun(&format!("/{}", before.join("/")), last)
        }
        UrlChange::SegmentChanged { from, to } => counted("/", from, to),
        // Paths of one part have nothing else in common.
        UrlChange::Elsewhere if address.origin() == target.origin() => {
            let (from, to) = (only_segment(address)?, only_segment(target)?);
            counted("/", from, to)
        }
        _ => None,
    }
}

fn only_segment(address: &Url) -> Option<&str> {
    let mut segments = address.path_segments()?.filter(|segment| !segment.is_empty());
    let only = segments.next()?;
    segments.next().is_none().then_some(only)
}

/// The last number of a part of an address, and what stands around it (`index2.html`, `seite3`, `12`).
struct Counted<'a> {
    before: &'a str,
    number: u64,
    behind: &'a str,
}

impl<'a> Counted<'a> {
    fn of(part: &'a str) -> Option<Self> {
        let is_digit = |c: char| c.is_ascii_digit();
        let end = part.rfind(is_digit)? + 1;
        let start = part[..end].trim_end_matches(is_digit).len();
        let number = part[start..end].parse().ok()?;
        Some(Self { before: &part[..start], number, behind: &part[end..] })
    }

    fn place(&self, around: &str) -> String {
        format!("{around}/{}#{}", self.before, self.behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(page: &str, hrefs: &[&str]) -> Option<String> {
        let address = Url::parse(page).unwrap();
        let links: Vec<String> =
            hrefs.iter().map(|href| address.join(href).unwrap().to_string()).collect();
        guessed_next_page(&address, links.iter().map(String::as_str), 20).map(str::to_owned)
    }

    #[test]
    fn one_number_counted_on_is_the_next_page() {
        let check = |page: &str, hrefs: &[&str], next: Option<&str>| {
            let next = next.map(|href| Url::parse(page).unwrap().join(href).unwrap().to_string());
            assert_eq!(guess(page, hrefs), next, "{page} {hrefs:?}");
        };
        check("https://a.example/x", &["?zu=2", "/t/1", "/about"], Some("?zu=2"));
        check("https://a.example/x?zu=4&k=a", &["?zu=3&k=a", "?zu=5&k=a"], Some("?zu=5&k=a"));
        check("https://a.example/x", &["?from=20"], Some("?from=20"));
        check("https://a.example/x/", &["/x/seite/2"], Some("/x/seite/2"));
        check("https://a.example/", &["/zu2/", "/about"], Some("/zu2/"));
        check("https://a.example/zu2/", &["/", "/zu3/", "/ko3/"], Some("/zu3/"));
        check("https://a.example/x/zu2.html", &["zu.html", "zu3.html"], Some("zu3.html"));
        check("https://a.example/x", &["?k=1", "?k=2", "?k=3", "?k=4", "?k=7"], None);
        check("https://a.example/x", &["?zu=2", "?zi=2"], None);
        check("https://a.example/x", &["/t/2?zu=2"], None);
    }
}
