//! Do several programs share a crawl, and the sites of a harvest, by way of a database? Needs `QUARRY_POSTGRES` (`scripts/postgres`).

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Stdio};

use quarry_testsite::SiteSpec;

use crate::program::{Folder, Ran, crawl, front, pages, quarry, run, serve};

fn start(arguments: &[String]) -> Child {
    quarry(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> Ran {
    Ran::from(child.wait_with_output().unwrap()).ended(0)
}

#[test]
fn programs_share_a_crawl_and_the_sites_of_a_harvest() {
    let Ok(database) = std::env::var("QUARRY_POSTGRES") else { return };
    let folder = Folder::new();
    let servers: Vec<_> = [(3, "books"), (4, "shop")]
        .map(|(seed, preset)| {
            serve(SiteSpec { seed, entities: 12, ..SiteSpec::preset(preset).unwrap() })
        })
        .into();
    let seeds: Vec<String> = servers.iter().map(front).collect();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let projects = ["one", "two"].map(|name| folder.join(name));

    // A crawl of every page, not far: what is taken for a trap depends on what was seen first.
    let near = ["--depth", "1"];
    let programs: Vec<Child> = projects
        .iter()
        .map(|project| {
            start(&crawl(
                &seeds[0],
                project,
                &[&seeds[1], "--frontier", &database, near[0], near[1]],
            ))
        })
        .collect();
    programs.into_iter().for_each(|program| drop(end(program)));
    let alone = folder.join("alone");
    run(crawl(&seeds[0], &alone, &[&seeds[1], near[0], near[1]])).ended(0);
    let mut together = projects.each_ref().map(|project| pages(project)).concat();
    together.sort();
    let expect = pages(&alone);
    assert!(expect.len() > 20 && together == expect, "{} of {}", together.len(), expect.len());
    for project in &projects {
        assert!(project.join("pages/index.parquet").is_file());
    }
    let mut report = vec!["report".to_owned(), "-p".to_owned()];
    report.extend(projects.iter().map(|project| text(project)));
    report.push("--json".to_owned());
    let report = run(report).ended(0).lines().remove(0);
    let own = run(["report", "-p", &text(&alone), "--json"]).ended(0).lines().remove(0);
    assert_eq!(report["pages"], own["pages"]);
    assert_eq!(report["projects"].as_object().unwrap().len(), 2);

    // A harvest, whatever its strategy plans: each site by one of them.
    let harvests = ["three", "four"].map(|name| folder.join(name));
    let programs: Vec<Child> = harvests
        .iter()
        .map(|project| {
            let mut arguments = vec!["harvest".to_owned()];
            arguments.extend(seeds.clone());
            arguments.extend(["-p", &text(project), "--frontier", &database].map(str::to_owned));
            start(&arguments)
        })
        .collect();
    programs.into_iter().for_each(|program| drop(end(program)));
    let mut sites = Vec::new();
    for project in harvests.iter().map(|project| project.join("sites")).filter(|own| own.is_dir()) {
        for site in project.read_dir().unwrap() {
            let site = site.unwrap().path();
            let rows = run(["export", "-p", &text(&site), "--table", "entities"]).ended(0).lines();
            let entities: BTreeSet<String> =
                rows.iter().map(|row| row["entity"].to_string()).collect();
            assert_eq!(entities.len(), 12, "{}", site.display());
            sites.push(site.file_name().unwrap().to_owned());
        }
    }
    sites.sort();
    sites.dedup();
    assert_eq!(sites.len(), 2);
}
