//! Maps the characters of a record to labelled cells. The labels are texts; here they are found in
//! the record.

use std::path::Path;

use anyhow::{Context, Result};
use quarry_dom::{Document, NodeId};
use serde::Deserialize;

/// A labelled page.
#[derive(Deserialize)]
pub(crate) struct Row {
    pub(crate) site: String,
    #[serde(default)]
    pub(crate) category: String,
    /// Its file below the data folder.
    pub(crate) page: String,
    pub(crate) records: Vec<Vec<String>>,
}

/// The labelled pages of a folder.
pub(crate) fn rows(data: &Path) -> Result<Vec<Row>> {
    let file = data.join("records.jsonl");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read the labels {}", file.display()))?;
    let line = |line: &str| {
        serde_json::from_str(line).with_context(|| {
            format!("cannot read a line of {}: it must have site, page and records", file.display())
        })
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(line).collect()
}

/// The characters that count when texts are compared: no white space, lower case, plain quotes and dashes.
pub(crate) fn key_chars(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|char| {
            !char.is_whitespace()
                && !matches!(char, '\u{200b}'..='\u{200f}' | '\u{ad}' | '\u{feff}')
        })
        .flat_map(|char| {
            let plain = match char {
                '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{b4}' | '`' => '\'',
                '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
                '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
                other => other,
            };
            plain.to_lowercase()
        })
}

/// A cell as it is compared: without punctuation around it.
fn cell_key(cell: &str) -> Vec<char> {
    let all: Vec<char> = key_chars(cell).collect();
    let noise =
        |char: &char| !char.is_alphanumeric() && !matches!(char, '$' | '€' | '£' | '¥' | '+');
    let Some(start) = all.iter().position(|char| !noise(char)) else { return all };
    let end = all.iter().rposition(|char| !noise(char)).map_or(all.len(), |at| at + 1);
    all[start..end].to_vec()
}

/// The shown text of a record, character by character.
pub(crate) struct Stream {
    pub(crate) chars: Vec<char>,
    /// The text node of each character.
    pub(crate) nodes: Vec<NodeId>,
    /// The cell that each character belongs to.
    pub(crate) cells: Vec<Option<usize>>,
}

impl Stream {
    /// Reads a record's text.
    pub(crate) fn new(document: &Document, record: &[NodeId]) -> Self {
        let mut stream = Self { chars: Vec::new(), nodes: Vec::new(), cells: Vec::new() };
        for &root in record {
            for node in document.subtree(root) {
                if document.is_text(node) && !document.is_hidden(node) {
                    stream.chars.extend(key_chars(document.text(node)));
                    stream.nodes.resize(stream.chars.len(), node);
                }
            }
        }
        stream.cells = vec![None; stream.chars.len()];
        stream
    }

    /// The characters of the text below a node.
    pub(crate) fn range(&self, document: &Document, node: NodeId) -> std::ops::Range<usize> {
        let end = document.subtree_end(node);
        self.nodes.partition_point(|&other| other < node)
            ..self.nodes.partition_point(|&other| other < end)
    }

    fn find(&self, cell: &[char], free: bool) -> Option<usize> {
        let fits = |&at: &usize| {
            self.chars[at..at + cell.len()] == *cell
                && (!free || self.cells[at..at + cell.len()].iter().all(Option::is_none))
        };
        let last = self.chars.len().checked_sub(cell.len())?;
        let found: Vec<usize> = (0..=last).filter(fits).take(50).collect();
        // A cell that is a whole text is meant, not the same word inside another text.
        let begins = |&at: &usize| at == 0 || self.nodes[at - 1] != self.nodes[at];
        let ends = |&at: &usize| {
            let end = at + cell.len();
            end == self.chars.len() || self.nodes[end - 1] != self.nodes[end]
        };
        let whole = found.iter().copied().find(|at| begins(at) && ends(at));
        whole.or_else(|| found.iter().copied().find(begins)).or_else(|| found.first().copied())
    }

    /// How many of the cells are here, and their characters.
    fn holds(&self, cells: &[Vec<char>]) -> (usize, usize) {
        let found = cells.iter().filter(|cell| self.find(cell, false).is_some());
        found.fold((0, 0), |(count, chars), cell| (count + 1, chars + cell.len()))
    }

    fn claim(&mut self, cells: &[Vec<char>]) {
        let mut order: Vec<usize> = (0..cells.len()).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(cells[at].len()), at));
        for at in order {
            if let Some(start) = self.find(&cells[at], true) {
                self.cells[start..start + cells[at].len()].fill(Some(at));
            }
        }
    }
}

/// The share of a record's cells that must be found.
const WHOLE: f64 = 0.9;

/// Gives the labelled records to the found ones that hold them; says for each found one whether it got one.
pub(crate) fn claim_all(streams: &mut [Stream], labelled: &[Vec<String>]) -> Vec<bool> {
    let mut taken = vec![false; streams.len()];
    for record in labelled {
        let cells: Vec<Vec<char>> =
            record.iter().map(|cell| cell_key(cell)).filter(|cell| !cell.is_empty()).collect();
        let needed = ((WHOLE * cells.len() as f64).ceil() as usize)
            .min(cells.len().saturating_sub(1))
            .max(1);
        let mut best: Option<(usize, usize)> = None;
        for (at, stream) in streams.iter().enumerate() {
            let (count, chars) = stream.holds(&cells);
            if !taken[at] && count >= needed && best.is_none_or(|(most, _)| chars > most) {
                best = Some((chars, at));
            }
        }
        if let Some((_, at)) = best {
            taken[at] = true;
            streams[at].claim(&cells);
        }
    }
    taken
}
