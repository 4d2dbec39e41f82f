//! Which columns are the attributes of a site? Positions and entities are found in turns: an anchor
//! says who the pages are, agreement says where the attributes stand, and these say again who the
//! pages are.

use quarry_dom::{Document, NodeId};
use rayon::prelude::*;

use super::columns::SiteTexts;
use super::confidence::{calibrated, claim};
use super::evidence::{Figures, NAMES, Witnesses};
use super::leaf::Language;
use super::lexicon::Lexicon;
use super::link::{Compared, Links};
use super::model::{AttributeModel, AttributeRule, Listed, MODEL_VERSION, Position, Reader};
use super::seed::{AttributeId, RecordId, SeedDb};
use super::weights::{NONE, WEIGHTS, has_reason, score};

/// How positions are looked for.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// Turns of placing attributes and resolving entities. Default 2.
    pub rounds: usize,
    /// Attributes that are less likely placed right are left out. Default 0.65.
    pub min_confidence: f64,
    /// Positions kept for an attribute, as fallbacks of each other. Default 60.
    pub max_positions: usize,
}

impl Default for MatchConfig {
    fn default() -> Self {
        Self { rounds: 2, min_confidence: 0.65, max_positions: 60 }
    }
}

/// A value of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Place of the page in the input.
    pub page: usize,
    /// The attribute.
    pub attribute: AttributeId,
    /// The text node.
    pub node: NodeId,
    /// Its text.
    pub value: String,
    /// How likely it is right, from 0 to 1.
    pub confidence: f64,
}

/// Where an attribute was placed, and why.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The attribute.
    pub attribute: AttributeId,
    /// Where the best position was seen.
    pub path: String,
    /// What the site prints in front of it.
    pub label: Option<String>,
    /// Score of the best position, and of the best one elsewhere.
    pub scores: (f64, f64),
    /// Pages that have the position.
    pub pages: usize,
    /// Linked pages on which the value agrees with the record.
    pub support: usize,
    /// Up to three matches: page, text, value of the record.
    pub examples: Vec<(usize, String, String)>,
    /// Where the runner-up stands, with one of its texts.
    pub runner_up: Option<(String, String)>,
    /// The evidence by name.
    pub evidence: Vec<(&'static str, f64)>,
    /// How likely it is right.
    pub confidence: f64,
}

/// What was found on a site.
#[derive(Clone, Debug)]
pub struct SiteMatch {
    /// The values, by page and attribute.
    pub fields: Vec<Field>,
    /// For each page, the record of its entity.
    pub records: Vec<Option<RecordId>>,
    /// How to read later pages.
    pub model: AttributeModel,
    /// The attributes that were placed, and those that were nearly.
    pub placed: Vec<Placed>,
}

/// Names and numbers of one entity are at least this similar.
const SAME_NAME: f64 = 0.8;

/// Columns within this score of the best are its fallbacks.
pub(super) const FALLBACK: f64 = 6.0;

/// Pages without a value are looked at by themselves if they are this share: they may have another template.
const LEFT_SHARE: f64 = 0.02;
/// What speaks for a position on the pages that were left must be as good as this, by the best of the site.
const LEFT_MARGIN: f64 = 4.0;
/// What positions for pages that were left weigh: they never outvote the others.
const LEFT_WEIGHT: f64 = 0.03;

/// Values of a list must be known as often as first values are, by this part.
const LISTED_PART: f64 = 0.5;
/// Further values on a page, on average, that make a list.
const LISTED_MORE: f64 = 0.15;

/// A page whose text agrees with its record from here on supports a position.
pub(super) const SUPPORTS: f64 = 0.6;

/// Finds the attributes of the seed on the pages of one site.
pub fn match_site(
    site: &str,
    documents: &[&Document],
    seeds: &SeedDb,
    config: &MatchConfig,
) -> SiteMatch {
    let lexicon = Lexicon::of(seeds);
    let texts = SiteTexts::of(documents, &lexicon);
    let compared = Compared::of(&lexicon, &texts, seeds);
    let witnesses = Witnesses::of(&compared, seeds, documents);
    let (links, figures) = weigh(&compared, &witnesses, seeds, config);
    let found =
        Chosen { site, documents, seeds, texts: &texts, compared: &compared, links: &links };
    found.result(&witnesses, &figures, config)
}

/// A position that was weighed for an attribute: for fitting weights and for looking closer.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The attribute.
    pub attribute: AttributeId,
    /// The evidence, in the order of [`figure_names`].
    pub figures: Vec<f64>,
    /// Page and text, one per page.
    pub cells: Vec<(usize, String)>,
}

/// Names of the figures of evidence.
pub fn figure_names() -> &'static [&'static str] {
    &NAMES
}

/// The weights that are built in, in the order of [`figure_names`].
pub fn built_in_weights() -> &'static [f64] {
    &WEIGHTS
}

