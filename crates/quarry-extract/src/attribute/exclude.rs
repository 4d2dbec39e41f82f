//! Finds labels that name another attribute, so that a rule leaves the texts behind them out.
//!
//! On a page that lacks an attribute, a path finds what stands in its place: the dress code in the row of
//! the dietary options. The label in front tells. Two labels that stand on one page name two attributes; two that never do may be
//! one name in two forms ("Director", "Directors"). Texts behind a label of another attribute are left out of a rule, unless their
//! values speak for the attribute as much as the others do.

use std::collections::{BTreeMap, HashMap};

use super::leaf::{Leaf, LocatorKind};
use super::link::SUPPORTS;
use super::model::{AttributeModel, AttributeRule, LabelKey, MODEL_VERSION, Reader};
use super::place::SitePlacement;
use super::rule::FALLBACK;
use super::seed::SeedAttributeId;

/// The share of pages on which the own label must stand.
const LEAST_OWN: f64 = 0.1;
/// The share of pages with the own label that have the other one, too.
const LEAST_TOGETHER: f64 = 0.05;
/// Values behind the other label count as the attribute's if they are known as often as the own ones, by this part.
const AS_KNOWN: f64 = 0.5;
/// Own values that are known less than this cannot be told by being known.
const LEAST_KNOWN: f64 = 0.2;
/// With one text left out, the next one comes to the fore; so many times at most.
const TURNS: usize = 4;

/// What names a text: its own beginning, or the text in front of it; 0 for nothing.
pub(crate) fn label_key(leaf: &Leaf) -> u64 {
    match leaf.keys[LocatorKind::Prefix as usize] {
        0 => leaf.keys[LocatorKind::Label as usize],
        key => key,
    }
}

/// Texts behind one label on pages without the own label.
#[derive(Default)]
struct Group {
    pages: u32,
    known: f64,
    /// Pages whose record has the attribute, and those whose text agrees with it.
    linked: u32,
    agree: u32,
}

impl SitePlacement<'_> {
    /// Adds the labels of other attributes to a rule whose best column is `column`.
    pub(super) fn exclude(
        &self,
        rule: &mut AttributeRule,
        attribute: SeedAttributeId,
        column: usize,
        scores: &[f64],
    ) {
        let Some(own) = self.own_label(column, scores) else { return };
        let with_own = &self.texts.columns[own].cells;
        let mut together: HashMap<u64, u32> = HashMap::new();
        let mut known = 0.0;
        for cell in with_own {
            known += self.known(attribute, self.texts.text_of(*cell));
            let leaves = &self.texts.pages[cell.0 as usize].leaves;
            let own = label_key(&leaves[cell.1 as usize]);
            let mut labels: Vec<u64> = leaves.iter().map(label_key).collect();
            labels.sort_unstable();
            labels.dedup();
            for label in labels.into_iter().filter(|label| *label != 0 && *label != own) {
                *together.entry(label).or_default() += 1;
            }
        }
        known /= with_own.len() as f64;
        let least = (LEAST_TOGETHER * with_own.len() as f64).max(2.0);
        for _ in 0..TURNS {
            let before = rule.excluded.len();
            for (label, group) in self.groups(rule, attribute, own) {
                let often = together.get(&label).is_some_and(|count| f64::from(*count) >= least);
                let as_known = known >= LEAST_KNOWN
                    && group.known >= AS_KNOWN * known * f64::from(group.pages);
                let agrees = group.agree > 0 && group.agree * 2 >= group.linked;
                if often && !as_known && !agrees {
                    rule.excluded.push(LabelKey(label));
                }
            }
            rule.excluded.sort_unstable();
            if rule.excluded.len() == before {
                return;
            }
        }
    }

    /// The best column behind a label that says the same as the chosen one.
    fn own_label(&self, column: usize, scores: &[f64]) -> Option<usize> {
        let least = LEAST_OWN * self.texts.pages.len() as f64;
        let labelled = |other: &usize| {
            let of = &self.texts.columns[*other];
            of.cells.len() as f64 >= least
                && of
                    .keys
                    .iter()
                    .any(|(l, _)| matches!(l, LocatorKind::Label | LocatorKind::Prefix))
        };
        (0..scores.len())
            .filter(|other| scores[*other] > scores[column] - FALLBACK)
            .filter(labelled)
            .filter(|other| *other == column || !self.elsewhere(column, *other))
            .reduce(|a, b| if scores[b] > scores[a] { b } else { a })
    }

    /// What the rule finds on pages without its label, by the label that stands there instead.
    fn groups(
        &self,
        rule: &AttributeRule,
        attribute: SeedAttributeId,
        own: usize,
    ) -> BTreeMap<u64, Group> {
        let model = AttributeModel {
            version: MODEL_VERSION,
            site: String::new(),
            attributes: vec![rule.clone()],
        };
        let reader = Reader::new(&model);
        let mut groups: BTreeMap<u64, Group> = BTreeMap::new();
        for (at, page) in (0u32..).zip(&self.texts.pages) {
            if self.texts.columns[own].on(at).is_some() {
                continue;
            }
            let found = reader.read_leaves(&page.leaves);
            let Some((_, leaf, _)) = found.first() else { continue };
            let label = label_key(leaf);
            let place = page.leaves.iter().position(|other| other.node == leaf.node);
            let Some(text) = place.map(|place| page.texts[place]).filter(|_| label != 0) else {
                continue;
            };
            let group = groups.entry(label).or_default();
            group.pages += 1;
            group.known += self.known(attribute, text);
            let of = &self.compared.lexicon.attributes[attribute.index()];
            let record = self.links[at as usize].first();
            if let Some(record) = record.filter(|record| !of.of_record(**record).is_empty()) {
                group.linked += 1;
                let similarity = self.compared.similarity(attribute, *record, text);
                group.agree += u32::from(similarity >= SUPPORTS);
            }
        }
        groups
    }

    /// The share of a text's pieces that values of the attribute have.
    fn known(&self, attribute: SeedAttributeId, text: u32) -> f64 {
        let of = &self.compared.lexicon.attributes[attribute.index()];
        let tokens = &self.texts.texts[text as usize].tokens;
        let known = tokens.known.iter().filter(|token| of.has(**token)).count();
        known as f64 / tokens.len().max(1) as f64
    }
}
