//! What holds for every template? The order of records does not matter, mining again gives the same bytes, and every
//! record that is no outlier is a full path of the graph.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quarry_dom::{Document, NodeId, Tag};
use quarry_extract::model::Template;
use quarry_extract::template::{Aligner, RecordInput, TemplateConfig, mine};

/// A record by which optional parts it has and its values.
fn record() -> impl Strategy<Value = String> {
    (any::<bool>(), 0..3usize, "[a-z]{3,9}( [a-z]{2,8}){0,4}", 1..900u32, any::<bool>()).prop_map(
        |(badge, tags, name, price, old)| {
            let badge = if badge { "<i>New</i>" } else { "" };
            let old = if old { format!("<s>${}.00</s>", price + 5) } else { String::new() };
            let tags: String = (0..tags).map(|tag| format!("<a href='/t{tag}'>tag{tag}</a>")).collect();
            format!("<h3>{name}</h3>{badge}<p>by <em>{name}</em> and more</p>{old}<b>${price}.00</b><div>{tags}</div>")
        },
    )
}

fn document(records: &[String]) -> Document {
    let items: String = records.iter().map(|record| format!("<li>{record}</li>")).collect();
    Document::from_html(&format!("<ul>{items}</ul>"))
}

fn mined(document: &Document, order: &[usize]) -> (Template, Vec<Vec<NodeId>>) {
    let nodes: Vec<Vec<NodeId>> = document.elements(Tag::LI).map(|item| vec![item]).collect();
    let records: Vec<RecordInput<'_>> =
        order.iter().map(|&at| RecordInput { document, nodes: &nodes[at] }).collect();
    (mine(&records, &TemplateConfig::default()), nodes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn order_does_not_matter(records in prop::collection::vec(record(), 1..12), turn in 0..12usize) {
        let document = document(&records);
        let forwards: Vec<usize> = (0..records.len()).collect();
        let mut other = forwards.clone();
        other.reverse();
        other.rotate_left(turn % records.len());
        let (one, _) = mined(&document, &forwards);
        prop_assert_eq!(&one, &mined(&document, &other).0);
        let bytes = |template: &Template| serde_json::to_string(template).unwrap();
        prop_assert_eq!(bytes(&one), bytes(&mined(&document, &forwards).0));
    }

    #[test]
    fn records_are_full_paths(records in prop::collection::vec(record(), 2..14)) {
        let document = document(&records);
        let order: Vec<usize> = (0..records.len()).collect();
        let (template, nodes) = mined(&document, &order);
        let edges: BTreeSet<(&str, &str)> =
            template.edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
        let aligner = Aligner::new(&template);
        let mut off_path = 0;
        for nodes in &nodes {
            let aligned = aligner.align(RecordInput { document: &document, nodes });
            prop_assert!((0.0..=1.0).contains(&aligned.fit));
            off_path += usize::from(aligned.fit < 1.0);
            let shown = aligned.units.iter().filter(|unit| unit.attribute.is_none());
            let slots: Vec<&str> = shown.map(|unit| unit.slot.as_str()).collect();
            let distinct: BTreeSet<&str> = slots.iter().copied().collect();
            prop_assert_eq!(distinct.len(), slots.len(), "two strings of one record in a slot");
        }
        prop_assert!(off_path <= template.outliers, "{} records off the graph, {} outliers", off_path, template.outliers);
        // No edge points back: slots are numbered in topological order.
        for (from, to) in edges {
            prop_assert!(from.parse::<usize>().unwrap() < to.parse::<usize>().unwrap());
        }
    }
}
