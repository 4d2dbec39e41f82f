//! Things in the data that scripts carry: `application/json`, `__NEXT_DATA__`, `window.state = {…}`; and in `data-*` attributes.
//!
//! Nothing is executed: what stands behind an assignment is read as JSON, or left alone. Such data holds the state of a whole
//! application. Only objects that call something by the page's own name are about its subject.

use quarry_dom::{Attr, Document, NodeId, Tag};
use serde_json::Value;

use super::flatten::{Flatten, visible_text, words};
use super::{EmbeddedField, EmbeddedThing, PageNames, Syntax};

/// How often a script is read over, at most, in search of the ends of brackets that turn out to hold no JSON.
const MAX_READINGS: usize = 32;
/// Values of an object, at the least, that make it a thing.
const MIN_FIELDS: usize = 3;
/// `data-*` attributes of an element that describe a thing, at the least.
const MIN_ATTRIBUTES: usize = 2;
/// The share of the best name's likeness to the page's own that another thing's name must have.
const MIN_LIKENESS_OF_BEST: f64 = 0.9;

/// The things that scripts describe and that are called as the page is.
pub(super) fn things(document: &Document, names: &PageNames) -> Vec<EmbeddedThing> {
    let mut found: Vec<(f64, EmbeddedThing)> = Vec::new();
    for script in document.elements(Tag::SCRIPT) {
        let kind = document.known_attr(script, Attr::TYPE).unwrap_or_default().trim();
        let kind = kind.to_ascii_lowercase();
        if kind.contains("ld+json") || document.known_attr(script, Attr::SRC).is_some() {
            continue;
        }
        let text = document.text_content(script);
        if kind.contains("json") {
            let data = super::json::parse(&text);
            data.iter().for_each(|data| add_objects(script, data, names, &mut found));
        } else if kind.is_empty() || kind.contains("javascript") || kind == "module" {
            for data in assigned(&text) {
                add_objects(script, &data, names, &mut found);
            }
        }
    }
    best(found)
}

/// The things that the `data-*` attributes of an element describe, if one of them has the page's own name.
pub(super) fn attribute_things(document: &Document, names: &PageNames) -> Vec<EmbeddedThing> {
    let mut found = Vec::new();
    for node in document.all().filter(|&node| document.is_element(node)) {
        let own = || {
            document.attrs(node).filter_map(|(name, value)| {
                let name = name.strip_prefix("data-")?;
                (!value.trim().is_empty()).then_some((name, value))
            })
        };
        if own().nth(MIN_ATTRIBUTES - 1).is_none() {
            continue;
        }
        let likeness = own().map(|(_, value)| names.likeness(value)).fold(0.0, f64::max);
        if likeness <= 0.0 {
            continue;
        }
        let fields = own().map(|(name, value)| EmbeddedField {
            name: words(name),
            value: visible_text(value),
            node,
            pointer: None,
            attribute: Some(format!("data-{name}")),
        });
        let fields = fields.filter(|field| !field.value.is_empty() && !is_code(&field.value));
        let (syntax, kind) = (Syntax::Attributes, None);
        found.push((likeness, EmbeddedThing { syntax, kind, node, fields: fields.collect() }));
    }
    best(found)
}

/// The things whose names are most like the page's own.
fn best(found: Vec<(f64, EmbeddedThing)>) -> Vec<EmbeddedThing> {
    let most = found.iter().map(|(likeness, _)| *likeness).fold(0.0, f64::max);
    let good = found.into_iter().filter(|(likeness, _)| *likeness >= MIN_LIKENESS_OF_BEST * most);
    good.map(|(_, thing)| thing).collect()
}

