//! Which entities and which columns of two harvests are the same? A site may have changed its look in between.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::value::Format;

use crate::changes::{Snapshot, SnapshotColumn, SnapshotEntity};
use crate::hash::Lookup;
use crate::index::{Groups, canonical};
use crate::said::{Said, words};

/// Of the entities that have a value in either of two columns, the share with the same one in both, from which on the
/// columns are one under another name.
const SAME: f64 = 0.7;
/// The same for columns that have one name, which nobody prints: a guess, good enough if some values agree.
const SAME_GUESS: f64 = 0.1;
/// Entities that show that two columns are one, at the least.
const SHOWN: usize = 3;

/// The place in the older harvest of each entity of the newer one.
pub(crate) fn entities(old: &Snapshot, new: &Snapshot) -> Vec<Option<usize>> {
    let mut known: Lookup<(&str, &str), usize> = Lookup::default();
    let mut ids: Lookup<&str, usize> = Lookup::default();
    for (at, entity) in old.entities.iter().enumerate() {
        ids.insert(&entity.id, at);
        for address in &entity.addresses {
            known.entry((canonical(&entity.site), canonical(address))).or_insert(at);
        }
    }
    let mut met = vec![false; old.entities.len()];
    let before = |entity: &SnapshotEntity| {
        let site = canonical(&entity.site);
        let by_address = || entity.addresses.iter().find_map(|a| known.get(&(site, canonical(a))));
        let at = ids.get(&*entity.id).or_else(by_address).copied()?;
        (!std::mem::replace(&mut met[at], true)).then_some(at)
    };
    new.entities.iter().map(before).collect()
}

/// Columns that are one, of both snapshots.
pub(crate) struct Places {
    /// The place of each column of the older one.
    pub(crate) old: Vec<usize>,
    /// The place of each column of the newer one.
    pub(crate) new: Vec<usize>,
    /// The name of each place.
    pub(crate) names: Vec<String>,
}

impl Places {
    /// Columns are one by a name in common that a site prints, or by their values where it prints none or a new one. `before` is the older entity of each newer
    /// one.
    pub(crate) fn of(old: &Snapshot, new: &Snapshot, before: &[Option<usize>]) -> Self {
        let all: Vec<&SnapshotColumn> = new.columns.iter().chain(&old.columns).collect();
        let mut groups = Groups::new(all.len());
        let mut first: Lookup<(u64, &str), u32> = Lookup::default();
        for (at, column) in (0_u32..).zip(&all) {
            for name in &column.also {
                let key = match words(name) {
                    0 => (0, name.as_str()),
                    words => (words, ""),
                };
                groups.unite(*first.entry(key).or_insert(at), at);
            }
        }
        let places = |groups: &mut Groups| -> Vec<usize> {
            (0..all.len() as u32).map(|at| groups.find(at) as usize).collect()
        };
        let named = places(&mut groups);
        let (now, then) = named.split_at(new.columns.len());
        let single = |own: &[usize], other: &[usize]| -> Vec<bool> {
            let other: BTreeSet<usize> = other.iter().copied().collect();
            own.iter().map(|place| !other.contains(place)).collect()
        };
        let free = (single(then, now), single(now, then));
        for (then, now) in renamed(old, new, before, &free) {
            groups.unite(now as u32, (new.columns.len() + then) as u32);
        }
        let mut place = places(&mut groups);
        let old = place.split_off(new.columns.len());
        Self { old, new: place, names: all.iter().map(|column| column.name.clone()).collect() }
    }
}

/// Pairs of an older and a newer column that have the same values, among the columns that no name ties.
fn renamed(
    old: &Snapshot,
    new: &Snapshot,
    before: &[Option<usize>],
    free: &(Vec<bool>, Vec<bool>),
) -> Vec<(usize, usize)> {
    let mut equal: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let (mut then, mut now) = (vec![0; old.columns.len()], vec![0; new.columns.len()]);
    for (entity, before) in new.entities.iter().zip(before) {
        let Some(older) = before.map(|at| &old.entities[at]) else { continue };
        let olds: Vec<_> = older.cells.iter().filter(|(at, _)| free.0[**at]).collect();
        let news: Vec<_> = entity.cells.iter().filter(|(at, _)| free.1[**at]).collect();
        olds.iter().for_each(|(at, _)| then[**at] += 1);
        news.iter().for_each(|(at, _)| now[**at] += 1);
        for (then, values) in &olds {
            for (now, others) in &news {
                if same_values(values, others) {
                    *equal.entry((**then, **now)).or_default() += 1;
                }
            }
        }
    }
    let one_name = |at: usize, place: usize| old.columns[at].name == new.columns[place].name;
    // Columns of one name that are empty on all common entities are one as well.
    for (place, column) in new.columns.iter().enumerate().filter(|(place, _)| free.1[*place]) {
        let named = old.columns.iter().position(|older| older.name == column.name);
        if let Some(at) = named.filter(|at| free.0[*at] && then[*at] + now[place] == 0) {
            equal.insert((at, place), 0);
        }
    }
    let mut pairs: Vec<((usize, usize), usize)> = equal
        .into_iter()
        .filter(|&((at, place), both)| {
            let either = (then[at] + now[place] - both) as f64;
            match one_name(at, place) {
                true => both as f64 >= SAME_GUESS * either,
                false => both >= SHOWN && both as f64 >= SAME * either,
            }
        })
        .collect();
    pairs.sort_by_key(|&((at, place), both)| {
        (std::cmp::Reverse(both), !one_name(at, place), (at, place))
    });
    let (mut then, mut now) = (BTreeSet::new(), BTreeSet::new());
    pairs.retain(|((old, new), _)| {
        let free = !then.contains(old) && !now.contains(new);
        free && then.insert(*old) && now.insert(*new)
    });
    pairs.into_iter().map(|(columns, _)| columns).collect()
}

/// Whether two cells hold the same: each value of one is among those of the other.
pub(crate) fn same_values(before: &[String], now: &[String]) -> bool {
    if before == now {
        return true;
    }
    let read = |texts: &[String]| -> BTreeSet<u64> {
        let format = Format::default();
        texts.iter().map(|text| Said::read(text, &format).exact).collect()
    };
    read(before) == read(now)
}
