//! Nested objects as names and values: the last part of a path that says something names the value.

use serde_json::Value;

use super::EmbeddedField;
use quarry_dom::{NodeId, fold_whitespace};

/// Deeper values say nothing of the thing itself.
const MAX_DEPTH: usize = 4;
/// Values of a thing that are read, at most.
const MAX_FIELDS: usize = 400;
/// Longer values are cut: descriptions and articles are kept by their beginning.
const MAX_VALUE_CHARS: usize = 4_000;

/// Parts of a path that only say that there is a value; the part above names it.
const PLAIN_PARTS: [&str; 6] = ["name", "value", "@value", "text", "id", "label"];

/// A JSON object as fields of a thing.
pub(super) struct Flatten {
    pub(super) node: NodeId,
    pub(super) fields: Vec<EmbeddedField>,
}

impl Flatten {
    /// Adds the properties of an object; `path` has the names above it, `pointer` its place.
    pub(super) fn object(
        &mut self,
        object: &serde_json::Map<String, Value>,
        path: &mut Vec<String>,
        pointer: &str,
    ) {
        // A named value, such as schema.org's PropertyValue, is named by its data.
        if let (Some(Value::String(name)), Some(value)) = (object.get("name"), object.get("value"))
            && object.get("@type").is_some()
            && let Some(text) = scalar(value)
        {
            let unit = object.get("unitText").and_then(Value::as_str).unwrap_or_default();
            let text = if unit.is_empty() { text } else { format!("{text} {unit}") };
            return self.add(name.clone(), &text, format!("{pointer}/value"));
        }
        for (name, value) in object {
            // Keywords of JSON-LD, such as types and references, are no data.
            if name.starts_with('@') && name != "@value" {
                continue;
            }
            path.push(name.clone());
            self.value(value, path, &format!("{pointer}/{}", escaped(name)));
            path.pop();
        }
    }

    fn value(&mut self, value: &Value, path: &mut Vec<String>, pointer: &str) {
        if self.fields.len() >= MAX_FIELDS {
            return;
        }
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.item(item, items.len(), path, &format!("{pointer}/{at}"));
                }
            }
            Value::Object(object) if path.len() < MAX_DEPTH => self.object(object, path, pointer),
            Value::Object(_) => {}
            other => {
                if let Some(text) = scalar(other) {
                    self.add(readable_name(path), &text, pointer.to_owned());
                }
            }
        }
    }

    /// One of several values: of an object only what it is called; one of one is the thing itself.
    fn item(&mut self, item: &Value, of: usize, path: &mut Vec<String>, pointer: &str) {
        let Value::Object(object) = item else { return self.value(item, path, pointer) };
        let is_named_value = object.contains_key("value") && object.contains_key("name");
        if of == 1 || is_named_value {
            if path.len() < MAX_DEPTH {
                self.object(object, path, pointer);
            }
            return;
        }
        let text = |key: &str| Some((key.to_owned(), scalar(object.get(key)?)?));
        if let Some((key, text)) = ["text", "name"].into_iter().find_map(text) {
            self.add(readable_name(path), &text, format!("{pointer}/{key}"));
        } else if let Some(Value::Array(steps)) = object.get("itemListElement") {
            for (at, step) in steps.iter().enumerate() {
                self.item(
                    step,
                    steps.len().max(2),
                    path,
                    &format!("{pointer}/itemListElement/{at}"),
                );
            }
        } else if path.len() < MAX_DEPTH {
            self.object(object, path, pointer);
        }
    }

    fn add(&mut self, name: String, text: &str, pointer: String) {
        let value = visible_text(text);
        if value.is_empty() || name.is_empty() || self.fields.len() >= MAX_FIELDS {
            return;
        }
        let value: String = value.chars().take(MAX_VALUE_CHARS).collect();
        let field =
            EmbeddedField { name, value, node: self.node, pointer: Some(pointer), attribute: None };
        self.fields.push(field);
    }
}

/// The text of a value: mark-up inside it read as HTML would be, white space folded.
pub(super) fn visible_text(text: &str) -> String {
    if text.contains('<') || text.contains('&') {
        let document = quarry_dom::Document::from_html(text);
        return document.folded_text(NodeId::ROOT).into_owned();
    }
    fold_whitespace(text).trim().to_owned()
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(written(number)),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Digits of a binary fraction that hold what was meant; what follows is noise of arithmetic.
const MEANT_DIGITS: usize = 15;

/// A number as people write it: 35.260000000000005 is 35.26.
fn written(number: &serde_json::Number) -> String {
    let text = number.to_string();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let fraction = number.as_f64().filter(|_| text.contains('.') && !text.contains('e'));
    match fraction {
        Some(value) if digits > MEANT_DIGITS => {
            let whole = text.split('.').next().map_or(0, str::len);
            let text = format!("{value:.*}", MEANT_DIGITS.saturating_sub(whole));
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => text,
    }
}

/// A part of a JSON pointer (RFC 6901).
pub(super) fn escaped(part: &str) -> String {
    part.replace('~', "~0").replace('/', "~1")
}

/// What a person would call the value at a path: the last part that says something, as words.
///
/// ```
/// use quarry_extract::embedded::readable_name;
/// let name = |path: &[&str]| readable_name(&path.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>());
/// assert_eq!(name(&["offers", "price"]), "price");
/// assert_eq!(name(&["author", "name"]), "author");
/// assert_eq!(name(&["aggregateRating", "ratingValue"]), "rating value");
/// assert_eq!(name(&["name"]), "name");
/// ```
#[must_use]
pub fn readable_name(path: &[String]) -> String {
    let says = |part: &&String| !PLAIN_PARTS.contains(&part.as_str());
    let part = path.iter().rev().find(says).or(path.last());
    part.map(|part| words(part)).unwrap_or_default()
}

/// `ratingValue`, `rating_value` and `og:rating-value` as words.
pub(super) fn words(part: &str) -> String {
    let part = part.rsplit(['#', '/']).next().unwrap_or(part);
    let mut words = String::new();
    let mut before: Option<char> = None;
    for char in part.chars() {
        let begins =
            char.is_uppercase() && before.is_some_and(|b| b.is_lowercase() || b.is_ascii_digit());
        if begins || matches!(char, '_' | '-' | ':' | '.' | ' ') {
            words.push(' ');
        }
        if !matches!(char, '_' | '-' | ':' | '.' | ' ') {
            words.extend(char.to_lowercase());
        }
        before = Some(char);
    }
    fold_whitespace(&words).trim().to_owned()
}
