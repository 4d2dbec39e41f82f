//! The data behind a page: JSON that its scripts fetched, as far as the page shows what it says.
//!
//! An array of the JSON is a source of records if some of them have a value that no other record has and that stands as text on
//! the page. Nothing depends on names: the page is the judge.

mod decode;
mod explain;
mod link;
mod rows;
mod shown;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::NodeId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::EmbeddedField;
use super::flatten::{Flatten, escaped};

pub use decode::read_answer;
pub use explain::{DetailTexts, texts_missing_from_records};
pub use link::{AddressForm, find_address_form};
pub use rows::ListRows;
pub use shown::ShownPage;

/// Records that must be shown, at the least: fewer agree by chance.
pub const MIN_SHOWN: usize = 3;
/// Arrays and objects of an answer that are looked at.
const MAX_LOOKED_AT: usize = 20_000;
/// Records that are compared with the page: those of the largest answers are shown by the thousand nowhere.
const MAX_COMPARED: usize = 5_000;
/// Letters that a value has at least to be told from page numbers and counts by itself.
const MIN_LETTERS: usize = 2;
/// Letters of words that are worth searching for.
const MIN_WORD_LETTERS: usize = 4;

/// Where records stand in the answers of an endpoint, and what tells them apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordSource {
    /// The JSON pointer of the array.
    pub pointer: String,
    /// The field, by its pointer within a record, whose values tell records apart and are shown.
    pub key: String,
    /// The field with what records are called.
    pub title: String,
    /// Whether the texts of links or headings say so; else the key is the title.
    #[serde(default)]
    pub has_names: bool,
    /// How the addresses of the entities' own pages are made from a field, if they have pages.
    pub address: Option<AddressForm>,
    /// Values of records that the page shows.
    pub shown: usize,
}

/// A record of a JSON answer.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonRecord {
    /// Its place in the answer.
    pub pointer: String,
    /// Its fields; their pointers begin with its own.
    pub fields: Vec<EmbeddedField>,
}

impl JsonRecord {
    /// A field's place within the record.
    #[must_use]
    pub fn place<'f>(&self, field: &'f EmbeddedField) -> &'f str {
        field.pointer.as_deref().and_then(|at| at.strip_prefix(&self.pointer)).unwrap_or_default()
    }

    /// The value at a place within the record.
    #[must_use]
    pub fn value(&self, place: &str) -> Option<&str> {
        let field = self.fields.iter().find(|field| self.place(field) == place)?;
        Some(&field.value)
    }
}

/// The records of the array at a pointer, or of the object whose values they are; none if there is neither.
#[must_use]
pub fn records_at(json: &Value, pointer: &str) -> Vec<JsonRecord> {
    match json.pointer(pointer) {
        Some(Value::Array(items)) => items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| record(item, format!("{pointer}/{at}")))
            .collect(),
        Some(Value::Object(object)) if is_map(object) => object
            .iter()
            .filter_map(|(name, item)| record(item, format!("{pointer}/{}", escaped(name))))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether the values of an object are records under their keys: objects that have a field in common.
fn is_map(object: &Map<String, Value>) -> bool {
    let first = object.values().next().and_then(Value::as_object);
    let is_common = |name: &String| {
        object.values().all(|value| value.as_object().is_some_and(|own| own.contains_key(name)))
    };
    object.len() >= MIN_SHOWN && first.is_some_and(|first| first.keys().any(is_common))
}

impl RecordSource {
    /// Takes the field as the key that tells the records of several answers apart. Records whose names nothing says are called by it.
    pub fn choose_key(&mut self, records: Vec<JsonRecord>) {
        let key = key_over(self, records);
        if self.title == self.key && !self.has_names {
            self.title.clone_from(&key);
        }
        self.key = key;
    }
}

/// The field that tells records of several answers apart: the source's own, if it does; else the first one that does, in words
/// if there is one.
fn key_over(source: &RecordSource, mut records: Vec<JsonRecord>) -> String {
    // The same record may stand in several answers.
    let mut known = BTreeSet::new();
    records.retain(|own| {
        let fields = own.fields.iter();
        known.insert(
            fields
                .map(|field| (own.place(field), &*field.value))
                .fold(String::new(), |all, (place, value)| format!("{all}{place}\n{value}\n")),
        )
    });
    let tells_apart = |place: &str| {
        let values: BTreeSet<&str> = records.iter().filter_map(|own| own.value(place)).collect();
        values.len() == records.len()
    };
    if tells_apart(&source.key) {
        return source.key.clone();
    }
    let Some(first) = records.first() else { return source.key.clone() };
    let keys: Vec<&str> = first
        .fields
        .iter()
        .map(|field| first.place(field))
        .filter(|place| tells_apart(place))
        .collect();
    let in_words =
        keys.iter().find(|place| records.iter().all(|own| own.value(place).is_some_and(is_worded)));
    in_words.or(keys.first()).map_or_else(|| source.key.clone(), |place| (*place).to_owned())
}

/// An object, or a row of values, as a record.
#[must_use]
pub fn record(item: &Value, pointer: String) -> Option<JsonRecord> {
    let mut flat = Flatten { node: NodeId::ROOT, fields: Vec::new() };
    match item {
        Value::Object(object) => {
            // An object that holds most of the values is the record itself, wrapped.
            let all = scalars(item);
            let wrapped =
                object.iter().find(|(_, inner)| inner.is_object() && 2 * scalars(inner) > all);
            if let Some((name, Value::Object(inner))) = wrapped {
                flat.object(inner, &mut Vec::new(), &format!("{pointer}/{}", escaped(name)));
                let mut rest = object.clone();
                rest.remove(name);
                flat.object(&rest, &mut Vec::new(), &pointer);
            } else {
                flat.object(object, &mut Vec::new(), &pointer);
            }
        }
        Value::Array(cells) if cells.len() > 1 && !cells.iter().any(Value::is_array) => {
            let row = cells.iter().enumerate().map(|(at, cell)| (at.to_string(), cell.clone()));
            flat.object(&row.collect(), &mut Vec::new(), &pointer);
        }
        _ => return None,
    }
    flat.fields.retain(|field| !super::script::is_code(&field.value));
    (!flat.fields.is_empty()).then_some(JsonRecord { pointer, fields: flat.fields })
}

/// The number of plain values in a value.
fn scalars(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(scalars).sum(),
        Value::Object(object) => object.values().map(scalars).sum(),
        Value::Null => 0,
        _ => 1,
    }
}

