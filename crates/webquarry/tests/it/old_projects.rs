//! Projects of version 0.1 still open: a sample that version 0.1 wrote (six generated homes), and choices that it made.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use quarry_testsite::SiteSpec;
use serde_json::Value;

use crate::program::{Folder, run, serve};

const SITE: &str = "http://127.0.0.1:18313";

/// A copy of the sample. Only its database is packed.
fn sample(folder: &Folder) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/project-0.1");
    let to = folder.join("project");
    for part in ["", "pages", "models"] {
        fs::create_dir_all(to.join(part)).unwrap();
        for entry in fs::read_dir(from.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, to.join(part).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    let mut database = Vec::new();
    let packed = fs::File::open(to.join("state.sqlite.gz")).unwrap();
    GzDecoder::new(packed).read_to_end(&mut database).unwrap();
    fs::write(to.join("state.sqlite"), database).unwrap();
    to
}

fn export(project: &Path, table: &str) -> Vec<Value> {
    run(["export", "-p", project.to_str().unwrap(), "--table", table]).ended(0).lines()
}

/// How many entities are in which state.
fn states(project: &Path) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::new();
    for row in export(project, "entities") {
        *states.entry(row["_state"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    states
}

#[test]
fn a_project_of_version_0_1_is_read_as_it_is() {
    let folder = Folder::new();
    let project = sample(&folder);
    let path = project.to_str().unwrap();
    let report = run(["report", "-p", path, "--json"]).ended(0).lines().remove(0);
    assert_eq!((&report["pages"], &report["entities"]), (&46.into(), &6.into()), "{report}");
    assert!(run(["report", "-p", path]).ended(0).out.contains("Features"));
    assert_eq!(export(&project, "entities").len(), 6);
    assert!(export(&project, "values").iter().any(|row| row["source"] == "facet"));
    assert_eq!(export(&project, "pages").len(), 46);
    let queries = run(["graph", "-p", path]).ended(0).lines();
    assert_eq!(queries.len(), export(&project, "queries").len(), "from models/queries.json");
    let entity = export(&project, "entities")[0]["entity"].as_str().unwrap().to_owned();
    let told = run(["explain", &entity, "-p", path, "--json"]).ended(0).lines().remove(0);
    assert_eq!(told["kind"], "entity", "{told}");
    assert!(entity.starts_with(SITE) && !told["values"].as_array().unwrap().is_empty());
}

#[test]
fn the_next_harvest_of_a_project_of_version_0_1_marks_nothing_changed() {
    let folder = Folder::new();
    let project = sample(&folder);
    let ran = run(["harvest", project.to_str().unwrap()]).ended(0);
    assert_eq!(states(&project), BTreeMap::from([("same".to_owned(), 6)]), "{}", ran.err);
    assert!(!ran.err.contains("columns gone"), "{}", ran.err);
    assert!(!project.join("models/table.json").exists(), "the state has the last table now");
}

/// Version 0.1 kept no list that queries begin with. At the front page they find nothing that narrows its list, and the
/// choice is made anew.
#[test]
fn a_choice_of_queries_without_a_list_is_made_anew() {
    let folder = Folder::new();
    let project = folder.join("shop");
    let server = serve(SiteSpec { entities: 24, ..SiteSpec::preset("shop").unwrap() });
    let home = format!("{}/", server.url());
    let harvest = || {
        let path = project.to_str().unwrap();
        run(["harvest", &home, "-p", path, "--per-host", "4"]).ended(0)
    };
    harvest();
    let choice = r#"{"strategy": "query", "why": "its lists can be narrowed", "roots": []}"#;
    fs::write(project.join("models/choice.json"), choice).unwrap();
    let facets = export(&project, "values").iter().filter(|row| row["source"] == "facet").count();
    assert!(facets > 100, "{facets}");
    let ran = harvest();
    assert!(ran.err.contains("/shoes can be narrowed"), "{}", ran.err);
    let again = export(&project, "values").iter().filter(|row| row["source"] == "facet").count();
    assert_eq!(again, facets, "{}", ran.err);
    assert_eq!(states(&project).into_keys().collect::<Vec<_>>(), ["same"], "{}", ran.err);
}
