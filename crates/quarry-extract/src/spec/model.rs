//! The stored model of a site's specifications. Where they stand and, where known pairs taught it,
//! the wrapper: plain data, so that later pages are read without learning.

use std::collections::BTreeMap;

use quarry_dom::Document;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::consistency::PairRules;
use super::find::{
    LearnedFragments, Spec, SpecConfig, SpecPage, learned_fragments, read_by_places,
};
use super::known::KnownPairs;
use super::printed::PrintedNames;
use super::wrapper::{self, Wrapper};

/// The version that [`SpecModel::version`] has; readers refuse others.
pub const SPEC_MODEL_VERSION: u32 = 1;

/// What was learned of a site's specifications.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpecModel {
    /// [`SPEC_MODEL_VERSION`] when it was made.
    pub version: u32,
    /// Places of fragments, by their signature.
    pub places: BTreeMap<String, FragmentPlace>,
    /// The rules that known pairs taught.
    pub wrapper: Option<Wrapper>,
    /// Names that the pages agree on, whatever their mark-up.
    #[serde(default)]
    pub printed: PrintedNames,
    /// What the pages agree on about the pairs that were found.
    #[serde(default)]
    pub rules: PairRules,
}

/// A place where fragments stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FragmentPlace {
    /// The names of the elements from the root.
    pub path: String,
    /// Fragments that stood there.
    pub fragments: usize,
    /// The mean log-odds that it is a specification.
    pub log_odds: f32,
    /// Whether the pages agree that names stand behind their values, though a page alone does not say so.
    #[serde(default)]
    pub turned: bool,
}

/// Learns where the specifications of a site stand.
pub fn learn_specs(pages: &[SpecPage<'_>], known: &KnownPairs, config: &SpecConfig) -> SpecModel {
    let documents: Vec<&Document> = pages.iter().map(|page| page.document).collect();
    let wrapper = if known.is_empty() { None } else { wrapper::induce(&documents, known) };
    let LearnedFragments { places, mut found } = learned_fragments(pages, config);
    let printed = PrintedNames::learn(&documents);
    documents
        .par_iter()
        .zip(&mut found)
        .for_each(|(document, specs)| printed.complete(document, specs));
    let rules = PairRules::learn(&documents, &found);
    SpecModel { version: SPEC_MODEL_VERSION, places, wrapper, printed, rules }
}

/// Reads the specifications of a page as the model says (the hybrid of §5.2): by the wrapper where there is one and it finds
/// something, else by the rows of fragments at learned places and the names that pages agree on; fragments at unknown places are
/// judged on their own.
pub fn extract_specs(document: &Document, model: &SpecModel, config: &SpecConfig) -> Vec<Spec> {
    if let Some(wrapper) = &model.wrapper
        && let Some(spec) = wrapper::apply(document, wrapper)
    {
        return vec![spec];
    }
    let mut rows = read_by_places(document, &model.places, config);
    model.printed.complete(document, &mut rows);
    model.rules.apply(document, &mut rows);
    rows
}
