//! Specifications embedded for machines. JSON-LD, microdata and RDFa as one more witness. Only what
//! is written there is given, with the element that holds it.

use quarry_dom::{Attr, Document, NodeId, Tag};
use serde_json::Value;

use super::find::{Spec, SpecMethod, SpecPair};

/// Longer values are descriptions.
const MAX_VALUE_CHARS: usize = 300;
/// Properties that say nothing of the product itself.
const LEFT_OUT: &[&str] = &[
    "@context",
    "@type",
    "@id",
    "name",
    "description",
    "image",
    "url",
    "offers",
    "review",
    "reviews",
    "aggregateRating",
    "mainEntityOfPage",
    "sameAs",
    "price",
    "priceCurrency",
    "availability",
    "ratingValue",
    "reviewCount",
];

/// The product data that a page embeds.
pub fn embedded_specs(document: &Document) -> Vec<Spec> {
    let mut specs = Vec::new();
    for node in document.all().filter(|&node| document.is_element(node)) {
        let script = document.is(node, Tag::SCRIPT)
            && document
                .known_attr(node, Attr::TYPE)
                .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"));
        let item = document.known_attr(node, Attr::ITEMTYPE).is_some_and(is_product)
            || document.attr(node, "typeof").is_some_and(is_product);
        let pairs = if script {
            json_ld(document, node)
        } else if item {
            properties(document, node)
        } else {
            continue;
        };
        if !pairs.is_empty() {
            specs.push(Spec { node, score: 1.0, method: SpecMethod::Embedded, pairs });
        }
    }
    specs
}

fn is_product(kind: &str) -> bool {
    kind.split_whitespace().any(|kind| {
        matches!(
            kind.rsplit(['/', ':', '#']).next(),
            Some("Product" | "IndividualProduct" | "ProductModel" | "Vehicle" | "Car" | "Book")
        )
    })
}

fn pair(
    name: &str,
    value: String,
    node: NodeId,
    attribute: Option<&'static str>,
) -> Option<SpecPair> {
    let value = quarry_dom::fold_whitespace(&value).into_owned();
    let good = !value.is_empty() && value.chars().count() <= MAX_VALUE_CHARS && !name.is_empty();
    good.then(|| SpecPair {
        name: name.to_owned(),
        value,
        name_node: node,
        value_node: node,
        attribute,
        section: None,
        item: 0,
    })
}

/// The properties of products in a script.
fn json_ld(document: &Document, script: NodeId) -> Vec<SpecPair> {
    let Ok(data) = serde_json::from_str::<Value>(document.text_content(script).trim()) else {
        return Vec::new();
    };
    let mut pairs = Vec::new();
    let mut open = vec![&data];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(object) => {
                let typed = match &object.get("@type") {
                    Some(Value::String(kind)) => is_product(kind),
                    Some(Value::Array(kinds)) => {
                        kinds.iter().any(|kind| kind.as_str().is_some_and(is_product))
                    }
                    _ => false,
                };
                if typed {
                    for (name, value) in object {
                        product_property(name, value, script, &mut pairs);
                    }
                } else {
                    open.extend(
                        object.values().filter(|value| value.is_array() || value.is_object()),
                    );
                }
            }
            _ => {}
        }
    }
    pairs
}

fn product_property(name: &str, value: &Value, script: NodeId, pairs: &mut Vec<SpecPair>) {
    if LEFT_OUT.contains(&name) {
        return;
    }
    if let Value::Array(items) = value {
        for item in items {
            product_property(name, item, script, pairs);
        }
        return;
    }
    if name == "additionalProperty" {
        let said = (value["name"].as_str(), written(&value["value"]));
        if let (Some(name), Some(text)) = said {
            pairs.extend(pair(name, with_unit(text, value), script, None));
        }
    } else if let Some(text) = written(value) {
        pairs.extend(pair(name, text, script, None));
    } else if let Some(text) = written(&value["name"]) {
        pairs.extend(pair(name, text, script, None));
    } else if let Some(text) = written(&value["value"]) {
        pairs.extend(pair(name, with_unit(text, value), script, None));
    }
}

fn with_unit(text: String, value: &Value) -> String {
    match value["unitText"].as_str() {
        Some(unit) => format!("{text} {unit}"),
        None => text,
    }
}

fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        _ => None,
    }
}

/// The properties of an item that are not those of an item inside it.
fn properties(document: &Document, item: NodeId) -> Vec<SpecPair> {
    let mut pairs = Vec::new();
    let mut at = item.0 + 1;
    let end = document.subtree_end(item).0;
    while at < end {
        let node = NodeId(at);
        at += 1;
        if !document.is_element(node) {
            continue;
        }
        let name = document
            .known_attr(node, Attr::ITEMPROP)
            .or_else(|| document.known_attr(node, Attr::PROPERTY));
        let inner = document.known_attr(node, Attr::ITEMSCOPE).is_some()
            || document.attr(node, "typeof").is_some();
        if let Some(name) = name
            && !LEFT_OUT.contains(&name)
        {
            let content = document
                .known_attr(node, Attr::CONTENT)
                .filter(|content| !content.trim().is_empty());
            match content {
                Some(content) => {
                    pairs.extend(pair(name, content.to_owned(), node, Some("content")));
                }
                None if !inner => {
                    pairs.extend(pair(name, document.folded_text(node).into_owned(), node, None));
                }
                None => {}
            }
        }
        if inner {
            at = document.subtree_end(node).0;
        }
    }
    pairs
}
