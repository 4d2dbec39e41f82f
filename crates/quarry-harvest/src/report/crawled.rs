//! What came of a crawl, as small tables of text: on a terminal and in the report alike.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use quarry_crawl::{IndexReport, ProbeReport, QueryReport, StrategyReport};
use quarry_model::RunReport;

use super::words::asked_again;
use crate::text::{bytes, seconds, shorten, thousands};

/// Attributes and collections of links that are shown.
const SHOWN: usize = 12;

/// A small table of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextTable {
    /// The names of the columns; none where the first column names the rows.
    pub header: Vec<String>,
    /// Columns of numbers.
    pub numbers: Vec<usize>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    pub(super) fn names(header: &[&str]) -> Vec<String> {
        header.iter().map(|&name| name.to_owned()).collect()
    }

    /// Facts by name, without a header.
    #[must_use]
    pub fn facts(rows: Vec<(&str, String)>) -> Self {
        let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
        Self { rows, ..Self::default() }
    }
}

/// The counts of several projects, one in a row.
#[must_use]
pub fn projects_table(projects: &BTreeMap<String, RunReport>) -> TextTable {
    let row = |(name, own): (&String, &RunReport)| {
        let numbers = [own.pages, own.requests, own.failed].map(thousands);
        [vec![name.clone()], numbers.to_vec(), vec![bytes(own.bytes)]].concat()
    };
    let header = TextTable::names(&["project", "pages", "requests", "failed", "received"]);
    TextTable { header, numbers: vec![1, 2, 3], rows: projects.iter().map(row).collect() }
}

/// The counts of a crawl.
#[must_use]
pub fn run_table(project: &str, counts: &RunReport) -> TextTable {
    let mut rows = vec![
        ("project", project.to_owned()),
        ("pages", thousands(counts.pages)),
        ("requests", thousands(counts.requests)),
        ("received", bytes(counts.bytes)),
        ("time", seconds(counts.elapsed_s)),
    ];
    rows.extend(counts.again.as_ref().map(|again| ("again", asked_again(again))));
    let others = [("still queued", counts.queued), ("failed", counts.failed)];
    rows.extend(others.into_iter().filter(|of| of.1 > 0).map(|(name, n)| (name, thousands(n))));
    let lists = [("skipped", &counts.skipped), ("oddities", &counts.issues)];
    rows.extend(lists.into_iter().map(|(name, of)| (name, most_first(of))));
    rows.retain(|(_, text)| !text.is_empty());
    TextTable::facts(rows)
}

/// Counts by name, the largest first.
fn most_first(counts: &BTreeMap<String, u64>) -> String {
    let mut most: Vec<(&String, u64)> = counts.iter().map(|(name, &n)| (name, n)).collect();
    most.retain(|&(_, n)| n > 0);
    most.sort_by_key(|&(name, n)| (Reverse(n), name));
    let texts = most.into_iter().map(|(name, n)| format!("{} {name}", thousands(n)));
    texts.collect::<Vec<_>>().join(", ")
}

/// What came of each site's crawl. The strategy `all` has nothing to say beyond its pages.
#[must_use]
pub fn strategy_tables(report: &StrategyReport) -> Vec<TextTable> {
    match report {
        StrategyReport::All => Vec::new(),
        StrategyReport::Probe(sites) => sites.iter().map(probed).collect(),
        StrategyReport::Query(sites) => sites.iter().flat_map(queried).collect(),
        StrategyReport::Index(sites) => sites.iter().flat_map(walked).collect(),
    }
}

