//! Small sets of pages with one question each, harvested by the real program: kinds, titles, embedded data, the user's rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quarry_testsite::PageSet;
use serde_json::Value;

use crate::program::{Folder, run};

/// Harvests a set into the folder `project`.
fn harvest(folder: &Folder, set: &PageSet) -> PathBuf {
    let (pages, project) = (folder.join("pages"), folder.join("project"));
    set.write(&pages).unwrap();
    harvest_pages(&pages, &project);
    project
}

fn harvest_pages(pages: &Path, project: &Path) {
    let urls = pages.join("urls.jsonl");
    let [pages, urls, project] = [pages, &urls, project].map(|path| path.to_str().unwrap());
    run(["harvest", pages, "--urls", urls, "-p", project]).ended(0);
}

fn table(project: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(project.join(format!("tables/{name}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The share of the true values of a kind that some column has for most of its entities.
fn found(rows: &[Value], set: &PageSet, kind: &str) -> BTreeMap<String, f64> {
    let by_title: BTreeMap<&str, &Value> =
        rows.iter().filter_map(|row| Some((row["title"].as_str()?, row))).collect();
    let own = || set.entities.iter().filter(|entity| entity.kind == kind);
    let names: BTreeSet<&str> = own().flat_map(|entity| entity.values.keys().copied()).collect();
    let columns: BTreeSet<String> =
        rows.iter().flat_map(|row| row.as_object().unwrap().keys().cloned()).collect();
    let says = |cell: &Value, value: &str| match cell {
        Value::String(text) => text == value,
        Value::Number(number) => {
            let digits: String =
                value.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
            digits.parse::<f64>().ok() == number.as_f64()
        }
        Value::Array(items) => items.iter().any(|item| item == value),
        _ => false,
    };
    let share = |name: &str| {
        let of_column = |column: &String| {
            let right = own().filter(|entity| {
                let row = by_title.get(entity.title.as_str());
                row.is_some_and(|row| says(&row[column], &entity.values[name][0]))
            });
            right.count() as f64 / own().count() as f64
        };
        columns.iter().map(of_column).fold(0.0, f64::max)
    };
    names.into_iter().map(|name| (name.to_owned(), share(name))).collect()
}

fn assert_whole(rows: &[Value], set: &PageSet, kind: &str) {
    let found = found(rows, set, kind);
    assert!(found.values().all(|share| *share == 1.0), "{kind}: {found:?}");
}

#[test]
fn three_kinds_are_three_tables() {
    let folder = Folder::new();
    let set = PageSet::named("three-kinds").unwrap();
    let project = harvest(&folder, &set);
    let rows = table(&project, "entities");
    let of_kind = |kind: &str| rows.iter().filter(|row| row["entity_kind"] == kind).count();
    assert_eq!((of_kind("films"), of_kind("people"), of_kind("studios")), (24, 16, 9));
    assert_eq!(rows.len(), set.entities.len());
    for kind in ["films", "people", "studios"] {
        let own = table(&project, &format!("entities-{kind}"));
        assert_whole(&own, &set, kind);
        assert!(own.iter().all(|row| row["entity_kind"] == kind));
    }
    let films = &table(&project, "entities-films")[0];
    assert!(films.get("Director").is_some() && films.get("Born").is_none(), "{films}");
    // Integers are integers.
    assert!(films["Year"].is_u64(), "{films}");
    let kinds: BTreeSet<String> = table(&project, "columns")
        .iter()
        .map(|row| row["entity_kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["films", "people", "studios"].map(str::to_owned).into());
    let values = table(&project, "values");
    assert!(values.iter().all(|row| row["entity_kind"] != ""));
}

#[test]
fn values_without_labels_are_columns_and_shared_headings_no_titles() {
    let folder = Folder::new();
    let set = PageSet::named("unlabelled").unwrap();
    let project = harvest(&folder, &set);
    let rows = table(&project, "entities");
    assert_eq!(rows.len(), set.entities.len());
    assert_whole(&rows, &set, "books");
}

#[test]
fn data_of_scripts_is_read() {
    let folder = Folder::new();
    let set = PageSet::named("embedded").unwrap();
    let project = harvest(&folder, &set);
    let rows = table(&project, "entities");
    assert_whole(&rows, &set, "books");
    assert!(rows.iter().all(|row| row["author"].is_string() && row["sku"].is_string()));
}

#[test]
fn what_pages_embed_and_what_they_show_is_kept_where_they_disagree() {
    let folder = Folder::new();
    let set = PageSet::named("disagreement").unwrap();
    let project = harvest(&folder, &set);
    assert_whole(&table(&project, "entities"), &set, "books");
    let values = table(&project, "values");
    let told = values.iter().filter(|row| row["source"] == "embedded" && row["value"] == "1.00");
    assert_eq!(told.count(), set.entities.len().div_ceil(3));
}

#[test]
fn mark_up_of_today_is_read() {
    let folder = Folder::new();
    let set = PageSet::named("modern").unwrap();
    let project = harvest(&folder, &set);
    assert_whole(&table(&project, "entities"), &set, "books");
}

#[test]
fn records_without_links_are_rows() {
    let folder = Folder::new();
    let set = PageSet::named("no-links").unwrap();
    let project = harvest(&folder, &set);
    let ids = |project: &Path| -> BTreeSet<String> {
        let rows = table(project, "entities");
        rows.iter().map(|row| row["_id"].as_str().unwrap().to_owned()).collect()
    };
    let before = ids(&project);
    assert_eq!(before.len(), 75);
    // One record more, and another price.
    let page = folder.join("pages/menu--page-1.html");
    let page = if page.exists() { page } else { folder.join("pages/menu-page-1.html") };
    let html = std::fs::read_to_string(&page).unwrap();
    let first = html.find("<p class=\"price\">").unwrap();
    let end = first + html[first..].find("</p>").unwrap();
    let more = "<div class=\"place\"><h3>One More</h3><p class=\"town\">Ely</p><p class=\"price\">$9.00</p></div>";
    let html = format!("{}<p class=\"price\">$777.00{}", &html[..first], &html[end..]);
    let html = html.replace("<div class=\"all\">", &format!("<div class=\"all\">{more}"));
    std::fs::write(&page, html).unwrap();
    harvest_pages(&folder.join("pages"), &project);
    let after = ids(&project);
    assert_eq!(after.len(), 76);
    assert!(before.is_subset(&after));
}

#[test]
fn the_user_has_the_last_word_on_columns() {
    let folder = Folder::new();
    let set = PageSet::named("three-kinds").unwrap();
    let project = harvest(&folder, &set);
    let rules = "[columns]\npin = [\"Genre\"]\ndrop = [\"Length\"]\n\
        [columns.rename]\nDirector = \"Directed by\"\n\
        [columns.split]\nBirthplace = \" \"\n\
        [columns.type]\nYear = \"text\"\n\
        [columns.merge]\nSeat = [\"Employees\"]\n";
    std::fs::write(project.join("quarry.toml"), rules).unwrap();
    for _ in 0..2 {
        harvest_pages(&folder.join("pages"), &project);
        let columns = table(&project, "columns");
        assert_eq!(columns[0]["name"], "Genre");
        let film = &table(&project, "entities-films")[0];
        assert!(film.get("Length").is_none() && film.get("Director").is_none(), "{film}");
        assert!(film["Directed by"].is_string() && film["Year"].is_string(), "{film}");
        assert!(table(&project, "entities-people")[0]["Birthplace"].is_array());
        let studio = &table(&project, "entities-studios")[0];
        assert!(studio.get("Employees").is_none() && !studio["Seat"].is_null(), "{studio}");
        assert!(
            std::fs::read_to_string(project.join("quarry.toml")).unwrap().contains("Directed by")
        );
    }
}
