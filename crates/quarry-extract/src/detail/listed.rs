//! Slots that hold several values: authors, tags, the way to a category. Their texts stand side by side, as many as a page
//! has, and may change places.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::DetailPages;
use super::select::Slot;
use crate::attribute::leaf::Leaf;
use crate::attribute::model::ListGrouping;

/// The share of pages with several texts, at the least.
const MIN_SEVERAL_SHARE: f64 = 0.1;
/// Pages with several texts, at the least.
const MIN_SEVERAL_PAGES: usize = 3;
/// The share of the further texts that stand first on another page: places of a template hold texts of their own.
const MIN_MOVING_SHARE: f64 = 0.3;
/// The share of the further texts that lead to an address of the kind of the first one's: levels of one tree.
const MIN_KIN_SHARE: f64 = 0.8;
/// A text in the lists of this share of the pages is a part of the template: "Home" before the way to a page.
const CONSTANT_SHARE: f64 = 0.9;
/// Texts of a list, at most: longer ones are tables.
const MAX_TEXTS: usize = 30;
/// A slot with this share of its texts in the lists of another is a part of it.
const MIN_INSIDE_SHARE: f64 = 0.6;

/// Tells which slots are lists, and leaves out those that are single places in one. Returns what stands in lists of
/// nearly all pages, which is no value.
pub(super) fn unite(pages: &DetailPages<'_>, slots: &mut Vec<Slot>) -> BTreeSet<String> {
    let mut inside: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut constant: BTreeSet<String> = BTreeSet::new();
    // A slot may be known by one of the values before it, which all of its lists have then.
    let mut values: BTreeSet<String> = BTreeSet::new();
    let mut kept: Vec<Slot> = Vec::with_capacity(slots.len());
    for mut slot in slots.drain(..) {
        let cells = &pages.columns[slot.column].cells;
        let held = cells.iter().filter(|cell| inside.contains(cell)).count();
        if held as f64 >= MIN_INSIDE_SHARE * cells.len() as f64 {
            continue;
        }
        let lists = [ListGrouping::Parent, ListGrouping::Grandparent];
        if let Some(list) = lists.into_iter().find_map(|listed| list_of(pages, cells, listed)) {
            slot.several = Some(list.listed);
            values.extend(list.cells.iter().map(|&cell| pages.text(cell).to_owned()));
            inside.extend(list.cells);
            constant.extend(list.constant);
        }
        kept.push(slot);
    }
    *slots = kept;
    constant.difference(&values).cloned().collect()
}

/// Texts of pages that are one list each.
struct TextList {
    listed: ListGrouping,
    cells: Vec<(u32, u32)>,
    constant: Vec<String>,
}

fn list_of(
    pages: &DetailPages<'_>,
    cells: &[(u32, u32)],
    listed: ListGrouping,
) -> Option<TextList> {
    let number = |(page, leaf): (u32, u32)| pages.texts.of_page[page as usize][leaf as usize];
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::with_capacity(cells.len());
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    for &(page, at) in cells {
        let leaves = &pages.leaves[page as usize];
        let own = leaves[at as usize].lists[listed as usize];
        let same = |(_, leaf): &(u32, &Leaf)| leaf.lists[listed as usize] == own;
        let row: Vec<(u32, u32)> =
            (0_u32..).zip(leaves).filter(same).map(|(place, _)| (page, place)).collect();
        if row.len() > MAX_TEXTS {
            return None;
        }
        for text in row.iter().map(|&cell| number(cell)).collect::<BTreeSet<u32>>() {
            *times.entry(text).or_default() += 1;
        }
        rows.push(row);
    }
    let most = CONSTANT_SHARE * cells.len() as f64;
    let is_constant = |cell: (u32, u32)| times[&number(cell)] as f64 >= most;
    let constant_cells = rows.iter().flatten().filter(|&&cell| is_constant(cell));
    let constant: BTreeSet<String> =
        constant_cells.map(|&cell| pages.text(cell).to_owned()).collect();
    for row in &mut rows {
        row.retain(|&cell| !is_constant(cell));
    }
    let several = rows.iter().filter(|row| row.len() > 1).count();
    let sizes: BTreeSet<usize> = rows.iter().map(Vec::len).filter(|&size| size > 0).collect();
    let first: BTreeSet<u32> =
        rows.iter().filter_map(|row| row.first()).map(|&cell| number(cell)).collect();
    let further = || rows.iter().flat_map(|row| row.iter().skip(1).map(|&cell| (row[0], cell)));
    let moving = further().filter(|&(_, cell)| first.contains(&number(cell))).count();
    let kin = further().filter(|&(first, cell)| lead_to_one_kind(pages, first, cell)).count();
    let all = further().count() as f64;
    let is_list = several >= MIN_SEVERAL_PAGES
        && several as f64 >= MIN_SEVERAL_SHARE * cells.len() as f64
        && sizes.len() > 1
        && (moving as f64 >= MIN_MOVING_SHARE * all || kin as f64 >= MIN_KIN_SHARE * all);
    let cells = rows.into_iter().flatten().collect();
    is_list.then(|| TextList { listed, cells, constant: constant.into_iter().collect() })
}

/// Whether both texts are links, the second to an address in the folder of the first one's or below.
fn lead_to_one_kind(pages: &DetailPages<'_>, first: (u32, u32), further: (u32, u32)) -> bool {
    let document = pages.documents[first.0 as usize];
    let node = |(page, leaf): (u32, u32)| pages.leaves[page as usize][leaf as usize].node;
    let (Some(first), Some(further)) = (link(document, node(first)), link(document, node(further)))
    else {
        return false;
    };
    let folder = |address: &str| {
        let path = address.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        path.rfind('/').map(|end| path[..=end].to_owned())
    };
    folder(first).is_some_and(|folder| folder.len() > 1 && further.starts_with(&folder))
}

fn link(document: &Document, node: NodeId) -> Option<&str> {
    let around = document.ancestors(node).find(|&above| document.is(above, Tag::A))?;
    document.known_attr(around, Attr::HREF)
}
