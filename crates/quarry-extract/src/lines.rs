//! What does one line of `quarry records` look like? Plain data for JSON, as the contract has it.

use quarry_dom::Document;
use serde::Serialize;

use crate::find::{PageRecords, RecordSpan};
use crate::region::Evidence;

/// One line: a page and its regions, best first.
#[derive(Clone, Debug, Serialize)]
pub struct PageLine {
    /// The page's id.
    pub page: String,
    /// The cluster that the page belongs to.
    pub cluster: usize,
    /// Answer regions, best first.
    pub regions: Vec<RegionLine>,
}

/// A region of a page.
#[derive(Clone, Debug, Serialize)]
pub struct RegionLine {
    /// The XPath of the smallest element around all records.
    pub path: String,
    /// How likely it is the answer, from 0 to 1.
    pub score: f64,
    /// The records in document order.
    pub records: Vec<RecordLine>,
    /// What the score was made of.
    pub evidence: Evidence,
}

/// A record of a region.
#[derive(Clone, Debug, Serialize)]
pub struct RecordLine {
    /// The XPaths of its nodes.
    pub paths: Vec<String>,
    /// Its shown text, white space folded.
    pub text: String,
    /// Its data units; empty until a template is mined.
    pub units: Vec<UnitLine>,
}

/// A data unit of a record.
#[derive(Clone, Debug, Serialize)]
pub struct UnitLine {
    /// The same id for the same data unit in every record of the site.
    pub slot: String,
    /// The template text that names it.
    pub label: Option<String>,
    /// Its text, white space folded.
    pub text: String,
    /// text, number, date, price or link.
    pub kind: String,
    /// The XPath of its node.
    pub path: String,
    /// The attribute that it was read from, if it is not shown text.
    pub attribute: Option<String>,
}

/// The line of a page.
pub fn page_line(document: &Document, found: &PageRecords) -> PageLine {
    let xpaths = document.xpaths();
    let record = |record: &RecordSpan| RecordLine {
        paths: record.nodes.iter().map(|&node| xpaths.xpath(node)).collect(),
        text: record_text(document, record),
        units: Vec::new(),
    };
    let regions = found.regions.iter().map(|region| RegionLine {
        path: xpaths.xpath(region.node),
        score: region.score,
        records: region.records.iter().map(record).collect(),
        evidence: region.evidence,
    });
    PageLine { page: found.page.clone(), cluster: found.cluster, regions: regions.collect() }
}

/// The shown text of a record, its nodes parted by a space.
pub fn record_text(document: &Document, record: &RecordSpan) -> String {
    let mut text = String::new();
    for &node in &record.nodes {
        let before = text.len();
        document.push_folded_text(node, &mut text);
        if before > 0 && text.len() > before {
            text.insert(before, ' ');
        }
    }
    text
}
