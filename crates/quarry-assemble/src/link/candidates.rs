//! Which pairs of entities are worth comparing? Those that share rare words of their names or rare values, and names that are spelt alike.

use quarry_simjoin::{SeedColumn, SeedIndex};
use rayon::prelude::*;

use super::LinkConfig;
use super::input::{LinkInput, NO_TEXT};
use super::prepare::{Class, Prepared, QUALIFIER};
use super::texts::Rows;
use crate::hash::{self, Lookup};

/// Pairs of entities by their numbers.
type Pairs = Vec<(u32, u32)>;

/// Share of a name's likeness that a value which two entities of thousands share is worth, when candidates are ranked.
const KEY_CREDIT: f64 = 0.08;
/// Below this credit a pair is not compared.
const MIN_CREDIT: f32 = 0.12;
/// An entity whose best candidate has less is looked up by the letters of its name.
const WEAK: f32 = 0.35;
/// Cosine of names by their letters.
const JOIN_THRESHOLD: f64 = 0.6;

/// What entities are found by: words of names, whole names, and keys of values, in one row of numbers.
struct Features {
    postings: Rows<u32>,
    words: u32,
    keys: u32,
    /// Whole names: their numbers by entity.
    whole: Vec<u32>,
}

fn features(prepared: &Prepared, most: usize) -> Features {
    let words = prepared.name_entities.len() as u32;
    let keys = prepared.key_entities.len() as u32;
    let mut known: Lookup<u64, u32> = Lookup::default();
    let whole: Vec<u32> = (0..prepared.entities() as u32)
        .map(|entity| {
            let core = prepared.names.row(entity).iter().filter(|word| *word & QUALIFIER == 0);
            let core: Vec<u32> = core.copied().collect();
            let next = known.len() as u32;
            *known.entry(hash::of(core)).or_insert(next)
        })
        .collect();
    let rows = words as usize + keys as usize + known.len();
    let postings = Rows::by_counting(rows, |put| {
        for entity in 0..prepared.entities() as u32 {
            each_feature(prepared, entity, most, (words, keys), &whole, &mut |at, _| {
                put(at, entity);
            });
        }
    });
    Features { postings, words, keys, whole }
}

/// Calls `take` with each feature of an entity that is rare enough, and with what sharing it is worth.
fn each_feature(
    prepared: &Prepared,
    entity: u32,
    most: usize,
    (words, keys): (u32, u32),
    whole: &[u32],
    take: &mut dyn FnMut(u32, f64),
) {
    let all = prepared.entities() as f64;
    let name = prepared.names.row(entity);
    for word in name {
        let plain = word & !QUALIFIER;
        let entities = prepared.name_entities[plain as usize] as usize;
        if (2..=most).contains(&entities) {
            take(plain, prepared.name_weight(*word));
        }
    }
    if !name.is_empty() {
        take(words + keys + whole[entity as usize], 0.0);
    }
    let mut last = 0;
    for (column, value) in prepared.values.row(entity) {
        let is_id = prepared.ids[column.0 as usize].is_some();
        let value = prepared.compact[value.0 as usize];
        let entities = prepared.key_entities[value.key as usize] as usize;
        let says = value.key != 0 && value.key != last && value.class != Class::Boolean;
        if says && (2..=most).contains(&entities) {
            last = value.key;
            let credit =
                if is_id { f64::from(WEAK) } else { KEY_CREDIT * (all / entities as f64).ln() };
            take(words + value.key, credit);
        }
    }
}

/// All pairs that are compared, each once, the smaller number first, sorted.
pub(super) fn candidates(
    input: &LinkInput,
    prepared: &Prepared,
    config: &LinkConfig,
) -> Vec<(u32, u32)> {
    let entities = prepared.entities();
    let sites = input.sites().len();
    let most = config.max_sharing_each_site * sites.max(2);
    let features = features(prepared, most);
    let norms: Vec<f32> = (0..entities as u32)
        .map(|entity| {
            let words = prepared.names.row(entity).iter();
            words.map(|word| prepared.name_weight(*word).powi(2)).sum::<f64>().sqrt() as f32
        })
        .collect();
    let piece = entities.div_ceil(4 * rayon::current_num_threads()).max(1 << 10);
    let all: Vec<u32> = (0..entities as u32).collect();
    let found: Vec<(Pairs, Vec<u32>)> = all
        .par_chunks(piece)
        .map(|piece| {
            let mut worker = Worker {
                prepared,
                features: &features,
                norms: &norms,
                config,
                most,
                credit: Vec::new(),
            };
            worker.credit.resize(entities, 0.0);
            let (mut pairs, mut weak) = (Vec::new(), Vec::new());
            for entity in piece {
                let best = worker.search(*entity, &mut pairs);
                if best < WEAK && !prepared.names.row(*entity).is_empty() {
                    weak.push(*entity);
                }
            }
            pairs.sort_unstable();
            pairs.dedup();
            (pairs, weak)
        })
        .collect();
    drop(features);
    let (mut pairs, mut weak) = (Vec::new(), Vec::new());
    for (own, lost) in found {
        pairs.extend(own);
        weak.extend(lost);
    }
    pairs.extend(spelt_alike(input, prepared, &weak, config));
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs.shrink_to_fit();
    pairs
}

