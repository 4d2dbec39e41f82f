//! What a user expects of a site's table (the section `[expect]` of `quarry.toml`), and whether the table meets it.

use std::collections::BTreeMap;

use quarry_extract::site::SiteFit;
use quarry_model::{ColumnRow, EntityCell, EntityState, ModelStore, PortError, TableReader};
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::HarvestError;
use crate::harvest::HarvestStore;
use crate::text::{shorten, thousands};

/// The file in the project's `models` that keeps how well the pages of each site fit.
const FITS: &str = "fit.json";
/// Examples of what is wrong.
const EXAMPLES: usize = 3;
/// The name under which titles are required.
const TITLE: &str = "title";

/// Expectations; what is not said is not expected.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Entities at the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<usize>,
    /// Records that most lists have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records_per_page: Option<Amount>,
    /// Columns that every entity has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// Share of the entities that must have a required column; all where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filled: Option<f64>,
    /// Regular expressions that all values of a column match.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub patterns: BTreeMap<String, String>,
}

impl Expect {
    /// Whether nothing is expected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A number, or the least and the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Amount {
    /// Just so many.
    Exactly(usize),
    /// The least and the most.
    Between([usize; 2]),
}

impl Amount {
    /// Whether a number is as expected.
    #[must_use]
    pub fn holds(self, number: usize) -> bool {
        match self {
            Self::Exactly(own) => own == number,
            Self::Between([least, most]) => (least..=most).contains(&number),
        }
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exactly(own) => write!(f, "{own}"),
            Self::Between([least, most]) => write!(f, "{least} to {most}"),
        }
    }
}

/// An expectation, and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// What is expected, in words.
    pub expected: String,
    /// What was found, in words.
    pub found: String,
    /// Whether that is enough.
    pub is_met: bool,
}

/// A harvest to check.
pub struct CheckedHarvest<'a> {
    tables: &'a dyn TableReader,
    columns: Vec<CheckedColumn>,
    titles: CheckedColumn,
    entities: usize,
    fits: BTreeMap<String, SiteFit>,
}

/// What is checked of a column.
#[derive(Default)]
struct CheckedColumn {
    name: String,
    printed: Vec<String>,
    /// Entities without a value.
    missing: usize,
    /// The first of them.
    examples: Vec<String>,
}

impl CheckedColumn {
    fn of(row: ColumnRow) -> Self {
        Self { name: row.name, printed: row.printed, ..Self::default() }
    }

    fn add(&mut self, entity: &str, has_value: bool) {
        if !has_value {
            self.missing += 1;
            if self.examples.len() < EXAMPLES {
                self.examples.push(entity.to_owned());
            }
        }
    }
}

/// Keeps how well the pages of each site fit, for later checks.
pub(crate) fn keep_fits(
    store: &dyn ModelStore,
    fits: &[(String, SiteFit)],
) -> Result<(), HarvestError> {
    let fits: BTreeMap<&str, &SiteFit> = fits.iter().map(|(site, fit)| (&**site, fit)).collect();
    let text = serde_json::to_string_pretty(&fits).map_err(HarvestError::print("the fit"))?;
    Ok(store.write_model(FITS, &text)?)
}

/// What a harvest does not meet of the expectations, in words.
pub(crate) fn unmet(
    expect: &Expect,
    store: &dyn HarvestStore,
) -> Result<Vec<String>, HarvestError> {
    if expect.is_empty() {
        return Ok(Vec::new());
    }
    let Some(harvested) = CheckedHarvest::of(store, fits(store)?)? else { return Ok(Vec::new()) };
    let lines = check(expect, &harvested)?.into_iter().filter(|line| !line.is_met);
    Ok(lines.map(|line| format!("expected {}, found {}", line.expected, line.found)).collect())
}

fn fits<S: ModelStore + ?Sized>(store: &S) -> Result<BTreeMap<String, SiteFit>, HarvestError> {
    let text = store.read_model(FITS)?.unwrap_or_else(|| "{}".to_owned());
    serde_json::from_str(&text).map_err(|source| {
        let place = store.model_place(FITS);
        HarvestError::Damaged { place, remedy: "harvest again", source }
    })
}

impl<'a> CheckedHarvest<'a> {
    /// The last harvest of a project; `None` if there was none.
    pub fn read<S: ModelStore + TableReader>(store: &'a S) -> Result<Option<Self>, HarvestError> {
        Ok(Self::of(store, fits(store)?)?)
    }

