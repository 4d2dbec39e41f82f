//! Says what speaks for and against a link without a number being paging: its words, its address
//! beside those of the page and of numbered links, and where it stands.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::Tag;
use url::Url;

use super::super::PagingRole;
use super::super::anchor::{Anchors, Frame};
use super::super::entity::PageList;
use super::super::shape::UrlChange;
use super::address::NumberedAddress;
use super::features::{LINK_FEATURES, PagingFeatures};
use super::marks::{MARKS, STRONG_MARKS};
use super::series::{NEAR, Series, chars_between, near_records};
use super::signal::Signal;
use super::step::StepSigns;
use super::{last_number, pages_by_key, turns};

/// Characters of text between a series and a link beside it.
const CHARS_BESIDE: u32 = 40;

/// How a link stands to a series of numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub(super) series: usize,
    /// Stands near it.
    pub(super) near: bool,
    /// Leads where one of its numbers leads.
    pub(super) same_target: bool,
    /// Its address is one of the series.
    pub(super) fits: bool,
    /// Stands in the same box.
    pub(super) in_row: bool,
}

/// Finds the series that have to do with a link.
pub(super) struct SeriesFinder<'s> {
    all: &'s [Series],
    by_target: BTreeMap<&'s Url, Vec<usize>>,
    by_pattern: BTreeMap<u64, Vec<usize>>,
}

impl<'s> SeriesFinder<'s> {
    pub(super) fn new(anchors: &'s Anchors<'_>, all: &'s [Series]) -> Self {
        let mut by_target: BTreeMap<&Url, Vec<usize>> = BTreeMap::new();
        let mut by_pattern: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (number, series) in all.iter().enumerate() {
            for &(at, _) in &series.members {
                by_target.entry(&anchors.list[at].url).or_default().push(number);
            }
            if let Some(axis) = &series.axis {
                by_pattern.entry(axis.pattern).or_default().push(number);
            }
        }
        Self { all, by_target, by_pattern }
    }

    /// The series that a link stands near, leads to a page of, or has an address of.
    pub(super) fn beside(
        &self,
        anchors: &Anchors<'_>,
        addresses: &[NumberedAddress],
        at: usize,
    ) -> Vec<Beside> {
        let anchor = &anchors.list[at];
        let before = self.all.partition_point(|series| series.first() <= at);
        let around = before.saturating_sub(AROUND)..(before + AROUND).min(self.all.len());
        let leading = self.by_target.get(&anchor.url);
        let targets = leading.into_iter().flatten().copied();
        let patterns = self.by_pattern.get(&addresses[at].pattern).into_iter().flatten().copied();
        let numbers: BTreeSet<usize> =
            around.chain(targets.take(MOST)).chain(patterns.take(MOST)).collect();
        let mut found = Vec::new();
        for number in numbers {
            let series = &self.all[number];
            let fits = series.axis.as_ref().is_some_and(|axis| axis.fits(&addresses[at]));
            let near = is_near(anchors, series, at);
            let same_target = leading.is_some_and(|leading| leading.binary_search(&number).is_ok());
            if fits || near || same_target {
                let in_row = near
                    && series
                        .members
                        .iter()
                        .any(|&(member, _)| anchors.list[member].container == anchor.container);
                found.push(Beside { series: number, near, same_target, fits, in_row });
            }
        }
        found
    }
}

/// Series before and behind a link that may be near it.
const AROUND: usize = 4;
/// Series that are looked at because of one address: more say nothing new.
const MOST: usize = 8;

fn is_near(anchors: &Anchors<'_>, series: &Series, at: usize) -> bool {
    if series.distance(at) > NEAR {
        return false;
    }
    let (document, anchor) = (anchors.document, &anchors.list[at]);
    let (first, last) = (&anchors.list[series.first()], &anchors.list[series.last()]);
    let chars = if at < series.first() {
        chars_between(anchors.index, document.subtree_end(anchor.node), first.node)
    } else {
        chars_between(anchors.index, document.subtree_end(last.node), anchor.node)
    };
    chars <= CHARS_BESIDE
}

/// How many links of a page lead to an address with a role.
pub(super) type RoleCounts<'s> = BTreeMap<(&'s Url, Option<PagingRole>), usize>;

/// What is known of all links of a page.
pub(super) struct PageLinks<'p, 'd> {
    pub(super) anchors: &'p Anchors<'d>,
    pub(super) found: &'p PageList,
    /// The page's own address.
    pub(super) page: &'p NumberedAddress,
    pub(super) addresses: &'p [NumberedAddress],
    pub(super) signals: &'p [Signal],
    pub(super) counts: RoleCounts<'p>,
}

