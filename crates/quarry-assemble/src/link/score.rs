//! How surely are two entities one thing? Evidence of names, ids and aligned columns, weighed by a logistic model.

use super::align::AlignedColumn;
use super::compare::{AGREE, DIFFER, Likeness, compare_names, compare_values};
use super::ids::IdForm;
use super::input::SiteColumnId;
use super::prepare::{Class, Prepared, ValueNo};
use super::texts::Rows;

/// The weights, as plain text; the file says where they come from.
const WEIGHTS: &str = include_str!("weights.txt");

/// Names of the evidence, in the order of the vectors.
pub const EVIDENCE: [&str; EVIDENCE_LEN] = [
    "bias",
    "name_cosine",
    "name_equal",
    "name_contained",
    "name_rarity",
    "name_numbers_differ",
    "name_both_differ",
    "no_name",
    "code_equal",
    "code_differs",
    "phone_equal",
    "phone_differs",
    "model_equal",
    "values_agree",
    "values_differ",
    "values_none",
];
/// How many kinds of evidence there are.
pub const EVIDENCE_LEN: usize = 16;
/// What the second step weighs: the first step's result, and how much better it is than that of the next best pair.
pub const MARGIN_FEATURES: [&str; 3] = ["rival_bias", "rival_base", "rival_margin"];
/// A margin is at most so much: a pair without a rival has it.
pub const MAX_MARGIN: f64 = 4.0;

/// What an agreeing value is worth at most, in units of the natural logarithm: columns may depend on one another.
const MAX_AGREE: f64 = 6.0;
/// What a value that differs costs at most.
const MAX_DIFFER: f64 = 3.0;
/// Sums of both are divided by this.
const SCALE: f64 = 10.0;
/// Before columns are aligned: what a value that both have, in any columns, is worth.
const UNALIGNED: f64 = 0.5;

/// The weights of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkWeights {
    /// Of the evidence.
    pub evidence: [f64; EVIDENCE_LEN],
    /// Of the comparison with rivals.
    pub margin: [f64; 3],
}

impl Default for LinkWeights {
    fn default() -> Self {
        Self::parse(WEIGHTS)
    }
}

impl LinkWeights {
    /// Reads `name weight` lines; what begins with `#` is a comment. What is not named weighs nothing.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut weights = Self { evidence: [0.0; EVIDENCE_LEN], margin: [0.0; 3] };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((name, weight)) = line.split_once(' ') else { continue };
            let Ok(weight) = weight.trim().parse::<f64>() else { continue };
            if let Some(at) = EVIDENCE.iter().position(|own| *own == name) {
                weights.evidence[at] = weight;
            } else if let Some(at) = MARGIN_FEATURES.iter().position(|own| *own == name) {
                weights.margin[at] = weight;
            }
        }
        weights
    }

    /// The weights as lines.
    #[must_use]
    pub fn lines(&self) -> String {
        let evidence = EVIDENCE.iter().zip(&self.evidence);
        let all = evidence.chain(MARGIN_FEATURES.iter().zip(&self.margin));
        all.map(|(name, weight)| format!("{name} {weight:.4}\n")).collect()
    }

    /// The first step: log-odds by the evidence of the pair alone.
    #[must_use]
    pub fn base(&self, evidence: &[f64; EVIDENCE_LEN]) -> f64 {
        self.evidence.iter().zip(evidence).map(|(weight, own)| weight * own).sum()
    }

    /// The second step: log-odds in view of rivals.
    #[must_use]
    pub fn adjusted_by_margin(&self, base: f64, margin: f64) -> f64 {
        let margin = margin.clamp(-MAX_MARGIN, MAX_MARGIN);
        self.margin[0] + self.margin[1] * base + self.margin[2] * margin
    }
}

/// The probability that goes with log-odds.
#[must_use]
pub fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// What one aligned column says of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ColumnEvidence {
    /// The aligned column.
    pub(super) column: u32,
    pub(super) likeness: Likeness,
    /// In units of the natural logarithm: for the pair above zero, against it below.
    pub(super) worth: f64,
}

