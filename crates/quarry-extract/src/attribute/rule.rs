//! Makes the rule by which an attribute is read from a page. The column and its fallbacks as
//! positions that vote, positions for pages of another template, and whether a list holds several
//! values.

use super::evidence::ColumnEvidence;
use super::leaf::LocatorKind;
use super::model::{AttributeModel, AttributeRule, ListGrouping, Locator, MODEL_VERSION, Reader};
use super::place::{SitePlacement, rounded};
use super::result::{MatchConfig, Placed};
use super::seed::SeedAttributeId;
use super::weights::{NONE, score};

use crate::parallel;

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

impl SitePlacement<'_> {
    pub(super) fn rule(
        &self,
        placed: &Placed,
        scores: &[f64],
        config: &MatchConfig,
    ) -> AttributeRule {
        let top = placed.scores.0;
        let mut near: Vec<usize> =
            (0..scores.len()).filter(|other| scores[*other] > top - FALLBACK).collect();
        near.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        let positions =
            near.iter().flat_map(|column| self.positions(*column, (scores[*column] - top).exp()));
        AttributeRule {
            attribute: self.seeds.attributes()[placed.attribute.index()].clone(),
            confidence: placed.confidence,
            several: None,
            label: placed.label.clone(),
            positions: positions.take(config.max_positions).collect(),
            excluded: Vec::new(),
        }
    }

    /// The positions of a column, which share its weight.
    fn positions(&self, column: usize, weight: f64) -> Vec<Locator> {
        let column = &self.texts.columns[column];
        let seen_at = self.path(column.cells[0]);
        let weight = rounded(weight / column.keys.len() as f64);
        let position = |(kind, key): &(LocatorKind, u64)| Locator {
            kind: *kind,
            key: *key,
            weight,
            seen_at: seen_at.clone(),
        };
        column.keys.iter().map(position).collect()
    }

    /// Adds positions for pages on which the rule finds nothing, as pages of another template.
    pub(super) fn cover(
        &self,
        rule: &mut AttributeRule,
        attribute: SeedAttributeId,
        evidence: &ColumnEvidence<'_>,
        placed: &Placed,
    ) {
        let model = AttributeModel {
            version: MODEL_VERSION,
            site: String::new(),
            attributes: vec![rule.clone()],
        };
        let reader = Reader::new(&model);
        let pages = &self.texts.pages;
        let left = parallel::map(pages, |page| reader.read_leaves(&page.leaves).is_empty());
        let count = left.iter().filter(|left| **left).count();
        if count < 3 || (count as f64) < LEFT_SHARE * pages.len() as f64 {
            return;
        }
        let scores: Vec<f64> =
            evidence.features(attribute, self.links, Some(&left)).iter().map(score).collect();
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
    pub(super) fn listed(&self, attribute: SeedAttributeId, column: usize) -> Option<ListGrouping> {
        let known = |text: u32| !self.compared.hits(attribute, text).is_empty();
        let cells = &self.texts.columns[column].cells;
        let first = cells.iter().filter(|cell| known(self.texts.text_of(**cell))).count();
        let first = first as f64 / cells.len() as f64;
        [ListGrouping::Parent, ListGrouping::Grandparent].into_iter().find(|listed| {
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
