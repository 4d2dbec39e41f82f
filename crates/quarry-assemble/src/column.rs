//! The columns of the assembled table: names, types, lists, and what is counted of them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use quarry_model::{EvidenceRole, NameOrigin, ValueSource};
use serde::Serialize;

use crate::index::{Index, SourceColumn, SourceColumnId, ValueId};
use crate::kind::{ListItems, ValueType, list_items, value_type};
use crate::merge::{Link, MergeReason, Merged};
use crate::parsed::{ParsedValue, words};
use crate::rules::{ColumnRules, is_same};

/// Values of a column that are shown as examples.
const EXAMPLES: usize = 3;

/// A column of the assembled table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Its name; no two columns have the same.
    pub name: String,
    /// What its values are to their entities.
    pub role: EvidenceRole,
    /// The names that it has in each source.
    pub names: Vec<ColumnName>,
    /// The sources that show it.
    pub sources: Vec<ValueSource>,
    /// The type of its values, or of its items.
    #[serde(rename = "type")]
    pub kind: ValueType,
    /// Whether entities have several values.
    pub list: bool,
    /// The kinds of entities that it is of, and how many of each have a value.
    pub kinds: BTreeMap<String, usize>,
    /// Entities that have a value.
    pub entities: usize,
    /// The share of the entities of its kinds that have a value.
    pub fill: f64,
    /// Different values.
    pub distinct: usize,
    /// How likely readers want it, from 0 to 1: what only learned places or embedded data give may be page furniture.
    pub wanted: f64,
    /// Entities of which sources say different things.
    pub conflicts: usize,
    /// Frequent values, the most frequent first.
    pub examples: Vec<String>,
    /// What made the columns of the sources one.
    pub merged: Vec<Merge>,
    /// Columns of the same name that were kept apart, and why they seemed the same.
    pub apart: Vec<Merge>,
    /// Whether the user does not want it.
    pub is_dropped: bool,
    /// Whether the user gave it its name.
    pub is_user_named: bool,
}

