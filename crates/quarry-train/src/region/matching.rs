//! Counts how many of a page's labelled records a list holds. A record is held if nine of ten of
//! its cells are in the text, one that tells it among them; a text that holds two records side by
//! side holds none; one to one.

use std::collections::BTreeMap;

use quarry_dom::NodeId;

use super::labels::Truth;

/// Share of a record's cells that makes the record.
const WHOLE: f64 = 0.9;

/// A record that was found, as labels are compared with it.
pub(super) struct Output {
    pub(super) text: String,
    pub(super) paths: Vec<String>,
}

/// Compares records with the labels of one page, each record once, whatever lists it is in.
pub(super) struct Matcher<'a> {
    truths: &'a [Truth],
    known: BTreeMap<Vec<NodeId>, usize>,
    records: Vec<Held>,
}

/// What a record holds.
struct Held {
    text: String,
    /// The labelled records that it may be, the one with most text first.
    held: Vec<usize>,
    /// Whether it is told by its node alone.
    by_node: bool,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(truths: &'a [Truth]) -> Self {
        Self { truths, known: BTreeMap::new(), records: Vec::new() }
    }

    /// The number of the record with these nodes.
    pub(super) fn add(&mut self, nodes: &[NodeId], output: impl FnOnce() -> Output) -> usize {
        if let Some(&number) = self.known.get(nodes) {
            return number;
        }
        let number = self.records.len();
        self.records.push(held(output(), self.truths));
        self.known.insert(nodes.to_vec(), number);
        number
    }

    /// The size of the largest one-to-one matching between these records and the labels.
    pub(super) fn matched(&self, records: &[usize]) -> usize {
        let mut owner: Vec<Option<usize>> = vec![None; self.truths.len()];
        let mut holders = vec![0usize; self.truths.len()];
        for &truth in records.iter().flat_map(|&record| &self.records[record].held) {
            holders[truth] += 1;
        }
        let mut matched = 0;
        for &record in records {
            let held = &self.records[record];
            // What another record holds as well, such as a short title, says nothing about spanning.
            let own: Vec<usize> =
                held.held.iter().copied().filter(|&truth| holders[truth] == 1).collect();
            if held.by_node || !spans_several(&held.text, self.truths, &own) {
                let mut seen = vec![false; self.truths.len()];
                matched += usize::from(self.place(record, &mut owner, &mut seen));
            }
        }
        matched
    }

    fn place(&self, record: usize, owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        for &truth in &self.records[record].held {
            if std::mem::replace(&mut seen[truth], true) {
                continue;
            }
            let free = match owner[truth] {
                None => true,
                Some(other) => self.place(other, owner, seen),
            };
            if free {
                owner[truth] = Some(record);
                return true;
            }
        }
        false
    }
}

fn held(output: Output, truths: &[Truth]) -> Held {
    let all = || truths.iter().enumerate().filter(|(_, truth)| !truth.path.is_empty());
    let same: Vec<usize> = all()
        .filter(|(_, truth)| output.paths == [truth.path.as_str()])
        .map(|(at, _)| at)
        .collect();
    if !same.is_empty() {
        return Held { text: output.text, held: same, by_node: true };
    }
    let inside = |truth: &Truth| {
        let own = format!("{}/", truth.path);
        output.paths.iter().any(|path| own.starts_with(&format!("{path}/")))
    };
    let below: Vec<usize> = all().filter(|(_, truth)| inside(truth)).map(|(at, _)| at).collect();
    let mut held: Vec<usize> =
        (0..truths.len()).filter(|&at| holds(&output.text, &truths[at])).collect();
    let length = |at: &usize| -> usize {
        truths[*at].cells.iter().filter(|c| output.text.contains(c.as_str())).map(String::len).sum()
    };
    held.sort_by_key(|at| (std::cmp::Reverse(length(at)), *at));
    if below.len() > 1 {
        held.clear();
    } else if held.is_empty() {
        held = below.into_iter().filter(|&at| truths[at].cells.is_empty()).collect();
    }
    Held { text: output.text, held, by_node: false }
}

fn holds(text: &str, truth: &Truth) -> bool {
    let count = truth.cells.len();
    let needed = ((WHOLE * count as f64).ceil() as usize).min(count.saturating_sub(1)).max(1);
    truth.identities.iter().any(|cell| text.contains(cell.as_str()))
        && truth.cells.iter().filter(|cell| text.contains(cell.as_str())).count() >= needed
}

/// Whether the text holds another record beside the first.
fn spans_several(text: &str, truths: &[Truth], held: &[usize]) -> bool {
    let [first, others @ ..] = held else { return false };
    let (_, rest) = claim(text, &truths[*first]);
    others.iter().any(|&other| {
        claim(&rest, &truths[other]).0 as f64 >= WHOLE * truths[other].cells.len() as f64
    })
}

/// How many cells are in the text, each with text of its own, and the text without them.
fn claim(text: &str, truth: &Truth) -> (usize, String) {
    let mut cells: Vec<&String> = truth.cells.iter().collect();
    cells.sort_by_key(|cell| std::cmp::Reverse(cell.chars().count()));
    let mut rest = text.to_owned();
    let mut found = 0;
    for cell in cells {
        if rest.contains(cell.as_str()) {
            rest = rest.replacen(cell.as_str(), "\0", 1);
            found += 1;
        }
    }
    (found, rest)
}

/// The harmonic mean of precision and recall.
pub(super) fn f1(matched: f64, found: usize, wanted: usize) -> f64 {
    if matched == 0.0 { 0.0 } else { 2.0 * matched / (found + wanted) as f64 }
}
