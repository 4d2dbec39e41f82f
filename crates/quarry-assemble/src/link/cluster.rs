//! Groups entities into things: the surest links first, one entity of a site in a thing, and no chains of weak links.

use super::LinkConfig;
use super::ids::IdForm;
use super::prepare::{Class, Prepared, QUALIFIER};
use super::score::Scorer;
use crate::groups::Groups;
use crate::hash::{self, Lookup};

/// Members of each side that are compared before two groups become one.
const MAX_COMPARED: usize = 3;
/// Values that must be the same, with the name, before two entities of a site are one.
const MIN_SAME_VALUES: usize = 2;

/// Groups the entities: the members of each thing, sorted; things in the order of their first members.
pub(super) fn cluster(
    scorer: &Scorer<'_>,
    pairs: &[(u32, u32)],
    log_odds: &[f32],
    config: &LinkConfig,
) -> Vec<Vec<u32>> {
    let prepared = scorer.prepared;
    let count = prepared.entities();
    let mut groups = Groups::new(count);
    let mut members = Members { next: (0..count as u32).collect() };
    for (a, b) in duplicates(prepared) {
        if groups.find(a) != groups.find(b) {
            groups.unite(a, b);
            members.join(a, b);
        }
    }
    let least = (config.min_probability / (1.0 - config.min_probability)).ln() as f32;
    let mut order: Vec<u32> =
        (0..pairs.len() as u32).filter(|at| log_odds[*at as usize] >= least).collect();
    order.sort_unstable_by(|a, b| {
        log_odds[*b as usize].total_cmp(&log_odds[*a as usize]).then(a.cmp(b))
    });
    let (mut own, mut other) = (Vec::new(), Vec::new());
    for at in order {
        let (a, b) = pairs[at as usize];
        if groups.find(a) == groups.find(b) {
            continue;
        }
        members.collect(a, &mut own);
        members.collect(b, &mut other);
        if share_a_site(prepared, &own, &other) || !is_close(scorer, &own, &other) {
            continue;
        }
        groups.unite(a, b);
        members.join(a, b);
    }
    let mut things: Vec<Vec<u32>> = Vec::new();
    for entity in 0..count as u32 {
        if groups.find(entity) == entity {
            members.collect(entity, &mut own);
            own.sort_unstable();
            things.push(own.clone());
        }
    }
    things
}

/// Members of groups as rings: each leads to the next.
struct Members {
    next: Vec<u32>,
}

impl Members {
    fn collect(&self, of: u32, found: &mut Vec<u32>) {
        found.clear();
        let mut at = of;
        loop {
            found.push(at);
            at = self.next[at as usize];
            if at == of {
                return;
            }
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        self.next.swap(a as usize, b as usize);
    }
}

fn share_a_site(prepared: &Prepared, own: &[u32], other: &[u32]) -> bool {
    let site = |entity: &u32| prepared.site_of[*entity as usize];
    own.iter().any(|a| other.iter().any(|b| site(a) == site(b)))
}

/// Whether two groups are one by the mean evidence of all their pairs: one strong link between strangers is not enough.
fn is_close(scorer: &Scorer<'_>, own: &[u32], other: &[u32]) -> bool {
    if own.len() * other.len() == 1 {
        return true;
    }
    let some = |members: &[u32]| {
        let step = members.len().div_ceil(MAX_COMPARED);
        members.iter().copied().step_by(step).collect::<Vec<u32>>()
    };
    let (own, other) = (some(own), some(other));
    let all =
        own.iter().flat_map(|a| other.iter().map(|b| scorer.base((*a).min(*b), (*a).max(*b))));
    let (sum, count) = all.fold((0.0, 0), |(sum, count), base| (sum + base, count + 1));
    sum >= 0.0 && count > 0
}

/// Entities of one site that are the same: equal product codes, or equal names and values.
fn duplicates(prepared: &Prepared) -> Vec<(u32, u32)> {
    let mut first: Lookup<u64, u32> = Lookup::default();
    let mut found = Vec::new();
    let mut keys: Vec<u32> = Vec::new();
    for entity in 0..prepared.entities() as u32 {
        let site = prepared.site_of[entity as usize];
        keys.clear();
        for (column, value) in prepared.values.row(entity) {
            let value = prepared.compact[value.0 as usize];
            if value.key == 0 {
                continue;
            }
            if prepared.ids[column.0 as usize] == Some(IdForm::Code) {
                let code = hash::of(("code", site, value.key));
                let known = *first.entry(code).or_insert(entity);
                if known != entity {
                    found.push((known, entity));
                }
            }
            if value.class != Class::Link {
                keys.push(value.key);
            }
        }
        let name: Vec<u32> =
            prepared.names.row(entity).iter().map(|word| word & !QUALIFIER).collect();
        if name.is_empty() || keys.len() < MIN_SAME_VALUES {
            continue;
        }
        keys.sort_unstable();
        let known = *first.entry(hash::of(("values", site, name, &keys))).or_insert(entity);
        if known != entity {
            found.push((known, entity));
        }
    }
    found
}
