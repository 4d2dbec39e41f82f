//! Finds the parts of a record that people wrote as running text. Bodies of posts and descriptions:
//! paragraphs, lists and links in a number that differs from record to record. Their tags part
//! sentences, not data: each body is one unit.

use std::collections::{BTreeMap, BTreeSet};

use super::forest::{Forest, NO_PARENT};
use crate::page::hash;

/// Elements that running text consists of.
const FLOW: [&str; 27] = [
    "p",
    "br",
    "a",
    "b",
    "i",
    "u",
    "s",
    "em",
    "strong",
    "del",
    "sup",
    "sub",
    "code",
    "pre",
    "q",
    "blockquote",
    "ul",
    "ol",
    "li",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "img",
];
/// Fewer bodies than this say nothing.
const MIN_BODIES: usize = 4;
/// This share of the bodies consists of running text only; some hold a table.
const RUNNING: f64 = 0.9;
/// A template has the same number of paragraphs in nearly every record; people do not.
const SAME_NUMBER: f64 = 0.8;
/// Characters of a paragraph, on average: data in paragraphs of their own are shorter.
const PARAGRAPH: f64 = 60.0;

/// What is known of the elements of one path that hold paragraphs.
#[derive(Default)]
struct Bodies {
    /// Record and position.
    occurrences: Vec<(usize, usize)>,
    running: usize,
    /// How many have each number of paragraphs.
    numbers: BTreeMap<usize, usize>,
    chars: usize,
}

impl Bodies {
    fn are_prose(&self) -> bool {
        let count = self.occurrences.len() as f64;
        let paragraphs: usize = self.numbers.iter().map(|(number, times)| number * times).sum();
        let most = self.numbers.values().copied().max().unwrap_or(0) as f64;
        self.occurrences.len() >= MIN_BODIES
            && self.running as f64 >= RUNNING * count
            && most <= SAME_NUMBER * count
            && self.chars as f64 >= PARAGRAPH * paragraphs as f64
    }
}

/// The paths of all tags inside running text.
pub(crate) fn tags_in_prose(forests: &[Forest<'_>]) -> BTreeSet<u64> {
    let flow: BTreeSet<u64> = FLOW.iter().map(|name| hash::of(name)).collect();
    let paragraph = hash::of("p");
    let mut bodies: BTreeMap<u64, Bodies> = BTreeMap::new();
    for (record, forest) in forests.iter().enumerate() {
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
        for item in forest.items.iter().filter(|item| item.name == paragraph) {
            *numbers.entry(item.parent).or_default() += 1;
        }
        for (position, number) in numbers.into_iter().filter(|body| body.0 != NO_PARENT) {
            let position = position as usize;
            let item = &forest.items[position];
            let inside = &forest.items[position + 1..item.end as usize];
            let own = bodies.entry(item.path).or_default();
            own.occurrences.push((record, position));
            // Tags with a class are a template's, not a writer's.
            let runs = |name: u64, step: u64| flow.contains(&name) && name == step;
            own.running +=
                usize::from(inside.iter().all(|item| item.is_text || runs(item.name, item.step)));
            *own.numbers.entry(number).or_default() += 1;
            let texts = inside.iter().filter(|item| item.is_text);
            own.chars +=
                texts.map(|item| forest.document.text(item.node).chars().count()).sum::<usize>();
        }
    }
    let mut tags = BTreeSet::new();
    for own in bodies.values().filter(|own| own.are_prose()) {
        for &(record, position) in &own.occurrences {
            let items = &forests[record].items;
            let inside = &items[position + 1..items[position].end as usize];
            tags.extend(inside.iter().filter(|item| !item.is_text).map(|item| item.path));
        }
    }
    tags
}
