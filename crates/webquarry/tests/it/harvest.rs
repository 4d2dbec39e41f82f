//! Does a harvest give the whole table back: facets, lists and specifications of every entity in one row?

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quarry_testsite::{Server, SiteSpec};
use serde_json::Value;

use crate::program::{Folder, Ran, front, run, serve};

fn small(preset: &str, entities: usize) -> Server {
    serve(SiteSpec { entities, ..SiteSpec::preset(preset).unwrap() })
}

fn harvest(server: &Server, project: &Path, more: &[&str]) -> Ran {
    let url = front(server);
    let mut arguments = vec!["harvest", &url, "-p", project.to_str().unwrap(), "--per-host", "4"];
    arguments.extend(more);
    run(arguments).ended(0)
}

fn export(project: &Path, table: &str) -> Vec<Value> {
    run(["export", "-p", project.to_str().unwrap(), "--table", table]).ended(0).lines()
}

fn text<'v>(row: &'v Value, name: &str) -> &'v str {
    row[name].as_str().unwrap_or_else(|| panic!("{name} of {row}"))
}

/// (entity, attribute in lower case, value), of the attributes that the truth knows.
fn found(server: &Server, project: &Path, known: &BTreeSet<String>) -> BTreeSet<[String; 3]> {
    let rows = export(project, "values");
    let triple = |row: &Value| {
        let entity = text(row, "entity").replacen(server.url(), "", 1);
        [entity, text(row, "attribute").to_lowercase(), text(row, "value").to_owned()]
    };
    rows.iter().map(triple).filter(|[_, name, _]| known.contains(name)).collect()
}

fn truth(server: &Server) -> BTreeSet<[String; 3]> {
    let site = server.site();
    let lines = site.truth();
    let triples = lines.flat_map(|line| {
        let url = line.url.clone();
        line.attributes.into_iter().flat_map(move |(name, values)| {
            let (url, name) = (url.clone(), name.to_lowercase());
            let texts = values.texts().to_vec();
            texts.into_iter().map(move |value| [url.clone(), name.clone(), value])
        })
    });
    triples.collect()
}

#[test]
fn the_whole_table_comes_back() {
    for (preset, entities) in [("shop", 60), ("books", 120), ("h-tree", 60)] {
        let folder = Folder::new();
        let server = small(preset, entities);
        let project = folder.join("site");
        let ran = harvest(&server, &project, &[]);
        let truth = truth(&server);
        let known: BTreeSet<String> = truth.iter().map(|[_, name, _]| name.clone()).collect();
        let found = found(&server, &project, &known);
        let right = truth.intersection(&found).count() as f64;
        let (precision, recall) = (right / found.len() as f64, right / truth.len() as f64);
        assert!(precision >= 0.97, "{preset}: precision {precision:.3}");
        assert!(recall >= 0.9, "{preset}: recall {recall:.3}");

        let rows = export(&project, "entities");
        let urls: BTreeSet<String> =
            rows.iter().map(|row| text(row, "entity").replacen(server.url(), "", 1)).collect();
        let real: BTreeSet<String> = server.site().truth().map(|line| line.url).collect();
        assert_eq!(urls, real, "{preset}");
        let ids: BTreeSet<&str> = rows.iter().map(|row| text(row, "_id")).collect();
        assert_eq!(ids.len(), rows.len());
        assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{}", ran.out);
        assert!(server.violations().is_empty(), "{:?}", server.violations());
    }
}

#[test]
fn every_value_has_a_place_and_every_file_is_there() {
    let folder = Folder::new();
    let server = small("shop", 40);
    let project = folder.join("site");
    harvest(&server, &project, &[]);
    let rows = export(&project, "values");
    let mut sources: BTreeMap<String, usize> = BTreeMap::new();
    let pages: BTreeSet<String> =
        export(&project, "pages").iter().map(|row| text(row, "url").to_owned()).collect();
    for row in &rows {
        *sources.entry(text(row, "source").to_owned()).or_default() += 1;
        assert!(pages.contains(text(row, "page")), "{row}");
        assert!(text(row, "path").starts_with("/html"), "{row}");
        let sure = row["confidence"].as_f64().unwrap();
        assert!(sure > 0.0 && sure <= 1.0, "{row}");
    }
    assert_eq!(sources.keys().collect::<Vec<_>>(), ["facet", "list", "spec"]);
    for file in ["entities.parquet", "entities.csv", "values.parquet", "columns.csv"] {
        assert!(project.join("tables").join(file).metadata().unwrap().len() > 100, "{file}");
    }
    let report = std::fs::read_to_string(project.join("report.html")).unwrap();
    assert!(report.contains("Brand") && report.contains("<svg"), "no columns or no picture");
    for remote in ["<script", "<link", "<img src=\"http", "@import"] {
        assert!(!report.contains(remote), "{remote}");
    }
    // Types are decided from all values: prices are numbers.
    let columns = export(&project, "columns");
    let kind = |name: &str| {
        let column = columns.iter().find(|column| column["name"] == name);
        text(column.unwrap_or_else(|| panic!("no column {name}")), "kind").to_owned()
    };
    assert_eq!((kind("Price").as_str(), kind("Brand").as_str()), ("price", "text"));
    let entities = export(&project, "entities");
    assert!(entities.iter().all(|row| row["Price"].is_f64() || row["Price"].is_null()));
}