/// Compares entities with what is known of columns.
pub(super) struct Scorer<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) aligned: &'a [AlignedColumn],
    weights: &'a LinkWeights,
    /// Values by entity, by aligned column, without ids.
    values: Rows<(SiteColumnId, ValueNo)>,
    /// Ids by entity: keys.
    ids: Rows<(u8, u32)>,
}

impl<'a> Scorer<'a> {
    /// Without aligned columns, values are compared whatever their column is.
    pub(super) fn new(
        prepared: &'a Prepared,
        aligned: &'a [AlignedColumn],
        weights: &'a LinkWeights,
    ) -> Self {
        let columns = prepared.ids.len();
        let mut group_of: Vec<u32> = vec![u32::MAX; columns];
        for (group, column) in aligned.iter().enumerate() {
            for own in &column.columns {
                group_of[own.0 as usize] = group as u32;
            }
        }
        let (mut values, mut ids) = (Rows::default(), Rows::default());
        let mut row: Vec<(SiteColumnId, ValueNo)> = Vec::new();
        for entity in 0..prepared.entities() as u32 {
            let own = prepared.values.row(entity);
            let id = |column: &SiteColumnId| prepared.ids[column.0 as usize];
            ids.push(own.iter().filter_map(|(column, value)| {
                let key = prepared.compact[value.0 as usize].key;
                (key != 0).then_some((id(column)? as u8, key))
            }));
            row.clear();
            let aligned = own.iter().filter(|(column, _)| id(column).is_none());
            row.extend(aligned.filter_map(|(column, value)| {
                let group = group_of[column.0 as usize];
                (group != u32::MAX).then_some((SiteColumnId(group), *value))
            }));
            row.sort_by_key(|(group, _)| *group);
            values.push(row.iter().copied());
        }
        Self { prepared, aligned, weights, values, ids }
    }

    /// The evidence that two entities are one thing.
    pub(super) fn evidence(&self, a: u32, b: u32) -> [f64; EVIDENCE_LEN] {
        let mut found = [0.0; EVIDENCE_LEN];
        found[0] = 1.0;
        self.compare_names(a, b, &mut found);
        self.compare_values(a, b, &mut found);
        found
    }

    fn compare_names(&self, a: u32, b: u32, found: &mut [f64; EVIDENCE_LEN]) {
        match compare_names(self.prepared, a, b) {
            Some(name) => {
                found[1] = name.cosine;
                found[2] = f64::from(u8::from(name.is_equal));
                found[3] = name.contained;
                found[4] = name.rarity;
                found[5] = f64::from(u8::from(name.numbers_differ));
                found[6] = name.both_differ;
            }
            None => found[7] = 1.0,
        }
    }

    fn compare_values(&self, a: u32, b: u32, found: &mut [f64; EVIDENCE_LEN]) {
        let (code, code_differs) = self.ids_agree(a, b, IdForm::Code);
        let (phone, phone_differs) = self.ids_agree(a, b, IdForm::Phone);
        let (model, _) = self.ids_agree(a, b, IdForm::Model);
        (found[8], found[9]) = (code, code_differs);
        (found[10], found[11]) = (phone, phone_differs);
        let (mut agree, mut differ, mut compared) = (0.0, 0.0, 0);
        if self.aligned.is_empty() {
            agree = self.shared_anywhere(a, b);
            compared = 1;
        } else {
            self.each_column(a, b, &mut |column| {
                compared += 1;
                if column.worth > 0.0 {
                    agree += column.worth;
                } else {
                    differ -= column.worth;
                }
            });
        }
        found[13] = (agree / SCALE).min(2.0);
        found[14] = (differ / SCALE).min(2.0);
        found[15] = f64::from(u8::from(compared == 0));
        // A model number counts with its maker: a common word of the names, or another value.
        let has_maker = || {
            let names = compare_names(self.prepared, a, b);
            agree > 1.0 || names.is_some_and(|names| names.cosine > 0.0)
        };
        if model > 0.0 && has_maker() {
            found[12] = model;
        }
    }

    /// Log-odds by the evidence of a pair alone.
    pub(super) fn base(&self, a: u32, b: u32) -> f64 {
        self.base_of_values(a, b, self.base_of_names(a, b))
    }

