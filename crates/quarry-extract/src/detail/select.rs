//! Which columns are slots of their own: the best first; columns over mostly the same texts become its fallbacks.

use std::collections::HashMap;

use super::DetailPages;
use super::features::Features;
use super::rank::Ranking;
use super::slips::slipped;
use super::title::is_repeated_in;
use crate::attribute::columns::Column;
use crate::attribute::leaf::LocatorKind;
use crate::attribute::model::{ListGrouping, Locator};

/// A slot that was chosen.
pub(super) struct Slot {
    /// The best column.
    pub(super) column: usize,
    /// How likely a reader wants it.
    pub(super) confidence: f64,
    /// Its locators and those of its fallbacks.
    pub(super) locators: Vec<Locator>,
    /// Whether an entity may have several values.
    pub(super) several: Option<ListGrouping>,
}

/// A column with this share of its texts in slots already chosen is no slot of its own.
const MAX_CLAIMED_SHARE: f64 = 0.3;
/// A column that agrees with a slot on this share of the pages that both have is its fallback.
const MIN_FALLBACK_AGREEMENT: f64 = 0.8;
/// Fallbacks of a slot.
const MAX_FALLBACKS: usize = 6;
/// What a fallback weighs beside the column itself.
const FALLBACK_WEIGHT: f64 = 0.3;
/// The least share of pages that a slot must be on.
const MIN_COVERAGE: f64 = 0.08;

/// The slots of some pages, the most wanted first.
pub(super) fn slots(
    pages: &DetailPages<'_>,
    titles: &[String],
    (features, ranking): (&[Features], &Ranking),
    most: usize,
) -> Vec<Slot> {
    let mut order: Vec<(f64, usize)> = features
        .iter()
        .enumerate()
        .filter(|(_, features)| features.0[0] >= MIN_COVERAGE)
        .map(|(at, features)| (ranking.wanted(features), at))
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    // Which slot each text belongs to.
    let mut owner: HashMap<(u32, u32), usize> = HashMap::new();
    let mut fallbacks: Vec<usize> = Vec::new();
    let mut slots: Vec<Slot> = Vec::new();
    for (score, at) in order {
        let column = &pages.columns[at];
        let mut owners: HashMap<usize, usize> = HashMap::new();
        for cell in &column.cells {
            if let Some(&slot) = owner.get(cell) {
                *owners.entry(slot).or_default() += 1;
            }
        }
        if is_labelled_by_values(column, &owner)
            || are_labels(pages, column)
            || 2 * slipped(pages, column).len() > column.cells.len()
            || is_repeated_in(pages, column, titles)
        {
            continue;
        }
        let is_prose = |&&(page, leaf): &&(u32, u32)| pages.is_prose[page as usize][leaf as usize];
        if 2 * column.cells.iter().filter(is_prose).count() > column.cells.len() {
            continue;
        }
        let taken: usize = owners.values().sum();
        if taken as f64 >= MAX_CLAIMED_SHARE * column.cells.len() as f64 {
            let main =
                owners.into_iter().max_by_key(|&(slot, cells)| (cells, std::cmp::Reverse(slot)));
            if let Some((slot, shared)) = main {
                let own = &pages.columns[slots[slot].column];
                let both = column.cells.iter().filter(|cell| own.on(cell.0).is_some()).count();
                let agrees = both > 0 && shared as f64 >= MIN_FALLBACK_AGREEMENT * both as f64;
                if agrees && fallbacks[slot] < MAX_FALLBACKS {
                    fallbacks[slot] += 1;
                    let weight = FALLBACK_WEIGHT / fallbacks[slot] as f64;
                    slots[slot].locators.extend(locators(pages, at, weight));
                    for cell in &column.cells {
                        owner.entry(*cell).or_insert(slot);
                    }
                }
            }
            continue;
        }
        if slots.len() == most {
            continue;
        }
        for cell in &column.cells {
            owner.entry(*cell).or_insert(slots.len());
        }
        fallbacks.push(0);
        let locators = locators(pages, at, 1.0);
        slots.push(Slot { column: at, confidence: score, locators, several: None });
    }
    slots
}

/// Whether a column is found only behind texts that are values themselves: prices behind the name of one maker.
fn is_labelled_by_values(column: &Column, owner: &HashMap<(u32, u32), usize>) -> bool {
    let labels = |kind: LocatorKind| match kind {
        LocatorKind::Label => Some(1),
        LocatorKind::FarLabel => Some(2),
        _ => None,
    };
    let back: Option<Vec<u32>> = column.keys.iter().map(|&(kind, _)| labels(kind)).collect();
    let Some(back) = back.and_then(|back| back.into_iter().min()) else { return false };
    let is_value = |&&(page, at): &&(u32, u32)| {
        let before = at.checked_sub(back);
        before.is_some_and(|before| owner.contains_key(&(page, before)))
    };
    let values = column.cells.iter().filter(is_value).count();
    values as f64 >= VALUES_BEFORE * column.cells.len() as f64
}

/// Whether most texts of a column are names of what follows them.
fn are_labels(pages: &DetailPages<'_>, column: &Column) -> bool {
    let is_name = |&&cell: &&(u32, u32)| pages.text(cell).trim_end().ends_with([':', '：']);
    2 * column.cells.iter().filter(is_name).count() > column.cells.len()
}

/// The share of a column's labels that are values of slots, from which on they are no labels.
const VALUES_BEFORE: f64 = 0.5;

/// The locators of a column, which share its weight.
pub(super) fn locators(pages: &DetailPages<'_>, column: usize, weight: f64) -> Vec<Locator> {
    let column = &pages.columns[column];
    let (page, leaf) = column.cells[0];
    let node = pages.leaves[page as usize][leaf as usize].node;
    let seen_at = pages.documents[page as usize].xpaths().xpath(node);
    let weight = weight / column.keys.len() as f64;
    let locator = |&(kind, key): &(_, u64)| Locator {
        kind,
        key,
        weight: (weight * 1e4).round() / 1e4,
        seen_at: seen_at.clone(),
    };
    column.keys.iter().map(locator).collect()
}
