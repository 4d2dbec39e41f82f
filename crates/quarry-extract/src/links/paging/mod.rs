//! Decides which links are the paging of a list. Series of numbered links and links beside them are
//! judged by features (how addresses follow numbers, words, places), weighed by a fitted ranker; no
//! single word, class or address decides.

mod address;
mod features;
mod link;
mod marks;
mod number;
mod series;
mod signal;
mod step;

use std::collections::{BTreeMap, BTreeSet};

use crate::find::find_alone;
use quarry_dom::{Document, LinkKind, PageIndex};
use url::Url;

use super::anchor::Anchors;
use super::entity::{self, PageList};
use super::known::KnownEntities;
use super::shape::UrlChange;
use super::total;
use super::words::PAGE_KEYS;
use super::{LinkMap, PagingRole};
use address::{NumberedAddress, numbered};
use features::{PagingFeatures, probability};
use link::Beside;
use series::Series;

pub use features::{LINK_FEATURES, PagingWeights, SERIES_FEATURES};
pub(super) use signal::role_of;

/// A series or link at least so likely is paging.
const LIKELY: f64 = 0.5;

/// Everything on a page that may be paging, with what speaks for and against it.
#[derive(Debug, Default)]
pub struct PagingCandidates {
    series: Vec<Series>,
    series_features: Vec<Vec<f64>>,
    links: Vec<LinkCandidate>,
    /// The targets of all links of the page, by position.
    targets: Vec<String>,
}

/// A link that shows no number.
#[derive(Debug)]
struct LinkCandidate {
    at: usize,
    role: Option<PagingRole>,
    features: Vec<f64>,
    beside: Vec<Beside>,
}

/// One thing to learn from: features and the targets that it stands for.
pub struct PagingLesson<'a> {
    /// Features, in the order of [`SERIES_FEATURES`] or [`LINK_FEATURES`].
    pub features: Vec<f64>,
    /// Addresses that it leads to.
    pub targets: Vec<&'a str>,
}

impl PagingCandidates {
    /// The candidates of a page that stands alone.
    #[must_use]
    pub fn of(document: &Document, address: &Url) -> Self {
        let index = PageIndex::new(document);
        let anchors = Anchors::of(&index, address);
        let regions = find_alone(&index, &entity::records_config());
        let known = KnownEntities::default();
        let found = entity::find(&anchors, regions, &total::read(document), &known);
        candidates(&anchors, &found)
    }

    /// The series of numbers.
    #[must_use]
    pub fn series_lessons(&self) -> Vec<PagingLesson<'_>> {
        let lesson = |(series, features): (&Series, &Vec<f64>)| PagingLesson {
            features: features.clone(),
            targets: series.members.iter().map(|&(at, _)| self.targets[at].as_str()).collect(),
        };
        self.series.iter().zip(&self.series_features).map(lesson).collect()
    }

    /// The other links, with series judged by these weights.
    #[must_use]
    pub fn link_lessons(&self, weights: &PagingWeights) -> Vec<PagingLesson<'_>> {
        let likely = self.likely_series(weights);
        let lesson = |link: &LinkCandidate| PagingLesson {
            features: link.judged(&likely),
            targets: vec![self.targets[link.at].as_str()],
        };
        self.links.iter().map(lesson).collect()
    }

    fn likely_series(&self, weights: &PagingWeights) -> Vec<f64> {
        self.series_features.iter().map(|features| probability(&weights.series, features)).collect()
    }

    /// Whether every number of a series has a count of its own behind it ("4 (357)"): a facet whose values are
    /// numbers. No page says how much is on each of its pages.
    fn is_counted(&self, series: usize) -> bool {
        let features = PagingFeatures::of(SERIES_FEATURES, self.series_features[series].clone());
        self.series[series].members.len() > 1 && features.get("counted") >= 1.0
    }

    /// Positions of paging links with role and number.
    fn decide(&self, weights: &PagingWeights) -> BTreeMap<usize, (PagingRole, Option<u32>)> {
        let mut roles = BTreeMap::new();
        let likely = self.likely_series(weights);
        for (n, (series, likely)) in self.series.iter().zip(&likely).enumerate() {
            if *likely >= LIKELY && !self.is_counted(n) {
                for &(at, number) in &series.members {
                    roles.insert(at, (PagingRole::Page, u32::try_from(number).ok()));
                }
            }
        }
        for link in &self.links {
            if probability(&weights.link, &link.judged(&likely)) >= LIKELY {
                roles.insert(link.at, (link.role.unwrap_or(PagingRole::Page), None));
            }
        }
        roles
    }

    /// The targets that these weights take for paging.
    #[must_use]
    pub fn chosen(&self, weights: &PagingWeights) -> BTreeSet<&str> {
        self.decide(weights).keys().map(|&at| self.targets[at].as_str()).collect()
    }
}

