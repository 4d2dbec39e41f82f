//! Says by which evidence an entity was linked with the others of its thing, and what was nearly linked.

use super::Links;
use super::input::NO_TEXT;
use super::score::{EVIDENCE, Scorer, probability};

/// Candidates that were not linked, and are shown.
const MAX_REJECTED: usize = 3;

/// What an aligned column says of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnComparison {
    /// Its name.
    pub column: String,
    /// The texts of both entities.
    pub values: (Vec<String>, Vec<String>),
    /// What it is worth, in units of the natural logarithm.
    pub worth: f64,
}

/// Why two entities are one thing, or not.
#[derive(Clone, Debug, PartialEq)]
pub struct PairExplanation {
    /// The other entity, its site and its name.
    pub entity: String,
    /// The site.
    pub site: String,
    /// What it is called.
    pub name: Option<String>,
    /// Whether they are one thing.
    pub is_linked: bool,
    /// The probability that they are one; none where they were not compared directly.
    pub probability: Option<f64>,
    /// What each kind of evidence adds to the log-odds, the most first.
    pub evidence: Vec<(&'static str, f64)>,
    /// What the aligned columns say.
    pub columns: Vec<ColumnComparison>,
}

/// Why an entity is the thing that it is.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkExplanation {
    /// The entity.
    pub entity: String,
    /// The thing.
    pub thing: String,
    /// What it is called.
    pub name: Option<String>,
    /// The other entities of the thing, then the best that were not linked.
    pub pairs: Vec<PairExplanation>,
}

impl Links {
    /// The number of the entity with this address.
    #[must_use]
    pub fn find(&self, address: &str) -> Option<u32> {
        (0..self.input.len() as u32).find(|at| self.input.addresses.get(*at) == address)
    }

    /// Why an entity is the thing that it is; none if there is no such entity.
    #[must_use]
    pub fn explain(&self, entity: u32) -> Option<LinkExplanation> {
        let thing = self.things.iter().find(|thing| thing.binary_search(&entity).is_ok())?;
        let scorer = Scorer::new(&self.prepared, &self.used, &self.config.weights);
        let own = |(a, b): &(u32, u32)| *a == entity || *b == entity;
        let mut compared: Vec<(u32, f32)> = Vec::new();
        for (pair, log_odds) in self.pairs.iter().zip(&self.log_odds).filter(|(pair, _)| own(pair))
        {
            let other = if pair.0 == entity { pair.1 } else { pair.0 };
            compared.push((other, *log_odds));
        }
        compared.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let probability_of = |other: u32| {
            let found = compared.iter().find(|(own, _)| *own == other);
            found.map(|(_, log_odds)| probability(f64::from(*log_odds)))
        };
        let linked = thing.iter().copied().filter(|other| *other != entity);
        let rejected = compared.iter().map(|(other, _)| *other);
        let rejected = rejected.filter(|other| thing.binary_search(other).is_err());
        let pairs = linked
            .map(|other| (other, true))
            .chain(rejected.take(MAX_REJECTED).map(|other| (other, false)))
            .map(|(other, is_linked)| PairExplanation {
                is_linked,
                probability: probability_of(other),
                ..self.explain_pair(&scorer, entity, other)
            });
        Some(LinkExplanation {
            entity: self.input.addresses.get(entity).to_owned(),
            thing: self.thing_id(thing),
            name: self.name_of(entity),
            pairs: pairs.collect(),
        })
    }

    pub(super) fn name_of(&self, entity: u32) -> Option<String> {
        let name = self.input.heads[entity as usize].name;
        (name != NO_TEXT).then(|| self.input.text(name).to_owned())
    }

    fn explain_pair(&self, scorer: &Scorer<'_>, entity: u32, other: u32) -> PairExplanation {
        let found = scorer.evidence(entity.min(other), entity.max(other));
        let weights = &self.config.weights.evidence;
        let mut evidence: Vec<(&'static str, f64)> = EVIDENCE
            .iter()
            .zip(found.iter().zip(weights))
            .filter(|(name, (own, _))| **name != "bias" && **own != 0.0)
            .map(|(name, (own, weight))| (*name, own * weight))
            .collect();
        evidence.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let mut columns = Vec::new();
        scorer.each_column(entity, other, &mut |own| {
            let column = &self.used[own.column as usize];
            let texts = |entity: u32| {
                let values = column.columns.iter().flat_map(|own| {
                    self.prepared.column_values(entity, *own).iter().map(|(_, value)| *value)
                });
                values
                    .map(|value| {
                        self.input.text(self.prepared.text_of[value.0 as usize]).to_owned()
                    })
                    .collect::<Vec<String>>()
            };
            columns.push(ColumnComparison {
                column: column.name.clone(),
                values: (texts(entity), texts(other)),
                worth: own.worth,
            });
        });
        columns.sort_by(|a, b| b.worth.abs().total_cmp(&a.worth.abs()));
        let site = self.input.heads[other as usize].site as usize;
        PairExplanation {
            entity: self.input.addresses.get(other).to_owned(),
            site: self.input.sites[site].clone(),
            name: self.name_of(other),
            is_linked: false,
            probability: None,
            evidence,
            columns,
        }
    }
}
