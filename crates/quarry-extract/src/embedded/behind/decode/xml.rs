//! Reads XML as JSON: an element is an object of its attributes and children, children of one name are an array.

use serde_json::{Map, Value};

/// The depth of elements that is followed.
const MAX_DEPTH: usize = 64;

/// The content of the outermost element; `None` where there is no XML declaration, so that parts of pages are no data.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut reader = Reader { rest: text.strip_prefix("<?xml")? };
    reader.skip_past("?>")?;
    reader.skip_notes()?;
    let value = reader.element(0)?.1;
    value.is_object().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skip_past(&mut self, mark: &str) -> Option<&'a str> {
        let (before, behind) = self.rest.split_once(mark)?;
        self.rest = behind;
        Some(before)
    }

    /// Skips white space, comments, declarations and instructions.
    fn skip_notes(&mut self) -> Option<()> {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("<!--") {
                self.skip_past("-->")?;
            } else if self.rest.starts_with("<?") {
                self.skip_past("?>")?;
            } else if self.rest.starts_with("<!") && !self.rest.starts_with("<![CDATA[") {
                self.skip_past(">")?;
            } else {
                return Some(());
            }
        }
    }

    /// An element, from its start tag to its end tag: name and content.
    fn element(&mut self, depth: usize) -> Option<(String, Value)> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.rest = self.rest.strip_prefix('<')?;
        let end = self.rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?;
        let name = self.rest[..end].to_owned();
        self.rest = &self.rest[end..];
        let mut object = Map::new();
        let is_empty = loop {
            self.rest = self.rest.trim_start();
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                break true;
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                break false;
            }
            let own = self.skip_past("=")?.trim();
            self.rest = self.rest.trim_start();
            let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            self.rest = &self.rest[1..];
            let value = self.skip_past(if quote == '"' { "\"" } else { "'" })?;
            object.insert(local(own).to_owned(), Value::String(unescaped(value)));
        };
        let text = if is_empty { String::new() } else { self.content(&name, &mut object, depth)? };
        let text = text.trim();
        let value = match (object.is_empty(), text.is_empty()) {
            (true, _) => Value::String(text.to_owned()),
            (false, true) => Value::Object(object),
            (false, false) => {
                object.insert("text".to_owned(), Value::String(text.to_owned()));
                Value::Object(object)
            }
        };
        Some((local(&name).to_owned(), value))
    }

    /// What stands in an element up to its end tag: its text; its children go into `object`.
    fn content(
        &mut self,
        name: &str,
        object: &mut Map<String, Value>,
        depth: usize,
    ) -> Option<String> {
        let mut text = String::new();
        loop {
            if let Some(rest) = self.rest.strip_prefix("<![CDATA[") {
                self.rest = rest;
                text.push_str(self.skip_past("]]>")?);
            } else if let Some(rest) = self.rest.strip_prefix("</") {
                self.rest = rest;
                return (self.skip_past(">")?.trim() == name).then_some(text);
            } else if self.rest.starts_with("<!") || self.rest.starts_with("<?") {
                self.skip_notes()?;
            } else if self.rest.starts_with('<') {
                let (child, value) = self.element(depth + 1)?;
                add(object, child, value);
            } else {
                let end = self.rest.find('<')?;
                text.push_str(&unescaped(&self.rest[..end]));
                self.rest = &self.rest[end..];
            }
        }
    }
}

/// Adds a child; several of one name are an array.
fn add(object: &mut Map<String, Value>, name: String, value: Value) {
    match object.get_mut(&name) {
        Some(Value::Array(all)) => all.push(value),
        Some(first) => *first = Value::Array(vec![first.take(), value]),
        None => {
            object.insert(name, value);
        }
    }
}

/// A name without its namespace.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut found = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        found.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';');
        let meant = end.and_then(|end| meaning(&rest[1..end]));
        match (end, meant) {
            (Some(end), Some(char)) => {
                found.push(char);
                rest = &rest[end + 1..];
            }
            _ => {
                found.push('&');
                rest = &rest[1..];
            }
        }
    }
    found + rest
}

fn meaning(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn elements_are_objects() {
        let text = "<?xml version=\"1.0\"?>\n<!-- a --><!DOCTYPE d><x:d a='1 &amp; 2'><e/><e>&#228;<![CDATA[<b>]]></e><f g=\"h\">i</f></x:d>";
        let expect = json!({ "a": "1 & 2", "e": ["", "ä<b>"], "f": { "g": "h", "text": "i" } });
        assert_eq!(read(text), Some(expect));
    }

    #[test]
    fn broken_xml_is_no_data() {
        for text in ["<a><b/></a>", "<?xml?><a><b></a>", "<?xml?><a b=c/>", "<?xml?><a>"] {
            assert_eq!(read(text), None, "{text}");
        }
        let deep = format!("<?xml?>{}", "<a>".repeat(100_000));
        assert_eq!(read(&deep), None);
    }
}
