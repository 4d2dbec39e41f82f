//! What is known of a column of the assembled table?

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use quarry_model::ValueSource;
use serde::Serialize;

use crate::index::{Index, Role, SourceColumn};
use crate::kind::{Items, ValueType, list_items, value_type};
use crate::merge::{Link, Merged, Why};
use crate::said::{Said, words};
use crate::sighting::Naming;

/// Values of a column that are shown as examples.
const EXAMPLES: usize = 3;

/// A column of the assembled table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Its name; no two columns have the same.
    pub name: String,
    /// What its values are to their entities.
    pub role: Role,
    /// The names that it has in each source.
    pub names: Vec<ColumnName>,
    /// The sources that show it.
    pub sources: Vec<ValueSource>,
    /// The type of its values, or of its items.
    #[serde(rename = "type")]
    pub kind: ValueType,
    /// Whether entities have several values.
    pub list: bool,
    /// Entities that have a value.
    pub entities: usize,
    /// The share of all entities that have a value.
    pub fill: f64,
    /// Different values.
    pub distinct: usize,
    /// Entities of which sources say different things.
    pub conflicts: usize,
    /// Frequent values, the most frequent first.
    pub examples: Vec<String>,
    /// What made the columns of the sources one.
    pub merged: Vec<Merge>,
    /// Columns of the same name that were kept apart, and why they seemed the same.
    pub apart: Vec<Merge>,
}

/// What a source calls a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ColumnName {
    /// The site.
    pub site: String,
    /// The source.
    pub source: ValueSource,
    /// The name there; for an unnamed slot its id.
    pub name: String,
    /// The slot of the template.
    pub slot: Option<String>,
    /// Whether the site prints the name.
    pub printed: bool,
}

impl ColumnName {
    fn of(column: &SourceColumn<'_>) -> Self {
        Self {
            site: column.site.to_owned(),
            source: column.source,
            name: column.name.to_owned(),
            slot: column.slot.map(str::to_owned),
            printed: column.naming == Naming::Printed,
        }
    }
}

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.source.as_str(), self.name)
    }
}

/// Two columns of sources that were made one, or kept apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Merge {
    /// The one.
    pub left: ColumnName,
    /// The other.
    pub right: ColumnName,
    /// Why.
    pub why: Why,
}

/// What is needed to fill the cells of a column.
pub(crate) struct Filling {
    pub(crate) list: bool,
    pub(crate) items: Option<Items>,
}

/// The columns, and for each column of a source the place of its column.
pub(crate) struct Columns {
    pub(crate) columns: Vec<Column>,
    pub(crate) filling: Vec<Filling>,
    pub(crate) of_source: Vec<u32>,
}

pub(crate) fn columns(index: &Index<'_>, merged: &Merged) -> Columns {
    let mut groups: Vec<Vec<u32>> = vec![Vec::new(); index.columns.len()];
    for (at, &group) in (0_u32..).zip(&merged.group) {
        groups[group as usize].push(at);
    }
    let mut counts = vec![0_u32; index.values.len()];
    let mut values: Vec<Vec<u32>> = vec![Vec::new(); index.columns.len()];
    for fact in &index.facts {
        let count = &mut counts[fact.value as usize];
        if *count == 0 {
            values[merged.group[fact.column as usize] as usize].push(fact.value);
        }
        *count += 1;
    }
    let mut made: Vec<(Column, Filling, Vec<u32>)> = Vec::new();
    for (members, mut values) in groups.into_iter().zip(values) {
        if !members.is_empty() {
            values.sort_unstable();
            let (column, filling) = column(index, &members, &values, &counts);
            made.push((column, filling, members));
        }
    }
    made.sort_by(|(a, ..), (b, ..)| {
        (a.role, b.entities, &a.name, &a.names).cmp(&(b.role, a.entities, &b.name, &b.names))
    });
    let mut of_source = vec![0; index.columns.len()];
    for (at, (_, _, members)) in (0_u32..).zip(&made) {
        members.iter().for_each(|&member| of_source[member as usize] = at);
    }
    let (mut columns, filling): (Vec<Column>, Vec<Filling>) =
        made.into_iter().map(|(column, filling, _)| (column, filling)).unzip();
    tell_why(index, merged, &of_source, &mut columns);
    tell_apart(&mut columns);
    Columns { columns, filling, of_source }
}

