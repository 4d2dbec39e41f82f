//! Which entities of several sites are one thing, and which of their columns are one attribute?
//!
//! [`link`] goes round in a circle, each time with more evidence: ids and names find pairs → pairs become things → the columns of
//! things' entities are aligned by their values → values of aligned columns find better pairs. See `docs/algorithms/link.md`.
//!
//! ```
//! use quarry_assemble::link::{LinkConfig, LinkEntity, LinkInput, link};
//!
//! let mut input = LinkInput::default();
//! for (site, entity, name, isbn) in [
//!     ("http://a.test", "/1", "The Kite Runner", "9781573222457"),
//!     ("http://a.test", "/2", "Notes of a Sniper", "9781848325654"),
//!     ("http://a.test", "/3", "Sarah's Miracle", "9780736929684"),
//!     ("http://b.test", "/x", "Kite runner, the", "978-1-57322-245-7"),
//!     ("http://b.test", "/y", "Sarahs Miracle", "0736929681"),
//!     ("http://b.test", "/z", "No Ordinary Joe", "9780099509356"),
//! ] {
//!     let values = [("isbn", isbn)];
//!     input.add(&LinkEntity { site, entity, kind: "", name: Some(name), values: &values });
//! }
//! let links = link(input, &LinkConfig::default());
//! assert_eq!(links.things(), [vec![0, 3], vec![1], vec![2, 4], vec![5]]);
//! ```

mod align;
mod candidates;
mod cluster;
mod compare;
mod explain;
mod ids;
mod input;
mod prepare;
mod score;
mod table;
mod texts;

use rayon::prelude::*;

pub use align::AlignedColumn;
pub use explain::{ColumnComparison, LinkExplanation, PairExplanation};
pub use ids::IdForm;
pub use input::{LinkEntity, LinkInput, SiteColumn, SiteColumnId};
pub use score::{EVIDENCE, EVIDENCE_LEN, LinkWeights, MARGIN_FEATURES, MAX_MARGIN, probability};

use prepare::{Prepared, prepare};
use score::Scorer;
use texts::Rows;

/// How entities are linked.
#[derive(Clone, Debug)]
pub struct LinkConfig {
    /// The weights of the evidence.
    pub weights: LinkWeights,
    /// How often links are found and columns aligned. Measured: a third time changes next to nothing.
    pub rounds: usize,
    /// From this probability on two entities are linked.
    pub min_probability: f64,
    /// Candidates of an entity that are compared, in all and of each other site.
    pub max_candidates: usize,
    /// Candidates of an entity on one other site.
    pub candidates_each_site: usize,
    /// A word or value that more entities have, times the number of sites, finds no candidates.
    pub max_sharing_each_site: usize,
    /// Entities that are looked at to find the candidates of one.
    pub max_read: usize,
    /// Names that words do not find are joined by their letters if this product, of them with all names, is not exceeded.
    pub max_joined: usize,
    /// Things that are looked at to align columns.
    pub max_aligned_things: usize,
}

impl Default for LinkConfig {
    fn default() -> Self {
        Self {
            weights: LinkWeights::default(),
            rounds: 3,
            min_probability: 0.5,
            max_candidates: 16,
            candidates_each_site: 3,
            max_sharing_each_site: 20,
            max_read: 1_000,
            max_joined: 400_000_000,
            max_aligned_things: 5_000,
        }
    }
}

/// A pair that was compared, for whoever fits weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedPair {
    /// The entities.
    pub entities: (u32, u32),
    /// What was found.
    pub evidence: [f64; EVIDENCE_LEN],
    /// Log-odds by the evidence alone.
    pub base: f64,
    /// How much better it is than the next best pair of either entity with the other's site.
    pub margin: f64,
    /// Log-odds in the end.
    pub log_odds: f64,
}

/// What was linked.
pub struct Links {
    input: LinkInput,
    prepared: Prepared,
    config: LinkConfig,
    /// The columns by which the last links were found.
    used: Vec<AlignedColumn>,
    aligned: Vec<AlignedColumn>,
    things: Vec<Vec<u32>>,
    pairs: Vec<(u32, u32)>,
    log_odds: Vec<f32>,
}

impl std::fmt::Debug for Links {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (things, columns) = (self.things.len(), self.aligned.len());
        f.debug_struct("Links").field("things", &things).field("columns", &columns).finish()
    }
}

