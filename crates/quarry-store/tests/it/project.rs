//! Does a project folder behave: locked, read beside a writer, refused where it must be, counted?

use std::fs;
use std::time::Duration;

use quarry_model::conformance::page_store::{capture, page};
use quarry_model::{
    Candidate, Capture, End, Frontier, Issue, IssueKind, PageStore, Request, SkipReason, Timestamp,
};
use quarry_store::warc::{ReadLimits, RecordType, read_warc};
use quarry_store::{ArchiveSettings, Project, StoreError, StoreSettings};

use crate::{chain, open, urls};

const HOST: &str = "http://host.example";
const NOW: Timestamp = Timestamp(1_794_772_800_000);

fn settings() -> StoreSettings {
    StoreSettings::default()
}

/// A project with one page: its archive file, and what that holds.
fn with_a_page(dir: &std::path::Path) -> (std::path::PathBuf, Vec<u8>) {
    let mut project = open(dir);
    project.put(&capture(&page("http://host.example/1", b"one"))).unwrap();
    project.commit().unwrap();
    drop(project);
    let warc = dir.join("pages/quarry-00001.warc.gz");
    let bytes = fs::read(&warc).unwrap();
    (warc, bytes)
}

/// Opening must fail, with these words in the message.
fn refused(dir: &std::path::Path, words: &[&str]) -> StoreError {
    let error = Project::create_or_open(dir, &settings()).err().expect("an error");
    let text = chain(&error);
    for word in words {
        assert!(text.contains(word), "{text:?} does not say {word:?}");
    }
    error
}

#[test]
fn a_second_writer_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(dir.path());
    let pid = std::process::id().to_string();
    let error = refused(dir.path(), &["another quarry is working in", &pid, "wait for it"]);
    assert!(matches!(error, StoreError::Locked { pid: Some(_), .. }));
    drop(first);
    drop(open(dir.path()));
}

#[test]
fn a_reader_works_beside_a_writer() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open(dir.path());
    writer.put(&capture(&page("http://host.example/1", b"one"))).unwrap();
    writer.commit().unwrap();
    writer.put(&capture(&page("http://host.example/2", b"two"))).unwrap();
    let mut reader = Project::open_read_only(dir.path(), &settings()).unwrap();
    assert_eq!(urls(&reader), ["http://host.example/1"], "what is committed, and no more");
    let row = reader.find("http://host.example/1").unwrap().unwrap();
    assert_eq!(reader.read(&row).unwrap().response.body, b"one");
    writer.commit().unwrap();
    assert_eq!(urls(&reader).len(), 2);
    assert_eq!(reader.report().unwrap().pages, 1, "counts are those of the moment of opening");
    let error = reader.put(&capture(&page("http://host.example/3", b""))).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }));
    assert!(matches!(reader.add(&[Candidate::default()]), Err(StoreError::ReadOnly { .. })));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let mut writer = open(dir.path());
    writer.put(&capture(&page("http://host.example/1", b"one"))).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let mode = |mode| fs::set_permissions(dir.path(), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    let reader = Project::open_read_only(dir.path(), &settings());
    mode(0o755);
    assert_eq!(urls(&reader.unwrap()), ["http://host.example/1"]);
}

#[test]
fn what_is_no_project_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for result in
        [Project::open(dir.path(), &settings()), Project::open_read_only(dir.path(), &settings())]
    {
        let text = chain(&result.err().unwrap());
        assert!(text.contains("is not a project folder"), "{text}");
    }
    let file = dir.path().join("file");
    fs::write(&file, b"").unwrap();
    refused(&file, &["cannot create the folder"]);
}

#[test]
fn a_damaged_database_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    let db = dir.path().join("state.sqlite");
    fs::write(
        &db,
        b"this is not a database, but it is long enough to be taken for one. ".repeat(99),
    )
    .unwrap();
    refused(dir.path(), &["state.sqlite is damaged or is not a database", "restore it"]);
}

#[test]
fn a_database_that_was_emptied_costs_no_page() {
    let dir = tempfile::tempdir().unwrap();
    let (warc, bytes) = with_a_page(dir.path());
    for rest in ["state.sqlite-wal", "state.sqlite-shm"] {
        let _ = fs::remove_file(dir.path().join(rest));
    }
    fs::write(dir.path().join("state.sqlite"), b"").unwrap();
    refused(dir.path(), &["its state.sqlite is missing or empty", "restore it"]);
    assert_eq!(fs::read(&warc).unwrap(), bytes, "the archive is as it was");
}

