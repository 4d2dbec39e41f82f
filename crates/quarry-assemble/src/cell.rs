//! What do all sightings of one cell say together?
//!
//! Sources err independently, so what several of them say is wrong only if all are: 1 − Π(1 − c). Values that exclude each other
//! share the odds: a value's is c/(1 − c), and its probability its odds by one plus the odds of all. Repeated
//! sightings in one source, or of one node, are no further witnesses.

use serde::Serialize;

use crate::column::Filling;
use crate::index::{Fact, Index};
use crate::said::Said;

/// Nothing is surer than this.
const MAX_CONFIDENCE: f64 = 0.999;
/// So many values of a cell are compared with tolerance; with more, only what is surely the same is taken together.
const MAX_COMPARED: usize = 8;

/// The whole text, not an item of it.
const WHOLE: u16 = u16::MAX;

/// A sighting of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) sighting: u32,
    value: u32,
    item: u16,
}

impl Seen {
    pub(crate) fn said<'i, 'a>(&self, values: &'i [Said<'a>]) -> &'i Said<'a> {
        let whole = &values[self.value as usize];
        if self.item == WHOLE { whole } else { &whole.items[usize::from(self.item)] }
    }
}

/// One value of a cell: what one or more sightings say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellValue<'a> {
    /// The text that most sightings show.
    pub text: &'a str,
    /// How sure it is, from 0 to 1: more by agreeing sources, less by conflict.
    pub confidence: f64,
    #[serde(skip)]
    pub(crate) seen: Vec<Seen>,
}

impl CellValue<'_> {
    /// The places of its sightings among those that were assembled.
    pub fn sightings(&self) -> impl Iterator<Item = usize> + '_ {
        self.seen.iter().map(|seen| seen.sighting as usize)
    }
}

/// What is known of an entity in a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell<'a> {
    /// The place of the column.
    pub column: usize,
    /// The values, the surest first.
    pub values: Vec<CellValue<'a>>,
    /// Whether the values exclude each other: the column is no list.
    pub conflict: bool,
}

/// The cell of a column from its facts.
pub(crate) fn cell<'a>(
    index: &Index<'a>,
    column: usize,
    filling: &Filling,
    facts: &[Fact],
) -> Cell<'a> {
    let mut seen: Vec<(u64, Seen)> = Vec::with_capacity(facts.len());
    for fact in facts {
        let said = &index.values[fact.value as usize];
        let at = |item| Seen { sighting: fact.sighting, value: fact.value, item };
        match &filling.items {
            Some(items) if items.split(said) => {
                let items = (0_u16..).zip(&said.items);
                seen.extend(items.map(|(item, said)| (said.exact, at(item))));
            }
            _ => seen.push((said.exact, at(WHOLE))),
        }
    }
    // Stable: facts come in an order of their own.
    seen.sort_by_key(|(exact, _)| *exact);
    let mut groups: Vec<Vec<Seen>> = Vec::new();
    for same in seen.chunk_by(|a, b| a.0 == b.0) {
        groups.push(same.iter().map(|(_, seen)| *seen).collect());
    }
    if groups.len() > 1 && groups.len() <= MAX_COMPARED {
        groups = unite(index, groups);
    }
    let mut values: Vec<CellValue<'a>> = groups
        .into_iter()
        .map(|seen| CellValue {
            text: shown(index, &seen),
            confidence: together(index, &seen),
            seen,
        })
        .collect();
    let conflict = !filling.list && values.iter().filter(|v| !v.text.trim().is_empty()).count() > 1;
    if conflict {
        share_odds(&mut values);
    }
    values.sort_by(|a, b| {
        let empty = |value: &CellValue<'_>| value.text.trim().is_empty();
        let by_confidence = b.confidence.total_cmp(&a.confidence);
        let by_count = b.seen.len().cmp(&a.seen.len());
        empty(a).cmp(&empty(b)).then(by_confidence).then(by_count).then(a.text.cmp(b.text))
    });
    Cell { column, values, conflict }
}

/// Joins groups that say the same within tolerance, in the order of their texts.
fn unite(index: &Index<'_>, mut groups: Vec<Vec<Seen>>) -> Vec<Vec<Seen>> {
    groups.sort_by_key(|group| group[0].said(&index.values).text);
    let mut united: Vec<Vec<Seen>> = Vec::new();
    for group in groups {
        let said = group[0].said(&index.values);
        match united.iter_mut().find(|other| other[0].said(&index.values).agrees(said)) {
            Some(other) => other.extend(group),
            None => united.push(group),
        }
    }
    united
}

/// The text of most sightings; of equals the longest, which says the unit too.
fn shown<'a>(index: &Index<'a>, seen: &[Seen]) -> &'a str {
    let mut texts: Vec<&'a str> = seen.iter().map(|seen| seen.said(&index.values).text).collect();
    texts.sort_unstable();
    let most = texts
        .chunk_by(|a, b| a == b)
        .max_by_key(|same| (same.len(), same[0].len(), std::cmp::Reverse(same[0])));
    most.map_or("", |same| same[0])
}

/// 1 − Π(1 − c) over sources and nodes that are not yet counted, the surest first.
fn together(index: &Index<'_>, seen: &[Seen]) -> f64 {
    let at = |seen: &Seen| &index.sightings[seen.sighting as usize];
    let mut best: Vec<&crate::Sighting<'_>> = Vec::with_capacity(4);
    for sighting in seen.iter().map(at) {
        match best.iter_mut().find(|known| known.source == sighting.source) {
            Some(known) if known.share() < sighting.share() => *known = sighting,
            Some(_) => {}
            None => best.push(sighting),
        }
    }
    best.sort_by(|a, b| b.share().total_cmp(&a.share()).then(a.source.cmp(&b.source)));
    let mut wrong = 1.0;
    for (at, sighting) in best.iter().enumerate() {
        let place = (sighting.page, sighting.path);
        if !best[..at].iter().any(|other| (other.page, other.path) == place) {
            wrong *= 1.0 - sighting.share();
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
