//! The evidence that a column is an attribute. Agreement with the records of the pages, beyond
//! chance; and what its values, labels and place look like.

use rayon::prelude::*;

use super::columns::Column;
use super::label::{Label, name_words};
use super::leaf::LocatorKind;
use super::lexicon::TextTokens;
use super::link::{Compared, Links};
use super::profile::Profile;
use super::seed::{SeedAttributeId, SeedDb, SeedRecordId};

use crate::parallel;

/// Linked pages that agreement is measured on, at most.
const SAMPLE: usize = 100;
/// Texts of a column that are looked at, at most.
const TEXTS: usize = 60;
/// Linked pages at which agreement counts half: fewer may agree by luck.
const HALF_TRUST: f64 = 2.0;
/// Values count as equal from here on: all but common pieces are the same.
const EQUAL: f64 = 0.9;

/// The features of a column, in the order of [`NAMES`].
pub(crate) type EvidenceFeatures = [f64; NAMES.len()];

/// Names of the features.
pub(crate) const NAMES: [&str; 26] = [
    "lift",
    "same",
    "equal",
    "linked_share",
    "coverage",
    "dictionary",
    "known",
    "margin",
    "length",
    "digits",
    "capitals",
    "kinds",
    "variety",
    "title",
    "printed",
    "markup",
    "remembered",
    "locators",
    "template",
    "depth",
    "heading",
    "in_title",
    "steady",
    "affix",
    "crowd",
    "familiar",
];

/// What is known of an attribute before any column is looked at.
struct AttributeTraits {
    profile: Profile,
    name: Vec<String>,
    /// Whether its values tell entities apart and are words: names and titles.
    key: f64,
}

/// What a column is, whatever the attribute.
pub(crate) struct ColumnTraits {
    pub(crate) label: Label,
    profile: Profile,
    /// How much of the page's title the text covers, and how much of the text the title has.
    title: (f64, f64),
    template: f64,
    depth: f64,
    heading: f64,
    /// Texts of the same look on a page, as a logarithm: lists have many.
    crowd: f64,
    /// Pieces of the seed that nearly all texts have, and the number of other such pieces.
    constant: Vec<u32>,
    strange: usize,
    /// Pieces of a text, on average.
    pieces: f64,
    texts: Vec<u32>,
}

/// Columns with what they are, and attributes with what is known of them: what does not change between rounds.
pub(crate) struct ColumnEvidence<'a> {
    compared: &'a Compared<'a>,
    seeds: &'a SeedDb,
    attributes: Vec<AttributeTraits>,
    pub(crate) columns: Vec<ColumnTraits>,
    /// Features that do not depend on links.
    pub(super) fixed: Vec<Vec<EvidenceFeatures>>,
}

impl<'a> ColumnEvidence<'a> {
    pub(crate) fn of(
        compared: &'a Compared<'a>,
        seeds: &'a SeedDb,
        documents: &[&quarry_dom::Document],
    ) -> Self {
        let attributes = (0..seeds.attributes().len() as SeedAttributeId)
            .map(|a| attribute_traits(compared, seeds, a));
        let columns = parallel::map(&compared.site.columns, |column| {
            column_traits(column, compared, documents)
        });
        let mut evidence =
            Self { compared, seeds, attributes: attributes.collect(), columns, fixed: Vec::new() };
        evidence.fixed = (0..seeds.attributes().len() as SeedAttributeId)
            .map(|attribute| {
                parallel::map_range(compared.site.columns.len(), |column| {
                    evidence.fixed_features(attribute, column)
                })
            })
            .collect();
        evidence
    }

    /// The share of an attribute's values that are numbers, dates, prices or links.
    pub(crate) fn typed(&self, attribute: SeedAttributeId) -> f64 {
        self.attributes[attribute as usize].profile.typed()
    }

    /// The features of all columns for an attribute, given who the pages are; only `among` these pages, if given.
    pub(crate) fn features(
        &self,
        attribute: SeedAttributeId,
        links: &Links,
        among: Option<&[bool]>,
    ) -> Vec<EvidenceFeatures> {
        let of = &self.compared.lexicon.attributes[attribute as usize];
        let has = |record: &SeedRecordId| !of.of_record(*record).is_empty();
        let linked: Vec<(u32, Vec<SeedRecordId>)> = (0u32..)
            .zip(links)
            .map(|(page, records)| (page, records.iter().copied().filter(has).collect::<Vec<_>>()))
            .filter(|(page, records)| {
                !records.is_empty() && among.is_none_or(|among| among[*page as usize])
            })
            .collect();
        let step = linked.len().div_ceil(SAMPLE).max(1);
        let linked: Vec<(u32, Vec<SeedRecordId>)> = linked.into_iter().step_by(step).collect();
        self.compared
            .site
            .columns
            .par_iter()
            .zip(&self.fixed[attribute as usize])
            .map(|(column, fixed)| {
                let mut features = self.agreement(attribute, column, &linked, *fixed);
                if let Some(among) = among {
                    let all = among.iter().filter(|among| **among).count().max(1);
                    let own = column.cells.iter().filter(|cell| among[cell.0 as usize]).count();
                    features[4] = own as f64 / all as f64;
                }
                features
            })
            .collect()
    }

