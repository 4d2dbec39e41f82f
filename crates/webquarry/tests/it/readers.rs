//! Do other programs read the tables at once? With the real ones: DuckDB, pandas and Datasette, and warcio and lxml to follow
//! values back to their nodes, in the Python that `QUARRY_PYTHON` names (`.ci/run` installs them).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use quarry_model::{ColumnKind, ColumnRow, EntityCell, EntityRow, EntityState, ValueSource};
use quarry_store::table::{TableFormat, TableOut};
use quarry_store::{Project, StoreSettings, Table};
use quarry_testsite::SiteSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::interchange::{named, needed, succeed};
use crate::program::{Folder, front, run, serve};

const TABLES: [&str; 5] = ["entities", "values", "columns", "queries", "pages"];

fn python() -> Option<PathBuf> {
    let found = named("QUARRY_PYTHON");
    if found.is_none() {
        needed("set QUARRY_PYTHON to a Python with duckdb, pandas, pyarrow and datasette");
    }
    found
}

/// The output of a script beside this file, line by line.
fn script(python: &Path, name: &str, argument: &Path) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers").join(name);
    let output = succeed(Command::new(python).arg(file).arg(argument));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a reader sees in a table.
#[derive(Debug, Deserialize)]
struct Seen {
    reader: String,
    table: String,
    format: String,
    /// Names and types.
    columns: Vec<(String, String)>,
    count: usize,
    /// The first rows.
    rows: Vec<Vec<Value>>,
}

impl Seen {
    fn name(&self) -> String {
        format!("{} of {}.{}", self.reader, self.table, self.format)
    }

    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn kind(&self, column: &str) -> &str {
        let found = self.columns.iter().find(|(name, _)| name == column);
        &found.unwrap_or_else(|| panic!("{}: no column {column}", self.name())).1
    }
}

fn read(python: &Path, tables: &Path) -> Vec<Seen> {
    let lines = script(python, "read.py", tables);
    lines.into_iter().map(|line| serde_json::from_value(line).unwrap()).collect()
}

/// The names of the columns of a table, and how many rows it has, by our own account.
fn own(project: &Path, table: &str) -> (Vec<String>, usize) {
    let export = |format: &str| {
        run(["export", "-p", project.to_str().unwrap(), "--table", table, "--format", format])
            .ended(0)
            .out
    };
    let header = export("csv").lines().next().unwrap().to_owned();
    (header.split(',').map(str::to_owned).collect(), export("jsonl").lines().count())
}

#[test]
fn a_harvest_is_read_at_once_and_every_value_leads_back() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let server = serve(SiteSpec { entities: 40, ..SiteSpec::preset("shop").unwrap() });
    let project = folder.join("shop");
    let arguments = ["harvest", &front(&server), "-p", project.to_str().unwrap()];
    run(arguments.into_iter().chain(["--per-host", "4"])).ended(0);

    let seen = read(&python, &project.join("tables"));
    let mut combinations: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for seen in &seen {
        let (names, count) = own(&project, &seen.table);
        assert_eq!(seen.names(), names, "{}", seen.name());
        assert_eq!(seen.count, count, "{}", seen.name());
        combinations.entry(&seen.table).or_default().insert((&seen.reader, &seen.format));
    }
    assert_eq!(combinations.keys().copied().collect::<BTreeSet<_>>(), TABLES.into());
    for (table, found) in combinations {
        assert_eq!(found.len(), 8, "{table}: {found:?}");
    }
    let sight = |reader: &str, format: &str| {
        let is = |seen: &&Seen| {
            (&*seen.reader, &*seen.table, &*seen.format) == (reader, "entities", format)
        };
        seen.iter().find(is).unwrap()
    };
    for (reader, format, price, released, sizes) in [
        ("duckdb", "parquet", "DOUBLE", "DATE", "VARCHAR[]"),
        ("duckdb", "jsonl", "DOUBLE", "DATE", "VARCHAR[]"),
        ("duckdb", "csv", "DOUBLE", "DATE", "VARCHAR"),
        ("pandas", "parquet", "float64", "object", "object"),
        ("pandas", "csv", "float64", "str", "str"),
        ("pandas", "sqlite", "float64", "str", "str"),
    ] {
        let seen = sight(reader, format);
        assert_eq!(seen.kind("Price"), price, "{}", seen.name());
        assert_eq!(seen.kind("Available from"), released, "{}", seen.name());
        assert_eq!(seen.kind("Size"), sizes, "{}", seen.name());
    }
    assert_leads_back(&python, &project, &["facet link", "list whole", "spec whole"]);
}

