//! What changed between two harvests: which entities are new, the same or changed, and which columns came, went or have
//! another name.

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::{ColumnRow, EntityCell, EntityRow, EntityState};
use quarry_value::Format;

use crate::groups::Groups;
use crate::hash::Lookup;
use crate::parsed::{ParsedValue, words};

/// Of the entities that have a value in either of two columns, the share with the same one in both, from which on the
/// columns are one under another name.
const MIN_SAME_SHARE: f64 = 0.7;
/// The same for columns that have one name, which nobody prints: a guess, good enough if some values agree.
const MIN_SAME_SHARE_NAMED: f64 = 0.1;
/// Entities that show that two columns are one, at the least.
const MIN_SAME_ENTITIES: usize = 3;

/// What became of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnFate {
    /// Its names in the older harvest; none for a new column.
    pub before: Vec<String>,
    /// Its names in the newer harvest; none for a column that is gone.
    pub now: Vec<String>,
}

/// Compares two harvests, entity by entity.
///
/// Columns are one if the site prints a common name for them, or if [`TableComparison::observe`] has shown entities on which their
/// values agree. Values are the same if they say the same, in whatever format.
pub struct TableComparison {
    old: Vec<ColumnRow>,
    new: Vec<ColumnRow>,
    /// Columns that are one have one place: the newer ones, then the older ones.
    places: Vec<usize>,
    /// Whether the columns are as they were.
    is_same_schema: bool,
    observed: Observed,
    /// Places that came or went as a whole, on most entities of both harvests. That says something of the table, and nothing of its
    /// entities.
    whole_columns: BTreeSet<usize>,
    /// Entities of both harvests.
    pub known: usize,
    /// On how many entities each column, or the title, has changed.
    pub changed: BTreeMap<String, usize>,
}

/// What was seen of columns that no name ties.
#[derive(Default)]
struct Observed {
    entities: usize,
    /// Entities with a value in each column: older, newer.
    then: BTreeMap<usize, usize>,
    now: BTreeMap<usize, usize>,
    /// Entities with the same value in an older and a newer column.
    equal: BTreeMap<(usize, usize), usize>,
}

impl TableComparison {
    /// Columns of the older and the newer harvest.
    #[must_use]
    pub fn new(old: Vec<ColumnRow>, new: Vec<ColumnRow>) -> Self {
        let mut groups = Groups::new(new.len() + old.len());
        let mut first: Lookup<(u64, &str), u32> = Lookup::default();
        for (at, column) in (0_u32..).zip(new.iter().chain(&old)) {
            for name in &column.printed {
                let key = match words(name) {
                    0 => (0, name.as_str()),
                    words => (words, ""),
                };
                groups.unite(*first.entry(key).or_insert(at), at);
            }
        }
        let places = (0..(new.len() + old.len()) as u32).map(|at| groups.find(at) as usize);
        let places = places.collect();
        let schema = |column: &ColumnRow| {
            (column.name.clone(), column.kind, column.unit.clone(), column.list)
        };
        let is_same_schema = old.iter().map(schema).eq(new.iter().map(schema));
        Self {
            old,
            new,
            places,
            is_same_schema,
            observed: Observed::default(),
            whole_columns: BTreeSet::new(),
            known: 0,
            changed: BTreeMap::new(),
        }
    }

    fn old_place(&self, at: usize) -> usize {
        self.places[self.new.len() + at]
    }

    /// Columns of one harvest that no name ties to one of the other: older, newer.
    fn untied(&self) -> (Vec<usize>, Vec<usize>) {
        let (now, then) = self.places.split_at(self.new.len());
        let single = |own: &[usize], other: &[usize]| -> Vec<usize> {
            let other: BTreeSet<usize> = other.iter().copied().collect();
            (0..own.len()).filter(|at| !other.contains(&own[*at])).collect()
        };
        (single(then, now), single(now, then))
    }

