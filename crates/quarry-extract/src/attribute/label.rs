//! The names that a site gives to a position. The text in front of it, its own beginning, the names
//! in its mark-up: compared with the attribute's name and with what earlier sites called it.

use quarry_dom::{Attr, Document, NodeId};

use super::columns::{Column, SiteTexts};
use super::leaf::prefix;

/// Cells that are asked for their label.
const SAMPLE: usize = 24;
/// The share of asked cells that must have the label.
const LEAST_SHARE: f64 = 0.5;
/// Longer texts are no labels.
const MAX_CHARS: usize = 40;

/// What a position is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Label {
    /// Printed: before the value or at its beginning.
    pub(crate) printed: Option<String>,
    /// The share of cells that have it.
    pub(crate) share: f64,
    /// Words of classes, ids and properties.
    pub(crate) markup: Vec<String>,
}

/// Words of a text in lower case; capitals inside a word begin a new one.
pub(crate) fn name_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut lower_before = false;
    let mut open = false;
    for char in text.chars() {
        if !char.is_alphanumeric() {
            (open, lower_before) = (false, false);
            continue;
        }
        if !open || (char.is_uppercase() && lower_before) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(char.to_lowercase());
        }
        lower_before = char.is_lowercase();
        open = true;
    }
    words
}

impl Label {
    pub(crate) fn of(column: &Column, site: &SiteTexts, documents: &[&Document]) -> Self {
        let step = column.cells.len().div_ceil(SAMPLE).max(1);
        let cells: Vec<(u32, u32)> = column.cells.iter().copied().step_by(step).collect();
        let before = |cell: &(u32, u32)| -> Option<&str> {
            let page = &site.pages[cell.0 as usize];
            let at = page.leaves[cell.1 as usize].before?;
            Some(page.leaves[at as usize].text.as_str())
        };
        let own = |cell: &(u32, u32)| prefix(&site.text(*cell).text);
        let own = most_common(cells.iter().filter_map(own), cells.len());
        let printed = own.or_else(|| most_common(cells.iter().filter_map(before), cells.len()));
        let printed = printed.filter(|(label, _)| label.chars().count() <= MAX_CHARS);
        let (page, leaf) = cells[0];
        let node = site.pages[page as usize].leaves[leaf as usize].node;
        Self {
            printed: printed.map(|(label, _)| label.to_owned()),
            share: printed.map_or(0.0, |(_, share)| share),
            markup: markup(documents[page as usize], node),
        }
    }

    /// How much of an attribute's name is printed with the position, and how much is in its mark-up.
    pub(crate) fn names(&self, attribute: &[String]) -> (f64, f64) {
        let share = |words: &[String]| {
            let alike = |a: &str, b: &str| {
                a == b || (a.len() > 3 && b.len() > 3 && (a.starts_with(b) || b.starts_with(a)))
            };
            let found = attribute.iter().filter(|name| words.iter().any(|word| alike(word, name)));
            found.count() as f64 / attribute.len().max(1) as f64
        };
        let printed = self.printed.as_deref().map(name_words).unwrap_or_default();
        // A long label that happens to hold the word says less.
        let short = (attribute.len().max(2) + 1) as f64 / printed.len().max(1) as f64;
        (share(&printed) * short.min(1.0) * self.share, share(&self.markup))
    }
}

fn most_common<'a>(texts: impl Iterator<Item = &'a str>, of: usize) -> Option<(&'a str, f64)> {
    let mut all: Vec<&str> = texts.collect();
    all.sort_unstable();
    let best = all.chunk_by(|a, b| a == b).max_by_key(|same| same.len())?;
    let share = best.len() as f64 / of as f64;
    (share >= LEAST_SHARE).then_some((best[0], share))
}

/// Names in the mark-up of the text's element and the two around it.
fn markup(document: &Document, node: NodeId) -> Vec<String> {
    let mut words = Vec::new();
    let mut at = document.parent(node);
    for _ in 0..2 {
        let Some(element) = at else { break };
        for class in document.classes(element) {
            words.extend(name_words(class));
        }
        for name in [Attr::ID, Attr::ITEMPROP] {
            words.extend(document.known_attr(element, name).map(name_words).unwrap_or_default());
        }
        at = document.parent(element);
    }
    words
}
