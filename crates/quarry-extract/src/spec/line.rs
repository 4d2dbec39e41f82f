//! The lines of `quarry specs`. Plain data for JSON, as the contract has it, with more beside it.

use quarry_dom::Document;
use serde::Serialize;

use super::find::{Spec, SpecMethod, SpecPair};
use super::ids::{ProductId, product_ids};
use super::normal::{meaning, normal_name};
use quarry_value::Meaning;

/// One line: a page and its specifications.
#[derive(Clone, Debug, Serialize)]
pub struct SpecsLine {
    /// The page's id.
    pub page: String,
    /// Its specifications in document order.
    pub specs: Vec<SpecLine>,
    /// Product ids among their pairs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<ProductId>,
}

/// A specification.
#[derive(Clone, Debug, Serialize)]
pub struct SpecLine {
    /// The XPath of the smallest element around it.
    pub path: String,
    /// How likely it is a specification, from 0 to 1.
    pub score: f64,
    /// How it was read.
    pub method: SpecMethod,
    /// Names and values in document order.
    pub pairs: Vec<PairLine>,
}

/// A name with its value.
#[derive(Clone, Debug, Serialize)]
pub struct PairLine {
    /// As printed.
    pub name: String,
    /// As printed.
    pub value: String,
    /// The XPath of the name.
    pub name_path: String,
    /// The XPath of the value.
    pub value_path: String,
    /// In lower case, letters and digits only.
    pub normal_name: String,
    /// What the value certainly says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Meaning>,
    /// The values of a text that lists several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    /// The section of the specification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The attribute that the value was read from, if it is not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<&'static str>,
    /// Which of several values of the name this is, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
}

/// The line of a page.
pub fn specs_line(document: &Document, page: &str, specs: &[Spec]) -> SpecsLine {
    if specs.is_empty() {
        return SpecsLine { page: page.to_owned(), specs: Vec::new(), ids: Vec::new() };
    }
    let xpaths = document.xpaths();
    let pair = |pair: &SpecPair| {
        let (meaning, values) = match meaning(&pair.value) {
            Some(Meaning::Names(values)) => (None, Some(values)),
            other => (other, None),
        };
        PairLine {
            name: pair.name.clone(),
            value: pair.value.clone(),
            name_path: xpaths.xpath(pair.name_node),
            value_path: xpaths.xpath(pair.place(document)),
            section: pair.section.clone(),
            attribute: pair.attribute,
            item: (pair.item > 0).then_some(pair.item),
            normal_name: normal_name(&pair.name),
            meaning,
            values,
        }
    };
    let mut ids: Vec<ProductId> = specs.iter().flat_map(|spec| product_ids(&spec.pairs)).collect();
    ids.sort();
    ids.dedup();
    let specs = specs.iter().map(|spec| SpecLine {
        path: xpaths.xpath(spec.node),
        score: spec.score,
        method: spec.method,
        pairs: spec.pairs.iter().map(pair).collect(),
    });
    SpecsLine { page: page.to_owned(), specs: specs.collect(), ids }
}
