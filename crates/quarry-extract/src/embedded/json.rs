//! Things in scripts of JSON-LD: single objects, arrays and graphs; small mistakes of writing are mended.

use quarry_dom::{Attr, Document, NodeId, Tag};
use serde_json::Value;

use super::flatten::Flatten;
use super::{EmbeddedThing, Syntax};

pub(super) fn things(document: &Document) -> Vec<EmbeddedThing> {
    let is_data = |&node: &NodeId| {
        let kind = document.known_attr(node, Attr::TYPE).unwrap_or_default().trim();
        kind.to_ascii_lowercase().starts_with("application/ld+json")
    };
    let scripts = document.elements(Tag::SCRIPT).filter(is_data);
    scripts.flat_map(|script| of_script(document, script)).collect()
}

fn of_script(document: &Document, script: NodeId) -> Vec<EmbeddedThing> {
    let text = document.text_content(script);
    let Some(data) = parse(&text) else { return Vec::new() };
    let mut things = Vec::new();
    let mut open: Vec<(&Value, String)> = vec![(&data, String::new())];
    while let Some((value, pointer)) = open.pop() {
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                open.extend(items.map(|(at, item)| (item, format!("{pointer}/{at}"))));
            }
            Value::Object(object) => {
                if let Some(graph) = object.get("@graph") {
                    open.push((graph, format!("{pointer}/@graph")));
                }
                if let Some(about) = object.get("mainEntity").filter(|about| about.is_object()) {
                    open.push((about, format!("{pointer}/mainEntity")));
                }
                let mut flat = Flatten { node: script, fields: Vec::new() };
                flat.object(object, &mut Vec::new(), &pointer);
                let kind = object.get("@type").and_then(type_of);
                let syntax = Syntax::JsonLd;
                if object.contains_key("@type") {
                    things.push(EmbeddedThing { syntax, kind, node: script, fields: flat.fields });
                }
            }
            _ => {}
        }
    }
    things
}

fn type_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::Array(kinds) => kinds.first()?.as_str()?,
        other => other.as_str()?,
    };
    Some(text.rsplit(['/', ':', '#']).next().unwrap_or(text).to_owned())
}

/// JSON as it stands, or with what people get wrong mended: comments around it, line breaks inside strings, commas
/// before a closing bracket.
pub(super) fn parse(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let text = ["<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA["]
        .into_iter()
        .find_map(|opening| text.strip_prefix(opening))
        .unwrap_or(text);
    let text = ["-->", "//]]>", "/*]]>*/", "]]>"]
        .into_iter()
        .find_map(|ending| text.strip_suffix(ending))
        .unwrap_or(text);
    let text = text.trim().trim_end_matches(';');
    serde_json::from_str(&mended(text)).ok()
}

fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut is_escaped) = (false, false);
    for char in text.chars() {
        if in_string {
            match char {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => {}
                char if char.is_control() => {}
                char => out.push(char),
            }
            in_string = char != '"' || is_escaped;
            is_escaped = char == '\\' && !is_escaped;
            continue;
        }
        if matches!(char, ']' | '}') {
            let kept = out.trim_end().strip_suffix(',').map(str::len);
            if let Some(kept) = kept {
                out.truncate(kept);
            }
        }
        in_string = char == '"';
        is_escaped = false;
        out.push(char);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_mistakes_are_mended() {
        for text in [
            "{\"a\": \"b\nc\",}",
            "<!-- {\"a\": \"b c\"} -->",
            "//<![CDATA[\n{\"a\": \"b c\"}\n//]]>",
            "{\"a\": \"b c\", };",
        ] {
            assert!(parse(text).is_some_and(|data| data["a"].is_string()), "{text}");
        }
        assert_eq!(parse("var a = 1;"), None);
    }
}
