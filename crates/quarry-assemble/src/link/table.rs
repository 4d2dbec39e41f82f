//! Rows of the table `things`: one for each thing, with what every site says in each aligned column. Nothing is averaged.

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::{ColumnKind, ColumnRow, EntityCell, PortError, ThingRow};

use super::Links;
use super::align::AlignedColumn;
use super::input::SiteColumnId;
use super::prepare::{Class, QUALIFIER, ValueNo};
use crate::entity::entity_id;
use crate::unit::base;

/// The share of values that the type of a column must fit.
const FITTING_SHARE: f64 = 0.9;
/// Numbers in different units that differ by less than this share are one number.
const SAME: f64 = 5e-3;
/// Values that are shown of a column.
const EXAMPLES: usize = 3;

/// What the values of an aligned column are.
#[derive(Clone, Copy, PartialEq)]
struct ColumnType {
    kind: ColumnKind,
    /// The unit in which numbers are given; empty: none.
    unit: &'static str,
}

/// The columns of each site that are one attribute.
type BySite = Vec<Vec<SiteColumnId>>;

/// A value of a thing, and how many of its sites say it.
struct ThingValue {
    value: ValueNo,
    sites: BTreeSet<u32>,
}

impl Links {
    /// The id of a thing: the least of the ids of its entities, which are the same in every harvest.
    pub(super) fn thing_id(&self, thing: &[u32]) -> String {
        let id = |entity: &u32| {
            let site = self.input.heads[*entity as usize].site as usize;
            entity_id(&self.input.sites[site], self.input.addresses.get(*entity))
        };
        thing.iter().map(id).min().unwrap_or_default()
    }

    /// The columns of the table, and calls `visit` with every thing.
    pub fn write_things(
        &self,
        visit: &mut dyn FnMut(ThingRow) -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        let columns = self.thing_columns();
        let by_site: Vec<BySite> = self.aligned.iter().map(|own| self.by_site(own)).collect();
        let types: Vec<ColumnType> = by_site.iter().map(|own| self.column_type(own)).collect();
        for thing in &self.things {
            let cells = by_site.iter().zip(&types).zip(&columns);
            let cells = cells.map(|((own, kind), column)| {
                self.cell(&self.values_of(thing, own), *kind, column.list)
            });
            visit(ThingRow {
                thing: self.thing_id(thing),
                name: self.thing_name(thing),
                sites: self.sites_of(thing),
                entities: thing
                    .iter()
                    .map(|own| self.input.addresses.get(*own).to_owned())
                    .collect(),
                cells: cells.collect(),
            })?;
        }
        Ok(())
    }

    /// The aligned columns as columns of the table. A column is a list if sites contradict each other in it: every value is kept.
    #[must_use]
    pub fn thing_columns(&self) -> Vec<ColumnRow> {
        self.aligned.iter().map(|aligned| self.thing_column(aligned)).collect()
    }

    fn thing_column(&self, aligned: &AlignedColumn) -> ColumnRow {
        let by_site = self.by_site(aligned);
        let of = self.column_type(&by_site);
        let (mut filled, mut conflicts, mut misfits) = (0_u64, 0_u64, 0_u64);
        let mut texts: BTreeMap<String, u64> = BTreeMap::new();
        let mut keys: BTreeSet<u32> = BTreeSet::new();
        for thing in &self.things {
            let values = self.values_of(thing, &by_site);
            filled += u64::from(!values.is_empty());
            conflicts += u64::from(values.len() > 1);
            misfits += u64::from(values.iter().any(|own| !self.fits(own.value, of)));
            for own in &values {
                keys.insert(self.prepared.compact[own.value.0 as usize].key);
                if texts.len() < 1_000 {
                    *texts.entry(self.shown(own.value, of)).or_default() += 1;
                }
            }
        }
        let mut examples: Vec<(&String, &u64)> = texts.iter().collect();
        examples.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let column = |own: &SiteColumnId| &self.input.columns[own.0 as usize];
        let names = aligned.columns.iter().map(|own| {
            format!("{} {:?}", self.input.sites[column(own).site as usize], column(own).attribute)
        });
        let printed: BTreeSet<String> =
            aligned.columns.iter().map(|own| column(own).attribute.clone()).collect();
        ColumnRow {
            name: aligned.name.clone(),
            kind: of.kind,
            unit: (!of.unit.is_empty()).then(|| of.unit.to_owned()),
            list: conflicts + misfits > 0,
            entities: filled,
            fill: filled as f64 / self.things.len().max(1) as f64,
            distinct: keys.len() as u64,
            conflicts,
            sources: Vec::new(),
            names: names.collect(),
            printed: printed.into_iter().collect(),
            examples: examples.into_iter().take(EXAMPLES).map(|(text, _)| text.clone()).collect(),
            merged: vec![format!(
                "{} linked pairs compared, {:.2} agree; by chance {:.2}",
                aligned.compared, aligned.agree, aligned.chance
            )],
            kinds: Vec::new(),
        }
    }

    fn by_site(&self, aligned: &AlignedColumn) -> BySite {
        let mut by_site = vec![Vec::new(); self.input.sites.len()];
        for column in &aligned.columns {
            by_site[self.input.columns[column.0 as usize].site as usize].push(*column);
        }
        by_site
    }

    /// The different values of a thing in a column, those of most sites first.
    fn values_of(&self, thing: &[u32], by_site: &BySite) -> Vec<ThingValue> {
        let mut found: Vec<ThingValue> = Vec::new();
        for entity in thing {
            let site = self.prepared.site_of[*entity as usize];
            for column in &by_site[site as usize] {
                for (_, value) in self.prepared.column_values(*entity, *column) {
                    if self.prepared.compact[value.0 as usize].key == 0 {
                        continue;
                    }
                    match found.iter_mut().find(|own| self.is_same(own.value, *value)) {
                        Some(known) => {
                            known.sites.insert(site);
                        }
                        None => found.push(ThingValue { value: *value, sites: [site].into() }),
                    }
                }
            }
        }
        found.sort_by_key(|own| std::cmp::Reverse(own.sites.len()));
        found
    }

