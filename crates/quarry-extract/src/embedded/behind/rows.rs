//! The rows of a page's main list, for comparison with records of data.

use std::collections::BTreeSet;

use quarry_dom::Document;
use serde_json::Value;
use url::Url;

use super::{RecordSource, records_at};
use crate::links::read_links;
use crate::page::hash;

/// The texts of each row of the list that answers.
#[derive(Debug, Clone, Default)]
pub struct ListRows(Vec<BTreeSet<u64>>);

impl ListRows {
    /// The rows that a document lists.
    #[must_use]
    pub fn of(document: &Document, address: &Url) -> Self {
        let map = read_links(document, address);
        let records = map.regions.first().map(|region| &region.records);
        let texts = |nodes: &[quarry_dom::NodeId]| {
            let inner = nodes.iter().flat_map(|&node| document.subtree(node));
            inner.map(|node| hash::of(document.folded_text(node).trim())).collect()
        };
        Self(records.into_iter().flatten().map(|record| texts(&record.nodes)).collect())
    }

    /// Whether most rows show what tells a record of the data apart.
    #[must_use]
    pub fn are_of(&self, source: &RecordSource, json: &Value) -> bool {
        let records = records_at(json, &source.pointer);
        let keys = records.iter().filter_map(|record| record.value(&source.key));
        let keys: BTreeSet<u64> = keys.map(|key| hash::of(key.trim())).collect();
        let own = self.0.iter().filter(|texts| !texts.is_disjoint(&keys)).count();
        2 * own > self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{ShownPage, find_source};
    use super::*;

    #[test]
    fn a_menu_is_not_what_a_page_lists() {
        let menu = ["Home page", "About us", "Contact", "Imprint"];
        let links: String = menu.iter().map(|name| format!("<a href=/{name}>{name}</a>")).collect();
        let rows: String = (0..20)
            .map(|n| format!("<li><a href=/t/{n}>Thing {n}</a><p>Acme</p><p>{n} kg</p></li>"))
            .collect();
        let html = format!("<nav>{links}</nav><h1>Things</h1><ul>{rows}</ul>");
        let (document, url) = (Document::from_html(&html), Url::parse("http://h/").unwrap());
        let shown = ShownPage::of(&document, &url);
        let list = ListRows::of(&document, &url);
        let things: Vec<Value> =
            (0..20).map(|n| json!({ "id": n, "t": format!("Thing {n}") })).collect();
        let names: Vec<Value> = menu.iter().map(|name| json!({ "name": name, "x": 1 })).collect();
        for (json, expect) in [(json!(things), true), (json!(names), false)] {
            let source = find_source(&json, &shown).unwrap();
            assert_eq!(list.are_of(&source, &json), expect, "{json}");
        }
    }
}
