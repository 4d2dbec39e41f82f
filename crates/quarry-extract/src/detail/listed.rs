//! Slots that hold several values: authors, tags. Their texts stand side by side, as many as a page has, and may change places.

use std::collections::BTreeSet;

use super::DetailPages;
use super::select::Slot;
use crate::attribute::leaf::Leaf;
use crate::attribute::model::Listed;

/// The share of pages with several texts, at the least.
const MIN_SEVERAL_SHARE: f64 = 0.1;
/// Pages with several texts, at the least.
const MIN_SEVERAL_PAGES: usize = 3;
/// The share of the further texts that stand first on another page: places of a template hold texts of their own.
const MIN_MOVING_SHARE: f64 = 0.3;
/// Texts of a list, at most: longer ones are tables.
const MAX_TEXTS: usize = 30;
/// A slot with this share of its texts in the lists of another is a part of it.
const MIN_INSIDE_SHARE: f64 = 0.6;

/// Tells which slots are lists, and leaves out those that are single places in one.
pub(super) fn unite(pages: &DetailPages<'_>, slots: &mut Vec<Slot>) {
    let mut inside: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut kept: Vec<Slot> = Vec::with_capacity(slots.len());
    for mut slot in slots.drain(..) {
        let cells = &pages.columns[slot.column].cells;
        let held = cells.iter().filter(|cell| inside.contains(cell)).count();
        if held as f64 >= MIN_INSIDE_SHARE * cells.len() as f64 {
            continue;
        }
        if let Some((listed, texts)) = list_of(pages, cells) {
            slot.several = Some(listed);
            inside.extend(texts);
        }
        kept.push(slot);
    }
    *slots = kept;
}

type Texts = Vec<(u32, u32)>;

fn list_of(pages: &DetailPages<'_>, cells: &[(u32, u32)]) -> Option<(Listed, Texts)> {
    [Listed::Parent, Listed::Grandparent].into_iter().find_map(|listed| {
        let mut all: Texts = Vec::new();
        let (mut several, mut sizes) = (0, BTreeSet::new());
        let (mut first, mut further) = (BTreeSet::new(), Vec::new());
        for &(page, at) in cells {
            let leaves = &pages.leaves[page as usize];
            let own = leaves[at as usize].lists[listed as usize];
            let same = |(_, leaf): &(u32, &Leaf)| leaf.lists[listed as usize] == own;
            let texts: Vec<u32> =
                (0_u32..).zip(leaves).filter(same).map(|(place, _)| place).collect();
            if texts.len() > MAX_TEXTS {
                return None;
            }
            several += usize::from(texts.len() > 1);
            sizes.insert(texts.len());
            for (number, &place) in texts.iter().enumerate() {
                let text = pages.texts.of_page[page as usize][place as usize];
                match number {
                    0 => {
                        first.insert(text);
                    }
                    _ => further.push(text),
                }
                all.push((page, place));
            }
        }
        let moving = further.iter().filter(|text| first.contains(text)).count();
        let is_list = several >= MIN_SEVERAL_PAGES
            && several as f64 >= MIN_SEVERAL_SHARE * cells.len() as f64
            && sizes.len() > 1
            && moving as f64 >= MIN_MOVING_SHARE * further.len() as f64;
        is_list.then_some((listed, all))
    })
}
