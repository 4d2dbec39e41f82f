//! `quarry check`: is the table what the user expects? The section `[expect]` of the project's `quarry.toml` says what that is.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use quarry_assemble::{Snapshot, SnapshotEntity};
use quarry_extract::site::SiteFit;
use quarry_store::{Project, StoreSettings};
use regex::Regex;

use super::Ending;
use super::harvest::last_table;
use crate::args::CheckArgs;
use crate::config::expect::{Amount, Expect};
use crate::config::{FILE, File};
use crate::printer::{Printer, shorten, thousands};

/// The file in the project's `models` that keeps how well the pages of each site fit.
const FITS: &str = "fit.json";
/// Examples of what is wrong.
const EXAMPLES: usize = 3;
/// The name under which titles are required.
const TITLE: &str = "title";

/// An expectation, and what was found.
struct Line {
    expected: String,
    found: String,
    is_met: bool,
}

/// What there is to check.
struct Harvested {
    table: Snapshot,
    fits: BTreeMap<String, SiteFit>,
}

pub(crate) fn run(args: &CheckArgs, printer: &mut Printer) -> Result<Ending> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let harvested = Harvested::read(&project)?.with_context(|| {
        format!("{} has no table yet; `quarry harvest` makes it", args.project.display())
    })?;
    if args.suggest {
        let text = toml::to_string(&BTreeMap::from([("expect", suggest(&harvested))]))
            .context("cannot print the expectations")?;
        printer.raw(text.as_bytes())?;
        return Ok(Ending::Done);
    }
    let expect = expectations(&args.project)?;
    if expect.is_empty() {
        bail!(
            "{} has no [expect]; `quarry check -p {} --suggest` proposes one from the table as it is",
            args.project.join(FILE).display(),
            args.project.display()
        );
    }
    let lines = check(&expect, &harvested)?;
    let rows = lines.iter().map(|line| {
        let met = if line.is_met { "yes" } else { "NO" };
        vec![met.to_owned(), shorten(&line.expected, 40), shorten(&line.found, 50)]
    });
    printer.table(&["met", "expected", "found"], &[], rows)?;
    let is_met = lines.iter().all(|line| line.is_met);
    Ok(if is_met { Ending::Done } else { Ending::WithFailures })
}

/// Keeps how well the pages of each site fit, for later checks.
pub(super) fn keep_fits(project: &Project, fits: &[(String, SiteFit)]) -> Result<()> {
    let fits: BTreeMap<&str, &SiteFit> = fits.iter().map(|(site, fit)| (&**site, fit)).collect();
    let text = serde_json::to_string_pretty(&fits).context("cannot print the fit")?;
    Ok(project.write_model(FITS, &text)?)
}

/// What a harvest does not meet of its project's expectations, in words.
pub(super) fn unmet(project: &Project, folder: &Path, table: &Snapshot) -> Result<Vec<String>> {
    let expect = expectations(folder)?;
    if expect.is_empty() {
        return Ok(Vec::new());
    }
    let harvested = Harvested::of(project, table.clone())?;
    let lines = check(&expect, &harvested)?.into_iter().filter(|line| !line.is_met);
    Ok(lines.map(|line| format!("expected {}, found {}", line.expected, line.found)).collect())
}

fn expectations(folder: &Path) -> Result<Expect> {
    let path = folder.join(FILE);
    Ok(if path.exists() { File::read(&path)?.expect } else { Expect::default() })
}

impl Harvested {
    fn read(project: &Project) -> Result<Option<Self>> {
        last_table(project)?.map(|table| Self::of(project, table)).transpose()
    }

    fn of(project: &Project, table: Snapshot) -> Result<Self> {
        let text = project.read_model(FITS)?.unwrap_or_else(|| "{}".to_owned());
        let fits = serde_json::from_str(&text).with_context(|| {
            format!("{} is damaged; harvest again", project.model_path(FITS).display())
        })?;
        Ok(Self { table, fits })
    }

    /// The place of a column, by its name or one that the site prints.
    fn column(&self, name: &str) -> Option<usize> {
        let is = |other: &String| other.eq_ignore_ascii_case(name);
        let columns = &self.table.columns;
        let named = columns.iter().position(|column| is(&column.name));
        named.or_else(|| columns.iter().position(|column| column.also.iter().any(is)))
    }

