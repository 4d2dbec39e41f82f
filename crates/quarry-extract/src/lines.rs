//! The lines of `quarry records`. Plain data for JSON, as the contract has it.

use quarry_dom::Document;
use serde::Serialize;

use crate::find::{PageRecords, RecordSpan};
use crate::model::{LabelSource, SiteModel};
use crate::region::RegionEvidence;
use crate::template::{DataUnit, UnitReader};
use quarry_value::ValueKind;

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
    /// The same for regions of the page whose records are of one kind.
    pub template: usize,
    /// The records in document order.
    pub records: Vec<RecordLine>,
    /// What the score was made of.
    pub evidence: RegionEvidence,
}

/// A record of a region.
#[derive(Clone, Debug, Serialize)]
pub struct RecordLine {
    /// The XPaths of its nodes.
    pub paths: Vec<String>,
    /// Its shown text, white space folded.
    pub text: String,
    /// How well it fits its template, from 0 to 1.
    pub fit: f64,
    /// Its data units.
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
    /// What kind of value it is.
    pub kind: ValueKind,
    /// The XPath of its node.
    pub path: String,
    /// The attribute that it was read from, if it is not shown text.
    pub attribute: Option<String>,
    /// Where the label was found.
    pub label_source: Option<LabelSource>,
    /// Whether all records that have the slot show the same.
    pub constant: bool,
}

/// The line of a page whose site has no template yet: records without units.
pub fn page_line(document: &Document, found: &PageRecords) -> PageLine {
    unit_line(document, found, &UnitReader::new(&SiteModel::default()))
}

/// The line of a page; its data units are found by the site's templates.
pub fn unit_line(document: &Document, found: &PageRecords, units: &UnitReader<'_>) -> PageLine {
    let xpaths = document.xpaths();
    let unit = |unit: DataUnit| UnitLine {
        slot: unit.slot,
        label: unit.label,
        text: unit.text,
        kind: unit.kind,
        path: xpaths.xpath(unit.node),
        attribute: unit.attribute,
        label_source: unit.label_source,
        constant: unit.constant,
    };
    let mut regions = Vec::with_capacity(found.regions.len());
    for (region, aligned) in found.regions.iter().zip(units.read(document, found.regions.iter())) {
        let record = |(record, aligned): (&RecordSpan, crate::template::Aligned)| RecordLine {
            paths: record.nodes.iter().map(|&node| xpaths.xpath(node)).collect(),
            text: record_text(document, record),
            fit: aligned.fit,
            units: aligned.units.into_iter().map(unit).collect(),
        };
        regions.push(RegionLine {
            path: xpaths.xpath(region.node),
            score: region.score,
            template: region.template,
            records: region.records.iter().zip(aligned).map(record).collect(),
            evidence: region.evidence,
        });
    }
    PageLine { page: found.page.clone(), cluster: found.cluster, regions }
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
