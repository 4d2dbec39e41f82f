//! What does a project know of an address that is asked again, and which pages are there afterwards?

use std::path::Path;

use quarry_model::conformance::page_store::{capture, page};
use quarry_model::{
    Candidate, Capture, End, Entry, Exchange, Frontier, PageStore, Request, Timestamp,
};
use quarry_store::{Project, ReplayFetcher, StoreSettings, Table, open_input};
use quarry_store::{table::TableFormat, table::TableOut};

use crate::open;

const HOST: &str = "http://host.example";
const NOW: Timestamp = Timestamp(1_794_772_800_000);
const LATER: Timestamp = Timestamp(1_794_859_200_000);

fn url(path: &str) -> String {
    format!("{HOST}{path}")
}

fn html(path: &str, text: &str, fields: &[(&str, &str)]) -> Exchange {
    let mut exchange = page(&url(path), format!("<title>{text}</title>").repeat(40).as_bytes());
    let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    exchange.response.headers.0.extend(fields);
    exchange.at = NOW;
    exchange
}

fn answer(path: &str, status: u16) -> Exchange {
    let mut exchange = page(&url(path), b"");
    exchange.response.status = status;
    exchange.at = LATER;
    exchange
}

/// Queues an address and takes it out again.
fn lease(project: &mut Project, path: &str) -> Entry {
    let request = Request::get(url(path));
    let candidate = Candidate { request, host: HOST.to_owned(), ..Candidate::default() };
    project.add(&[candidate]).unwrap();
    project.lease(HOST, LATER).unwrap().expect("it was queued")
}

/// Asks for an address and gets this.
fn visit(project: &mut Project, path: &str, exchange: &Exchange) {
    let entry = lease(project, path);
    project.finish(entry.id, &End::Done).unwrap();
    project.put(&capture(exchange)).unwrap();
}

fn there(dir: &Path) -> Vec<String> {
    let input = open_input(&[dir.to_owned()], None).unwrap();
    input.ids().map(|id| id.replacen(HOST, "", 1)).collect()
}

/// Path, status and time of every row of the table of pages.
fn table(project: &Project) -> Vec<(String, u64, String)> {
    let mut text = Vec::new();
    project
        .export(Table::Pages, TableFormat::Jsonl, TableOut::Stream(Box::new(&mut text)))
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        (
            text("url").replacen(HOST, "", 1),
            row["fetch_status"].as_u64().unwrap(),
            text("fetch_time"),
        )
    };
    text.lines().map(row).collect()
}

/// A project whose first round found five pages, and that has begun the second one.
fn second_round(dir: &Path) -> Project {
    let mut project = open(dir);
    project.begin_run("{}", NOW).unwrap();
    for (path, fields) in [
        ("/tagged", &[("ETag", "\"1\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")][..]),
        ("/plain", &[]),
        ("/fresh", &[("Cache-Control", "max-age=172800")]),
        ("/gone", &[("ETag", "\"2\"")]),
        ("/lost", &[]),
    ] {
        visit(&mut project, path, &html(path, path, fields));
    }
    project.end_run(NOW).unwrap();
    project.end_round(true, NOW).unwrap();
    project.begin_round(LATER).unwrap();
    project
}

#[test]
fn an_entry_knows_what_the_archive_holds() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = second_round(dir.path());
    let entry = lease(&mut project, "/tagged");
    let unless = entry.candidate.request.unless;
    assert_eq!(unless.etag.as_deref(), Some("\"1\""));
    assert_eq!(unless.last_modified.as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    assert_eq!(entry.fresh_until, None);
    let entry = lease(&mut project, "/fresh");
    assert_eq!(entry.candidate.request.unless, quarry_model::Validators::default());
    assert_eq!(entry.fresh_until, Some(Timestamp(NOW.0 + 172_800_000)));
    let entry = lease(&mut project, "/never-seen");
    assert_eq!((entry.candidate.request.unless.etag, entry.fresh_until), (None, None));
}

#[test]
fn tables_made_before_the_end_of_a_round_are_not_its_tables() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    project.note_harvest().unwrap();
    project.end_round(true, NOW).unwrap();
    assert!(!project.round().is_harvested);
    project.note_harvest().unwrap();
    project.end_round(true, LATER).unwrap();
    assert!(project.round().is_harvested);
    drop(project);
    assert!(open(dir.path()).round().is_harvested);
}

