//! The fields that each record of a list has just once. They are what tells its records apart
//! (`docs/algorithms/record.md`, anchors), in words that a reader finds again in the page.

use std::collections::BTreeMap;

use quarry_dom::{Document, NodeId};

use crate::find::RecordSpan;

/// Records looked at; a list of thousands is told by its first.
const LOOKED_AT: usize = 200;

/// A field and in how many of the records looked at it occurs just once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Single {
    /// Names and first classes of the last two elements around the text: `h3/a.title`.
    pub(crate) name: String,
    pub(crate) records: usize,
}

/// Fields that occur just once in more than half of the records, most frequent first, then in the
/// order of the page; and the number of records looked at.
pub(crate) fn single_fields(document: &Document, records: &[RecordSpan]) -> (Vec<Single>, usize) {
    let looked_at = &records[..records.len().min(LOOKED_AT)];
    let mut once: BTreeMap<String, (usize, NodeId)> = BTreeMap::new();
    for record in looked_at {
        let mut counts: BTreeMap<String, (usize, NodeId)> = BTreeMap::new();
        for &root in &record.nodes {
            for node in document.subtree(root) {
                let shown = document.is_text(node) && !document.is_hidden(node);
                if shown && !document.text(node).trim().is_empty() {
                    counts.entry(field_name(document, root, node)).or_insert((0, node)).0 += 1;
                }
            }
        }
        for (name, (count, node)) in counts {
            if count == 1 {
                once.entry(name).or_insert((0, node)).0 += 1;
            }
        }
    }
    let mut fields: Vec<(usize, NodeId, String)> =
        once.into_iter().map(|(name, (count, node))| (count, node, name)).collect();
    fields.retain(|(count, ..)| 2 * count > looked_at.len());
    fields.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    let single = |(records, _, name)| Single { name, records };
    (fields.into_iter().map(single).collect(), looked_at.len())
}

fn field_name(document: &Document, root: NodeId, text: NodeId) -> String {
    let inside = document.ancestors(text).take_while(|&node| node >= root && node != NodeId::ROOT);
    let mut steps: Vec<String> = inside.take(2).map(|node| step(document, node)).collect();
    steps.reverse();
    if steps.is_empty() { "text".to_owned() } else { steps.join("/") }
}

/// A name and its first class without digits (those are ids).
fn step(document: &Document, node: NodeId) -> String {
    let name = document.tag_name(node);
    let mut classes = document.classes(node);
    match classes.find(|class| !class.bytes().any(|byte| byte.is_ascii_digit())) {
        Some(class) => format!("{name}.{class}"),
        None => name.to_owned(),
    }
}
