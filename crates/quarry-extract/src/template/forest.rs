//! The tag forest of a record. Its tag forest (paper §3.1) as one flat list in document order:
//! elements and shown texts, each with its compact tag path below the record's root.

use std::collections::HashMap;

use quarry_dom::{Attr, Document, Kind, Namespace, NodeId, Tag};

use super::classes::{Classes, write_class};
use crate::page::hash;

/// The nodes of one record on its page.
#[derive(Clone, Copy, Debug)]
pub struct RecordInput<'a> {
    /// The page.
    pub document: &'a Document,
    /// The record's nodes in document order; none lies in another.
    pub nodes: &'a [NodeId],
}

/// Stands for "no parent": the item is a root of the forest.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// Deeper nodes and longer records are left out: no record needs more.
const MAX_ITEMS: usize = 20_000;

/// An element or a text of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) node: NodeId,
    /// The item's position in the list of the element around it, or [`NO_PARENT`].
    pub(crate) parent: u32,
    /// The first position behind the item's subtree.
    pub(crate) end: u32,
    /// The element's name; of texts the name `#text`.
    pub(crate) name: u64,
    /// Name and classes: the last step of `path`.
    pub(crate) step: u64,
    /// The steps from the record's root down to the item.
    pub(crate) path: u64,
    pub(crate) is_text: bool,
}

/// A record as a list of its elements and texts in document order.
pub(crate) struct Forest<'a> {
    pub(crate) document: &'a Document,
    pub(crate) items: Vec<Item>,
}

impl Forest<'_> {
    /// The path of the element around an item.
    pub(crate) fn path_above(&self, item: &Item) -> u64 {
        match item.parent {
            NO_PARENT => EMPTY_PATH,
            parent => self.items[parent as usize].path,
        }
    }
}

/// The texts behind the hashes of steps and paths.
#[derive(Default)]
pub(crate) struct Names {
    steps: HashMap<u64, String>,
    /// A path's parent path and last step.
    paths: HashMap<u64, (u64, u64)>,
}

/// The hash of the empty path.
pub(crate) const EMPTY_PATH: u64 = 0x7061_7468;

/// The path of a further step below a path.
pub(crate) fn below(path: u64, step: u64) -> u64 {
    hash::then(path, step)
}

/// The hash of a path as [`Names::path`] writes it.
pub(crate) fn path_hash(text: &str) -> u64 {
    let steps = text.split('/').filter(|step| !step.is_empty());
    steps.fold(EMPTY_PATH, |path, step| below(path, hash::of(step)))
}

impl Names {
    /// The text of a step.
    pub(crate) fn step_text(&self, step: u64) -> &str {
        self.steps.get(&step).map_or("?", String::as_str)
    }

    /// Remembers that `path` is `parent` and `step`.
    pub(crate) fn know_path(&mut self, path: u64, parent: u64, step: u64) {
        self.paths.entry(path).or_insert((parent, step));
    }

    /// The steps of a path, outermost first.
    pub(crate) fn steps_of(&self, path: u64) -> Vec<u64> {
        let mut steps = Vec::new();
        let mut at = path;
        while let Some(&(parent, step)) = self.paths.get(&at) {
            steps.push(step);
            at = parent;
        }
        steps.reverse();
        steps
    }

    /// The hash of the name of a step's element.
    pub(crate) fn name_of_step(&self, step: u64) -> u64 {
        hash::of(name_of(self.step_text(step)))
    }

    /// The path as text: `div.title/a`.
    pub(crate) fn path(&self, path: u64) -> String {
        let mut steps: Vec<&str> = Vec::new();
        let mut at = path;
        while let Some(&(parent, step)) = self.paths.get(&at) {
            steps.push(self.step_text(step));
            at = parent;
        }
        steps.reverse();
        steps.join("/")
    }

    /// Takes in the steps and paths of a record. Most are known already; only new ones are written as text.
    pub(crate) fn learn(&mut self, forest: &Forest<'_>, classes: Classes<'_>) {
        for item in &forest.items {
            if self.paths.contains_key(&item.path) {
                continue;
            }
            let above = forest.path_above(item);
            self.paths.insert(item.path, (above, item.step));
            self.steps.entry(item.step).or_insert_with(|| {
                let mut text = String::new();
                write_step(forest.document, item.node, classes, &mut text);
                text
            });
        }
    }
}

/// The element's name in a step's text: `td` of `td.price[2]`.
pub(crate) fn name_of(step: &str) -> &str {
    step.split(['.', '[']).next().unwrap_or(step)
}

/// The step of texts.
pub(crate) fn text_step() -> u64 {
    hash::of("#text")
}

