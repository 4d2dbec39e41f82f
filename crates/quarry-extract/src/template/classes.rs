//! Finds the classes that identify a record, not a kind of element. Pages write ids of authors,
//! products or topics into classes (`author id-x7k`). Such a class differs from record to record; a
//! path with it would stand for one record only.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quarry_dom::{Attr, Document, Kind, NodeId};

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

/// The elements that a page writes alike: a name and the text of the `class` attribute.
struct Alike {
    name: u64,
    /// Hashes of the classes, sorted.
    classes: Vec<u64>,
    elements: usize,
    /// The last record that has one.
    record: usize,
}

/// The hashes of an element's classes, sorted.
fn hashes(document: &Document, node: NodeId) -> Vec<u64> {
    let mut scratch = String::new();
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
    classes
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
    let mut all: Vec<Alike> = Vec::new();
    let mut known: HashMap<u64, usize> = HashMap::new();
    // How many records have each class, and the last of them.
    let mut support: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for (record, input) in records.iter().enumerate() {
        let document = input.document;
        let nodes = input.nodes.iter().flat_map(|&root| document.subtree(root));
        for node in nodes.filter(|&node| document.kind(node) == Kind::Element) {
            let Some(written) = document.known_attr(node, Attr::CLASS) else { continue };
            let name = hash::of(document.tag_name(node));
            let at = *known.entry(hash::then(name, hash::of(written))).or_insert_with(|| {
                let classes = hashes(document, node);
                all.push(Alike { name, classes, elements: 0, record: usize::MAX });
                all.len() - 1
            });
            let alike = &mut all[at];
            alike.elements += 1;
            if alike.record == record {
                continue;
            }
            alike.record = record;
            for &class in &alike.classes {
                let own = support.entry(class).or_insert((0, usize::MAX));
                own.0 += usize::from(own.1 != record);
                own.1 = record;
            }
        }
    }
    let most = RARE_RECORDS.max((RARE * records.len() as f64) as usize);
    let is_rare = |&(_, (count, _)): &(u64, (usize, usize))| count <= most;
    let rare: BTreeSet<u64> = support.into_iter().filter(is_rare).map(|(class, _)| class).collect();
    if rare.len() < MIN_IDS {
        return BTreeSet::new();
    }
    let mut kinds: BTreeMap<u64, OfKind> = BTreeMap::new();
    for alike in all.iter().filter(|alike| !alike.classes.is_empty()) {
        let (own, common): (Vec<u64>, Vec<u64>) =
            alike.classes.iter().copied().partition(|class| rare.contains(class));
        let kind = kinds.entry(common.into_iter().fold(alike.name, hash::then)).or_default();
        kind.elements += alike.elements;
        kind.rare += if own.is_empty() { 0 } else { alike.elements };
        kind.ids.extend(own);
    }
    let has_ids = |kind: &OfKind| {
        kind.ids.len() >= MIN_IDS
            && kind.rare as f64 >= WITH_ID * kind.elements as f64
            && kind.ids.len() as f64 >= DIFFERENT * kind.rare as f64
    };
    kinds.into_values().filter(has_ids).flat_map(|kind| kind.ids).collect()
}
