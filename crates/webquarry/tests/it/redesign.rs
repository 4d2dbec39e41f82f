//! Is a site that changed its look still read right, and does the user hear of it? Learned once, used, relearned, checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quarry_testsite::{FamilySpec, Site, SiteFamily, SiteSpec, Theme};
use serde_json::Value;

use crate::program::{Folder, Ran, run};

/// The shop in a theme, as an archive. Its data and its addresses are always the same.
fn shop(folder: &Folder, theme: Theme) -> PathBuf {
    let spec = SiteSpec { entities: 40, theme, ..SiteSpec::preset("shop").unwrap() };
    let path = folder.join(&format!("{theme:?}.warc.gz"));
    Site::generate(spec).write_warc(&path).unwrap();
    path
}

fn harvest(input: &Path, project: &Path, more: &[&str], status: i32) -> Ran {
    let mut arguments = vec!["harvest", input.to_str().unwrap(), "-p", project.to_str().unwrap()];
    arguments.extend(more);
    run(arguments).ended(status)
}

fn export(project: &Path, table: &str) -> Vec<Value> {
    run(["export", "-p", project.to_str().unwrap(), "--table", table]).ended(0).lines()
}

/// The values of a column, by entity.
fn column(project: &Path, name: &str) -> BTreeMap<String, String> {
    let rows = export(project, "entities");
    let cell = |row: &Value| (row["entity"].to_string(), row[name].to_string());
    rows.iter().map(cell).collect()
}

#[test]
fn a_redesign_is_reported_relearned_and_verified() {
    let folder = Folder::new();
    let project = folder.join("shop");
    let first = harvest(&shop(&folder, Theme::Cards), &project, &[], 0);
    assert!(!first.err.contains("changed its look"), "{}", first.err);
    let known = ["Brand", "Price", "Color", "Department"];
    let before: Vec<_> = known.iter().map(|name| column(&project, name)).collect();

    // The same look: nothing is learned, nothing is reported.
    let same = harvest(&shop(&folder, Theme::Cards), &project, &["-v"], 0);
    assert!(!same.err.contains("learning http"), "{}", same.err);

    let other = harvest(&shop(&folder, Theme::Utility), &project, &[], 0);
    for word in ["changed its look", "learned anew", "are known (9", "called otherwise"] {
        assert!(other.err.contains(word), "{word}: {}", other.err);
    }
    let report = std::fs::read_to_string(project.join("report.html")).unwrap();
    assert!(report.contains("changed its look"));
    let after: Vec<_> = known.iter().map(|name| column(&project, name)).collect();
    assert_eq!(before, after);
    let rows = export(&project, "entities");
    let same = rows.iter().filter(|row| row["_state"] == "same").count();
    assert!(same * 10 >= rows.len() * 9, "{same} of {}", rows.len());
}

#[test]
fn a_redesign_is_noticed_beside_known_records() {
    let folder = Folder::new();
    let (known, project) = (folder.join("known"), folder.join("shop"));
    harvest(&shop(&folder, Theme::Cards), &known, &[], 0);
    let seed = ["--seed", known.to_str().unwrap()];
    harvest(&shop(&folder, Theme::Cards), &project, &seed, 0);
    let same = harvest(&shop(&folder, Theme::Cards), &project, &seed, 0);
    assert!(!same.err.contains("changed its look"), "{}", same.err);
    let other = harvest(&shop(&folder, Theme::Utility), &project, &seed, 0);
    assert!(other.err.contains("changed its look"), "{}", other.err);
}