/// Every value of the project's table leads back to its node, in at least these ways.
fn assert_leads_back(python: &Path, project: &Path, ways: &[&str]) {
    let mut lines = script(python, "lead_back.py", project);
    let last = lines.pop().unwrap();
    assert!(lines.is_empty(), "{} values do not lead back: {}", lines.len(), lines[0]);
    assert!(last["rows"].as_u64().unwrap() > 300, "{last}");
    for way in ways {
        assert!(last["counts"][way].as_u64().is_some(), "no {way}: {last}");
    }
}

#[test]
fn answers_of_post_forms_lead_back_too() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let server = serve(SiteSpec { entities: 24, ..SiteSpec::preset("f2-post-form").unwrap() });
    let project = folder.join("homes");
    let arguments = ["harvest", &front(&server), "-p", project.to_str().unwrap()];
    run(arguments.into_iter().chain(["--per-host", "4"])).ended(0);
    assert_leads_back(&python, &project, &["facet link", "list whole"]);
}

/// Names that have broken one program or another.
const ODD: [&str; 18] = [
    "say \"hi\"",
    "it's",
    "Größe (cm)",
    "重量",
    "🙂",
    "select",
    "values",
    "order by 1; --",
    "Brand",
    "brand",
    "BRAND",
    "title",
    "rowid",
    "a.b",
    "comma, and tab\tand\nline",
    "`back` [square] {curly} %s ?",
    "",
    "100",
];

fn column(name: &str, kind: ColumnKind, list: bool) -> ColumnRow {
    ColumnRow {
        name: name.to_owned(),
        kind,
        unit: None,
        list,
        entities: 1,
        fill: 1.0,
        distinct: 1,
        conflicts: 0,
        sources: vec![ValueSource::Spec],
        names: vec![],
        printed: vec![],
        examples: vec![],
        merged: vec![],
        kinds: vec![],
    }
}

/// Writes a project whose entities have these columns and cells, and its tables in all formats.
fn project(dir: &Path, columns: &[ColumnRow], rows: Vec<Vec<EntityCell>>) -> PathBuf {
    let mut project = Project::create_or_open(dir, &StoreSettings::default()).unwrap();
    let entity = |(n, cells)| EntityRow {
        id: format!("{n:04}"),
        site: "http://shop.example".to_owned(),
        entity: format!("http://shop.example/{n}"),
        entity_kind: "things".to_owned(),
        other_ids: Vec::new(),
        title: Some(format!("Thing {n}")),
        state: EntityState::New,
        cells,
    };
    project.begin_tables().unwrap();
    let rows = rows.into_iter().enumerate().map(entity);
    rows.for_each(|row| project.add_entity(&row).unwrap());
    project.finish_tables(columns).unwrap();
    project.commit().unwrap();
    let tables = dir.join("tables");
    for (format, ending) in [
        (TableFormat::Parquet, "parquet"),
        (TableFormat::Csv, "csv"),
        (TableFormat::Jsonl, "jsonl"),
    ] {
        let path = tables.join(format!("entities.{ending}"));
        project.export(Table::Entities, format, TableOut::File(&path)).unwrap();
    }
    let all = [Table::Entities, Table::Values, Table::Columns];
    project.export_database(&all, &tables.join("harvest.sqlite")).unwrap();
    tables
}

