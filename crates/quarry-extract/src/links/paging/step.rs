//! Compares the number in a link's address with the number in the page's own: the next page has one
//! more, the previous one less, the second page of a list adds the number, the first has none. Words and
//! names of parameters have no part in it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::PagingRole;
use super::super::anchor::{Anchor, Anchors};
use super::super::shape::UrlChange;
use super::address::NumberedAddress;
use super::series::NEAR;
use super::{is_page_key, last_number};

/// Values of one number that the links of a page lead to, beyond which they are ids rather than steps.
const MOST_VALUES: usize = 3;
/// Steps from the start of the list up to which a page is an ordinary one; numbers far behind are mostly ids, whose
/// neighbours are ids, too.
const ORDINARY_STEPS: f64 = 10.0;
/// The number of a second page. Where pages are counted from 0 it is 1, but so is everything that is switched on:
/// `?print=1` counts only under a name that pages have.
const SECOND_PAGE: u64 = 2;

/// A number of an address: the address without its numbers, and which of them.
type Axis = (u64, usize);

/// A link whose address differs from the page's in one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    axis: Axis,
    /// The page's number; `None` where the link adds it.
    from: Option<u64>,
    /// The link's number; `None` where the link leaves it out.
    to: Option<u64>,
    /// The number stands under a name that pages have.
    is_keyed: bool,
}

/// What the number of an address says of a link.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct StepSigns {
    /// Another link leads as far in the other direction, and few links change the number: 1, and less for pages
    /// that are many steps from the start.
    pub(super) pair: f64,
    /// The same without another link, if the number is one more or one less than the page's.
    pub(super) one: f64,
    /// The page has no such number, and all links that add it add the number of a second page.
    pub(super) second: bool,
    /// It leaves out the number that links beside it change: the first page.
    pub(super) start: bool,
    /// Which way it leads.
    pub(super) role: Option<PagingRole>,
}

impl StepSigns {
    pub(super) fn any(&self) -> bool {
        self.pair > 0.0 || self.one > 0.0 || self.second || self.start
    }
}

/// What the numbers of addresses say of every link of a page.
pub(super) fn signs(
    anchors: &Anchors<'_>,
    page: &NumberedAddress,
    addresses: &[NumberedAddress],
) -> Vec<StepSigns> {
    let step = |(anchor, address): (&Anchor<'_>, &NumberedAddress)| {
        if anchor.jumps || anchor.is_self { None } else { step(page, address, &anchor.changes) }
    };
    let steps: Vec<Option<Step>> = anchors.list.iter().zip(addresses).map(step).collect();
    let mut values: BTreeMap<Axis, BTreeSet<Option<u64>>> = BTreeMap::new();
    for step in steps.iter().flatten() {
        values.entry(step.axis).or_default().insert(step.to);
    }
    let sign = |at: usize| {
        let Some(step) = steps[at] else { return StepSigns::default() };
        // A link without the number is the first page only beside a link with it: a logo leads there, too.
        let around = at.saturating_sub(NEAR)..(at + 1 + NEAR).min(steps.len());
        let other = |other: &Option<Step>| {
            other.is_some_and(|other| other.axis == step.axis && other.to.is_some())
        };
        let start = step.to.is_none();
        if start && !steps[around].iter().any(other) {
            return StepSigns::default();
        }
        StepSigns { start, ..read(step, &values[&step.axis]) }
    };
    (0..steps.len()).map(sign).collect()
}