/// All positions that [`match_site`] weighs in its last round.
pub fn candidates(documents: &[&Document], seeds: &SeedDb, config: &MatchConfig) -> Vec<Candidate> {
    let lexicon = Lexicon::of(seeds);
    let texts = SiteTexts::of(documents, &lexicon);
    let compared = Compared::of(&lexicon, &texts, seeds);
    let witnesses = Witnesses::of(&compared, seeds, documents);
    let (_, figures) = weigh(&compared, &witnesses, seeds, config);
    let mut all = Vec::new();
    for (attribute, figures) in (0..).zip(&figures) {
        for (column, figures) in texts.columns.iter().zip(figures) {
            let text = |cell: &(u32, u32)| (cell.0 as usize, texts.text(*cell).text.clone());
            let cells = column.cells.iter().map(text).collect();
            all.push(Candidate { attribute, figures: figures.to_vec(), cells });
        }
    }
    all
}

/// Links pages and weighs columns in turns.
fn weigh(
    compared: &Compared<'_>,
    witnesses: &Witnesses<'_>,
    seeds: &SeedDb,
    config: &MatchConfig,
) -> (Links, Vec<Vec<Figures>>) {
    let mut links: Links = match compared.anchor() {
        Some((attribute, column, _)) => compared.link_by(attribute, column),
        None => vec![Vec::new(); compared.site.pages.len()],
    };
    let all = 0..seeds.attributes().len() as AttributeId;
    let mut figures: Vec<Vec<Figures>> = Vec::new();
    for round in 0..=config.rounds {
        figures = all.clone().map(|a| witnesses.figures(a, &links, None)).collect();
        if round < config.rounds {
            let placed = anchors(&figures, compared.lexicon);
            if !placed.is_empty() {
                links = compared.link_by_all(&placed);
            }
        }
    }
    (links, figures)
}

/// Six decimals: what is stored reads back the same.
fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

/// The best column of each attribute that agrees with the records so far, and how much it tells.
fn anchors(figures: &[Vec<Figures>], lexicon: &Lexicon) -> Vec<(AttributeId, usize, f64)> {
    let mut anchors = Vec::new();
    for (attribute, figures) in (0..).zip(figures) {
        let Some((column, best)) = best(figures) else { continue };
        let lift = figures[column][0];
        let values = lexicon.attributes[attribute as usize].values.len() as f64;
        if best > NONE && lift > 0.1 {
            anchors.push((attribute, column, lift * (1.0 + values).ln()));
        }
    }
    anchors
}

fn best(figures: &[Figures]) -> Option<(usize, f64)> {
    let scored = figures.iter().map(score).enumerate();
    scored.reduce(|a, b| if b.1 > a.1 { b } else { a })
}

pub(super) struct Chosen<'a> {
    site: &'a str,
    documents: &'a [&'a Document],
    seeds: &'a SeedDb,
    pub(super) texts: &'a SiteTexts,
    pub(super) compared: &'a Compared<'a>,
    pub(super) links: &'a Links,
}

