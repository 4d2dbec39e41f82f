//! Links pages to seed records. Entities are resolved jointly with positions.
//!
//! A position whose texts resemble values of an attribute proposes a record for each page. It is believed
//! as far as the other attributes of those records are on those pages, too, more often than those of other records
//! are: the level of pairs in the paper's Apriori search (§3), in which related items and nearby places fall
//! away, without the need that other positions are fixed already.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::columns::{SiteText, SiteTexts};
use super::lexicon::{AttributeLexicon, Hit, Lexicon};
use super::page_pieces::PagePieces;
use super::seed::{SeedAttributeId, SeedDb, SeedRecordId};

use crate::parallel;

/// A value that more records share tells no entity from another.
const MAX_SAME: usize = 6;
/// An attribute whose values are shared by more records of a site, on average, proposes no entities: genres
/// and cities agree with some record on every page.
const MAX_SHARING: f64 = 3.0;
/// An attribute whose values have more records of a site, on average, is no name of entities.
const MAX_NAMESAKES: f64 = 1.2;
/// Records that a page may be; seeds of several sites hold an entity several times.
const MAX_RECORDS: usize = 4;
/// Positions that are tried for each attribute, the ones with the most proposals.
const TRIED: usize = 6;
/// Pages that a position is judged by.
const SAMPLE: usize = 40;
/// What a proposal counts without any other attribute that agrees.
const ALONE: f64 = 0.15;
/// A record must be this similar, over what is known of it, by the best that was seen.
const LEAST_PART: f64 = 0.55;

/// What agreement with a record of an earlier site counts, by that with one of the seed: the site may have been read wrong.
const GROWN_PART: f64 = 0.85;
/// A text that agrees with its page's record from here on supports a position.
pub(crate) const SUPPORTS: f64 = 0.6;
/// Values count as equal from here on: all but common pieces are the same.
pub(crate) const EQUAL: f64 = 0.9;
/// Names and numbers of one entity are at least this similar.
pub(crate) const SAME_NAME: f64 = 0.8;

/// Texts of a site compared with the seed.
pub(crate) struct Compared<'a> {
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) site: &'a SiteTexts,
    /// For each attribute, the values that each text resembles.
    hits: Vec<TextHits>,
    /// For each attribute and text, whether a decoy is as good as equal: what the hits are by chance.
    pub(crate) decoys: Vec<Vec<bool>>,
    /// For each attribute and text, the sum of its weights.
    pub(crate) totals: Vec<Vec<f32>>,
    /// Whether an attribute tells entities apart.
    identifies: Vec<bool>,
    /// Whether hardly two entities share a value of an attribute: names and numbers, not cities.
    pub(crate) names: Vec<bool>,
    /// Whether a record was read from an earlier site, and is not of the seed.
    grown: Vec<bool>,
    /// For each page, which of its texts have a piece.
    pieces: Vec<PagePieces>,
}

/// The values that each text of a site resembles. Most texts resemble none.
struct TextHits {
    /// Where the hits of each text begin, and where the last ones end.
    starts: Vec<u32>,
    all: Vec<Hit>,
}

impl TextHits {
    fn of(attribute: &AttributeLexicon, texts: &[SiteText]) -> Self {
        let found = parallel::map(texts, |text| attribute.hits(&text.tokens));
        let mut hits = Self { starts: vec![0], all: Vec::new() };
        for found in found {
            hits.all.extend(found);
            hits.starts.push(hits.all.len() as u32);
        }
        hits
    }

    fn of_text(&self, text: u32) -> &[Hit] {
        let (from, to) = (self.starts[text as usize], self.starts[text as usize + 1]);
        &self.all[from as usize..to as usize]
    }
}

/// The records of each page.
pub(crate) type Links = Vec<Vec<SeedRecordId>>;

impl<'a> Compared<'a> {
    pub(crate) fn of(lexicon: &'a Lexicon, site: &'a SiteTexts, seeds: &SeedDb) -> Self {
        let (mut hits, mut decoys, mut totals) = (Vec::new(), Vec::new(), Vec::new());
        for attribute in &lexicon.attributes {
            let decoy = attribute.decoy(0);
            let is_equal = |text: &SiteText| {
                decoy.hits(&text.tokens).first().is_some_and(|hit| hit.similarity >= EQUAL)
            };
            decoys.push(parallel::map(&site.texts, is_equal));
            hits.push(TextHits::of(attribute, &site.texts));
            totals.push(parallel::map(&site.texts, |text| attribute.total(&text.tokens)));
        }
        // An entity may have a record from each site.
        let most = MAX_SHARING + seeds.sites().len() as f64 - 1.0;
        let identifies =
            lexicon.attributes.iter().map(|attribute| attribute.sharing <= most).collect();
        let most = MAX_NAMESAKES + seeds.sites().len() as f64 - 1.0;
        let names = lexicon.attributes.iter().map(|attribute| attribute.sharing <= most).collect();
        let grown = seeds.records().iter().map(|record| record.page.is_some()).collect();
        let pieces = parallel::map(&site.pages, |page| PagePieces::of(page, &site.texts));
        Self { lexicon, site, hits, decoys, totals, identifies, names, grown, pieces }
    }

