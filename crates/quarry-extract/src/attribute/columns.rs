//! Groups the texts of different pages that have the same locator into columns. Each different text
//! of the site is read once.

use std::collections::HashMap;

use quarry_dom::Document;
use rayon::prelude::*;

use super::leaf::{Leaf, LocatorKind, leaves};
use super::lexicon::{Lexicon, TextTokens};

use crate::parallel;

/// The texts of one page.
pub(crate) struct PageTexts {
    pub(crate) leaves: Vec<Leaf>,
    /// For each leaf, the number of its text.
    pub(crate) texts: Vec<u32>,
    /// Pieces of the page's title.
    pub(crate) title: TextTokens,
}

/// A different text of the site.
pub(crate) struct SiteText {
    pub(crate) text: String,
    pub(crate) tokens: TextTokens,
    /// Pages that show it.
    pub(crate) pages: u32,
}

/// Page and leaf, one per page, in the order of pages.
type Cells = Vec<(u32, u32)>;

/// Texts of different pages at one position.
pub(crate) struct Column {
    /// The locators that find just these texts.
    pub(crate) keys: Vec<(LocatorKind, u64)>,
    /// Page and leaf, one per page, in the order of pages.
    pub(crate) cells: Cells,
    /// Different texts.
    pub(crate) different: u32,
}

/// A site, looked over.
pub(crate) struct SiteTexts {
    pub(crate) pages: Vec<PageTexts>,
    pub(crate) texts: Vec<SiteText>,
    pub(crate) columns: Vec<Column>,
}

/// A position must hold on this share of the pages, or it is an accident of few.
const LEAST_SHARE: f64 = 0.04;
/// Columns that are weighed; of more, those on the most pages.
const MAX_COLUMNS: usize = 6_000;

impl SiteTexts {
    pub(crate) fn of(documents: &[&Document], lexicon: &Lexicon) -> Self {
        let read: Vec<Vec<Leaf>> = parallel::map(documents, |document| leaves(document));
        let numbered = NumberedTexts::of(&read);
        let columns = columns(&read, &numbered);
        let NumberedTexts { of_page, texts, pages } = numbered;
        let texts: Vec<SiteText> = texts
            .into_par_iter()
            .zip(pages)
            .map(|(text, pages)| SiteText { tokens: lexicon.read(&text), text, pages })
            .collect();
        let title = |document: &&Document| document.title().map(|title| lexicon.read(&title));
        let titles: Vec<TextTokens> =
            parallel::map(documents, |document| title(document).unwrap_or_default());
        let pages = read
            .into_iter()
            .zip(of_page)
            .zip(titles)
            .map(|((leaves, texts), title)| PageTexts { leaves, texts, title })
            .collect();
        Self { pages, texts, columns }
    }

    /// The number of the text in a cell.
    pub(crate) fn text_of(&self, cell: (u32, u32)) -> u32 {
        self.pages[cell.0 as usize].texts[cell.1 as usize]
    }

    /// The text in a cell.
    pub(crate) fn text(&self, cell: (u32, u32)) -> &SiteText {
        &self.texts[self.text_of(cell) as usize]
    }
}

impl Column {
    /// The leaf of a page.
    pub(crate) fn on(&self, page: u32) -> Option<u32> {
        let at = self.cells.binary_search_by_key(&page, |cell| cell.0).ok()?;
        Some(self.cells[at].1)
    }
}

/// The different texts of some pages as numbers.
pub(crate) struct NumberedTexts {
    /// For each page and leaf, the number of its text.
    pub(crate) of_page: Vec<Vec<u32>>,
    /// The texts by number.
    pub(crate) texts: Vec<String>,
    /// How many pages show each.
    pub(crate) pages: Vec<u32>,
}

impl NumberedTexts {
    pub(crate) fn of(read: &[Vec<Leaf>]) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut numbered = Self { of_page: Vec::new(), texts: Vec::new(), pages: Vec::new() };
        let mut last_page: Vec<u32> = Vec::new();
        for (page, leaves) in (1u32..).zip(read) {
            let mut own = Vec::with_capacity(leaves.len());
            for leaf in leaves {
                let next = numbers.len() as u32;
                let number = *numbers.entry(&leaf.text).or_insert(next);
                if number == next {
                    numbered.texts.push(leaf.text.clone());
                    numbered.pages.push(0);
                    last_page.push(0);
                }
                if last_page[number as usize] != page {
                    last_page[number as usize] = page;
                    numbered.pages[number as usize] += 1;
                }
                own.push(number);
            }
            numbered.of_page.push(own);
        }
        numbered
    }
}

/// The columns of some pages: texts of different pages at one position, by any kind of locator.
pub(crate) fn columns(pages: &[Vec<Leaf>], numbered: &NumberedTexts) -> Vec<Column> {
    let texts = &numbered.of_page;
    let least = ((pages.len() as f64 * LEAST_SHARE).ceil() as usize).max(1);
    let mut cells: HashMap<u64, (LocatorKind, Cells)> = HashMap::new();
    for (page, leaves) in (0u32..).zip(pages) {
        for (at, leaf) in (0u32..).zip(leaves) {
            for (kind, &key) in LocatorKind::ALL.into_iter().zip(&leaf.keys) {
                if key == 0 {
                    continue;
                }
                let (_, own) = cells.entry(key).or_insert((kind, Vec::new()));
                if own.last().is_none_or(|cell| cell.0 != page) {
                    own.push((page, at));
                }
            }
        }
    }
    let mut found: Vec<(u64, LocatorKind, Cells)> = cells
        .into_iter()
        .filter(|(_, (_, own))| own.len() >= least)
        .map(|(key, (kind, own))| (key, kind, own))
        .collect();
    found.sort_unstable_by(|a, b| a.2.cmp(&b.2).then(a.1.cmp(&b.1)).then(a.0.cmp(&b.0)));
    let mut columns: Vec<Column> = Vec::new();
    for (key, kind, own) in found {
        match columns.last_mut() {
            Some(last) if last.cells == own => last.keys.push((kind, key)),
            _ => columns.push(Column { keys: vec![(kind, key)], cells: own, different: 0 }),
        }
    }
    // What a template brings along is no value: one text on all of many pages.
    for column in &mut columns {
        let mut own: Vec<u32> =
            column.cells.iter().map(|cell| texts[cell.0 as usize][cell.1 as usize]).collect();
        own.sort_unstable();
        own.dedup();
        column.different = own.len() as u32;
    }
    let many = pages.len() >= 5;
    columns.retain(|column| !many || column.different > 1 || column.cells.len() < 5);
    let constant = |column: &Column| {
        let first = texts[column.cells[0].0 as usize][column.cells[0].1 as usize];
        column.different == 1 && numbered.pages[first as usize] as usize > pages.len() / 2
    };
    columns.retain(|column| !many || !constant(column));
    if columns.len() > MAX_COLUMNS {
        columns.sort_by_key(|column| std::cmp::Reverse(column.cells.len()));
        columns.truncate(MAX_COLUMNS);
        columns.sort_unstable_by(|a, b| a.cells.cmp(&b.cells));
    }
    columns
}