#[test]
fn a_database_of_the_future_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    let conn = rusqlite::Connection::open(dir.path().join("state.sqlite")).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    drop(conn);
    refused(dir.path(), &["was made by a newer quarry (schema 99, this one knows 5)"]);
    let foreign = tempfile::tempdir().unwrap();
    let conn = rusqlite::Connection::open(foreign.path().join("state.sqlite")).unwrap();
    conn.execute_batch("CREATE TABLE somebodys (x)").unwrap();
    drop(conn);
    refused(foreign.path(), &["is not a project folder"]);
}

#[test]
fn a_missing_or_short_archive_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (warc, bytes) = with_a_page(dir.path());
    fs::write(&warc, &bytes[..bytes.len() - 1]).unwrap();
    refused(dir.path(), &["quarry-00001.warc.gz has", "restore it from a copy"]);
    fs::remove_file(&warc).unwrap();
    refused(dir.path(), &["quarry-00001.warc.gz is missing"]);
    fs::write(&warc, &bytes).unwrap();
    assert_eq!(urls(&open(dir.path())), ["http://host.example/1"]);

    fs::remove_file(dir.path().join("state.sqlite")).unwrap();
    refused(dir.path(), &["holds archive files, but its state.sqlite is missing"]);
    assert_eq!(fs::read(&warc).unwrap(), bytes, "an archive is never thrown away");
}

#[test]
fn damage_in_the_archive_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let row = project.put(&capture(&page("http://host.example/1", b"one"))).unwrap();
    project.commit().unwrap();
    let warc = dir.path().join(&row.warc_filename);
    let mut bytes = fs::read(&warc).unwrap();
    bytes[row.warc_record_offset as usize + 40] ^= 0xff;
    fs::write(&warc, &bytes).unwrap();
    let text = chain(&project.read(&row).unwrap_err());
    assert!(text.contains("cannot read the archive"), "{text}");
    assert!(text.contains(&format!("offset {}", row.warc_record_offset)), "{text}");
}

#[test]
fn files_rotate_and_each_begins_with_warcinfo() {
    let dir = tempfile::tempdir().unwrap();
    let archive = ArchiveSettings { rotate_at: 2_000, ..ArchiveSettings::default() };
    let settings = StoreSettings { archive, ..StoreSettings::default() };
    let mut rows = Vec::new();
    for session in 0..3 {
        let mut project = Project::create_or_open(dir.path(), &settings).unwrap();
        for n in 0..10 {
            let url = format!("http://host.example/{session}/{n}");
            rows.push(project.put(&capture(&page(&url, url.repeat(20).as_bytes()))).unwrap());
            if n % 4 == 0 {
                project.commit().unwrap();
            }
        }
        project.commit().unwrap();
    }
    let project = Project::open(dir.path(), &settings).unwrap();
    for row in &rows {
        assert_eq!(project.read(row).unwrap().request.url, row.url);
    }
    let mut files: Vec<_> = rows.iter().map(|row| row.warc_filename.clone()).collect();
    files.dedup();
    assert!(files.len() > 5, "{files:?}");
    for file in files {
        let path = dir.path().join(&file);
        let length = fs::metadata(&path).unwrap().len();
        assert!(length < 4_000, "{length}");
        let mut records = read_warc(&path, &ReadLimits::default()).unwrap();
        let first = records.next().unwrap().unwrap();
        assert_eq!(first.kind(), RecordType::Warcinfo);
        assert_eq!(Some(first.headers.get("WARC-Filename").unwrap()), file.strip_prefix("pages/"));
        assert!(String::from_utf8(first.block).unwrap().contains("software: quarry/"));
        assert!(records.all(|record| record.is_ok()));
    }
}