impl LinkCandidate {
    /// The features with those that depend on how likely each series is.
    fn judged(&self, likely: &[f64]) -> Vec<f64> {
        let most = |test: &dyn Fn(&Beside) -> bool| {
            self.beside.iter().filter(|b| test(b)).map(|b| likely[b.series]).fold(0.0, f64::max)
        };
        let mut features = PagingFeatures::of(LINK_FEATURES, self.features.clone());
        let fits = most(&|beside| beside.fits);
        let (near, in_row) = (most(&|beside| beside.near), most(&|beside| beside.in_row));
        let word = 1.0 - features.get("no-word");
        features.set("series", near);
        features.set("series-word", near * word);
        features.set("in-row-word", in_row * word);
        features.set("series-target", most(&|beside| beside.same_target));
        features.set("series-fits", fits);
        features.set("near-fits", most(&|beside| beside.near && beside.fits));
        features.set("in-row", in_row);
        features.values
    }
}

/// Collects the candidates of a page.
fn candidates(anchors: &Anchors<'_>, found: &PageList) -> PagingCandidates {
    let addresses: Vec<NumberedAddress> =
        anchors.list.iter().map(|anchor| numbered(&anchor.url)).collect();
    let page = numbered(&anchors.page);
    let signals: Vec<_> =
        anchors.list.iter().map(|anchor| signal::signal(anchors, anchor)).collect();
    let steps = step::signs(anchors, &page, &addresses);
    let all = series::series(anchors, &addresses);
    let has_role = |at: usize| signals[at].says_something();
    let series_features = series::features(anchors, found, &addresses, &page, &all, &has_role);
    let mut in_series = vec![false; anchors.list.len()];
    for &(at, _) in all.iter().flat_map(|series| &series.members) {
        in_series[at] = true;
    }
    let mut counts = link::RoleCounts::new();
    for (anchor, signal) in anchors.list.iter().zip(&signals) {
        if let Some(role) = signal.role() {
            *counts.entry((&anchor.url, Some(role))).or_default() += 1;
        }
    }
    let finder = link::SeriesFinder::new(anchors, &all);
    let of_page = link::PageLinks {
        anchors,
        found,
        page: &page,
        addresses: &addresses,
        signals: &signals,
        counts,
    };
    let mut links = Vec::new();
    for (at, anchor) in anchors.list.iter().enumerate() {
        if in_series[at] || anchor.jumps || matches!(anchor.kind, LinkKind::Next | LinkKind::Prev) {
            continue;
        }
        let beside = finder.beside(anchors, &addresses, at);
        let role = signals[at].role();
        let step = steps[at];
        if role.is_none() && beside.is_empty() && !step.any() && !pages_by_key(&anchor.changes) {
            continue;
        }
        let features = link::features(&of_page, step, at);
        let role = role.or(step.role.filter(|_| step.any()));
        links.push(LinkCandidate { at, role, features, beside });
    }
    let targets = anchors.list.iter().map(|anchor| anchor.written_target(&anchors.page)).collect();
    PagingCandidates { series: all, series_features, links, targets }
}