#[test]
fn archives_and_folders_are_harvested_too() {
    let folder = Folder::new();
    let server = small("shop", 30);
    let project = folder.join("site");
    harvest(&server, &project, &[]);
    let again = folder.join("again");
    let warcs = project.join("pages");
    run(["harvest", warcs.to_str().unwrap(), "-p", again.to_str().unwrap()]).ended(0);
    let entity = |row: &Value| text(row, "entity").to_owned();
    let one: BTreeSet<String> = export(&project, "entities").iter().map(entity).collect();
    let other: BTreeSet<String> = export(&again, "entities").iter().map(entity).collect();
    assert_eq!(one, other);
    // A project once more, without the network: the same values, facets included.
    let before = export(&project, "values");
    run(["harvest", project.to_str().unwrap()]).ended(0);
    assert_eq!(export(&project, "values"), before);
    let nowhere = run(["harvest", warcs.to_str().unwrap()]).ended(2);
    assert!(nowhere.err.contains("-p DIR"), "{}", nowhere.err);
}

#[test]
fn the_strategy_is_chosen_and_said() {
    for (preset, strategy) in [("shop", "query"), ("search", "probe"), ("k-keyword", "query")] {
        let folder = Folder::new();
        let mut spec = SiteSpec { entities: 40, ..SiteSpec::preset(preset).unwrap() };
        if preset == "search" {
            spec.search.required = true;
        }
        let server = serve(spec);
        let ran = harvest(&server, &folder.join("site"), &[]);
        assert!(ran.err.contains(&format!("strategy {strategy}: ")), "{preset}:\n{}", ran.err);
    }
}

#[test]
fn a_harvest_that_was_stopped_goes_on_to_the_same_tables() {
    let folder = Folder::new();
    let server = small("shop", 30);
    let (calm, stopped) = (folder.join("calm"), folder.join("stopped"));
    harvest(&server, &calm, &[]);
    for limit in ["20", "90"] {
        harvest(&server, &stopped, &["--limit", limit]);
    }
    harvest(&server, &stopped, &["--limit", "10000"]);
    assert_eq!(export(&calm, "values"), export(&stopped, "values"));
}

#[test]
fn a_second_harvest_says_what_has_changed() {
    let folder = Folder::new();
    let (pages, project) = (folder.join("pages"), folder.join("table"));
    std::fs::create_dir(&pages).unwrap();
    let write = |n: usize, price: usize| {
        let row = |name: &str, value: String| format!("<tr><th>{name}</th><td>{value}</td></tr>");
        let rows = row("Brand", format!("Brand {}", n % 4))
            + &row("Weight", format!("{} kg", n + 2))
            + &row("Width", format!("{} cm", 10 * n + 5))
            + &row("Model number", format!("MX-{}", 700 + n))
            + &row("Price", format!("${price}.50"));
        let page = format!(
            "<html><title>Lamp {n}</title><body><h1>Lamp {n}</h1><h2>Specification</h2>\
             <table>{rows}</table></body></html>"
        );
        std::fs::write(pages.join(format!("{n:02}.html")), page).unwrap();
    };
    (0..12).for_each(|n| write(n, 20 + n));
    let harvest = || {
        run(["harvest", pages.to_str().unwrap(), "-p", project.to_str().unwrap()]).ended(0);
        let rows = export(&project, "entities");
        let state = |row: &Value| (text(row, "entity").to_owned(), text(row, "_state").to_owned());
        rows.iter().map(state).collect::<BTreeMap<String, String>>()
    };
    assert!(harvest().values().all(|state| state == "new"));
    assert!(harvest().values().all(|state| state == "same"));
    write(3, 99);
    write(40, 60);
    std::fs::remove_file(pages.join("05.html")).unwrap();
    let states = harvest();
    assert_eq!(states["03.html"], "changed");
    assert_eq!(states["40.html"], "new");
    assert_eq!(states["05.html"], "removed");
    assert_eq!(states.values().filter(|state| *state == "same").count(), 10);
}
