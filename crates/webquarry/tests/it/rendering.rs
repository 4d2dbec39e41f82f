//! Does a site that scripts fill give the same table as one that is sent whole, at what cost, and again from its archive?

use std::collections::BTreeSet;
use std::path::Path;

use quarry_testsite::{Scripts, Server, SiteSpec};
use serde_json::Value;

use crate::program::{Folder, front, run, serve};

/// False, with a line that says so, where there is no browser; continuous integration does not accept that.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn has_browser() -> bool {
    match quarry_browser::find_browser(None) {
        Ok(_) => true,
        Err(error) if std::env::var_os("CI").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            false
        }
    }
}

fn site(scripts: Scripts) -> Server {
    serve(SiteSpec { entities: 24, scripts, ..SiteSpec::preset("d3-restaurants").unwrap() })
}

/// The rows of `values`, without the host and without where they were found.
fn values(server: &Server, project: &Path) -> BTreeSet<[String; 3]> {
    let rows =
        run(["export", "-p", project.to_str().unwrap(), "--table", "values"]).ended(0).lines();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().replace(server.url(), "");
    rows.iter().map(|row| ["entity", "attribute", "value"].map(|name| text(row, name))).collect()
}

fn harvest(scripts: Scripts, folder: &Folder, more: &[&str]) -> (BTreeSet<[String; 3]>, String) {
    let server = site(scripts);
    let project = folder.join(&format!("{scripts:?}"));
    let url = front(&server);
    let mut arguments = vec!["harvest", &url, "-p", project.to_str().unwrap()];
    arguments.extend(more);
    let ran = run(arguments).ended(0);
    (values(&server, &project), ran.err)
}

/// How many pages a run says that it rendered.
fn rendered(messages: &str) -> u64 {
    let line = messages.lines().find_map(|line| line.strip_prefix("scripts were run for "));
    let number = line.and_then(|line| line.split(' ').next()).unwrap_or("0");
    number.replace(',', "").parse().unwrap()
}

#[test]
fn the_table_is_the_same_whoever_fills_the_pages() {
    if !has_browser() {
        return;
    }
    let folder = Folder::new();
    let (plain, messages) = harvest(Scripts::Absent, &folder, &[]);
    assert!(plain.len() > 100, "{}", plain.len());
    assert_eq!(rendered(&messages), 0, "{messages}");
    let (hydrated, messages) = harvest(Scripts::Hydrated, &folder, &[]);
    assert!(rendered(&messages) <= 5, "{messages}");
    assert_eq!(hydrated, plain);
    let (filled, messages) = harvest(Scripts::Fetched, &folder, &[]);
    assert!(messages.contains("are filled by scripts: rendered"), "{messages}");
    let missing: Vec<_> = plain.difference(&filled).take(5).collect();
    let surplus: Vec<_> = filled.difference(&plain).take(5).collect();
    assert_eq!(filled, plain, "lacks {missing:?}, has {surplus:?}");
}

#[test]
fn an_archive_gives_the_same_documents_without_a_network() {
    if !has_browser() {
        return;
    }
    let folder = Folder::new();
    let (first, again) = (folder.join("first"), folder.join("again"));
    let server = site(Scripts::Fetched);
    let url = front(&server);
    let crawl = ["crawl", &url, "--strategy", "all", "-n", "12", "-p"];
    run(crawl.iter().copied().chain([first.to_str().unwrap()])).ended(0);
    drop(server);
    let replay = [again.to_str().unwrap(), "--replay", first.to_str().unwrap()];
    run(crawl.iter().copied().chain(replay)).ended(0);
    let documents = |project: &Path| -> Vec<String> {
        let lines = run(["records", project.to_str().unwrap(), "--format", "jsonl"]).ended(0);
        lines.out.lines().map(str::to_owned).collect()
    };
    let (before, after) = (documents(&first), documents(&again));
    assert!(before.len() > 5, "{before:?}");
    assert_eq!(before, after);
}

#[test]
fn without_a_browser_it_says_so_and_ends_with_1() {
    let folder = Folder::new();
    let server = site(Scripts::Fetched);
    let project = folder.join("project");
    let url = front(&server);
    let none = ["crawl", &url, "-n", "5", "--browser", "/no/such/browser", "-p"];
    let ran = run(none.iter().copied().chain([project.to_str().unwrap()])).ended(1);
    let said = ran.err.lines().filter(|line| line.contains("/no/such/browser")).count();
    assert_eq!(said, 1, "{}", ran.err);
}

#[test]
fn lists_from_json_are_read_from_the_endpoint_and_hardly_rendered() {
    if has_browser() {
        harvest_records(Scripts::Records, 240, 5);
    }
}

#[test]
fn records_in_a_script_are_read_from_it_and_hardly_rendered() {
    if has_browser() {
        harvest_records(Scripts::Bundled, 240, 4);
    }
}

#[test]
fn sections_that_list_records_are_all_followed() {
    if has_browser() {
        // The front page, five sections, and a few entities' own pages.
        harvest_records(Scripts::Sections, 60, 12);
    }
}

/// Harvests a site that is made from records, with so many renderings at the most: its table has what the records say.
fn harvest_records(scripts: Scripts, entities: usize, most: u64) {
    let folder = Folder::new();
    let spec = SiteSpec { entities, scripts, ..SiteSpec::preset("d3-restaurants").unwrap() };
    let server = serve(spec);
    let project = folder.join("project");
    let ran = run(["harvest", server.url(), "-p", project.to_str().unwrap()]).ended(0);
    let rendered = rendered(&ran.err);
    assert!(rendered > 0 && rendered <= most, "{}", ran.err);
    assert!(ran.err.contains("; asking for their data saved "), "{}", ran.err);
    let rows = run(["export", "-p", project.to_str().unwrap(), "--table", "values"]).ended(0);
    let mut found: BTreeSet<(String, String, String)> = BTreeSet::new();
    let mut places = 0;
    for row in rows.lines() {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let entity = text("entity").replace(server.url().trim_end_matches('/'), "");
        places += usize::from(text("source") == "embedded" && text("path").starts_with("#/"));
        found.insert((entity, text("attribute").to_lowercase(), text("value")));
    }
    assert!(places > 4 * entities, "{places}");
    let (mut all, mut right) = (0, 0);
    for (number, line) in server.site().truth().enumerate() {
        let entity = format!("/r/{}", 4_001 + number);
        for (name, values) in &line.attributes {
            for value in values.texts() {
                all += 1;
                let own = (entity.clone(), name.to_lowercase(), value.clone());
                right += usize::from(found.contains(&own));
            }
        }
    }
    assert!(right as f64 >= 0.99 * f64::from(all), "{right} of {all}");
    // The same table from the project alone.
    let again = run(["harvest", project.to_str().unwrap()]).ended(0);
    assert!(again.out.contains(&format!("{entities} entities")), "{}", again.out);
}
