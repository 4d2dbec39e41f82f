//! Puts links that show numbers into series and says what speaks for and against each being a pager:
//! how addresses follow the numbers, what is missing between them, and what stands beside them.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::key::PathKey;
use quarry_dom::{Document, NodeId, PageIndex, Tag};
use url::Url;

use super::super::anchor::{Anchors, Frame};
use super::super::entity::PageList;
use super::super::switch::{is_size_key, is_size_label};
use super::super::{attribute, count};
use super::address::{Axis, NumberedAddress, axis};
use super::features::{PagingFeatures, SERIES_FEATURES};
use super::marks::{MARKS, STRONG_MARKS};
use super::number::{ShownNumber, shown_number};
use super::{address_keeps_path, is_page_key};

/// Other links between two numbers of a series: "…", or a number that is no link with one around it.
const MOST_BETWEEN: usize = 2;
/// Characters of text between two numbers of a series.
const CHARS_BETWEEN: u32 = 24;
/// Links of a long series, or targets of it, that are looked at.
const MOST_INSIDE: usize = 64;
/// Series that lead to one target and are looked at.
const MOST_SHARING: usize = 16;
/// Links this near to a series are looked at for words, arrows and shared targets.
pub(super) const NEAR: usize = 3;

/// Links that show numbers, in a row.
#[derive(Debug, Clone, Default)]
pub(super) struct Series {
    /// Positions of the links with the numbers that they show.
    pub(super) members: Vec<(usize, u64)>,
    pub(super) words: String,
    /// Of "1-10 11-20 21-27": where the last range ends, and how long the first is.
    range: Option<(u64, u64)>,
    pub(super) axis: Option<Axis>,
}

impl Series {
    pub(super) fn first(&self) -> usize {
        self.members[0].0
    }

    pub(super) fn last(&self) -> usize {
        self.members[self.members.len() - 1].0
    }

    /// Whether a link is one of the series.
    pub(super) fn has(&self, at: usize) -> bool {
        self.members.binary_search_by_key(&at, |&(own, _)| own).is_ok()
    }

    /// How many links lie between this link and the series.
    pub(super) fn distance(&self, at: usize) -> usize {
        if at < self.first() { self.first() - at - 1 } else { at.saturating_sub(self.last() + 1) }
    }
}

/// Characters of visible text from `from` to before `to`.
pub(super) fn chars_between(index: &PageIndex<'_>, from: NodeId, to: NodeId) -> u32 {
    let start = index.leaves.partition_point(|leaf| leaf.node < from);
    index.leaves[start..].iter().take_while(|leaf| leaf.node < to).map(|leaf| leaf.chars).sum()
}

/// The series of a page, in document order of their first links.
pub(super) fn series(anchors: &Anchors<'_>, addresses: &[NumberedAddress]) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, anchor) in anchors.list.iter().enumerate() {
        if anchor.jumps {
            continue;
        }
        let Some(shown) = shown_number(&anchor.text) else { continue };
        open.retain(|&one| at - all[one].last() <= MOST_BETWEEN + 1);
        let joins = open.iter().copied().find(|&one| {
            let series = &all[one];
            let &(before, number) = series.members.last().unwrap_or(&(0, 0));
            let end = anchors.document.subtree_end(anchors.list[before].node);
            series.words == shown.words
                && follows(series, number, shown.value)
                && goes_on(series.range, &shown)
                && chars_between(anchors.index, end, anchor.node) <= CHARS_BETWEEN
        });
        match joins {
            Some(one) => {
                all[one].members.push((at, shown.value));
                if let (Some(range), Some(end)) = (&mut all[one].range, shown.end) {
                    range.0 = end;
                }
            }
            None => {
                open.push(all.len());
                let members = vec![(at, shown.value)];
                let range = shown.end.map(|end| (end, end - shown.value));
                all.push(Series { members, words: shown.words, range, axis: None });
            }
        }
    }
    for series in &mut all {
        series.axis = axis_of(series, addresses);
        // A number behind a pager that is no page, as a count of answers, is not on its line.
        let off = |axis: &Axis, (at, shown): (usize, u64)| {
            shown > 1 && !anchors.list[at].is_self && !axis.has(shown, &addresses[at])
        };
        let Some(axis) = series.axis.clone().filter(Axis::is_line) else { continue };
        let before = series.members.len();
        series.members.retain(|&member| !off(&axis, member));
        if series.members.len() < before && !series.members.is_empty() {
            series.axis = axis_of(series, addresses);
        }
    }
    all.retain(|series| !series.members.is_empty());
    all.sort_by_key(Series::first);
    all
}

