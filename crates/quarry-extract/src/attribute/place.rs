//! Places each attribute, with a confidence, and resolves the record of each page. The last step of
//! a match: columns are weighed and pages linked already.

use quarry_dom::Document;
use rayon::prelude::*;

use super::choose::best;
use super::columns::SiteTexts;
use super::confidence::{calibrated, claim};
use super::evidence::{ColumnEvidence, EvidenceFeatures, NAMES};
use super::link::{Compared, Links, SAME_NAME, SUPPORTS};
use super::model::{AttributeModel, MODEL_VERSION, Reader};
use super::result::{Field, MatchConfig, Placed, SiteMatch};
use super::rule::FALLBACK;
use super::seed::{SeedAttributeId, SeedDb, SeedRecordId};
use super::weights::{NONE, has_reason, score};

/// Six decimals: what is stored reads back the same.
pub(super) fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

/// A site whose columns are weighed and whose pages are linked.
pub(super) struct SitePlacement<'a> {
    pub(super) site: &'a str,
    pub(super) documents: &'a [&'a Document],
    pub(super) seeds: &'a SeedDb,
    pub(super) texts: &'a SiteTexts,
    pub(super) compared: &'a Compared<'a>,
    pub(super) links: &'a Links,
}

impl SitePlacement<'_> {
    pub(super) fn result(
        &self,
        evidence: &ColumnEvidence<'_>,
        features: &[Vec<EvidenceFeatures>],
        config: &MatchConfig,
    ) -> SiteMatch {
        let mut placed = Vec::new();
        let mut rules = Vec::new();
        let mut attributes = Vec::new();
        let choices: Vec<Option<(usize, f64)>> = features.iter().map(|own| best(own)).collect();
        let domain = self.domain_similarity(features, &choices, evidence);
        for (attribute, features) in (0..).map(SeedAttributeId).zip(features) {
            let Some((column, _)) = choices[attribute.index()] else { continue };
            if self.compared.lexicon.attributes[attribute.index()].records == 0 {
                continue;
            }
            let scores: Vec<f64> = features.iter().map(score).collect();
            let chance = self.chance(column, &scores) * self.claimed(attribute, &choices);
            let mut one = self.placed(attribute, column, &scores, &features[column], evidence);
            one.chance = rounded(chance);
            one.confidence = rounded(calibrated(chance) * domain);
            let reason = has_reason(&features[column], evidence.typed(attribute));
            if reason && one.confidence >= config.min_confidence {
                let mut rule = self.rule(&one, &scores, config);
                self.exclude(&mut rule, attribute, column, &scores);
                self.cover(&mut rule, attribute, evidence, &one);
                self.exclude(&mut rule, attribute, column, &scores);
                rule.several = self.listed(attribute, column);
                rules.push(rule);
                attributes.push(attribute);
            }
            placed.push(one);
        }
        let model = AttributeModel {
            version: MODEL_VERSION,
            site: self.site.to_owned(),
            attributes: rules,
        };
        let reader = Reader::new(&model);
        let fields = self.texts.pages.par_iter().enumerate().flat_map_iter(|(page, texts)| {
            let found = reader.read_leaves(&texts.leaves).into_iter();
            let field = |(rule, leaf, confidence): (usize, &super::leaf::Leaf, f64)| Field {
                page,
                attribute: attributes[rule],
                node: leaf.node,
                value: leaf.text.clone(),
                confidence,
            };
            found.map(field).collect::<Vec<_>>()
        });
        let fields = fields.collect();
        let records = (0..).zip(self.links).map(|(page, records)| {
            let record = records.first().copied();
            record.filter(|record| self.is_same(page, *record, &choices))
        });
        let records = records.collect();
        SiteMatch { fields, records, model, placed, domain_similarity: rounded(domain) }
    }

    /// Whether a page is surely about the entity of a record: it shows its name or number where the site has those. Records
    /// that resemble the page in what many share teach positions, but are of another entity.
    fn is_same(&self, page: u32, record: SeedRecordId, choices: &[Option<(usize, f64)>]) -> bool {
        (0..).map(SeedAttributeId).zip(choices).any(|(attribute, choice)| {
            let column = choice.filter(|_| self.compared.names[attribute.index()]);
            let text = column.and_then(|(column, _)| self.texts.columns[column].on(page));
            let text = text.map(|leaf| self.texts.text_of((page, leaf)));
            text.is_some_and(|text| self.compared.similarity(attribute, record, text) >= SAME_NAME)
        })
    }

    pub(super) fn path(&self, cell: (u32, u32)) -> String {
        let leaf = &self.texts.pages[cell.0 as usize].leaves[cell.1 as usize];
        self.documents[cell.0 as usize].xpath(leaf.node)
    }

    fn placed(
        &self,
        attribute: SeedAttributeId,
        column: usize,
        scores: &[f64],
        features: &EvidenceFeatures,
        evidence: &ColumnEvidence<'_>,
    ) -> Placed {
        let cells = &self.texts.columns[column].cells;
        let rival = (0..scores.len())
            .filter(|other| self.elsewhere(column, *other))
            .reduce(|a, b| if scores[b] > scores[a] { b } else { a });
        let mut examples = Vec::new();
        let mut support = 0;
        for cell in cells {
            let text = self.texts.text_of(*cell);
            let Some(record) = self.links[cell.0 as usize].first() else { continue };
            if self.compared.similarity(attribute, *record, text) < SUPPORTS {
                continue;
            }
            support += 1;
            if examples.len() < 3 {
                let values = self.seeds.records()[record.index()].values(attribute).join(" | ");
                examples.push((cell.0 as usize, self.texts.text(*cell).text.clone(), values));
            }
        }
        let runner_up = rival.map(|other| {
            let cell = self.texts.columns[other].cells[0];
            (self.path(cell), self.texts.text(cell).text.clone())
        });
        let top = scores[column];
        let second = rival.map_or(NONE, |other| scores[other].max(NONE));
        Placed {
            attribute,
            path: self.path(cells[0]),
            label: evidence.columns[column].label.printed.clone(),
            scores: (top, second),
            pages: cells.len(),
            support,
            examples,
            runner_up,
            evidence: NAMES.iter().copied().zip(features.iter().copied()).collect(),
            chance: 0.0,
            confidence: 0.0,
        }
    }

    /// The chance of the column and those that say the same, by all columns and none.
    fn chance(&self, column: usize, scores: &[f64]) -> f64 {
        let top = scores[column];
        let (mut same, mut all) = (0.0, (NONE - top).exp());
        for (other, score) in scores.iter().enumerate() {
            let chance = (score - top).exp();
            all += chance;
            if score > &(top - FALLBACK) && !self.elsewhere(column, other) {
                same += chance;
            }
        }
        same / all
    }

    /// What is left of a chance where other attributes have chosen the same texts: a text is one attribute.
    fn claimed(&self, attribute: SeedAttributeId, choices: &[Option<(usize, f64)>]) -> f64 {
        let Some((column, own)) = choices[attribute.index()] else { return 1.0 };
        let others =
            (0..).map(SeedAttributeId).zip(choices).filter(|(other, _)| *other != attribute);
        let others = others.filter_map(|(_, choice)| *choice);
        let same = others.filter(|(other, _)| self.same_texts(column, *other));
        same.map(|(_, score)| claim(own, score)).product()
    }

    /// Whether two columns are the same text nodes on most pages that have the first.
    fn same_texts(&self, one: usize, other: usize) -> bool {
        let cells = &self.texts.columns[one].cells;
        let other = &self.texts.columns[other];
        let same = cells.iter().filter(|cell| other.on(cell.0) == Some(cell.1)).count();
        same * 2 > cells.len()
    }

    /// Whether two columns show different texts on most pages that have both.
    pub(super) fn elsewhere(&self, one: usize, other: usize) -> bool {
        let (mut both, mut same) = (0, 0);
        let one = &self.texts.columns[one];
        for cell in &self.texts.columns[other].cells {
            if let Some(leaf) = one.on(cell.0) {
                both += 1;
                same +=
                    usize::from(self.texts.text_of((cell.0, leaf)) == self.texts.text_of(*cell));
            }
        }
        both > 0 && same * 2 < both
    }
}
