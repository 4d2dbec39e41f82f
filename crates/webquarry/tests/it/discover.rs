//! Discovery against a generated web on loopback: what is found is right, it goes on after a kill, and it stays polite.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;

use quarry_testsite::{Category, TestWeb, WebKind, WebSearch, WebServer, WebSpec};
use serde_json::Value;

use crate::program::{Folder, Ran, quarry, run};

const CATEGORY: Category = Category::Camera;

/// A web of 90 sites, its files, and a shop of the category to begin with.
fn serve(folder: &Folder) -> (WebServer, String) {
    let search = WebSearch { refuse_every: 25, ..WebSearch::default() };
    let web = TestWeb::generate(WebSpec { seed: 31, sites: 90, search, ..WebSpec::default() });
    web.write(&folder.join("web")).unwrap();
    let of_category = |site: &&quarry_testsite::WebSite| {
        site.kind == WebKind::Shop && site.categories == [CATEGORY]
    };
    let shop = web.sites().iter().find(of_category).unwrap().host.clone();
    (WebServer::start(web, None).unwrap(), shop)
}

fn arguments(
    server: &WebServer,
    folder: &Folder,
    shop: &str,
    name: &str,
    more: &[&str],
) -> Vec<String> {
    let file = |name: &str| folder.join("web").join(name).display().to_string();
    let graph = format!("graph={},{}", file("vertices.txt.gz"), file("edges.txt.gz"));
    let (project, from) = (folder.join(name).display().to_string(), format!("http://{shop}/"));
    let (searxng, proxy) = (format!("searxng={}", server.url()), server.proxy());
    let fixed = [
        "discover",
        "-p",
        &project,
        "--from",
        &from,
        "--category",
        CATEGORY.name(),
        "--delay",
        "0s",
    ];
    let providers =
        ["--proxy", &proxy, "--provider", &searxng, "--provider", &graph, "--site-pages", "14"];
    fixed.iter().chain(&providers).chain(more).map(|&text| text.to_owned()).collect()
}

fn sites(ran: &Ran) -> Vec<String> {
    ran.lines().iter().map(|line| line["site"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn from_one_shop_to_the_others() {
    let folder = Folder::new();
    let (server, shop) = serve(&folder);
    let ran = run(arguments(&server, &folder, &shop, "all", &["--rounds", "2", "--all"])).ended(0);
    let lines = ran.lines();
    let is = |line: &Value, name: &str| line[name].as_bool() == Some(true);
    let found: Vec<&Value> = lines.iter().filter(|line| is(line, "relevant")).collect();
    let truth = |line: &Value| {
        let site = server.web().find(line["site"].as_str().unwrap()).unwrap();
        site.is_relevant(CATEGORY)
    };
    let right = found.iter().filter(|line| truth(line)).count();
    assert!(right >= 3, "{right} of {} found:\n{}\n{}", found.len(), ran.out, ran.err);
    assert!(right * 10 >= found.len() * 9, "{right} of {} are right:\n{}", found.len(), ran.out);
    for line in &lines {
        for field in
            ["site", "score", "search", "backlinks", "home_page", "in_site", "round", "reason"]
        {
            assert!(line.get(field).is_some(), "{field} in {line}");
        }
    }
    // Every request went to a host of the web or to its search engine, and none where robots.txt forbids it.
    for line in server.log() {
        let target = &line.target;
        assert!(!target.ends_with("/cart") && !target.ends_with("/login"), "{target}");
    }
    // What is done is not done again.
    let before = server.requests();
    let again =
        run(arguments(&server, &folder, &shop, "all", &["--rounds", "2", "--all"])).ended(0);
    assert_eq!(again.lines(), lines);
    assert_eq!(server.requests(), before);
    let report = run(["report", "-p", folder.join("all").to_str().unwrap()]).ended(0);
    assert!(report.out.contains("discovered: "), "{}", report.out);
}

#[test]
fn killed_and_resumed_it_finds_the_same() {
    let folder = Folder::new();
    let (server, shop) = serve(&folder);
    let calm = run(arguments(&server, &folder, &shop, "calm", &["--rounds", "2"])).ended(0);
    let start = server.requests();
    for kill in 1..=2 {
        let command = arguments(&server, &folder, &shop, "killed", &["--rounds", "2", "--quiet"]);
        let mut child = quarry(command).stdout(Stdio::null()).spawn().unwrap();
        while server.requests() < start + 90 * kill && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let resumed = run(arguments(&server, &folder, &shop, "killed", &["--rounds", "2"])).ended(0);
    assert_eq!(sites(&resumed), sites(&calm));
    harvest_what_was_found(&server, &folder.join("calm"), &calm);
}

/// Goes on with the sites that were found, killed once on the way, and links what they have.
fn harvest_what_was_found(server: &WebServer, project: &Path, found: &Ran) {
    let project = project.to_str().unwrap();
    let proxy = server.proxy();
    let harvest =
        ["harvest", "--discovered", "-p", project, "--proxy", &proxy, "--delay", "0s", "-n", "25"];
    let start = server.requests();
    let mut child = quarry(harvest).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while server.requests() < start + 60 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = run(harvest);
    assert!(ran.status <= 1, "{}\n{}", ran.out, ran.err);
    let rows = run(["export", "-p", project, "--table", "entities"]).ended(0).lines();
    let sites: BTreeSet<&str> = rows.iter().filter_map(|row| row["site"].as_str()).collect();
    // The shop to begin with, and those that were found.
    assert!(
        sites.len() * 10 >= (found.lines().len() + 1) * 9,
        "{} sites, {}",
        sites.len(),
        found.out
    );
    check_things(server, project);
    for line in server.log() {
        assert_eq!(line.violation, None, "{}", line.target);
    }
}

/// A thing is one product, and products of several sites are one thing.
fn check_things(server: &WebServer, project: &str) {
    let products: BTreeMap<String, u64> = server
        .web()
        .products()
        .filter(|product| product.category == CATEGORY)
        .map(|product| (product.url, product.base))
        .collect();
    let (mut linked, mut wrong) = (0, 0);
    let mut things_of: BTreeMap<u64, u32> = BTreeMap::new();
    for thing in run(["export", "-p", project, "--table", "things"]).ended(0).lines() {
        let addresses = thing["entities"].as_array().unwrap().iter().filter_map(Value::as_str);
        let bases: Vec<u64> = addresses.filter_map(|own| products.get(own).copied()).collect();
        let different: BTreeSet<u64> = bases.iter().copied().collect();
        linked += usize::from(bases.len() > 1);
        wrong += usize::from(different.len() > 1);
        different.into_iter().for_each(|base| *things_of.entry(base).or_default() += 1);
    }
    let split = things_of.values().filter(|things| **things > 1).count();
    assert!(linked >= 10, "{linked} products of several sites are linked");
    assert_eq!(wrong, 0, "of {linked} things are several products");
    assert!(split * 20 <= things_of.len(), "{split} of {} are split", things_of.len());
}

#[test]
fn without_a_provider_the_choices_are_named() {
    let folder = Folder::new();
    let project = folder.join("none").display().to_string();
    let ran = run(["discover", "-p", &project, "--from", "http://shop.example/"]).ended(2);
    for word in ["searxng=", "brave", "template=", "graph=", "urls=", "pages=", "docker run"] {
        assert!(ran.err.contains(word), "{word} in {}", ran.err);
    }
}
