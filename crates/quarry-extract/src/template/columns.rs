//! Tells several strings at one path apart. Cells of a list, texts between line breaks, rows of
//! pairs: strings with the same tag path in one record are aligned with columns by what stands
//! before them, how they begin, their tags and kind. Missing ones leave gaps instead of shifting
//! the rest.

use std::collections::BTreeMap;

use crate::model::ClueFeature;
use crate::page::hash;

/// The cues of one string, each a hash; `None` where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cues(pub(crate) [Option<u64>; 6]);

/// The order of cues in [`Cues`].
pub(crate) const KINDS: [ClueFeature; 6] = [
    ClueFeature::Before,
    ClueFeature::Own,
    ClueFeature::Prefix,
    ClueFeature::Left,
    ClueFeature::Right,
    ClueFeature::Kind,
];
/// How much each cue says. Texts that repeat are labels; tags and kinds often agree by chance.
const WEIGHTS: [f64; 6] = [2.0, 2.0, 3.0, 1.0, 1.0, 1.0];
/// What a different beginning costs where a column always begins alike.
const CONFLICT: f64 = 2.0;
/// A column always begins alike if this share of its strings does.
const SETTLED: f64 = 0.6;
/// Strings that agree less with a column than this are no part of it.
const MIN_SCORE: f64 = 0.8;
/// Taken off for each column further right: of equal columns the first is meant.
const LATER: f64 = 1e-4;
/// More strings of one path in a record than this are not told apart further.
pub(crate) const MAX_COLUMNS: usize = 48;
/// Distinct cues remembered of a column.
const MAX_CUES: usize = 64;

/// What the strings of a column have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// How often each cue occurred.
    counts: [BTreeMap<u64, f64>; 6],
    total: f64,
}

impl Column {
    pub(crate) fn add(&mut self, cues: &Cues) {
        self.total += 1.0;
        for (counts, cue) in self.counts.iter_mut().zip(cues.0) {
            let Some(cue) = cue else { continue };
            if counts.len() < MAX_CUES || counts.contains_key(&cue) {
                *counts.entry(cue).or_default() += 1.0;
            }
        }
    }

    /// Sets the share of a cue; for columns that come from a model.
    pub(crate) fn set(&mut self, about: ClueFeature, cue: u64, share: f64) {
        self.total = 1.0;
        let at = KINDS.iter().position(|&kind| kind == about).unwrap_or(0);
        self.counts[at].insert(cue, share);
    }

    /// The column with the cues that at least this share of its strings has: what a model keeps of it.
    pub(crate) fn reduced(&self, share: f64) -> Column {
        let mut reduced = Column::default();
        for (about, cue, share) in self.common(share) {
            reduced.set(about, cue, share);
        }
        reduced
    }

    /// The cues that at least this share of the strings has.
    pub(crate) fn common(&self, share: f64) -> Vec<(ClueFeature, u64, f64)> {
        let mut common = Vec::new();
        for (&about, counts) in KINDS.iter().zip(&self.counts) {
            for (&cue, &count) in counts {
                if count >= share * self.total {
                    common.push((about, cue, count / self.total.max(1.0)));
                }
            }
        }
        common
    }

    fn share(&self, at: usize, cue: u64) -> f64 {
        self.counts[at].get(&cue).copied().unwrap_or(0.0) / self.total.max(1.0)
    }

    fn score(&self, cues: &Cues) -> f64 {
        let mut score = 0.0;
        for (at, cue) in cues.0.iter().enumerate() {
            let share = cue.map_or(0.0, |cue| self.share(at, cue));
            score += WEIGHTS[at] * share;
            let texts = matches!(KINDS[at], ClueFeature::Prefix);
            if texts && share < 1.0 - SETTLED {
                let top =
                    self.counts[at].values().copied().fold(0.0, f64::max) / self.total.max(1.0);
                if top >= SETTLED || (cue.is_some() && top == 0.0) {
                    score -= CONFLICT;
                }
            }
        }
        score
    }
}

