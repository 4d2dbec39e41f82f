//! Does a second harvest ask only what may have changed, and say exactly what has?

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;

use quarry_testsite::{Changes, Server, Site, SiteSpec};
use serde_json::Value;

use crate::program::{Folder, Ran, crawl, front, pages, quarry, report, run, serve};

/// Changes that are planned for the site.
const CHANGES: u32 = 10;

/// A small shop before (or after) its changes.
fn shop(passed: u32) -> SiteSpec {
    let preset = SiteSpec::preset("shop").unwrap();
    SiteSpec { entities: 30, changes: Changes::fixed(CHANGES, passed), ..preset }
}

fn arguments(server: &Server, project: &Path, more: &[&str]) -> Vec<String> {
    let url = front(server);
    let mut arguments = vec!["harvest", &url, "-p", project.to_str().unwrap(), "--per-host", "4"];
    arguments.extend(more);
    arguments.into_iter().map(str::to_owned).collect()
}

fn harvest(server: &Server, project: &Path) -> Ran {
    run(arguments(server, project, &[])).ended(0)
}

fn export(project: &Path, table: &str) -> Vec<Value> {
    run(["export", "-p", project.to_str().unwrap(), "--table", table]).ended(0).lines()
}

fn text(row: &Value, name: &str) -> String {
    row[name].as_str().unwrap_or_else(|| panic!("{name} of {row}")).to_owned()
}

/// The state of every entity, by its path.
fn states(server: &Server, project: &Path) -> BTreeMap<String, String> {
    let rows = export(project, "entities");
    let path = |row: &Value| text(row, "entity").replacen(server.url(), "", 1);
    rows.iter().map(|row| (path(row), text(row, "_state"))).collect()
}

/// What became of the entities by the truth of the site before and after.
fn truth(before: &Site, after: &Site) -> BTreeMap<String, String> {
    let lines = |site: &Site| -> BTreeMap<String, _> {
        site.truth().map(|line| (line.url.clone(), line)).collect()
    };
    let (before, after) = (lines(before), lines(after));
    let urls: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let state = |url: &String| match (before.get(url), after.get(url)) {
        (Some(_), None) => "removed",
        (None, _) => "new",
        (Some(old), Some(new)) if old == new => "same",
        _ => "changed",
    };
    urls.into_iter().map(|url| (url.clone(), state(url).to_owned())).collect()
}