/// Features of a link in the order of [`LINK_FEATURES`]; those that depend on what becomes of the series are 0.
pub(super) fn features(links: &PageLinks<'_, '_>, step: StepSigns, at: usize) -> Vec<f64> {
    let &PageLinks { anchors, found, page, addresses, signals, ref counts } = links;
    let address = &addresses[at];
    let (anchor, signal) = (&anchors.list[at], &signals[at]);
    let document = anchors.document;
    let mut features = PagingFeatures::new(LINK_FEATURES);
    let word = signal.says_something();
    features.flag("rel", signal.rel.is_some());
    features.flag("next-prev", signal.text.is_some());
    features.flag("next-prev-more", signal.text.is_none() && signal.part.is_some());
    features.flag("first-last", signal.first_last);
    features.flag("load-more", signal.load_more);
    features.flag("glyph", signal.glyph.is_some());
    features.flag("label", signal.label.is_some());
    features.flag("class", signal.class.is_some());
    features.flag("no-word", !word);

    let loses = |change: &UrlChange| {
        matches!(change, UrlChange::Removed { .. } | UrlChange::SegmentsRemoved(_))
    };
    let keyed = pages_by_key(&anchor.changes) || turns(&anchor.changes);
    // To the address without a page: the first page of the list, or just the site.
    let lost = keyed && anchor.changes.iter().all(loses);
    let keyed = keyed && !lost;
    let differ = page.numbers.iter().zip(&address.numbers).filter(|(one, other)| one != other);
    let one_number = page.pattern == address.pattern && differ.count() == 1;
    let adds = !anchor.changes.is_empty() && anchor.changes.iter().all(adds_number);
    let elsewhere = anchor.parts.origin != anchors.address.origin;
    let slug = !keyed && !lost && !one_number && !adds && !elsewhere;
    features.flag("page-key", keyed);
    features.flag("page-key-word", keyed && word);
    features.flag("page-key-class", keyed && signal.class.is_some());
    features.flag("page-key-lost", lost);
    features.flag("page-key-lost-word", lost && (word || signal.class.is_some()));
    features.flag("one-number", one_number && !keyed);
    features.flag("one-number-word", one_number && !keyed && word);
    features.flag("adds-number", adds && !keyed);
    features.flag("adds-number-word", adds && !keyed && word);
    let same_list = slug && word && stays_in_list(anchors, at);
    features.flag("same-list-word", same_list);
    features.flag("elsewhere", elsewhere);
    features.flag("elsewhere-word", elsewhere && word);
    features.flag("slug", slug);
    features.flag("slug-word", slug && word);
    features.set("step-pair", step.pair);
    features.set("step-one", step.one);
    features.flag("step-second", step.second);
    features.flag("step-start", step.start);
    features.flag("date", anchor.changes.iter().any(is_date));

    let named = anchors.marked(anchor.node, 3, STRONG_MARKS);
    let weakly = !named && anchors.marked(anchor.node, 3, MARKS);
    features.flag("named", named);
    features.flag("named-word", named && word);
    features.flag("named-weakly", weakly);
    features.flag("named-weakly-word", weakly && word);

    let role = signal.role();
    let opposite = match role {
        Some(PagingRole::Next) => Some(PagingRole::Prev),
        Some(PagingRole::Prev) => Some(PagingRole::Next),
        _ => None,
    };
    let near = at.saturating_sub(NEAR)..(at + 1 + NEAR).min(signals.len());
    let partner = |other: usize| {
        other != at && signals[other].says_something() && signals[other].role() == opposite
    };
    features.flag("partner", word && opposite.is_some() && near.into_iter().any(partner));
    let twins = counts.get(&(&anchor.url, role)).copied().unwrap_or(0);
    features.flag("twin", word && twins > 1);
    let inside = found.in_records(document, anchor.node);
    features.flag("in-records", inside);
    features.flag("in-records-word", inside && word);
    let near = near_records(anchors, found, at, at);
    features.set("near-records", near);
    features.set("near-records-word", if word { near } else { 0.0 });
    features.flag("edge-word", anchor.frame == Frame::Edge && word);
    features.flag("entity", found.is_entity(at));
    features.flag("edge", anchor.frame == Frame::Edge);
    features.flag("list", found.entities.len() > 1);
    features.set("length", (1.0 + anchor.text.chars().count() as f64).ln() / 3.0);
    let image = || document.subtree(anchor.node).any(|node| document.is(node, Tag::IMG));
    features.flag("image", document.folded_len(anchor.node) == 0 && image());
    features.values
}

/// Digits of a page or of the records before it.
const PAGE_DIGITS: usize = 6;

/// Whether a link keeps the path of this page and a parameter of it, and sets another one to a number: the same list from
/// there on, whatever else its address says of how one came there.
fn stays_in_list(anchors: &Anchors<'_>, at: usize) -> bool {
    let (own, other) = (&anchors.address, &anchors.list[at].parts);
    let keeps = || own.params.iter().any(|param| other.params.contains(param));
    let counts = |change: &UrlChange| match change {
        UrlChange::Added { value, .. } | UrlChange::Changed { to: value, .. } => {
            (1..=PAGE_DIGITS).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit())
        }
        _ => false,
    };
    own.origin == other.origin
        && own.segments == other.segments
        && keeps()
        && anchors.list[at].changes.iter().any(counts)
}

/// Whether a change adds a number and nothing else.
fn adds_number(change: &UrlChange) -> bool {
    match change {
        UrlChange::Added { value, .. } => value.parse::<u64>().is_ok(),
        UrlChange::SegmentsAdded(segments) => segments.iter().any(|s| last_number(s).is_some()),
        _ => false,
    }
}

/// Whether a change is one of day, month or year.
fn is_date(change: &UrlChange) -> bool {
    const NAMES: &[&str] =
        &["date", "day", "month", "year", "week", "mes", "mois", "monat", "jahr", "datum", "fecha"];
    let year = |value: &str| {
        let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
        matches!(digits.len(), 4 | 6 | 8) && (digits.starts_with("19") || digits.starts_with("20"))
    };
    match change {
        UrlChange::Added { name, value } | UrlChange::Changed { name, to: value, .. } => {
            super::super::words::has(name, NAMES) || year(value)
        }
        UrlChange::SegmentChanged { to, .. } => year(to),
        UrlChange::SegmentsAdded(segments) => segments.iter().any(|segment| year(segment)),
        _ => false,
    }
}
