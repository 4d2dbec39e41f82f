//! How right are the merged columns?

use std::collections::{BTreeMap, BTreeSet};

use quarry_assemble::{AssembleConfig, MemoryEvidence, assemble};
use quarry_model::{EvidenceRole, ValueSource};

use crate::views::LabelledEvidence;

/// What came out right.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Attributes that more than one source shows.
    pub shared: usize,
    /// Of them, those that are one column with nothing else in it.
    pub right: usize,
    /// Columns that hold several attributes.
    pub wrong: Vec<String>,
    /// Attributes that are in several columns.
    pub split: Vec<String>,
    /// All columns.
    pub columns: usize,
    /// Columns of sources that were put in.
    pub sources: usize,
}

/// A column of a source.
type Key = (ValueSource, String, Option<String>);

/// Assembles and compares with the truth.
pub fn score(seen: &[LabelledEvidence]) -> Score {
    let mut store: MemoryEvidence = seen.iter().map(LabelledEvidence::evidence).collect();
    let table = assemble(&mut store, None, &AssembleConfig::default()).expect("in memory");
    let mut truth: BTreeMap<Key, &str> = BTreeMap::new();
    for seen in seen.iter().filter(|seen| seen.truth != "title") {
        let row = &seen.row;
        truth.insert((row.source, row.attribute.clone(), seen.slot.clone()), &seen.truth);
    }
    let mut places: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut sources: BTreeMap<&str, usize> = BTreeMap::new();
    let mut score = Score { sources: truth.len(), ..Score::default() };
    let mut wrong_columns = BTreeSet::new();
    for (at, column) in table.columns.iter().enumerate() {
        if column.role != EvidenceRole::Attribute {
            continue;
        }
        score.columns += 1;
        let mut inside = BTreeSet::new();
        for name in &column.names {
            let own = truth[&(name.source, name.name.clone(), name.slot.clone())];
            places.entry(own).or_default().insert(at);
            *sources.entry(own).or_default() += 1;
            inside.insert(own);
        }
        if inside.len() > 1 {
            wrong_columns.insert(at);
            score.wrong.push(format!("{inside:?} by {:?}", column.merged));
        }
    }
    for (attribute, count) in sources {
        if count > 1 {
            score.shared += 1;
            let places = &places[attribute];
            let alone = places.iter().all(|at| !wrong_columns.contains(at));
            score.right += usize::from(places.len() == 1 && alone);
            if places.len() > 1 {
                score.split.push(attribute.to_owned());
            }
        }
    }
    score
}
