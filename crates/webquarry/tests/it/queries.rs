//! Does a crawl by queries give the site's hidden table back, say so while it runs, and explain itself?

use std::collections::BTreeSet;
use std::path::Path;

use quarry_testsite::{Server, SiteSpec};
use serde_json::Value;

use crate::program::{Folder, Ran, crawl, front, report, run, serve};

type Triple = (String, String, String);

fn query_crawl(server: &Server, project: &Path, more: &[&str]) -> Ran {
    let mut arguments = vec!["--strategy", "query", "--per-host", "1"];
    arguments.extend(more);
    run(crawl(&front(server), project, &arguments)).ended(0)
}

/// A site after a preset, small enough for a test.
fn small(preset: &str, entities: usize) -> Server {
    serve(SiteSpec { entities, ..SiteSpec::preset(preset).unwrap() })
}

fn export(project: &Path, table: &str) -> Vec<Value> {
    run(["export", "-p", project.to_str().unwrap(), "--table", table]).ended(0).lines()
}

fn explain(project: &Path, address: &str) -> Value {
    let path = project.to_str().unwrap();
    run(["explain", address, "-p", path, "--json"]).ended(0).lines().remove(0)
}

fn text(row: &Value, name: &str) -> String {
    row[name].as_str().unwrap_or_else(|| panic!("{name} of {row}")).to_owned()
}

fn found(server: &Server, project: &Path) -> BTreeSet<Triple> {
    let rows = export(project, "values");
    assert!(rows.iter().all(|row| row["source"] == "facet"));
    rows.iter()
        .map(|row| {
            let entity = text(row, "entity").replacen(server.url(), "", 1);
            (entity, text(row, "attribute"), text(row, "value"))
        })
        .collect()
}

fn truth(server: &Server) -> BTreeSet<Triple> {
    let mut triples = BTreeSet::new();
    for line in server.site().truth() {
        for facet in &line.facets {
            let values = line.attributes.get(facet).map_or(&[][..], |values| values.texts());
            triples.extend(values.iter().map(|v| (line.url.clone(), facet.clone(), v.clone())));
        }
    }
    triples
}

#[test]
fn values_are_those_of_the_truth() {
    for (preset, entities) in [("shop", 60), ("f2-post-form", 60)] {
        let folder = Folder::new();
        let server = small(preset, entities);
        let project = folder.join("site");
        let ran = query_crawl(&server, &project, &[]);
        assert_eq!(found(&server, &project), truth(&server), "{preset}");
        assert!(server.violations().is_empty(), "{:?}", server.violations());
        assert!(ran.out.contains("over because"), "{}", ran.out);

        let counts = report(&project);
        let least = server.site().least_requests().total() as f64;
        let asked = counts["requests"].as_f64().unwrap();
        assert!(asked <= 1.3 * least + 3.0, "{preset}: {asked} requests, {least} at the least");

        let last = ran.err.lines().rev().find(|line| line.contains("queries")).unwrap();
        let queries = counts["queries"].as_u64().unwrap();
        assert!(last.contains(&format!("{queries} of {queries} queries")), "{last}");
        assert!(ran.err.lines().all(|line| line.chars().count() <= 100), "{}", ran.err);
    }
}

#[test]
fn a_stopped_crawl_goes_on_to_the_same_tables() {
    let folder = Folder::new();
    let server = small("d1-homes", 32);
    let calm = folder.join("calm");
    query_crawl(&server, &calm, &[]);
    assert_eq!(found(&server, &calm), truth(&server));

    let stopped = folder.join("stopped");
    let before = server.requests();
    query_crawl(&server, &stopped, &["--limit", "7"]);
    let path = stopped.to_str().unwrap();
    for limit in ["8", "30", "1000"] {
        run(["crawl", "-p", path, "--limit", limit]).ended(0);
    }
    for table in ["values", "queries"] {
        assert_eq!(export(&stopped, table), export(&calm, table), "{table}");
    }
    let asked = server.requests() - before;
    let pages = report(&calm)["pages"].as_u64().unwrap();
    // Beside the pages: robots.txt and the sitemap.
    assert!(asked <= pages + 2, "{asked} requests for {pages} pages: some were asked twice");
}