/// The steps of elements, remembered by name and classes as a page writes them: records repeat few of them.
pub(crate) struct Steps<'c> {
    classes: Classes<'c>,
    known: HashMap<u64, u64>,
    text: u64,
    scratch: String,
}

impl<'c> Steps<'c> {
    pub(crate) fn new(classes: Classes<'c>) -> Self {
        Self { classes, known: HashMap::new(), text: text_step(), scratch: String::new() }
    }

    /// The name and the step of a node.
    fn of(&mut self, document: &Document, node: NodeId) -> (u64, u64) {
        if document.is_text(node) {
            return (self.text, self.text);
        }
        let name = hash::of(document.tag_name(node));
        let mut written = document
            .known_attr(node, Attr::CLASS)
            .map_or(name, |all| hash::then(name, hash::of(all)));
        if is_cell(document, node) {
            written = hash::then(written, column(document, node) as u64);
        }
        let step = *self.known.entry(written).or_insert_with(|| {
            write_step(document, node, self.classes, &mut self.scratch);
            hash::of(&self.scratch)
        });
        (name, step)
    }
}

/// Lists a record's items; hidden parts and drawings are left out, as they are from its text.
pub(crate) fn forest<'a>(record: RecordInput<'a>, steps: &mut Steps<'_>) -> Forest<'a> {
    let document = record.document;
    let nodes = record.nodes.iter().map(|&root| (document.subtree_end(root).0 - root.0) as usize);
    let items = Vec::with_capacity(nodes.sum::<usize>().min(MAX_ITEMS));
    let mut forest = Forest { document, items };
    let single = record.nodes.len() == 1;
    for &root in record.nodes {
        // A record of one element is its content: the element itself varies (`li`, `li.promoted`).
        let (start, end) = (root.0, document.subtree_end(root).0);
        let mut at = start;
        // Positions of elements that are open, and the nodes behind them.
        let mut open: Vec<(u32, u32)> = Vec::new();
        while at < end && forest.items.len() < MAX_ITEMS {
            let node = NodeId(at);
            let kind = document.kind(node);
            let drawing = kind == Kind::Element && document.namespace(node) != Namespace::Html;
            if drawing || document.is_hidden(node) || kind == Kind::Comment {
                at = document.subtree_end(node).0;
                continue;
            }
            at += 1;
            if single && node == root && kind == Kind::Element {
                continue;
            }
            while let Some(&(last, end)) = open.last()
                && end <= node.0
            {
                forest.items[last as usize].end = forest.items.len() as u32;
                open.pop();
            }
            let parent = open.last().map_or(NO_PARENT, |last| last.0);
            let above = match parent {
                NO_PARENT => EMPTY_PATH,
                parent => forest.items[parent as usize].path,
            };
            let is_text = kind == Kind::Text;
            if is_text && document.text(node).chars().all(char::is_whitespace) {
                continue;
            }
            let (name, step) = steps.of(document, node);
            let path = below(above, step);
            let position = u32::try_from(forest.items.len()).expect("a record has few items");
            // The end of an element is known when it closes.
            forest.items.push(Item { node, parent, end: position + 1, name, step, path, is_text });
            if !is_text {
                open.push((position, document.subtree_end(node).0));
            }
        }
        let count = forest.items.len() as u32;
        for (last, _) in open {
            forest.items[last as usize].end = count;
        }
    }
    forest
}

/// Name and classes, `span.price`, those aside that only say which record it is. Cells of a row are told apart by their
/// column, `td[2]`: that is what a table means.
fn write_step(document: &Document, node: NodeId, kept: Classes<'_>, step: &mut String) {
    step.clear();
    step.push_str(document.tag_name(node));
    if document.is_text(node) {
        return;
    }
    let mut classes: Vec<&str> = document.classes(node).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        let start = step.len();
        step.push('.');
        write_class(class, step);
        if step.len() == start + 1 || !kept.count(&step[start + 1..]) {
            step.truncate(start);
        }
    }
    if is_cell(document, node) {
        use std::fmt::Write as _;
        write!(step, "[{}]", column(document, node)).expect("a string takes everything");
    }
}

fn is_cell(document: &Document, node: NodeId) -> bool {
    document.is(node, Tag::TD) || document.is(node, Tag::TH)
}

/// The column of a table cell, from 1: cells before it with the columns that they span.
pub(crate) fn column(document: &Document, cell: NodeId) -> usize {
    let row = document.parent(cell).unwrap_or(NodeId::ROOT);
    let before = document.child_elements(row).take_while(|&other| other < cell).take(200);
    let span = |other: NodeId| {
        let span = document.known_attr(other, Attr::COLSPAN);
        span.and_then(|span| span.trim().parse::<usize>().ok()).unwrap_or(1).clamp(1, 100)
    };
    1 + before.map(span).sum::<usize>()
}
