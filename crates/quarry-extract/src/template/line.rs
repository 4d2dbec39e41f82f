//! What does one line of `quarry template` look like? Plain data for JSON, as the contract has it.

use serde::Serialize;

use crate::model::{LabelSource, Slot, Template};
use crate::value::Kind;

/// One line: a template as a graph of slots.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TemplateLine {
    /// The template's number in the site, from 1.
    pub template: usize,
    /// The cluster of pages that it was mined from.
    pub cluster: usize,
    /// The records that it was mined from.
    pub records: usize,
    /// Of them, those that no full path of the graph fits.
    pub outliers: usize,
    /// The slots in an order in which no edge points back, those of attributes last.
    pub slots: Vec<SlotLine>,
    /// Which slot follows which, and in how many records.
    pub edges: Vec<(String, String, usize)>,
}

/// A slot of a template.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotLine {
    /// Its id in the site.
    pub slot: String,
    /// What names it.
    pub label: Option<String>,
    /// Where the label was found.
    pub label_source: Option<LabelSource>,
    /// The kind of most of its values.
    pub kind: Kind,
    /// Records that have it.
    pub support: usize,
    /// Whether records may lack it.
    pub optional: bool,
    /// Whether all records that have it show the same.
    pub constant: bool,
    /// The template string before it.
    pub left: String,
    /// The template string behind it.
    pub right: String,
    /// The attribute that it is read from.
    pub attribute: Option<String>,
    /// Two of its values.
    pub samples: Vec<String>,
}

/// The line of a template.
pub fn template_line(template: &Template) -> TemplateLine {
    let id = |slot: &str| format!("{}.{slot}", template.template);
    let slot = |slot: &Slot| SlotLine {
        slot: id(&slot.slot),
        label: slot.label.clone(),
        label_source: slot.label_source,
        kind: slot.kind,
        support: slot.support,
        optional: slot.optional,
        constant: slot.constant,
        left: slot.left.clone(),
        right: slot.right.clone(),
        attribute: slot.attribute.clone(),
        samples: slot.samples.clone(),
    };
    TemplateLine {
        template: template.template,
        cluster: template.cluster,
        records: template.records,
        outliers: template.outliers,
        slots: template.slots.iter().map(slot).collect(),
        edges: template
            .edges
            .iter()
            .map(|edge| (id(&edge.from), id(&edge.to), edge.support))
            .collect(),
    }
}
