//! Do tables say the same in every format?

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use quarry_model::conformance::page_store::{capture, exchanges, page};
use quarry_model::{
    ColumnKind, ColumnRow, EntityCell, EntityRow, EntityState, PageStore, Timestamp, ValueSource,
};
use quarry_store::table::{
    ColumnType, Day, TableCell, TableColumn, TableFormat, TableOut, write_table,
};
use quarry_store::{StoreError, Table};
use serde_json::Value;

use crate::open;

fn columns() -> Vec<TableColumn> {
    vec![
        TableColumn::new("name, \"quoted\"", ColumnType::Text),
        TableColumn::new("n", ColumnType::Integer),
        TableColumn::new("x", ColumnType::Float),
        TableColumn::new("at", ColumnType::Time),
    ]
}

fn rows() -> Vec<Vec<TableCell>> {
    let at = TableCell::Time(Timestamp(1_794_772_800_123));
    let mut rows = vec![
        vec![
            TableCell::Text("a,b \"c\"\nd".into()),
            TableCell::Integer(-7),
            TableCell::Float(0.5),
            at.clone(),
        ],
        vec![TableCell::Null, TableCell::Null, TableCell::Null, TableCell::Null],
        vec![
            TableCell::Text(String::new()),
            TableCell::Integer(i64::MAX),
            TableCell::Float(-1e300),
            at,
        ],
    ];
    for n in 0..20_000 {
        rows.push(vec![
            TableCell::Text(format!("row {n}")),
            TableCell::Integer(n),
            TableCell::Null,
            TableCell::Null,
        ]);
    }
    rows
}

fn write(format: TableFormat, path: &Path) {
    write_table("things", &columns(), format, TableOut::File(path), &mut |sink| {
        rows().into_iter().try_for_each(|row| sink.write(row)).unwrap();
        Ok(())
    })
    .unwrap();
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left over");
}

fn text_or_null(cell: &TableCell) -> Value {
    match cell {
        TableCell::Null => Value::Null,
        TableCell::Text(text) => text.as_str().into(),
        TableCell::Integer(number) => (*number).into(),
        TableCell::Float(number) => (*number).into(),
        TableCell::Time(at) => at.to_string().into(),
        TableCell::Date(day) => day.to_string().into(),
        TableCell::Boolean(yes) => (*yes).into(),
        TableCell::List(texts) => texts.clone().into(),
    }
}

#[test]
fn json_lines() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    write(TableFormat::Jsonl, &path);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), rows().len());
    assert!(
        text.starts_with("{\"name, \\\"quoted\\\"\":\"a,b \\\"c\\\"\\nd\",\"n\":-7,\"x\":0.5,")
    );
    for (line, row) in text.lines().zip(rows()) {
        let object: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
        for (column, cell) in columns().iter().zip(&row) {
            assert_eq!(object[&column.name], text_or_null(cell));
        }
    }
}

#[test]
fn csv() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.csv");
    write(TableFormat::Csv, &path);
    let text = fs::read_to_string(&path).unwrap();
    let expect = "\"name, \"\"quoted\"\"\",n,x,at\n\
                  \"a,b \"\"c\"\"\nd\",-7,0.5,2026-11-15T20:00:00.123Z\n,,,\n\"\",";
    assert!(text.starts_with(expect), "{}", &text[..200]);
    assert!(text.ends_with("row 19999,19999,,\n"));
}

/// The rows of a Parquet file, by the record reader of the format's own crate.
fn parquet_rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

fn cell_of((_, field): (&String, &Field)) -> TableCell {
    match field {
        Field::Null => TableCell::Null,
        Field::Str(text) => TableCell::Text(text.clone()),
        Field::Long(number) => TableCell::Integer(*number),
        Field::Double(number) => TableCell::Float(*number),
        Field::TimestampMillis(at) => TableCell::Time(Timestamp(*at)),
        Field::Date(day) => TableCell::Date(Day(*day)),
        Field::Bool(yes) => TableCell::Boolean(*yes),
        Field::ListInternal(list) => TableCell::List(
            list.elements()
                .iter()
                .map(|field| match field {
                    Field::Str(text) => text.clone(),
                    other => panic!("an item of a list of texts, not {other}"),
                })
                .collect(),
        ),
        other => panic!("no column is written as {other}"),
    }
}

