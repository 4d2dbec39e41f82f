//! Chooses the way of reading for each page. The wrapper where two paired rules were learned and
//! find as much, else the rows of detected fragments (the hybrid of paper §5.2) and the names that
//! pages agree on, else what the page embeds for machines.

use quarry_dom::Document;
use rayon::prelude::*;

use super::consistency::PairRules;
use super::embedded::embedded_specs;
use super::find::{Spec, SpecConfig, SpecPage, find_specs};
use super::known::KnownPairs;
use super::printed::PrintedNames;
use super::wrapper::{apply, induce};

/// The specifications of the pages of one site. `known` has names and values of other sites; it may be empty.
pub fn read_specs(
    pages: &[SpecPage<'_>],
    known: &KnownPairs,
    config: &SpecConfig,
) -> Vec<Vec<Spec>> {
    let documents: Vec<&Document> = pages.iter().map(|page| page.document).collect();
    let wrapper = if known.is_empty() { None } else { induce(&documents, known) };
    let mut found = find_specs(pages, config);
    let printed = PrintedNames::learn(&documents);
    let both = documents.par_iter().zip(&mut found);
    both.for_each(|(document, rows)| printed.complete(document, rows));
    let rules = PairRules::learn(&documents, &found);
    let both = documents.par_iter().zip(found);
    both.map(|(document, mut rows)| {
        rules.apply(document, &mut rows);
        // The paper takes the wrapper wherever its rules are paired; one that finds less than the rows has met a part only.
        let read: usize = rows.iter().map(|spec| spec.pairs.len()).sum();
        if let Some(spec) = wrapper.as_ref().and_then(|wrapper| apply(document, wrapper))
            && spec.pairs.len() >= read
        {
            return vec![spec];
        }
        if rows.is_empty() { embedded_specs(document) } else { rows }
    })
    .collect()
}
