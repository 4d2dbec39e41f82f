//! Does `index` find all products of shops that it has never seen, and little else?

use quarry_crawl::{IndexReport, IndexSettings, StrategyKind, StrategyReport};
use quarry_testsite::{Site, SiteSpec, Theme, Traps, UrlStyle};

use crate::generated::Crawl;
use crate::shops::{CATEGORIES, VERTICALS, outcome, outcome_in, whole_shop};
use crate::world::{World, crawl_with_account, html, page, plain};

fn everything() -> StrategyKind {
    StrategyKind::Index(IndexSettings::default())
}

fn category(name: &str, words: &[&str]) -> StrategyKind {
    StrategyKind::Index(IndexSettings {
        category: Some(name.to_owned()),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        ..IndexSettings::default()
    })
}

fn report(report: &StrategyReport) -> &IndexReport {
    match report {
        StrategyReport::Index(sites) => &sites[0],
        other => panic!("another strategy: {other:?}"),
    }
}

/// Walks a shop from its home page to the end: all products, and mostly products.
#[track_caller]
fn check(name: &str, spec: SiteSpec, least: f64) {
    let site = Site::generate(spec);
    let mut crawl = Crawl::from(&site, "/", everything());
    assert!(crawl.run(2_000), "{name} does not end");
    let outcome = outcome(&site, &crawl);
    assert!(outcome.recall() >= 1.0, "{name}: {outcome:?}");
    assert!(outcome.precision() >= least, "{name}: {outcome:?}");
    assert_eq!(crawl.violations, [""; 0], "{name}");
    let report = report(&crawl.report);
    assert!(report.end.is_some(), "{name}: {report:?}");
    let said = report.precision - outcome.precision();
    assert!(said.abs() < 0.05, "{name} says {:.2}: {outcome:?}", report.precision);
}

#[test]
fn every_theme_style_of_address_and_vertical() {
    for (n, theme) in Theme::ALL.iter().enumerate() {
        for (m, urls) in UrlStyle::ALL.iter().enumerate() {
            if (n + m) % 2 == 0 {
                let vertical = VERTICALS[(n + m) % VERTICALS.len()];
                let (theme, urls, seed) = (*theme, *urls, (4_000 + 10 * n + m) as u64);
                let spec = SiteSpec { theme, urls, vertical, seed, ..SiteSpec::default() };
                let name = format!("{theme:?} {urls:?} {vertical:?}");
                check(&name, SiteSpec { entities: 80, ..spec }, 0.6);
            }
        }
    }
}

#[test]
fn whole_shops_with_departments_and_a_journal() {
    for (n, theme) in Theme::ALL.iter().enumerate() {
        let urls = UrlStyle::ALL[n % UrlStyle::ALL.len()];
        check(&format!("{theme:?} {urls:?}"), whole_shop(*theme, urls, 150), 0.6);
    }
}

#[test]
fn one_category_of_a_whole_shop() {
    let site = Site::generate(whole_shop(Theme::Cards, UrlStyle::Query, 300));
    for (attribute, name, words) in CATEGORIES {
        let mut crawl = Crawl::from(&site, "/", category(name, words));
        assert!(crawl.run(1_000), "{name} does not end");
        let outcome = outcome_in(&site, &crawl, Some((attribute, name)));
        let report = report(&crawl.report);
        assert!(outcome.recall() >= 1.0, "{name}: {outcome:?} {report:#?}");
        assert!(outcome.pages < outcome.there + 45, "{name}: {outcome:?} {report:#?}");
        assert_eq!(crawl.violations, [""; 0], "{name}");
    }
}

#[test]
fn nothing_endless_or_dangerous_is_followed() {
    let traps = Traps {
        actions: true,
        forms: true,
        calendar: true,
        compare: true,
        sessions: false,
        exports: true,
        spiral: true,
    };
    let spec = SiteSpec { entities: 80, ..SiteSpec::preset("traps").unwrap() };
    check("traps", SiteSpec { traps, ..spec }, 0.5);
}

#[test]
fn killed_at_any_request() {
    let site = Site::generate(whole_shop(Theme::Semantic, UrlStyle::Path, 60));
    for strategy in [everything(), category("Audio", &["headphones"])] {
        let mut undisturbed = Crawl::from(&site, "/", strategy.clone());
        assert!(undisturbed.run(usize::MAX));
        let asked = |crawl: &Crawl<'_>| {
            let mut keys: Vec<String> =
                crawl.archive.iter().map(|(page, _)| page.request.key().into_owned()).collect();
            keys.sort();
            keys
        };
        for most in [2, 7, 30] {
            let mut crawl = Crawl::from(&site, "/", strategy.clone());
            while !crawl.run(most) {}
            assert_eq!(asked(&crawl), asked(&undisturbed), "killed after {most}");
            assert_eq!(report(&crawl.report), report(&undisturbed.report));
        }
    }
}

#[test]
fn a_site_without_lists_is_left_soon() {
    let mut settings = plain(&["https://a.example/"]);
    settings.strategy = everything();
    let mut world = World::new()
        .at("https://a.example/", page("home", &["/about", "/contact", "/news"]))
        .script(|url, _| Some(html(&format!("<title>{url}</title><p>Words about {url}.</p>"))));
    let (_, end) = crawl_with_account(&mut world, settings);
    assert!(report(&end).end.is_some());
    assert!(world.asked_pages().len() <= 5, "{:?}", world.asked_pages());
}

#[test]
fn an_unknown_category_gives_no_targets_and_says_so() {
    let site = Site::generate(whole_shop(Theme::Cards, UrlStyle::Query, 60));
    let mut crawl = Crawl::from(&site, "/", category("Submarines", &[]));
    assert!(crawl.run(200));
    let report = report(&crawl.report);
    assert_eq!(report.targets, 0, "{report:#?}");
    let said = report.end.as_deref().unwrap();
    assert!(said.contains("no products of Submarines"), "{said}");
    assert!(crawl.asked.len() < 40, "{}", crawl.asked.len());
}
