//! Writes a mined template down. Places, groups, the graph, and for each slot what its values have
//! in common.

use std::collections::BTreeMap;

use super::align::attribute_kind;
use super::attributes::{Key, attributes};
use super::columns::{prefix, text_cue};
use super::corpus::Corpus;
use super::cut::{AlignedForest, Cutter};
use super::graph::Graph;
use super::label;
use super::mine::Mined;
use super::places::{Occupied, StringAt};
use super::strings::{DataString, tags_hash, tags_text};
use super::texts::text_before;
use crate::model::{
    AttributePlace, ClueFeature, Edge, Group, Part, Slot, StringClue, StringPlace, Template,
};
use crate::parallel;
use quarry_value::ValueKind;

/// How often each template string (tags, or a template text) occurs, and where first.
type Sides<'a> = BTreeMap<(u64, &'a str), (usize, StringAt)>;

/// Values shown as samples of a slot.
const SAMPLES: usize = 2;
/// Characters of a sample.
const SAMPLE_CHARS: usize = 60;

/// Writes down what was mined; gives also the parts, by number, that only name the next one.
pub(crate) fn assemble(mined: &Mined<'_, '_>) -> (Template, Vec<usize>) {
    let Mined { corpus, places, placed, texts, numbers, sequences, graph, voters, names_next } =
        *mined;
    let id = |number: usize| -> Option<String> {
        graph.order.iter().position(|&slot| slot == number).map(|at| (at + 1).to_string())
    };
    let groups: Vec<Group> = texts
        .iter()
        .enumerate()
        .map(|(group, texts)| {
            let parts = numbers.range((group, 0)..(group + 1, 0)).map(|(&(_, number), slot)| {
                let (after, nth) = text_before(number, texts);
                let names = names_next.contains(slot);
                Part { after: after.to_owned(), nth, slot: id(*slot), names }
            });
            Group { texts: texts.clone(), parts: parts.collect() }
        })
        .collect();
    let edges = graph
        .edges
        .iter()
        .filter_map(|(&(from, to), &support)| Some(Edge { from: id(from)?, to: id(to)?, support }));
    let mut template = Template {
        template: 1,
        cluster: 0,
        records: corpus.forests.len(),
        outliers: sequences.iter().filter(|sequence| !graph.fits(sequence)).count(),
        slots: Vec::new(),
        edges: edges.collect(),
        decorative: corpus.decorative.iter().map(|&path| corpus.names.path(path)).collect(),
        places: places.to_vec(),
        groups: Vec::new(),
        attributes: Vec::new(),
    };
    template.decorative.sort();
    let cutter = Cutter::new(&groups);
    let aligned: Vec<AlignedForest<'_>> = parallel::map(placed, |placed| cutter.cut(placed));
    let first = names_next.is_empty();
    let naming = add_slots(corpus, &aligned, graph, voters, first, &mut template);
    drop(aligned);
    template.groups = groups;
    (template, naming.into_iter().map(|slot| graph.order[slot]).collect())
}

/// The places as a model has them: paths and cues as text.
pub(crate) fn written_places(
    corpus: &Corpus<'_>,
    places: &[Occupied],
    group_of: &[usize],
) -> Vec<StringPlace> {
    let cue = |(about, cue, share): (ClueFeature, u64, f64), place: &Occupied| StringClue {
        about,
        is: cue_text(corpus, place, about, cue),
        share,
    };
    let write = |(place, &group): (&Occupied, &usize)| StringPlace {
        path: corpus.names.path(place.path),
        cues: place.column.common(0.0).into_iter().map(|found| cue(found, place)).collect(),
        support: place.members.len(),
        group: Some(group),
    };
    parallel::map_range(places.len(), |at| write((&places[at], &group_of[at])))
}