    /// The values of an attribute that a text resembles, the most similar first.
    pub(crate) fn hits(&self, attribute: SeedAttributeId, text: u32) -> &[Hit] {
        self.hits[attribute.index()].of_text(text)
    }

    /// The texts of a page that have something of a record's values of an attribute, by number, each with the similarity of the
    /// closest value. All others have none, so this costs what is in common, not the page times the record.
    pub(crate) fn alike(
        &self,
        attribute: SeedAttributeId,
        record: SeedRecordId,
        page: u32,
    ) -> Vec<(u32, f64)> {
        let of = &self.lexicon.attributes[attribute.index()];
        let pieces = &self.pieces[page as usize];
        let mut found: Vec<(u32, f64)> = Vec::new();
        for value in of.of_record(record) {
            let tokens = &of.values[*value as usize].tokens;
            let mut texts: Vec<u32> =
                tokens.iter().flat_map(|token| pieces.texts_with(*token)).collect();
            texts.sort_unstable();
            texts.dedup();
            found.extend(texts.into_iter().map(|text| {
                let total = self.totals[attribute.index()][text as usize];
                let tokens = &self.site.texts[text as usize].tokens;
                (text, of.similarity(*value, tokens, total))
            }));
        }
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        found.dedup_by_key(|found| found.0);
        found
    }

    /// The similarity of a text with a record's value of an attribute.
    pub(crate) fn similarity(
        &self,
        attribute: SeedAttributeId,
        record: SeedRecordId,
        text: u32,
    ) -> f64 {
        let of = &self.lexicon.attributes[attribute.index()];
        let total = self.totals[attribute.index()][text as usize];
        of.with_record(record, &self.site.texts[text as usize].tokens, total)
    }

    /// The records that a text proposes: those of the most similar value, if it tells them apart.
    fn proposed(&self, attribute: SeedAttributeId, text: u32) -> &[SeedRecordId] {
        let Some(best) =
            self.hits(attribute, text).first().filter(|_| self.identifies[attribute.index()])
        else {
            return &[];
        };
        let records =
            &self.lexicon.attributes[attribute.index()].values[best.value as usize].records;
        if records.len() <= MAX_SAME { records } else { &[] }
    }

    /// The best anchor: an attribute, a column and how well it is believed.
    pub(crate) fn anchor(&self) -> Option<(SeedAttributeId, usize, f64)> {
        let mut tried: Vec<(usize, SeedAttributeId, usize)> = Vec::new();
        for attribute in self.lexicon.attribute_ids() {
            let mut of_attribute: Vec<(usize, SeedAttributeId, usize)> =
                (0..self.site.columns.len())
                    .into_par_iter()
                    .map(|column| (self.proposals(attribute, column), attribute, column))
                    .filter(|found| found.0 > 1)
                    .collect();
            of_attribute.sort_by_key(|found| (std::cmp::Reverse(found.0), found.2));
            of_attribute.truncate(TRIED);
            tried.extend(of_attribute);
        }
        let judged = parallel::map(&tried, |&(proposals, attribute, column)| {
            let elsewhere = self.agreement_elsewhere(attribute, column);
            (attribute, column, proposals as f64 * (ALONE + elsewhere))
        });
        judged.into_iter().reduce(|best, next| if next.2 > best.2 { next } else { best })
    }

    /// Different pages, or different records if they are fewer, that a column proposes.
    fn proposals(&self, attribute: SeedAttributeId, column: usize) -> usize {
        let (mut pages, mut records) = (0, BTreeSet::new());
        for cell in &self.site.columns[column].cells {
            if let [first, ..] = self.proposed(attribute, self.site.text_of(*cell)) {
                pages += 1;
                records.insert(*first);
            }
        }
        records.len().min(pages)
    }

    /// How much more of the other attributes of the proposed records is on their pages than of other records.
    fn agreement_elsewhere(&self, attribute: SeedAttributeId, column: usize) -> f64 {
        let cells = &self.site.columns[column].cells;
        let proposed = |cell: &(u32, u32)| {
            self.proposed(attribute, self.site.text_of(*cell))
                .first()
                .map(|record| (cell.0, *record))
        };
        let links: Vec<(u32, SeedRecordId)> =
            cells.iter().filter_map(proposed).take(SAMPLE).collect();
        let mut sum = 0.0;
        for other in self.lexicon.attribute_ids() {
            if other == attribute {
                continue;
            }
            let of = &self.lexicon.attributes[other.index()];
            let (mut same, mut chance, mut count) = (0.0, 0.0, 0);
            for (at, (page, record)) in links.iter().enumerate() {
                let stranger = links[(at + links.len() / 2) % links.len()].1;
                if of.of_record(*record).is_empty() || of.of_record(stranger).is_empty() {
                    continue;
                }
                count += 1;
                same += self.on_page(other, *record, *page);
                chance += self.on_page(other, stranger, *page);
            }
            if count > 1 {
                sum += ((same - chance) / f64::from(count)).max(0.0);
            }
        }
        sum
    }

