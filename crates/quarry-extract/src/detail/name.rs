//! What slots are called: the label printed before them, else the class of their element, else their kind.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, NodeId, Tag};

use super::DetailPages;
use super::select::Slot;

/// A name and who gave it.
pub(super) struct Name {
    pub(super) text: String,
    /// Whether the pages print it.
    pub(super) is_printed: bool,
    /// The label as printed.
    pub(super) label: Option<String>,
    /// Which of the slots with this name it is, from 1.
    pub(super) number: u32,
}

/// The share of a slot's pages that print the same label.
const LABELLED: f64 = 0.7;
/// Longer labels are sentences.
const MAX_LABEL_CHARS: usize = 40;

/// The names of slots, each different. Of several slots with one name the first on the page has it: what a page prints again
/// further down belongs to other things.
pub(super) fn names(pages: &DetailPages<'_>, slots: &[Slot]) -> Vec<Name> {
    let mut found: Vec<(u32, usize, Option<String>)> = Vec::with_capacity(slots.len());
    for (at, slot) in slots.iter().enumerate() {
        found.push((position(pages, slot), at, label(pages, slot)));
    }
    found.sort();
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    // Printed names first: a guess must not take them.
    let printed = found.iter().filter_map(|(_, _, label)| label.as_ref());
    let printed: BTreeSet<String> = printed.map(|label| label.to_lowercase()).collect();
    let mut names: Vec<(usize, Name)> = Vec::with_capacity(slots.len());
    for (_, at, label) in found {
        let plain = label.clone().unwrap_or_else(|| {
            let guesses = guesses(pages, &slots[at]);
            let is_free = |guess: &&String| {
                let guess = guess.to_lowercase();
                !taken.contains_key(&guess) && !printed.contains(&guess)
            };
            let free = guesses.iter().find(is_free).or(guesses.first());
            free.cloned().unwrap_or_default()
        });
        let number = taken.entry(plain.to_lowercase()).or_default();
        *number += 1;
        let text = if *number > 1 { format!("{plain} {number}") } else { plain };
        names.push((at, Name { text, is_printed: label.is_some(), label, number: *number }));
    }
    names.sort_by_key(|(at, _)| *at);
    names.into_iter().map(|(_, name)| name).collect()
}

/// Where a slot stands among the texts of its pages: the median.
fn position(pages: &DetailPages<'_>, slot: &Slot) -> u32 {
    let mut places: Vec<u32> =
        pages.columns[slot.column].cells.iter().map(|&(_, leaf)| leaf).collect();
    places.sort_unstable();
    places.get(places.len() / 2).copied().unwrap_or(0)
}

/// The text printed before nearly all texts of a slot, if it is template text.
fn label(pages: &DetailPages<'_>, slot: &Slot) -> Option<String> {
    let column = &pages.columns[slot.column];
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for text in column.cells.iter().filter_map(|&cell| pages.label(cell)) {
        *counts.entry(text).or_default() += 1;
    }
    let (text, count) =
        counts.into_iter().max_by_key(|&(text, count)| (count, std::cmp::Reverse(text)))?;
    let text = pages.texts.texts[text as usize].trim().trim_end_matches([':', '：']).trim();
    let is_label = count as f64 >= LABELLED * column.cells.len() as f64
        && text.chars().count() <= MAX_LABEL_CHARS
        && text.chars().any(char::is_alphabetic);
    is_label.then(|| text.to_owned())
}

/// Elements around a text whose classes may name it.
const LEVELS: usize = 4;
/// Texts before a slot that are looked at for the heading above it.
const TEXTS_ABOVE: usize = 12;

/// What may name a slot, the closest first: property, class or id of the elements around it, then the heading above, at
/// last the kind of its values.
fn guesses(pages: &DetailPages<'_>, slot: &Slot) -> Vec<String> {
    let (page, at) = pages.columns[slot.column].cells[0];
    let document = pages.documents[page as usize];
    let node = pages.leaves[page as usize][at as usize].node;
    let words = |text: &str| {
        let text = crate::embedded::readable_name(&[text.to_owned()]);
        let good = text.chars().filter(|char| char.is_alphabetic()).count() >= 3
            && !text.bytes().any(|byte| byte.is_ascii_digit())
            && text.chars().count() <= MAX_LABEL_CHARS;
        good.then_some(text)
    };
    let mut guesses: Vec<String> = Vec::new();
    for node in document.ancestors(node).take(LEVELS) {
        let property = document.known_attr(node, Attr::ITEMPROP).map(str::to_owned);
        let class = || document.classes(node).last().and_then(words);
        let id = || document.known_attr(node, Attr::ID).and_then(words);
        guesses.extend(property.or_else(class).or_else(id));
    }
    guesses.extend(heading(pages, (page, at)));
    guesses.push(kind(pages, slot));
    guesses.dedup();
    guesses
}

/// The heading above a text, if most pages have it.
fn heading(pages: &DetailPages<'_>, (page, at): (u32, u32)) -> Option<String> {
    let document = pages.documents[page as usize];
    let is_heading = |node: NodeId| {
        let tags = [Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::LEGEND, Tag::CAPTION];
        document.ancestors(node).take(2).any(|up| tags.iter().any(|&tag| document.is(up, tag)))
    };
    let above = (0..at).rev().take(TEXTS_ABOVE);
    let mut headings = above.filter(|&above| {
        let text = pages.texts.of_page[page as usize][above as usize];
        let is_shared = 2 * pages.texts.pages[text as usize] as usize > pages.documents.len();
        is_shared && is_heading(pages.leaves[page as usize][above as usize].node)
    });
    let text = pages.text((page, headings.next()?)).trim().trim_end_matches(':').to_owned();
    let is_name = (1..=MAX_LABEL_CHARS).contains(&text.chars().count());
    is_name.then_some(text)
}

fn kind(pages: &DetailPages<'_>, slot: &Slot) -> String {
    let cell = pages.columns[slot.column].cells[0];
    quarry_value::kind(pages.text(cell)).as_str().to_owned()
}
