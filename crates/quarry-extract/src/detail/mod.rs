//! The template of detail pages: which texts vary from page to page at one place, and which of them a reader wants.
//!
//! The pages of a cluster are instances of one template. Texts of different pages at one place, named by any of seven
//! kinds of locator, are a column; a column whose texts are the same on all pages is boilerplate, one whose texts vary is
//! a slot. Slots are ranked by what tells content from boilerplate (`features.rs`), overlapping ones become fallbacks of the
//! best, and names come last (`name.rs`). See `docs/algorithms/detail.md`.

mod features;
mod lines;
mod listed;
mod name;
mod rank;
mod repeated;
mod select;
mod slips;
mod title;

use std::collections::BTreeSet;

use quarry_dom::{Document, NodeId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::attribute::columns::{Column, NumberedTexts, columns};
use crate::attribute::leaf::{Leaf, leaves};
use crate::attribute::model::{AttributeModel, AttributeRule, MODEL_VERSION};

pub use features::{FEATURES, Features};
pub use rank::Ranking;
pub use title::{ConstantWords, TitleRule};
pub(crate) use title::{TitleReader, main_heading};

/// Slots of a template that are kept, the best first.
const MAX_SLOTS: usize = 80;

/// The template of a site's detail pages: where its slots are, the most wanted first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DetailTemplate {
    /// The slots as places of attributes.
    pub slots: AttributeModel,
    /// For each slot, whether the pages print its name.
    pub is_printed: Vec<bool>,
    /// How well one slot says what each page is about, from 0 to 1: on every page, different on each, repeated in its title.
    pub subject: f64,
    /// Where pages say what they are about.
    pub title: TitleRule,
    /// Texts of the template that stand at slots where a value is empty, or among the values of a list.
    #[serde(default)]
    pub labels: BTreeSet<String>,
}

/// Some detail pages, looked over together.
pub(crate) struct DetailPages<'d> {
    pub(crate) documents: &'d [&'d Document],
    pub(crate) leaves: Vec<Vec<Leaf>>,
    pub(crate) texts: NumberedTexts,
    pub(crate) columns: Vec<Column>,
    pub(crate) titles: Vec<String>,
    /// For each text of each page, whether it is a piece of running text.
    pub(crate) is_prose: Vec<Vec<bool>>,
}

impl<'d> DetailPages<'d> {
    pub(crate) fn of(documents: &'d [&'d Document]) -> Self {
        let leaves: Vec<Vec<Leaf>> =
            documents.par_iter().map(|document| leaves(document)).collect();
        let texts = NumberedTexts::of(&leaves);
        let columns = columns(&leaves, &texts);
        let title = |document: &&Document| features::folded(&document.title().unwrap_or_default());
        let titles = documents.par_iter().map(title).collect();
        let both = documents.par_iter().zip(&leaves);
        let is_prose = both.map(|(document, leaves)| lines::prose(document, leaves)).collect();
        Self { documents, leaves, texts, columns, titles, is_prose }
    }

    /// The text of a cell.
    pub(crate) fn text(&self, (page, leaf): (u32, u32)) -> &str {
        &self.leaves[page as usize][leaf as usize].text
    }
}

impl DetailPages<'_> {
    /// The number of the text before a cell, if it belongs to the cell rather than to what stands before it.
    pub(crate) fn label(&self, (page, leaf): (u32, u32)) -> Option<u32> {
        let leaves = &self.leaves[page as usize];
        let before = leaves[leaf as usize].before?;
        let own = leaves[leaf as usize].node;
        let label = &leaves[before as usize];
        let document = self.documents[page as usize];
        let belongs = label.before.is_none_or(|earlier| {
            let earlier = leaves[earlier as usize].node;
            let with_value = common_depth(document, label.node, own);
            with_value >= common_depth(document, label.node, earlier)
        });
        belongs.then(|| self.texts.of_page[page as usize][before as usize])
    }
}

impl DetailPages<'_> {
    /// How often a page prints the label of a cell, 0 for once, 1 for eight times and more: records repeat their labels.
    pub(crate) fn label_repeats(&self, cell: (u32, u32)) -> f64 {
        let Some(label) = self.label(cell) else { return 0.0 };
        let texts = &self.texts.of_page[cell.0 as usize];
        let count = texts.iter().filter(|&&text| text == label).count();
        (f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX)).log2() / 3.0).min(1.0)
    }
}

/// The depth of the smallest element around two nodes.
fn common_depth(document: &Document, one: NodeId, other: NodeId) -> usize {
    let around = document.ancestors(one).find(|&node| document.contains(node, other));
    around.map_or(0, |node| document.depth(node))
}

/// Fewer pages show no template.
const MIN_PAGES: usize = 3;

/// Learns the template of detail pages.
#[must_use]
pub fn learn_details(documents: &[&Document]) -> Option<DetailTemplate> {
    learn_details_ranked(documents, &Ranking::for_pages(documents.len()))
}

/// As [`learn_details`], with other weights of what is wanted.
#[must_use]
pub fn learn_details_ranked(documents: &[&Document], ranking: &Ranking) -> Option<DetailTemplate> {
    if documents.len() < MIN_PAGES {
        return None;
    }
    let pages = DetailPages::of(documents);
    let features: Vec<Features> =
        pages.columns.par_iter().map(|column| Features::of(&pages, column)).collect();
    let title = title::learn(&pages);
    let titles = title::read_all(&pages, &title);
    let mut chosen = select::slots(&pages, &titles, (&features, ranking), MAX_SLOTS);
    repeated::leave_out(&pages, &mut chosen);
    let constant = listed::unite(&pages, &mut chosen);
    let names = name::names(&pages, &chosen);
    let mut labels = slips::texts(&pages, &chosen);
    labels.extend(constant);
    let excluded = name::labels_of_others(&pages, &chosen, &names);
    let mut is_printed = Vec::new();
    let mut attributes: Vec<AttributeRule> = Vec::new();
    for ((slot, name), excluded) in chosen.into_iter().zip(names).zip(excluded) {
        is_printed.push(name.is_printed);
        // A label that a page prints again and again belongs to records of other things: the further, the less wanted. What
        // nothing but a number tells from other slots is hardly content of its own.
        let repeats = if name.is_printed {
            f64::from(name.number).powi(2)
        } else {
            f64::from(name.number.min(3))
        };
        attributes.push(AttributeRule {
            attribute: name.text,
            // Rounded, so that the stored model reads back as it was.
            confidence: (slot.confidence / repeats * 1e3).round() / 1e3,
            several: slot.several,
            label: name.label,
            positions: slot.locators,
            excluded,
        });
    }
    let slots = AttributeModel { version: MODEL_VERSION, site: String::new(), attributes };
    let subject = features.iter().map(Features::subject).fold(0.0, f64::max);
    let subject = (subject * 1e3).round() / 1e3;
    Some(DetailTemplate { slots, is_printed, subject, title, labels })
}

/// The columns of some pages with their features, for fitting the ranking: (features, text of each page).
#[must_use]
pub fn columns_with_features(documents: &[&Document]) -> Vec<(Features, Vec<Option<String>>)> {
    let pages = DetailPages::of(documents);
    pages
        .columns
        .par_iter()
        .map(|column| {
            let mut texts = vec![None; documents.len()];
            for &cell in &column.cells {
                texts[cell.0 as usize] = Some(pages.text(cell).to_owned());
            }
            (Features::of(&pages, column), texts)
        })
        .collect()
}