    /// The similarity of the closest text of a page with a record's value.
    fn on_page(&self, attribute: SeedAttributeId, record: SeedRecordId, page: u32) -> f64 {
        self.alike(attribute, record, page).into_iter().map(|(_, alike)| alike).fold(0.0, f64::max)
    }

    /// The records that one column proposes.
    pub(crate) fn link_by(&self, attribute: SeedAttributeId, column: usize) -> Links {
        let mut links = vec![Vec::new(); self.site.pages.len()];
        for cell in &self.site.columns[column].cells {
            let records = self.proposed(attribute, self.site.text_of(*cell));
            links[cell.0 as usize] = records.iter().copied().take(MAX_RECORDS).collect();
        }
        links
    }

    /// Resolves each page by several columns together, as far as that stands above chance (`decoy.rs`).
    /// `placed` says how much an attribute tells.
    pub(crate) fn link_by_all(&self, placed: &[(SeedAttributeId, usize, f64)]) -> Links {
        let pages = 0..self.site.pages.len() as u32;
        let by_values = |attribute: SeedAttributeId, text: u32| self.hits(attribute, text).to_vec();
        let known = &self.lexicon.attributes;
        let ranked = pages.into_par_iter().map(|page| self.rank(page, placed, known, by_values));
        let mut ranked: Vec<Vec<(f64, SeedRecordId)>> = ranked.collect();
        let least = self.above_chance(placed, &ranked);
        let records = |ranked: &mut Vec<(f64, SeedRecordId)>| -> Vec<SeedRecordId> {
            let best = ranked.first().map_or(0.0, |found| found.0);
            ranked.retain(|(score, _)| *score >= 0.9 * best);
            let records = ranked.drain(..).take(MAX_RECORDS).map(|(_, record)| record);
            if least.is_some_and(|least| best >= least) { records.collect() } else { Vec::new() }
        };
        ranked.iter_mut().map(records).collect()
    }

    /// The records that a page may be, the likeliest first, with the sum of their similarities by weight. `known` has
    /// the records' values, `by_values` the values that a text resembles.
    pub(super) fn rank(
        &self,
        page: u32,
        placed: &[(SeedAttributeId, usize, f64)],
        known: &[AttributeLexicon],
        by_values: impl Fn(SeedAttributeId, u32) -> Vec<Hit>,
    ) -> Vec<(f64, SeedRecordId)> {
        let most: f64 = placed.iter().map(|(_, _, weight)| *weight).fold(0.0, f64::max);
        let cells: Vec<(SeedAttributeId, u32, f64)> = placed
            .iter()
            .filter_map(|(attribute, column, weight)| {
                let leaf = self.site.columns[*column].on(page)?;
                Some((*attribute, self.site.text_of((page, leaf)), *weight))
            })
            .collect();
        let mut candidates: BTreeSet<SeedRecordId> = BTreeSet::new();
        for (attribute, text, _) in cells.iter().filter(|cell| self.identifies[cell.0.index()]) {
            for hit in by_values(*attribute, *text) {
                let records = &known[attribute.index()].values[hit.value as usize].records;
                if records.len() <= MAX_SAME {
                    candidates.extend(records);
                }
            }
        }
        let similarity = |attribute: SeedAttributeId, record: SeedRecordId, text: u32| {
            let total = self.totals[attribute.index()][text as usize];
            let tokens = &self.site.texts[text as usize].tokens;
            known[attribute.index()].with_record(record, tokens, total)
        };
        // An entity is known by its name or number, or by two attributes that agree.
        let score = |record: SeedRecordId| -> f64 {
            let (mut sum, mut agree, mut named) = (0.0, 0, false);
            for (attribute, text, weight) in &cells {
                let similarity = similarity(*attribute, record, *text);
                sum += weight * similarity;
                agree += u32::from(similarity >= SUPPORTS);
                named |= similarity >= SAME_NAME && self.names[attribute.index()];
            }
            let part = if self.grown[record.index()] { GROWN_PART } else { 1.0 };
            if named || agree >= 2 { part * sum } else { 0.0 }
        };
        let mut ranked: Vec<(f64, SeedRecordId)> =
            candidates.into_iter().map(|record| (score(record), record)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranked.retain(|(score, _)| *score >= LEAST_PART * most);
        ranked
    }
}
