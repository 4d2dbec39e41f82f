//! The result of a match. Values, the record of each page, a model for later pages, and for each
//! attribute why it stands where.

use quarry_dom::NodeId;

use super::model::AttributeModel;
use super::seed::{SeedAttributeId, SeedRecordId};

/// How positions are looked for.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// Turns of placing attributes and resolving entities. Default 2.
    pub rounds: usize,
    /// Attributes that are less likely placed right are left out. Default 0.7.
    pub min_confidence: f64,
    /// Positions kept for an attribute, as fallbacks of each other. Default 60.
    pub max_positions: usize,
}

impl Default for MatchConfig {
    fn default() -> Self {
        Self { rounds: 2, min_confidence: 0.7, max_positions: 60 }
    }
}

/// A value of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Place of the page in the input.
    pub page: usize,
    /// The attribute.
    pub attribute: SeedAttributeId,
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
    pub attribute: SeedAttributeId,
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
    /// Its chance by the scores alone, before the measured curve and the domain similarity of the site.
    pub chance: f64,
    /// How likely it is right.
    pub confidence: f64,
}

/// What was found on a site.
#[derive(Clone, Debug)]
pub struct SiteMatch {
    /// The values, by page and attribute.
    pub fields: Vec<Field>,
    /// For each page, the record of its entity.
    pub records: Vec<Option<SeedRecordId>>,
    /// How to read later pages.
    pub model: AttributeModel,
    /// The attributes that were placed, and those that were nearly.
    pub placed: Vec<Placed>,
    /// How surely the site is about the kind of things that the seed is about, from 0 to 1: by entities in common, or by the
    /// likeness of attributes. No value has more confidence.
    pub domain_similarity: f64,
}

impl SiteMatch {
    /// The same with pages by their place in the input: `order` has the place of each page.
    pub(super) fn renumbered(mut self, order: &[usize]) -> Self {
        for field in &mut self.fields {
            field.page = order[field.page];
        }
        self.fields.sort_by_key(|field| field.page);
        for example in self.placed.iter_mut().flat_map(|placed| &mut placed.examples) {
            example.0 = order[example.0];
        }
        let mut records = vec![None; order.len()];
        for (record, page) in self.records.iter().zip(order) {
            records[*page] = *record;
        }
        self.records = records;
        self
    }
}