#[test]
fn new_pages_are_read_without_learning() {
    let folder = Folder::new();
    let project = folder.join("shop");
    let archive = shop(&folder, Theme::Cards);
    harvest(&archive, &project, &[], 0);
    let extract = |input: &Path, status| {
        run(["extract", input.to_str().unwrap(), "-p", project.to_str().unwrap()]).ended(status)
    };
    let key = |row: &Value| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        [text("entity"), text("attribute"), text("value"), text("source")]
    };
    let read: BTreeSet<_> = extract(&archive, 0).lines().iter().map(key).collect();
    let table: BTreeSet<_> = export(&project, "values").iter().map(key).collect();
    // Lists of items are parted, and notes are told from figures, when all values are seen together.
    let alone = |name: &str| name != "Color" && !name.ends_with("(note)");
    let missing = table.difference(&read).filter(|[_, name, _, _]| alone(name)).count();
    assert_eq!(missing, 0, "{:?}", table.difference(&read).take(4).collect::<Vec<_>>());
    let redesigned = extract(&shop(&folder, Theme::Utility), 1);
    assert!(redesigned.err.contains("do not look like"), "{}", redesigned.err);
    let unknown = folder.join("other.html");
    std::fs::write(&unknown, "<p>hello").unwrap();
    assert!(extract(&unknown, 2).err.contains("has learned nothing"));
}

#[test]
fn expectations_are_checked() {
    let folder = Folder::new();
    let project = folder.join("shop");
    let archive = shop(&folder, Theme::Cards);
    harvest(&archive, &project, &[], 0);
    let check = |more: &[&str], status| {
        let mut arguments = vec!["check", "-p", project.to_str().unwrap()];
        arguments.extend(more);
        run(arguments).ended(status)
    };
    assert!(check(&[], 2).err.contains("--suggest"));
    let suggested = check(&["--suggest"], 0).out;
    assert!(suggested.contains("\"Brand\"") && suggested.contains("entities = 36"), "{suggested}");
    let file = project.join("quarry.toml");
    std::fs::write(&file, &suggested).unwrap();
    assert!(!check(&[], 0).out.contains("NO"));
    std::fs::write(&file, "[expect]\nentities = 41\npatterns = { Price = '^\\$' }\n").unwrap();
    assert!(check(&[], 1).out.contains("NO"));
    let unmet = harvest(&archive, &project, &[], 1);
    assert!(unmet.err.contains("expected at least 41 entities, found 40"), "{}", unmet.err);
    std::fs::write(&file, "[expect]\nentitys = 41\n").unwrap();
    assert!(check(&[], 2).err.contains("entitys"));
}

#[test]
fn what_one_site_taught_labels_the_next() {
    let folder = Folder::new();
    let base = SiteSpec { entities: 40, ..SiteSpec::preset("shop").unwrap() };
    let family = FamilySpec { base, sites: 2, overlap: 0.6, ..FamilySpec::default() };
    let servers: Vec<_> = SiteFamily::generate(&family)
        .sites
        .into_iter()
        .map(|site| quarry_testsite::Server::start(site, None).unwrap())
        .collect();
    let urls: Vec<String> = servers.iter().map(crate::program::front).collect();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    // Both in one run.
    let both = path("both");
    run(["harvest", &urls[0], &urls[1], "-p", &both, "--per-host", "4"]).ended(0);
    let rows = export(Path::new(&both), "entities");
    assert_eq!(rows.len(), 80);
    let brands = rows.iter().filter(|row| row["Brand"].is_string()).count();
    assert_eq!(brands, 80, "both sites name the maker in one column");
    // One after the other: the first project is the seed of the second.
    let (first, second) = (path("first"), path("second"));
    run(["harvest", &urls[0], "-p", &first, "--per-host", "4"]).ended(0);
    run(["harvest", &urls[1], "-p", &second, "--seed", &first, "--per-host", "4"]).ended(0);
    let matched = |row: &&Value| row["source"] == "match" && row["attribute"] != "title";
    let values = export(Path::new(&second), "values");
    assert!(values.iter().filter(matched).count() >= 40);
    // What is matched is what the site itself says of the entity, not of those that its page relates.
    let mut own: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let key = |row: &Value| format!("{} {}", row["entity"], row["attribute"]);
    for row in values.iter().filter(|row| row["source"] != "match") {
        own.entry(key(row)).or_default().insert(row["value"].to_string());
    }
    let (mut same, mut other) = (0, Vec::new());
    for row in values.iter().filter(matched) {
        let own = own.get(&key(row));
        match own {
            Some(values) if values.contains(&row["value"].to_string()) => same += 1,
            _ => other.push(format!("{} {}: {own:?}", row["attribute"], row["value"])),
        }
    }
    assert!(same > 5 * other.len(), "{same} agree, these do not: {other:#?}");
}
