//! What slots are called: the label printed before them, else the property they are marked as, the heading above them, the class
//! of their element, at last their kind.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::DetailPages;
use super::select::Slot;
use crate::attribute::{LabelKey, LocatorKind};
use crate::links::target_name;

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

/// For each slot with a printed label, the labels of the others: behind one of them stands no value of this slot, whatever else
/// points there (an optional row above shifts what is counted).
pub(super) fn labels_of_others(
    pages: &DetailPages<'_>,
    slots: &[Slot],
    names: &[Name],
) -> Vec<Vec<LabelKey>> {
    let own: Vec<BTreeSet<LabelKey>> = slots
        .iter()
        .zip(names)
        .map(|(slot, name)| match &name.label {
            Some(label) => label_keys(pages, slot, label),
            None => BTreeSet::new(),
        })
        .collect();
    let others = |at: usize| -> Vec<LabelKey> {
        if own[at].is_empty() {
            return Vec::new();
        }
        let others = (0..slots.len()).filter(|other| names[*other].label != names[at].label);
        let keys: BTreeSet<LabelKey> = others.flat_map(|other| &own[other]).copied().collect();
        keys.difference(&own[at]).copied().collect()
    };
    (0..slots.len()).map(others).collect()
}

/// What the texts of a slot that stand right behind its label have as the key of their label.
fn label_keys(pages: &DetailPages<'_>, slot: &Slot, label: &str) -> BTreeSet<LabelKey> {
    let is_labelled = |cell: (u32, u32)| {
        let text = pages.label(cell).map(|text| pages.texts.texts[text as usize].trim());
        text.is_some_and(|text| text.trim_end_matches([':', '：']).trim() == label)
    };
    let cells = pages.columns[slot.column].cells.iter().copied().filter(|cell| is_labelled(*cell));
    let key = |(page, at): (u32, u32)| {
        LabelKey(pages.leaves[page as usize][at as usize].keys[LocatorKind::Label as usize])
    };
    cells.map(key).filter(|key| key.0 != 0).collect()
}

/// Where a slot stands among the texts of its pages: the median.
fn position(pages: &DetailPages<'_>, slot: &Slot) -> u32 {
    let mut places: Vec<u32> =
        pages.columns[slot.column].cells.iter().map(|&(_, leaf)| leaf).collect();
    places.sort_unstable();
    places.get(places.len() / 2).copied().unwrap_or(0)
}

/// The text printed before nearly all texts of a slot, if it is template text. A link leads somewhere, and names what is there,
/// unless it ends as names do.
fn label(pages: &DetailPages<'_>, slot: &Slot) -> Option<String> {
    let column = &pages.columns[slot.column];
    let mut counts: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for &cell in &column.cells {
        if let Some(text) = pages.label(cell) {
            let count = counts.entry(text).or_default();
            count.0 += 1;
            count.1 += usize::from(is_linked_before(pages, cell));
        }
    }
    let (text, (count, linked)) =
        counts.into_iter().max_by_key(|&(text, (count, _))| (count, std::cmp::Reverse(text)))?;
    let printed = pages.texts.texts[text as usize].trim();
    let text = printed.trim_end_matches([':', '：']).trim();
    let is_link = 2 * linked > count && text == printed;
    let is_label = count as f64 >= LABELLED * column.cells.len() as f64
        && !is_link
        && text.chars().count() <= MAX_LABEL_CHARS
        && text.starts_with(|char: char| char.is_alphanumeric() || char == '#');
    (is_label && text.chars().any(char::is_alphabetic)).then(|| text.to_owned())
}

/// Whether the text before a cell is a link that the cell is no part of.
fn is_linked_before(pages: &DetailPages<'_>, (page, at): (u32, u32)) -> bool {
    let leaves = &pages.leaves[page as usize];
    let own = leaves[at as usize].node;
    let document = pages.documents[page as usize];
    let is_link = |node: NodeId| document.is(node, Tag::A) && !document.contains(node, own);
    let before = leaves[at as usize].before.map(|before| leaves[before as usize].node);
    before.is_some_and(|before| document.ancestors(before).take(LEVELS).any(is_link))
}