#[test]
fn the_same_body_is_archived_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let body = b"a page that many addresses have. ".repeat(1_000);
    let first = project.put(&capture(&page("http://host.example/1", &body))).unwrap();
    project.commit().unwrap();
    drop(project);
    let mut project = open(dir.path());
    let second = project.put(&capture(&page("http://host.example/2", &body))).unwrap();
    let small = project.put(&capture(&page("http://host.example/3", b"small"))).unwrap();
    let again = project.put(&capture(&page("http://host.example/4", b"small"))).unwrap();
    project.commit().unwrap();
    let kinds: Vec<_> = read_warc(&dir.path().join(&first.warc_filename), &ReadLimits::default())
        .unwrap()
        .map(Result::unwrap)
        .filter(|record| matches!(record.kind(), RecordType::Response | RecordType::Revisit))
        .collect();
    assert_eq!(kinds[1].kind(), RecordType::Revisit);
    assert_eq!(
        kinds[1].headers.get("WARC-Profile"),
        Some("http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
    );
    assert_eq!(kinds[1].headers.get("WARC-Refers-To-Target-URI"), Some("http://host.example/1"));
    assert_eq!(
        kinds[1].headers.get("WARC-Refers-To-Date"),
        Some(first.fetch_time.to_string().as_str())
    );
    assert_eq!(kinds[2].kind(), RecordType::Response);
    assert_eq!(kinds[3].kind(), RecordType::Response, "a small body is not worth a revisit");
    assert_eq!(project.read(&second).unwrap().response.body, body);
    assert_eq!(project.read(&small).unwrap().response.body, b"small");
    assert_eq!(project.read(&again).unwrap().response.body, b"small");
}

#[test]
fn via_comes_back_whatever_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let entry = |path: &str, via: Option<&str>| Candidate {
        request: Request::get(format!("{HOST}{path}")),
        host: HOST.to_owned(),
        via: via.map(str::to_owned),
        ..Candidate::default()
    };
    let known = format!("{HOST}/a");
    project
        .add(&[
            entry("/a", None),
            entry("/b", Some(&known)),
            entry("/c", Some("http://unknown.example/")),
            entry("/d", Some(&known)),
        ])
        .unwrap();
    let mut found = Vec::new();
    while let Some(entry) = project.lease(HOST, NOW).unwrap() {
        let via = entry.candidate.via;
        let exchange = page(&entry.candidate.request.url, b"x");
        let row = project.put(&Capture { via: via.as_deref(), ..capture(&exchange) }).unwrap();
        assert_eq!(row.via, via);
        project.finish(entry.id, &End::Done).unwrap();
        found.push(via);
    }
    let expect = [None, Some(known.clone()), Some("http://unknown.example/".into()), Some(known)];
    assert_eq!(found, expect);
    project.commit().unwrap();
    let mut listed = Vec::new();
    project.each(&mut |row| listed.push(row.via)).unwrap();
    assert_eq!(listed, expect);
}

#[test]
fn the_frontier_survives_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let candidate = |n: u32| Candidate {
        request: Request::get(format!("{HOST}/{n}")),
        host: HOST.to_owned(),
        depth: n,
        ..Candidate::default()
    };
    project.add(&(0..5).map(candidate).collect::<Vec<_>>()).unwrap();
    let first = project.lease(HOST, NOW).unwrap().unwrap();
    project.finish(first.id, &End::Skipped(SkipReason::Robots)).unwrap();
    let second = project.lease(HOST, NOW).unwrap().unwrap();
    let due = NOW.plus(Duration::from_secs(60));
    project.put_back(second.id, due, true).unwrap();
    let before = (project.work().unwrap(), project.counts().unwrap());
    project.commit().unwrap();
    drop(project);

    let mut project = open(dir.path());
    assert_eq!((project.work().unwrap(), project.counts().unwrap()), before);
    let added = project.add(&(0..7).map(candidate).collect::<Vec<_>>()).unwrap();
    assert_eq!((added.new, added.known), (2, 5), "what was known still is");
    let third = project.lease(HOST, NOW).unwrap().unwrap();
    assert_eq!(third.candidate.depth, 2, "the one that waits is passed over");
    let woken = project.lease(HOST, due).unwrap().unwrap();
    assert_eq!((woken.id, woken.attempts), (second.id, 1));
}

