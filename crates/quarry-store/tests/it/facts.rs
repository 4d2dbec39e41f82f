//! Are values and queries kept, replaced and given out as tables? Also in a project of an older
//! version.

use quarry_model::{EntityCell, EntityRow, EntityState, QueryRow, ValueRow, ValueSource};
use quarry_store::table::{TableFormat, TableOut};
use quarry_store::{FactCounts, Project, StoreSettings, Table};
use serde_json::Value;

use crate::open;

fn value(entity: &str, value: &str, source: ValueSource) -> ValueRow {
    ValueRow {
        site: "http://host.example".to_owned(),
        entity: entity.to_owned(),
        entity_kind: "lamps".to_owned(),
        attribute: "Brand".to_owned(),
        value: value.to_owned(),
        source,
        page: "http://host.example/list".to_owned(),
        path: "/html/body/a".to_owned(),
        confidence: 0.95,
    }
}

fn query() -> QueryRow {
    QueryRow {
        site: "http://host.example".to_owned(),
        query: vec!["Brand=Acme".to_owned(), "Color=red".to_owned()],
        url: "http://host.example/list?b=1&c=2".to_owned(),
        entities: 2,
        claimed: None,
        parents: vec![vec!["Brand=Acme".to_owned()], vec!["Color=red".to_owned()]],
        state: "whole".to_owned(),
    }
}

fn lines(project: &Project, table: Table) -> Vec<Value> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.jsonl");
    project.export(table, TableFormat::Jsonl, TableOut::File(&path)).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn facts_are_replaced_by_source_and_given_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let facet = |v: &str| value("/a", v, ValueSource::Facet);
    project.replace_values(ValueSource::Facet, [facet("old"), facet("older")].into_iter()).unwrap();
    let spec = value("/b", "kept", ValueSource::Spec);
    project.replace_values(ValueSource::Spec, [spec].into_iter()).unwrap();
    project.replace_values(ValueSource::Facet, [facet("new")].into_iter()).unwrap();
    project.replace_queries([query()].into_iter()).unwrap();
    project.commit().unwrap();
    drop(project);
    let project = Project::open_read_only(dir.path(), &StoreSettings::default()).unwrap();
    let counts = FactCounts { entities: 2, attributes: 1, pairs: 2, queries: 1 };
    assert_eq!(project.fact_counts().unwrap(), counts);
    assert_eq!(project.report().unwrap().pairs, 2);
    let rows = lines(&project, Table::Values);
    let texts: Vec<&str> = rows.iter().map(|row| row["value"].as_str().unwrap()).collect();
    assert_eq!(texts, ["kept", "new"]);
    assert_eq!(rows[1]["confidence"], 0.95);
    let rows = lines(&project, Table::Queries);
    assert_eq!(rows[0]["query"], "Brand=Acme; Color=red");
    assert_eq!(rows[0]["parents"], "Brand=Acme | Color=red");
    assert_eq!(rows[0]["claimed"], Value::Null);
}

#[test]
fn a_project_of_version_1_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    crate::rounds::make_old(dir.path());
    let old = rusqlite::Connection::open(dir.path().join("state.sqlite")).unwrap();
    old.execute_batch(
        "DROP TABLE facts; DROP TABLE queries; DROP TABLE columns;
         DROP TABLE entities; PRAGMA user_version = 1",
    )
    .unwrap();
    drop(old);
    let reader = Project::open_read_only(dir.path(), &StoreSettings::default()).unwrap();
    assert_eq!(reader.fact_counts().unwrap(), FactCounts::default());
    drop(reader);
    let mut project = open(dir.path());
    project.replace_queries([query()].into_iter()).unwrap();
    assert_eq!(project.fact_counts().unwrap().queries, 1);
}

fn entity(n: usize, other_ids: &[&str]) -> EntityRow {
    EntityRow {
        id: format!("id{n}"),
        site: "http://host.example".to_owned(),
        entity: format!("http://host.example/{n}"),
        entity_kind: "lamps".to_owned(),
        other_ids: other_ids.iter().map(|&id| id.to_owned()).collect(),
        title: Some(format!("Lamp {n}")),
        state: EntityState::New,
        cells: vec![EntityCell::Number(n as f64)],
    }
}

#[test]
fn the_next_harvest_is_compared_with_the_last() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    project.begin_tables().unwrap();
    assert_eq!(project.take_old_entity(&["id1"]).unwrap(), None);
    let first = [entity(1, &[]), entity(2, &["idx"]), entity(3, &[])];
    first.iter().for_each(|row| project.add_entity(row).unwrap());
    project.add_value(&value("/1", "x", ValueSource::Page)).unwrap();
    assert_eq!(project.finish_tables(&[]).unwrap(), 0);
    project.commit().unwrap();
    // One that is broken off changes nothing.
    project.begin_tables().unwrap();
    project.add_entity(&entity(9, &[])).unwrap();
    drop(project);
    let mut project = open(dir.path());
    assert_eq!(project.fact_counts().unwrap().pairs, 1);
    project.begin_tables().unwrap();
    assert_eq!(project.old_entity(&["id1"]).unwrap(), Some(first[0].clone()));
    assert_eq!(project.take_old_entity(&["id7", "id1"]).unwrap(), Some(first[0].clone()));
    assert_eq!(project.take_old_entity(&["id1"]).unwrap(), None, "each is found once");
    assert_eq!(project.take_old_entity(&["idx"]).unwrap(), Some(first[1].clone()));
    project.add_entity(&entity(1, &[])).unwrap();
    assert_eq!(project.finish_tables(&[]).unwrap(), 1);
    project.commit().unwrap();
    let mut states = Vec::new();
    let mut note = |row: EntityRow| {
        states.push((row.id, row.state, row.cells.len()));
        Ok(())
    };
    project.each_entity(&mut note).unwrap();
    let expected = [("id1", EntityState::New, 1), ("id3", EntityState::Removed, 0)];
    assert_eq!(states, expected.map(|(id, state, cells)| (id.to_owned(), state, cells)));
    // What is gone is not gone once more.
    project.begin_tables().unwrap();
    assert_eq!(project.finish_tables(&[]).unwrap(), 1);
}

#[test]
fn query_graphs_are_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    project.replace_query_graphs(&["{}".to_owned(), "{\"a\":1}".to_owned()]).unwrap();
    project.replace_query_graphs(&["{\"b\":2}".to_owned()]).unwrap();
    assert_eq!(project.query_graphs().unwrap(), ["{\"b\":2}"]);
}