fn axis_of(series: &Series, addresses: &[NumberedAddress]) -> Option<Axis> {
    let points: Vec<(u64, &NumberedAddress)> =
        series.members.iter().map(|&(at, shown)| (shown, &addresses[at])).collect();
    axis(&points)
}

/// Whether a number goes on in the direction of the series.
fn follows(series: &Series, last: u64, next: u64) -> bool {
    let first = series.members[0].1;
    match first.cmp(&last) {
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Less => next >= last,
        std::cmp::Ordering::Greater => next <= last,
    }
}

/// Whether a range begins where the last one ends and is not longer than the first: pages are equally long, steps of prices are
/// not. The last page may be shorter.
fn goes_on(range: Option<(u64, u64)>, next: &ShownNumber) -> bool {
    match (range, next.end) {
        (Some((last, length)), Some(end)) => next.value == last + 1 && end - next.value <= length,
        (None, None) => true,
        _ => false,
    }
}

/// Features of every series, in the order of [`SERIES_FEATURES`].
pub(super) fn features(
    anchors: &Anchors<'_>,
    found: &PageList,
    addresses: &[NumberedAddress],
    page: &NumberedAddress,
    all: &[Series],
    has_role: &dyn Fn(usize) -> bool,
) -> Vec<Vec<f64>> {
    let targets: Vec<BTreeSet<&Url>> = all
        .iter()
        .map(|series| series.members.iter().map(|&(at, _)| &anchors.list[at].url).collect())
        .collect();
    let paths: Vec<_> =
        all.iter().map(|series| anchors.index.path(anchors.list[series.first()].node)).collect();
    let mut by_target: BTreeMap<&Url, Vec<usize>> = BTreeMap::new();
    let mut of_path: BTreeMap<PathKey, usize> = BTreeMap::new();
    for (at, (targets, path)) in targets.iter().zip(&paths).enumerate() {
        *of_path.entry(*path).or_default() += 1;
        for target in targets {
            by_target.entry(target).or_default().push(at);
        }
    }
    let days = if all.iter().any(|series| series.members.len() > 1) {
        tables_of_days(anchors.document)
    } else {
        BTreeSet::new()
    };
    let titled = titled(anchors, has_role);
    let one = |at: usize, series: &Series| {
        let mut features = PagingFeatures::new(SERIES_FEATURES);
        own(series, &mut features);
        along(anchors, series, page, &mut features);
        around(anchors, found, series, &days, &mut features);
        let before = series.first().saturating_sub(NEAR)..series.first();
        let behind = series.last() + 1..(series.last() + 1 + NEAR).min(anchors.list.len());
        let inside = series.first()..series.last();
        let near = before.chain(inside.take(MOST_INSIDE)).chain(behind);
        let near = near.filter(|&other| !series.has(other));
        let (mut word, mut shared) = (false, false);
        for other in near {
            let neighbour = &anchors.list[other];
            word |= has_role(other);
            let fits = series.axis.as_ref().is_some_and(|axis| axis.fits(&addresses[other]));
            let numbered = shown_number(&neighbour.text).is_some();
            shared |= !numbered && (targets[at].contains(&neighbour.url) || fits);
        }
        features.flag("word-beside", word);
        features.flag("target-shared", shared);
        features.flag("lone-beside", series.members.len() == 1 && (word || shared));
        features.flag("one-target", targets[at].len() == 1 && series.members.len() > 1);
        features.flag("titled", targets[at].iter().all(|target| titled.contains(target)));
        let mut sharing: BTreeMap<usize, usize> = BTreeMap::new();
        for target in targets[at].iter().take(MOST_INSIDE) {
            for &other in by_target[target].iter().take(MOST_SHARING).filter(|other| **other != at)
            {
                *sharing.entry(other).or_default() += 1;
            }
        }
        let looked_at = targets[at].len().min(MOST_INSIDE);
        let twins = sharing.values().filter(|common| **common * 2 > looked_at).count();
        let repeats = (of_path[&paths[at]] - 1).saturating_sub(twins);
        features.flag("twin", twins > 0);
        features.set("repeats", (1.0 + repeats as f64).ln() / 3.0);
        features.values
    };
    all.iter().enumerate().map(|(at, series)| one(at, series)).collect()
}

/// Characters of a link's text that make it a title, if they are words.
const TITLE: usize = 20;
/// Words of a title.
const TITLE_WORDS: usize = 3;

/// The targets of links that show a title: a number that leads there counts what belongs to it, such as its comments.
fn titled<'a>(anchors: &'a Anchors<'_>, has_role: &dyn Fn(usize) -> bool) -> BTreeSet<&'a Url> {
    let is_title = |text: &str| {
        text.chars().filter(|c| c.is_alphabetic()).take(TITLE).count() == TITLE
            && (text.split_whitespace().take(TITLE_WORDS).count() == TITLE_WORDS
                || !text.is_ascii())
    };
    let links = anchors.list.iter().enumerate();
    let titles = links.filter(|(at, anchor)| is_title(&anchor.text) && !has_role(*at));
    titles.map(|(_, anchor)| &anchor.url).collect()
}