    fn agreement(
        &self,
        attribute: SeedAttributeId,
        column: &Column,
        linked: &[(u32, Vec<SeedRecordId>)],
        mut features: EvidenceFeatures,
    ) -> EvidenceFeatures {
        let (mut same, mut chance, mut equal, mut there) = (0.0, 0.0, 0.0, 0.0);
        let similar = |records: &[SeedRecordId], text: u32| {
            let of = |record: &SeedRecordId| self.compared.similarity(attribute, *record, text);
            records.iter().map(of).fold(0.0, f64::max)
        };
        for (at, (page, records)) in linked.iter().enumerate() {
            let Some(leaf) = column.on(*page) else { continue };
            let text = self.compared.site.text_of((*page, leaf));
            let similarity = similar(records, text);
            there += 1.0;
            same += similarity;
            equal += f64::from(u8::from(similarity >= EQUAL));
            let strangers = [linked.len() / 2, linked.len() / 3 + 1];
            for stranger in strangers.map(|far| &linked[(at + far) % linked.len()].1) {
                chance += similar(stranger, text) / strangers.len() as f64;
            }
        }
        // Agreement with the page's own record says more than being some record's value: related items are that, too.
        if !linked.is_empty() {
            features[25] = 0.0;
        }
        let all = linked.len() as f64;
        let trust = 1.0 / (all + HALF_TRUST);
        // Chance cannot be told from agreement on one page.
        let lift = if linked.len() > 1 { same - chance } else { 0.0 };
        features[0] = lift * trust;
        features[1] = same * trust;
        features[2] = equal * trust;
        features[3] = there / all.max(1.0);
        features
    }

    fn fixed_features(&self, attribute: SeedAttributeId, column: usize) -> EvidenceFeatures {
        let site = self.compared.site;
        let known = &self.attributes[attribute as usize];
        let seen = &self.columns[column];
        let mut features = [0.0; NAMES.len()];
        let of = &self.compared.lexicon.attributes[attribute as usize];
        let share = |a: SeedAttributeId, tokens: &TextTokens| {
            let of = &self.compared.lexicon.attributes[a as usize];
            let has = tokens.known.iter().filter(|token| of.has(**token)).count();
            has as f64 / tokens.len().max(1) as f64
        };
        let (mut dictionary, mut chance, mut own, mut margin) = (0.0, 0.0, 0.0, 0.0);
        for text in &seen.texts {
            let hits = &self.compared.hits[attribute as usize][*text as usize];
            let equal = hits.first().is_some_and(|hit| hit.similarity >= EQUAL);
            dictionary += f64::from(u8::from(equal));
            let decoy = self.compared.decoys[attribute as usize][*text as usize];
            chance += f64::from(u8::from(decoy >= EQUAL));
            let tokens = &site.texts[*text as usize].tokens;
            let mine = share(attribute, tokens);
            let others =
                (0..self.attributes.len() as SeedAttributeId).filter(|other| *other != attribute);
            own += mine;
            margin += mine - others.map(|other| share(other, tokens)).fold(0.0, f64::max);
        }
        let count = seen.texts.len().max(1) as f64;
        let [length, digits, capitals] = known.profile.distances(&seen.profile);
        let (printed, markup) = seen.label.names(&known.name);
        let label = seen.label.printed.as_deref().unwrap_or("");
        let remembered = self.seeds.label_sites(attribute, &label.to_lowercase());
        features[4] = site.columns[column].cells.len() as f64 / site.pages.len() as f64;
        features[5] = dictionary / count;
        features[6] = own / count;
        features[7] = margin / count;
        features[8] = length.min(2.0);
        features[9] = digits;
        features[10] = capitals;
        features[11] = known.profile.kinds_in_common(&seen.profile);
        features[12] = (known.profile.variety - seen.profile.variety).abs();
        features[13] = seen.title.0 * seen.title.1.sqrt() * known.key;
        features[14] = printed;
        features[15] = markup;
        features[16] = f64::from(u8::from(remembered > 0)) * seen.label.share;
        features[17] = (site.columns[column].keys.len() as f64).ln();
        features[18] = seen.template;
        features[19] = seen.depth;
        features[20] = seen.heading * known.key;
        features[21] = seen.title.1 * (1.0 - known.key);
        features[22] = seen.label.share;
        let strange = seen.constant.iter().filter(|token| !of.has(**token)).count() + seen.strange;
        features[23] = (strange as f64 / seen.pieces.max(1.0)).min(1.0);
        features[24] = seen.crowd;
        features[25] = (dictionary - chance).max(0.0) / count;
        features
    }
}

