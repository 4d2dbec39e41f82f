//! Finds the records of pages: pages in, regions and record spans out.

use std::collections::BTreeSet;

use quarry_dom::{Document, NodeId, PageIndex};
use rayon::prelude::*;

use crate::page::{RatedPage, template};
pub use crate::record::span::Boundary;

use crate::record::candidate::candidates;
use crate::record::kind::{RecordKind, templates};
use crate::region::RegionEvidence;
use crate::region::rank::Weights;
use crate::region::site::{self, Weighed};

/// A page to look at.
#[derive(Clone, Copy, Debug)]
pub struct PageInput<'a> {
    /// Its id; results are the same in whatever order the pages come, because ids order them.
    pub id: &'a str,
    /// The page itself.
    pub document: &'a Document,
    /// The cluster that the page was put in, where that is known; `None` lets the pages be grouped
    /// by template here.
    pub cluster: Option<usize>,
}

/// How records are looked for.
#[derive(Clone, Debug)]
pub struct RecordsConfig {
    /// Regions reported for a page, best first. Default 5.
    pub max_regions: usize,
    /// Regions that score less are not reported; a page may have none. Default 0.5, which loses no
    /// page whose answer was found right in the three labelled collections.
    pub min_score: f64,
    /// The same where no page of the cluster has a likely answer, so that the best guess is all there is. Default 0.5.
    pub min_score_of_guess: f64,
    /// The same for regions behind the first. Default 0.5.
    pub min_other_score: f64,
    /// Whether regions may share nodes with better ones: shows what else was considered. Default
    /// false.
    pub overlapping: bool,
    /// Lists of records that are weighed on a page; the others hold less text. Default 60.
    pub max_candidates: usize,
    /// How alike the element signatures (name, classes, path) of two pages of one template are:
    /// those in common by the geometric mean of both numbers. Default 0.4.
    pub template_likeness: f64,
    /// What each figure of the evidence counts. Default: the shipped weights.
    pub weights: Weights,
}

impl Default for RecordsConfig {
    fn default() -> Self {
        Self {
            max_regions: 5,
            min_score: 0.5,
            min_score_of_guess: 0.5,
            min_other_score: 0.5,
            overlapping: false,
            max_candidates: 60,
            template_likeness: 0.4,
            weights: Weights::default(),
        }
    }
}

impl RecordsConfig {
    /// Every list of records that is weighed, whatever it shares with better ones: for
    /// [`explain_choice`](crate::explain::explain_choice) and for fitting weights.
    pub fn considered() -> Self {
        Self {
            max_regions: usize::MAX,
            min_score: 0.0,
            min_score_of_guess: 0.0,
            min_other_score: 0.0,
            overlapping: true,
            ..Self::default()
        }
    }

    /// Every list of a page that may have an answer: also those that are unlikely the answer themselves, such as shelves, side
    /// boxes and reviews. A first list that scores from 0.3 to 0.5 is the answer on one page in three: it is reported where no
    /// page of its cluster has a likely answer, and its score says so.
    pub fn every_list() -> Self {
        let (min_score_of_guess, min_other_score) = (0.3, 0.13);
        Self { max_regions: 20, min_score_of_guess, min_other_score, ..Self::default() }
    }
}

/// What was found on one page.
#[derive(Clone, Debug)]
pub struct PageRecords {
    /// The page's id.
    pub page: String,
    /// The cluster of pages of one template that it belongs to.
    pub cluster: usize,
    /// Answer regions, best first; empty where the page has none.
    pub regions: Vec<Region>,
}

impl PageRecords {
    /// The same with those regions only that the default settings report: likely answers.
    #[must_use]
    pub fn answers(&self) -> Self {
        let config = RecordsConfig::default();
        let likely = self.regions.iter().take(config.max_regions);
        let likely = likely.take_while(|region| region.score >= config.min_score);
        Self { regions: likely.cloned().collect(), ..self.clone() }
    }
}

