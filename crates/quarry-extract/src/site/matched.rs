//! Reads values at the positions that known records taught: the value alone, without a label in the same text.

use std::collections::BTreeMap;

use quarry_dom::{Document, NodeId};

use super::Title;
use crate::attribute::model::{MatchedValue, Reader};
use crate::model::SiteModel;

/// The share of an attribute's values that must begin with the same words for these to be a label: no title does so often, and on some
/// pages the value may stand elsewhere.
const LABEL: f64 = 0.3;
/// Values that must begin with the same words for these to be a label: two may do so by chance.
const MIN_LABELLED_VALUES: usize = 3;

/// A value at a place that agrees with known records.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// The attribute of the known records.
    pub attribute: String,
    /// As shown, without its label.
    pub value: String,
    /// Where it stands.
    pub node: NodeId,
    /// How likely it is right, from 0 to 1.
    pub confidence: f64,
}

/// The values of a page. A text that several attributes claim belongs to the surest; all that says what the title says is one text.
pub(super) fn read(document: &Document, title: Option<&Title>, model: &SiteModel) -> Vec<Matched> {
    let Some(attributes) = &model.attributes else { return Vec::new() };
    let found = Reader::new(attributes).read(document);
    let place = |found: &MatchedValue| match title {
        Some(title) if title.text == found.value => title.node,
        _ => found.node,
    };
    let mut surest: BTreeMap<NodeId, (f64, usize)> = BTreeMap::new();
    for found in &found {
        let best = surest.entry(place(found)).or_insert((found.confidence, found.rule));
        if found.confidence > best.0 {
            *best = (found.confidence, found.rule);
        }
    }
    found
        .into_iter()
        .filter(|found| surest[&place(found)].1 == found.rule)
        .map(|found| {
            let attribute = attributes.attributes[found.rule].attribute.clone();
            let prefix = model.prefixes.get(&attribute);
            let rest = prefix.and_then(|prefix| found.value.strip_prefix(prefix.as_str()));
            let rest = rest.map(str::trim_start).filter(|rest| !rest.is_empty());
            let value = rest.map(str::to_owned).unwrap_or(found.value);
            Matched { attribute, value, node: found.node, confidence: found.confidence }
        })
        .collect()
}

/// The labels that the values of attributes begin with.
pub(super) fn prefixes<'a>(found: impl Iterator<Item = &'a Matched>) -> BTreeMap<String, String> {
    let mut values: BTreeMap<&str, usize> = BTreeMap::new();
    let mut labelled: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for matched in found {
        *values.entry(&matched.attribute).or_default() += 1;
        if let Some(colon) = matched.value.find(':') {
            let label = &matched.value[..=colon];
            *labelled.entry((&matched.attribute, label)).or_default() += 1;
        }
    }
    // Of several the most frequent, since later ones take the place of earlier ones.
    let mut labels: Vec<((&str, &str), usize)> = labelled
        .into_iter()
        .filter(|&((attribute, _), count)| {
            count >= MIN_LABELLED_VALUES && count as f64 >= LABEL * values[attribute] as f64
        })
        .collect();
    labels.sort_by_key(|&(_, count)| count);
    labels
        .into_iter()
        .map(|((attribute, label), _)| (attribute.to_owned(), label.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_what_nearly_all_values_begin_with() {
        let matched = |attribute: &str, value: &str| Matched {
            attribute: attribute.to_owned(),
            value: value.to_owned(),
            node: NodeId::ROOT,
            confidence: 1.0,
        };
        let found = [
            matched("EAN", "GTIN: 1"),
            matched("EAN", "GTIN: 2"),
            matched("EAN", "GTIN: 3"),
            matched("title", "Night: a play"),
            matched("title", "Day: a play"),
            matched("title", "Day: a song"),
            matched("EAN", "4"),
        ];
        let prefixes = prefixes(found.iter());
        assert_eq!(prefixes, [("EAN".to_owned(), "GTIN:".to_owned())].into());
    }
}