/// Takes the paging links out of the list.
pub(super) fn take(anchors: &mut Anchors<'_>, found: &PageList, map: &mut LinkMap) {
    let roles = candidates(anchors, found).decide(PagingWeights::shipped());
    let document = anchors.document;
    let record_of = |at: usize| found.record_of(document, anchors.list[at].node);
    let records: BTreeSet<_> = roles.keys().filter_map(|&at| record_of(at)).collect();
    // One record with paging in it is a list that reaches too far, not records of several pages.
    let of_records: BTreeSet<usize> = match records.len() {
        0 | 1 => BTreeSet::new(),
        _ => roles.keys().copied().filter(|&at| record_of(at).is_some()).collect(),
    };
    let mut known: BTreeSet<(String, PagingRole)> = BTreeSet::new();
    for (at, (role, number)) in roles {
        let anchor = &mut anchors.list[at];
        anchor.taken = true;
        if !anchor.is_self && known.insert((anchor.url.to_string(), role)) {
            let in_record = of_records.contains(&at);
            let list = if in_record { &mut map.record_pagination } else { &mut map.pagination };
            list.push(anchor.paging(role, number));
        }
    }
    in_head(anchors, map);
}

/// Whether a link leads to the path of this page or below it.
fn address_keeps_path(anchors: &Anchors<'_>, at: usize) -> bool {
    let (own, other) = (&anchors.address, &anchors.list[at].parts);
    own.origin == other.origin && other.segments.starts_with(&own.segments)
}

fn last_number(text: &str) -> Option<u64> {
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = text[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    text[start..end].parse().ok()
}

/// Whether a parameter or path segment of this name says which page it is.
pub(super) fn is_page_key(name: &str) -> bool {
    let whole: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    PAGE_KEYS.contains(&whole.to_lowercase().as_str())
}

/// Whether the changes of an address only turn the page. Parameters may get lost on the way: those
/// that only say how one came here.
fn pages_by_key(changes: &[UrlChange]) -> bool {
    let (mut turned, mut back, mut lost) = (false, false, false);
    for change in changes {
        match change {
            UrlChange::Added { name, .. } | UrlChange::Changed { name, .. }
                if is_page_key(name) =>
            {
                turned = true;
            }
            UrlChange::SegmentsAdded(segments) if is_page_path(segments) => turned = true,
            UrlChange::SegmentChanged { from, to }
                if stem(from) == stem(to) || is_page_path(std::slice::from_ref(to)) =>
            {
                turned = true;
            }
            UrlChange::Removed { name, .. } if is_page_key(name) => back = true,
            UrlChange::SegmentsRemoved(segments) if is_page_path(segments) => back = true,
            UrlChange::Removed { .. } => lost = true,
            _ => return false,
        }
    }
    turned || (back && !lost)
}

/// Whether the changes turn the page and set other parameters, as some sites spell out their
/// defaults in such links.
fn turns(changes: &[UrlChange]) -> bool {
    let turns = |change: &UrlChange| matches!(change, UrlChange::Added { name, .. } | UrlChange::Changed { name, .. } if is_page_key(name));
    let stays =
        |change: &UrlChange| matches!(change, UrlChange::Added { .. } | UrlChange::Changed { .. });
    changes.iter().any(turns) && changes.iter().all(stays)
}

/// A segment without its digits.
fn stem(segment: &str) -> String {
    segment.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// "page/2", "p2", "page-2", "seite2.html".
fn is_page_path(segments: &[String]) -> bool {
    match segments {
        [word, number] => is_page_key(word) && number.bytes().all(|b| b.is_ascii_digit()),
        [one] => {
            let name = one.rsplit_once('.').map_or(one.as_str(), |(stem, _)| stem);
            last_number(name).is_some() && is_page_key(&stem(name))
        }
        _ => false,
    }
}

/// Where the head of the page says that the next and previous pages are, if no link does.
fn in_head(anchors: &Anchors<'_>, map: &mut LinkMap) {
    for anchor in &anchors.list {
        let role = match anchor.kind {
            LinkKind::Next => PagingRole::Next,
            LinkKind::Prev => PagingRole::Prev,
            _ => continue,
        };
        let known = map.pagination.iter().any(|other| other.role == role);
        if !known && !anchor.is_self && pages_by_key(&anchor.changes) {
            map.pagination.push(anchor.paging(role, None));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::last_number;

    #[test]
    fn the_last_number_stands_behind_letters_of_any_script() {
        for (text, number) in [
            ("page-12", Some(12)),
            ("7", Some(7)),
            ("제4차 국가철도망", Some(4)),
            ("é", None),
            ("12 of 40…", Some(40)),
        ] {
            assert_eq!(last_number(text), number, "{text}");
        }
    }
}
