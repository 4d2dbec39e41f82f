//! Which entities, columns and values are there? Sightings as numbers, in an order that does not depend on theirs.

use quarry_extract::value::{Column as Written, Format};
use quarry_model::ValueSource;
use rayon::prelude::*;

use crate::hash::{self, Lookup, Numbered};
use crate::said::{Said, words};
use crate::sighting::{Naming, Says, Sighting};

/// What the values of a column are to their entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Titles.
    Title,
    /// Keys.
    Key,
    /// Values of an attribute.
    Attribute,
}

/// A column as one source of one site shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SourceColumn<'a> {
    pub(crate) site: &'a str,
    pub(crate) role: Role,
    pub(crate) source: ValueSource,
    pub(crate) name: &'a str,
    pub(crate) naming: Naming,
    pub(crate) slot: Option<&'a str>,
}

impl SourceColumn<'_> {
    /// Equal for names that differ in case, spaces and punctuation only; none if nobody gave the name.
    pub(crate) fn name_key(&self) -> Option<u64> {
        let named = self.role == Role::Attribute && self.naming != Naming::Slot;
        Some(words(self.name)).filter(|&key| named && key != 0)
    }

    /// Whether the name is no more than a word before a value: `by`, `rated`. It names nothing that another name of the
    /// same values does not name better.
    pub(crate) fn is_lead_in(&self) -> bool {
        let name = self.name.trim_matches(|char: char| !char.is_alphabetic());
        LEAD_INS.iter().any(|word| name.eq_ignore_ascii_case(word))
    }
}

/// Words before values, in languages of large sites.
const LEAD_INS: [&str; 22] = [
    "by", "from", "in", "at", "on", "of", "for", "with", "was", "now", "only", "rated", "since",
    "von", "par", "de", "di", "por", "da", "av", "van", "door",
];

/// A sighting as numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    pub(crate) entity: u32,
    pub(crate) column: u32,
    pub(crate) value: u32,
    pub(crate) sighting: u32,
}

/// The facts of one entity in one column: a range of [`Index::facts`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) entity: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// All sightings as numbers.
pub(crate) struct Index<'a> {
    pub(crate) sightings: &'a [Sighting<'a>],
    /// Site and addresses of each entity, the addresses in the order of the alphabet. Entities stand in the order of a hash: the
    /// first ones are a fair sample.
    pub(crate) entities: Vec<(&'a str, Vec<&'a str>)>,
    pub(crate) columns: Vec<SourceColumn<'a>>,
    /// The different values of all columns.
    pub(crate) values: Vec<Said<'a>>,
    /// By entity, column, value and place.
    pub(crate) facts: Vec<Fact>,
    /// By column, then by entity.
    pub(crate) runs: Vec<Vec<Run>>,
}

/// An address without what does not tell entities apart: scheme, fragment, slash at the end.
pub(crate) fn canonical(address: &str) -> &str {
    let address = address.split_once('#').map_or(address, |(before, _)| before);
    let address = address.split_once("://").map_or(address, |(_, after)| after);
    address.strip_suffix('/').unwrap_or(address)
}

impl<'a> Index<'a> {
    pub(crate) fn new(sightings: &'a [Sighting<'a>]) -> Self {
        let mut addresses = Numbered::default();
        let mut columns = Numbered::default();
        let mut values = Numbered::default();
        let mut facts = Vec::with_capacity(sightings.len());
        for (at, sighting) in (0_u32..).zip(sightings) {
            let column = columns.number(source_column(sighting));
            facts.push(Fact {
                entity: addresses.number((sighting.site, sighting.entity)),
                column,
                value: values.number((column, sighting.value)),
                sighting: at,
            });
        }
        let (columns, column_numbers) = columns.ordered(|column| *column);
        let (values, value_numbers) = values
            .ordered(|(column, text)| (column_numbers[*column as usize], hash::of(text), *text));
        let (addresses, address_numbers) = addresses.ordered(|address| *address);
        for fact in &mut facts {
            fact.column = column_numbers[fact.column as usize];
            fact.value = value_numbers[fact.value as usize];
            fact.entity = address_numbers[fact.entity as usize];
        }
        let of_values: Vec<u32> =
            values.iter().map(|(column, _)| column_numbers[*column as usize]).collect();
        let texts: Vec<&str> = values.into_iter().map(|(_, text)| text).collect();
        let values = read(&columns, &of_values, &texts);
        let (entities, entity_numbers) = entities(&addresses, &columns, &values, &facts);
        for fact in &mut facts {
            fact.entity = entity_numbers[fact.entity as usize];
        }
        sort(&mut facts, sightings);
        let runs = runs(&facts, columns.len());
        Self { sightings, entities, columns, values, facts, runs }
    }

    /// The facts of a run.
    pub(crate) fn of(&self, run: Run) -> &[Fact] {
        &self.facts[run.start as usize..run.end as usize]
    }
}