struct Worker<'a> {
    prepared: &'a Prepared,
    features: &'a Features,
    norms: &'a [f32],
    config: &'a LinkConfig,
    most: usize,
    /// What every entity shares with the present one.
    credit: Vec<f32>,
}

impl Worker<'_> {
    /// Adds the best candidates of an entity; returns the credit of the best.
    fn search(&mut self, entity: u32, pairs: &mut Vec<(u32, u32)>) -> f32 {
        let Features { postings, words, keys, whole } = self.features;
        let mut own: Vec<(usize, u32, f64)> = Vec::new();
        each_feature(
            self.prepared,
            entity,
            self.most,
            (*words, *keys),
            whole,
            &mut |at, weight| {
                own.push((postings.row(at).len(), at, weight));
            },
        );
        // Rare ones first, as long as there is time.
        own.sort_by_key(|(entities, at, _)| (*entities, *at));
        let mut touched: Vec<u32> = Vec::new();
        let mut read = 0;
        let norm = self.norms[entity as usize];
        for (entities, at, weight) in own {
            let is_whole = at >= words + keys;
            if read > 0 && read + entities > self.config.max_read && !is_whole {
                continue;
            }
            read += entities;
            let row = postings.row(at);
            let is_word = at < *words;
            // Of very many equal names, those around the entity: they are in the order of sites.
            let row = match row.binary_search(&entity) {
                Ok(place) if row.len() > self.config.max_read => {
                    let half = self.config.max_read / 2;
                    &row[place.saturating_sub(half)..(place + half).min(row.len())]
                }
                _ => row,
            };
            for other in row.iter().filter(|other| **other != entity) {
                let credit = if is_whole {
                    WEAK
                } else if is_word {
                    let share = weight * weight / f64::from(norm * self.norms[*other as usize]);
                    share as f32
                } else {
                    weight as f32
                };
                let sum = &mut self.credit[*other as usize];
                if *sum == 0.0 {
                    touched.push(*other);
                }
                *sum += credit;
            }
        }
        let site = self.prepared.site_of[entity as usize];
        let mut found: Vec<(u32, f32, u32)> = Vec::new();
        for other in &touched {
            let credit = std::mem::take(&mut self.credit[*other as usize]);
            let of = self.prepared.site_of[*other as usize];
            if of != site && credit >= MIN_CREDIT {
                found.push((of, credit, *other));
            }
        }
        found.sort_unstable_by(|a, b| {
            (a.0, b.1, a.2).partial_cmp(&(b.0, a.1, b.2)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let mut kept: Vec<(f32, u32)> = Vec::new();
        let (mut last, mut count) = (u32::MAX, 0);
        for (of, credit, other) in found {
            count = if of == last { count + 1 } else { 1 };
            last = of;
            if count <= self.config.candidates_each_site {
                kept.push((credit, other));
            }
        }
        kept.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        kept.truncate(self.config.max_candidates);
        pairs.extend(kept.iter().map(|(_, other)| (entity.min(*other), entity.max(*other))));
        kept.first().map_or(0.0, |(credit, _)| *credit)
    }
}

/// Pairs of names with similar letters, for entities that words and values find nothing for.
fn spelt_alike(
    input: &LinkInput,
    prepared: &Prepared,
    weak: &[u32],
    config: &LinkConfig,
) -> Vec<(u32, u32)> {
    let named = |entity: &u32| input.heads[*entity as usize].name != NO_TEXT;
    let entities: Vec<u32> = (0..input.len() as u32).filter(named).collect();
    if weak.is_empty() || weak.len().saturating_mul(entities.len()) > config.max_joined {
        return Vec::new();
    }
    let name = |entity: &u32| input.text(input.heads[*entity as usize].name);
    let column = SeedColumn::new("name", entities.iter().map(|entity| (*entity, name(entity))));
    let index = SeedIndex::build(&[column]);
    let names: Vec<&str> = weak.iter().map(name).collect();
    let joined = index.join(&names, JOIN_THRESHOLD);
    let mut pairs = Vec::new();
    for (at, entity) in weak.iter().enumerate() {
        let mut found: Vec<(f64, u32)> = Vec::new();
        for matched in joined.of(at) {
            for other in index.records(matched.attribute, matched.value) {
                let site = |entity: u32| prepared.site_of[entity as usize];
                if site(*other) != site(*entity) {
                    found.push((matched.cosine, *other));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(config.max_candidates);
        pairs.extend(found.iter().map(|(_, other)| (*entity.min(other), *entity.max(other))));
    }
    pairs
}
