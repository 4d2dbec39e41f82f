//! The lines of `quarry template`. Plain data for JSON, as the contract has it.

use serde::Serialize;

use crate::model::{Slot, Template};

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
    /// The slots with their ids in the site, in an order in which no edge points back, those of attributes last.
    pub slots: Vec<Slot>,
    /// Which slot follows which, and in how many records.
    pub edges: Vec<(String, String, usize)>,
}

/// The line of a template.
pub fn template_line(template: &Template) -> TemplateLine {
    let id = |slot: &str| format!("{}.{slot}", template.template);
    let slot = |slot: &Slot| Slot {
        slot: id(&slot.slot),
        copy_of: slot.copy_of.as_deref().map(id),
        ..slot.clone()
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