/// The array of an answer of whose records the page shows most.
#[must_use]
pub fn find_source(json: &Value, page: &ShownPage) -> Option<RecordSource> {
    let mut open: Vec<(&Value, String)> = vec![(json, String::new())];
    let mut best: Option<RecordSource> = None;
    let mut looked_at = 0;
    while let Some((value, pointer)) = open.pop() {
        looked_at += 1;
        if looked_at > MAX_LOOKED_AT {
            break;
        }
        match value {
            Value::Array(items) => {
                let found = (items.len() >= MIN_SHOWN).then(|| source_at(json, &pointer, page));
                if let Some(found) = found.flatten() {
                    if best.as_ref().is_none_or(|best| found.shown > best.shown) {
                        best = Some(found);
                    }
                    // What is inside a record belongs to it.
                    continue;
                }
                let items = items.iter().enumerate().rev();
                open.extend(items.map(|(at, item)| (item, format!("{pointer}/{at}"))));
            }
            Value::Object(object) => {
                let found = is_map(object).then(|| source_at(json, &pointer, page)).flatten();
                if let Some(found) = found {
                    if best.as_ref().is_none_or(|best| found.shown > best.shown) {
                        best = Some(found);
                    }
                    continue;
                }
                let inner =
                    object.iter().rev().filter(|(_, inner)| inner.is_object() || inner.is_array());
                open.extend(
                    inner.map(|(name, inner)| (inner, format!("{pointer}/{}", escaped(name)))),
                );
            }
            _ => {}
        }
    }
    best
}

/// What is known of a field over all records.
#[derive(Default)]
struct Field<'r> {
    values: BTreeSet<&'r str>,
    records: usize,
    shown: usize,
    /// Where its values stand on the page, as a sum.
    places: u64,
    worded: usize,
}