fn attribute_traits(
    compared: &Compared<'_>,
    seeds: &SeedDb,
    attribute: SeedAttributeId,
) -> AttributeTraits {
    let records = &compared.lexicon.different;
    let step = records.len().div_ceil(400).max(1);
    let record = |number: &SeedRecordId| &seeds.records()[*number as usize];
    let values = records.iter().step_by(step).flat_map(|number| record(number).values(attribute));
    let of = &compared.lexicon.attributes[attribute as usize];
    let profile = Profile::of(values.map(String::as_str), of.values.len(), of.records);
    let [_, digits, _] = profile.distances(&Profile::default());
    let key = (profile.variety.min(1.0) - 0.3).max(0.0) / 0.7 * (1.0 - 2.0 * digits).max(0.0);
    AttributeTraits { profile, name: name_words(&seeds.attributes()[attribute as usize]), key }
}

fn column_traits(
    column: &Column,
    compared: &Compared<'_>,
    documents: &[&quarry_dom::Document],
) -> ColumnTraits {
    let site = compared.site;
    let mut texts: Vec<u32> = column.cells.iter().map(|cell| site.text_of(*cell)).collect();
    texts.sort_unstable();
    texts.dedup();
    let step = texts.len().div_ceil(TEXTS).max(1);
    let texts: Vec<u32> = texts.into_iter().step_by(step).collect();
    let values = texts.iter().map(|text| site.texts[*text as usize].text.as_str());
    let profile = Profile::of(values, column.different as usize, column.cells.len());
    let step = column.cells.len().div_ceil(TEXTS).max(1);
    let (mut title, mut template, mut depth, mut count) = ((0.0, 0.0), 0.0, 0.0, 0.0);
    let mut crowd = 0.0;
    for cell in column.cells.iter().step_by(step) {
        let page = &site.pages[cell.0 as usize];
        let text = site.text(*cell);
        let (of_title, of_text) = overlap(&page.title, &text.tokens);
        title = (title.0 + of_title, title.1 + of_text);
        template += f64::from(u8::from(f64::from(text.pages) > 0.3 * site.pages.len() as f64));
        depth += f64::from(cell.1) / page.leaves.len().max(1) as f64;
        crowd += f64::from(page.leaves[cell.1 as usize].crowd).ln();
        count += 1.0;
    }
    let (constant, strange, pieces) = constant_pieces(&texts, compared);
    let heading = column.keys.iter().any(|(kind, _)| *kind == LocatorKind::Heading);
    ColumnTraits {
        label: Label::of(column, site, documents),
        profile,
        title: (title.0 / count, title.1 / count),
        template: template / count,
        depth: depth / count,
        heading: f64::from(u8::from(heading)),
        crowd: crowd / count,
        constant,
        strange,
        pieces,
        texts,
    }
}

/// Pieces that nine in ten of these texts have: those of the seed, the number of others, and how many pieces a text has.
fn constant_pieces(texts: &[u32], compared: &Compared<'_>) -> (Vec<u32>, usize, f64) {
    let texts = texts.iter().map(|text| &compared.site.texts[*text as usize].tokens);
    let texts: Vec<&TextTokens> = texts.collect();
    let least = (texts.len() * 9).div_ceil(10).max(3);
    let known = often(texts.iter().flat_map(|text| text.known.iter().copied()).collect(), least);
    let strange =
        often(texts.iter().flat_map(|text| text.strange.iter().copied()).collect(), least);
    let pieces: usize = texts.iter().map(|text| text.len()).sum();
    (known, strange.len(), pieces as f64 / texts.len().max(1) as f64)
}

/// The members that come at least so many times.
fn often<T: Ord + Copy>(mut all: Vec<T>, least: usize) -> Vec<T> {
    all.sort_unstable();
    all.chunk_by(|a, b| a == b).filter(|same| same.len() >= least).map(|same| same[0]).collect()
}

/// How much of a page's title a text covers, and how much of the text is in the title.
fn overlap(title: &TextTokens, text: &TextTokens) -> (f64, f64) {
    let common = text.known.iter().filter(|token| title.known.binary_search(token).is_ok()).count();
    (common as f64 / title.len().max(1) as f64, common as f64 / text.len().max(1) as f64)
}