    fn of(
        tables: &'a dyn TableReader,
        fits: BTreeMap<String, SiteFit>,
    ) -> Result<Option<Self>, PortError> {
        let columns = tables.columns()?.into_iter().map(CheckedColumn::of).collect();
        let titles = CheckedColumn::default();
        let mut own = Self { tables, columns, titles, entities: 0, fits };
        let mut is_empty = true;
        tables.each_entity(&mut |row| {
            is_empty = false;
            if row.state != EntityState::Removed {
                own.entities += 1;
                own.titles.add(&row.entity, row.title.is_some());
                for (column, cell) in own.columns.iter_mut().zip(&row.cells) {
                    column.add(&row.entity, *cell != EntityCell::Null);
                }
            }
            Ok(())
        })?;
        Ok((!is_empty).then_some(own))
    }

    /// A column, by its name or one that the site prints.
    fn column(&self, name: &str) -> Option<&CheckedColumn> {
        let is = |other: &String| other.eq_ignore_ascii_case(name);
        let named = self.columns.iter().find(|column| is(&column.name));
        let named =
            named.or_else(|| self.columns.iter().find(|column| column.printed.iter().any(is)));
        named.or_else(|| name.eq_ignore_ascii_case(TITLE).then_some(&self.titles))
    }
}

/// Compares a harvest with the expectations.
pub fn check(
    expect: &Expect,
    harvested: &CheckedHarvest<'_>,
) -> Result<Vec<Expectation>, HarvestError> {
    let mut lines = Vec::new();
    if let Some(least) = expect.entities {
        let found = harvested.entities;
        lines.push(Expectation {
            expected: format!("at least {} entities", thousands(least as u64)),
            found: thousands(found as u64),
            is_met: found >= least,
        });
    }
    if let Some(amount) = expect.records_per_page {
        for (site, fit) in &harvested.fits {
            let found = fit.records_per_page();
            lines.push(Expectation {
                expected: format!("{amount} records on a list"),
                found: found.map_or_else(
                    || format!("no lists ({site})"),
                    |found| format!("{found} on most ({site})"),
                ),
                is_met: found.is_some_and(|found| amount.holds(found)),
            });
        }
    }
    for name in &expect.required {
        lines.push(required(name, expect.filled.unwrap_or(1.0), harvested));
    }
    for (name, pattern) in &expect.patterns {
        lines.push(matching(name, pattern, harvested)?);
    }
    Ok(lines)
}

fn required(name: &str, filled: f64, harvested: &CheckedHarvest<'_>) -> Expectation {
    let expected = match filled >= 1.0 {
        true => format!("{name:?} of every entity"),
        false => format!("{name:?} of {:.0} % of the entities", 100.0 * filled),
    };
    let Some(column) = harvested.column(name) else {
        return Expectation { expected, found: "no such column".to_owned(), is_met: false };
    };
    let share = 1.0 - column.missing as f64 / harvested.entities.max(1) as f64;
    let found = match column.missing {
        0 => "all have it".to_owned(),
        n => format!("{n} of {} lack it: {}", harvested.entities, column.examples.join(", ")),
    };
    Expectation { expected, found, is_met: share >= filled }
}

fn matching(
    name: &str,
    pattern: &str,
    harvested: &CheckedHarvest<'_>,
) -> Result<Expectation, HarvestError> {
    let regex = Regex::new(pattern)
        .map_err(|source| HarvestError::Pattern { column: name.to_owned(), source })?;
    let expected = format!("{name:?} like {pattern}");
    let Some(column) = harvested.column(name) else {
        return Ok(Expectation { expected, found: "no such column".to_owned(), is_met: false });
    };
    let (mut texts, mut odd, mut examples) = (0_u64, 0, Vec::new());
    let mut look = |text: &str| {
        texts += 1;
        if !regex.is_match(text) {
            odd += 1;
            if examples.len() < EXAMPLES {
                examples.push(format!("{:?}", shorten(text, 24)));
            }
        }
    };
    if column.name.is_empty() {
        harvested.tables.each_entity(&mut |row| {
            row.title.iter().for_each(|title| look(title));
            Ok(())
        })?;
    }
    // What stands where a column has figures is kept as a note.
    for attribute in [column.name.clone(), format!("{} (note)", column.name)] {
        harvested.tables.each_value(Some(&attribute), &mut |row| {
            look(&row.value);
            Ok(())
        })?;
    }
    let found = match odd {
        0 => format!("all {}", thousands(texts)),
        n => format!("{n} of {texts} are not: {}", examples.join(", ")),
    };
    Ok(Expectation { expected, found, is_met: odd == 0 })
}