/// What the numbers say by themselves.
fn own(series: &Series, features: &mut PagingFeatures) {
    let numbers = || series.members.iter().map(|&(_, number)| number);
    features.flag("bare", series.words.is_empty() || series.words == "-");
    features.flag("page-word", is_page_key(&series.words));
    features.flag("years", numbers().all(|number| (1900..=2100).contains(&number)));
    features.flag("zero", numbers().all(|number| number == 0));
    features.flag("large", numbers().all(|number| number > 200));
}

/// Whether a number that the series lacks stands there as plain text, or leads to this page.
fn current_is_no_link(anchors: &Anchors<'_>, series: &Series) -> bool {
    let (index, document) = (anchors.index, anchors.document);
    if series.members.iter().any(|&(at, _)| anchors.list[at].is_self) {
        return true;
    }
    let number_at = |leaf: usize| {
        let leaf = index.leaves.get(leaf).filter(|leaf| !leaf.image)?;
        shown_number(document.text(leaf.node)).map(|shown| shown.value)
    };
    let leaf_of = |node: NodeId| index.leaf_range(node);
    let mut ends = vec![];
    for pair in series.members.windows(2) {
        let (one, other) = (pair[0], pair[1]);
        let between =
            leaf_of(anchors.list[one.0].node).end..leaf_of(anchors.list[other.0].node).start;
        let range = one.1.min(other.1) + 1..one.1.max(other.1);
        if between.into_iter().any(|leaf| number_at(leaf).is_some_and(|n| range.contains(&n))) {
            return true;
        }
    }
    let (first, last) = (series.members[0], series.members[series.members.len() - 1]);
    ends.push((leaf_of(anchors.list[first.0].node).start.checked_sub(1), first.1));
    ends.push((Some(leaf_of(anchors.list[last.0].node).end), last.1));
    ends.into_iter().any(|(leaf, edge)| {
        leaf.and_then(number_at).is_some_and(|number| number.abs_diff(edge) == 1)
    })
}

/// How the addresses follow the numbers, and how they compare with the page's own.
fn along(
    anchors: &Anchors<'_>,
    series: &Series,
    page: &NumberedAddress,
    features: &mut PagingFeatures,
) {
    let members = &series.members;
    let lone = members.len() == 1;
    let elsewhere =
        |&(at, _): &(usize, u64)| anchors.list[at].parts.origin != anchors.address.origin;
    features.flag("elsewhere", members.iter().all(elsewhere));
    let below = members.iter().filter(|&&(at, _)| address_keeps_path(anchors, at)).count();
    let gap = current_is_no_link(anchors, series);
    let named = anchors.marked(anchors.list[series.first()].container, 2, STRONG_MARKS);
    features.flag("named", named);
    features.flag("lone", lone);
    features.flag("lone-gap", lone && gap);
    features.flag("lone-named", lone && named);
    let axis = series.axis.as_ref();
    let key = axis.is_some_and(|axis| is_page_key(&axis.name));
    let on_line = axis.map_or(0.0, |axis| axis.on_line * axis.share);
    features.flag("lone-fits", lone && on_line > 0.0);
    features.flag("lone-key", lone && key);
    features.flag("size-key", axis.is_some_and(|axis| is_size_key(&axis.name)));
    let line = axis.filter(|axis| !lone && axis.is_line());
    features.flag("stray", !lone && line.is_none());
    let Some(axis) = line else { return };
    features.flag("line", true);
    features.flag("line-equal", axis.step == 1.0 && axis.point.0.abs_diff(axis.point.1) <= 1);
    features.flag("line-origin", axis.begins_at_origin());
    features.flag("line-whole", axis.step >= 1.0 && axis.step.fract() == 0.0);
    features.set("line-links", (members.len() as f64).ln() / 3.0);
    let begins = members.iter().any(|&(_, number)| number <= 2);
    features.flag("line-begins", begins);
    features.flag("line-open", !begins && !gap);
    let steps = members.windows(2).filter(|pair| pair[0].1.abs_diff(pair[1].1) == 1).count();
    features.set("line-consecutive", steps as f64 / (members.len() - 1) as f64);
    features.flag("line-gap", gap);
    features.flag("line-key", key && axis.begins_at_origin());
    features.flag("line-same-page", axis.fits(page));
    features.flag("line-below", below * 2 > members.len());
    features.flag("line-loses", loses_parameters(anchors, series));
    features.flag("line-named", named);
    features.flag("line-date", is_date(axis));
    let others = axis.varies.iter().enumerate().filter(|&(at, on)| *on && at != axis.column);
    features.flag("others-vary", others.count() > 0 || !axis.tokens.is_empty());
}

