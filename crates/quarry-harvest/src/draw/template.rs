//! Turns a record template into boxes and arrows.
//!
//! A box per slot with its label, kind and samples, dashed if records may lack it; arrows say which slot follows which, in
//! which share of the records. Slots of attributes have no order; they stand below.

use std::collections::BTreeMap;

use quarry_extract::model::Slot;
use quarry_extract::template::line::TemplateLine;

use super::{Direction, Graph, GraphEdge, Node, Style};

/// The templates of a site, side by side.
pub fn templates(lines: &[TemplateLine]) -> Graph {
    let records: usize = lines.iter().map(|line| line.records).sum();
    let mut graph = Graph {
        title: match lines.len() {
            1 => format!("Record template, mined from {records} records"),
            count => format!("{count} record templates, mined from {records} records"),
        },
        note: "dashed: not in every record · percentages: records that go this way".to_owned(),
        direction: Direction::Down,
        nodes: Vec::new(),
        edges: Vec::new(),
    };
    for line in lines {
        add(&mut graph, line, lines.len() > 1);
    }
    graph
}

fn add(graph: &mut Graph, line: &TemplateLine, several: bool) {
    let start = graph.nodes.len();
    let name = if several { format!("template {}", line.template) } else { "record".to_owned() };
    graph.nodes.push(terminal(format!("{}.start", line.template), name));
    let mut place = BTreeMap::new();
    for slot in &line.slots {
        place.insert(slot.slot.as_str(), graph.nodes.len());
        graph.nodes.push(node(line, slot));
    }
    let mut share = |from: usize, to: usize, support: usize| {
        let weight = support as f64 / line.records.max(1) as f64;
        let label = format!("{:.0} %", weight * 100.0);
        graph.edges.push(GraphEdge { from, to, label, weight });
    };
    // Records begin at a slot as often as no other comes before it, and end likewise.
    let slots: Vec<&Slot> = line.slots.iter().filter(|slot| slot.attribute.is_none()).collect();
    let [mut entered, mut left] = [BTreeMap::new(), BTreeMap::new()];
    for (from, to, support) in &line.edges {
        *entered.entry(to.as_str()).or_insert(0) += support;
        *left.entry(from.as_str()).or_insert(0) += support;
    }
    let rest = |slot: &Slot, sums: &BTreeMap<&str, usize>| {
        slot.support.saturating_sub(sums.get(slot.slot.as_str()).copied().unwrap_or(0))
    };
    for slot in slots.iter().filter(|slot| rest(slot, &entered) > 0) {
        share(start, place[slot.slot.as_str()], rest(slot, &entered));
    }
    for (from, to, support) in &line.edges {
        if let (Some(&from), Some(&to)) = (place.get(from.as_str()), place.get(to.as_str())) {
            share(from, to, *support);
        }
    }
    let end = start + line.slots.len() + 1;
    for slot in slots.iter().filter(|slot| rest(slot, &left) > 0) {
        share(place[slot.slot.as_str()], end, rest(slot, &left));
    }
    graph.nodes.push(terminal(format!("{}.end", line.template), "end".to_owned()));
}

fn terminal(id: String, heading: String) -> Node {
    Node { id, heading, tag: String::new(), lines: Vec::new(), style: Style::Terminal }
}

fn node(line: &TemplateLine, slot: &Slot) -> Node {
    let heading = match (&slot.label, &slot.attribute) {
        (Some(label), Some(attribute)) => format!("{label} ({attribute})"),
        (Some(label), None) => label.clone(),
        (None, Some(attribute)) => attribute.clone(),
        (None, None) => format!("slot {}", slot.slot),
    };
    let mut lines: Vec<String> =
        slot.samples.iter().take(2).map(|text| format!("“{text}”")).collect();
    if slot.constant {
        lines.push("always the same".to_owned());
    }
    if slot.optional || slot.attribute.is_some() {
        lines.push(format!("in {} of {} records", slot.support, line.records));
    }
    let style = if slot.optional { Style::Dashed } else { Style::Solid };
    Node { id: slot.slot.clone(), heading, tag: slot.kind.to_string(), lines, style }
}
