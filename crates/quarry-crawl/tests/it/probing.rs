//! Does `probe` find the form of a site that it has never seen, and all kinds of answers?

use quarry_crawl::{ProbeReport, ProbeSettings, StrategyKind, StrategyReport};
use quarry_testsite::{OneMatch, PageClass, Site};

use crate::generated::{Crawl, ROOT};
use crate::search_sites::spec;
use crate::world::{World, html, page, plain, text};

fn probe(settings: ProbeSettings) -> StrategyKind {
    StrategyKind::Probe(settings)
}

fn report(report: &StrategyReport) -> &ProbeReport {
    match report {
        StrategyReport::Probe(sites) => &sites[0],
        other => panic!("another strategy: {other:?}"),
    }
}

#[test]
fn every_kind_of_answer_within_110_requests() {
    let mut most = 0;
    let mut missing = Vec::new();
    for seed in 0..42 {
        let site = Site::generate(spec(seed));
        let mut crawl = Crawl::new(&site, probe(ProbeSettings::default()));
        assert!(crawl.run(usize::MAX));
        let classes = crawl.classes();
        let one = match site.spec().search.one_match {
            OneMatch::Page => PageClass::OneMatch,
            OneMatch::Redirect | OneMatch::List => PageClass::Entity,
        };
        // A site on which hardly a word is unique has no such answers to find.
        let unique = site.search_words(1).count() >= 20;
        let one = unique.then_some(one);
        let expected = [PageClass::List, PageClass::NoMatch, PageClass::Error];
        for class in expected.into_iter().chain(one) {
            if !classes.contains(&class) {
                missing.push((seed, class));
            }
        }
        let report = report(&crawl.report);
        assert!(report.form.as_ref().unwrap().contains("/search"), "{report:?}");
        assert!(report.end.is_some(), "{report:?}");
        assert_eq!(crawl.violations, [""; 0], "{seed}");
        most = most.max(crawl.asked.len());
    }
    assert!(most <= 110, "{most} requests");
    assert_eq!(missing, []);
}

#[test]
fn killed_at_any_request() {
    let site = Site::generate(spec(1));
    let mut undisturbed = Crawl::new(&site, probe(ProbeSettings::default()));
    assert!(undisturbed.run(usize::MAX));
    for most in [1, 2, 5, 12, 13, 30, 40] {
        let mut crawl = Crawl::new(&site, probe(ProbeSettings::default()));
        while !crawl.run(most) {}
        let mut keys: Vec<String> =
            crawl.archive.iter().map(|(page, _)| page.request.key().into_owned()).collect();
        let asked = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), asked, "no page twice");
        let (one, other) = (report(&crawl.report), report(&undisturbed.report));
        assert!(one.end.is_some());
        assert_eq!(one.classes.len(), other.classes.len(), "{one:?}\n{other:?}");
    }
}

#[test]
fn own_words_and_fewer_probes() {
    let site = Site::generate(spec(0));
    let own_words = ["alpha", "beta", "gamma"].map(str::to_owned).to_vec();
    let settings = ProbeSettings { words: 5, nonsense: 2, own_words, ..ProbeSettings::default() };
    let mut crawl = Crawl::new(&site, probe(settings));
    assert!(crawl.run(usize::MAX));
    let queries: Vec<&str> = crawl
        .asked
        .iter()
        .filter_map(|(request, _)| request.url.strip_prefix(ROOT)?.strip_prefix("/search?q="))
        .collect();
    assert_eq!(queries.len(), 7, "{queries:?}");
    assert!(["alpha", "beta", "gamma"].iter().all(|word| queries.contains(word)), "{queries:?}");
    assert_eq!(report(&crawl.report).end.as_deref(), Some("all queries were asked"));
}

/// Runs the strategy on a scripted web and gives what was asked and why it ended.
fn run(world: &mut World, robots: bool) -> (Vec<String>, ProbeReport) {
    let mut settings = plain(&["https://a.example/"]);
    settings.strategy = probe(ProbeSettings::default());
    settings.politeness.obey_robots = robots;
    let (_, end) = crate::world::crawl_with_account(world, settings);
    let asked = world.asked_pages().into_iter().map(str::to_owned).collect();
    (asked, report(&end).clone())
}

#[test]
fn a_site_without_a_form_is_left_soon() {
    let mut world = World::new().script(|url, _| {
        let n: u32 = url.strip_prefix("https://a.example/")?.parse().unwrap_or(0);
        Some(page(&format!("page {n}"), &[&format!("/{}", n + 1), &format!("/{}", n + 100)]))
    });
    let (asked, report) = run(&mut world, false);
    assert_eq!(asked.len(), 20);
    assert_eq!(report.end.as_deref(), Some("no search form on 20 pages"));
}

#[test]
fn the_page_that_speaks_of_search_is_looked_at_first() {
    let mut world = World::new()
        .at("https://a.example/", page("home", &["/a", "/b", "/suche.html", "/c"]))
        .at(
            "https://a.example/suche.html",
            html("<form action=/find><input name=q type=search><button>Suchen</button></form>"),
        )
        .script(|url, _| Some(html(&format!("<p>about {url}</p>"))));
    let (asked, report) = run(&mut world, false);
    assert_eq!(&asked[..2], ["https://a.example/", "https://a.example/suche.html"]);
    assert!(asked[2].starts_with("https://a.example/find?q="), "{asked:?}");
    let why = "every query brings the same page; its results may come from a script";
    assert_eq!(report.end.as_deref(), Some(why));
}

#[test]
fn what_robots_txt_forbids_is_not_asked() {
    let form = "<form action=/find><input name=q type=search><button>Search</button></form>";
    let mut world = World::new()
        .at("https://a.example/robots.txt", text("user-agent: *\ndisallow: /find"))
        .at("https://a.example/", html(form));
    let (asked, report) = run(&mut world, true);
    assert_eq!(asked, ["https://a.example/"]);
    assert_eq!(report.end.as_deref(), Some("the search form may not be sent (robots)"));
}

#[test]
fn forms_that_could_change_something_are_not_sent() {
    for form in [
        "<form action=/s method=post><input name=q type=search><input type=password name=p></form>",
        "<form action=/s method=post><input name=email><button>Subscribe</button></form>",
        "<form action=/s method=post><input name=q type=search><input type=file name=f></form>",
        "<form action=/account/delete><input name=q type=search><button>Search</button></form>",
    ] {
        let mut world = World::new().at("https://a.example/", html(form));
        let (asked, report) = run(&mut world, false);
        assert_eq!(asked, ["https://a.example/"], "{form}");
        assert!(report.end.is_some());
    }
}
