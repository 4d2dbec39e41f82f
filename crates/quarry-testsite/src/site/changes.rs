//! Changes of a site over time: a fixed list: entities that appear, vanish or get
//! another price. Step `n` has happened after `n × every` requests, or before the first one.

use serde::Serialize;

use crate::catalogue::CatalogueEntityId;
use crate::prng::Rng;
use crate::spec::Changes;

/// One change of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteChange {
    /// An entity appears.
    Added(#[serde(skip)] CatalogueEntityId),
    /// An entity vanishes.
    Removed(#[serde(skip)] CatalogueEntityId),
    /// An entity's price becomes so many per cent of what it was, inside its band.
    Repriced(#[serde(skip)] CatalogueEntityId, i64),
}

/// When each entity exists, and at what price.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timeline {
    pub(crate) changes: Vec<SiteChange>,
    every: u64,
    passed: u64,
    /// The step at which an entity appears; 0 for those of the start.
    born: Vec<u32>,
    /// The step at which it vanishes.
    dies: Vec<u32>,
}

/// How many entities must be generated beyond those of the start.
pub(crate) fn additions(seed: u64, changes: Changes) -> usize {
    kinds(seed, changes).filter(|k| *k == 0).count()
}

/// The kind of each step: 0 adds, 1 removes, 2 changes a price.
fn kinds(seed: u64, changes: Changes) -> impl Iterator<Item = usize> {
    let most = if changes.every == 0 { 0 } else { changes.most };
    (0..most).map(move |step| Rng::of(seed, "change", u64::from(step)).below(3))
}

impl Timeline {
    /// The changes of a site that starts with `start` entities.
    pub(crate) fn new(seed: u64, spec: Changes, start: usize) -> Self {
        let total = start + additions(seed, spec);
        let mut timeline = Self {
            changes: Vec::new(),
            every: spec.every,
            passed: u64::from(spec.passed),
            born: vec![0; total],
            dies: vec![u32::MAX; total],
        };
        let mut next = start;
        for (i, kind) in kinds(seed, spec).enumerate() {
            let step = i as u32 + 1;
            let mut rng = Rng::of(seed, "changed entity", i as u64);
            // Of the entities of the start; one that has vanished already keeps its date.
            let old = CatalogueEntityId(rng.below(start.max(1)) as u32);
            let change = match kind {
                0 => {
                    timeline.born[next] = step;
                    next += 1;
                    SiteChange::Added(CatalogueEntityId(next as u32 - 1))
                }
                1 if start > 0 && timeline.dies[old.0 as usize] == u32::MAX => {
                    timeline.dies[old.0 as usize] = step;
                    SiteChange::Removed(old)
                }
                _ => SiteChange::Repriced(old, rng.between(96, 104)),
            };
            timeline.changes.push(change);
        }
        timeline
    }

    /// How many changes have happened after so many requests.
    pub(crate) fn step(&self, requests: u64) -> u32 {
        match requests.checked_div(self.every) {
            Some(steps) => (self.passed + steps).min(self.changes.len() as u64) as u32,
            None => 0,
        }
    }

    /// Is the entity there at this step?
    pub(crate) fn alive(&self, entity: CatalogueEntityId, step: u32) -> bool {
        let e = entity.0 as usize;
        e < self.born.len() && self.born[e] <= step && step < self.dies[e]
    }

    /// Was the entity there before this step, and is no more?
    pub(crate) fn vanished(&self, entity: CatalogueEntityId, step: u32) -> bool {
        self.dies.get(entity.0 as usize).is_some_and(|dies| *dies <= step)
    }

    /// True when every entity is there at all times.
    pub(crate) fn still(&self) -> bool {
        self.changes.is_empty()
    }

    /// The price at this step, in per cent of the first.
    pub(crate) fn price_percent(&self, entity: CatalogueEntityId, step: u32) -> i64 {
        let happened = &self.changes[..(step as usize).min(self.changes.len())];
        let last = happened.iter().rev().find_map(|c| match c {
            SiteChange::Repriced(e, percent) if *e == entity => Some(*percent),
            _ => None,
        });
        last.unwrap_or(100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_the_requests() {
        let spec = Changes { every: 10, most: 30, ..Changes::default() };
        let timeline = Timeline::new(3, spec, 50);
        assert_eq!(timeline.changes.len(), 30);
        assert_eq!((timeline.step(9), timeline.step(10), timeline.step(10_000)), (0, 1, 30));
        for (i, change) in timeline.changes.iter().enumerate() {
            let (before, after) = (i as u32, i as u32 + 1);
            match change {
                SiteChange::Added(e) => {
                    assert!(!timeline.alive(*e, before) && timeline.alive(*e, after));
                }
                SiteChange::Removed(e) => {
                    assert!(timeline.alive(*e, before) && !timeline.alive(*e, after));
                }
                SiteChange::Repriced(e, p) => assert_eq!(timeline.price_percent(*e, after), *p),
            }
        }
    }

    #[test]
    fn nothing_changes_by_default() {
        let timeline = Timeline::new(3, Changes::default(), 5);
        assert!(timeline.still() && timeline.step(1_000_000) == 0);
    }
}