#[test]
fn parquet() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    write(TableFormat::Parquet, &path);
    let read: Vec<Vec<TableCell>> = parquet_rows(&path)
        .iter()
        .map(|row| row.get_column_iter().map(cell_of).collect())
        .collect();
    assert_eq!(read, rows());
}

#[test]
fn sqlite() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.sqlite");
    write(TableFormat::Sqlite, &path);
    let conn = rusqlite::Connection::open(&path).unwrap();
    let mut statement = conn.prepare("SELECT * FROM things ORDER BY rowid").unwrap();
    let names: Vec<&str> = statement.column_names().collect();
    assert_eq!(names, ["name, \"quoted\"", "n", "x", "at"]);
    let read: Vec<Vec<Value>> = statement
        .query_map([], |row| {
            Ok((0..4)
                .map(|i| match row.get_unwrap(i) {
                    rusqlite::types::Value::Null => Value::Null,
                    rusqlite::types::Value::Integer(n) => n.into(),
                    rusqlite::types::Value::Real(x) => x.into(),
                    rusqlite::types::Value::Text(text) => text.into(),
                    rusqlite::types::Value::Blob(_) => panic!("no blobs"),
                })
                .collect())
        })
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let expect: Vec<Vec<Value>> =
        rows().iter().map(|row| row.iter().map(text_or_null).collect()).collect();
    assert_eq!(read, expect);
}

#[test]
fn a_failed_export_leaves_the_old_file() {
    let dir = tempfile::tempdir().unwrap();
    for format in [TableFormat::Jsonl, TableFormat::Csv, TableFormat::Parquet, TableFormat::Sqlite]
    {
        let path = dir.path().join("table");
        fs::write(&path, b"the old one").unwrap();
        let out = TableOut::File(&path);
        let result = write_table("t", &columns(), format, out, &mut |sink| {
            sink.write(rows().remove(0)).unwrap();
            Err(StoreError::ReadOnly { path: path.clone() })
        });
        assert!(result.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"the old one");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "and nothing else");
    }
}

/// A stream that can be looked at afterwards.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn pages_of_a_project() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let mut expect = Vec::new();
    for exchange in exchanges() {
        expect.push(project.put(&capture(&exchange)).unwrap());
    }
    let robots = page("https://shop.example/robots.txt", b"");
    project.put(&quarry_model::Capture { is_page: false, ..capture(&robots) }).unwrap();
    project.commit().unwrap();

    let shared = Shared::default();
    let out = TableOut::Stream(Box::new(shared.clone()));
    let rows = project.export(Table::Pages, TableFormat::Jsonl, out).unwrap();
    assert_eq!(rows, expect.len() as u64);
    let text = String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
    for (line, row) in text.lines().zip(&expect) {
        let mut value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["fetch_time"], row.fetch_time.to_string());
        value["fetch_time"] = row.fetch_time.0.into();
        assert_eq!(value, serde_json::to_value(row).unwrap(), "the words of the contract");
    }
    let first = text.lines().next().unwrap();
    let order = ["url", "fetch_time", "fetch_status", "content_mime_detected", "content_digest"];
    let places: Vec<_> = order.iter().map(|name| first.find(&format!("\"{name}\":"))).collect();
    assert!(places.is_sorted() && places[0] == Some(1), "{first}");

    let shared = Shared::default();
    let out = TableOut::Stream(Box::new(shared.clone()));
    project.export(Table::Pages, TableFormat::Sqlite, out).unwrap();
    assert!(shared.0.lock().unwrap().starts_with(b"SQLite format 3\0"));
}

