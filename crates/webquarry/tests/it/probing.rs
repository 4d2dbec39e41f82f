//! Does a search form lead to records? `crawl --strategy probe`, then `records`, as a user would.

use quarry_testsite::SiteSpec;

use crate::program::{Folder, crawl, front, report, run, serve};

#[test]
fn answers_are_collected_and_their_records_found() {
    for preset in ["search", "search-post"] {
        let folder = Folder::new();
        let server = serve(SiteSpec::preset(preset).unwrap());
        let project = folder.join("answers");
        let probe = ["--strategy", "probe", "--vary-choices"];
        let ran = run(crawl(&front(&server), &project, &probe)).ended(0);
        assert!(ran.out.contains("over because"), "{}", ran.out);
        assert!(server.violations().is_empty(), "{:?}", server.violations());
        let counts = report(&project);
        assert!(counts["requests"].as_u64().unwrap() <= 110, "{counts}");

        let again = run(["report", "-p", project.to_str().unwrap()]).ended(0);
        assert!(again.out.contains("search form"), "{}", again.out);

        let lines = run(["records", project.to_str().unwrap()]).ended(0).lines();
        let lists = lines.iter().filter(|line| {
            let records = |at: usize| line["regions"][at]["records"].as_array();
            records(0).is_some_and(|records| records.len() > 1)
        });
        assert!(lists.count() >= 10, "{preset}");
    }
}

#[test]
fn a_stopped_probe_goes_on() {
    let folder = Folder::new();
    let server = serve(SiteSpec::preset("search").unwrap());
    let project = folder.join("answers");
    run(crawl(&front(&server), &project, &["--strategy", "probe", "--limit", "15"])).ended(0);
    assert_eq!(report(&project)["pages"], 15);
    let asked = server.requests();
    let path = project.to_str().unwrap();
    let ran = run(["crawl", "-p", path, "--limit", "500"]).ended(0);
    assert!(ran.out.contains("over because"), "{}", ran.out);
    let pages = report(&project)["pages"].as_u64().unwrap();
    assert_eq!(server.requests() - asked, pages - 15, "nothing was asked twice");
}

#[test]
fn a_word_list_that_cannot_be_read_is_named() {
    let folder = Folder::new();
    let empty = folder.join("empty.txt");
    std::fs::write(&empty, "\n \n").unwrap();
    for (list, what) in [("missing.txt", "missing.txt"), (empty.to_str().unwrap(), "has no words")]
    {
        let more = ["--strategy", "probe", "--words", list];
        let ran = run(crawl("http://127.0.0.1:9/", &folder.join("p"), &more)).ended(2);
        assert!(ran.err.contains(what), "{}", ran.err);
        assert!(!folder.join("p").exists(), "nothing is written before the settings are right");
    }
}