#[test]
fn tables_come_in_all_forms() {
    let folder = Folder::new();
    let server = small("d1-homes", 12);
    let project = folder.join("site");
    query_crawl(&server, &project, &[]);
    let path = project.to_str().unwrap();
    for table in ["values", "queries"] {
        let rows = export(&project, table).len();
        let csv = run(["export", "-p", path, "--table", table, "--format", "csv"]).ended(0);
        assert_eq!(csv.out.lines().count(), rows + 1, "{}", csv.out);
        for (format, opening) in [("parquet", &b"PAR1"[..]), ("sqlite", b"SQLite format 3")] {
            let file = folder.join(&format!("{table}.{format}"));
            run(["export", "-p", path, "--table", table, "-o", file.to_str().unwrap()]).ended(0);
            assert!(std::fs::read(&file).unwrap().starts_with(opening), "{format}");
        }
    }
    let header = run(["export", "-p", path, "--table", "values", "--format", "csv"]).ended(0).out;
    assert!(
        header.starts_with("site,entity,entity_kind,attribute,value,source,page,path,confidence")
    );
}

#[test]
fn the_graph_is_drawn_and_addresses_are_explained() {
    let folder = Folder::new();
    let server = small("d1-homes", 32);
    let project = folder.join("site");
    query_crawl(&server, &project, &[]);
    let path = project.to_str().unwrap();

    let lines = run(["graph", "-p", path]).ended(0).lines();
    assert_eq!(lines.len(), export(&project, "queries").len());
    let picture = |nodes: &str, format: &str| {
        run(["graph", "-p", path, "--format", format, "--nodes", nodes]).ended(0).out
    };
    let (svg, dot) = (picture("300", "svg"), picture("300", "dot"));
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains(">everything<") && dot.contains("label=\"everything [32]\""), "{dot}");
    let boxes = |dot: &str| {
        dot.lines().filter(|line| line.contains(" [label=") && !line.contains("->")).count()
    };
    assert!(boxes(&dot) > lines.len(), "every query and every attribute has a box");
    let attributes = report(&project)["attributes"].as_u64().unwrap() as usize;
    assert_eq!(boxes(&picture("5", "dot")), attributes + 1, "one box per attribute, and the root");

    let two = lines.iter().find(|line| line["pages"].as_u64() > Some(1)).unwrap();
    let first = text(two, "url");
    let told = explain(&project, &first);
    assert_eq!((&told["kind"], &told["query"]["page"]), (&"query".into(), &1.into()), "{told}");
    assert_eq!(told["query"]["query"], two["query"]);
    let fates = |what: &str| {
        let fates = told["links"].as_array().unwrap();
        fates.iter().find(|fate| fate["what"] == what).unwrap_or_else(|| panic!("{what}: {told}"))
    };
    assert_eq!(fates("sort orders")["asked"], false);
    assert_eq!(fates("values of attributes")["asked"], false);
    assert_eq!(fates("other pages")["asked"], true);

    let second = text(&explain(&project, &format!("{first}&page=2")), "what");
    assert!(second.starts_with("is page 2 of "), "{second}");
    let sorted = explain(&project, &format!("{first}&sort=price-asc"));
    assert_eq!(sorted["kind"], "link", "{sorted}");
    assert!(text(&sorted, "what").contains("in another order"), "{sorted}");
    assert_eq!(explain(&project, &format!("{}/nowhere", server.url()))["kind"], "unknown");

    let entity = text(&export(&project, "values")[0], "entity");
    let told = explain(&project, &entity);
    let known = found(&server, &project).into_iter().filter(|(e, ..)| entity.ends_with(e)).count();
    assert_eq!(told["values"].as_array().unwrap().len(), known);
    assert!(told["values"][0]["page"].as_str().unwrap().starts_with(server.url()));
    let words = run(["explain", &entity, "-p", path]).ended(0).out;
    assert!(words.lines().all(|line| line.chars().count() <= 100), "{words}");
}

#[test]
fn a_project_without_queries_says_so() {
    let folder = Folder::new();
    let server = small("d1-homes", 4);
    let project = folder.join("site");
    run(crawl(&front(&server), &project, &["--limit", "3"])).ended(0);
    let path = project.to_str().unwrap();
    let ran = run(["graph", "-p", path]).ended(2);
    assert!(ran.err.contains("no query graph") && ran.err.contains("--strategy query"));
    assert_eq!(explain(&project, &front(&server))["kind"], "page");
    let ran = run(["explain", "http://nowhere.example/", "-p", path]).ended(2);
    assert!(ran.err.contains("holds no page"), "{}", ran.err);
    let ran = run(["explain", "not an address", "-p", path]).ended(2);
    assert!(ran.err.contains("is not a web address"), "{}", ran.err);
}