    /// Whether there are columns that only the values of entities can tie: then some entities are to be observed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let (then, now) = self.untied();
        !then.is_empty() || !now.is_empty()
    }

    /// Looks at an entity of both harvests.
    pub fn observe(&mut self, old: &EntityRow, new: &EntityRow) {
        let (then, now) = self.untied();
        let filled = |row: &EntityRow, columns: &[ColumnRow], at: usize| {
            let values = values(row.cells.get(at), columns.get(at));
            (!values.is_empty()).then_some((at, values))
        };
        let olds: Vec<_> = then.iter().filter_map(|at| filled(old, &self.old, *at)).collect();
        let news: Vec<_> = now.iter().filter_map(|at| filled(new, &self.new, *at)).collect();
        let observed = &mut self.observed;
        observed.entities += 1;
        olds.iter().for_each(|(at, _)| *observed.then.entry(*at).or_default() += 1);
        news.iter().for_each(|(at, _)| *observed.now.entry(*at).or_default() += 1);
        for (then, before) in &olds {
            for (now, _) in news.iter().filter(|(_, values)| values == before) {
                *observed.equal.entry((*then, *now)).or_default() += 1;
            }
        }
    }

    /// Ends the observation: ties columns that have the same values.
    pub fn decide(&mut self) {
        let mut groups = Groups::new(self.places.len());
        for (at, place) in (0_u32..).zip(&self.places) {
            groups.unite(at, *place as u32);
        }
        for (then, now) in self.renamed() {
            groups.unite(now as u32, (self.new.len() + then) as u32);
        }
        self.places = (0..self.places.len() as u32).map(|at| groups.find(at) as usize).collect();
        let (then, now) = self.untied();
        let mut filled: BTreeMap<usize, usize> = BTreeMap::new();
        for at in then {
            let count = self.observed.then.get(&at).copied().unwrap_or_default();
            *filled.entry(self.old_place(at)).or_default() += count;
        }
        for at in now {
            let count = self.observed.now.get(&at).copied().unwrap_or_default();
            *filled.entry(self.places[at]).or_default() += count;
        }
        let both = self.observed.entities;
        let whole = filled.into_iter().filter(|&(_, n)| n > 1 && 2 * n > both);
        self.whole_columns = whole.map(|(place, _)| place).collect();
    }

    /// Pairs of an older and a newer column that have the same values, among the columns that no name ties.
    fn renamed(&self) -> Vec<(usize, usize)> {
        let Observed { then, now, equal, .. } = &self.observed;
        let count = |counts: &BTreeMap<usize, usize>, at| counts.get(&at).copied().unwrap_or(0);
        let one_name = |at: usize, place: usize| self.old[at].name == self.new[place].name;
        let mut equal = equal.clone();
        // Columns of one name that are empty on all common entities are one as well.
        let (olds, news) = self.untied();
        for &place in &news {
            let named = olds.iter().find(|at| one_name(**at, place));
            if let Some(&at) = named.filter(|at| count(then, **at) + count(now, place) == 0) {
                equal.insert((at, place), 0);
            }
        }
        let mut pairs: Vec<((usize, usize), usize)> = equal
            .into_iter()
            .filter(|&((at, place), both)| {
                let either = (count(then, at) + count(now, place) - both) as f64;
                match one_name(at, place) {
                    true => both as f64 >= MIN_SAME_SHARE_NAMED * either,
                    false => both >= MIN_SAME_ENTITIES && both as f64 >= MIN_SAME_SHARE * either,
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

    /// What became of an entity, by what the older harvest has of it.
    pub fn state(&mut self, old: Option<&EntityRow>, new: &EntityRow) -> EntityState {
        let Some(old) = old else { return EntityState::New };
        self.known += 1;
        if self.is_same_schema && old.title == new.title && old.cells == new.cells {
            return EntityState::Same;
        }
        let mut cells: BTreeMap<usize, (BTreeSet<u64>, BTreeSet<u64>)> = BTreeMap::new();
        for (at, column) in self.old.iter().enumerate() {
            let own = &mut cells.entry(self.old_place(at)).or_default().0;
            own.extend(values(old.cells.get(at), Some(column)));
        }
        for (at, column) in self.new.iter().enumerate() {
            let own = &mut cells.entry(self.places[at]).or_default().1;
            own.extend(values(new.cells.get(at), Some(column)));
        }
        let mut changed: Vec<String> = Vec::new();
        let title = |row: &EntityRow| row.title.as_deref().map(exact);
        if title(old) != title(new) {
            changed.push("title".to_owned());
        }
        for (place, (before, now)) in cells {
            if before != now && !self.whole_columns.contains(&place) {
                changed.push(self.name(place).to_owned());
            }
        }
        let state = if changed.is_empty() { EntityState::Same } else { EntityState::Changed };
        changed.into_iter().for_each(|name| *self.changed.entry(name).or_default() += 1);
        state
    }

    fn name(&self, place: usize) -> &str {
        let column = self.new.get(place).or_else(|| self.old.get(place - self.new.len()));
        column.map_or("", |column| &column.name)
    }

    /// What became of the columns: first those of the newer harvest in their order, then those that are gone.
    #[must_use]
    pub fn column_fates(&self) -> Vec<ColumnFate> {
        let mut fates: BTreeMap<usize, ColumnFate> = BTreeMap::new();
        let none = || ColumnFate { before: Vec::new(), now: Vec::new() };
        for (at, column) in self.new.iter().enumerate() {
            fates.entry(self.places[at]).or_insert_with(none).now.push(column.name.clone());
        }
        for (at, column) in self.old.iter().enumerate() {
            let place = self.old_place(at);
            fates.entry(place).or_insert_with(none).before.push(column.name.clone());
        }
        fates.into_values().collect()
    }
}

/// What a cell says: hashes that are equal for texts that surely say the same.
fn values(cell: Option<&EntityCell>, column: Option<&ColumnRow>) -> BTreeSet<u64> {
    let unit = column.and_then(|column| column.unit.as_deref()).unwrap_or_default();
    match cell {
        None | Some(EntityCell::Null) => BTreeSet::new(),
        Some(EntityCell::Boolean(yes)) => [exact(if *yes { "yes" } else { "no" })].into(),
        Some(EntityCell::Number(number)) => [exact(format!("{number} {unit}").trim_end())].into(),
        Some(EntityCell::Text(text)) => [exact(text)].into(),
        Some(EntityCell::List(texts)) => texts.iter().map(|text| exact(text)).collect(),
    }
}

fn exact(text: &str) -> u64 {
    ParsedValue::read(text, &Format::default(), None).exact
}