fn source_column<'a>(sighting: &Sighting<'a>) -> SourceColumn<'a> {
    let (role, name, naming, slot) = match sighting.says {
        Says::Attribute { name, naming, slot } => (Role::Attribute, name, naming, slot),
        Says::Title => (Role::Title, "title", Naming::Printed, None),
        Says::Key => (Role::Key, "key", Naming::Printed, None),
    };
    SourceColumn { site: sighting.site, role, source: sighting.source, name, naming, slot }
}

/// Reads every value in the format of its column.
fn read<'a>(columns: &[SourceColumn<'a>], of: &[u32], texts: &[&'a str]) -> Vec<Said<'a>> {
    let mut start = 0;
    let mut said = Vec::with_capacity(texts.len());
    for column in 0..columns.len() {
        let end = start + of[start..].partition_point(|&own| own as usize == column);
        let format: Format = Written::of(texts[start..end].iter().copied()).format;
        said.par_extend(texts[start..end].par_iter().map(|text| Said::read(text, &format)));
        start = end;
    }
    said
}

/// A key that more addresses share names no entity: "n/a", the number of a family of products.
const MAX_ADDRESSES: usize = 8;
/// A key of fewer letters and digits names none either.
const MIN_KEY: usize = 4;

type Entities<'a> = (Vec<(&'a str, Vec<&'a str>)>, Vec<u32>);

/// Addresses that are one entity: those with the same canonical form or the same key.
fn entities<'a>(
    addresses: &[(&'a str, &'a str)],
    columns: &[SourceColumn<'_>],
    values: &[Said<'_>],
    facts: &[Fact],
) -> Entities<'a> {
    let mut groups = Groups::new(addresses.len());
    let mut first: Lookup<(&str, &str), u32> = Lookup::default();
    for (at, (site, address)) in (0_u32..).zip(addresses) {
        let same = *first.entry((site, canonical(address))).or_insert(at);
        groups.unite(same, at);
    }
    let mut keys: Vec<(&str, u64, u32)> = Vec::new();
    for fact in facts {
        let column = &columns[fact.column as usize];
        let said = &values[fact.value as usize];
        let letters = said.text.chars().filter(|c| c.is_alphanumeric()).count();
        if column.role == Role::Key && letters >= MIN_KEY && !said.is_empty() {
            keys.push((column.site, said.exact, groups.find(fact.entity)));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    for same in keys.chunk_by(|a, b| a.0 == b.0 && a.1 == b.1) {
        if same.len() <= MAX_ADDRESSES {
            same.iter().for_each(|key| groups.unite(same[0].2, key.2));
        }
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); addresses.len()];
    for at in 0..addresses.len() as u32 {
        members[groups.find(at) as usize].push(at);
    }
    let mut members: Vec<Vec<u32>> = members.into_iter().filter(|m| !m.is_empty()).collect();
    members.sort_by_cached_key(|members| (hash::of(addresses[members[0] as usize]), members[0]));
    let mut numbers = vec![0; addresses.len()];
    let mut entities = Vec::with_capacity(members.len());
    for (number, members) in (0_u32..).zip(members) {
        let site = addresses[members[0] as usize].0;
        entities.push((site, members.iter().map(|&at| addresses[at as usize].1).collect()));
        members.iter().for_each(|&at| numbers[at as usize] = number);
    }
    (entities, numbers)
}

/// By entity, column, value; equal ones by place. Two that still are equal are the same in everything that is shown.
fn sort(facts: &mut [Fact], sightings: &[Sighting<'_>]) {
    let place = |fact: &Fact| {
        let sighting = &sightings[fact.sighting as usize];
        let confidence = sighting.share().to_bits();
        (sighting.page, sighting.path, confidence, sighting.entity)
    };
    facts.sort_unstable_by(|a, b| {
        let key = |fact: &Fact| (fact.entity, fact.column, fact.value);
        key(a).cmp(&key(b)).then_with(|| place(a).cmp(&place(b)))
    });
}

fn runs(facts: &[Fact], columns: usize) -> Vec<Vec<Run>> {
    let mut runs = vec![Vec::new(); columns];
    let mut start = 0;
    for run in facts.chunk_by(|a, b| (a.entity, a.column) == (b.entity, b.column)) {
        let end = start + run.len() as u32;
        runs[run[0].column as usize].push(Run { entity: run[0].entity, start, end });
        start = end;
    }
    runs
}

/// Disjoint sets; the least member stands for its set.
pub(crate) struct Groups(Vec<u32>);

impl Groups {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    pub(crate) fn find(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let up = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = up;
            at = up;
        }
        at
    }

    pub(crate) fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
