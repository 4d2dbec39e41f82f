//! What slots are called: the label printed before them, else the class of their element, else their kind.

use std::collections::BTreeMap;

use quarry_dom::{Attr, NodeId};

use super::DetailPages;
use super::select::Slot;

/// A name and who gave it.
pub(super) struct Name {
    pub(super) text: String,
    /// Whether the pages print it.
    pub(super) is_printed: bool,
    /// The label as printed.
    pub(super) label: Option<String>,
}

/// The share of a slot's pages that print the same label.
const LABELLED: f64 = 0.7;
/// Longer labels are sentences.
const MAX_LABEL_CHARS: usize = 40;

/// The names of slots, each different.
pub(super) fn names(pages: &DetailPages<'_>, slots: &[Slot]) -> Vec<Name> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = Vec::with_capacity(slots.len());
    for slot in slots {
        let label = label(pages, slot);
        let plain =
            label.clone().or_else(|| class(pages, slot)).unwrap_or_else(|| kind(pages, slot));
        let count = taken.entry(plain.to_lowercase()).or_default();
        *count += 1;
        let text = if *count > 1 { format!("{plain} {count}") } else { plain };
        names.push(Name { text, is_printed: label.is_some(), label });
    }
    names
}

/// The text printed before nearly all texts of a slot, if it is template text.
fn label(pages: &DetailPages<'_>, slot: &Slot) -> Option<String> {
    let column = &pages.columns[slot.column];
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for &(page, at) in &column.cells {
        let before = pages.leaves[page as usize][at as usize].before;
        if let Some(before) = before {
            *counts.entry(pages.texts.of_page[page as usize][before as usize]).or_default() += 1;
        }
    }
    let (text, count) =
        counts.into_iter().max_by_key(|&(text, count)| (count, std::cmp::Reverse(text)))?;
    let text = pages.texts.texts[text as usize].trim().trim_end_matches([':', '：']).trim();
    let is_label = count as f64 >= LABELLED * column.cells.len() as f64
        && text.chars().count() <= MAX_LABEL_CHARS
        && text.chars().any(char::is_alphabetic);
    is_label.then(|| text.to_owned())
}

/// The words of the property or class of the element around a slot, or of the ones around it.
fn class(pages: &DetailPages<'_>, slot: &Slot) -> Option<String> {
    let &(page, at) = pages.columns[slot.column].cells.first()?;
    let document = pages.documents[page as usize];
    let node = pages.leaves[page as usize][at as usize].node;
    let named = |node: NodeId| {
        let property = document.known_attr(node, Attr::ITEMPROP).map(str::to_owned);
        let words = |text: &str| {
            let text = crate::embedded::readable_name(&[text.to_owned()]);
            let good = text.chars().filter(|char| char.is_alphabetic()).count() >= 3
                && !text.bytes().any(|byte| byte.is_ascii_digit())
                && text.chars().count() <= MAX_LABEL_CHARS;
            good.then_some(text)
        };
        let class = || document.classes(node).last().and_then(words);
        let id = || document.known_attr(node, Attr::ID).and_then(words);
        property.or_else(class).or_else(id)
    };
    document.ancestors(node).take(3).find_map(named)
}

fn kind(pages: &DetailPages<'_>, slot: &Slot) -> String {
    let cell = pages.columns[slot.column].cells[0];
    quarry_value::kind(pages.text(cell)).as_str().to_owned()
}
