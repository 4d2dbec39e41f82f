//! `quarry link` as a user runs it: several generated shops harvested together, or each into a project of its own.

use std::collections::BTreeMap;
use std::path::Path;

use quarry_testsite::{FamilySpec, Server, SiteFamily, SiteSpec, Vertical};

use crate::program::{Folder, run};

/// Entities of a site: enough to learn from, few enough for seconds.
const ENTITIES: usize = 24;

/// Two shops with common entities, served on loopback, and by address the number of each entity in the world that both share.
fn shops() -> (Vec<Server>, BTreeMap<String, u64>) {
    let base =
        SiteSpec { entities: ENTITIES, vertical: Vertical::Electronics, ..SiteSpec::default() };
    let spec = FamilySpec { base, sites: 2, overlap: 0.6, ..FamilySpec::default() };
    let (mut servers, mut truth) = (Vec::new(), BTreeMap::new());
    for site in SiteFamily::generate(&spec).sites {
        let lines = site.truth();
        let server = Server::start(site, None).unwrap();
        truth.extend(
            lines.into_iter().map(|line| (format!("{}{}", server.url(), line.url), line.base)),
        );
        servers.push(server);
    }
    (servers, truth)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_harvest_of_several_sites_leaves_things() {
    let folder = Folder::new();
    let project = folder.join("shops");
    let (servers, truth) = shops();
    let urls: Vec<String> =
        servers.iter().map(|server| format!("{}{}", server.url(), server.site().root())).collect();
    let mut arguments = vec!["harvest"];
    arguments.extend(urls.iter().map(String::as_str));
    arguments.extend(["-p", text(&project), "--per-host", "8", "--no-details"]);
    let ran = run(arguments);
    assert!(ran.out.contains("things"), "{}\n{}", ran.out, ran.err);

    // Every entity is in one thing, and those of one thing are one in the world.
    let exported = run(["export", "-p", text(&project), "--table", "things"]).ended(0).lines();
    let entities = run(["export", "-p", text(&project), "--table", "entities"]).ended(0).lines();
    let mut seen = Vec::new();
    let (mut right, mut linked) = (0, 0);
    for thing in &exported {
        for name in ["thing", "name", "sites", "entities"] {
            assert!(thing.get(name).is_some(), "{thing} has no {name}");
        }
        let own: Vec<&str> =
            thing["entities"].as_array().unwrap().iter().map(|own| own.as_str().unwrap()).collect();
        if let [a, b] = own.as_slice() {
            assert_eq!(thing["sites"].as_array().unwrap().len(), 2, "{thing}");
            linked += 1;
            right += usize::from(truth.get(*a).is_some() && truth.get(*a) == truth.get(*b));
        }
        seen.extend(own.iter().map(|own| (*own).to_owned()));
    }
    assert_eq!(seen.len(), entities.len());
    let mut of_base: BTreeMap<u64, usize> = BTreeMap::new();
    for entity in &entities {
        if let Some(base) = truth.get(entity["entity"].as_str().unwrap()) {
            *of_base.entry(*base).or_default() += 1;
        }
    }
    let there = of_base.values().filter(|sites| **sites == 2).count();
    assert!(there > 3, "the shops have {there} entities in common");
    assert!(
        right * 10 >= there * 9 && right * 10 >= linked * 9,
        "{right} of {linked}, {there} there"
    );

    // All formats, and the same again by the verb.
    for file in ["things.jsonl", "things.csv", "things.parquet"] {
        assert!(project.join("tables").join(file).is_file(), "{file}");
    }
    let before = std::fs::read(project.join("tables/things.jsonl")).unwrap();
    let linked_again = run(["link", "-p", text(&project)]).ended(0);
    assert!(linked_again.out.contains("entities of 2 sites"), "{}", linked_again.out);
    assert_eq!(before, std::fs::read(project.join("tables/things.jsonl")).unwrap());

    // Why?
    let shared = exported.iter().find(|thing| thing["entities"].as_array().unwrap().len() == 2);
    let (own, other) = (&shared.unwrap()["entities"][0], &shared.unwrap()["entities"][1]);
    let why = run(["link", "-p", text(&project), "--explain", own.as_str().unwrap()]).ended(0);
    assert!(
        why.out.contains("the same as") && why.out.contains(other.as_str().unwrap()),
        "{}",
        why.out
    );
}

#[test]
fn one_site_has_nothing_to_link() {
    let folder = Folder::new();
    let project = folder.join("none");
    let ran = run(["link", "-p", text(&project)]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("none"), "{}", ran.err);
}