#[test]
fn a_whole_round_says_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = second_round(dir.path());
    assert_eq!(project.counts().unwrap(), quarry_model::FrontierCounts::default());
    visit(&mut project, "/tagged", &answer("/tagged", 304));
    visit(&mut project, "/plain", &{
        let mut again = html("/plain", "/plain", &[]);
        again.at = LATER;
        again
    });
    let entry = lease(&mut project, "/fresh");
    project.finish(entry.id, &End::Done).unwrap();
    project.put_fresh(&url("/fresh"), 1, None).unwrap();
    visit(&mut project, "/gone", &answer("/gone", 410));
    visit(&mut project, "/new", &html("/new", "new", &[]));
    project.commit().unwrap();
    // Until the round is over, what it has not reached stays.
    assert_eq!(there(dir.path()), ["/tagged", "/plain", "/fresh", "/lost", "/new"]);
    project.end_round(true, LATER).unwrap();
    assert_eq!(there(dir.path()), ["/tagged", "/plain", "/fresh", "/new"]);

    let report = project.report().unwrap().again.unwrap();
    assert_eq!((report.round, report.asked, report.fresh), (2, 4, 1));
    assert_eq!((report.not_modified, report.unchanged, report.changed), (1, 1, 0));
    assert_eq!((report.new, report.gone, report.unreached), (1, 1, 1));
    let size = |path: &str| html(path, path, &[]).response.body.len() as u64;
    assert_eq!(report.bytes_saved, size("/tagged") + size("/fresh"));

    let rows = table(&project);
    let (now, later) = (NOW.to_string(), LATER.to_string());
    let expect = [
        ("/tagged", 200, &later),
        ("/plain", 200, &later),
        ("/fresh", 200, &now),
        ("/gone", 410, &later),
        ("/new", 200, &now),
    ];
    let expect: Vec<_> =
        expect.map(|(path, status, at)| (path.to_owned(), status, at.clone())).into();
    assert_eq!(rows, expect);
    assert_eq!(project.report().unwrap().pages, 5);

    // The body behind a 304 answer, however it is asked for.
    let body = html("/tagged", "/tagged", &[]).response.body;
    assert_eq!(project.held(&url("/tagged")).unwrap().unwrap().response.body, body);
    let found = project.find(&url("/tagged")).unwrap().unwrap();
    assert_eq!(project.read(&found).unwrap().response.body, body);
    let replay = ReplayFetcher::from_project(dir.path()).unwrap();
    let replayed = replay.find(&Request::get(url("/tagged"))).unwrap().unwrap();
    assert_eq!((replayed.response.status, replayed.response.body), (200, body));
    assert!(project.held(&url("/gone")).unwrap().is_none());
    let seen: Vec<u16> = project
        .archived_pages()
        .unwrap()
        .into_iter()
        .map(|(id, _)| project.read_page(id).unwrap().response.status)
        .collect();
    assert_eq!(seen, [200, 200, 200, 410, 200], "what this round has seen, in its order");
}

#[test]
fn an_error_says_nothing_of_the_page() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = second_round(dir.path());
    visit(&mut project, "/tagged", &answer("/tagged", 304));
    visit(&mut project, "/plain", &answer("/plain", 500));
    let entry = lease(&mut project, "/fresh");
    project.finish(entry.id, &End::Failed("no answer".to_owned())).unwrap();
    project.end_round(true, LATER).unwrap();
    assert_eq!(there(dir.path()), ["/tagged", "/plain", "/fresh"]);
    // In the next round the version that is held is still known, also after two answers of 304.
    project.begin_round(LATER).unwrap();
    let entry = lease(&mut project, "/tagged");
    assert_eq!(entry.candidate.request.unless.etag.as_deref(), Some("\"1\""));
    project.finish(entry.id, &End::Done).unwrap();
    project.put(&capture(&answer("/tagged", 304))).unwrap();
    project.commit().unwrap();
    assert_eq!(there(dir.path()).len(), 3);
    let body = project.held(&url("/tagged")).unwrap().unwrap().response.body;
    assert!(!body.is_empty());
}

#[test]
fn rounds_survive_the_process() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = second_round(dir.path());
    let via = url("/tagged");
    visit(&mut project, "/plain", &html("/plain", "changed", &[]));
    project.put(&Capture { via: Some(&via), ..capture(&html("/x", "x", &[])) }).unwrap();
    project.pass_stage().unwrap();
    let (round, used) = (project.round(), project.used().unwrap());
    drop(project);
    let project = open(dir.path());
    assert_eq!((project.round(), project.used().unwrap().pages), (round, used.pages));
    assert_eq!((round.number, round.is_over, round.stage, used.pages), (2, false, 1, 2));
    assert_eq!(project.report().unwrap().again.unwrap().changed, 1);
}

/// Takes from a database what versions 3 and 4 brought.
pub(crate) fn make_old(dir: &Path) {
    let old = rusqlite::Connection::open(dir.join("state.sqlite")).unwrap();
    for column in ["size", "etag", "last_modified", "fresh_until", "base", "retired"] {
        old.execute_batch(&format!("ALTER TABLE pages DROP COLUMN {column}")).unwrap();
    }
    for table in ["facts", "entities"] {
        old.execute_batch(&format!("ALTER TABLE {table} DROP COLUMN entity_kind")).unwrap();
    }
    old.execute_batch("DROP TABLE rounds; ALTER TABLE entities DROP COLUMN other_ids").unwrap();
    old.execute_batch("DROP TABLE query_graphs; PRAGMA user_version = 2").unwrap();
}

#[test]
fn a_project_of_version_2_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    project.begin_run("{}", NOW).unwrap();
    visit(&mut project, "/a", &html("/a", "a", &[("ETag", "\"1\"")]));
    project.end_run(NOW).unwrap();
    drop(project);
    make_old(dir.path());
    let reader = Project::open_read_only(dir.path(), &StoreSettings::default()).unwrap();
    assert!(reader.round().is_over);
    assert_eq!((table(&reader).len(), there(dir.path()).len()), (1, 1));
    drop(reader);
    let mut project = open(dir.path());
    assert!(project.round().is_over && project.round().is_whole);
    assert!(!project.round().is_harvested);
    project.begin_round(LATER).unwrap();
    // Its version was not noted then: it is asked in full.
    assert_eq!(lease(&mut project, "/a").candidate.request.unless.etag, None);
}
