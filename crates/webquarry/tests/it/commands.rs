//! What does a user see? Each verb, run for real.

use std::process::Stdio;

use quarry_testsite::SiteSpec;

use crate::program::{Folder, crawl, front, pages, quarry, report, run, serve};

fn small_shop() -> SiteSpec {
    SiteSpec { entities: 40, ..SiteSpec::preset("shop").unwrap() }
}

#[test]
fn a_crawl_stops_at_its_limit_and_goes_on_with_a_higher_one() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let project = folder.join("shop");
    let first = run(crawl(&front(&server), &project, &["--limit", "30"])).ended(0);
    assert!(first.out.contains("pages"), "{}", first.out);
    assert!(first.err.contains("--limit is used up"), "{}", first.err);
    assert_eq!(report(&project)["pages"], 30);
    let asked = server.requests();

    // The project remembers where it began.
    run(["crawl", "-p", project.to_str().unwrap(), "--limit", "60"]).ended(0);
    assert_eq!(report(&project)["pages"], 60);
    assert!(server.requests() - asked < 40, "pages were asked for again");
    assert!(server.violations().is_empty(), "{:?}", server.violations());
}

#[test]
fn every_product_is_found() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let project = folder.join("shop");
    let base = server.url().to_owned();
    run(crawl(&front(&server), &project, &["--limit", "3000", "--quiet"])).ended(0);
    let found: std::collections::BTreeSet<String> =
        pages(&project).into_iter().map(|(url, _, _)| url).collect();
    for line in server.site().truth() {
        let url = format!("{base}{}", line.url);
        assert!(found.contains(&url), "{url} was not fetched");
    }
}

#[test]
fn the_first_interrupt_finishes_what_is_in_flight() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let project = folder.join("shop");
    let mut child = quarry(crawl(
        &front(&server),
        &project,
        &["--limit", "3000", "--delay", "0", "--scope", "host"],
    ))
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    while server.requests() < 10 {
        assert!(child.try_wait().unwrap().is_none(), "the crawl ended by itself");
        std::thread::yield_now();
    }
    let told = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(told.success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("goes on"), "{err}");
    let stored = report(&project);
    assert!(stored["pages"].as_u64().unwrap() > 0);
    assert!(stored["queued"].as_u64().unwrap() > 0);
}

#[test]
fn the_second_process_on_a_project_is_told_who_has_it() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let project = folder.join("shop");
    let mut first = quarry(crawl(&front(&server), &project, &["--limit", "3000", "--quiet"]))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while server.requests() < 5 {
        assert!(first.try_wait().unwrap().is_none(), "the crawl ended by itself");
        std::thread::yield_now();
    }
    let second = run(crawl(&front(&server), &project, &[])).ended(2);
    assert!(second.err.contains("another quarry"), "{}", second.err);
    assert!(second.err.contains(&first.id().to_string()), "{}", second.err);
    // Reading is possible all the while.
    run(["report", "-p", project.to_str().unwrap()]).ended(0);
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_pause_that_was_asked_for_is_kept_on_this_machine_too() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let project = folder.join("shop");
    let calm = ["--limit", "4", "--per-host", "1", "--delay", "200ms", "--quiet"];
    run(crawl(&front(&server), &project, &calm)).ended(0);
    let took = report(&project)["elapsed_s"].as_f64().unwrap();
    assert!(took >= 0.6, "four pages with 0.2 s between two took {took} s");
}

#[test]
fn a_dry_run_asks_and_writes_nothing() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let project = folder.join("shop");
    let ran = run(crawl(&front(&server), &project, &["--dry-run"])).ended(0);
    assert!(ran.out.contains("would be made"), "{}", ran.out);
    assert_eq!(server.requests(), 0);
    assert!(!project.exists());
}

#[test]
fn pages_are_exported_in_every_form() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let project = folder.join("shop");
    run(crawl(&front(&server), &project, &["--limit", "20", "--quiet"])).ended(0);
    let project = project.to_str().unwrap();
    for (name, magic) in [
        ("pages.jsonl", &b"{\"url\""[..]),
        ("pages.csv", b"url,fetch_time,fetch_status"),
        ("pages.parquet", b"PAR1"),
        ("pages.sqlite", b"SQLite format 3"),
    ] {
        let file = folder.join(name);
        run(["export", "-p", project, "--table", "pages", "-o", file.to_str().unwrap()]).ended(0);
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes.starts_with(magic), "{name} begins with {:?}", &bytes[..20.min(bytes.len())]);
    }
}

#[test]
fn a_crawl_can_be_replayed_from_its_archive() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let (first, second) = (folder.join("first"), folder.join("second"));
    let url = front(&server);
    run(crawl(&url, &first, &["--limit", "50", "--quiet", "--sitemaps", "false"])).ended(0);
    let asked = server.requests();
    let replay =
        ["--limit", "50", "--quiet", "--sitemaps", "false", "--replay", first.to_str().unwrap()];
    let ran = run(crawl(&url, &second, &replay));
    assert!(ran.status < 2, "{}", ran.err);
    assert_eq!(server.requests(), asked, "a replay asked the server");
    let replayed = pages(&second);
    assert!(!replayed.is_empty());
    let original = pages(&first);
    assert!(replayed.iter().all(|page| original.contains(page)));
}

