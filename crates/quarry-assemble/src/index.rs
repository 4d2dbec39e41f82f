//! The evidence of a sample of entities as numbers: entities, columns of sources, values.

use std::collections::BTreeMap;

use quarry_model::{Evidence, EvidenceRole, NameOrigin, ValueSource};
use quarry_value::{ColumnReading, Format};
use rayon::prelude::*;

use crate::hash::{self, Numbered};
use crate::parsed::{ParsedValue, words};
use crate::rules::ColumnRules;

/// A column of a source, by its place in [`Index::columns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SourceColumnId(pub(crate) u32);

impl SourceColumnId {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

/// A text of a column of a source, by its place in [`Index::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ValueId(pub(crate) u32);

impl ValueId {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

/// An entity of the sample. Entities stand in the order of a hash: the first ones are a fair sample of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SampleEntity(pub(crate) u32);

/// A column as one source of one site shows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SourceColumn {
    pub(crate) site: String,
    /// The kind of entities that it is of; empty where kinds are not told apart, and for titles and keys.
    pub(crate) entity_kind: String,
    pub(crate) role: EvidenceRole,
    pub(crate) source: ValueSource,
    pub(crate) name: String,
    pub(crate) naming: NameOrigin,
    pub(crate) slot: Option<String>,
}

impl SourceColumn {
    /// The same, borrowed.
    pub(crate) fn parts(&self) -> ColumnParts<'_> {
        let Self { site, entity_kind, role, source, name, naming, slot } = self;
        ColumnParts {
            site,
            entity_kind,
            role: *role,
            source: *source,
            name,
            naming: *naming,
            slot: slot.as_deref(),
        }
    }

    /// Equal for names that differ in case, spaces and punctuation only; none if nobody gave the name.
    pub(crate) fn name_key(&self) -> Option<u64> {
        let named = self.role == EvidenceRole::Attribute && self.naming != NameOrigin::Slot;
        Some(words(&self.name)).filter(|&key| named && key != 0)
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

/// What tells columns of sources apart, borrowed: the key of a lookup for every piece of evidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ColumnParts<'a> {
    site: &'a str,
    entity_kind: &'a str,
    role: EvidenceRole,
    source: ValueSource,
    name: &'a str,
    naming: NameOrigin,
    slot: Option<&'a str>,
}

impl<'a> ColumnParts<'a> {
    /// The column of evidence of an entity of this kind.
    pub(crate) fn of(evidence: &'a Evidence, entity_kind: &'a str) -> Self {
        let (name, naming, slot) = match evidence.role {
            EvidenceRole::Title => ("title", NameOrigin::Printed, None),
            EvidenceRole::Key => ("key", NameOrigin::Printed, None),
            EvidenceRole::Kind => ("kind", NameOrigin::Printed, None),
            EvidenceRole::Attribute => {
                (evidence.attribute.as_str(), evidence.naming, evidence.slot.as_deref())
            }
        };
        let Evidence { site, role, source, .. } = evidence;
        let is_attribute = *role == EvidenceRole::Attribute;
        let entity_kind = if is_attribute { entity_kind } else { "" };
        Self { site, entity_kind, role: *role, source: *source, name, naming, slot }
    }

    /// The column, with texts of its own.
    fn to_column(self) -> SourceColumn {
        SourceColumn {
            site: self.site.to_owned(),
            entity_kind: self.entity_kind.to_owned(),
            role: self.role,
            source: self.source,
            name: self.name.to_owned(),
            naming: self.naming,
            slot: self.slot.map(str::to_owned),
        }
    }

    /// A hash that stands for the column: 64 bits are enough for the columns of any site.
    pub(crate) fn hash(self) -> u64 {
        hash::of(self)
    }
}

/// A piece of evidence of the sample as numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleValue {
    pub(crate) entity: SampleEntity,
    pub(crate) column: SourceColumnId,
    pub(crate) value: ValueId,
    /// Its place in [`Index::evidence`].
    pub(crate) evidence: u32,
}

/// The values of one entity in one column: a range of [`Index::sample`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellRange {
    pub(crate) entity: SampleEntity,
    start: u32,
    end: u32,
}

/// All evidence of the sample as numbers.
pub(crate) struct Index<'a> {
    pub(crate) evidence: Vec<&'a Evidence>,
    pub(crate) columns: Vec<SourceColumn>,
    /// How the values of each column are written.
    pub(crate) formats: Vec<Format>,
    /// What stands between the items of each column, where the user says it.
    pub(crate) separators: Vec<Option<String>>,
    /// The different values of all columns, by column.
    pub(crate) values: Vec<ParsedValue<'a>>,
    /// By entity, column, value and place.
    pub(crate) sample: Vec<SampleValue>,
    /// By column, then by entity.
    pub(crate) cells: Vec<Vec<CellRange>>,
}

