//! What tells a slot with content from page boilerplate: features of a column of texts, none of them a word.

use quarry_dom::{Document, NodeId, Tag};
use quarry_value::ValueKind;

use super::DetailPages;
use crate::attribute::columns::Column;
use crate::attribute::leaf::LocatorKind;

/// The names of the features, in their order.
pub const FEATURES: [&str; 21] = [
    "coverage",
    "variety",
    "own_texts",
    "chars",
    "is_long",
    "is_short",
    "crowd",
    "linked",
    "labelled",
    "label_share",
    "in_title",
    "heading",
    "position",
    "typed",
    "digits",
    "landmark",
    "before_main",
    "locators",
    "control",
    "capital",
    "label_repeats",
];

/// The features of a column, each about 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Features(pub [f64; FEATURES.len()]);

/// Texts of more characters are prose.
const LONG_CHARS: usize = 120;
/// Cells of a column that are looked at one by one.
const SAMPLE: usize = 60;

impl Features {
    pub(crate) fn of(pages: &DetailPages<'_>, column: &Column) -> Self {
        let all = pages.documents.len() as f64;
        let cells = column.cells.len() as f64;
        let step = column.cells.len().div_ceil(SAMPLE);
        let sample: Vec<(u32, u32)> = column.cells.iter().step_by(step).copied().collect();
        let mean = |feature: &dyn Fn((u32, u32)) -> f64| {
            sample.iter().map(|&cell| feature(cell)).sum::<f64>() / sample.len().max(1) as f64
        };
        let share = |is: &dyn Fn((u32, u32)) -> bool| mean(&|cell| f64::from(u8::from(is(cell))));
        let leaf = |(page, at): (u32, u32)| &pages.leaves[page as usize][at as usize];
        let document = |(page, _): (u32, u32)| pages.documents[page as usize];
        let (labelled, label_share) = label(pages, column);
        let chars = mean(&|cell| pages.text(cell).chars().count() as f64);
        let shown_on = |cell: (u32, u32)| {
            let text = pages.texts.of_page[cell.0 as usize][cell.1 as usize];
            f64::from(pages.texts.pages[text as usize] - 1) / (all - 1.0).max(1.0)
        };
        let in_title = |cell: (u32, u32)| {
            let text = folded(pages.text(cell));
            text.chars().count() >= 3 && pages.titles[cell.0 as usize].contains(&text)
        };
        let position = |cell: (u32, u32)| {
            f64::from(cell.1) / pages.leaves[cell.0 as usize].len().max(1) as f64
        };
        let ancestors = |cell: (u32, u32), tags: &[Tag]| {
            let document = document(cell);
            document
                .ancestors(leaf(cell).node)
                .any(|node| tags.iter().any(|&tag| document.is(node, tag)))
        };
        let kind = |cell: (u32, u32)| quarry_value::kind(pages.text(cell));
        let headings: [Tag; 3] = [Tag::H1, Tag::H2, Tag::H3];
        Self([
            cells / all,
            f64::from(column.different) / cells,
            1.0 - mean(&shown_on),
            (chars.max(1.0).ln() / 6.0).min(1.0),
            share(&|cell| pages.text(cell).chars().count() > LONG_CHARS),
            share(&|cell| pages.text(cell).chars().count() <= 2),
            mean(&|cell| (f64::from(leaf(cell).crowd).ln() / 4.0).min(1.0)),
            share(&|cell| ancestors(cell, &[Tag::A])),
            labelled,
            label_share,
            share(&in_title),
            share(&|cell| ancestors(cell, &headings)),
            mean(&position),
            share(&|cell| kind(cell) != ValueKind::Text),
            share(&|cell| pages.text(cell).bytes().any(|byte| byte.is_ascii_digit())),
            share(&|cell| ancestors(cell, &[Tag::NAV, Tag::FOOTER, Tag::ASIDE])),
            share(&|cell| ancestors(cell, &[Tag::HEADER])),
            column.keys.len() as f64 / LocatorKind::ALL.len() as f64,
            share(&|cell| is_in_control(document(cell), leaf(cell).node)),
            share(&|cell| pages.text(cell).chars().next().is_some_and(char::is_uppercase)),
            mean(&|cell| pages.label_repeats(cell)),
        ])
    }
}

impl Features {
    /// How well the column says what each page is about: on every page, different on each, repeated in its title.
    pub(super) fn subject(&self) -> f64 {
        let [coverage, variety, ..] = self.0;
        coverage * variety * self.0[IN_TITLE]
    }
}

/// The place of `in_title` in [`FEATURES`].
const IN_TITLE: usize = 10;

/// Whether the texts before a column's are template text: 1 if one text stands before nearly all, and how many pages
/// show that text.
fn label(pages: &DetailPages<'_>, column: &Column) -> (f64, f64) {
    let mut texts: Vec<u32> = column.cells.iter().filter_map(|&cell| pages.label(cell)).collect();
    texts.sort_unstable();
    let most = texts.chunk_by(|a, b| a == b).max_by_key(|same| same.len());
    let Some(most) = most else { return (0.0, 0.0) };
    let share = most.len() as f64 / column.cells.len() as f64;
    let shown = f64::from(pages.texts.pages[most[0] as usize]) / pages.documents.len() as f64;
    (share, shown)
}

/// Whether a text is what a control says: a button or a choice.
fn is_in_control(document: &Document, node: NodeId) -> bool {
    let control = [Tag::BUTTON, Tag::SELECT, Tag::OPTION, Tag::LABEL];
    document.ancestors(node).take(4).any(|up| control.iter().any(|&tag| document.is(up, tag)))
}

/// Letters and digits in lower case: two spellings of one text.
pub(crate) fn folded(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