    /// The part of the log-odds that names give: the same in every round.
    pub(super) fn base_of_names(&self, a: u32, b: u32) -> f64 {
        let mut found = [0.0; EVIDENCE_LEN];
        found[0] = 1.0;
        self.compare_names(a, b, &mut found);
        self.weights.base(&found)
    }

    /// Log-odds by the evidence of a pair alone, where the part of the names is known.
    pub(super) fn base_of_values(&self, a: u32, b: u32, names: f64) -> f64 {
        let mut found = [0.0; EVIDENCE_LEN];
        self.compare_values(a, b, &mut found);
        names + self.weights.base(&found)
    }

    /// Whether two entities have an id of this kind in common; whether both have one, and all differ.
    fn ids_agree(&self, a: u32, b: u32, kind: IdForm) -> (f64, f64) {
        let of = |entity: u32| {
            let row = self.ids.row(entity).iter();
            row.filter(move |(own, _)| *own == kind as u8).map(|(_, key)| *key)
        };
        if of(a).next().is_none() || of(b).next().is_none() {
            return (0.0, 0.0);
        }
        match of(a).any(|key| of(b).any(|other| other == key)) {
            true => (1.0, 0.0),
            false => (0.0, 1.0),
        }
    }

    /// Calls `take` with what each aligned column says that both entities have.
    pub(super) fn each_column(&self, a: u32, b: u32, take: &mut dyn FnMut(ColumnEvidence)) {
        let (mut left, mut right) = (self.values.row(a), self.values.row(b));
        while let (Some((own, _)), Some((other, _))) = (left.first(), right.first()) {
            let (own, other) = (*own, *other);
            let of = |row: &[(SiteColumnId, ValueNo)], column| {
                row.iter().take_while(|(at, _)| *at == column).count()
            };
            match own.cmp(&other) {
                std::cmp::Ordering::Less => left = &left[of(left, own)..],
                std::cmp::Ordering::Greater => right = &right[of(right, other)..],
                std::cmp::Ordering::Equal => {
                    let (ours, theirs) = (of(left, own), of(right, own));
                    let likeness = compare_values(self.prepared, &left[..ours], &right[..theirs]);
                    let worth = self.worth(own.0, likeness);
                    take(ColumnEvidence { column: own.0, likeness, worth });
                    (left, right) = (&left[ours..], &right[theirs..]);
                }
            }
        }
    }

    /// The log-likelihood ratio of what a column says (Fellegi and Sunter 1969): how often one thing agrees in it, against how often
    /// two things do; for a value that both have, how often that value occurs.
    fn worth(&self, column: u32, likeness: Likeness) -> f64 {
        let AlignedColumn { agree, chance, .. } = self.aligned[column as usize];
        let share = likeness.share;
        if share >= AGREE {
            let chance = match likeness.key {
                Some(key) => self.prepared.key_share(key).min(chance.max(1e-9)),
                None => chance,
            };
            ((agree / chance.max(1e-9)).ln() * share).clamp(0.0, MAX_AGREE)
        } else if share < DIFFER {
            ((1.0 - agree) / (1.0 - chance)).ln().clamp(-MAX_DIFFER, 0.0)
        } else {
            0.0
        }
    }

    /// What the values are worth that two entities share, in whatever columns.
    fn shared_anywhere(&self, a: u32, b: u32) -> f64 {
        let (left, right) = (self.prepared.values.row(a), self.prepared.values.row(b));
        let compact = |value: &ValueNo| self.prepared.compact[value.0 as usize];
        let mut sum = 0.0;
        let mut seen: [u32; 8] = [0; 8];
        let mut count = 0;
        for (column, own) in left {
            let own = compact(own);
            let is_id = self.prepared.ids[column.0 as usize].is_some();
            if own.key == 0 || is_id || own.class == Class::Boolean || seen.contains(&own.key) {
                continue;
            }
            if count < seen.len() && right.iter().any(|(_, other)| compact(other).key == own.key) {
                seen[count] = own.key;
                count += 1;
                let worth = -(self.prepared.key_share(own.key).ln());
                sum += UNALIGNED * worth.min(MAX_AGREE);
            }
        }
        sum
    }
}