#[test]
fn inspect_shows_a_page_of_the_project_and_a_file() {
    let folder = Folder::new();
    let server = serve(small_shop());
    let project = folder.join("shop");
    let url = front(&server);
    run(crawl(&url, &project, &["--limit", "3", "--quiet"])).ended(0);
    let project = project.to_str().unwrap();
    let summary = run(["inspect", &url, "-p", project]).ended(0);
    assert!(summary.out.contains("charset") && summary.out.contains("links"), "{}", summary.out);
    let tree = run(["inspect", &url, "-p", project, "--show", "tree"]).ended(0);
    assert!(tree.out.contains("body"), "{}", tree.out);

    let file = folder.join("page.html");
    std::fs::write(&file, "<title>T</title><form action=/s><input name=q></form><a href=/x>X</a>")
        .unwrap();
    let file = file.to_str().unwrap();
    let links = run(["inspect", file, "--url", "http://h.example/", "--show", "links"]).ended(0);
    assert_eq!(links.lines()[0]["href"], "http://h.example/x");
    let forms = run(["inspect", file, "--show", "forms"]).ended(0);
    assert!(forms.out.contains('q'), "{}", forms.out);
    let text = run(["inspect", file, "--show", "text", "--at", "/html/body/a"]).ended(0);
    assert_eq!(text.out, "X\n");
}

#[test]
fn bad_input_gets_an_answer_one_can_act_on() {
    let folder = Folder::new();
    let project = folder.join("p");
    let project = project.to_str().unwrap();
    let occupied = folder.join("occupied");
    std::fs::create_dir(&occupied).unwrap();
    std::fs::write(occupied.join("thesis.txt"), "irreplaceable").unwrap();
    let config = folder.join("bad.toml");
    std::fs::write(&config, "[crawl]\ndeley = 3\n").unwrap();
    for (arguments, says) in [
        (vec!["crawl", "-p", project], "say where to begin"),
        (vec!["crawl", "ftp://h.example/", "-p", project], "ftp://h.example/"),
        (vec!["crawl", "http://h.example/", "-p", project, "--include", "("], "include"),
        (vec!["crawl", "http://h.example/", "-p", project, "-H", "nonsense"], "header field"),
        (vec!["crawl", "http://h.example/", "-p", project, "--delay", "soon"], "not a time"),
        (
            vec!["crawl", "http://h.example/", "-p", occupied.to_str().unwrap()],
            "not a quarry project",
        ),
        (
            vec!["crawl", "http://h.example/", "-p", project, "--config", config.to_str().unwrap()],
            "deley",
        ),
        (vec!["report", "-p", project], project),
        (vec!["export", "-p", project, "--table", "pages"], project),
        (vec!["inspect", "no-such-file.html"], "no-such-file.html"),
        (vec!["inspect", "http://h.example/"], "-p DIR"),
    ] {
        let ran = run(&arguments).ended(2);
        assert!(ran.err.contains(says), "{arguments:?} says: {}", ran.err);
        assert!(!std::path::Path::new(project).exists(), "{arguments:?} left a folder behind");
    }
}

#[test]
fn config_says_where_each_value_came_from() {
    let folder = Folder::new();
    let file = folder.join("my.toml");
    std::fs::write(&file, "[crawl]\ndepth = 3\n").unwrap();
    let output = quarry(["config", "--config", file.to_str().unwrap(), "--limit", "7"])
        .env("QUARRY_DELAY", "5s")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |key: &str| -> serde_json::Value {
        let found = text.lines().find(|l| l.contains(&format!("\"key\":\"{key}\""))).unwrap();
        serde_json::from_str(found).unwrap()
    };
    assert_eq!(line("depth")["value"], 3);
    assert_eq!(line("depth")["origin"], file.to_str().unwrap());
    assert_eq!(line("delay")["origin"], "$QUARRY_DELAY");
    assert_eq!(line("limit")["origin"], "--limit");
    assert_eq!(line("scope")["origin"], "default");
}

#[test]
fn the_demonstration_runs_and_cleans_up() {
    let folder = Folder::new();
    let project = folder.join("demo");
    let ran = run(["demo", "-p", project.to_str().unwrap(), "--quiet"]).ended(0);
    assert!(ran.out.contains("quarry report -p"), "{}", ran.out);
    assert!(report(&project)["pages"].as_u64().unwrap() > 100);
    // Once more replaces it; a folder of the user's own is left alone.
    run(["demo", "-p", project.to_str().unwrap(), "--quiet"]).ended(0);
    let own = folder.join("own");
    std::fs::create_dir(&own).unwrap();
    run(["demo", "-p", own.to_str().unwrap()]).ended(2);
    assert!(own.exists());
}

#[test]
fn completions_and_manual_pages_are_made() {
    let folder = Folder::new();
    assert!(run(["completions", "bash"]).ended(0).out.contains("quarry"));
    let manual = folder.join("man");
    run(["man", manual.to_str().unwrap()]).ended(0);
    assert!(manual.join("quarry.1").exists() && manual.join("quarry-crawl.1").exists());
}
