//! One cell of the table: what all evidence of an entity in a column says together.
//!
//! Sources err independently, so what several of them say is wrong only if all are: 1 − Π(1 − c). Values that exclude each other
//! share the odds: a value's is c/(1 − c), and its probability its odds by one plus the odds of all. Repeated
//! evidence of one source, or of one node, adds nothing.

use quarry_model::Evidence;
use serde::Serialize;

use crate::column::Filling;
use crate::parsed::ParsedValue;

/// Nothing is surer than this.
const MAX_CONFIDENCE: f64 = 0.999;
/// So many values of a cell are compared with tolerance; with more, only what is surely the same is taken together.
const MAX_COMPARED: usize = 8;

/// The whole text, not an item of it.
const WHOLE: u16 = u16::MAX;

/// A piece of evidence of an entity, and what its value says.
#[derive(Clone, Debug)]
pub(crate) struct Statement<'e> {
    pub(crate) evidence: &'e Evidence,
    pub(crate) value: ParsedValue<'e>,
    /// The place of its column.
    pub(crate) column: u32,
}

/// A statement of a value, or of an item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatementItem {
    /// The place of the statement among those of the entity.
    pub(crate) statement: u32,
    item: u16,
}

impl StatementItem {
    pub(crate) fn value<'s, 'e>(&self, all: &'s [Statement<'e>]) -> &'s ParsedValue<'e> {
        let whole = &all[self.statement as usize].value;
        if self.item == WHOLE { whole } else { &whole.items[usize::from(self.item)] }
    }
}

/// One value of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellValue<'e> {
    /// The text that most evidence shows.
    pub text: &'e str,
    /// How sure it is, from 0 to 1: more by agreeing sources, less by conflict.
    pub confidence: f64,
    #[serde(skip)]
    pub(crate) items: Vec<StatementItem>,
}

/// What is known of an entity in a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell<'e> {
    /// The place of the column.
    pub column: usize,
    /// The values, the surest first.
    pub values: Vec<CellValue<'e>>,
    /// Whether the values exclude each other: the column is no list.
    pub conflict: bool,
}

/// The cell of a column from the statements `range` of an entity.
pub(crate) fn cell<'e>(
    all: &[Statement<'e>],
    range: std::ops::Range<usize>,
    filling: &Filling,
) -> Cell<'e> {
    let column = all[range.start].column as usize;
    let mut seen: Vec<(u64, StatementItem)> = Vec::with_capacity(range.len());
    for at in range {
        let value = &all[at].value;
        let witness = |item| StatementItem { statement: at as u32, item };
        match &filling.items {
            Some(items) if items.split(value) => {
                let items = (0_u16..).zip(&value.items);
                seen.extend(items.map(|(item, value)| (value.exact, witness(item))));
            }
            _ => seen.push((value.exact, witness(WHOLE))),
        }
    }
    // Stable: evidence comes in an order of its own.
    seen.sort_by_key(|(exact, _)| *exact);
    let mut groups: Vec<Vec<StatementItem>> = Vec::new();
    for same in seen.chunk_by(|a, b| a.0 == b.0) {
        groups.push(same.iter().map(|(_, seen)| *seen).collect());
    }
    if groups.len() > 1 && groups.len() <= MAX_COMPARED {
        groups = unite(all, groups);
    }
    let mut values: Vec<CellValue<'e>> = groups
        .into_iter()
        .map(|items| CellValue {
            text: shown(all, &items),
            confidence: together(all, &items),
            items,
        })
        .collect();
    let conflict = !filling.list && values.iter().filter(|v| !v.text.trim().is_empty()).count() > 1;
    if conflict {
        share_odds(&mut values);
    }
    values.sort_by(|a, b| {
        let empty = |value: &CellValue<'_>| value.text.trim().is_empty();
        let by_confidence = b.confidence.total_cmp(&a.confidence);
        let by_count = b.items.len().cmp(&a.items.len());
        empty(a).cmp(&empty(b)).then(by_confidence).then(by_count).then(a.text.cmp(b.text))
    });
    Cell { column, values, conflict }
}

/// Joins groups that say the same within tolerance, in the order of their texts.
fn unite(all: &[Statement<'_>], mut groups: Vec<Vec<StatementItem>>) -> Vec<Vec<StatementItem>> {
    groups.sort_by_key(|group| group[0].value(all).text);
    let mut united: Vec<Vec<StatementItem>> = Vec::new();
    for group in groups {
        let value = group[0].value(all);
        match united.iter_mut().find(|other| other[0].value(all).agrees(value)) {
            Some(other) => other.extend(group),
            None => united.push(group),
        }
    }
    united
}

/// The text of most evidence; of equals the longest, which says the unit too.
fn shown<'e>(all: &[Statement<'e>], items: &[StatementItem]) -> &'e str {
    let mut texts: Vec<&'e str> = items.iter().map(|own| own.value(all).text).collect();
    texts.sort_unstable();
    let most = texts
        .chunk_by(|a, b| a == b)
        .max_by_key(|same| (same.len(), same[0].len(), std::cmp::Reverse(same[0])));
    most.map_or("", |same| same[0])
}

/// 1 − Π(1 − c) over sources and nodes that are not yet counted, the surest first.
fn together(all: &[Statement<'_>], items: &[StatementItem]) -> f64 {
    let mut best: Vec<&Evidence> = Vec::with_capacity(4);
    for own in items.iter().map(|own| all[own.statement as usize].evidence) {
        match best.iter_mut().find(|known| known.source == own.source) {
            Some(known) if known.share() < own.share() => *known = own,
            Some(_) => {}
            None => best.push(own),
        }
    }
    best.sort_by(|a, b| b.share().total_cmp(&a.share()).then(a.source.cmp(&b.source)));
    let mut wrong = 1.0;
    for (at, own) in best.iter().enumerate() {
        let counted = best[..at].iter().any(|o| o.page == own.page && o.path == own.path);
        if !counted {
            wrong *= 1.0 - own.share();
        }
    }
    (1.0 - wrong).min(MAX_CONFIDENCE)
}

fn share_odds(values: &mut [CellValue<'_>]) {
    let odds = |value: &CellValue<'_>| value.confidence / (1.0 - value.confidence);
    let all: f64 = 1.0 + values.iter().map(odds).sum::<f64>();
    for value in values {
        value.confidence = odds(value) / all;
    }
}
