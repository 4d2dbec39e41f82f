//! Names slots. Template text before the value, the header of its column, attributes that name it,
//! and as a last resort its class; each label says where it came from.

use std::collections::BTreeMap;

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::columns::prefix;
use super::corpus::Corpus;
use super::cut::AlignedForest;
use super::forest::column;
use super::places::StringAt;
use crate::model::{LabelSource, Template};

/// This share of a slot's records must agree on a label.
const AGREE: f64 = 0.8;
/// Longer texts are no labels.
const MAX_CHARS: usize = 40;
/// Names of values without a colon have at most so many words.
const MAX_WORDS: usize = 2;
/// Elements above the text that are asked for names.
const MAX_LEVELS: usize = 3;

/// Gives each slot its label.
pub(crate) fn add_labels(
    corpus: &Corpus<'_>,
    aligned: &[AlignedForest<'_>],
    members: &[Vec<StringAt>],
    template: &mut Template,
) {
    for (number, own) in members.iter().enumerate() {
        let found = label_of(corpus, aligned, own, template);
        let slot = &mut template.slots[number];
        if let Some((label, source)) = found {
            (slot.label, slot.label_source) = (Some(label), Some(source));
        }
    }
    for place in &template.attributes {
        let Some(number) = place.slot.parse::<usize>().ok().and_then(|at| at.checked_sub(1)) else {
            continue;
        };
        let last = place.path.rsplit('/').next().unwrap_or_default();
        let class = last.split('.').nth(1).and_then(words_of_class);
        if let (Some(slot), Some(class)) = (template.slots.get_mut(number), class) {
            (slot.label, slot.label_source) = (Some(class), Some(LabelSource::Class));
        }
    }
}

/// The slots (by position) that only name the one behind them: constant, by their form a name, and in nearly all records
/// right before one and the same slot.
pub(crate) fn naming_slots(
    corpus: &Corpus<'_>,
    aligned: &[AlignedForest<'_>],
    members: &[Vec<StringAt>],
    constant: &[bool],
) -> Vec<usize> {
    let mut naming = Vec::new();
    for (number, own) in members.iter().enumerate().filter(|(number, _)| constant[*number]) {
        let next =
            |&(record, at): &StringAt| aligned[record].parts.get(at + 1).and_then(|part| part.slot);
        let named = own.first().and_then(next).filter(|&slot| !constant[slot]);
        let same = own.iter().filter(|member| next(member) == named).count() as f64;
        let is_name =
            own.first().is_some_and(|&(record, at)| names_next(corpus, aligned, record, at));
        if named.is_some() && is_name && same >= AGREE * own.len() as f64 {
            naming.push(number);
        }
    }
    naming
}

/// The value that at least [`AGREE`] of the members have. Most slots have no label of most sorts: as soon as no value can
/// reach that share, the rest is not looked at.
fn agreed(values: impl ExactSizeIterator<Item = Option<String>>) -> Option<String> {
    let count = values.len();
    let enough = AGREE * count as f64;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut most = 0;
    for (seen, value) in values.enumerate() {
        if let Some(value) = value {
            let own = counts.entry(value).or_default();
            *own += 1;
            most = most.max(*own);
        }
        if ((most + count - seen - 1) as f64) < enough {
            return None;
        }
    }
    counts.into_iter().find(|(_, count)| *count == most).map(|(value, _)| value)
}

fn label_of(
    corpus: &Corpus<'_>,
    aligned: &[AlignedForest<'_>],
    own: &[StringAt],
    template: &Template,
) -> Option<(String, LabelSource)> {
    let part = |&(record, at): &StringAt| &aligned[record].parts[at];
    let after = agreed(own.iter().map(|member| clean(part(member).after)));
    if let Some(label) = after {
        return Some((label, LabelSource::Text));
    }
    let begins = agreed(own.iter().map(|member| prefix(part(member).text).and_then(clean)));
    if let Some(label) = begins {
        return Some((label, LabelSource::Text));
    }
    let before = agreed(own.iter().map(|&(record, at)| {
        let previous = aligned[record].parts.get(at.checked_sub(1)?)?;
        let slot = previous.slot.and_then(|slot| template.slots.get(slot));
        let constant = slot.is_some_and(|slot| slot.constant);
        let named = previous.names || (constant && names_next(corpus, aligned, record, at - 1));
        named.then(|| clean(previous.text)).flatten()
    }));
    if let Some(label) = before {
        return Some((label, LabelSource::Text));
    }
    let document = |record: usize| corpus.forests[record].document;
    let element = |&(record, at): &StringAt| {
        let string = &aligned[record].strings.strings[aligned[record].parts[at].string];
        let node = *string.nodes.first()?;
        document(record).parent(node)
    };
    let header = agreed(own.iter().map(|member| header(document(member.0), element(member)?)));
    if let Some(label) = header {
        return Some((label, LabelSource::Header));
    }
    let sources: [(&[Attr], LabelSource); 2] = [
        (&[Attr::ARIA_LABEL, Attr::TITLE], LabelSource::Attribute),
        (&[Attr::ITEMPROP, Attr::PROPERTY], LabelSource::Property),
    ];
    for (names, source) in sources {
        let named = agreed(own.iter().map(|member| {
            let label = attribute(document(member.0), element(member)?, names)?;
            (label != part(member).text).then(|| clean(&label)).flatten()
        }));
        if let Some(label) = named {
            return Some((label, source));
        }
    }
    let class = agreed(own.iter().map(|member| class(document(member.0), element(member)?)));
    class.map(|label| (label, LabelSource::Class))
}

/// Whether a constant text is the name of what follows it: it ends in a colon, is a term or header by its element, or is a
/// word or two alone on a line with it. The caption of a control (`Compare` beside a box to tick) names the control.
fn names_next(
    corpus: &Corpus<'_>,
    aligned: &[AlignedForest<'_>],
    record: usize,
    at: usize,
) -> bool {
    let part = &aligned[record].parts[at];
    if part.text.trim_end().ends_with(':') {
        return true;
    }
    let string = &aligned[record].strings.strings[part.string];
    let Some(&node) = string.nodes.first() else { return false };
    let document = corpus.forests[record].document;
    let is_name = |above: NodeId| match document.tag(above) {
        Some(Tag::DT | Tag::TH) => true,
        Some(Tag::LABEL) => !is_caption(document, above),
        _ => false,
    };
    if document.ancestors(node).take(MAX_LEVELS).any(is_name) {
        return true;
    }
    let next = aligned[record].parts.get(at + 1).filter(|next| next.string != part.string);
    let value = next.map(|next| &aligned[record].strings.strings[next.string].nodes);
    part.text.split_whitespace().count() <= MAX_WORDS
        && part.text.chars().all(|char| char.is_alphabetic() || char.is_whitespace())
        && value.is_some_and(|value| are_a_line(document, &string.nodes, value))
}

/// Whether two strings are all that the innermost element around both shows: a name and its value.
fn are_a_line(document: &Document, name: &[NodeId], value: &[NodeId]) -> bool {
    let (Some(&first), Some(&last)) = (name.first(), value.last()) else { return false };
    let Some(line) = document.ancestors(first).find(|&above| document.contains(above, last)) else {
        return false;
    };
    let shown = document.subtree(line).filter(|&node| {
        document.is_text(node)
            && !document.is_hidden(node)
            && !document.text(node).chars().all(char::is_whitespace)
    });
    shown.take(name.len() + value.len() + 1).count() == name.len() + value.len()
}

/// Whether a `label` belongs to a control of a form.
fn is_caption(document: &Document, label: NodeId) -> bool {
    let is_control =
        |node: NodeId| matches!(document.tag(node), Some(Tag::INPUT | Tag::SELECT | Tag::TEXTAREA));
    document.attr(label, "for").is_some() || document.subtree(label).any(is_control)
}

/// A text without the punctuation around it, where it can be a label.
fn clean(text: &str) -> Option<String> {
    let text =
        text.trim_matches(|char: char| !char.is_alphanumeric() && !matches!(char, '(' | ')' | '%'));
    let text = text.trim_start_matches([')', '(']).trim();
    let letters = text.chars().any(char::is_alphabetic);
    (letters && text.chars().count() <= MAX_CHARS).then(|| text.to_owned())
}

/// The header cell of the column that the element stands in.
pub(super) fn header(document: &Document, element: NodeId) -> Option<String> {
    let is_cell = |node: NodeId| document.is(node, Tag::TD) || document.is(node, Tag::TH);
    let cell = std::iter::once(element)
        .chain(document.ancestors(element))
        .take(MAX_LEVELS + 2)
        .find(|&node| is_cell(node))?;
    let table = document.ancestor_named(cell, Tag::TABLE)?;
    let row = document.descendants(table).find(|&node| document.is(node, Tag::TR))?;
    if document.contains(row, cell) {
        return None;
    }
    let place = column(document, cell);
    let header = document.child_elements(row).find(|&other| column(document, other) == place)?;
    let is_header =
        document.is(header, Tag::TH) || document.ancestor_named(row, Tag::THEAD).is_some();
    is_header.then(|| clean(&document.folded_text(header))).flatten()
}

fn attribute(document: &Document, element: NodeId, names: &[Attr]) -> Option<String> {
    let mut node = element;
    for _ in 0..MAX_LEVELS {
        let found = names.iter().find_map(|&name| document.known_attr(node, name));
        if let Some(found) = found.filter(|found| !found.trim().is_empty()) {
            return Some(found.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if document.parent(node).is_some_and(|parent| document.fan_out(parent) > 1) {
            return None;
        }
        node = document.parent(node)?;
    }
    None
}

fn class(document: &Document, element: NodeId) -> Option<String> {
    let mut node = element;
    for _ in 0..MAX_LEVELS {
        let found = document.classes(node).filter_map(words_of_class).next();
        if found.is_some() {
            return found;
        }
        node = document.parent(node)?;
    }
    None
}

/// The words of a class, `productTitle` and `product-title` alike; `None` where nothing can be read.
fn words_of_class(class: &str) -> Option<String> {
    let mut words = String::new();
    let mut lower = false;
    for char in class.chars() {
        if char.is_alphabetic() {
            if lower && char.is_uppercase() {
                words.push(' ');
            }
            words.extend(char.to_lowercase());
            lower = char.is_lowercase();
        } else {
            if !words.ends_with(' ') && !words.is_empty() {
                words.push(' ');
            }
            lower = false;
        }
    }
    let words = words.trim();
    let readable = words.split(' ').any(|word| word.chars().count() > 2);
    readable.then(|| words.to_owned())
}