/// Adds the objects that have the page's own name among their values.
fn add_objects(
    script: NodeId,
    data: &Value,
    names: &PageNames,
    found: &mut Vec<(f64, EmbeddedThing)>,
) {
    let mut open: Vec<(&Value, String)> = vec![(data, String::new())];
    while let Some((value, pointer)) = open.pop() {
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                open.extend(items.map(|(at, item)| (item, format!("{pointer}/{at}"))));
            }
            Value::Object(object) => {
                let texts = object.values().filter_map(Value::as_str);
                let likeness = texts.map(|text| names.likeness(text)).fold(0.0, f64::max);
                let plain = object.values().filter(|v| !v.is_object() && !v.is_null()).count();
                if likeness > 0.0 && plain >= MIN_FIELDS {
                    let mut flat = Flatten { node: script, fields: Vec::new() };
                    flat.object(object, &mut Vec::new(), &pointer);
                    flat.fields.retain(|field| !is_code(&field.value));
                    let (syntax, kind) = (Syntax::Script, None);
                    let thing = EmbeddedThing { syntax, kind, node: script, fields: flat.fields };
                    found.push((likeness, thing));
                }
                for (name, inner) in object.iter().rev() {
                    if inner.is_object() || inner.is_array() {
                        let name = name.replace('~', "~0").replace('/', "~1");
                        open.push((inner, format!("{pointer}/{name}")));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a value is written for programs: JSON inside a text.
pub(super) fn is_code(value: &str) -> bool {
    let value = value.trim();
    value.starts_with('{') && value.ends_with('}')
}

/// The JSON objects and arrays that a script assigns to names.
fn assigned(text: &str) -> Vec<Value> {
    let (mut found, mut searched) = (Vec::new(), 0);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(next) = text[at..].find('=') {
        at += next + 1;
        let rest = text[at..].trim_start();
        let begins = text.len() - rest.len();
        if !rest.starts_with(['{', '[']) {
            continue;
        }
        let end = closing(bytes, begins);
        let inside = end.and_then(|end| serde_json::from_str::<Value>(&text[begins..end]).ok());
        let end = end.unwrap_or(text.len());
        if let Some(value) = inside {
            found.push(value);
            at = end;
            continue;
        }
        searched += end - begins;
        if searched > MAX_READINGS * text.len() {
            break;
        }
    }
    found
}

/// The place behind the bracket that closes the one at `from`, strings left alone.
fn closing(bytes: &[u8], from: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The different names of things, for tests.
#[cfg(test)]
fn names_of(things: &[EmbeddedThing]) -> std::collections::BTreeSet<&str> {
    things.iter().flat_map(|thing| &thing.fields).map(|field| field.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Vec<EmbeddedThing> {
        let document = Document::from_html(html);
        let names = PageNames::of(&document);
        let mut found = things(&document, &names);
        found.extend(attribute_things(&document, &names));
        found
    }

    const DATA: &str = r#"{"props":{"user":{"name":"Guest","id":0,"role":"none"},
        "item":{"title":"Red Lamp","price":12.5,"maker":{"name":"Norva"},"tags":["a","b"]},
        "more":[{"title":"Blue Chair","price":8,"stock":1}]}}"#;

    #[test]
    fn the_object_with_the_pages_name_is_read() {
        for html in [
            format!(
                "<title>Red Lamp | Shop</title><script id=__NEXT_DATA__ type=application/json>{DATA}</script>"
            ),
            format!(
                "<h1>Red Lamp</h1><script>var a = b == 2; window.__STATE__ = {DATA}; go()</script>"
            ),
        ] {
            let found = read(&html);
            assert_eq!(found.len(), 1, "{html}");
            assert_eq!(names_of(&found), ["maker", "price", "tags", "title"].into());
        }
    }

    #[test]
    fn scripts_that_are_no_json_are_left_alone() {
        assert!(
            read("<h1>Red Lamp</h1><script>x = {title: \"Red Lamp\", a: 1, b: 2}</script>")
                .is_empty()
        );
    }

    #[test]
    fn data_attributes_of_the_subject_are_read() {
        let found = read(
            "<h1>Red Lamp</h1><div data-name='Red Lamp' data-sku=X1></div><p data-a=1 data-b=2>",
        );
        assert_eq!(names_of(&found), ["name", "sku"].into());
    }
}