/// A part of a page that holds records (the paper's QA-pagelet).
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The smallest element around all records.
    pub node: NodeId,
    /// How likely it is the answer, from 0 to 1.
    pub score: f64,
    /// The position among the page's regions of the best one with records of the same kind.
    pub template: usize,
    /// Its records in document order.
    pub records: Vec<RecordSpan>,
    /// What the score was made of.
    pub evidence: RegionEvidence,
    /// Where the boundaries of the records came from.
    pub boundary: Boundary,
    /// Sets of like leaves (titles, prices, …) that proposed just these records.
    pub anchor_sets: usize,
}

/// One record: one element, or several siblings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordSpan {
    /// The record's nodes in document order; none lies in another.
    pub nodes: Vec<NodeId>,
}

/// Finds the answer regions of pages of one site and splits them into records.
///
/// ```
/// use quarry_dom::Document;
/// use quarry_extract::find::{PageInput, RecordsConfig, find_records};
///
/// let item = |n: u32| format!("<li><h3><a href='/{n}'>Result number {n}</a></h3><p>Some words \
///     about the thing that was found, and a price of {n}.99</p></li>");
/// let list: String = (1..=5).map(item).collect();
/// let document = Document::from_html(&format!("<div><p>Shop</p></div><ul>{list}</ul>"));
/// let pages = [PageInput { id: "answer.html", document: &document, cluster: None }];
/// let found = find_records(&pages, &RecordsConfig::default());
/// let region = &found[0].regions[0];
/// assert_eq!(document.xpath(region.node), "/html/body/ul");
/// assert_eq!(region.records.len(), 5);
/// assert_eq!(document.xpath(region.records[1].nodes[0]), "/html/body/ul/li[2]");
/// ```
pub fn find_records(pages: &[PageInput<'_>], config: &RecordsConfig) -> Vec<PageRecords> {
    find_with(pages, config, &|pages, lists| site::support(pages, lists, &config.weights))
}

/// Chooses the answer region of each page of a cluster; `None` where a page has none.
pub type ChooseRegions<'c> = dyn Fn(&[&Document]) -> Vec<Option<NodeId>> + 'c;

/// Like [`find_records`], with regions that the caller chooses, cluster by cluster: the best list that
/// splits the chosen region or, where none does, that lies inside it, gives the records.
pub fn find_records_in(
    pages: &[PageInput<'_>],
    config: &RecordsConfig,
    choose: &ChooseRegions<'_>,
) -> Vec<PageRecords> {
    find_with(pages, config, &|pages, lists| {
        let documents: Vec<&Document> = pages.iter().map(|page| page.document).collect();
        keep_inside(pages, lists, &choose(&documents));
    })
}

/// Orders the lists of records of a cluster's pages, best first.
type RankLists<'c> = dyn Fn(&[&RatedPage<'_>], &mut [Vec<Weighed>]) + 'c;

