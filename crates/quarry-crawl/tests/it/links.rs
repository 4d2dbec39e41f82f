//! Which links are followed?

use proptest::prelude::*;
use quarry_crawl::CrawlSettings;
use quarry_model::SkipReason;

use crate::world::{Answer, World, crawl, html, page, plain};

const FRONT: &str = "https://a.example/";

#[track_caller]
fn check_with(settings: CrawlSettings, front: Answer, followed: &[&str]) {
    let mut world = World::new().at(FRONT, front).script(|_, _| Some(page("leaf", &[])));
    let crawled = crawl(&mut world, settings);
    let paths: Vec<&str> = crawled.urls()[1..]
        .iter()
        .map(|url| url.strip_prefix("https://a.example").unwrap())
        .collect();
    assert_eq!(paths, followed);
}

/// A page with these links leads to these.
#[track_caller]
fn check(links: &[&str], followed: &[&str]) {
    check_with(plain(&[FRONT]), page("front", links), followed);
}

/// A link is skipped for this reason, and counted once however often it is met.
#[track_caller]
fn skipped(link: &str, reason: SkipReason) {
    let mut world = World::new()
        .at(FRONT, page("front", &[link, link, "/two"]))
        .at("https://a.example/two", page("two", &[link]));
    let crawled = crawl(&mut world, plain(&[FRONT]));
    assert_eq!(crawled.urls(), [FRONT, "https://a.example/two"], "{link}");
    let got: Vec<_> = crawled.skipped.into_iter().collect();
    assert_eq!(got, [(reason, 1)], "{link}");
}

#[test]
fn each_address_once() {
    check(&["/a", "/a#part", "a", "./a", "https://A.example:443/a?utm_source=x"], &["/a"]);
    check(&["/", "", "#top", "https://a.example"], &[]);
    check(&["b?x=1", "b?x=1&x=2", "b"], &["/b?x=1", "/b?x=1&x=2", "/b"]);
}

#[test]
fn what_is_no_page() {
    for link in
        ["/a.jpg", "/a/b.PDF?x=1", "/style.css", "/feed.rss", "/data.json", "/v1.0/a.tar.gz"]
    {
        skipped(link, SkipReason::NotAPage);
    }
    check(
        &["/a.html", "/b.php", "/c.aspx", "/v1.0/", "/d.e", "/.well-known", "/Dr.Zip"],
        &["/a.html", "/b.php", "/c.aspx", "/v1.0/", "/d.e", "/.well-known"],
    );
}

#[test]
fn what_is_no_address() {
    for link in ["mailto:x@a.example", "javascript:void(0)", "tel:+4930", "data:,x", "http://:80/"]
    {
        skipped(link, SkipReason::BadUrl);
    }
    skipped(&format!("/{}", "x".repeat(2_048)), SkipReason::BadUrl);
}

#[test]
fn what_could_change_something() {
    for link in [
        "/logout",
        "/account/Log-Out.php",
        "/users/sign_out",
        "/abmelden",
        "/cart/add/17",
        "/warenkorb/hinzufuegen?id=3",
        "/item/3/delete",
        "/?add-to-cart=17",
        "/index.php?action=logout",
        "/index.php?route=account/logout",
        "/x?do=delete&id=3",
        "/newsletter/unsubscribe?u=1",
        "/comments/7/vote",
    ] {
        skipped(link, SkipReason::Unsafe);
    }
    check(
        &[
            "/how-to-delete-a-file",
            "/cart",
            "/login",
            "/voters",
            "/blog?tag=delete",
            "/add",
            "/17/add",
        ],
        &[
            "/how-to-delete-a-file",
            "/cart",
            "/login",
            "/voters",
            "/blog?tag=delete",
            "/add",
            "/17/add",
        ],
    );
}

#[test]
fn base_areas_and_frames() {
    let front = html(
        "<base href=/shop/x><a href=a>a</a><map><area href=b></map><iframe src=c></iframe>\
         <base href=/other/><a href=../d>d</a><a>no link</a><img src=e><svg><a href=f></a></svg>",
    );
    let followed = ["/shop/a", "/shop/b", "/shop/c", "/d", "/shop/f"];
    check_with(plain(&[FRONT]), front, &followed);
}

#[test]
fn nofollow() {
    let marked = || html("<a href=/a rel='external nofollow'>a</a><a href=/b>b</a>");
    check_with(plain(&[FRONT]), marked(), &["/a", "/b"]);
    let mut strict = plain(&[FRONT]);
    strict.follow_nofollow = false;
    check_with(strict, marked(), &["/b"]);

    for (head, follow) in [
        ("<meta name=robots content='noindex, NoFollow'>", false),
        ("<meta name=ROBOTS content=none>", false),
        ("<meta name=quarry content=nofollow>", false),
        ("<meta name=otherbot content=nofollow>", true),
        ("<meta name=robots content=noindex>", true),
    ] {
        let front = html(&format!("{head}<a href=/a>a</a>"));
        check_with(plain(&[FRONT]), front, if follow { &["/a"] } else { &[] });
    }
    for (value, follow) in [
        ("nofollow", false),
        ("noindex, nofollow", false),
        ("quarry: nofollow", false),
        ("otherbot: nofollow", true),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST", true),
    ] {
        let front = page("front", &["/a"]).header("X-Robots-Tag", value);
        check_with(plain(&[FRONT]), front, if follow { &["/a"] } else { &[] });
    }
}

#[test]
fn only_pages_are_read_for_links() {
    let plain_text = crate::world::text("<a href=/a>a</a>");
    check_with(plain(&[FRONT]), plain_text, &[]);
    let unlabelled = Answer { headers: vec![], ..page("front", &["/a"]) };
    check_with(plain(&[FRONT]), unlabelled, &["/a"]);
}

#[test]
fn breadth_first_in_document_order() {
    let mut world = World::new()
        .at(FRONT, page("front", &["/b", "/a"]))
        .at("https://a.example/b", page("b", &["/b/2", "/b/1"]))
        .at("https://a.example/a", page("a", &["/a/1"]))
        .script(|_, _| Some(page("leaf", &[])));
    let crawled = crawl(&mut world, plain(&[FRONT]));
    let paths = ["/", "/b", "/a", "/b/2", "/b/1", "/a/1"];
    let expect: Vec<String> = paths.iter().map(|path| format!("https://a.example{path}")).collect();
    assert_eq!(crawled.urls(), expect);
    assert_eq!(world.asked_pages(), expect);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_page_makes_it_panic(
        soup in "(<(a|base|meta http-equiv=refresh|meta name=robots|link rel=next|iframe)( (href|src|content|rel)=('[\\PC&&[^']]{0,12}'|[/?#.:a-z0-9%]{0,6}|\"[0-9]?;? ?url=['\"]?x\")){0,2}>|[a-zé]{0,5}){0,12}",
    ) {
        let mut world = World::new().at(FRONT, html(&soup));
        let mut settings = plain(&[FRONT]);
        settings.budget.pages = Some(3);
        settings.follow_nofollow = false;
        crawl(&mut world, settings);
    }
}