    fn is_same(&self, a: ValueNo, b: ValueNo) -> bool {
        let compact = |value: ValueNo| self.prepared.compact[value.0 as usize];
        let (a, b) = (compact(a), compact(b));
        let numbers = a.class == Class::Number && b.class == Class::Number && a.base == b.base;
        let close = || (a.number - b.number).abs() <= SAME * a.number.abs().max(b.number.abs());
        a.key == b.key || numbers && a.unit != b.unit && close()
    }

    /// The type that fits nearly all values of a column.
    fn column_type(&self, by_site: &BySite) -> ColumnType {
        let mut total = 0_usize;
        let mut classes: BTreeMap<(u8, u8), usize> = BTreeMap::new();
        let mut units: BTreeMap<u8, usize> = BTreeMap::new();
        for entity in 0..self.input.len() as u32 {
            let site = self.prepared.site_of[entity as usize];
            for column in &by_site[site as usize] {
                for (_, value) in self.prepared.column_values(entity, *column) {
                    let value = self.prepared.compact[value.0 as usize];
                    total += 1;
                    *classes.entry((value.class as u8, value.base)).or_default() += 1;
                    *units.entry(value.unit).or_default() += 1;
                }
            }
        }
        let fits = |class: Class| {
            let mut of = classes.iter().filter(|((own, _), _)| *own == class as u8);
            let all: usize = of.clone().map(|(_, count)| *count).sum();
            // Numbers without a unit may stand beside those with one; two measures may not.
            let bases = of.by_ref().filter(|((_, base), _)| *base != 0).count();
            total > 0 && all as f64 >= FITTING_SHARE * total as f64 && bases <= 1
        };
        units.remove(&0);
        let most = units.values().copied().max().unwrap_or(0);
        let unit = units.iter().find(|(_, count)| **count == most).map_or(0, |(unit, _)| *unit);
        let unit = self.prepared.units.get(unit as usize).copied().unwrap_or_default();
        let kind = [
            (Class::Number, ColumnKind::Number),
            (Class::Price, ColumnKind::Price),
            (Class::Date, ColumnKind::Date),
            (Class::Link, ColumnKind::Link),
        ];
        let found = kind.into_iter().find(|(class, _)| fits(*class)).map(|(_, kind)| kind);
        match found {
            Some(kind @ (ColumnKind::Number | ColumnKind::Price)) => ColumnType { kind, unit },
            Some(kind) => ColumnType { kind, unit: "" },
            None => ColumnType { kind: ColumnKind::Text, unit: "" },
        }
    }

    fn fits(&self, value: ValueNo, of: ColumnType) -> bool {
        let class = self.prepared.compact[value.0 as usize].class;
        match of.kind {
            ColumnKind::Number => class == Class::Number,
            ColumnKind::Price => class == Class::Price,
            ColumnKind::Date => class == Class::Date,
            _ => true,
        }
    }

    /// A number in the unit of its column.
    fn number(&self, value: ValueNo, of: ColumnType) -> f64 {
        let value = self.prepared.compact[value.0 as usize];
        let factor = if value.base == 0 || of.kind == ColumnKind::Price || of.unit.is_empty() {
            1.0
        } else {
            base(of.unit).1
        };
        // Noise of binary fractions is cut off.
        let number = value.number / factor;
        let scale = 10_f64.powi(9 - number.abs().max(1.0).log10().ceil() as i32);
        (number * scale).round() / scale
    }

    /// A value as text: numbers in the unit of the column, all else as its site shows it.
    fn shown(&self, value: ValueNo, of: ColumnType) -> String {
        if of.kind == ColumnKind::Number && self.fits(value, of) {
            let number = self.number(value, of);
            return if of.unit.is_empty() {
                number.to_string()
            } else {
                format!("{number} {}", of.unit)
            };
        }
        self.input.text(self.prepared.text_of[value.0 as usize]).to_owned()
    }

    fn cell(&self, values: &[ThingValue], of: ColumnType, list: bool) -> EntityCell {
        let Some(first) = values.first() else { return EntityCell::Null };
        if list {
            return EntityCell::List(values.iter().map(|own| self.shown(own.value, of)).collect());
        }
        match of.kind {
            ColumnKind::Number | ColumnKind::Price => {
                EntityCell::Number(self.number(first.value, of))
            }
            _ => EntityCell::Text(self.shown(first.value, of)),
        }
    }

    /// The name that most entities of the thing have, but for brackets and the order of words; the first of several.
    fn thing_name(&self, thing: &[u32]) -> Option<String> {
        let words = |entity: &u32| -> Vec<u32> {
            let row = self.prepared.names.row(*entity).iter();
            row.copied().filter(|word| word & QUALIFIER == 0).collect()
        };
        let mut counts: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        for entity in thing {
            *counts.entry(words(entity)).or_default() += 1;
        }
        counts.remove(&Vec::new());
        let most = counts.values().copied().max()?;
        let named = thing.iter().find(|entity| counts.get(&words(entity)) == Some(&most))?;
        self.name_of(*named)
    }

    fn sites_of(&self, thing: &[u32]) -> Vec<String> {
        let sites: BTreeSet<u32> =
            thing.iter().map(|own| self.prepared.site_of[*own as usize]).collect();
        sites.into_iter().map(|site| self.input.sites[site as usize].clone()).collect()
    }
}
