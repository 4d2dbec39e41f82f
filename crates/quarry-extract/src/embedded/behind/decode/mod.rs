//! Reads what scripts work with as JSON: answers in JSON, CSV and XML, and the data that stands in scripts and pages themselves.
//!
//! Nothing is executed, and what is not data is left alone. Whether the page shows what was read is decided elsewhere.

mod literal;
mod table;
mod xml;

use quarry_dom::{Attr, Document, Limits, Tag};
use serde_json::Value;

/// Bytes of an answer that are read.
const MAX_BYTES: usize = 32 << 20;
/// Bytes at the beginning of an answer that say whether it is a page.
const BEGINNING: usize = 1_024;

/// The data of an answer, whatever it is written in. `None` where there is none.
#[must_use]
pub fn read_answer(content: &[u8]) -> Option<Value> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii();
    if content.len() > MAX_BYTES {
        return None;
    }
    match content.first()? {
        b'{' | b'[' => serde_json::from_slice(content).ok().or_else(|| in_code(content)),
        b'<' if is_page(content) => in_page(content),
        b'<' => xml::read(std::str::from_utf8(content).ok()?),
        _ => {
            let text = std::str::from_utf8(content).ok()?;
            table::read(text).or_else(|| in_code(content))
        }
    }
}

fn is_page(content: &[u8]) -> bool {
    let beginning = &content[..content.len().min(BEGINNING)];
    let beginning = String::from_utf8_lossy(beginning).to_ascii_lowercase();
    beginning.contains("<html") || beginning.contains("<!doctype html")
}

/// The literals of a script, in their order.
fn in_code(content: &[u8]) -> Option<Value> {
    let found = literal::literals(std::str::from_utf8(content).ok()?);
    (!found.is_empty()).then_some(Value::Array(found))
}

/// The data in the script elements of a page, in their order.
fn in_page(content: &[u8]) -> Option<Value> {
    let document = Document::parse(content, Some("text/html"), &Limits::default());
    let mut found = Vec::new();
    for script in document.elements(Tag::SCRIPT) {
        let kind = document.known_attr(script, Attr::TYPE).unwrap_or_default().to_ascii_lowercase();
        // What JSON-LD says is read with the page.
        if document.known_attr(script, Attr::SRC).is_some() || kind.contains("ld+json") {
            continue;
        }
        let text = document.text_content(script);
        match serde_json::from_str::<Value>(text.trim()) {
            Ok(data) if data.is_object() || data.is_array() => found.push(data),
            _ => found.extend(literal::literals(&text)),
        }
    }
    (!found.is_empty()).then_some(Value::Array(found))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_list_in_five_ways() {
        let rows = json!([
            { "n": "Lamp", "p": "1" }, { "n": "Chair", "p": "2" }, { "n": "Bed; large", "p": "3" }
        ]);
        let script = "/* made */\nvar a = b == 2, LIST = [{n:'Lamp',p:\"1\"},{n:`Chair`,p:'2'},\n{n:'Bed; large',p:'3'},]; go(LIST)";
        let page =
            format!("<!doctype html><p>x<script>{script}</script><script src=a.js></script>");
        for (text, pointer) in [
            (rows.to_string(), ""),
            ("n;p\nLamp;1\r\n\nChair;2\n\"Bed; large\";3\n".to_owned(), ""),
            ("<?xml version='1.0'?><all><t p='1'><n>Lamp</n></t><t p='2'><n>Chair</n></t><t p='3'><n>Bed; large</n></t></all>".to_owned(), "/t"),
            (script.to_owned(), "/0"),
            (page, "/0"),
        ] {
            let found = read_answer(text.as_bytes()).unwrap();
            assert_eq!(found.pointer(pointer), Some(&rows), "{text}");
        }
    }

    #[test]
    fn what_is_no_data_is_left_alone() {
        for text in
            ["", "hello", "<ul><li>a</li></ul>", "function a(b){return[b,{c:b}]}", "\u{1}\u{2}"]
        {
            assert_eq!(read_answer(text.as_bytes()), None, "{text}");
        }
        assert_eq!(read_answer(&[0xff, 0xfe, 0x00]), None);
    }
}
