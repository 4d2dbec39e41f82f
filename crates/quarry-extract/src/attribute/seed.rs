//! The seed: what is known before a site is read. Records of other sites, by attribute, each with
//! where it came from (content redundancy, §1.2). A site that was read adds its own records.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Number of a record in a [`SeedDb`], from 0 in the order of addition.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct SeedRecordId(pub u32);

/// Number of an attribute in a [`SeedDb`].
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct SeedAttributeId(pub u32);

impl SeedRecordId {
    /// Its place among the records.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SeedAttributeId {
    /// Its place among the attributes.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One known record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeedRecord {
    /// The site that it was read from, W(r); empty where the seed does not say.
    pub site: String,
    /// The page that it was extracted from; `None` for records of the seed itself.
    pub page: Option<String>,
    /// The record that is the same entity, by resolution, where one was found.
    pub same_as: Option<SeedRecordId>,
    values: BTreeMap<SeedAttributeId, Vec<String>>,
}

impl SeedRecord {
    /// The values of an attribute; empty where the record has none.
    pub fn values(&self, attribute: SeedAttributeId) -> &[String] {
        self.values.get(&attribute).map_or(&[], Vec::as_slice)
    }
}

/// The seed database R. Grows site by site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeedDb {
    attributes: Vec<String>,
    records: Vec<SeedRecord>,
    labels: BTreeMap<(SeedAttributeId, String), u32>,
}

/// What is odd about a seed, though it can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "issue", rename_all = "snake_case")]
pub enum SeedIssue {
    /// There is no record.
    Empty,
    /// There are too few records to tell agreement from chance.
    FewRecords {
        /// How many.
        records: usize,
    },
    /// All records have the same value: it says nothing about an entity.
    SameValue {
        /// The attribute.
        attribute: String,
    },
    /// No record has a value.
    EmptyColumn {
        /// The attribute.
        attribute: String,
    },
    /// Values hold the sign for bytes that could not be read, so their encoding was taken for another one.
    WrongEncoding {
        /// The attribute.
        attribute: String,
        /// Values with that sign.
        values: usize,
    },
}

impl std::fmt::Display for SeedIssue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SeedIssue::Empty => write!(f, "the seed has no records: nothing can be matched"),
            SeedIssue::FewRecords { records: 1 } => {
                write!(
                    f,
                    "the seed has one record: agreement on one page proves little, add more records"
                )
            }
            SeedIssue::FewRecords { records } => {
                write!(
                    f,
                    "the seed has {records} records: positions need more to agree on, add records"
                )
            }
            SeedIssue::SameValue { attribute } => {
                write!(
                    f,
                    "all seed records have the same {attribute:?}: it tells no entity from another"
                )
            }
            SeedIssue::EmptyColumn { attribute } => {
                write!(f, "no seed record has a value of {attribute:?}: it cannot be matched")
            }
            SeedIssue::WrongEncoding { attribute, values } => write!(
                f,
                "{values} values of {attribute:?} hold unreadable characters: save the seed as UTF-8"
            ),
        }
    }
}

/// Fewer records than the support that the paper asks for (β = 10, §3) cannot support anything.
const FEW_RECORDS: usize = 10;

/// The share of a column's values that must be unreadable before the encoding is blamed.
const UNREADABLE_SHARE: f64 = 0.02;

impl SeedDb {
    /// The numbers of the attributes.
    pub fn attribute_ids(&self) -> impl Iterator<Item = SeedAttributeId> + use<> {
        (0..self.attributes.len() as u32).map(SeedAttributeId)
    }

    /// A database with these attributes and no records.
    pub fn new(attributes: impl IntoIterator<Item = String>) -> Self {
        Self { attributes: attributes.into_iter().collect(), ..Self::default() }
    }

    /// The number of an attribute, which is added where it is new.
    pub fn attribute(&mut self, name: &str) -> SeedAttributeId {
        let found = self.attributes.iter().position(|known| known == name);
        let at = found.unwrap_or_else(|| {
            self.attributes.push(name.to_owned());
            self.attributes.len() - 1
        });
        SeedAttributeId(at as u32)
    }

    /// Adds a record. Empty values are left out.
    pub fn add(
        &mut self,
        site: &str,
        page: Option<String>,
        values: impl IntoIterator<Item = (SeedAttributeId, String)>,
    ) -> SeedRecordId {
        let mut record = SeedRecord { site: site.to_owned(), page, ..SeedRecord::default() };
        for (attribute, value) in values {
            let value = quarry_dom::fold_whitespace(&value).into_owned();
            if !value.is_empty() {
                record.values.entry(attribute).or_default().push(value);
            }
        }
        self.records.push(record);
        SeedRecordId(self.records.len() as u32 - 1)
    }

    /// Says that two records tell of one entity.
    pub fn set_same(&mut self, record: SeedRecordId, as_other: Option<SeedRecordId>) {
        self.records[record.index()].same_as = as_other;
    }

    /// Remembers that a site names an attribute with this text.
    pub fn add_label(&mut self, attribute: SeedAttributeId, label: &str) {
        *self.labels.entry((attribute, label.to_owned())).or_default() += 1;
    }

    /// How many sites name the attribute with this text.
    pub fn label_sites(&self, attribute: SeedAttributeId, label: &str) -> u32 {
        self.labels.get(&(attribute, label.to_owned())).copied().unwrap_or(0)
    }

    /// Names of the attributes, by number.
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// All records, by number.
    pub fn records(&self) -> &[SeedRecord] {
        &self.records
    }

    /// The sites that records came from, in order of name.
    pub fn sites(&self) -> Vec<&str> {
        let mut sites: Vec<&str> = self.records.iter().map(|r| r.site.as_str()).collect();
        sites.sort_unstable();
        sites.dedup();
        sites
    }

    /// The records that differ, by number. A record that a site has twice says nothing new the second time.
    pub(crate) fn different(&self) -> Vec<SeedRecordId> {
        let mut met = std::collections::HashSet::new();
        let numbered = (0..).map(SeedRecordId).zip(&self.records);
        let new = numbered.filter(|(_, one)| met.insert((one.site.as_str(), &one.values)));
        new.map(|(number, _)| number).collect()
    }

    /// What is odd about the seed.
    pub fn issues(&self) -> Vec<SeedIssue> {
        let records = self.records.len();
        if records == 0 {
            return vec![SeedIssue::Empty];
        }
        let mut issues = Vec::new();
        if records < FEW_RECORDS {
            issues.push(SeedIssue::FewRecords { records });
        }
        for (name, attribute) in self.attributes.iter().zip(self.attribute_ids()) {
            let all: Vec<&str> = self
                .records
                .iter()
                .flat_map(|record| record.values(attribute))
                .map(String::as_str)
                .collect();
            let attribute = name.clone();
            let unreadable = all.iter().filter(|value| value.contains('\u{fffd}')).count();
            if all.is_empty() {
                issues.push(SeedIssue::EmptyColumn { attribute });
            } else if unreadable as f64 > UNREADABLE_SHARE * all.len() as f64 {
                issues.push(SeedIssue::WrongEncoding { attribute, values: unreadable });
            } else if records >= FEW_RECORDS && all.len() > 1 && all.iter().all(|v| *v == all[0]) {
                issues.push(SeedIssue::SameValue { attribute });
            }
        }
        issues
    }
}
