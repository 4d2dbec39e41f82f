//! Measures how sure values are by source: `train reliability --labels FILE… --projects DIR` compares what finished harvests say
//! with labels, source by source and by how sure they were. A project is `DIR/SITE`, SITE being the folder of the labelled pages.
//!
//! Only columns count that are a labelled attribute, so the table tells whether a value of a wanted column is right.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::spec::key;

/// Labels and harvests to compare.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of labels: `page`, `attribute`, `values`
    #[arg(long, required = true, value_name = "FILE", num_args = 1..)]
    labels: Vec<PathBuf>,
    /// The folder that has a project for each labelled site
    #[arg(long, value_name = "DIR")]
    projects: PathBuf,
}

/// The share of an attribute's labels that a column has, at least, to be that attribute.
const IS_ATTRIBUTE: f64 = 0.5;
/// Parts of the scale of confidence.
const BINS: usize = 5;

/// Values of the labels: attribute, then page.
type Labels = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// A value of a harvest.
struct Told {
    page: String,
    column: String,
    value: String,
    source: String,
    confidence: f64,
}

#[derive(Default)]
struct Bin {
    values: usize,
    right: usize,
    sum: f64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut bins: BTreeMap<(String, usize), Bin> = BTreeMap::new();
    let mut sites = 0;
    for (site, labels) in labels(&args.labels)? {
        let file = args.projects.join(&site).join("tables/values.jsonl");
        if file.is_file() {
            sites += 1;
            compare(&labels, &told(&file)?, &mut bins);
        }
    }
    println!("{sites} sites; values of columns that are a labelled attribute");
    println!("source     confidence  values  said  right");
    for ((source, bin), own) in bins {
        let (from, to) = (bin as f64 / BINS as f64, (bin + 1) as f64 / BINS as f64);
        let (said, right) = (own.sum / own.values as f64, own.right as f64 / own.values as f64);
        println!("{source:<10} {from:.1} to {to:.1}  {:>6}  {said:.2}  {right:.2}", own.values);
    }
    Ok(())
}

fn json_lines(file: &Path) -> Result<Vec<Value>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    text.lines().map(|line| serde_json::from_str(line).context("a line is not JSON")).collect()
}

fn labels(files: &[PathBuf]) -> Result<BTreeMap<String, Labels>> {
    let mut sites: BTreeMap<String, Labels> = BTreeMap::new();
    for file in files {
        for row in json_lines(file)? {
            let path = Path::new(row["page"].as_str().unwrap_or_default());
            let name = |path: Option<&std::ffi::OsStr>| {
                path.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            };
            let site = name(path.parent().and_then(Path::file_name));
            let values = row["values"].as_array().map(Vec::as_slice).unwrap_or_default();
            let values: BTreeSet<String> =
                values.iter().filter_map(Value::as_str).map(key).collect();
            let attribute = row["attribute"].as_str().unwrap_or_default().to_owned();
            let attribute = sites.entry(site).or_default().entry(attribute).or_default();
            attribute.insert(name(path.file_name()), values);
        }
    }
    Ok(sites)
}

fn told(file: &Path) -> Result<Vec<Told>> {
    let rows = json_lines(file)?;
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let told = |row: &Value| Told {
        page: text(row, "page").rsplit('/').next().unwrap_or_default().to_owned(),
        column: text(row, "attribute"),
        value: key(&text(row, "value")),
        source: text(row, "source"),
        confidence: row["confidence"].as_f64().unwrap_or(0.0),
    };
    Ok(rows.iter().map(told).collect())
}

fn compare(labels: &Labels, told: &[Told], bins: &mut BTreeMap<(String, usize), Bin>) {
    for pages in labels.values() {
        let is_right =
            |told: &Told| pages.get(&told.page).is_some_and(|wanted| wanted.contains(&told.value));
        let mut hits: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for told in told.iter().filter(|told| is_right(told)) {
            hits.entry(&told.column).or_default().insert(&told.page);
        }
        let best = hits.iter().max_by_key(|(column, pages)| (pages.len(), *column));
        let Some((&column, met)) = best else { continue };
        if (met.len() as f64) < IS_ATTRIBUTE * pages.len() as f64 {
            continue;
        }
        let of_column = |told: &&Told| told.column == column && pages.contains_key(&told.page);
        for told in told.iter().filter(of_column) {
            let at = ((told.confidence * BINS as f64) as usize).min(BINS - 1);
            let bin = bins.entry((told.source.clone(), at)).or_default();
            bin.values += 1;
            bin.right += usize::from(is_right(told));
            bin.sum += told.confidence;
        }
    }
}
