//! Reads labelled records. `records.jsonl` of a collection, in any of its three forms: rows of
//! cells, nodes with named fields, or titles with snippets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quarry_dom::{Document, NodeId};
use serde_json::Value;

/// Pages whose labels were found on the page to a smaller share than this are left out: the labels are damaged.
const LABELS_FOUND: f64 = 0.9;
/// A cell with at least so many letters and digits tells a record, if few others have it.
const TELLING: usize = 8;

/// A site of a labelled collection.
pub(super) struct LabelledSite {
    pub(super) collection: String,
    /// All pages of the site's folder, in the order of their names.
    pub(super) pages: Vec<LabelledPage>,
}

/// A page, and its labels if it has any.
pub(super) struct LabelledPage {
    pub(super) id: String,
    pub(super) file: PathBuf,
    pub(super) labels: Option<PageLabels>,
}

/// The labels of a page.
pub(super) enum PageLabels {
    Records(Vec<Label>),
    List(super::overlap::MainList),
}

/// A record as it is labelled.
pub(super) struct Label {
    cells: Vec<String>,
    /// The cell that tells the record, where the labels say it.
    title: Option<usize>,
    path: String,
}

/// A record as it can be found on its page.
pub(super) struct Truth {
    pub(super) cells: Vec<String>,
    /// Cells of which one must be there.
    pub(super) identities: Vec<String>,
    pub(super) path: String,
}

/// The sites of a collection, by name.
pub(super) fn read(data: &Path) -> Result<Vec<LabelledSite>> {
    if data.join("lists.jsonl").exists() {
        return super::overlap::read(data);
    }
    let file = data.join("records.jsonl");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read the labels in {}", file.display()))?;
    let mut sites: BTreeMap<String, BTreeMap<PathBuf, Vec<Label>>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let row: Value = serde_json::from_str(line)
            .with_context(|| format!("line {} of {} is not JSON", number + 1, file.display()))?;
        let site = row["site"].as_str().or(row["service"].as_str()).unwrap_or_default();
        let share = row["record_match"].as_f64().or(row["title_match"].as_f64()).unwrap_or(1.0);
        let records = row["records"].as_array().map(Vec::as_slice).unwrap_or_default();
        let (Some(page), false) = (row["page"].as_str(), records.is_empty()) else { continue };
        if share >= LABELS_FOUND {
            let labels = records.iter().map(label).collect();
            sites.entry(site.to_owned()).or_default().insert(data.join(page), labels);
        }
    }
    let name = data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    sites.into_values().map(|labelled| whole_site(&name, labelled)).collect()
}

/// The labelled pages and all others in their folders.
fn whole_site(
    collection: &str,
    mut labelled: BTreeMap<PathBuf, Vec<Label>>,
) -> Result<LabelledSite> {
    let folders: BTreeSet<PathBuf> =
        labelled.keys().filter_map(|file| file.parent()).map(Path::to_owned).collect();
    let mut pages = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(&folder)
            .with_context(|| format!("cannot list {}", folder.display()))?;
        let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
        files.retain(|file| {
            file.extension().is_some_and(|ending| ending == "html" || ending == "htm")
        });
        files.sort();
        pages.extend(files.into_iter().map(|file| LabelledPage {
            id: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            labels: labelled.remove(&file).map(PageLabels::Records),
            file,
        }));
    }
    Ok(LabelledSite { collection: collection.to_owned(), pages })
}

fn label(record: &Value) -> Label {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match record {
        Value::Array(cells) => {
            Label { cells: cells.iter().map(text).collect(), title: None, path: String::new() }
        }
        _ if record["xpath"].is_string() => {
            let fields = record["fields"].as_object().into_iter().flatten();
            let shown =
                fields.filter(|(name, _)| !name.ends_with("_url") && !name.contains("image"));
            Label {
                cells: shown.map(|(_, values)| text(&values[0])).collect(),
                title: None,
                path: plain_path(&text(&record["xpath"])),
            }
        }
        _ => Label {
            cells: ["title", "snippet"].map(|name| unescaped(&text(&record[name]))).to_vec(),
            title: Some(0),
            path: String::new(),
        },
    }
}

/// Titles and snippets were stored with character references.
fn unescaped(text: &str) -> String {
    let page = Document::from_html(text);
    page.text_content(NodeId::ROOT).into_owned()
}

/// Letters and digits in lower case: white space, marks and symbols do not matter.
pub(super) fn key(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A path that does not depend on the parser: no `tbody`, no index 1.
pub(super) fn plain_path(path: &str) -> String {
    let steps = path.split('/').map(|step| step.strip_suffix("[1]").unwrap_or(step));
    let kept: Vec<&str> = steps.filter(|step| step.split('[').next() != Some("tbody")).collect();
    kept.join("/")
}

/// What of the labels is on the page.
pub(super) fn on_page(document: &Document, labels: &[Label]) -> Vec<Truth> {
    let page = key(&document.folded_text(NodeId::ROOT));
    let mut truths = Vec::new();
    for label in labels {
        let keys: Vec<String> = label.cells.iter().map(|cell| key(cell)).collect();
        let is_there = |key: &String| !key.is_empty() && page.contains(key.as_str());
        let identities: Vec<String> =
            label.title.map(|at| keys[at].clone()).into_iter().filter(is_there).collect();
        let cells: Vec<String> = keys.into_iter().filter(is_there).collect();
        let told = label.title.is_none() || !identities.is_empty();
        if !label.path.is_empty() || (!cells.is_empty() && told) {
            truths.push(Truth { cells, identities, path: label.path.clone() });
        }
    }
    let mut frequency: BTreeMap<String, usize> = BTreeMap::new();
    for truth in &truths {
        for cell in truth.cells.iter().collect::<BTreeSet<_>>() {
            *frequency.entry(cell.clone()).or_default() += 1;
        }
    }
    for truth in &mut truths {
        if truth.identities.is_empty() {
            truth.identities = identifying(&truth.cells, &frequency);
        }
    }
    truths
}

/// The cells that fewest records share: those long enough to tell, else the longest.
fn identifying(cells: &[String], frequency: &BTreeMap<String, usize>) -> Vec<String> {
    let fewest = cells.iter().map(|cell| frequency[cell]).min().unwrap_or(0);
    let mut rare: Vec<String> =
        cells.iter().filter(|cell| frequency[*cell] == fewest).cloned().collect();
    rare.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
    rare.dedup();
    let telling: Vec<String> =
        rare.iter().filter(|cell| cell.chars().count() >= TELLING).cloned().collect();
    if telling.is_empty() { rare.into_iter().take(1).collect() } else { telling }
}