/// The text behind a cue, from a string that has it.
fn cue_text(corpus: &Corpus<'_>, place: &Occupied, about: ClueFeature, cue: u64) -> String {
    for &(record, at) in &place.members {
        let strings = &corpus.strings[record];
        let string: &DataString = &strings.strings[at];
        let text = match about {
            ClueFeature::Before => match at.checked_sub(1) {
                Some(before) => strings.strings[before].text.as_str(),
                None => continue,
            },
            ClueFeature::Own => string.text.as_str(),
            ClueFeature::Prefix => match prefix(&string.text) {
                Some(prefix) => prefix,
                None => continue,
            },
            ClueFeature::Kind => string.kind.as_str(),
            ClueFeature::Left | ClueFeature::Right => {
                let left = about == ClueFeature::Left;
                let tags = if left { strings.left(string) } else { strings.next_tag(string) };
                if tags_hash(tags) == cue {
                    return tags_text(tags, &corpus.names);
                }
                continue;
            }
        };
        if text_cue(text) == cue {
            return text.to_owned();
        }
    }
    String::new()
}

/// Describes each slot by what the records have in it; gives the slots that only name the next one. If there are any the
/// `first` time, the slots are not described.
fn add_slots(
    corpus: &Corpus<'_>,
    aligned: &[AlignedForest<'_>],
    graph: &Graph,
    voters: &[bool],
    first: bool,
    template: &mut Template,
) -> Vec<usize> {
    let mut members: Vec<Vec<StringAt>> = vec![Vec::new(); graph.order.len()];
    for (record, aligned) in aligned.iter().enumerate() {
        for (at, part) in aligned.parts.iter().enumerate() {
            if let Some(own) = part.slot.and_then(|slot| members.get_mut(slot)) {
                own.push((record, at));
            }
        }
    }
    let is_constant = |own: &Vec<StringAt>| {
        let text = |member: &StringAt| aligned[member.0].parts[member.1].text;
        // A false record that shows something else here does not make a label a value.
        let mut trusted: Vec<&str> =
            own.iter().filter(|member| voters[member.0]).map(text).collect();
        if trusted.is_empty() {
            trusted = own.iter().map(text).collect();
        }
        trusted.len() > 1 && trusted.iter().all(|text| *text == trusted[0])
    };
    let constant: Vec<bool> = members.iter().map(is_constant).collect();
    let naming = label::naming_slots(corpus, aligned, &members, &constant);
    if first && !naming.is_empty() {
        // The records vote again without them: nothing else is needed of this template.
        return naming;
    }
    let describe = |(number, own): (usize, &Vec<StringAt>)| {
        let part = |&(record, at): &StringAt| &aligned[record].parts[at];
        let texts: Vec<&str> = own.iter().map(|member| part(member).text).collect();
        let kind = |&(record, at): &StringAt| aligned[record].kind(&aligned[record].parts[at]);
        let side = |left: bool| {
            let mut counts: Sides<'_> = BTreeMap::new();
            for &(record, at) in own {
                let (strings, part) = (aligned[record].strings, &aligned[record].parts[at]);
                let string = &strings.strings[part.string];
                let tags = if left { strings.left(string) } else { strings.right(string) };
                let text = if left { part.after } else { part.before };
                counts.entry((tags_hash(tags), text)).or_insert((0, (record, at))).0 += 1;
            }
            let most = counts.into_iter().max_by_key(|(key, (count, _))| (*count, *key));
            most.map_or(String::new(), |((_, text), (_, (record, at)))| {
                let (strings, part) = (aligned[record].strings, &aligned[record].parts[at]);
                let string = &strings.strings[part.string];
                match left {
                    _ if !text.is_empty() => text.to_owned(),
                    true => tags_text(strings.left(string), &corpus.names),
                    false => tags_text(strings.right(string), &corpus.names),
                }
            })
        };
        Slot {
            slot: (number + 1).to_string(),
            label: None,
            label_source: None,
            kind: most_common(own.iter().map(kind)),
            support: own.len(),
            optional: graph.optional.contains(&graph.order[number]),
            constant: constant[number],
            copy_of: None,
            left: side(true),
            right: side(false),
            attribute: None,
            samples: samples(&texts),
        }
    };
    let mut slots: Vec<Slot> = members.iter().enumerate().map(describe).collect();
    for (slot, original) in copies(aligned, slots.len()) {
        if !slots[slot].constant {
            slots[slot].copy_of = Some(slots[original].slot.clone());
        }
    }
    add_attributes(corpus, aligned, &mut slots, template);
    template.slots = slots;
    label::add_labels(corpus, aligned, &members, template);
    naming
}

/// A slot is a copy if this share of the records that have it show the same text in the other slot.
const COPIES: f64 = 0.95;
/// And it takes so many records with different values: few and short ones agree by chance.
const MIN_COPIES: usize = 4;

/// Slots that repeat an earlier one, and that one.
fn copies(aligned: &[AlignedForest<'_>], slots: usize) -> Vec<(usize, usize)> {
    let mut equal: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    let mut support = vec![0usize; slots];
    for record in aligned {
        let known = record.parts.iter().filter_map(|part| Some((part.slot?, part.text)));
        let known: Vec<(usize, &str)> = known.collect();
        let mut sorted: Vec<(&str, usize)> =
            known.iter().map(|&(slot, text)| (text, slot)).collect();
        sorted.sort_unstable();
        for &(slot, _) in &known {
            support[slot] += 1;
        }
        for same in sorted.chunk_by(|one, other| one.0 == other.0) {
            for (at, &(text, slot)) in same.iter().enumerate() {
                for &(_, before) in same[..at].iter().take(SAME_TEXTS) {
                    equal.entry((slot.max(before), slot.min(before))).or_default().push(text);
                }
            }
        }
    }
    let mut copies: BTreeMap<usize, usize> = BTreeMap::new();
    for ((slot, before), mut texts) in equal {
        let enough = texts.len() as f64 >= COPIES * support[slot] as f64;
        texts.sort_unstable();
        texts.dedup();
        if enough && slot != before && texts.len() >= MIN_COPIES {
            copies.entry(slot).or_insert(before);
        }
    }
    copies.into_iter().collect()
}

/// Equal texts of one record that are compared.
const SAME_TEXTS: usize = 8;

/// The kind that most values have.
fn most_common(kinds: impl ExactSizeIterator<Item = ValueKind>) -> ValueKind {
    let mut counts: BTreeMap<ValueKind, usize> = BTreeMap::new();
    let all = kinds.len();
    for kind in kinds {
        let count = counts.entry(kind).or_default();
        *count += 1;
        if 2 * *count > all {
            return kind;
        }
    }
    counts
        .into_iter()
        .max_by_key(|&(kind, count)| (count, kind))
        .map_or(ValueKind::Text, |most| most.0)
}

/// The first distinct values, shortened.
fn samples(texts: &[&str]) -> Vec<String> {
    let mut distinct: Vec<&str> = Vec::new();
    for text in texts {
        if distinct.len() < SAMPLES && !distinct.contains(text) {
            distinct.push(text);
        }
    }
    distinct.iter().map(|text| text.chars().take(SAMPLE_CHARS).collect()).collect()
}

/// Attributes whose values differ become slots.
fn add_attributes(
    corpus: &Corpus<'_>,
    aligned: &[AlignedForest<'_>],
    slots: &mut Vec<Slot>,
    template: &mut Template,
) {
    let mut found: BTreeMap<Key<'_>, Vec<&str>> = BTreeMap::new();
    for (forest, aligned) in corpus.forests.iter().zip(aligned) {
        for attribute in attributes(forest, &aligned.slots(forest)) {
            found.entry(attribute.key).or_default().push(attribute.value);
        }
    }
    let mut found: Vec<(Key<'_>, Vec<&str>)> = found.into_iter().collect();
    found.sort_by_cached_key(|(key, _)| (key.path, key.at.text(), key.name));
    for (key, values) in found {
        if values.iter().all(|value| *value == values[0]) {
            continue;
        }
        let slot = (slots.len() + 1).to_string();
        slots.push(Slot {
            slot: slot.clone(),
            label: None,
            label_source: None,
            kind: most_common(values.iter().map(|value| attribute_kind(key.name, value))),
            support: values.len(),
            optional: values.len() < corpus.forests.len(),
            constant: false,
            copy_of: None,
            left: String::new(),
            right: String::new(),
            attribute: Some(key.name.to_owned()),
            samples: samples(&values),
        });
        template.attributes.push(AttributePlace {
            path: corpus.names.path(key.path),
            at: key.at.text(),
            attribute: key.name.to_owned(),
            slot,
        });
    }
}
