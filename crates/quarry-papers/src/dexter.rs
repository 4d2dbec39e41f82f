//! DEXTER's heuristic extraction (§4.2): of a table, each row's first text is the name and its other texts together
//! are the value; of a list, each item is parted at its colon.

use quarry_dom::{Document, NodeId, Tag};
use quarry_extract::spec::{Spec, SpecConfig, SpecPage, SpecPair, SpecTexts, find_specs};

/// Specifications as Quarry's detector finds them, each read by the paper's heuristic.
pub fn heuristic_specs(pages: &[SpecPage<'_>], config: &SpecConfig) -> Vec<Vec<Spec>> {
    let mut found = find_specs(pages, config);
    for (page, specs) in pages.iter().zip(&mut found) {
        for spec in specs.iter_mut() {
            spec.pairs = heuristic_pairs(page.document, spec.node);
        }
        specs.retain(|spec| !spec.pairs.is_empty());
    }
    found
}

/// Names and values of the table or list at `node`, or of those inside it.
pub fn heuristic_pairs(document: &Document, node: NodeId) -> Vec<SpecPair> {
    let texts = SpecTexts::new(document);
    let mut pairs = Vec::new();
    for row in document.subtree(node) {
        if document.is(row, Tag::TR) {
            let Some(first) = texts.first(row) else { continue };
            let value = texts.text_after(row, first);
            if !value.is_empty() {
                pairs.push(pair(texts.text(first), value, first, row));
            }
        } else if document.is(row, Tag::LI)
            && let Some((name, value)) = texts.text(row).split_once(':')
        {
            pairs.push(pair(name.trim().to_owned(), value.trim().to_owned(), row, row));
        }
    }
    pairs
}

fn pair(name: String, value: String, name_node: NodeId, value_node: NodeId) -> SpecPair {
    SpecPair { name, value, name_node, value_node, attribute: None, section: None, item: 0 }
}