fn tables(project: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(project.join("tables"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path))
        // States, and the time of asking, are others.
        .filter(|(name, _)| {
            !["entities", "pages", "harvest"].iter().any(|own| name.starts_with(own))
        })
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

fn number(report: &Value, name: &str) -> u64 {
    report["again"][name].as_u64().unwrap_or_else(|| panic!("{name} of {report}"))
}

#[test]
fn nothing_is_sent_again_that_has_not_changed() {
    let folder = Folder::new();
    let server = serve(shop(0));
    let project = folder.join("site");
    harvest(&server, &project);
    let (first, before) = (server.log().len(), tables(&project));
    let rows = export(&project, "pages");

    let ran = harvest(&server, &project);
    let log = server.log();
    assert!(log.len() > first + 50, "the site was asked again");
    for line in &log[first..] {
        assert_eq!((line.status, line.bytes), (304, 0), "{line}");
    }
    assert_eq!(tables(&project), before);
    assert!(states(&server, &project).values().all(|state| state == "same"));

    let counts = report(&project);
    assert_eq!(counts["pages"].as_u64().unwrap(), rows.len() as u64);
    assert_eq!(number(&counts, "round"), 2);
    assert_eq!(number(&counts, "asked"), rows.len() as u64);
    assert_eq!(number(&counts, "not_modified"), rows.len() as u64);
    assert_eq!((number(&counts, "changed"), number(&counts, "gone")), (0, 0));
    assert_eq!((number(&counts, "bytes"), number(&counts, "unreached")), (0, 0));
    assert!(number(&counts, "bytes_saved") > 100_000);
    assert!(ran.err.contains(" pages again: "), "{}", ran.err);

    // Each page once, where its body is, and when it was last found so.
    let again = export(&project, "pages");
    let place = |row: &Value| {
        let place = (text(row, "warc_filename"), row["warc_record_offset"].as_u64().unwrap());
        (text(row, "url"), row["fetch_status"].as_u64().unwrap(), place)
    };
    assert_eq!(
        rows.iter().map(place).collect::<Vec<_>>(),
        again.iter().map(place).collect::<Vec<_>>()
    );
    assert!(
        rows.iter().zip(&again).all(|(old, new)| text(old, "fetch_time") < text(new, "fetch_time"))
    );
    crate::crash::check_with_warcio(&project);

    // The archive files say the same to those who read nothing else.
    let elsewhere = folder.join("elsewhere");
    let warcs = project.join("pages");
    run(["harvest", warcs.to_str().unwrap(), "-p", elsewhere.to_str().unwrap()]).ended(0);
    let entities = |project: &Path| states(&server, project).into_keys().collect::<Vec<_>>();
    assert_eq!(entities(&elsewhere), entities(&project));
}

#[test]
fn exactly_what_changed_is_marked() {
    for (validators, gone) in [(true, false), (false, true)] {
        let folder = Folder::new();
        let site = |passed| {
            let mut spec = shop(passed);
            (spec.protocol.validators, spec.changes.gone) = (validators, gone);
            spec
        };
        let server = serve(site(0));
        let project = folder.join("site");
        harvest(&server, &project);
        let before = server.site();
        server.replace(Site::generate(site(CHANGES)));
        harvest(&server, &project);
        let expect = truth(&before, &server.site());
        assert_eq!(states(&server, &project), expect);
        let counts = report(&project);
        assert_eq!(number(&counts, "not_modified") > 0, validators, "{counts}");
        assert_eq!(number(&counts, "unchanged") > 0, !validators, "{counts}");
        assert!(number(&counts, "changed") > 0 && number(&counts, "new") > 0, "{counts}");
        let removed: Vec<&String> =
            expect.iter().filter(|(_, state)| *state == "removed").map(|(url, _)| url).collect();
        assert!(number(&counts, "gone") + number(&counts, "unreached") >= removed.len() as u64);
        // What is gone says nothing any more.
        let rows = export(&project, "values");
        for url in removed {
            assert!(rows.iter().all(|row| !text(row, "page").ends_with(url.as_str())), "{url}");
        }
        // And once more: all is as it was.
        harvest(&server, &project);
        let there = states(&server, &project);
        assert!(there.values().all(|state| state == "same"), "{there:?}");
        assert_eq!(number(&report(&project), "round"), 3);
    }
}

#[test]
fn a_round_that_was_killed_goes_on() {
    let folder = Folder::new();
    let server = serve(shop(0));
    let (calm, killed) = (folder.join("calm"), folder.join("killed"));
    for project in [&calm, &killed] {
        harvest(&server, project);
    }
    let before = server.site();
    server.replace(Site::generate(shop(CHANGES)));
    harvest(&server, &calm);
    let started = server.requests();
    for kill in 1..=4 {
        let again = arguments(&server, &killed, &["--commit-every", "10ms", "--quiet"]);
        let mut child = quarry(&again).stdout(Stdio::null()).spawn().unwrap();
        while server.requests() < started + 25 * kill {
            assert!(child.try_wait().unwrap().is_none(), "over before kill {kill}");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    harvest(&server, &killed);
    assert_eq!(number(&report(&killed), "round"), 2);
    assert_eq!(pages(&killed), pages(&calm));
    // Which of several lists is named as the place of a value depends on which answer came first.
    let said = |project: &Path| -> BTreeSet<[String; 4]> {
        let names = ["entity", "attribute", "value", "source"];
        export(project, "values").iter().map(|row| names.map(|name| text(row, name))).collect()
    };
    assert_eq!(said(&killed), said(&calm));
    assert_eq!(states(&server, &killed), truth(&before, &server.site()));
    let (one, other) = (report(&killed), report(&calm));
    for name in ["not_modified", "changed", "new", "gone", "unreached"] {
        assert_eq!(number(&one, name), number(&other, name), "{name}");
    }
}

#[test]
fn what_was_not_reached_stays_while_a_round_is_not_whole() {
    let folder = Folder::new();
    let server = serve(shop(0));
    let project = folder.join("site");
    harvest(&server, &project);
    let before = export(&project, "values");
    run(arguments(&server, &project, &["--limit", "20"])).ended(0);
    assert_eq!(export(&project, "values"), before);
    let counts = report(&project);
    assert!((15..=24).contains(&number(&counts, "asked")), "{counts}");
    // With more to spend, the same round goes on to its end.
    harvest(&server, &project);
    let counts = report(&project);
    assert_eq!((number(&counts, "round"), &counts["again"]["whole"]), (2, &Value::Bool(true)));
    assert_eq!(export(&project, "values"), before);
}

#[test]
fn what_is_fresh_is_not_asked() {
    let folder = Folder::new();
    let mut spec = shop(0);
    spec.protocol.max_age = 3600;
    let server = serve(spec);
    let project = folder.join("site");
    harvest(&server, &project);
    let (requests, before) = (server.requests(), tables(&project));
    let ran = harvest(&server, &project);
    assert_eq!(server.requests(), requests, "{}", ran.err);
    assert_eq!(tables(&project), before);
    assert!(states(&server, &project).values().all(|state| state == "same"));
    let counts = report(&project);
    assert_eq!(number(&counts, "fresh"), counts["pages"].as_u64().unwrap());
    assert!(ran.err.contains("still fresh and not asked"), "{}", ran.err);
}

#[test]
fn what_was_crawled_is_harvested_before_it_is_asked_again() {
    let folder = Folder::new();
    let server = serve(shop(0));
    let project = folder.join("site");
    run(crawl(&front(&server), &project, &["--strategy", "query"])).ended(0);
    let crawled = server.requests();
    // Pages of entities are still to come; nothing that is there is asked for.
    harvest(&server, &project);
    assert!(server.requests() > crawled && report(&project)["again"].is_null());
    let log = server.log();
    let targets: BTreeSet<&String> = log.iter().map(|line| &line.target).collect();
    assert_eq!(targets.len(), log.len());
    harvest(&server, &project);
    assert_eq!(number(&report(&project), "round"), 2);
}

#[test]
fn every_strategy_finds_its_pages_again() {
    for strategy in ["all", "index", "probe", "auto"] {
        let folder = Folder::new();
        let mut spec = SiteSpec { entities: 24, ..SiteSpec::preset("search").unwrap() };
        spec.search.required = strategy == "auto";
        let server = serve(spec);
        let project = folder.join("site");
        let url = front(&server);
        let dir = project.to_str().unwrap();
        let mut asked = vec!["crawl", &url, "-p", dir, "--strategy", strategy, "--limit", "120"];
        run(&asked).ended(0);
        let (first, before) = (server.log().len(), pages(&project));
        run(&asked).ended(0);
        assert_eq!(server.log().len(), first, "{strategy}: only what is asked for begins again");
        asked.push("--again");
        run(&asked).ended(0);
        assert_eq!(pages(&project), before, "{strategy}");
        let log = server.log();
        let sent: u64 = log[first..].iter().filter(|line| line.status == 200).count() as u64;
        let posted = log[first..].iter().filter(|line| line.method == "POST").count() as u64;
        assert!(log.len() > first && sent <= posted, "{strategy}: {sent} sent, {posted} forms");
    }
}
