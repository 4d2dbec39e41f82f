//! Cuts the strings of a record into parts. Strings are cut at the template texts of their group;
//! each part has a slot, names the next one, or is new.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::attributes::At;
use super::forest::Forest;
use super::placer::Placed;
use super::strings::Strings;
use super::texts::{segments, text_before};
use crate::model::Group;
use quarry_value::{self as value, ValueKind};

/// A part of a data string, in its slot.
pub(crate) struct AlignedPart<'p> {
    /// The slot's position in the template's slots; `None` for a part that the template does not know.
    pub(crate) slot: Option<usize>,
    pub(crate) text: &'p str,
    /// The string that it is a part of.
    pub(crate) string: usize,
    /// Whether it is the whole string.
    pub(crate) whole: bool,
    /// The template texts around it; "" where there are tags.
    pub(crate) after: &'p str,
    pub(crate) before: &'p str,
    /// Whether it is the label of the next part.
    pub(crate) names: bool,
}

/// A record's parts.
pub(crate) struct AlignedForest<'p> {
    pub(crate) strings: &'p Strings,
    pub(crate) parts: Vec<AlignedPart<'p>>,
}

impl AlignedForest<'_> {
    /// The kind of a part's value.
    pub(crate) fn kind(&self, part: &AlignedPart<'_>) -> ValueKind {
        if part.whole { self.strings.strings[part.string].kind } else { value::kind(part.text) }
    }

    /// Which slot each text begins, by its position among the items, in order: for the attributes of elements around.
    pub(crate) fn slots(&self, forest: &Forest<'_>) -> Vec<(usize, At)> {
        let mut slots: Vec<(usize, At)> = Vec::with_capacity(self.parts.len());
        for part in self.parts.iter().filter(|part| !part.names) {
            let Some(&node) = self.strings.strings[part.string].nodes.first() else { continue };
            let position = forest.items.partition_point(|item| item.node < node);
            if slots.last().is_none_or(|last| last.0 != position) {
                slots.push((position, part.slot.map_or(At::New, At::Slot)));
            }
        }
        slots
    }
}

/// A part of a group's strings, see [`crate::model::Part`].
struct GroupPart<'t> {
    after: &'t str,
    nth: usize,
    slot: Option<usize>,
    names: bool,
}

/// The groups of a template, made ready to cut strings.
pub(crate) struct Cutter<'t> {
    groups: Vec<(&'t [String], Vec<GroupPart<'t>>)>,
}

impl<'t> Cutter<'t> {
    pub(crate) fn new(groups: &'t [Group]) -> Self {
        let number = |slot: &str| slot.parse::<usize>().ok()?.checked_sub(1);
        let groups = groups.iter().map(|group| {
            let parts = group.parts.iter().map(|part| GroupPart {
                after: &part.after,
                nth: part.nth,
                slot: part.slot.as_deref().and_then(number),
                names: part.names,
            });
            (group.texts.as_slice(), parts.collect())
        });
        Self { groups: groups.collect() }
    }

    /// Cuts the strings of a record.
    pub(crate) fn cut<'p>(&self, placed: &'p Placed<'_>) -> AlignedForest<'p>
    where
        't: 'p,
    {
        let strings: &Strings = match &placed.strings {
            Cow::Borrowed(strings) => strings,
            Cow::Owned(strings) => strings,
        };
        let mut parts = Vec::with_capacity(strings.strings.len());
        for (string, (own, group)) in strings.strings.iter().zip(&placed.groups).enumerate() {
            let text = own.text.as_str();
            match group.and_then(|group| self.groups.get(group)) {
                Some((texts, known)) => add_parts(string, text, texts, known, &mut parts),
                None => parts.push(AlignedPart {
                    slot: None,
                    text,
                    string,
                    whole: true,
                    after: "",
                    before: "",
                    names: false,
                }),
            }
        }
        AlignedForest { strings, parts }
    }
}

fn add_parts<'p>(
    string: usize,
    text: &'p str,
    texts: &'p [String],
    known: &[GroupPart<'p>],
    parts: &mut Vec<AlignedPart<'p>>,
) {
    let find =
        |after: &str, nth: usize| known.iter().find(|part| part.nth == nth && part.after == after);
    if texts.is_empty() {
        let part = find("", 0);
        parts.push(AlignedPart {
            slot: part.and_then(|part| part.slot),
            text,
            string,
            whole: true,
            after: "",
            before: "",
            names: part.is_some_and(|part| part.names),
        });
        return;
    }
    let found = segments(text, texts);
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    for (at, (number, range)) in found.iter().enumerate() {
        let (after, nth) = text_before(*number, texts);
        let part = find(after, nth);
        let slot = part.and_then(|part| part.slot).filter(|&slot| seen.insert(slot));
        let next = found.get(at + 1);
        parts.push(AlignedPart {
            slot,
            text: &text[range.clone()],
            string,
            whole: found.len() == 1 && range.len() == text.len(),
            after,
            before: next.map_or("", |(next, _)| text_before(*next, texts).0),
            names: part.is_some_and(|part| part.names),
        });
    }
}
