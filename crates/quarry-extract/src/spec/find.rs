//! Finds the specifications of pages. The one entry: pages of a site in, specifications out.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use quarry_dom::{Document, NodeId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::agreement::Agreement;
use super::boost::Trees;
use super::features::{PageFeatures, SharedNames, SpecFeatures, features};
use super::fragment::{Fragment, fragments};
use super::model::FragmentPlace;
use super::outline::Outline;
use super::section;
use super::shared::shared;
use super::site::SiteNames;
use super::turned::turned_keys;
use super::union::unions;
use crate::page::hash;

static SHIPPED: LazyLock<Trees> = LazyLock::new(|| {
    Trees::parse(include_str!("trees.txt"), SpecFeatures::NAMES)
        .expect("the shipped trees are tested")
});

/// A page to look at.
#[derive(Clone, Copy, Debug)]
pub struct SpecPage<'a> {
    /// Its id; results are the same in whatever order the pages come, because ids order them.
    pub id: &'a str,
    /// The page itself.
    pub document: &'a Document,
}

/// How specifications are looked for.
#[derive(Clone, Debug)]
pub struct SpecConfig {
    /// Fragments that score less are not specifications. Default 0.5: the detector is less sure on sites that it has not seen, and a
    /// higher threshold finds nothing on many of them (docs/algorithms/spec.md).
    pub min_score: f64,
    /// Pages on which fewer different names are found have no specification. Default 3: what has one or two is a note.
    pub min_names: usize,
    /// What tells specifications from other fragments. Default: the shipped trees.
    pub trees: Trees,
}

/// Nodes around the beginning of a value that may be the one that holds all of it.
const MAX_AROUND: usize = 4;
/// What may stand before a value in the node that holds it, in bytes.
const MAX_BEFORE: usize = 400;

impl Default for SpecConfig {
    fn default() -> Self {
        Self { min_score: 0.5, min_names: 3, trees: SHIPPED.clone() }
    }
}

/// How a specification was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpecMethod {
    /// Detector, then rows of names and values (the paper's SE).
    Rows,
    /// Rules that known names and values taught (the paper's WI).
    Wrapper,
    /// Names that the pages of the site agree on, whatever their mark-up.
    Agreement,
    /// Embedded data: JSON-LD, microdata, RDFa.
    Embedded,
}

/// A specification of a page.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The smallest element around all of it.
    pub node: NodeId,
    /// How likely it is a specification, from 0 to 1.
    pub score: f64,
    /// How it was read.
    pub method: SpecMethod,
    /// Names and values in document order.
    pub pairs: Vec<SpecPair>,
}

/// A name with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecPair {
    /// As printed, the colon aside.
    pub name: String,
    /// As printed.
    pub value: String,
    /// The node of the name.
    pub name_node: NodeId,
    /// The node of the value.
    pub value_node: NodeId,
    /// The attribute that the value was read from, if it is not text.
    pub attribute: Option<&'static str>,
    /// The section of the specification.
    pub section: Option<String>,
    /// Which of several values of the name this is, from 1; 0 where it is the only one.
    pub item: usize,
}

impl SpecPair {
    /// The innermost node that shows all of the value, which may begin at [`Self::value_node`] and go on behind it.
    pub fn place(&self, document: &Document) -> NodeId {
        let value: String = self.value.chars().filter(|char| !char.is_whitespace()).collect();
        let shows = |&node: &NodeId| starting_text(document, node, &value).contains(&value);
        let around = std::iter::once(self.value_node).chain(document.ancestors(self.value_node));
        let place = || around.take(MAX_AROUND).find(shows);
        self.attribute.is_none().then(place).flatten().unwrap_or(self.value_node)
    }
}

/// The text of a node without white space, up to a length in which a value and its name fit.
fn starting_text(document: &Document, node: NodeId, value: &str) -> String {
    let limit = 2 * value.len() + MAX_BEFORE;
    let mut text = String::with_capacity(limit);
    for inner in document.subtree(node).take(limit).filter(|&inner| document.is_text(inner)) {
        text.extend(document.text(inner).chars().filter(|char| !char.is_whitespace()));
        if text.len() >= limit {
            break;
        }
    }
    text
}

/// A fragment that was considered: for training and explaining.
#[derive(Clone, Debug)]
pub struct SpecCandidate {
    /// The element around its rows.
    pub node: NodeId,
    /// What speaks for and against it.
    pub features: SpecFeatures,
    /// The same for fragments of several pages that stand at the same place: their scores support each other.
    pub place: u64,
    /// Its pairs.
    pub pairs: Vec<SpecPair>,
}

struct Page<'a> {
    outline: Outline<'a>,
    fragments: Vec<Fragment>,
}

impl<'a> Page<'a> {
    fn new(document: &'a Document) -> Self {
        let outline = Outline::new(document);
        let fragments = fragments(&outline);
        Self { outline, fragments }
    }