/// Expectations that the table meets as it is, with a tenth of the entities to spare.
#[must_use]
pub fn suggest(harvested: &CheckedHarvest<'_>) -> Expect {
    let CheckedHarvest { columns, titles, entities, fits, .. } = harvested;
    let mut required: Vec<String> = Vec::new();
    if titles.missing == 0 {
        required.push(TITLE.to_owned());
    }
    let full = columns.iter().filter(|column| column.missing == 0 && !column.printed.is_empty());
    required.extend(full.map(|column| column.name.clone()));
    let mut sizes = fits.values().filter_map(SiteFit::records_per_page);
    let size = sizes.next().filter(|size| sizes.all(|other| other == *size));
    Expect {
        entities: Some(entities - entities / 10),
        records_per_page: size.map(Amount::Exactly),
        required,
        filled: None,
        patterns: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_model::{ColumnKind, EntityRow, ValueRow, ValueSource};

    /// Two lamps: both have a price, one a brand.
    struct Lamps;

    impl TableReader for Lamps {
        fn columns(&self) -> Result<Vec<ColumnRow>, PortError> {
            let column = |name: &str| ColumnRow {
                name: name.to_owned(),
                kind: ColumnKind::Text,
                unit: None,
                list: false,
                entities: 0,
                fill: 0.0,
                distinct: 0,
                conflicts: 0,
                sources: Vec::new(),
                names: Vec::new(),
                printed: vec![name.to_owned(), format!("{name} of it")],
                examples: Vec::new(),
                merged: Vec::new(),
                kinds: Vec::new(),
            };
            Ok(vec![column("Price"), column("Brand")])
        }

        fn each_entity(
            &self,
            visit: &mut dyn FnMut(EntityRow) -> Result<(), PortError>,
        ) -> Result<(), PortError> {
            let text = |text: &str| EntityCell::Text(text.to_owned());
            let cells =
                [vec![text("$5.00"), text("Norva")], vec![text("on request"), EntityCell::Null]];
            (1..).zip(cells).try_for_each(|(n, cells)| {
                visit(EntityRow {
                    id: n.to_string(),
                    site: "http://shop.test".to_owned(),
                    entity: format!("http://shop.test/{n}"),
                    entity_kind: String::new(),
                    other_ids: Vec::new(),
                    title: Some(format!("Lamp {n}")),
                    state: EntityState::New,
                    cells,
                })
            })
        }

        fn each_value(
            &self,
            attribute: Option<&str>,
            visit: &mut dyn FnMut(ValueRow) -> Result<(), PortError>,
        ) -> Result<(), PortError> {
            let values = [("Price", "$5.00"), ("Price", "on request"), ("Brand", "Norva")];
            let wanted = values.iter().filter(|(name, _)| attribute.is_none_or(|own| own == *name));
            wanted.clone().try_for_each(|(name, value)| {
                visit(ValueRow {
                    site: String::new(),
                    entity: String::new(),
                    entity_kind: String::new(),
                    attribute: (*name).to_owned(),
                    value: (*value).to_owned(),
                    source: ValueSource::Spec,
                    page: String::new(),
                    path: String::new(),
                    confidence: 1.0,
                })
            })
        }

        fn query_graphs(&self) -> Result<Vec<String>, PortError> {
            Ok(Vec::new())
        }
    }

    fn harvested() -> CheckedHarvest<'static> {
        CheckedHarvest::of(&Lamps, BTreeMap::new()).unwrap().unwrap()
    }

    #[test]
    fn each_expectation_is_checked() {
        let cases = [
            ("entities = 2", true),
            ("entities = 3", false),
            ("required = ['price', 'TITLE', 'Price of it']", true),
            ("required = ['Brand']", false),
            ("required = ['Brand']\nfilled = 0.5", true),
            ("required = ['Weight']", false),
            ("patterns = { Brand = '^[A-Z]' }", true),
            ("patterns = { Price = '^\\$' }", false),
            ("patterns = { Weight = '.' }", false),
        ];
        for (text, is_met) in cases {
            let expect: Expect = toml::from_str(text).unwrap();
            let lines = check(&expect, &harvested()).unwrap();
            assert_eq!(lines.iter().all(|line| line.is_met), is_met, "{text}");
        }
        let expect: Expect = toml::from_str("patterns = { Price = '(' }").unwrap();
        assert!(check(&expect, &harvested()).is_err());
    }

    #[test]
    fn what_is_suggested_is_met() {
        let suggested = suggest(&harvested());
        assert_eq!(suggested.required, ["title", "Price"]);
        assert!(check(&suggested, &harvested()).unwrap().iter().all(|line| line.is_met));
    }
}