/// Links the entities of several sites. The result does not depend on the number of threads.
#[must_use]
pub fn link(input: LinkInput, config: &LinkConfig) -> Links {
    let input = input.close();
    let prepared = prepare(&input);
    let pairs = candidates::candidates(&input, &prepared, config);
    let index = pairs_of_entities(&pairs, prepared.entities());
    let mut aligned: Vec<AlignedColumn> = Vec::new();
    let by_names: Vec<f32> = {
        let scorer = Scorer::new(&prepared, &aligned, &config.weights);
        pairs.par_iter().map(|(a, b)| scorer.base_of_names(*a, *b) as f32).collect()
    };
    let mut used = Vec::new();
    let (mut things, mut log_odds) = (Vec::new(), Vec::new());
    for _ in 0..config.rounds.max(1) {
        let scorer = Scorer::new(&prepared, &aligned, &config.weights);
        let base: Vec<f32> = pairs
            .par_iter()
            .zip(&by_names)
            .map(|((a, b), names)| scorer.base_of_values(*a, *b, f64::from(*names)) as f32)
            .collect();
        log_odds = (0..pairs.len() as u32)
            .into_par_iter()
            .map(|at| {
                let margin = margin(&prepared, &pairs, &index, &base, at);
                config.weights.adjusted_by_margin(f64::from(base[at as usize]), margin) as f32
            })
            .collect();
        drop(base);
        things = cluster::cluster(&scorer, &pairs, &log_odds, config);
        drop(scorer);
        used = std::mem::take(&mut aligned);
        aligned = align::align(&input, &prepared, &things, config);
    }
    let config = config.clone();
    Links { input, prepared, config, used, aligned, things, pairs, log_odds }
}

/// For each entity the numbers of its pairs.
fn pairs_of_entities(pairs: &[(u32, u32)], entities: usize) -> Rows<u32> {
    Rows::by_counting(entities, |put| {
        for ((a, b), at) in pairs.iter().zip(0_u32..) {
            put(*a, at);
            put(*b, at);
        }
    })
}

/// How much better a pair is than the best other pair of one of its entities with the other's site.
fn margin(
    prepared: &Prepared,
    pairs: &[(u32, u32)],
    index: &Rows<u32>,
    base: &[f32],
    at: u32,
) -> f64 {
    let (a, b) = pairs[at as usize];
    let site = |entity: u32| prepared.site_of[entity as usize];
    let mut rival = f32::NEG_INFINITY;
    for (own, other) in [(a, b), (b, a)] {
        for &pair in index.row(own).iter().filter(|pair| **pair != at) {
            let (x, y) = pairs[pair as usize];
            let third = if x == own { y } else { x };
            if site(third) == site(other) {
                rival = rival.max(base[pair as usize]);
            }
        }
    }
    f64::from((base[at as usize] - rival).clamp(-MAX_MARGIN as f32, MAX_MARGIN as f32))
}

impl Links {
    /// The entities of each thing, sorted; things in the order of their first entities.
    #[must_use]
    pub fn things(&self) -> &[Vec<u32>] {
        &self.things
    }

    /// The columns that are one on several sites, those that most entities have first.
    #[must_use]
    pub fn aligned(&self) -> &[AlignedColumn] {
        &self.aligned
    }

    /// The sites.
    #[must_use]
    pub fn sites(&self) -> &[String] {
        self.input.sites()
    }

    /// The columns of the sites.
    #[must_use]
    pub fn site_columns(&self) -> &[SiteColumn] {
        &self.input.columns
    }

    /// How many pairs were compared.
    #[must_use]
    pub fn compared(&self) -> usize {
        self.pairs.len()
    }

    /// All pairs that were compared, with their evidence.
    #[must_use]
    pub fn pairs(&self) -> Vec<ComparedPair> {
        let scorer = Scorer::new(&self.prepared, &self.used, &self.config.weights);
        let index = pairs_of_entities(&self.pairs, self.prepared.entities());
        let evidence: Vec<[f64; EVIDENCE_LEN]> =
            self.pairs.par_iter().map(|(a, b)| scorer.evidence(*a, *b)).collect();
        let base: Vec<f32> =
            evidence.iter().map(|own| self.config.weights.base(own) as f32).collect();
        let pair = |at: usize| ComparedPair {
            entities: self.pairs[at],
            evidence: evidence[at],
            base: f64::from(base[at]),
            margin: margin(&self.prepared, &self.pairs, &index, &base, at as u32),
            log_odds: f64::from(self.log_odds[at]),
        };
        (0..self.pairs.len()).map(pair).collect()
    }
}