impl<'a> Index<'a> {
    /// The evidence of each entity of the sample.
    pub(crate) fn new(entities: &'a [Vec<Evidence>], rules: &ColumnRules) -> Self {
        let mut order: Vec<&'a Vec<Evidence>> = entities.iter().collect();
        order.sort_by_cached_key(|evidence| hash::of((&*evidence[0].site, address(evidence))));
        let mut columns = Numbered::default();
        let mut values = Numbered::default();
        let mut evidence: Vec<&'a Evidence> = Vec::new();
        let mut sample = Vec::new();
        for (entity, &all) in (0_u32..).zip(&order) {
            let kind = entity_kind(all);
            for own in all {
                let column = columns.number(ColumnParts::of(own, kind));
                sample.push(SampleValue {
                    entity: SampleEntity(entity),
                    column: SourceColumnId(column),
                    value: ValueId(values.number((column, own.value.as_str()))),
                    evidence: evidence.len() as u32,
                });
                evidence.push(own);
            }
        }
        let (columns, column_numbers) = columns.ordered(|column| *column);
        let columns: Vec<SourceColumn> = columns.into_iter().map(ColumnParts::to_column).collect();
        let (values, value_numbers) = values
            .ordered(|(column, text)| (column_numbers[*column as usize], hash::of(text), *text));
        for own in &mut sample {
            own.column = SourceColumnId(column_numbers[own.column.at()]);
            own.value = ValueId(value_numbers[own.value.at()]);
        }
        let of_values: Vec<u32> =
            values.iter().map(|(column, _)| column_numbers[*column as usize]).collect();
        let texts: Vec<&str> = values.into_iter().map(|(_, text)| text).collect();
        let separator = |column: &SourceColumn| rules.separator(&column.name).map(str::to_owned);
        let separators: Vec<Option<String>> = columns.iter().map(separator).collect();
        let (values, formats) = parse(&separators, &of_values, &texts);
        // Evidence of an entity is sorted by place among equal values; a stable sort keeps that.
        sample.sort_by_key(|own| (own.entity, own.column, own.value));
        let cells = cells(&sample, columns.len());
        Self { evidence, columns, formats, separators, values, sample, cells }
    }

    /// The values of a cell.
    pub(crate) fn of(&self, cell: CellRange) -> &[SampleValue] {
        &self.sample[cell.start as usize..cell.end as usize]
    }

    /// A column.
    pub(crate) fn column(&self, id: SourceColumnId) -> &SourceColumn {
        &self.columns[id.at()]
    }

    /// What a value says.
    pub(crate) fn value(&self, id: ValueId) -> &ParsedValue<'a> {
        &self.values[id.at()]
    }

    /// All columns.
    pub(crate) fn ids(&self) -> impl Iterator<Item = SourceColumnId> + use<> {
        (0..self.columns.len() as u32).map(SourceColumnId)
    }
}

/// The address that stands for an entity: the first in the order of the alphabet.
pub(crate) fn address(evidence: &[Evidence]) -> &str {
    evidence.iter().map(|own| own.entity.as_str()).min().unwrap_or_default()
}

/// What kind of entity all this evidence is of: what the surest evidence says, and most of it; empty where nothing says it.
pub(crate) fn entity_kind(evidence: &[Evidence]) -> &str {
    let mut weights: BTreeMap<&str, f64> = BTreeMap::new();
    for own in evidence.iter().filter(|own| own.role == EvidenceRole::Kind) {
        *weights.entry(&own.value).or_default() += own.share();
    }
    let mut best = ("", 0.0);
    for (kind, weight) in weights {
        if weight > best.1 {
            best = (kind, weight);
        }
    }
    best.0
}

/// Reads every value in the format of its column.
fn parse<'a>(
    separators: &[Option<String>],
    of: &[u32],
    texts: &[&'a str],
) -> (Vec<ParsedValue<'a>>, Vec<Format>) {
    let mut start = 0;
    let mut parsed = Vec::with_capacity(texts.len());
    let mut formats = Vec::with_capacity(separators.len());
    for (column, separator) in separators.iter().enumerate() {
        let end = start + of[start..].partition_point(|&own| own as usize == column);
        let format: Format = ColumnReading::of(texts[start..end].iter().copied()).format;
        let own = texts[start..end].par_iter();
        parsed.par_extend(own.map(|text| ParsedValue::read(text, &format, separator.as_deref())));
        formats.push(format);
        start = end;
    }
    (parsed, formats)
}

fn cells(sample: &[SampleValue], columns: usize) -> Vec<Vec<CellRange>> {
    let mut cells = vec![Vec::new(); columns];
    let mut start = 0;
    for own in sample.chunk_by(|a, b| (a.entity, a.column) == (b.entity, b.column)) {
        let end = start + own.len() as u32;
        cells[own[0].column.at()].push(CellRange { entity: own[0].entity, start, end });
        start = end;
    }
    cells
}
