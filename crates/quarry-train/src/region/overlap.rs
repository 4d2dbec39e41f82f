//! Counts how far a list agrees with labelled lists by the leaves that records hold: `lists.jsonl`, where a page's leaves are
//! given by path and a record is a set of leaves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use quarry_dom::{Document, NodeId};
use quarry_extract::find::RecordSpan;
use serde_json::Value;

use super::labels::{LabelledPage, LabelledSite, PageLabels};

/// Records of a kind, and leaves of a record on average, that make a list.
const MIN_RECORDS: usize = 3;
const MIN_LEAVES: f64 = 2.0;

/// The labelled main list of a page.
pub(super) struct MainList {
    leaves: Vec<String>,
    /// The positions of each record's leaves.
    records: Vec<BTreeSet<usize>>,
}

/// Every page of the collection as a site of its own.
pub(super) fn read(data: &Path) -> Result<Vec<LabelledSite>> {
    let file = data.join("lists.jsonl");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read the labels in {}", file.display()))?;
    let collection = data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut sites = Vec::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).context("a label is not JSON")?;
        let (Some(page), Some(list)) = (row["page"].as_str(), main_list(&row)) else { continue };
        let labels = Some(PageLabels::List(list));
        let page = LabelledPage { id: page.to_owned(), file: data.join(page), labels };
        sites.push(LabelledSite { collection: collection.clone(), pages: vec![page] });
    }
    Ok(sites)
}

/// The kind of records with most leaves, boilerplate aside.
fn main_list(row: &Value) -> Option<MainList> {
    let leaves: Vec<String> =
        row["leaves"].as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let mut records: Vec<BTreeSet<usize>> = Vec::new();
    for record in row["records"].as_array()? {
        let own: BTreeSet<usize> =
            record.as_array()?.iter().filter_map(Value::as_u64).map(|at| at as usize).collect();
        if !own.is_empty() && !records.contains(&own) {
            records.push(own);
        }
    }
    let mut kinds: BTreeMap<String, Vec<BTreeSet<usize>>> = BTreeMap::new();
    for record in records {
        let first = record.first().and_then(|&at| leaves.get(at))?;
        if !is_boilerplate(first) {
            kinds.entry(common_path(&record, &leaves)).or_default().push(record);
        }
    }
    let size = |kind: &Vec<BTreeSet<usize>>| kind.iter().map(BTreeSet::len).sum::<usize>();
    let whole = kinds.into_values().filter(|kind| {
        kind.len() >= MIN_RECORDS && size(kind) as f64 >= MIN_LEAVES * kind.len() as f64
    });
    let records = whole.max_by_key(size)?;
    Some(MainList { leaves, records })
}

fn is_boilerplate(path: &str) -> bool {
    let names = path.split('/').map(|step| step.split('[').next().unwrap_or_default());
    names.into_iter().any(|name| matches!(name, "nav" | "footer" | "select" | "option" | "header"))
}

/// The path to the deepest element around a record, without indices.
fn common_path(record: &BTreeSet<usize>, leaves: &[String]) -> String {
    let paths: Vec<Vec<&str>> = record.iter().map(|&at| leaves[at].split('/').collect()).collect();
    let shared = (0..paths[0].len())
        .take_while(|&at| paths.iter().all(|path| path.get(at) == Some(&paths[0][at])));
    let names = shared.map(|at| paths[0][at].split('[').next().unwrap_or_default());
    names.collect::<Vec<&str>>().join("/")
}

/// Finds the leaves of output records.
pub(super) struct LeafIndex<'a> {
    document: &'a Document,
    /// Elements that are leaves, in document order, with their positions in the labels.
    leaves: Vec<(NodeId, usize)>,
    truth: &'a [BTreeSet<usize>],
}

impl<'a> LeafIndex<'a> {
    pub(super) fn new(document: &'a Document, list: &'a MainList) -> Self {
        let wanted: BTreeMap<&str, usize> =
            list.leaves.iter().enumerate().map(|(at, path)| (path.as_str(), at)).collect();
        let mut leaves = Vec::new();
        let elements = document.all().filter(|&node| document.tag(node).is_some());
        for node in elements {
            let path = document.xpath(node);
            let steps: Vec<&str> =
                path.split('/').map(|step| step.strip_suffix("[1]").unwrap_or(step)).collect();
            leaves.extend(wanted.get(steps.join("/").as_str()).map(|&at| (node, at)));
        }
        Self { document, leaves, truth: &list.records }
    }

    /// How many records are labelled.
    pub(super) fn wanted(&self) -> usize {
        self.truth.len()
    }

    /// The sum of overlaps of output records with the labelled ones, matched one to one, and how many records have leaves.
    pub(super) fn overlap(&self, records: &[RecordSpan]) -> (f64, usize) {
        let output: Vec<BTreeSet<usize>> = records
            .iter()
            .map(|record| self.leaves_of(record))
            .filter(|own| !own.is_empty())
            .collect();
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        let mut holders: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, record) in self.truth.iter().enumerate() {
            for &leaf in record {
                holders.entry(leaf).or_default().push(at);
            }
        }
        for (at, record) in output.iter().enumerate() {
            let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
            for other in record.iter().filter_map(|leaf| holders.get(leaf)).flatten() {
                *shared.entry(*other).or_default() += 1;
            }
            for (other, shared) in shared {
                let all = record.len() + self.truth[other].len() - shared;
                pairs.push((shared as f64 / all as f64, at, other));
            }
        }
        pairs.sort_by(|one, two| two.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(two.1, two.2))));
        let (mut used, mut met, mut sum) = (BTreeSet::new(), BTreeSet::new(), 0.0);
        for (share, at, other) in pairs {
            if !used.contains(&at) && !met.contains(&other) {
                used.insert(at);
                met.insert(other);
                sum += share;
            }
        }
        (sum, output.len())
    }

    fn leaves_of(&self, record: &RecordSpan) -> BTreeSet<usize> {
        let mut own = BTreeSet::new();
        for &node in &record.nodes {
            let from = self.leaves.partition_point(|leaf| leaf.0 < node);
            let end = self.document.subtree_end(node);
            own.extend(
                self.leaves[from..].iter().take_while(|leaf| leaf.0 < end).map(|leaf| leaf.1),
            );
        }
        own
    }
}