/// Whether all links lack a parameter of this page that does not page: then they lead to another list.
fn loses_parameters(anchors: &Anchors<'_>, series: &Series) -> bool {
    let own = anchors.address.params.iter().filter(|(name, _)| !is_page_key(name));
    let lacks = |at: usize, name: &str| {
        !anchors.list[at].parts.params.iter().any(|(other, _)| other == name)
    };
    own.into_iter().any(|(name, _)| series.members.iter().all(|&(at, _)| lacks(at, name)))
}

/// Whether the number that counts is a year, or a day behind a year and a month.
fn is_date(axis: &Axis) -> bool {
    let is_year = |number: u64| (1900..=2100).contains(&number);
    let compact = |number: u64| is_year(number / 100) || is_year(number / 10_000);
    let before = axis.column.checked_sub(2).map(|at| axis.sample[at]);
    is_year(axis.point.1) || compact(axis.point.1) || before.is_some_and(is_year)
}

/// Where the series stands and what is written around it.
fn around(
    anchors: &Anchors<'_>,
    found: &PageList,
    series: &Series,
    days: &BTreeSet<NodeId>,
    features: &mut PagingFeatures,
) {
    let document = anchors.document;
    let links = series.members.len() as f64;
    let share = |test: &dyn Fn(usize) -> bool| {
        series.members.iter().filter(|&&(at, _)| test(at)).count() as f64 / links
    };
    let container = anchors.list[series.first()].container;
    let weakly = features.get("named") == 0.0 && anchors.marked(container, 2, MARKS);
    features.flag("named-weakly", weakly);
    let label = attribute::text_before(anchors, series.first());
    features.flag("size-label", label.is_some_and(|label| is_size_label(&label)));
    let is_bare = features.get("bare") > 0.0;
    let counted = |at: usize| {
        // "2 3 4" behind each other are no counts of each other; the 4 in "3 rooms 4" is one.
        let behind = anchors.text_behind(anchors.list[at].node);
        (!is_bare || behind.starts_with(['(', '['])) && count::alone(behind).is_some()
    };
    features.set("counted", share(&counted));
    features.set("in-records", share(&|at| found.in_records(document, anchors.list[at].node)));
    features.set("line-in-records", features.get("line") * features.get("in-records"));
    features.set("entities", share(&|at| found.is_entity(at)));
    features.set("edge", share(&|at| anchors.list[at].frame == Frame::Edge));
    features.set("near-records", near_records(anchors, found, series.first(), series.last()));
    let words = ["calendar", "calender", "kalender", "calendario", "calendrier"];
    features.flag("calendar", anchors.marked(container, 4, &words));
    let table = (series.members.len() > 1)
        .then(|| document.ancestor_named(anchors.list[series.first()].node, Tag::TABLE))
        .flatten();
    features.flag("days", table.is_some_and(|table| days.contains(&table)));
}

/// 1 right beside the records of the list, less with every link between.
pub(super) fn near_records(
    anchors: &Anchors<'_>,
    found: &PageList,
    first: usize,
    last: usize,
) -> f64 {
    /// Links after which a third of the nearness is left.
    const REACH: f64 = 6.0;
    let Some((start, end)) = found.extent(anchors.document) else { return 0.0 };
    let from = anchors.list.partition_point(|anchor| anchor.node < start);
    let to = anchors.list.partition_point(|anchor| anchor.node < end);
    let between = if first >= to {
        first - to
    } else if last < from {
        from - last - 1
    } else {
        return 0.0;
    };
    (-(between as f64) / REACH).exp()
}

/// Tables with rows of seven cells that hold just a number from 1 to 31: months.
fn tables_of_days(document: &Document) -> BTreeSet<NodeId> {
    /// Every month has three whole weeks.
    const WEEKS: usize = 3;
    let mut rows: BTreeMap<NodeId, usize> = BTreeMap::new();
    for cell in document.elements(Tag::TD) {
        let is_day = document.folded_len(cell) <= 2
            && document.folded_text(cell).parse::<u32>().is_ok_and(|n| (1..=31).contains(&n));
        if is_day && let Some(row) = document.parent(cell) {
            *rows.entry(row).or_default() += 1;
        }
    }
    let mut weeks: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (row, _) in rows.into_iter().filter(|(_, days)| *days == 7) {
        if let Some(table) = document.ancestor_named(row, Tag::TABLE) {
            *weeks.entry(table).or_default() += 1;
        }
    }
    weeks.into_iter().filter(|(_, weeks)| *weeks >= WEEKS).map(|(table, _)| table).collect()
}