#[test]
fn entities_have_truth_and_lists_in_every_format() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let column = |name: &str, kind, list| ColumnRow {
        name: name.to_owned(),
        kind,
        unit: None,
        list,
        entities: 2,
        fill: 1.0,
        distinct: 2,
        conflicts: 0,
        sources: vec![ValueSource::Facet],
        names: vec!["facet \"Colour\"".to_owned()],
        printed: vec!["Colour".to_owned()],
        examples: vec![],
        merged: vec![],
        kinds: vec![],
    };
    let columns = [
        column("Wireless", ColumnKind::Boolean, false),
        column("Colour", ColumnKind::Text, true),
        column("Price", ColumnKind::Price, false),
        column("Released", ColumnKind::Date, false),
        column("Seen", ColumnKind::Date, false),
        column("price", ColumnKind::Text, false),
    ];
    let row = |n: usize, cells| EntityRow {
        id: format!("id{n}"),
        site: "http://h.example".to_owned(),
        entity: format!("http://h.example/{n}"),
        entity_kind: "lamps".to_owned(),
        other_ids: Vec::new(),
        title: None,
        state: EntityState::Changed,
        cells,
    };
    let list = EntityCell::List(vec!["red".to_owned(), "dark, \"deep\" blue".to_owned()]);
    let rows = [
        row(
            1,
            vec![
                EntityCell::Boolean(true),
                list,
                EntityCell::Number(12.5),
                EntityCell::Text("2024-02-29".to_owned()),
                EntityCell::Text("2024-02".to_owned()),
                EntityCell::Text("cheap".to_owned()),
            ],
        ),
        row(2, vec![EntityCell::Null; columns.len()]),
    ];
    project.begin_tables().unwrap();
    rows.iter().for_each(|row| project.add_entity(row).unwrap());
    project.finish_tables(&columns).unwrap();
    project.commit().unwrap();
    let export = |format, name: &str| {
        let path = dir.path().join(name);
        assert_eq!(project.export(Table::Entities, format, TableOut::File(&path)).unwrap(), 2);
        path
    };
    let lines = fs::read_to_string(export(TableFormat::Jsonl, "e.jsonl")).unwrap();
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["Wireless"], true);
    assert_eq!(first["Colour"], serde_json::json!(["red", "dark, \"deep\" blue"]));
    assert_eq!((&first["Price"], &first["_state"]), (&Value::from(12.5), &Value::from("changed")));
    let csv = fs::read_to_string(export(TableFormat::Csv, "e.csv")).unwrap();
    let header =
        "site,entity,entity_kind,title,Wireless,Colour,Price,Released,Seen,price 2,_id,_state\n";
    assert!(csv.starts_with(header), "{csv}");
    assert!(csv.contains("true,\"[\"\"red\"\",\"\"dark, "), "{csv}");
    let rows = parquet_rows(&export(TableFormat::Parquet, "e.parquet"));
    let read: Vec<Vec<TableCell>> =
        rows.iter().map(|row| row.get_column_iter().skip(4).map(cell_of).collect()).collect();
    let colours = vec!["red".to_owned(), "dark, \"deep\" blue".to_owned()];
    assert_eq!(read[0][..2], [TableCell::Boolean(true), TableCell::List(colours)]);
    assert_eq!(read[1][1..3], [TableCell::Null, TableCell::Null]);
    // Days are dates, unless some of them are only months.
    assert_eq!(
        read[0][3..5],
        [TableCell::Date(Day(19_782)), TableCell::Text("2024-02".to_owned())]
    );
    let path = export(TableFormat::Sqlite, "e.sqlite");
    let conn = rusqlite::Connection::open(path).unwrap();
    let read: (i64, String) = conn
        .query_row(
            "SELECT Wireless, json_extract(Colour, '$[0]') FROM entities LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert_eq!(read, (1, "red".to_owned()));
    assert_eq!(
        project
            .export(Table::Columns, TableFormat::Csv, TableOut::File(&dir.path().join("c.csv")))
            .unwrap(),
        6
    );
}

#[test]
fn several_tables_in_one_database() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let expect: Vec<_> =
        exchanges().iter().map(|exchange| project.put(&capture(exchange)).unwrap()).collect();
    project.commit().unwrap();
    let path = dir.path().join("all.sqlite");
    fs::write(&path, b"what was there before").unwrap();
    let tables = [Table::Entities, Table::Values, Table::Columns, Table::Queries, Table::Pages];
    project.export_database(&tables, &path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let conn = rusqlite::Connection::open(&path).unwrap();
    for table in tables {
        let sql = format!("SELECT count(*) FROM \"{}\"", table.name());
        let rows: u32 = conn.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(rows as usize, if table == Table::Pages { expect.len() } else { 0 });
    }
    project.export_database(&tables, &path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes, "the same bytes every time");
}
