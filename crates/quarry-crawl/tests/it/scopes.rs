//! What belongs to the job?

use quarry_crawl::{CrawlSettings, Engine, Reach, SettingsError};
use quarry_model::SkipReason;

use crate::world::{World, crawl, page, plain};

/// A crawl from `seed` with links to all these asks for exactly those of `inside`.
#[track_caller]
fn check(
    change: impl Fn(&mut CrawlSettings),
    seed: &str,
    inside: &[&str],
    outside: &[&str],
    why: SkipReason,
) {
    let links: Vec<&str> = inside.iter().chain(outside).copied().collect();
    let mut world =
        World::new().at(seed, page("seed", &links)).script(|_, _| Some(page("leaf", &[])));
    let mut settings = plain(&[seed]);
    change(&mut settings);
    let crawled = crawl(&mut world, settings);
    let mut expect: Vec<&str> = inside.iter().copied().chain([seed]).collect();
    expect.sort_unstable();
    assert_eq!(crawled.sorted(), expect);
    assert_eq!(crawled.skipped(why), outside.len() as u64);
}

#[test]
fn the_host() {
    check(
        |_| {},
        "https://shop.example/start",
        &["https://shop.example/a", "http://shop.example/b", "https://www.shop.example/c"],
        &["https://blog.shop.example/", "https://shop.example:8443/", "https://other.example/"],
        SkipReason::OutOfScope,
    );
    check(
        |_| {},
        "http://127.0.0.1:8001/",
        &["http://127.0.0.1:8001/a"],
        &["http://127.0.0.1:8002/a", "http://127.0.0.2:8001/a"],
        SkipReason::OutOfScope,
    );
}

#[test]
fn the_registrable_domain() {
    check(
        |settings| settings.scope.reach = Reach::Domain,
        "https://shop.firm.co.uk/",
        &["https://firm.co.uk/", "http://a.b.firm.co.uk/x"],
        &["https://other.co.uk/", "https://co.uk/", "https://firm.uk/"],
        SkipReason::OutOfScope,
    );
    check(
        |settings| settings.scope.reach = Reach::Domain,
        "http://127.0.0.1:8001/",
        &["http://127.0.0.1:8001/a"],
        &["http://127.0.0.1:8002/a", "http://10.0.0.1:8001/"],
        SkipReason::OutOfScope,
    );
}

#[test]
fn the_folder() {
    check(
        |settings| settings.scope.reach = Reach::Prefix,
        "https://shop.example/en/start.html",
        &["https://shop.example/en/a", "http://shop.example/en/b/c", "https://shop.example/en/"],
        &["https://shop.example/de/", "https://shop.example/en", "https://x.example/en/"],
        SkipReason::OutOfScope,
    );
}

#[test]
fn anything() {
    check(
        |settings| settings.scope.reach = Reach::Any,
        "https://shop.example/",
        &["https://a.example/", "http://b.example:81/x"],
        &[],
        SkipReason::OutOfScope,
    );
}

#[test]
fn patterns() {
    check(
        |settings| settings.scope.exclude = vec![r"/tag/".into(), r"\?.*sort=".into()],
        "https://shop.example/",
        &["https://shop.example/a", "https://shop.example/a?page=2"],
        &["https://shop.example/tag/x", "https://shop.example/a?page=2&sort=up"],
        SkipReason::Excluded,
    );
    check(
        |settings| {
            settings.scope.include = vec![r"/product/\d+$".into(), "/list".into()];
            settings.scope.exclude = vec!["13".into()];
        },
        "https://shop.example/start",
        &["https://shop.example/product/7", "https://shop.example/list?page=2"],
        &["https://shop.example/product/x", "https://shop.example/product/13"],
        SkipReason::Excluded,
    );
}

#[test]
fn depth() {
    let mut world = World::new().script(|url, _| {
        let n: u32 = url.rsplit('/').next()?.parse().ok()?;
        Some(page("link in a chain", &[&format!("/{}", n + 1)]))
    });
    let mut settings = plain(&["https://a.example/0"]);
    settings.scope.depth = Some(3);
    let crawled = crawl(&mut world, settings);
    assert_eq!(crawled.pages, 4);
    assert_eq!(crawled.skipped(SkipReason::Depth), 1);
}

#[test]
fn changed_settings_hold_for_what_was_queued_before() {
    let mut frontier = quarry_crawl::MemoryFrontier::default();
    let world = || {
        World::new()
            .at("https://a.example/", page("front", &["/x/1", "/y/1", "/x/2"]))
            .script(|_, _| Some(page("leaf", &[])))
    };
    let mut settings = plain(&["https://a.example/"]);
    settings.budget.pages = Some(1);
    crate::world::crawl_on(&mut world(), settings, &mut frontier, usize::MAX);
    let mut settings = plain(&["https://a.example/"]);
    settings.scope.exclude = vec!["/x/".into()];
    let crawled = crate::world::crawl_on(&mut world(), settings, &mut frontier, usize::MAX);
    assert_eq!(crawled.urls(), ["https://a.example/y/1"]);
    assert_eq!(crawled.skipped(SkipReason::Excluded), 2);
}

#[track_caller]
fn refused(change: impl Fn(&mut CrawlSettings), message: &str) -> SettingsError {
    let mut settings = plain(&["https://a.example/"]);
    change(&mut settings);
    let error = Engine::new(settings).unwrap_err();
    assert!(error.to_string().contains(message), "{error}");
    error
}

#[test]
fn settings_that_make_no_sense() {
    refused(|settings| settings.seeds.clear(), "name at least one address");
    refused(
        |settings| settings.seeds.push("ftp://a.example".into()),
        "cannot begin at ftp://a.example",
    );
    refused(|settings| settings.seeds.push("http://a b/".into()), "cannot begin at http://a b/");
    refused(|settings| settings.scope.include = vec!["(".into()], "the include pattern ( is not");
    let huge = "(a{1000}){1000}".to_owned();
    refused(|settings| settings.scope.exclude = vec!["x".into(), huge.clone()], &huge);
    refused(|settings| settings.user_agent = "/1.0".into(), "must begin with a name");
    refused(|settings| settings.politeness.per_host = 0, "at least 1");
}

#[test]
fn a_seed_may_lack_its_scheme() {
    for (seed, asked) in [
        ("shop.example", "https://shop.example/"),
        ("shop.example:8443/x", "https://shop.example:8443/x"),
        ("localhost:8080/a", "http://localhost:8080/a"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/"),
    ] {
        let mut world = World::new();
        crawl(&mut world, plain(&[seed]));
        assert_eq!(world.asked_pages(), [asked]);
    }
}