fn source_at(json: &Value, pointer: &str, page: &ShownPage) -> Option<RecordSource> {
    let mut records = records_at(json, pointer);
    records.truncate(MAX_COMPARED);
    let mut fields: BTreeMap<&str, Field<'_>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for record in &records {
        for field in &record.fields {
            let place = record.place(field);
            let own = fields.entry(place).or_insert_with(|| {
                order.push(place);
                Field::default()
            });
            own.records += 1;
            own.values.insert(&field.value);
            if let Some(place) = page.place(&field.value) {
                own.shown += 1;
                own.places += u64::from(place.0);
            }
            own.worded += usize::from(is_worded(&field.value));
        }
    }
    let is_unique =
        |field: &Field<'_>| field.values.len() == field.records && field.records == records.len();
    let unique: Vec<&str> =
        order.iter().copied().filter(|place| is_unique(&fields[place])).collect();
    // The key that is shown most; of equals one in words, then the one that stands first on the page.
    let key = unique.iter().copied().rev().max_by_key(|place| {
        let field = &fields[place];
        (field.shown, 2 * field.worded > field.records, Reverse(field.places))
    })?;
    let is_shown = |record: &&JsonRecord| {
        let Some(own) = record.value(key).filter(|value| page.shows(value)) else { return false };
        let others = || record.fields.iter().filter(|field| field.value != own);
        is_worded(own) || others().any(|field| page.shows(&field.value))
    };
    let shown: Vec<&JsonRecord> = records.iter().filter(is_shown).collect();
    if shown.len() < MIN_SHOWN {
        return None;
    }
    let address = find_address_form(&shown, &unique, page);
    let values = shown.iter().flat_map(|record| &record.fields);
    let values = values.filter(|field| page.shows(&field.value)).count();
    // What links to entities are called is their title.
    let called = |place: &&str| {
        let own = shown.iter().filter_map(|record| record.value(place));
        own.filter(|value| page.calls(value)).count()
    };
    let titles: Vec<&str> = order
        .iter()
        .copied()
        .filter(|place| {
            fields[place].shown >= MIN_SHOWN && 2 * fields[place].worded > fields[place].records
        })
        .collect();
    let rank = |place: &&str| (called(place) > 0, is_unique(&fields[*place]), called(place));
    let title = titles.iter().rev().copied().max_by_key(rank).filter(|place| called(place) > 0);
    Some(RecordSource {
        pointer: pointer.to_owned(),
        key: key.to_owned(),
        title: title.unwrap_or(key).to_owned(),
        has_names: title.is_some(),
        address,
        shown: values,
    })
}

/// Whether a value has letters, so that it is not shown by chance.
fn is_worded(value: &str) -> bool {
    value.chars().filter(|char| char.is_alphabetic()).nth(MIN_LETTERS - 1).is_some()
}

/// Words of records that are worth searching for: those of most records of the largest array, the most frequent first.
#[must_use]
pub fn frequent_words(json: &Value, most: usize) -> Vec<String> {
    let mut open = vec![json];
    let mut largest: &[Value] = &[];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => {
                if items.len() > largest.len() && items.iter().any(Value::is_object) {
                    largest = items;
                }
                open.extend(items);
            }
            Value::Object(object) => open.extend(object.values()),
            _ => {}
        }
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for item in largest.iter().take(MAX_COMPARED) {
        let own = record(item, String::new());
        let fields = own.iter().flat_map(|own| &own.fields);
        let words = fields.flat_map(|field| field.value.split(|char: char| !char.is_alphabetic()));
        let long = words.filter(|word| word.chars().nth(MIN_WORD_LETTERS - 1).is_some());
        let words: BTreeSet<String> = long.map(str::to_lowercase).collect();
        words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    }
    // Of what every record has, a search finds nothing.
    let mut words: Vec<(String, usize)> =
        counts.into_iter().filter(|(_, count)| *count < largest.len()).collect();
    words.sort_by_key(|(_, count)| Reverse(*count));
    words.into_iter().take(most).map(|(word, _)| word).collect()
}

/// The object of an answer that has all of its values which the page shows: answers wrap what they are about. None where the
/// page shows too few of them.
#[must_use]
pub fn shown_object(json: &Value, page: &ShownPage) -> Option<String> {
    let shown = |value: &Value| -> usize {
        let Some(own) = record(value, String::new()) else { return 0 };
        own.fields.iter().filter(|field| page.shows(&field.value)).count()
    };
    let (mut pointer, mut at) = (String::new(), json);
    let all = shown(at);
    if all < MIN_SHOWN {
        return None;
    }
    while let Value::Object(object) = at {
        let inner = object.iter().find(|(_, inner)| inner.is_object() && shown(inner) == all);
        let Some((name, inner)) = inner else { break };
        pointer = format!("{pointer}/{}", escaped(name));
        at = inner;
    }
    Some(pointer)
}

#[cfg(test)]
mod tests {
    use quarry_dom::Document;
    use serde_json::json;
    use url::Url;

    use super::*;

    fn page(html: &str) -> ShownPage {
        ShownPage::of(&Document::from_html(html), &Url::parse("http://h/list").unwrap())
    }

    fn rows(n: usize) -> Vec<Value> {
        let row = |n: usize| json!({ "id": 7 * n, "label": format!("Thing {n}"), "maker": "Acme", "price": 5 });
        (0..n).map(row).collect()
    }

    #[test]
    fn an_array_whose_records_are_shown_is_a_source() {
        let html: String = (0..4)
            .map(|n| format!("<li><a href=/t/{}.html>Thing {n}</a> <i>Acme</i>", 7 * n))
            .collect();
        let json = json!({ "meta": { "total": 20 }, "answer": { "rows": rows(20) },
            "menu": [{ "a": "x" }, { "a": "y" }, { "a": "z" }] });
        let found = find_source(&json, &page(&html)).unwrap();
        assert_eq!(
            (&*found.pointer, &*found.key, &*found.title),
            ("/answer/rows", "/label", "/label")
        );
        let address = found.address.unwrap();
        let records = records_at(&json, &found.pointer);
        assert_eq!(address.address(&records[19]).as_deref(), Some("http://h/t/133.html"));
        assert_eq!(records[3].fields[2].pointer.as_deref(), Some("/answer/rows/3/maker"));
    }

