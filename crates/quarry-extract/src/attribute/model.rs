//! The stored result of a match, and the reader that applies it to pages. Positions of each
//! attribute with their weights, plain data that needs no seed: later pages are read with it.

use std::collections::HashMap;

use quarry_dom::{Document, NodeId};
use serde::{Deserialize, Serialize};

use super::confidence::on_page;
use super::exclude::label_key;
use super::leaf::{Leaf, LocatorKind, leaves};

/// The version of the stored form; readers refuse others. 2: rules hold a confidence in place of a chance.
pub const MODEL_VERSION: u32 = 2;

/// Where a site has its attributes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeModel {
    /// [`MODEL_VERSION`].
    pub version: u32,
    /// The site's name.
    pub site: String,
    /// The attributes that were placed.
    pub attributes: Vec<AttributeRule>,
}

/// Where one attribute stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeRule {
    /// Its name.
    pub attribute: String,
    /// How likely the positions are right, from 0 to 1; on a page on which they disagree, a value is less.
    pub confidence: f64,
    /// Whether a record may have several values, and how they are told to be of one list.
    pub several: Option<ListGrouping>,
    /// What the site prints in front of it.
    pub label: Option<String>,
    /// Positions, the weightiest first. A page's value is the text that most weight points to.
    pub positions: Vec<Locator>,
    /// Labels of other attributes, in order: a text behind one of them is no value, whatever points to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<LabelKey>,
}

/// A hash of the label of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LabelKey(#[serde(with = "hex")] pub u64);

/// What the texts of a list have in common beside their look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListGrouping {
    /// The element around theirs: links in one cell.
    Parent,
    /// The element around that: items of a list.
    Grandparent,
}

/// One way to find the value on a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Locator {
    /// Its kind.
    #[serde(rename = "language")]
    pub kind: LocatorKind,
    /// A hash of what it says: texts of that position have the same one on every page.
    #[serde(with = "hex")]
    pub key: u64,
    /// What it weighs, by the weightiest.
    pub weight: f64,
    /// An absolute path where it was seen, for reading.
    pub seen_at: String,
}

/// A value that a model found on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedValue {
    /// The place of the rule in [`AttributeModel::attributes`].
    pub rule: usize,
    /// The text node.
    pub node: NodeId,
    /// Its text.
    pub value: String,
    /// How likely it is right, from 0 to 1.
    pub confidence: f64,
}

mod hex {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(key: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{key:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
    }
}

/// Less than this part of a rule's weight is no position that the rule means.
const LEAST_VOTE: f64 = 0.01;

/// Values of one list, at most.
const MAX_LISTED: usize = 40;

/// A model ready for many pages.
pub struct Reader<'m> {
    model: &'m AttributeModel,
    rules: HashMap<u64, Vec<(usize, f64)>>,
    totals: Vec<f64>,
}

impl<'m> Reader<'m> {
    /// Prepares a model.
    pub fn new(model: &'m AttributeModel) -> Self {
        let mut rules: HashMap<u64, Vec<(usize, f64)>> = HashMap::new();
        let mut totals = Vec::new();
        for (number, rule) in model.attributes.iter().enumerate() {
            for position in &rule.positions {
                rules.entry(position.key).or_default().push((number, position.weight));
            }
            totals.push(rule.positions.iter().map(|position| position.weight).sum());
        }
        Self { model, rules, totals }
    }

    /// The values of a page.
    pub fn read(&self, document: &Document) -> Vec<MatchedValue> {
        self.read_leaves(&leaves(document))
            .into_iter()
            .map(|(rule, leaf, confidence)| MatchedValue {
                rule,
                node: leaf.node,
                value: leaf.text.clone(),
                confidence,
            })
            .collect()
    }

    /// As [`Reader::read`], for texts that are known already: rule, text and confidence.
    pub(crate) fn read_leaves<'l>(&self, leaves: &'l [Leaf]) -> Vec<(usize, &'l Leaf, f64)> {
        let mut votes: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.totals.len()];
        let mut met: std::collections::HashSet<u64> = std::collections::HashSet::new();
        // What names a list stands before its first text.
        let mut heads: [HashMap<u64, LabelKey>; 2] = Default::default();
        for (at, leaf) in (0u32..).zip(leaves) {
            let label = LabelKey(label_key(leaf));
            let of_list = [0, 1].map(|of| *heads[of].entry(leaf.lists[of]).or_insert(label));
            for key in leaf.keys {
                let Some(rules) = self.rules.get(&key) else { continue };
                if !met.insert(key) {
                    continue;
                }
                for (rule, weight) in rules {
                    let AttributeRule { excluded, several, .. } = &self.model.attributes[*rule];
                    let label = several.map_or(label, |listed| of_list[listed as usize]);
                    if !excluded.is_empty() && excluded.binary_search(&label).is_ok() {
                        continue;
                    }
                    match votes[*rule].last_mut() {
                        Some((leaf, sum)) if *leaf == at => *sum += weight,
                        _ => votes[*rule].push((at, *weight)),
                    }
                }
            }
        }
        let mut found = Vec::new();
        for (rule, votes) in votes.iter().enumerate() {
            let best = votes.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
            let Some((leaf, vote)) = best else { continue };
            let part = vote / self.totals[rule].max(f64::MIN_POSITIVE);
            if part < LEAST_VOTE {
                continue;
            }
            let all: f64 = votes.iter().map(|(_, vote)| vote).sum();
            let confidence = on_page(self.model.attributes[rule].confidence, vote / all);
            let first = &leaves[leaf as usize];
            let Some(listed) = self.model.attributes[rule].several else {
                found.push((rule, first, confidence));
                continue;
            };
            let same = |other: &&Leaf| other.lists[listed as usize] == first.lists[listed as usize];
            let all = leaves.iter().filter(same).take(MAX_LISTED);
            found.extend(all.map(|leaf| (rule, leaf, confidence)));
        }
        found
    }
}