#[test]
fn runs_sum_up() {
    let dir = tempfile::tempdir().unwrap();
    let settings = StoreSettings { issues_per_kind: 2, ..StoreSettings::default() };
    for session in 1..=2 {
        let mut project = Project::create_or_open(dir.path(), &settings).unwrap();
        project.begin_run(&format!("{{\"session\":{session}}}"), NOW).unwrap();
        project.add_counters(10, 1_000);
        project.count_skipped(SkipReason::Depth, 1);
        for n in 0..3 {
            let url = format!("{HOST}/{session}/{n}");
            let issue = Issue { kind: IssueKind::HttpError, url, detail: "500".to_owned() };
            project.note_issue(&issue, NOW).unwrap();
        }
        let url = format!("{HOST}/{session}");
        project.put(&capture(&page(&url, b"x"))).unwrap();
        let robots = page(&format!("{HOST}/robots.txt"), b"");
        project.put(&Capture { is_page: false, ..capture(&robots) }).unwrap();
        project.end_run(NOW.plus(Duration::from_secs(5))).unwrap();
    }
    let project = Project::open_read_only(dir.path(), &settings).unwrap();
    let report = project.report().unwrap();
    assert_eq!((report.requests, report.bytes, report.pages), (20, 2_000, 2));
    assert_eq!(report.skipped["depth"], 2);
    assert_eq!(report.issues["http_error"], 6, "all are counted");
    assert!(report.elapsed_s >= 0.0);
    let kept = project.issues(10).unwrap();
    assert_eq!(kept.len(), 2, "but only so many are kept");
    assert_eq!(kept[0].url, format!("{HOST}/1/0"));
    assert_eq!(project.issues(1).unwrap()[0].url, format!("{HOST}/1/1"));
    assert_eq!(project.last_settings().unwrap().as_deref(), Some("{\"session\":2}"));
}

#[test]
fn the_index_is_sorted() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let body = b"the same everywhere. ".repeat(50);
    for url in ["http://b.example/", "http://www.a.example/z", "http://a.example/y?b=1&a=2"] {
        project.put(&capture(&page(url, &body))).unwrap();
    }
    let mut post = page("http://a.example/search", b"found");
    post.request = Request::post("http://a.example/search", "q=x");
    let row = project.put(&capture(&post)).unwrap();
    project.commit().unwrap();
    let path = project.write_cdxj().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let keys: Vec<&str> = lines.iter().map(|line| line.split(" {").next().unwrap()).collect();
    assert_eq!(
        keys,
        [
            "example,a)/search?__wb_method=post&q=x 20261115200000",
            "example,a)/y?a=2&b=1 20261115200000",
            "example,a)/z 20261115200000",
            "example,b)/ 20261115200000",
        ]
    );
    assert!(lines.is_sorted());
    let json: serde_json::Value = serde_json::from_str(
        lines[0].split_once(" {").map(|(_, j)| format!("{{{j}")).unwrap().as_str(),
    )
    .unwrap();
    assert_eq!(json["url"], "http://a.example/search");
    assert_eq!(json["offset"], row.warc_record_offset.to_string());
    assert_eq!(json["length"], row.warc_record_length.to_string());
    assert_eq!(json["filename"], "quarry-00001.warc.gz");
    assert_eq!(json["digest"], format!("sha1:{}", row.content_digest));
    assert_eq!(json["method"], "POST");
    assert!(lines[1].contains("\"mime\":\"warc/revisit\""));
}

#[test]
fn nothing_is_changed_after_a_failed_write() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    project.put(&capture(&page("http://host.example/1", b"one"))).unwrap();
    project.commit().unwrap();
    // The folder of archive files goes away, and the next file cannot be made.
    let archive = ArchiveSettings { rotate_at: 1, ..ArchiveSettings::default() };
    drop(project);
    let settings = StoreSettings { archive, ..StoreSettings::default() };
    let mut project = Project::create_or_open(dir.path(), &settings).unwrap();
    fs::rename(dir.path().join("pages"), dir.path().join("elsewhere")).unwrap();
    let error = project.put(&capture(&page("http://host.example/2", b"two"))).unwrap_err();
    assert!(chain(&error).contains("cannot create"), "{}", chain(&error));
    fs::rename(dir.path().join("elsewhere"), dir.path().join("pages")).unwrap();
    let error = project.put(&capture(&page("http://host.example/3", b"three"))).unwrap_err();
    assert!(chain(&error).contains("open the project again"), "{}", chain(&error));
    assert!(project.commit().is_err());
    drop(project);
    let mut project = open(dir.path());
    assert_eq!(urls(&project), ["http://host.example/1"], "nothing is lost");
    project.put(&capture(&page("http://host.example/2", b"two"))).unwrap();
    project.commit().unwrap();
}
