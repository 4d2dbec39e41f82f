//! Finds texts of the template among the texts of a column: where a value is empty, the label behind it slips into its place.

use std::collections::{BTreeSet, HashMap};

use super::DetailPages;
use super::select::Slot;
use crate::attribute::columns::Column;

/// The share of pages that show a text of the template.
const ON_NEARLY_ALL: f64 = 0.8;

/// The cells of a column whose texts stand on nearly all pages, on their own page once, and mostly in other places.
pub(super) fn slipped(pages: &DetailPages<'_>, column: &Column) -> Vec<(u32, u32)> {
    let number = |(page, leaf): (u32, u32)| pages.texts.of_page[page as usize][leaf as usize];
    let mut here: HashMap<u32, u32> = HashMap::new();
    for &cell in &column.cells {
        *here.entry(number(cell)).or_default() += 1;
    }
    let most = ON_NEARLY_ALL * pages.documents.len() as f64;
    here.retain(|text, cells| {
        let all = pages.texts.pages[*text as usize];
        f64::from(all) >= most && 2 * *cells < all
    });
    // A value that a menu lists on every page stands twice on its own.
    let is_once = |cell: &(u32, u32)| {
        let text = number(*cell);
        let of_page = &pages.texts.of_page[cell.0 as usize];
        here.contains_key(&text) && of_page.iter().filter(|&&other| other == text).count() == 1
    };
    column.cells.iter().filter(|cell| is_once(cell)).copied().collect()
}

/// The texts of the template that slip into slots.
pub(super) fn texts(pages: &DetailPages<'_>, slots: &[Slot]) -> BTreeSet<String> {
    let cells = slots.iter().flat_map(|slot| slipped(pages, &pages.columns[slot.column]));
    cells.map(|cell| pages.text(cell).to_owned()).collect()
}
