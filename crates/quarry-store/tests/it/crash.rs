//! Is exactly what was committed there after a crash? A crash is simulated by forgetting the
//! project with a transaction open, and by bytes of the archive that no commit knows.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;

use proptest::prelude::*;
use quarry_model::conformance::page_store::{capture, page};
use quarry_model::{
    Candidate, End, Frontier, Issue, IssueKind, PageStore, Request, SkipReason, Timestamp,
};
use quarry_store::warc::{ReadLimits, read_warc};
use quarry_store::{ArchiveSettings, Opened, Project, StoreSettings};

use crate::{open, urls};

const HOST: &str = "http://host.example";
const NOW: Timestamp = Timestamp(1_794_772_800_000);

fn candidate(n: u32) -> Candidate {
    let request = Request::get(format!("{HOST}/{n}"));
    Candidate { request, host: HOST.to_owned(), ..Candidate::default() }
}

#[derive(Debug, Clone)]
enum Step {
    /// Adds this many new candidates.
    Add(u32),
    /// Leases an entry, archives its page and finishes it.
    Crawl,
    /// Leases an entry, and no more.
    Lease,
    Commit,
    /// Dies, with these bytes of the archive written and not committed.
    Die(Vec<u8>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (1u32..5).prop_map(Step::Add),
        6 => Just(Step::Crawl),
        2 => Just(Step::Lease),
        2 => Just(Step::Commit),
        1 => prop::collection::vec(any::<u8>(), 0..3_000).prop_map(Step::Die),
    ];
    prop::collection::vec(step, 1..40)
}

/// What must be there: what was committed.
#[derive(Debug, Clone, Default, PartialEq)]
struct Truth {
    added: u32,
    pages: Vec<String>,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn exactly_the_committed_pages(steps in steps()) {
        let dir = tempfile::tempdir().unwrap();
        // Small files, so that crashes fall on rotations, too.
        let archive = ArchiveSettings { rotate_at: 4_000, ..ArchiveSettings::default() };
        let settings = StoreSettings { archive, ..StoreSettings::default() };
        let mut project = Project::create_or_open(dir.path(), &settings).unwrap();
        let (mut now, mut committed) = (Truth::default(), Truth::default());
        for step in &steps {
            match step {
                Step::Add(n) => {
                    let new: Vec<_> = (now.added..now.added + n).map(candidate).collect();
                    project.add(&new).unwrap();
                    now.added += n;
                }
                Step::Crawl => {
                    let Some(entry) = project.lease(HOST, NOW).unwrap() else { continue };
                    let url = entry.candidate.request.url;
                    let exchange = page(&url, format!("<p>{url}").repeat(60).as_bytes());
                    project.put(&capture(&exchange)).unwrap();
                    project.finish(entry.id, &End::Done).unwrap();
                    now.pages.push(url);
                }
                Step::Lease => drop(project.lease(HOST, NOW).unwrap()),
                Step::Commit => {
                    project.commit().unwrap();
                    committed = now.clone();
                }
                Step::Die(bytes) => {
                    drop(project);
                    let files = fs::read_dir(dir.path().join("pages")).unwrap();
                    for file in files {
                        let path = file.unwrap().path();
                        let mut file = OpenOptions::new().append(true).open(path).unwrap();
                        file.write_all(bytes).unwrap();
                    }
                    project = Project::create_or_open(dir.path(), &settings).unwrap();
                    now = committed.clone();
                }
            }
        }
        drop(project);
        let project = Project::create_or_open(dir.path(), &settings).unwrap();
        prop_assert_eq!(urls(&project), committed.pages.clone());
        let counts = project.counts().unwrap();
        prop_assert_eq!(counts.done, committed.pages.len() as u64);
        prop_assert_eq!(counts.queued, u64::from(committed.added) - counts.done);
        let work: u64 = project.work().unwrap().iter().map(|host| host.queued).sum();
        prop_assert_eq!(work, counts.queued);
        let distinct: BTreeSet<_> = committed.pages.iter().collect();
        prop_assert_eq!(distinct.len(), committed.pages.len(), "every page exactly once");
        // Every page can be read, and the archive is whole from end to end.
        let mut rows = Vec::new();
        project.each(&mut |row| rows.push(row)).unwrap();
        for row in rows {
            prop_assert_eq!(project.read(&row).unwrap().request.url, row.url);
        }
        for file in fs::read_dir(dir.path().join("pages")).unwrap() {
            for record in read_warc(&file.unwrap().path(), &ReadLimits::default()).unwrap() {
                record.unwrap();
            }
        }
    }
}

#[test]
fn opening_tells_what_it_found() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    assert_eq!(project.opened(), Opened { created: true, ..Opened::default() });
    project.add(&[candidate(1), candidate(2)]).unwrap();
    let entry = project.lease(HOST, NOW).unwrap().unwrap();
    project.put(&capture(&page(&entry.candidate.request.url, b"one"))).unwrap();
    project.commit().unwrap();
    drop(project);
    let warc = dir.path().join("pages/quarry-00001.warc.gz");
    let length = fs::metadata(&warc).unwrap().len();
    OpenOptions::new().append(true).open(&warc).unwrap().write_all(b"rest of a page").unwrap();
    fs::write(dir.path().join("pages/quarry-00002.warc.gz"), b"new file").unwrap();
    fs::write(dir.path().join("pages/notes.txt"), b"somebody's").unwrap();

    let project = open(dir.path());
    let expect = Opened { created: false, cut_bytes: 14 + 8, released_leases: 1 };
    assert_eq!(project.opened(), expect);
    assert_eq!(fs::metadata(&warc).unwrap().len(), length);
    assert!(!dir.path().join("pages/quarry-00002.warc.gz").exists());
    assert!(dir.path().join("pages/notes.txt").exists(), "other files are left alone");
    assert_eq!(project.counts().unwrap().queued, 2);
    drop(project);
    assert_eq!(open(dir.path()).opened(), Opened::default(), "nothing the second time");
}

#[test]
fn counts_and_issues_last_with_the_commit() {
    let dir = tempfile::tempdir().unwrap();
    let issue = Issue { kind: IssueKind::Refused, url: format!("{HOST}/x"), detail: "429".into() };
    let mut project = open(dir.path());
    project.begin_run("{}", NOW).unwrap();
    project.add_counters(3, 100);
    project.count_skipped(SkipReason::Robots, 2);
    project.note_issue(&issue, NOW).unwrap();
    project.commit().unwrap();
    // Not committed:
    project.add_counters(9, 900);
    project.count_skipped(SkipReason::Trap, 9);
    project.note_issue(&issue, NOW).unwrap();
    drop(project);
    let report = open(dir.path()).report().unwrap();
    assert_eq!((report.requests, report.bytes), (3, 100));
    assert_eq!(report.skipped.into_iter().collect::<Vec<_>>(), [("robots".to_owned(), 2)]);
    assert_eq!(report.issues.into_iter().collect::<Vec<_>>(), [("refused".to_owned(), 1)]);
}
