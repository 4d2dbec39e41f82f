//! Tells shared entities from agreement by chance.
//!
//! Of many records some agree with any page. How well the best of them does so by chance is seen from records that nobody has:
//! decoys, whose values are mixed from two and dealt anew for each attribute. They have the words, numbers and formats of the seed,
//! but no page is theirs. A page is linked to a record only if its score is one that decoys hardly reach (the false discovery
//! rate by target and decoy, as in the search of protein databases; Elias and Gygi, Nature Methods 2007).

use super::lexicon::AttributeLexicon;
use super::link::Compared;
use super::seed::{SeedAttributeId, SeedRecordId};

use crate::parallel;

/// How many times decoys are made and tried on all pages: the more, the surer few links are.
const TURNS: usize = 6;
/// Links that may be by chance, as a share.
const MAX_FALSE: f64 = 0.2;

impl Compared<'_> {
    /// The score from which on records that were `ranked` for each page are believed; none if chance does as well.
    pub(super) fn above_chance(
        &self,
        placed: &[(SeedAttributeId, usize, f64)],
        ranked: &[Vec<(f64, SeedRecordId)>],
    ) -> Option<f64> {
        let best = |ranked: &Vec<(f64, SeedRecordId)>| ranked.first().map(|found| found.0);
        let mut real: Vec<f64> = ranked.iter().filter_map(best).collect();
        let mut chance: Vec<f64> = Vec::new();
        for turn in 0..TURNS {
            let attributes = &self.lexicon.attributes;
            let decoys: Vec<AttributeLexicon> = parallel::map_range(attributes.len(), |at| {
                let used = placed.iter().any(|one| one.0.index() == at);
                if used {
                    attributes[at].decoy(turn + at * (TURNS + 1))
                } else {
                    AttributeLexicon::default()
                }
            });
            let by_values = |attribute: SeedAttributeId, text: u32| {
                decoys[attribute.index()].hits(&self.site.texts[text as usize].tokens)
            };
            let scores = parallel::map_range(self.site.pages.len(), |page| {
                best(&self.rank(page as u32, placed, &decoys, by_values))
            });
            chance.extend(scores.into_iter().flatten());
        }
        threshold(&mut real, &mut chance)
    }
}

/// The least score at which few enough are expected by chance.
fn threshold(real: &mut [f64], chance: &mut [f64]) -> Option<f64> {
    real.sort_by(|a, b| b.total_cmp(a));
    chance.sort_by(|a, b| b.total_cmp(a));
    let mut least = None;
    let mut by_chance = 0;
    for (count, score) in (1usize..).zip(real.iter()) {
        while chance.get(by_chance).is_some_and(|other| other >= score) {
            by_chance += 1;
        }
        let expected = (by_chance as f64 + 1.0) / TURNS as f64;
        if expected <= MAX_FALSE * count as f64 {
            least = Some(*score);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::threshold;

    #[test]
    fn only_what_decoys_hardly_reach_is_believed() {
        let mut real = [9.0, 8.5, 8.0, 3.0, 2.9, 2.8, 2.7];
        assert_eq!(threshold(&mut real, &mut []), Some(2.7));
        assert_eq!(threshold(&mut real, &mut [3.1; 40]), Some(8.0));
        let mut same: Vec<f64> = real.repeat(6);
        assert_eq!(threshold(&mut real, &mut same), None);
        assert_eq!(threshold(&mut [], &mut [1.0]), None);
    }
}
