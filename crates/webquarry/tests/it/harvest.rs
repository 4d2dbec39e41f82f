//! Does a harvest give the whole table back: facets, lists and specifications of every entity in one row?

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quarry_testsite::{Server, SiteSpec, Theme};
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

/// (entity, attribute in lower case, value).
type Triples = BTreeSet<[String; 3]>;

/// Rows of `values` as triples, of one source or of all.
fn triples(server: &Server, rows: &[Value], source: Option<&str>) -> Triples {
    let triple = |row: &Value| {
        let entity = text(row, "entity").replacen(server.url(), "", 1);
        [entity, text(row, "attribute").to_lowercase(), text(row, "value").to_owned()]
    };
    // What pages embed for machines says the same in another spelling: 15.00 for $15.00.
    let own = |row: &&Value| match source {
        Some(source) => text(row, "source") == source,
        None => text(row, "source") != "embedded",
    };
    rows.iter().filter(own).map(triple).collect()
}

fn truth(server: &Server) -> Triples {
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

/// Precision and recall over the attributes that the truth names, and that a source shows.
fn score(found: &Triples, truth: &Triples, shown: &BTreeSet<String>) -> (f64, f64) {
    let of = |all: &Triples, names: &dyn Fn(&str) -> bool| {
        all.iter().filter(|[_, name, _]| names(name)).cloned().collect::<Triples>()
    };
    let known: BTreeSet<&str> = truth.iter().map(|[_, name, _]| name.as_str()).collect();
    let found = of(found, &|name| known.contains(name));
    let expected = of(truth, &|name| shown.contains(name));
    let right = found.intersection(truth).count() as f64;
    let hit = found.intersection(&expected).count() as f64;
    (right / found.len().max(1) as f64, hit / expected.len().max(1) as f64)
}

/// The columns that most values of each attribute stand in, source by source: one for each, if sources were merged right.
fn columns_of(found: &Triples, truth: &Triples) -> BTreeMap<String, BTreeSet<String>> {
    let mut by_place: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for [entity, name, value] in truth {
        by_place.entry((entity, value)).or_default().push(name);
    }
    // Of each column the share of values that agree with each attribute.
    let mut columns: BTreeMap<&str, (usize, BTreeMap<&str, usize>)> = BTreeMap::new();
    for [entity, column, value] in found {
        let (all, agree) = columns.entry(column).or_default();
        *all += 1;
        for name in by_place.get(&(entity.as_str(), value.as_str())).into_iter().flatten() {
            *agree.entry(name).or_default() += 1;
        }
    }
    let mut of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (column, (all, agree)) in columns {
        let best = agree.into_iter().max_by_key(|&(name, count)| (count, name == column));
        if let Some((name, count)) = best
            && 2 * count > all
        {
            of.entry(name.to_owned()).or_default().insert(column.to_owned());
        }
    }
    of
}

#[test]
fn the_whole_table_comes_back() {
    // Every vertical, every theme; facets by links, forms, trees, keywords and not at all.
    for (preset, theme, entities) in [
        ("shop", Theme::Cards, 60),
        ("books", Theme::Definitions, 60),
        ("h-tree", Theme::Semantic, 60),
        ("d1-homes", Theme::Semantic, 32),
        ("d3-restaurants", Theme::Classic, 40),
        ("f1-get-form", Theme::Loose, 40),
        ("search", Theme::Definitions, 60),
        ("whole-shop", Theme::Utility, 60),
    ] {
        let folder = Folder::new();
        let server = serve(SiteSpec { entities, theme, ..SiteSpec::preset(preset).unwrap() });
        let project = folder.join("site");
        let ran = harvest(&server, &project, &[]);
        let rows = export(&project, "values");
        let truth = truth(&server);
        let all: BTreeSet<String> = truth.iter().map(|[_, name, _]| name.clone()).collect();
        let found = triples(&server, &rows, None);
        let (precision, recall) = score(&found, &truth, &all);
        assert!(precision >= 0.99, "{preset}: precision {precision:.3}");
        assert!(recall >= 0.97, "{preset}: recall {recall:.3}");

        let attributes = server.site().attributes();
        for (source, shown) in [
            ("facet", attributes.iter().filter(|a| a.facet).collect::<Vec<_>>()),
            ("list", attributes.iter().filter(|a| a.list).collect()),
        ] {
            let shown: BTreeSet<String> = shown.iter().map(|a| a.name.to_lowercase()).collect();
            let (precision, recall) = score(&triples(&server, &rows, Some(source)), &truth, &shown);
            let searched = preset == "search" && source == "facet";
            assert!(searched || precision >= 0.97, "{preset}: {source} precision {precision:.3}");
            assert!(searched || recall >= 0.95, "{preset}: {source} recall {recall:.3}");
        }
        // An entity's page need not show an attribute of the specification for every entity.
        let (precision, _) = score(&triples(&server, &rows, Some("spec")), &truth, &all);
        assert!(precision >= 0.97, "{preset}: spec precision {precision:.3}");

        let columns = columns_of(&found, &truth);
        let single = columns.values().filter(|columns| columns.len() == 1).count();
        assert!(single as f64 >= 0.95 * all.len() as f64, "{preset}: {columns:?}");

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
    assert_eq!(sources.keys().collect::<Vec<_>>(), ["facet", "list", "page", "spec"]);
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