fn walked(site: &IndexReport) -> Vec<TextTable> {
    let number = |n: usize| thousands(n as u64);
    let mut rows = vec![("walked", site.host.clone())];
    if let Some(category) = &site.category {
        let entry = site.entry.as_deref().unwrap_or("no entry page found");
        rows.push(("category", format!("{category}: {entry}")));
    }
    rows.push((
        "pages",
        format!(
            "{}: {} targets ({:.0} %), {} indexes",
            number(site.pages),
            number(site.targets),
            site.precision * 100.0,
            number(site.indexes)
        ),
    ));
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    let mut tables = vec![TextTable::facts(rows)];
    let followed = |leads_to: &str| matches!(leads_to, "targets" | "indexes");
    let rows: Vec<Vec<String>> = site
        .collections
        .iter()
        .filter(|collection| followed(&collection.leads_to))
        .map(|collection| {
            let (leads_to, example) = (collection.leads_to.clone(), &collection.example);
            vec![leads_to, number(collection.links), shorten(example, 80)]
        })
        .take(SHOWN)
        .collect();
    if !rows.is_empty() {
        let header = TextTable::names(&["links to", "links", "for example"]);
        tables.push(TextTable { header, numbers: vec![1], rows });
    }
    tables
}

fn probed(site: &ProbeReport) -> TextTable {
    let number = |n: usize| thousands(n as u64);
    let mut rows = vec![("probed", site.host.clone())];
    if let Some(form) = &site.form {
        rows.push(("search form", form.clone()));
        let queries = site.listed + site.seen + site.nonsense;
        rows.push((
            "queries",
            format!(
                "{}: {} listed words, {} seen on its pages, {} nonsense",
                number(queries),
                number(site.listed),
                number(site.seen),
                number(site.nonsense)
            ),
        ));
        let classes: Vec<String> = site.classes.iter().map(|&pages| number(pages)).collect();
        let text = match classes.as_slice() {
            [] => "none".to_owned(),
            classes => format!(
                "{} in {} classes of pages ({})",
                number(site.answers),
                classes.len(),
                classes.join(", ")
            ),
        };
        rows.push(("answers", text));
        if site.found > 0 {
            rows.push(("led to", format!("{} pages", number(site.found))));
        }
    }
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    TextTable::facts(rows)
}

fn queried(site: &QueryReport) -> Vec<TextTable> {
    let number = |n: usize| thousands(n as u64);
    let total = match site.total {
        Some(total) => format!(" of {} that the site names", thousands(total)),
        None => String::new(),
    };
    let per_request = site.triples as f64 / (site.requests.max(1)) as f64;
    let mut rows = vec![
        ("queried", site.root.clone()),
        ("entities", format!("{}{total}", number(site.entities))),
        (
            "values",
            format!("{} of {} attributes", number(site.triples), number(site.attributes.len())),
        ),
        (
            "queries",
            format!(
                "{} asked, {} of them complete by the site's own count",
                number(site.queries),
                number(site.complete)
            ),
        ),
        ("requests", format!("{}, {per_request:.1} values each", thousands(site.requests))),
        (
            "saved",
            format!(
                "{} combinations of facets, {} other views of the same lists, {} queries met again",
                thousands(site.saved.combinations),
                thousands(site.saved.views),
                thousands(site.saved.equivalent)
            ),
        ),
    ];
    if let Some(hidden) = site.hidden {
        let pages = number(site.details.len());
        let share = (hidden * 100.0).round();
        rows.push((
            "hidden",
            format!("{share} % of the values are on no entity page ({pages} looked at)"),
        ));
    }
    if !site.short.is_empty() {
        let missing: u64 = site.short.iter().map(|(_, missing)| missing).sum();
        rows.push((
            "cut off",
            format!(
                "{} queries lack {} entities: their lists end before that",
                number(site.short.len()),
                thousands(missing)
            ),
        ));
    }
    if !site.rejected.is_empty() {
        let names: Vec<String> = site.rejected.iter().map(|name| shorten(name, 20)).collect();
        rows.push(("no attributes", shorten(&names.join(", "), 160)));
    }
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    let mut tables = vec![TextTable::facts(rows)];
    if !site.attributes.is_empty() {
        let header = TextTable::names(&["attribute", "values", "pairs"]);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for attribute in site.attributes.iter().take(SHOWN) {
            let name = shorten(&attribute.name, 40);
            rows.push(vec![name, number(attribute.values), number(attribute.pairs)]);
        }
        if site.attributes.len() > SHOWN {
            let more = format!("… {} more attributes", site.attributes.len() - SHOWN);
            rows.push(vec![more, String::new(), String::new()]);
        }
        tables.push(TextTable { header, numbers: vec![1, 2], rows });
    }
    tables
}