/// Aligns the strings of one path in one record with columns: for each its column, `None` where it fits none. Columns
/// rise from string to string.
pub(crate) fn align(columns: &[Column], strings: &[Cues]) -> Vec<Option<usize>> {
    if columns.len() == 1 && strings.len() == 1 {
        // The only one of its path: nothing to be confused with.
        return vec![Some(0)];
    }
    let width = columns.len() + 1;
    let mut best = vec![0.0f64; (strings.len() + 1) * width];
    let scores: Vec<f64> = strings
        .iter()
        .flat_map(|cues| {
            let score = |(at, column): (usize, &Column)| column.score(cues) - LATER * at as f64;
            columns.iter().enumerate().map(score).collect::<Vec<f64>>()
        })
        .collect();
    let score = |row: usize, column: usize| scores[row * columns.len() + column];
    for row in (0..strings.len()).rev() {
        for column in (0..columns.len()).rev() {
            let skip = best[row * width + column + 1].max(best[(row + 1) * width + column]);
            let own = score(row, column);
            let take =
                if own >= MIN_SCORE { own + best[(row + 1) * width + column + 1] } else { 0.0 };
            best[row * width + column] = skip.max(take);
        }
    }
    let mut found = vec![None; strings.len()];
    let (mut row, mut column) = (0, 0);
    while row < strings.len() && column < columns.len() {
        let here = best[row * width + column];
        let own = score(row, column);
        if own >= MIN_SCORE && own + best[(row + 1) * width + column + 1] >= here {
            found[row] = Some(column);
            row += 1;
            column += 1;
        } else if best[(row + 1) * width + column] >= here {
            row += 1;
        } else {
            column += 1;
        }
    }
    found
}

/// The columns of one path, from the strings of each record that has any. The order of records does not matter.
pub(crate) fn columns(records: &[Vec<Cues>]) -> Vec<Column> {
    let mut order: Vec<&Vec<Cues>> = records.iter().collect();
    // Records with most strings know most columns; equal ones are in an order of their own.
    order.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    let most = order.first().map_or(0, |record| record.len()).min(MAX_COLUMNS);
    // One outlier with very many strings must not decide: some records have at least so many.
    let enough = (records.len() / 20).max(1);
    let usual = (1..=most)
        .rev()
        .find(|&count| order.iter().filter(|record| record.len() >= count).count() >= enough)
        .unwrap_or(most);
    let mut columns: Vec<Column> = vec![Column::default(); usual];
    for record in order.iter().filter(|record| record.len() >= usual) {
        for (column, cues) in columns.iter_mut().zip(record.iter()) {
            column.add(cues);
        }
    }
    for same in order.chunk_by(|one, other| one.len() == other.len()) {
        if same[0].len() >= usual {
            continue;
        }
        let mut next = columns.clone();
        let mut inserted: Vec<(usize, Column)> = Vec::new();
        for record in same {
            let found = align(&columns, record);
            for (at, (cues, column)) in record.iter().zip(&found).enumerate() {
                match column {
                    Some(column) => next[*column].add(cues),
                    None => {
                        let before =
                            found[..at].iter().rev().flatten().next().map_or(0, |at| at + 1);
                        let known = inserted.iter_mut().find(|(place, column)| {
                            *place == before && column.score(cues) >= MIN_SCORE
                        });
                        match known {
                            Some((_, column)) => column.add(cues),
                            None => {
                                let mut column = Column::default();
                                column.add(cues);
                                inserted.push((before, column));
                            }
                        }
                    }
                }
            }
        }
        inserted.sort_by_key(|(place, _)| *place);
        for (place, column) in inserted.into_iter().rev() {
            if next.len() < MAX_COLUMNS {
                next.insert(place, column);
            }
        }
        columns = next;
    }
    columns
}

/// The hash of a text as a cue.
pub(crate) fn text_cue(text: &str) -> u64 {
    hash::of(text)
}

/// Longest beginning that can be a label.
const MAX_PREFIX: usize = 32;

/// The beginning of a text up to a colon, where it may be a label.
pub(crate) fn prefix(text: &str) -> Option<&str> {
    let colon = text.find(':').filter(|&at| at <= MAX_PREFIX)?;
    let before = &text[..colon];
    let letters = before.chars().any(char::is_alphabetic);
    let digits = before.chars().any(|char| char.is_ascii_digit());
    let address = text[colon..].starts_with("://");
    (letters && !digits && !address && before.split_whitespace().count() <= 4).then_some(before)
}