    /// The values of a column: nothing where there is no such column.
    fn values<'a>(&'a self, name: &str) -> Option<Vec<(&'a SnapshotEntity, Vec<&'a String>)>> {
        let column = self.column(name);
        if column.is_none() && !name.eq_ignore_ascii_case(TITLE) {
            return None;
        }
        let of = |entity: &'a SnapshotEntity| match column {
            Some(at) => entity.cells.get(&at).into_iter().flatten().collect(),
            None => entity.title.iter().collect(),
        };
        Some(self.table.entities.iter().map(|entity| (entity, of(entity))).collect())
    }
}

fn check(expect: &Expect, harvested: &Harvested) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    if let Some(least) = expect.entities {
        let found = harvested.table.entities.len();
        lines.push(Line {
            expected: format!("at least {} entities", thousands(least as u64)),
            found: thousands(found as u64),
            is_met: found >= least,
        });
    }
    if let Some(amount) = expect.records_per_page {
        for (site, fit) in &harvested.fits {
            let found = fit.records_per_page();
            lines.push(Line {
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

fn required(name: &str, filled: f64, harvested: &Harvested) -> Line {
    let expected = match filled >= 1.0 {
        true => format!("{name:?} of every entity"),
        false => format!("{name:?} of {:.0} % of the entities", 100.0 * filled),
    };
    let Some(values) = harvested.values(name) else {
        return Line { expected, found: "no such column".to_owned(), is_met: false };
    };
    let missing: Vec<&str> = values
        .iter()
        .filter(|(_, values)| values.is_empty())
        .map(|(entity, _)| entity.addresses.first().map_or("", |address| address))
        .collect();
    let share = 1.0 - missing.len() as f64 / values.len().max(1) as f64;
    let examples = missing[..missing.len().min(EXAMPLES)].join(", ");
    let found = match missing.len() {
        0 => "all have it".to_owned(),
        n => format!("{} of {} lack it: {examples}", n, values.len()),
    };
    Line { expected, found, is_met: share >= filled }
}

fn matching(name: &str, pattern: &str, harvested: &Harvested) -> Result<Line> {
    let regex = Regex::new(pattern)
        .with_context(|| format!("the pattern of {name:?} in [expect.patterns] is not usable"))?;
    let expected = format!("{name:?} like {pattern}");
    let Some(values) = harvested.values(name) else {
        return Ok(Line { expected, found: "no such column".to_owned(), is_met: false });
    };
    let texts: Vec<&String> = values.into_iter().flat_map(|(_, values)| values).collect();
    let odd: Vec<String> = texts
        .iter()
        .filter(|text| !regex.is_match(text))
        .map(|text| format!("{:?}", shorten(text, 24)))
        .collect();
    let examples = odd[..odd.len().min(EXAMPLES)].join(", ");
    let found = match odd.len() {
        0 => format!("all {}", thousands(texts.len() as u64)),
        n => format!("{n} of {} are not: {examples}", texts.len()),
    };
    Ok(Line { expected, found, is_met: odd.is_empty() })
}

/// Expectations that the table meets as it is, with a tenth of the entities to spare.
fn suggest(harvested: &Harvested) -> Expect {
    let Harvested { table, fits } = harvested;
    let entities = table.entities.len();
    let full = |at: usize| table.entities.iter().all(|entity| entity.cells.contains_key(&at));
    let named = |at: &usize| !table.columns[*at].also.is_empty();
    let columns = (0..table.columns.len()).filter(named).filter(|at| full(*at));
    let mut required: Vec<String> = Vec::new();
    if table.entities.iter().all(|entity| entity.title.is_some()) {
        required.push(TITLE.to_owned());
    }
    required.extend(columns.map(|at| table.columns[at].name.clone()));
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
    use quarry_assemble::SnapshotColumn;

    fn harvested() -> Harvested {
        let column = |name: &str| SnapshotColumn {
            name: name.to_owned(),
            also: [name.to_owned(), format!("{name} of it")].into(),
        };
        let entity = |n: usize, cells: &[(usize, &str)]| SnapshotEntity {
            id: n.to_string(),
            site: "http://shop.test".to_owned(),
            addresses: vec![format!("http://shop.test/{n}")],
            title: Some(format!("Lamp {n}")),
            cells: cells.iter().map(|(at, text)| (*at, vec![(*text).to_owned()])).collect(),
        };
        Harvested {
            table: Snapshot {
                columns: vec![column("Price"), column("Brand")],
                entities: vec![
                    entity(1, &[(0, "$5.00"), (1, "Norva")]),
                    entity(2, &[(0, "on request")]),
                ],
            },
            fits: BTreeMap::new(),
        }
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