fn column(index: &Index<'_>, members: &[u32], values: &[u32], counts: &[u32]) -> (Column, Filling) {
    let sources = || members.iter().map(|&at| &index.columns[at as usize]);
    let mut uses: BTreeMap<Option<u64>, usize> = BTreeMap::new();
    for column in sources() {
        *uses.entry(column.name_key()).or_default() += 1;
    }
    let named = sources().max_by_key(|column| {
        let uses = uses.get(&column.name_key());
        (trust(column), uses, Reverse((column.name, column.site)))
    });
    let role = sources().map(|column| column.role).min().unwrap_or(Role::Attribute);
    let items = list_items(index, members, values).filter(|_| role == Role::Attribute);
    let said = |&value: &u32| &index.values[value as usize];
    let mut parts: Vec<(&Said<'_>, u32)> = Vec::new();
    for value in values {
        let (whole, count) = (said(value), counts[*value as usize]);
        match &items {
            Some(items) if items.split(whole) => {
                parts.extend(whole.items.iter().map(|item| (item, count)));
            }
            _ => parts.push((whole, count)),
        }
    }
    let kind = value_type(parts.iter().map(|(said, _)| *said));
    let mut names: Vec<ColumnName> = sources().map(ColumnName::of).collect();
    names.sort();
    let mut shown: Vec<ValueSource> = sources().map(|column| column.source).collect();
    shown.sort_unstable();
    shown.dedup();
    parts.retain(|(said, _)| !said.is_empty());
    parts.sort_unstable_by_key(|(said, count)| (said.exact, Reverse(*count), said.text));
    let mut frequent: Vec<(u32, &str)> = parts
        .chunk_by(|a, b| a.0.exact == b.0.exact)
        .map(|same| (same.iter().map(|(_, count)| count).sum(), same[0].0.text))
        .collect();
    frequent.sort_unstable_by_key(|&(count, text)| (Reverse(count), text));
    let distinct = frequent.len();
    let mut entities: Vec<u32> =
        members.iter().flat_map(|&at| &index.runs[at as usize]).map(|run| run.entity).collect();
    entities.sort_unstable();
    entities.dedup();
    let column = Column {
        name: named.map_or_else(String::new, |column| column.name.to_owned()),
        role,
        names,
        sources: shown,
        kind,
        list: items.is_some(),
        entities: entities.len(),
        fill: entities.len() as f64 / index.entities.len().max(1) as f64,
        distinct,
        conflicts: 0,
        examples: frequent.iter().take(EXAMPLES).map(|(_, text)| (*text).to_owned()).collect(),
        merged: Vec::new(),
        apart: Vec::new(),
    };
    (column, Filling { list: items.is_some(), items })
}

/// Whose name a column takes. A facet is what the site itself offers as an attribute; labels in a list are often mere
/// words before a value ("by"), so known records name better.
fn trust(column: &SourceColumn<'_>) -> u8 {
    if column.role != Role::Attribute {
        return 9;
    }
    match (column.naming, column.source) {
        (Naming::Printed, _) if column.is_lead_in() => 2,
        (Naming::Printed, ValueSource::Facet) => 7,
        (Naming::Printed, ValueSource::Spec) => 6,
        (Naming::Printed, ValueSource::Match) => 5,
        (Naming::Printed, ValueSource::List) => 4,
        (Naming::Guessed, _) => 3,
        (Naming::Slot, _) => 1,
    }
}

fn tell_why(index: &Index<'_>, merged: &Merged, of_source: &[u32], columns: &mut [Column]) {
    let merge = |link: &Link| Merge {
        left: ColumnName::of(&index.columns[link.a as usize]),
        right: ColumnName::of(&index.columns[link.b as usize]),
        why: link.why,
    };
    for link in &merged.links {
        columns[of_source[link.a as usize] as usize].merged.push(merge(link));
    }
    for link in &merged.apart {
        let (a, b) = (of_source[link.a as usize], of_source[link.b as usize]);
        if a != b {
            columns[a as usize].apart.push(merge(link));
            columns[b as usize].apart.push(merge(link));
        }
    }
}

/// Columns of one name get the names of their sources behind it, and then a number; the fullest keeps its name.
fn tell_apart(columns: &mut [Column]) {
    let mut taken: BTreeSet<(u64, String)> = BTreeSet::new();
    let key = |name: &str| match words(name) {
        0 => (0, name.to_owned()),
        words => (words, String::new()),
    };
    // Titles and keys are no attributes: an attribute may be called so.
    for column in columns.iter_mut().filter(|column| column.role == Role::Attribute) {
        if column.name.trim().is_empty() {
            "unnamed".clone_into(&mut column.name);
        }
        let sources: Vec<&str> = column.sources.iter().map(|source| source.as_str()).collect();
        let with_sources = format!("{} ({})", column.name, sources.join(", "));
        let numbered = (2..).map(|n| format!("{} {n}", column.name));
        let mut names = [column.name.clone(), with_sources].into_iter().chain(numbered);
        if let Some(name) = names.find(|name| taken.insert(key(name))) {
            column.name = name;
        }
    }
}
