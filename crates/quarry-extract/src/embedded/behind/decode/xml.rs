//! Reads XML as JSON: an element is an object of its attributes and children, children of one name are an array.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use serde_json::{Map, Value};

/// The depth of elements that is followed.
const MAX_DEPTH: usize = 64;

/// An element that has not ended.
struct OpenElement {
    name: String,
    object: Map<String, Value>,
    text: String,
}

/// The content of the outermost element; `None` where there is no XML declaration, so that parts of pages are no data.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut reader = Reader::from_str(text);
    let Event::Decl(_) = reader.read_event().ok()? else { return None };
    let mut open: Vec<OpenElement> = Vec::new();
    loop {
        let ended = match reader.read_event().ok()? {
            Event::Start(start) if open.len() <= MAX_DEPTH => {
                open.push(OpenElement::of(&start)?);
                None
            }
            Event::Empty(start) => Some(OpenElement::of(&start)?),
            Event::End(_) => open.pop(),
            Event::Text(text) => {
                if let Some(last) = open.last_mut() {
                    last.text.push_str(&text.xml10_content());
                }
                None
            }
            Event::GeneralRef(name) => {
                if let Some(last) = open.last_mut() {
                    add_reference(&mut last.text, &name)?;
                }
                None
            }
            Event::CData(text) => {
                open.last_mut()?.text.push_str(&text.xml10_content());
                None
            }
            Event::Start(_) | Event::Eof => return None,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => None,
        };
        let Some(element) = ended else { continue };
        let (name, value) = element.end();
        match open.last_mut() {
            Some(around) => add(&mut around.object, name, value),
            None => return value.is_object().then_some(value),
        }
    }
}

impl OpenElement {
    fn of(start: &BytesStart<'_>) -> Option<Self> {
        let mut object = Map::new();
        for attribute in start.attributes() {
            let attribute = attribute.ok()?;
            // A value with an entity that is not known stays as it is written.
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.unwrap_or_else(|_| attribute.value.clone());
            object.insert(attribute.key.local_name().as_ref().to_owned(), (*value).into());
        }
        let name = start.local_name().as_ref().to_owned();
        Some(Self { name, object, text: String::new() })
    }

    fn end(self) -> (String, Value) {
        let Self { name, mut object, text } = self;
        let text = text.trim();
        if object.is_empty() {
            return (name, text.into());
        }
        if !text.is_empty() {
            object.insert("text".to_owned(), text.into());
        }
        (name, Value::Object(object))
    }
}

/// Adds the character that a reference means; one that is not known stays as it is written.
fn add_reference(text: &mut String, name: &BytesRef<'_>) -> Option<()> {
    if let Some(char) = name.resolve_char_ref().ok()? {
        text.push(char);
        return Some(());
    }
    match resolve_predefined_entity(name) {
        Some(meant) => text.push_str(meant),
        None => text.extend(["&", name, ";"]),
    }
    Some(())
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