    /// Turns name and value of some fragments.
    fn turn(&mut self, which: impl Fn(&Outline<'a>, &Fragment) -> bool) {
        for at in 0..self.fragments.len() {
            if which(&self.outline, &self.fragments[at]) {
                self.fragments[at].turn(&self.outline);
            }
        }
        self.fragments.retain(|fragment| !fragment.pairs.is_empty());
    }
}

/// Every fragment that is considered on the pages of a site, with its features.
pub fn candidates(pages: &[SpecPage<'_>]) -> Vec<Vec<SpecCandidate>> {
    let Considered { pages, figured, .. } = considered(pages);
    let all = pages.par_iter().zip(figured).map(|(page, figured)| {
        let both = page.fragments.iter().zip(figured);
        let candidates = both.map(|(fragment, features)| SpecCandidate {
            node: fragment.node,
            features: features.own,
            place: place(&page.outline, fragment),
            pairs: spec_pairs(&page.outline, fragment),
        });
        candidates.collect()
    });
    all.collect()
}

/// Finds the specifications of the pages of one site.
///
/// ```
/// use quarry_dom::Document;
/// use quarry_extract::spec::{SpecConfig, SpecPage, find_specs};
///
/// let document = Document::from_html("<h1>Lamp</h1><h2>Technical specifications</h2><table class=specs>
///     <tr><th>Weight</th><td>1.2 kg</td></tr><tr><th>Height</th><td>40 cm</td></tr>
///     <tr><th>Colour</th><td>Black</td></tr><tr><th>Power</th><td>60 W</td></tr></table>");
/// let pages = [SpecPage { id: "lamp.html", document: &document }];
/// let found = find_specs(&pages, &SpecConfig::default());
/// let spec = &found[0][0];
/// assert_eq!(document.xpath(spec.node), "/html/body/table");
/// assert_eq!((spec.pairs[0].name.as_str(), spec.pairs[0].value.as_str()), ("Weight", "1.2 kg"));
/// ```
pub fn find_specs(pages: &[SpecPage<'_>], config: &SpecConfig) -> Vec<Vec<Spec>> {
    let site = considered(pages);
    let scores = scores(&site, config);
    let threshold = config.min_score;
    let found = site.pages.par_iter().zip(scores);
    found.map(|(page, scores)| joined(page, &scores, threshold, config)).collect()
}

/// What was learned of fragments: every place of a site that holds some, with its mean log-odds, and what was found page by page.
pub(crate) struct LearnedFragments {
    pub(crate) places: BTreeMap<String, FragmentPlace>,
    pub(crate) found: Vec<Vec<Spec>>,
}

/// Learns the places of fragments, and reads the pages.
pub(crate) fn learned_fragments(pages: &[SpecPage<'_>], config: &SpecConfig) -> LearnedFragments {
    let site = considered(pages);
    let mut means: BTreeMap<String, (String, Mean, bool)> = BTreeMap::new();
    for (page, figured) in site.pages.iter().zip(&site.figured) {
        for (fragment, features) in page.fragments.iter().zip(figured) {
            let place = means.entry(signature(&page.outline, fragment)).or_insert_with(|| {
                let path = page.outline.document.tag_path(fragment.node);
                (path, Mean::default(), site.turned.contains(&fragment.key))
            });
            place.1.add(log_odds(features, site.agreed(fragment, features), config));
        }
    }
    let place = |(signature, (path, mean, turned)): (String, (String, Mean, bool))| {
        let fragments = usize::try_from(mean.count).unwrap_or(0);
        (signature, FragmentPlace { path, fragments, log_odds: mean.value(), turned })
    };
    let places: BTreeMap<String, FragmentPlace> = means.into_iter().map(place).collect();
    let threshold = config.min_score;
    let read = |page: &Page<'_>| {
        let score = |fragment: &Fragment| {
            let place = places.get(&signature(&page.outline, fragment));
            Trees::probability(place.map_or(NEVER, |place| place.log_odds))
        };
        let scores: Vec<f64> = page.fragments.iter().map(score).collect();
        joined(page, &scores, threshold, config)
    };
    let found = site.pages.par_iter().map(read).collect();
    LearnedFragments { places, found }
}

/// Reads a page alone; places that were learned lend their log-odds.
pub(crate) fn read_by_places(
    document: &Document,
    places: &BTreeMap<String, FragmentPlace>,
    config: &SpecConfig,
) -> Vec<Spec> {
    let mut page = Page::new(document);
    let is_turned = |outline: &Outline<'_>, fragment: &Fragment| {
        places.get(&signature(outline, fragment)).is_some_and(|place| place.turned)
    };
    page.turn(is_turned);
    // Most pages have nothing but fragments at known places; only others are judged by their own features.
    let figured = OnceCell::new();
    let own = |at: usize| {
        let of_page = || {
            let names = SiteNames::new(std::iter::once(page.fragments.as_slice()));
            page_features(&page, &names)
        };
        let features: &Vec<FragmentFeatures> = figured.get_or_init(of_page);
        log_odds(&features[at], ALONE, config)
    };
    let score = |(at, fragment): (usize, &Fragment)| {
        let place = places.get(&signature(&page.outline, fragment));
        Trees::probability(place.map_or_else(|| own(at), |place| place.log_odds))
    };
    let scores: Vec<f64> = page.fragments.iter().enumerate().map(score).collect();
    joined(&page, &scores, config.min_score, config)
}

fn signature(outline: &Outline<'_>, fragment: &Fragment) -> String {
    format!("{:016x}", place(outline, fragment))
}

fn scores(site: &Considered<'_>, config: &SpecConfig) -> Vec<Vec<f64>> {
    let judged = site.pages.par_iter().zip(&site.figured).map(|(page, figured)| {
        let judge = |(fragment, features): (&Fragment, &FragmentFeatures)| {
            let agreed = site.agreed(fragment, features);
            (place(&page.outline, fragment), log_odds(features, agreed, config))
        };
        page.fragments.iter().zip(figured).map(judge).collect()
    });
    let mut judged: Vec<Vec<(u64, f32)>> = judged.collect();
    support(&mut judged);
    let chance = |(_, log_odds): (u64, f32)| Trees::probability(log_odds);
    judged.into_iter().map(|page| page.into_iter().map(chance).collect()).collect()
}

/// So many fragments of one look with the same names are the records of a list, not sections of a specification.
const RECORDS: f32 = 4.0;
/// The share of a fragment's names that records have in common.
const RECORD_NAMES: f32 = 0.5;
/// Rows from which on repeated names show that they are values: a column of a table.
const COLUMN_ROWS: f32 = 3.0;
/// The share of different names below which rows repeat them.
const COLUMN_NAMES: f32 = 0.6;
/// From this score on one name less than usual is enough.
const SURE_OF_FEW: f64 = 0.9;
/// The log-odds of what cannot be a specification.
const NEVER: f32 = -20.0;
/// Log-odds of the detector are cut here: it has seen some sites only, and is not as sure as it says.
const SURE: f32 = 4.0;
/// What agreement says of a page alone: nothing.
const ALONE: (f32, f32) = (0.0, 0.0);

fn names_of(features: &SpecFeatures) -> SharedNames {
    SharedNames {
        fragments: features.like_fragments as usize,
        rows: features.like_rows as usize,
        names_repeated: features.names_repeated,
        names_elsewhere: features.names_elsewhere,
    }
}

/// The log-odds that a fragment is a specification, or a section of one; `agreed`: those by agreement of pages, and their weight.
fn log_odds(features: &FragmentFeatures, agreed: (f32, f32), config: &SpecConfig) -> f32 {
    let FragmentFeatures { own: features, whole } = features;
    let is_record = features.like_fragments >= RECORDS && features.names_repeated >= RECORD_NAMES;
    let is_column = features.rows >= COLUMN_ROWS && features.names_distinct < COLUMN_NAMES;
    if is_record || is_column {
        return NEVER;
    }
    let (agreement, weight) = agreed;
    let own = config.trees.log_odds(&features.values());
    let whole = whole.map_or(own, |whole| config.trees.log_odds(&whole.values()));
    let detector = own.max(whole).clamp(-SURE, SURE);
    weight * agreement + (1.0 - weight) * detector
}

/// How much of a fragment's log-odds is those of its place on all pages. Half of them: what is unsure on one page is decided by
/// the others, and a page that differs can still say so.
const SUPPORT: f32 = 0.5;

/// Lets fragments at the same place on several pages support each other; places with their log-odds, page by page.
pub fn support(pages: &mut [Vec<(u64, f32)>]) {
    let mut places: BTreeMap<u64, Mean> = BTreeMap::new();
    for &(place, log_odds) in pages.iter().flatten() {
        places.entry(place).or_default().add(log_odds);
    }
    for (place, log_odds) in pages.iter_mut().flatten() {
        *log_odds = (1.0 - SUPPORT) * *log_odds + SUPPORT * places[place].value();
    }
}

/// A mean that does not depend on the order of what it is made of: millionths, summed exactly.
#[derive(Clone, Copy, Default)]
struct Mean {
    millionths: i64,
    count: i64,
}

impl Mean {
    fn add(&mut self, number: f32) {
        self.millionths += (f64::from(number) * 1e6).round() as i64;
        self.count += 1;
    }

    fn value(self) -> f32 {
        (self.millionths as f64 / 1e6 / self.count.max(1) as f64) as f32
    }
}

/// Where a fragment stands, the same on every page: its rows' key, its element's look and its heading.
fn place(outline: &Outline<'_>, fragment: &Fragment) -> u64 {
    let heading = section::heading(outline, fragment).unwrap_or_default();
    let look = hash::then(fragment.key, outline.look[fragment.node.index()]);
    hash::then(look, hash::of(&heading))
}

/// The features of a fragment, and of all sections that it is one of.
struct FragmentFeatures {
    own: SpecFeatures,
    whole: Option<SpecFeatures>,
}

/// The pages of a site with their fragments, in the order of the input.
struct Considered<'a> {
    pages: Vec<Page<'a>>,
    figured: Vec<Vec<FragmentFeatures>>,
    agreement: Agreement,
    /// Keys of rows whose second part is the name, as pages agree.
    turned: BTreeSet<u64>,
}

impl Considered<'_> {
    fn agreed(&self, fragment: &Fragment, features: &FragmentFeatures) -> (f32, f32) {
        self.agreement.log_odds(fragment, names_of(&features.own))
    }
}