/// Elements around a text whose classes may name it.
const LEVELS: usize = 4;
/// Texts before a slot that are looked at for the heading above it.
const TEXTS_ABOVE: usize = 12;

/// What may name a slot, the best first: the property that it is marked as, the heading above it, where its links lead, class or id of the elements
/// around it, heading and kind or class together, at last the kind of its values.
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
    let around = || document.ancestors(node).take(LEVELS);
    let properties =
        around().filter_map(|node| document.known_attr(node, Attr::ITEMPROP).map(str::to_owned));
    let mut guesses: Vec<String> = properties.collect();
    let heading = heading(pages, (page, at));
    let kind = kind(pages, slot);
    let is_typed = quarry_value::kind(pages.text((page, at))) != quarry_value::ValueKind::Text;
    if is_typed {
        guesses.extend(heading.as_ref().map(|heading| format!("{heading} {kind}")));
    } else {
        guesses.extend(heading.clone());
    }
    guesses.extend(target(pages, slot));
    // Each of several values has the class of its look; what they are stands around all of them.
    let own = around().find(|&node| has_alike_sibling(document, node));
    let skipped = own
        .filter(|_| slot.several.is_some())
        .map_or(0, |own| 1 + around().position(|node| node == own).unwrap_or_default());
    let classes = document.ancestors(node).skip(skipped).take(LEVELS).filter_map(|node| {
        let class = document.classes(node).last().and_then(words);
        class.or_else(|| document.known_attr(node, Attr::ID).and_then(words))
    });
    let classes: Vec<String> = classes.collect();
    guesses.extend(classes.iter().cloned());
    let both = |heading: &String| classes.first().map(|class| format!("{heading} {class}"));
    guesses.extend(heading.as_ref().and_then(both));
    guesses.push(kind);
    guesses.dedup();
    guesses
}

/// Whether an element beside this one has its name and classes.
fn has_alike_sibling(document: &Document, node: NodeId) -> bool {
    let is_alike = |other: NodeId| {
        other != node
            && document.tag_name(other) == document.tag_name(node)
            && document.classes(other).eq(document.classes(node))
    };
    let parent = document.parent(node);
    parent.is_some_and(|parent| {
        document.children(parent).any(|other| document.is_element(other) && is_alike(other))
    })
}

/// What the links of a slot lead to. Links that nearly all lead elsewhere may lead to the pages themselves, which names no attribute.
fn target(pages: &DetailPages<'_>, slot: &Slot) -> Option<String> {
    let cells = &pages.columns[slot.column].cells;
    let mut targets: BTreeSet<&str> = BTreeSet::new();
    let mut linked = 0;
    for &(page, at) in cells {
        let document = pages.documents[page as usize];
        let node = pages.leaves[page as usize][at as usize].node;
        let link = document.ancestors(node).take(LEVELS).find(|&node| document.is(node, Tag::A));
        if let Some(href) = link.and_then(|link| document.known_attr(link, Attr::HREF)) {
            linked += 1;
            targets.insert(href);
        }
    }
    let is_link = linked as f64 >= LABELLED * cells.len() as f64;
    let is_shared = targets.len() as f64 <= SHARED_TARGETS * linked as f64;
    target_name(targets).filter(|_| is_link && is_shared)
}

/// The share of a slot's links that may lead to different addresses.
const SHARED_TARGETS: f64 = 0.8;

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
    let is_name = (1..=MAX_LABEL_CHARS).contains(&text.chars().count())
        && text.starts_with(char::is_alphanumeric);
    is_name.then_some(text)
}

fn kind(pages: &DetailPages<'_>, slot: &Slot) -> String {
    let cell = pages.columns[slot.column].cells[0];
    quarry_value::kind(pages.text(cell)).as_str().to_owned()
}