impl Column {
    /// Whether it has this name, or has it in any source.
    fn is_named(&self, name: &str) -> bool {
        is_same(&self.name, name) || self.names.iter().any(|own| is_same(&own.name, name))
    }
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
    fn of(column: &SourceColumn) -> Self {
        Self {
            site: column.site.clone(),
            source: column.source,
            name: column.name.clone(),
            slot: column.slot.clone(),
            printed: column.naming == NameOrigin::Printed,
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
    pub why: MergeReason,
}

/// What is needed to fill the cells of a column.
#[derive(Debug)]
pub(crate) struct Filling {
    pub(crate) list: bool,
    pub(crate) items: Option<ListItems>,
}

/// A column before its values are counted over all entities.
pub(crate) struct Draft {
    pub(crate) column: Column,
    /// The columns of sources that it is made of.
    pub(crate) members: Vec<SourceColumnId>,
}

/// The columns, and for each column of a source the place of its column.
pub(crate) struct Columns {
    pub(crate) columns: Vec<Column>,
    pub(crate) fillings: Vec<Filling>,
    pub(crate) of_source: Vec<u32>,
}

/// What the sample says of the merged columns.
pub(crate) fn drafts(
    index: &Index<'_>,
    merged: &Merged,
    rules: &ColumnRules,
) -> (Vec<Draft>, Vec<Filling>) {
    let mut groups: Vec<Vec<SourceColumnId>> = vec![Vec::new(); index.columns.len()];
    for (id, group) in index.ids().zip(&merged.group) {
        groups[group.at()].push(id);
    }
    let mut counts = vec![0_u32; index.values.len()];
    let mut values: Vec<Vec<ValueId>> = vec![Vec::new(); index.columns.len()];
    for own in &index.sample {
        let count = &mut counts[own.value.at()];
        if *count == 0 {
            values[merged.group[own.column.at()].at()].push(own.value);
        }
        *count += 1;
    }
    let (mut drafts, mut fillings) = (Vec::new(), Vec::new());
    for (members, mut values) in groups.into_iter().zip(values) {
        if !members.is_empty() {
            values.sort_unstable();
            let (mut column, filling) = column(index, &members, &values, &counts);
            column.wanted = wanted(index, &members, &column.sources);
            if let Some(ruled) = rules.type_of(|name| column.is_named(name)) {
                column.kind = ruled.of(column.kind);
            }
            drafts.push(Draft { column, members });
            fillings.push(filling);
        }
    }
    (drafts, fillings)
}

/// Puts counted columns in order, those first that most entities have and readers want, and gives each a name of its own.
pub(crate) fn finish(
    index: &Index<'_>,
    merged: &Merged,
    drafts: Vec<Draft>,
    fillings: Vec<Filling>,
    rules: &ColumnRules,
) -> Columns {
    let mut drafts: Vec<(Draft, Filling)> = drafts.into_iter().zip(fillings).collect();
    drafts.sort_by(|(Draft { column: a, .. }, _), (Draft { column: b, .. }, _)| {
        let worth = |column: &Column| {
            let kind = if is_address_only(column) { ADDRESS_WORTH } else { 1.0 };
            (column.wanted * variety(column) * kind * column.entities as f64 * 1e3) as u64
        };
        let pinned =
            |column: &Column| rules.pinned(|name| column.is_named(name)).unwrap_or(usize::MAX);
        (a.role, pinned(a), worth(b), &a.name, &a.names).cmp(&(
            b.role,
            pinned(b),
            worth(a),
            &b.name,
            &b.names,
        ))
    });
    let mut of_source = vec![0; index.columns.len()];
    let (mut columns, mut fillings) = (Vec::new(), Vec::new());
    for (at, (draft, filling)) in (0_u32..).zip(drafts) {
        draft.members.iter().for_each(|member| of_source[member.at()] = at);
        columns.push(draft.column);
        fillings.push(filling);
    }
    tell_why(index, merged, &of_source, &mut columns);
    for column in columns.iter_mut().filter(|column| column.role == EvidenceRole::Attribute) {
        column.is_dropped = rules.is_dropped(|name| column.is_named(name));
        if let Some(name) = rules.new_name(|name| column.is_named(name)) {
            name.clone_into(&mut column.name);
            column.is_user_named = true;
        }
    }
    // Names that the user gave are theirs first.
    tell_apart(&mut columns);
    Columns { columns, fillings, of_source }
}

/// What a column's variety makes of its worth: what tells entities apart is wanted more than what most of them share. The root is
/// high, so that a type or a genre stays near the front. Facets and lists show what the site itself thinks worth showing.
fn variety(column: &Column) -> f64 {
    if column.entities < MIN_VARIED_ENTITIES || !column.sources.iter().all(is_read) {
        return 1.0;
    }
    let share = column.distinct as f64 / column.entities as f64;
    share.min(1.0).powf(VARIETY_POWER)
}

/// Whether a column has only the addresses of links or pictures in lists.
fn is_address_only(column: &Column) -> bool {
    column.kind == ValueType::Link && column.sources == [ValueSource::List]
}

/// What an address in a list is worth beside a text: it leads to something, and says little by itself.
const ADDRESS_WORTH: f64 = 0.5;

/// Two entities that share a value prove nothing; so many that do begin to.
const MIN_VARIED_ENTITIES: usize = 10;

/// A column with a value for every twenty entities is worth six sevenths of one with different values for all. With more weight types
/// and genres fall behind furniture: 0.15 gives swde strict .867 within 20 columns, this .880; .925 within 40 with both.
const VARIETY_POWER: f64 = 0.05;

/// Whether a source is what pages say of themselves, furniture included.
fn is_read(source: &ValueSource) -> bool {
    matches!(source, ValueSource::Page | ValueSource::Embedded | ValueSource::Spec)
}

/// How likely readers want a column: what facets, lists or known records have is wanted; what specifications, learned places
/// and embedded data give is as the surest of these sources says on average.
fn wanted(index: &Index<'_>, members: &[SourceColumnId], sources: &[ValueSource]) -> f64 {
    if !sources.iter().all(is_read) {
        return 1.0;
    }
    let mut means: BTreeMap<ValueSource, (f64, u32)> = BTreeMap::new();
    for member in members {
        let mean = means.entry(index.column(*member).source).or_default();
        for own in index.cells[member.at()].iter().flat_map(|cell| index.of(*cell)) {
            mean.0 += index.evidence[own.evidence as usize].share();
            mean.1 += 1;
        }
    }
    means.values().map(|&(sum, count)| sum / f64::from(count.max(1))).fold(0.0, f64::max)
}

fn column(
    index: &Index<'_>,
    members: &[SourceColumnId],
    values: &[ValueId],
    counts: &[u32],
) -> (Column, Filling) {
    let sources = || members.iter().map(|&id| index.column(id));
    let mut uses: BTreeMap<Option<u64>, usize> = BTreeMap::new();
    for column in sources() {
        *uses.entry(column.name_key()).or_default() += 1;
    }
    let named = sources().max_by_key(|column| {
        let uses = uses.get(&column.name_key());
        (trust(column), uses, Reverse((&column.name, &column.site)))
    });
    let role = sources().map(|column| column.role).min().unwrap_or(EvidenceRole::Attribute);
    let items = list_items(index, members, values).filter(|_| role == EvidenceRole::Attribute);
    let mut parts: Vec<(&ParsedValue<'_>, u32)> = Vec::new();
    for &value in values {
        let (whole, count) = (index.value(value), counts[value.at()]);
        match &items {
            Some(items) if items.split(whole) => {
                parts.extend(whole.items.iter().map(|item| (item, count)));
            }
            _ => parts.push((whole, count)),
        }
    }
    let kind = value_type(parts.iter().map(|(value, _)| *value));
    let mut names: Vec<ColumnName> = sources().map(ColumnName::of).collect();
    names.sort();
    let mut shown: Vec<ValueSource> = sources().map(|column| column.source).collect();
    shown.sort_unstable();
    shown.dedup();
    parts.retain(|(value, _)| !value.is_empty());
    parts.sort_unstable_by_key(|(value, count)| (value.exact, Reverse(*count), value.text));
    let mut frequent: Vec<(u32, &str)> = parts
        .chunk_by(|a, b| a.0.exact == b.0.exact)
        .map(|same| (same.iter().map(|(_, count)| count).sum(), same[0].0.text))
        .collect();
    frequent.sort_unstable_by_key(|&(count, text)| (Reverse(count), text));
    let column = Column {
        name: named.map_or_else(String::new, |column| column.name.clone()),
        role,
        names,
        sources: shown,
        kind,
        list: items.is_some(),
        kinds: sources().map(|column| (column.entity_kind.clone(), 0)).collect(),
        entities: 0,
        fill: 0.0,
        distinct: 0,
        wanted: 1.0,
        conflicts: 0,
        examples: frequent.iter().take(EXAMPLES).map(|(_, text)| (*text).to_owned()).collect(),
        merged: Vec::new(),
        apart: Vec::new(),
        is_dropped: false,
        is_user_named: false,
    };
    (column, Filling { list: items.is_some(), items })
}

/// Whose name a column takes. A facet is what the site itself offers as an attribute; labels in a list are often mere
/// words before a value ("by"), so known records name better.
fn trust(column: &SourceColumn) -> u8 {
    if column.role != EvidenceRole::Attribute {
        return 9;
    }
    match (column.naming, column.source) {
        (NameOrigin::Printed, _) if column.is_lead_in() => 2,
        (NameOrigin::Printed, ValueSource::Facet) => 7,
        (NameOrigin::Printed, ValueSource::Page | ValueSource::Spec) => 6,
        (NameOrigin::Printed, ValueSource::Embedded | ValueSource::Match) => 5,
        (NameOrigin::Printed, ValueSource::List) => 4,
        (NameOrigin::Guessed, _) => 3,
        (NameOrigin::Slot, _) => 1,
    }
}

fn tell_why(index: &Index<'_>, merged: &Merged, of_source: &[u32], columns: &mut [Column]) {
    let merge = |link: &Link| Merge {
        left: ColumnName::of(index.column(link.a)),
        right: ColumnName::of(index.column(link.b)),
        why: link.why,
    };
    for link in &merged.links {
        columns[of_source[link.a.at()] as usize].merged.push(merge(link));
    }
    for link in &merged.apart {
        let (a, b) = (of_source[link.a.at()], of_source[link.b.at()]);
        if a != b {
            columns[a as usize].apart.push(merge(link));
            columns[b as usize].apart.push(merge(link));
        }
    }
}

/// Columns of one name get the names of their sources behind it, and then a number; the fullest keeps its name. Columns of different
/// kinds of entities may share a name if they have one type; else the kind stands behind it.
fn tell_apart(columns: &mut [Column]) {
    type Key = (u64, String);
    /// The kinds of entities whose columns have a name, and the type of these columns.
    type Taken = BTreeMap<Key, (BTreeSet<String>, ValueType, bool)>;
    let mut taken: Taken = BTreeMap::new();
    let key = |name: &str| match words(name) {
        0 => (0, name.to_owned()),
        words => (words, String::new()),
    };
    // The number that the next column of a name is tried with: thousands may have one name.
    let mut next: BTreeMap<Key, usize> = BTreeMap::new();
    // Titles and keys are no attributes: an attribute may be called so.
    // Names that the user gave are taken first.
    let is_attribute = |column: &&mut Column| column.role == EvidenceRole::Attribute;
    let mut order: Vec<&mut Column> = columns.iter_mut().filter(is_attribute).collect();
    order.sort_by_key(|column| !column.is_user_named);
    for column in order {
        if column.name.trim().is_empty() {
            "unnamed".clone_into(&mut column.name);
        }
        let kinds: BTreeSet<String> = column.kinds.keys().cloned().collect();
        let (kind, list) = (column.kind, column.list);
        let mut take = |name: &str| match taken.get_mut(&key(name)) {
            None => {
                taken.insert(key(name), (kinds.clone(), kind, list));
                true
            }
            Some(own) => {
                let is_free = own.0.is_disjoint(&kinds) && (own.1, own.2) == (kind, list);
                own.0.extend(kinds.iter().filter(|_| is_free).cloned());
                is_free
            }
        };
        let sources: Vec<&str> = column.sources.iter().map(|source| source.as_str()).collect();
        let own: Vec<&str> = kinds.iter().map(String::as_str).collect();
        let with_kind = format!("{} ({})", column.name, own.join(", "));
        let with_sources = format!("{} ({})", column.name, sources.join(", "));
        let is_of_kind = own != [""];
        let next = next.entry(key(&column.name)).or_insert(2);
        let first = *next;
        let numbered = (first..).map(|n| (n + 1, format!("{} {n}", column.name)));
        let plain = std::iter::once(column.name.clone())
            .chain(is_of_kind.then_some(with_kind))
            .chain([with_sources])
            .map(|name| (first, name));
        let mut names = plain.chain(numbered);
        if let Some((after, name)) = names.find(|(_, name)| take(name)) {
            *next = after;
            column.name = name;
        }
    }
}
