//! How surely a site is about the same kind of entity as the seed.
//!
//! A heading looks like a name and a number like a price on any site. Two things tell: entities in common, on which several
//! attributes agree (`decoy.rs`); or, where no entity is shared, how well the attributes do together. On a site
//! of another kind one or two may find a place that looks right, but not the better half of them.

use super::choose::best;
use super::evidence::{ColumnEvidence, EvidenceFeatures};
use super::place::SitePlacement;
use crate::logistic::logistic;

/// The mean score, without entities, that the better half of the attributes reaches on one site in two that is of another kind or hard to read.
/// Of 160 pairs of labelled sites of one kind, 2 % stay below 8.3; of 88 of different kinds, 2 % pass 8.6.
const HALFWAY: f64 = 8.5;
/// How steep the step is, per point of score.
const STEEPNESS: f64 = 4.0;
/// The agreement beyond chance of the second-best attribute that makes overlap certain.
const SECOND_LIFT: f64 = 0.5;
/// The share of pages with a known name that does.
const NAMED_SHARE: f64 = 0.1;

impl SitePlacement<'_> {
    /// How surely the site is about the seed's kind of things, from 0 to 1.
    pub(super) fn domain_similarity(
        &self,
        features: &[Vec<EvidenceFeatures>],
        choices: &[Option<(usize, f64)>],
        evidence: &ColumnEvidence<'_>,
    ) -> f64 {
        let linked = self.links.iter().filter(|records| !records.is_empty()).count();
        let linked = linked as f64 / self.links.len().max(1) as f64;
        let (mut lifts, mut scores, mut named) = (Vec::new(), Vec::new(), 0.0);
        for (attribute, features) in features.iter().enumerate() {
            let Some((column, _)) = choices[attribute] else { continue };
            if self.compared.lexicon.attributes[attribute].records == 0 {
                continue;
            }
            let [lift, _, equal, ..] = features[column];
            lifts.push(lift);
            scores.push(best(&evidence.fixed[attribute]).map_or(0.0, |best| best.1));
            if self.compared.names[attribute] {
                named = f64::max(named, linked * equal);
            }
        }
        domain_similarity(&mut lifts, &mut scores, named)
    }
}

/// From 0 to 1. `lifts` is the agreement of the chosen position of each attribute with the records of its pages; `scores` what the best position
/// of each attribute reaches without; `named` the share of pages that show the name of a record.
fn domain_similarity(lifts: &mut [f64], scores: &mut [f64], named: f64) -> f64 {
    lifts.sort_by(|a, b| b.total_cmp(a));
    scores.sort_by(|a, b| b.total_cmp(a));
    let second = lifts.get(1).copied().unwrap_or(0.0);
    let shared = (second / SECOND_LIFT).max(named / NAMED_SHARE).clamp(0.0, 1.0);
    let half = &scores[..scores.len().div_ceil(2)];
    let mean = half.iter().sum::<f64>() / half.len().max(1) as f64;
    let alike = logistic(STEEPNESS * (mean - HALFWAY));
    1.0 - (1.0 - alike) * (1.0 - shared)
}

#[cfg(test)]
mod tests {
    use super::domain_similarity;

    #[test]
    fn entities_in_common_or_likeness_of_half_the_attributes_count() {
        let cases: [(&[f64], &[f64], f64, bool); 6] = [
            (&[0.9, 0.8, 0.0], &[5.0, 4.0, 4.0], 0.0, true),
            (&[0.9, 0.0, 0.0], &[7.0, 6.0, 4.0], 0.0, false),
            (&[0.0, 0.0, 0.0, 0.0], &[10.0, 9.0, 4.0, 3.0], 0.0, true),
            (&[0.0, 0.0, 0.0, 0.0], &[9.5, 6.0, 4.0, 3.0], 0.0, false),
            (&[0.9], &[6.0], 0.3, true),
            (&[], &[], 0.0, false),
        ];
        for (lifts, scores, named, same_domain) in cases {
            let found = domain_similarity(&mut lifts.to_vec(), &mut scores.to_vec(), named);
            assert_eq!(found > 0.5, same_domain, "{lifts:?} {scores:?} {named}: {found}");
        }
    }
}