fn considered<'a>(pages: &[SpecPage<'a>]) -> Considered<'a> {
    let mut pages: Vec<Page<'a>> = pages.par_iter().map(|page| Page::new(page.document)).collect();
    let turned = turned_keys(pages.iter().map(|page| page.fragments.as_slice()));
    if !turned.is_empty() {
        pages
            .par_iter_mut()
            .for_each(|page| page.turn(|_, fragment| turned.contains(&fragment.key)));
    }
    let names = SiteNames::new(pages.iter().map(|page| page.fragments.as_slice()));
    let figured = pages.par_iter().map(|page| page_features(page, &names)).collect();
    let agreement = Agreement::of(pages.iter().map(|page| page.fragments.as_slice()));
    Considered { pages, figured, agreement, turned }
}

fn page_features(page: &Page<'_>, names: &SiteNames) -> Vec<FragmentFeatures> {
    let page_own = PageFeatures::new(&page.outline, &page.fragments);
    let of = |fragment: &Fragment, shared: &SharedNames| {
        features(&page.outline, fragment, &page_own, shared, &names.features(fragment))
    };
    let both = page.fragments.iter().zip(shared(&page.fragments));
    let own =
        both.map(|(fragment, shared)| FragmentFeatures { own: of(fragment, &shared), whole: None });
    let mut figured: Vec<FragmentFeatures> = own.collect();
    for union in unions(&page.outline, &page.fragments) {
        let first = &figured[union.members[0]].own;
        let shared = SharedNames { fragments: 1, rows: union.whole.rows.len(), ..names_of(first) };
        let whole = of(&union.whole, &shared);
        for &member in &union.members {
            figured[member].whole = Some(whole);
        }
    }
    figured
}