/// What a step says beside the values that all links of its axis lead to.
fn read(step: Step, values: &BTreeSet<Option<u64>>) -> StepSigns {
    let few = values.len() <= MOST_VALUES;
    let signs = |from: u64, by: u64, pair: bool, role: PagingRole| {
        let steps = from as f64 / by.max(1) as f64;
        let near = 1.0 / (1.0 + (steps / ORDINARY_STEPS).max(1.0).ln());
        let one = by == 1 && !pair;
        let if_few = |on: bool| if few && on { near } else { 0.0 };
        let (pair, one) = (if_few(pair), if_few(one));
        StepSigns { pair, one, role: Some(role), ..StepSigns::default() }
    };
    let is_start = |number: u64| number <= 1;
    match (step.from, step.to) {
        (Some(from), Some(to)) if to > from => {
            let back = from.checked_sub(to - from);
            let pair = back.is_some_and(|back| {
                values.contains(&Some(back)) || is_start(back) && values.contains(&None)
            });
            signs(from, to - from, pair, PagingRole::Next)
        }
        (Some(from), Some(to)) => {
            let pair = values.contains(&Some(from.saturating_add(from - to)));
            signs(from, from - to, pair, PagingRole::Prev)
        }
        (Some(from), None) => {
            let on = values.iter().flatten().filter(|&&to| to > from).min();
            let by = on.map(|on| on - from);
            let pair = by.and_then(|by| from.checked_sub(by)).is_some_and(is_start);
            let second = u64::from(from == SECOND_PAGE);
            signs(from, by.filter(|_| pair).unwrap_or(second), pair, PagingRole::Prev)
        }
        (None, Some(to)) => {
            let second = values.len() == 1 && (to == SECOND_PAGE || to == 1 && step.is_keyed);
            StepSigns { second, role: Some(PagingRole::Next), ..StepSigns::default() }
        }
        (None, None) => StepSigns::default(),
    }
}

/// The step that a link takes, if its address differs from the page's in one number alone.
fn step(page: &NumberedAddress, address: &NumberedAddress, changes: &[UrlChange]) -> Option<Step> {
    let differ = || {
        let both = page.numbers.iter().zip(&address.numbers);
        both.enumerate().filter(|(_, (one, other))| one != other).map(|(column, _)| column)
    };
    if page.pattern == address.pattern {
        let column = differ().next().filter(|_| differ().count() == 1)?;
        let (from, to) = (page.numbers[column], address.numbers[column]);
        let behind_year = column > 0 && is_year(page.numbers[column - 1]);
        let axis = (page.pattern, column);
        // Months and years are archives.
        let is_archive = behind_year || is_year(from) && is_year(to);
        return (!is_archive).then_some(Step {
            axis,
            from: Some(from),
            to: Some(to),
            is_keyed: false,
        });
    }
    let [change] = changes else { return second_page_and_size(address, changes) };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let one_more = |more: &NumberedAddress, fewer: &NumberedAddress| {
        (more.numbers.len() == fewer.numbers.len() + 1)
            .then(|| differ().next().unwrap_or(fewer.numbers.len()))
    };
    let added = || {
        let column = one_more(address, page)?;
        let to = Some(address.numbers[column]);
        let is_keyed = is_page_key(&address.names[column]);
        Some(Step { axis: (address.pattern, column), from: None, to, is_keyed })
    };
    let removed = || {
        let column = one_more(page, address)?;
        let from = Some(page.numbers[column]);
        Some(Step { axis: (page.pattern, column), from, to: None, is_keyed: false })
    };
    let without_digits = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    match change {
        UrlChange::Added { value, .. } if is_number(value) => added(),
        UrlChange::SegmentsAdded(segments) if names_page(segments) => added(),
        UrlChange::Removed { value, .. } if is_number(value) => removed(),
        UrlChange::SegmentsRemoved(segments) if names_page(segments) => removed(),
        UrlChange::SegmentChanged { from, to } if without_digits(from) == without_digits(to) => {
            added().or_else(removed)
        }
        _ => None,
    }
}

/// Whether segments may be the page of a list: "page/2", "p2", "2".
fn names_page(segments: &[String]) -> bool {
    let has_digits = |segment: &str| segment.bytes().any(|b| b.is_ascii_digit());
    // Pages in paths are counted from 1, and the first is seldom named: "about/1" is an id.
    let counts = |segment: &str| last_number(segment).is_some_and(|number| number > 1);
    match segments {
        [one] => counts(one),
        [word, number] => !has_digits(word) && counts(number),
        _ => false,
    }
}