#[test]
fn odd_names_and_types_arrive() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let texts = ["007", "plain", "a \"b\", c\nd", "NaN-ish", "größer; <b>", " spaced "];
    let mut columns: Vec<ColumnRow> =
        ODD.iter().map(|name| column(name, ColumnKind::Text, false)).collect();
    columns.extend([
        column("number", ColumnKind::Number, false),
        column("yes", ColumnKind::Boolean, false),
        column("day", ColumnKind::Date, false),
        column("month", ColumnKind::Date, false),
        column("list", ColumnKind::Text, true),
    ]);
    let text = |text: &str| EntityCell::Text(text.to_owned());
    let row = |n: usize| {
        let mut cells: Vec<EntityCell> =
            (0..ODD.len()).map(|at| text(texts[(at + n) % texts.len()])).collect();
        cells.extend([
            EntityCell::Number(n as f64 + 0.5),
            EntityCell::Boolean(n.is_multiple_of(2)),
            text(&format!("2024-01-{:02}", n + 1)),
            text(if n == 0 { "2024-02" } else { "2024-02-02" }),
            EntityCell::List(vec![format!("one, {n}"), "\"two\"".to_owned()]),
        ]);
        cells
    };
    let mut rows: Vec<Vec<EntityCell>> = (0..30).map(row).collect();
    rows.push(vec![EntityCell::Null; columns.len()]);
    let tables = project(&folder.join("odd"), &columns, rows);

    let seen: Vec<Seen> = read(&python, &tables);
    let entities: Vec<&Seen> = seen.iter().filter(|seen| seen.table == "entities").collect();
    assert_eq!(entities.len(), 8);
    let first = &entities[0];
    for seen in &entities {
        assert_eq!(seen.names(), first.names(), "{}", seen.name());
        assert_eq!(seen.count, 31, "{}", seen.name());
        let lower: BTreeSet<String> = seen.names().iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(lower.len(), seen.columns.len(), "{}: names are distinct", seen.name());
        for at in [4, 8, 9, 21] {
            let cell = seen.rows[1][at].clone();
            // Texts that look like numbers stay texts where a column has others beside them.
            assert!(cell.is_string(), "{}: {} is {cell}", seen.name(), seen.names()[at]);
        }
        assert_eq!(seen.rows[0][6], json!("a \"b\", c\nd"), "{}", seen.name());
        assert_eq!(seen.rows[0][22], json!(0.5), "{}", seen.name());
        let day = seen.rows[0][24].as_str().unwrap();
        assert!(day.starts_with("2024-01-01"), "{}: {day}", seen.name());
    }
    let kinds = |reader: &str, format: &str| -> Vec<&str> {
        let seen = entities.iter().find(|seen| seen.reader == reader && seen.format == format);
        ["number", "yes", "day", "month", "list"].map(|name| seen.unwrap().kind(name)).to_vec()
    };
    let typed = ["DOUBLE", "BOOLEAN", "DATE", "VARCHAR", "VARCHAR[]"];
    assert_eq!(kinds("duckdb", "parquet"), typed);
    assert_eq!(kinds("duckdb", "jsonl"), typed);
    assert_eq!(kinds("duckdb", "csv"), ["DOUBLE", "BOOLEAN", "DATE", "VARCHAR", "VARCHAR"]);
    assert_eq!(kinds("pandas", "parquet")[0], "float64");
    let listed = entities.iter().filter(|seen| matches!(&*seen.format, "parquet" | "jsonl"));
    for seen in listed {
        assert_eq!(seen.rows[0][26], json!(["one, 0", "\"two\""]), "{}", seen.name());
        // pandas makes numbers of truth that is missing somewhere, when it reads JSON.
        if (&*seen.reader, &*seen.format) != ("pandas", "jsonl") {
            assert_eq!(seen.rows[0][23], json!(true), "{}", seen.name());
        }
    }
    // Tables without rows are tables all the same.
    let empty: Vec<&Seen> = seen.iter().filter(|seen| seen.table == "values").collect();
    assert!(!empty.is_empty() && empty.iter().all(|seen| seen.count == 0), "{empty:?}");
}

#[test]
fn very_many_columns_arrive() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let columns: Vec<ColumnRow> =
        (0..2_100).map(|n| column(&format!("column {n}"), ColumnKind::Number, false)).collect();
    let cells = |n: usize| (0..2_100).map(|at| EntityCell::Number((n * at) as f64)).collect();
    let tables = project(&folder.join("wide"), &columns, (0..3).map(cells).collect());
    let seen = read(&python, &tables);
    for seen in seen.iter().filter(|seen| seen.table.starts_with("entities")) {
        let (names, last) = match (&*seen.format, &*seen.table) {
            // Where a table has room for 2,000 columns, it goes on in another one.
            ("sqlite", "entities") => (1_900, None),
            ("sqlite", _) => (206, Some("_state")),
            _ => (2_106, Some("_state")),
        };
        assert_eq!(seen.columns.len(), names, "{}", seen.name());
        assert!(last.is_none_or(|last| seen.names().last() == Some(&last)), "{}", seen.name());
        assert_eq!(seen.count, 3, "{}", seen.name());
    }
    let parts = seen.iter().filter(|seen| seen.table == "entities_2").count();
    assert_eq!(parts, 2, "Datasette and pandas see the second part");
}
