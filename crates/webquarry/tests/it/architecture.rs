//! Is ARCHITECTURE.md true? Every path it names exists, every crate stands in it, and its arrows
//! are the ones that the manifests draw.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn crates() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The workspace's own crates that `name` depends on, by its manifest, tests aside.
fn dependencies(name: &str, own: &[String]) -> BTreeSet<String> {
    let manifest: toml::Table = read(&format!("crates/{name}/Cargo.toml")).parse().unwrap();
    let Some(toml::Value::Table(table)) = manifest.get("dependencies") else {
        return BTreeSet::new();
    };
    table.keys().filter(|key| own.contains(key)).cloned().collect()
}

/// The lines `a -> b c` of the document.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    read("ARCHITECTURE.md")
        .lines()
        .filter_map(|line| line.split_once("->"))
        .filter(|(from, _)| !from.trim().contains(' ') && !from.trim().is_empty())
        .map(|(from, to)| {
            (from.trim().to_owned(), to.split_whitespace().map(str::to_owned).collect())
        })
        .collect()
}

#[test]
fn the_arrows_are_those_of_the_manifests() {
    let own = crates();
    let drawn = arrows();
    let real: BTreeMap<_, _> =
        own.iter().map(|name| (name.clone(), dependencies(name, &own))).collect();
    assert_eq!(drawn, real, "left: ARCHITECTURE.md, right: the manifests");
}

#[test]
fn the_default_build_leaves_the_papers_out() {
    let manifest: toml::Table = read("crates/webquarry/Cargo.toml").parse().unwrap();
    assert_eq!(manifest["dependencies"]["quarry-papers"]["optional"].as_bool(), Some(true));
    assert!(manifest["features"].get("default").is_none());
    for name in crates() {
        let needs = dependencies(&name, &["quarry-papers".to_owned()]);
        assert!(needs.is_empty() || name == "webquarry", "{name}");
    }
}

/// Policy belongs into `quarry-harvest`, where other programs can call it; the program has arguments, settings and printing.
#[test]
fn the_program_stays_small_and_verbs_do_not_use_verbs() {
    /// Half of what the program had when policy still stood in it; `discover`, `link`, rendering, shared frontiers and sites, reports of several crawlers and the end of overdue jobs came later.
    const MOST_LINES: usize = 5_550;
    let mut lines = 0;
    for (path, text) in sources() {
        let path = path.strip_prefix(root()).unwrap().display().to_string();
        if path.starts_with("crates/webquarry/src/") {
            lines += text.lines().count();
        }
        if path.starts_with("crates/webquarry/src/commands/") {
            assert!(!text.contains("commands::"), "{path} uses another verb");
        }
    }
    assert!(lines > 1_000, "only {lines} lines: does the test still read the program?");
    assert!(lines <= MOST_LINES, "the program has {lines} lines, at most {MOST_LINES} are allowed");
}

#[test]
fn every_arrow_points_down() {
    // A crate stands below all crates that it does not reach; cargo forbids cycles, so what is
    // left to check are the promises about purity: these must not reach disk or network crates. (A harvest has a clock,
    // but its disk and its network come in through ports.)
    let drawn = arrows();
    for pure in [
        "quarry-model",
        "quarry-content",
        "quarry-dom",
        "quarry-value",
        "quarry-simjoin",
        "quarry-extract",
        "quarry-papers",
        "quarry-crawl",
        "quarry-assemble",
        "quarry-discover",
        "quarry-harvest",
    ] {
        for heavy in ["quarry-fetch", "quarry-store", "quarry-testsite", "webquarry"] {
            assert!(!reaches(&drawn, pure, heavy), "{pure} must not depend on {heavy}");
        }
    }
}

fn reaches(arrows: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    arrows
        .get(from)
        .is_some_and(|next| next.iter().any(|step| step == to || reaches(arrows, step, to)))
}

/// Names in backticks that look like paths of the repository.
fn paths_in(text: &str) -> Vec<String> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| {
            let folder = ["crates/", "docs/", "scripts/", "bench/", "fuzz/", ".ci/"];
            folder.iter().any(|prefix| name.starts_with(prefix))
                && !name.contains([' ', '*', '<', '…'])
        })
        .map(|name| name.trim_end_matches('/').to_owned())
        .collect()
}

#[test]
fn every_path_in_the_documents_exists() {
    let mut documents =
        vec!["ARCHITECTURE.md".to_owned(), "README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for folder in ["docs/guide", "docs/algorithms", "docs/decisions"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            documents.push(format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
    }
    documents.sort();
    let mut missing = Vec::new();
    let mut seen = 0;
    for document in &documents {
        for path in paths_in(&read(document)) {
            seen += 1;
            if !root().join(&path).exists() {
                missing.push(format!("{document} names {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(seen > 20, "only {seen} paths found: does the test still read the documents?");
}

/// The Rust files of all crates with their text, in order.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut stack: Vec<PathBuf> = vec![root().join("crates")];
    while let Some(folder) = stack.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                stack.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_source_file_opens_with_a_sentence() {
    let mut bare: Vec<PathBuf> = Vec::new();
    for (path, text) in sources() {
        if !text.starts_with("//!") {
            bare.push(path);
        }
    }
    assert!(bare.is_empty(), "files without an opening `//!`: {bare:#?}");
}

#[test]
fn one_public_type_per_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources() {
        let path = path.strip_prefix(root().join("crates")).unwrap().display().to_string();
        if !path.contains("/src/") {
            continue;
        }
        for line in text.lines() {
            let line = line.trim_start();
            // Ids are made by a macro that lists their names.
            let id = Some(line).filter(|line| line.ends_with("Id,") && !line.contains(' '));
            let declared = ["pub struct ", "pub enum ", "pub trait ", "pub type "]
                .iter()
                .find_map(|opening| line.strip_prefix(opening))
                .or(id);
            let name = declared.and_then(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                places.entry(name.to_owned()).or_default().push(path.clone());
            }
        }
    }
    assert!(
        places.len() > 300,
        "only {} types found: does the test still read them?",
        places.len()
    );
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "names with several public types: {places:#?}");
}

#[test]
fn every_crate_follows_the_workspace_lints() {
    for name in crates() {
        let manifest: toml::Table = read(&format!("crates/{name}/Cargo.toml")).parse().unwrap();
        assert_eq!(manifest["lints"]["workspace"].as_bool(), Some(true), "{name}");
    }
}
