//! Which classes say which record it is, not which kind of thing? Pages write ids of authors, products or topics into
//! classes (`author id-x7k`). Such a class differs from record to record; a path with it would stand for one record only.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, Kind, NodeId};
use rayon::prelude::*;

use super::forest::RecordInput;
use crate::page::hash;

/// A class in at most this share of the records is rare.
const RARE: f64 = 0.05;
/// And so is one in at most so many records, however few there are.
const RARE_RECORDS: usize = 2;
/// Elements of one kind have ids if so many different rare classes stand on them.
const MIN_IDS: usize = 5;
/// And if this share of them has one; the marks of a few special records are rare too.
const WITH_ID: f64 = 0.5;
/// And if this share of the rare classes is different; ids repeat little.
const DIFFERENT: f64 = 0.5;

/// Which classes belong to a step of a path.
#[derive(Clone, Copy)]
pub(crate) enum Classes<'c> {
    /// All but these, by hash: when a template is mined.
    Except(&'c BTreeSet<u64>),
    /// Only those that the template knows: when a record is aligned.
    Only(&'c BTreeSet<u64>),
}

impl Classes<'_> {
    /// Whether a class, as [`write_class`] writes it, is part of the step.
    pub(crate) fn count(self, class: &str) -> bool {
        match self {
            Classes::Except(ids) => ids.is_empty() || !ids.contains(&hash::of(class)),
            Classes::Only(known) => known.contains(&hash::of(class)),
        }
    }
}

/// Writes a class without its digits: they say which record or column it is. Nothing where it has no letters.
pub(crate) fn write_class(class: &str, text: &mut String) {
    if class.chars().any(char::is_alphabetic) {
        let kept = class.chars().filter(|char| !char.is_ascii_digit());
        text.extend(kept.map(|char| match char {
            '/' | '[' | ']' | '<' | '>' | '.' => '_',
            other => other,
        }));
    }
}

/// The classes in the steps of a path as a model has it, by hash.
pub(crate) fn classes_of(path: &str) -> impl Iterator<Item = u64> + '_ {
    let steps = path.split(['/', '<', '>']);
    let classes = steps.flat_map(|step| step.split('.').skip(1));
    classes.map(|class| hash::of(class.split('[').next().unwrap_or(class)))
}

/// The elements of a record with classes: the hash of the name, and those of the classes, sorted.
fn elements(record: &RecordInput<'_>) -> Vec<(u64, Vec<u64>)> {
    let mut scratch = String::new();
    let mut read = |document: &Document, node: NodeId| {
        let mut classes: Vec<u64> = Vec::new();
        for class in document.classes(node) {
            scratch.clear();
            write_class(class, &mut scratch);
            if !scratch.is_empty() {
                classes.push(hash::of(&scratch));
            }
        }
        classes.sort_unstable();
        classes.dedup();
        (!classes.is_empty()).then(|| (hash::of(document.tag_name(node)), classes))
    };
    let document = record.document;
    let nodes = record.nodes.iter().flat_map(|&root| document.subtree(root));
    let nodes = nodes.filter(|&node| document.kind(node) == Kind::Element);
    nodes.filter_map(|node| read(document, node)).collect()
}

/// Elements of one kind: a name and the classes that are not rare.
#[derive(Default)]
struct OfKind {
    elements: usize,
    /// Those with a rare class.
    rare: usize,
    ids: BTreeSet<u64>,
}

/// The classes that say which record it is, by hash.
pub(crate) fn ids(records: &[RecordInput<'_>]) -> BTreeSet<u64> {
    let all: Vec<Vec<(u64, Vec<u64>)>> = records.par_iter().map(elements).collect();
    let mut support: BTreeMap<u64, usize> = BTreeMap::new();
    for elements in &all {
        let mut own: Vec<u64> = elements.iter().flat_map(|(_, classes)| classes).copied().collect();
        own.sort_unstable();
        own.dedup();
        for class in own {
            *support.entry(class).or_default() += 1;
        }
    }
    let most = RARE_RECORDS.max((RARE * records.len() as f64) as usize);
    let rare: BTreeSet<u64> =
        support.into_iter().filter(|&(_, count)| count <= most).map(|(class, _)| class).collect();
    if rare.len() < MIN_IDS {
        return BTreeSet::new();
    }
    let mut kinds: BTreeMap<u64, OfKind> = BTreeMap::new();
    for (name, classes) in all.iter().flatten() {
        let (own, common): (Vec<u64>, Vec<u64>) =
            classes.iter().copied().partition(|class| rare.contains(class));
        let kind = kinds.entry(common.into_iter().fold(*name, hash::then)).or_default();
        kind.elements += 1;
        kind.rare += usize::from(!own.is_empty());
        kind.ids.extend(own);
    }
    let has_ids = |kind: &OfKind| {
        kind.ids.len() >= MIN_IDS
            && kind.rare as f64 >= WITH_ID * kind.elements as f64
            && kind.ids.len() as f64 >= DIFFERENT * kind.rare as f64
    };
    kinds.into_values().filter(has_ids).flat_map(|kind| kind.ids).collect()
}