impl Chosen<'_> {
    fn result(
        &self,
        witnesses: &Witnesses<'_>,
        figures: &[Vec<Figures>],
        config: &MatchConfig,
    ) -> SiteMatch {
        let mut placed = Vec::new();
        let mut rules = Vec::new();
        let mut attributes = Vec::new();
        let choices: Vec<Option<(usize, f64)>> = figures.iter().map(|own| best(own)).collect();
        for (attribute, figures) in (0..).zip(figures) {
            let Some((column, _)) = choices[attribute as usize] else { continue };
            if self.compared.lexicon.attributes[attribute as usize].records == 0 {
                continue;
            }
            let scores: Vec<f64> = figures.iter().map(score).collect();
            let chance = self.chance(column, &scores) * self.claimed(attribute, &choices);
            let mut one = self.placed(attribute, column, &scores, &figures[column], witnesses);
            one.confidence = rounded(calibrated(chance));
            let reason = has_reason(&figures[column], witnesses.typed(attribute));
            if reason && one.confidence >= config.min_confidence {
                let mut rule = self.rule(&one, &scores, rounded(chance), config);
                self.exclude(&mut rule, attribute, column, &scores);
                self.cover(&mut rule, attribute, witnesses, &one);
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
        SiteMatch { fields, records, model, placed }
    }

    /// Whether a page is surely about the entity of a record: it shows its name or number where the site has those. Records
    /// that resemble the page in what many share teach positions, but are of another entity.
    fn is_same(&self, page: u32, record: RecordId, choices: &[Option<(usize, f64)>]) -> bool {
        let sites = self.seeds.sites().len();
        (0..).zip(choices).any(|(attribute, choice)| {
            let column = choice.filter(|_| self.compared.names(attribute, sites));
            let text = column.and_then(|(column, _)| self.texts.columns[column].on(page));
            let text = text.map(|leaf| self.texts.text_of((page, leaf)));
            text.is_some_and(|text| self.compared.similarity(attribute, record, text) >= SAME_NAME)
        })
    }

    fn path(&self, cell: (u32, u32)) -> String {
        let leaf = &self.texts.pages[cell.0 as usize].leaves[cell.1 as usize];
        self.documents[cell.0 as usize].xpath(leaf.node)
    }

    fn placed(
        &self,
        attribute: AttributeId,
        column: usize,
        scores: &[f64],
        figures: &Figures,
        witnesses: &Witnesses<'_>,
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
                let values = self.seeds.records()[*record as usize].values(attribute).join(" | ");
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
            label: witnesses.seen[column].label.printed.clone(),
            scores: (top, second),
            pages: cells.len(),
            support,
            examples,
            runner_up,
            evidence: NAMES.iter().copied().zip(figures.iter().copied()).collect(),
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
    fn claimed(&self, attribute: AttributeId, choices: &[Option<(usize, f64)>]) -> f64 {
        let Some((column, own)) = choices[attribute as usize] else { return 1.0 };
        let others = (0..).zip(choices).filter(|(other, _)| *other != attribute);
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

    fn rule(
        &self,
        placed: &Placed,
        scores: &[f64],
        chance: f64,
        config: &MatchConfig,
    ) -> AttributeRule {
        let top = placed.scores.0;
        let mut near: Vec<usize> =
            (0..scores.len()).filter(|other| scores[*other] > top - FALLBACK).collect();
        near.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        let positions =
            near.iter().flat_map(|column| self.positions(*column, (scores[*column] - top).exp()));
        AttributeRule {
            attribute: self.seeds.attributes()[placed.attribute as usize].clone(),
            chance,
            several: None,
            label: placed.label.clone(),
            positions: positions.take(config.max_positions).collect(),
            excluded: Vec::new(),
        }
    }

    /// The positions of a column, which share its weight.
    fn positions(&self, column: usize, weight: f64) -> Vec<Position> {
        let column = &self.texts.columns[column];
        let seen_at = self.path(column.cells[0]);
        let weight = rounded(weight / column.keys.len() as f64);
        let position = |(language, key): &(Language, u64)| Position {
            language: *language,
            key: *key,
            weight,
            seen_at: seen_at.clone(),
        };
        column.keys.iter().map(position).collect()
    }

    /// Adds positions for pages on which the rule finds nothing, as pages of another template.
    fn cover(
        &self,
        rule: &mut AttributeRule,
        attribute: AttributeId,
        witnesses: &Witnesses<'_>,
        placed: &Placed,
    ) {
        let model = AttributeModel {
            version: MODEL_VERSION,
            site: String::new(),
            attributes: vec![rule.clone()],
        };
        let reader = Reader::new(&model);
        let pages = &self.texts.pages;
        let left = pages.par_iter().map(|page| reader.read_leaves(&page.leaves).is_empty());
        let left: Vec<bool> = left.collect();
        let count = left.iter().filter(|left| **left).count();
        if count < 3 || (count as f64) < LEFT_SHARE * pages.len() as f64 {
            return;
        }
        let scores: Vec<f64> =
            witnesses.figures(attribute, self.links, Some(&left)).iter().map(score).collect();
        let Some(top) = scores.iter().copied().reduce(f64::max) else { return };
        if top < placed.scores.0 - LEFT_MARGIN || top < NONE {
            return;
        }
        for column in (0..scores.len()).filter(|column| scores[*column] > top - 1.0).take(8) {
            rule.positions
                .extend(self.positions(column, LEFT_WEIGHT * (scores[column] - top).exp()));
        }
    }

    /// Whether the texts beside the column's, of one list with them, are values of the attribute, too.
    fn listed(&self, attribute: AttributeId, column: usize) -> Option<Listed> {
        let known = |text: u32| !self.compared.hits[attribute as usize][text as usize].is_empty();
        let cells = &self.texts.columns[column].cells;
        let first = cells.iter().filter(|cell| known(self.texts.text_of(**cell))).count();
        let first = first as f64 / cells.len() as f64;
        [Listed::Parent, Listed::Grandparent].into_iter().find(|listed| {
            let (mut more, mut more_known) = (0u32, 0u32);
            for cell in cells {
                let page = &self.texts.pages[cell.0 as usize];
                let own = page.leaves[cell.1 as usize].lists[*listed as usize];
                for (leaf, text) in page.leaves.iter().zip(&page.texts) {
                    if leaf.lists[*listed as usize] == own {
                        more += 1;
                        more_known += u32::from(known(*text));
                    }
                }
            }
            let (all, more) = (f64::from(more), f64::from(more) - cells.len() as f64);
            let known = f64::from(more_known) - first * cells.len() as f64;
            all > 0.0
                && more >= LISTED_MORE * cells.len() as f64
                && first > 0.2
                && known >= LISTED_PART * first * more
        })
    }
}