    #[test]
    fn records_stand_under_their_keys_too() {
        let html: String =
            (0..4).map(|n| format!("<li><a href=/t/{}.html>Thing {n}</a>", 7 * n)).collect();
        let map: Map<String, Value> =
            rows(9).into_iter().enumerate().map(|(n, row)| (format!("k{n}"), row)).collect();
        let json = json!({ "stored": map, "lengths": { "a": [1], "b": [2], "c": [3] } });
        let found = find_source(&json, &page(&html)).unwrap();
        assert_eq!((&*found.pointer, &*found.title), ("/stored", "/label"));
        let records = records_at(&json, "/stored");
        assert_eq!(records.len(), 9);
        assert_eq!(records[2].fields[1].pointer.as_deref(), Some("/stored/k2/label"));
        assert!(records_at(&json, "/lengths").is_empty());
    }

    #[test]
    fn a_key_tells_the_records_of_all_answers_apart() {
        let answer = |first: usize| {
            let row = |n: usize| json!({ "author": format!("Author {}", n % 4), "id": n, "title": format!("Title {n}") });
            json!((first..first + 4).map(row).collect::<Vec<_>>())
        };
        let html: String = (0..4).map(|n| format!("<p>Author {n}</p><p>Title {n}</p>")).collect();
        let source = find_source(&answer(0), &page(&html)).unwrap();
        assert_eq!(source.key, "/author", "one answer does not tell");
        let both = [answer(0), answer(4), answer(4)];
        let records = both.iter().flat_map(|json| records_at(json, "")).collect();
        assert_eq!(key_over(&source, records), "/title");
    }

    #[test]
    fn of_several_keys_in_words_the_one_that_is_shown_first_is_the_title() {
        let row = |n: usize| json!({ "captain": format!("Captain {n}"), "id": n, "name": format!("Ship {n}") });
        let json = json!((0..6).map(row).collect::<Vec<_>>());
        let html = |cells: [&str; 2]| -> String {
            (0..6).map(|n| format!("<tr><td>{} {n}<td>{} {n}", cells[0], cells[1])).collect()
        };
        for (cells, title) in [(["Ship", "Captain"], "/name"), (["Captain", "Ship"], "/captain")] {
            let table = format!("<table>{}</table>", html(cells));
            let source = find_source(&json, &page(&table)).unwrap();
            assert_eq!((&*source.key, &*source.title), (title, title));
        }
    }

    #[test]
    fn the_name_in_links_stays_the_title_where_another_field_is_the_key() {
        let row =
            |n: usize| json!({ "label": format!("Name {}", n % 6), "zone": format!("Zone {n}") });
        let answer = |from: usize| json!((from..from + 6).map(row).collect::<Vec<_>>());
        let html: String =
            (0..6).map(|n| format!("<li><a href=/{n}>Name {n}</a> Zone {n}")).collect();
        let mut source = find_source(&answer(0), &page(&html)).unwrap();
        assert_eq!((&*source.key, &*source.title), ("/label", "/label"));
        source.choose_key(
            [answer(0), answer(6)].iter().flat_map(|json| records_at(json, "")).collect(),
        );
        assert_eq!((&*source.key, &*source.title), ("/zone", "/label"));
    }

    #[test]
    fn page_numbers_are_no_records() {
        let json = json!([{ "id": 1, "x": "a" }, { "id": 2, "x": "b" }, { "id": 3, "x": "c" }]);
        assert_eq!(find_source(&json, &page("<a>1</a><a>2</a><a>3</a>")), None);
    }

    #[test]
    fn wrapped_records_are_unwrapped() {
        let item = json!({ "type": "t", "id": "1", "attributes": { "name": "Lamp", "maker": "Acme", "size": 3 } });
        let own = record(&item, "/0".to_owned()).unwrap();
        let names: Vec<&str> = own.fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["maker", "name", "size", "id", "type"]);
        assert_eq!(own.value("/attributes/name"), Some("Lamp"));
    }

    #[test]
    fn the_object_that_a_page_shows_is_found_in_its_wrapping() {
        let json = json!({ "status": "ok", "data": { "item": { "name": "Lamp", "maker": "Acme", "size": "Large" } } });
        let found = shown_object(&json, &page("<h1>Lamp</h1><p>Acme</p><p>Large</p>"));
        assert_eq!(found.as_deref(), Some("/data/item"));
        assert_eq!(shown_object(&json, &page("<h1>Lamp</h1>")), None);
    }
}