fn find_with(
    pages: &[PageInput<'_>],
    config: &RecordsConfig,
    rank: &RankLists<'_>,
) -> Vec<PageRecords> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by_key(|&at| pages[at].id);
    let indexes: Vec<PageIndex<'_>> =
        order.par_iter().map(|&at| PageIndex::new(pages[at].document)).collect();
    let mut rated: Vec<RatedPage<'_>> = indexes.iter().map(RatedPage::alone).collect();
    let signatures: Vec<Vec<u64>> = indexes.par_iter().map(template::signature).collect();
    let grouped = template::group(&signatures, config.template_likeness);
    let clusters: Vec<usize> =
        order.iter().zip(&grouped).map(|(&at, &own)| pages[at].cluster.unwrap_or(own)).collect();
    let mut numbers = clusters.clone();
    numbers.sort_unstable();
    numbers.dedup();
    for &cluster in &numbers {
        let members = rated.iter_mut().zip(&clusters).filter(|(_, own)| **own == cluster);
        let mut members: Vec<&mut RatedPage<'_>> = members.map(|(page, _)| page).collect();
        template::rate(&mut members);
    }
    let mut weighed: Vec<Vec<Weighed>> = rated
        .par_iter()
        .map(|page| site::weigh(page, candidates(page, config.max_candidates), &config.weights))
        .collect();
    for &cluster in &numbers {
        let members: Vec<usize> = (0..rated.len()).filter(|&at| clusters[at] == cluster).collect();
        let own: Vec<&RatedPage<'_>> = members.iter().map(|&at| &rated[at]).collect();
        let mut lists: Vec<Vec<Weighed>> =
            members.iter().map(|&at| std::mem::take(&mut weighed[at])).collect();
        rank(&own, &mut lists);
        for (&at, list) in members.iter().zip(lists) {
            weighed[at] = list;
        }
    }
    // What other pages of a template show tells a page without an answer from one whose answer is hard to see.
    let is_likely = |list: &Weighed| config.weights.probability(list.score) >= config.min_score;
    let answered: BTreeSet<usize> = (weighed.iter().zip(&clusters))
        .filter(|(lists, _)| lists.iter().any(is_likely))
        .map(|(_, &cluster)| cluster)
        .collect();
    let mut found: Vec<(usize, PageRecords)> = Vec::with_capacity(pages.len());
    for (((weighed, page), &at), &cluster) in
        weighed.into_iter().zip(&rated).zip(&order).zip(&clusters)
    {
        let is_answered = answered.contains(&cluster);
        let least = if is_answered { config.min_score } else { config.min_score_of_guess };
        let regions = regions(page, weighed, config, least);
        found.push((at, PageRecords { page: pages[at].id.to_owned(), cluster, regions }));
    }
    found.sort_by_key(|&(at, _)| at);
    found.into_iter().map(|(_, page)| page).collect()
}

/// The regions of one page with no other beside it.
pub(crate) fn find_alone(index: &PageIndex<'_>, config: &RecordsConfig) -> Vec<Region> {
    let page = RatedPage::alone(index);
    let found = candidates(&page, config.max_candidates);
    regions(&page, site::weigh(&page, found, &config.weights), config, config.min_score)
}

/// Leaves only the lists that split the chosen region or, where no list splits it as a whole, those
/// inside it.
fn keep_inside(pages: &[&RatedPage<'_>], lists: &mut [Vec<Weighed>], chosen: &[Option<NodeId>]) {
    for ((page, lists), chosen) in pages.iter().zip(lists).zip(chosen) {
        let Some(node) = *chosen else {
            lists.clear();
            continue;
        };
        let splits = lists.iter().any(|list| list.candidate.region == node);
        lists.retain(|list| {
            let region = list.candidate.region;
            region == node || (!splits && page.document.contains(node, region))
        });
    }
}

/// The best lists as regions, each apart from the better ones, if the best scores `least` or more.
fn regions(
    page: &RatedPage<'_>,
    weighed: Vec<Weighed>,
    config: &RecordsConfig,
    least: f64,
) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut taken: Vec<NodeId> = Vec::new();
    for weighed in weighed {
        let region = region(weighed, &config.weights);
        let least = if regions.is_empty() { least } else { config.min_other_score };
        if regions.len() >= config.max_regions || region.score < least {
            break;
        }
        let mut nodes: Vec<NodeId> =
            region.records.iter().flat_map(|record| record.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        if config.overlapping || page.apart(&taken, &nodes) {
            taken.extend(nodes);
            taken.sort_unstable();
            regions.push(region);
        }
    }
    let kind = |region: &Region| {
        RecordKind::of(page, region.records.iter().map(|record| record.nodes.as_slice()))
    };
    let kinds: Vec<RecordKind> = regions.iter().map(kind).collect();
    for (region, template) in regions.iter_mut().zip(templates(&kinds)) {
        region.template = template;
    }
    regions
}

fn region(weighed: Weighed, weights: &Weights) -> Region {
    let spans = weighed.candidate.spans.into_iter();
    Region {
        node: weighed.candidate.region,
        score: weights.probability(weighed.score),
        template: 0,
        records: spans.map(|span| RecordSpan { nodes: span.nodes }).collect(),
        evidence: weighed.evidence,
        boundary: weighed.candidate.boundary,
        anchor_sets: weighed.candidate.anchors.len(),
    }
}