/// Fragments that pass, those that look alike joined: sections of one specification.
fn joined(page: &Page<'_>, scores: &[f64], threshold: f64, config: &SpecConfig) -> Vec<Spec> {
    let document = page.outline.document;
    let mut by_key: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, fragment) in page.fragments.iter().enumerate() {
        if scores[at] >= threshold {
            by_key.entry(fragment.key).or_default().push(at);
        }
    }
    let mut specs: Vec<Spec> = Vec::new();
    for members in by_key.into_values() {
        let mut pairs: Vec<SpecPair> = Vec::new();
        let mut node = page.fragments[members[0]].node;
        let (mut sum, mut rows) = (0.0, 0.0);
        for &at in &members {
            let fragment = &page.fragments[at];
            let weight = fragment.rows.len() as f64;
            (sum, rows) = (sum + scores[at] * weight, rows + weight);
            node = document.common_ancestor(node, fragment.node);
            pairs.extend(spec_pairs(&page.outline, fragment));
        }
        specs.push(Spec { node, score: sum / rows, method: SpecMethod::Rows, pairs });
    }
    let names: BTreeSet<&str> =
        specs.iter().flat_map(|spec| &spec.pairs).map(|pair| pair.name.as_str()).collect();
    let is_sure = specs.iter().all(|spec| spec.score >= SURE_OF_FEW);
    if names.len() < config.min_names.saturating_sub(usize::from(is_sure)) {
        return Vec::new();
    }
    specs.sort_by_key(|spec| spec.pairs.first().map(|pair| pair.name_node));
    specs
}

fn spec_pairs(outline: &Outline<'_>, fragment: &Fragment) -> Vec<SpecPair> {
    let heading = section::heading(outline, fragment);
    let pairs = fragment.pairs.iter().map(|pair| SpecPair {
        name: pair.name.clone(),
        value: pair.value.clone(),
        name_node: pair.name_node,
        value_node: pair.value_node,
        attribute: pair.attribute,
        section: pair.section.clone().or_else(|| heading.clone()),
        item: pair.item,
    });
    pairs.collect()
}