fn is_year(number: u64) -> bool {
    (1900..=2100).contains(&number)
}

/// The step of a link that adds several numbers, of which one is that of a second page: the others may say how many
/// records a page has.
fn second_page_and_size(address: &NumberedAddress, changes: &[UrlChange]) -> Option<Step> {
    let mut second = None;
    for change in changes {
        let UrlChange::Added { name, value } = change else { return None };
        let number: u64 = value.parse().ok()?;
        if number == SECOND_PAGE && second.replace((name, number)).is_some() {
            return None;
        }
    }
    let (name, number) = second?;
    let column = address.names.iter().rposition(|own| own == name)?;
    Some(Step { axis: (address.pattern, column), from: None, to: Some(number), is_keyed: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::paging::address::numbered;
    use crate::links::shape::changes;
    use url::Url;

    fn between(from: &str, to: &str) -> Option<(Option<u64>, Option<u64>)> {
        let [from, to] = [from, to].map(|path| Url::parse(&format!("http://a.b{path}")).unwrap());
        let found = step(&numbered(&from), &numbered(&to), &changes(&from, &to));
        found.map(|step| (step.from, step.to))
    }

    #[test]
    fn a_step_changes_one_number_adds_it_or_leaves_it_out() {
        for (from, to, expect) in [
            ("/s?x=2", "/s?x=3", Some((Some(2), Some(3)))),
            ("/s", "/s?x=2", Some((None, Some(2)))),
            ("/s?x=2", "/s", Some((Some(2), None))),
            ("/board/24/", "/board/24/?x=1", Some((None, Some(1)))),
            ("/a", "/a/blatt/2", Some((None, Some(2)))),
            ("/a/blatt/2", "/a", Some((Some(2), None))),
            ("/a/blatt/2", "/a/blatt/3", Some((Some(2), Some(3)))),
            ("/a/index.html", "/a/index2.html", Some((None, Some(2)))),
            ("/a/1/2", "/a/2/3", None),
            ("/a", "/a/b", None),
            ("/about/1.htm", "/", None),
            ("/blog/page/2", "/", None),
            ("/s", "/s?x=two", None),
            ("/s?q=a", "/s?q=a&x=2&much=15", Some((None, Some(2)))),
            ("/blog/2016/01", "/blog/2016/02", None),
        ] {
            assert_eq!(between(from, to), expect, "{from} {to}");
        }
    }

    #[test]
    fn steps_as_far_in_both_directions_are_a_pair() {
        let axis = (0, 0);
        let read = |from: Option<u64>, to: Option<u64>, values: &[Option<u64>]| {
            let found = super::read(
                Step { axis, from, to, is_keyed: false },
                &values.iter().copied().collect(),
            );
            (found.pair == 1.0, found.one == 1.0, found.second)
        };
        assert_eq!(read(Some(20), Some(40), &[Some(0), Some(40)]), (true, false, false));
        assert_eq!(read(Some(2), Some(3), &[None, Some(3)]), (true, false, false));
        assert_eq!(read(Some(2), None, &[None, Some(3)]), (true, false, false));
        assert_eq!(read(Some(9), Some(8), &[Some(8)]), (false, true, false));
        assert_eq!(read(None, Some(2), &[Some(2)]), (false, false, true));
        assert_eq!(read(None, Some(1), &[Some(1)]), (false, false, false));
        assert_eq!(read(None, Some(2), &[Some(2), Some(77)]), (false, false, false));
        assert_eq!(read(Some(189), Some(190), &[Some(188), Some(190)]), (false, false, false));
        assert_eq!(read(Some(510), Some(77), &[Some(77), Some(901)]), (false, false, false));
    }
}
