//! Pages that try to make reading them quadratic: four times the page may take about four times the time.

use quarry_dom::Document;
use quarry_extract::action::LinkMarks;
use quarry_extract::find::{PageInput, RecordsConfig, find_records};
use quarry_extract::links::read_links;
use quarry_extract::site::{SitePage, learn_site};
use quarry_extract::spec::{SpecConfig, SpecPage, find_specs};
use url::Url;

/// Elements of the smaller page: enough for a quadratic part to show.
const SMALL: usize = 5_000;
/// How much larger the other page is.
pub(crate) const TIMES: usize = 4;
/// Linear work takes `TIMES` as long, quadratic work `TIMES` squared; sorting and memory lie between.
pub(crate) const MOST: f64 = 8.0;
/// The quickest of so many runs counts.
const RUNS: usize = 3;

/// Nanoseconds that this thread has been running: what other programs do beside it does not count.
#[expect(clippy::disallowed_methods, reason = "the test is about time")]
pub(crate) fn running() -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    spent.split(' ').next().and_then(|spent| spent.parse().ok()).unwrap_or(0.0)
}

type Read<'r> = dyn Fn(&Document) + Sync + 'r;

/// The time that reading a page of `count` of these elements takes.
fn time(
    around: [&str; 2],
    element: &dyn Fn(usize) -> String,
    count: usize,
    read: &Read<'_>,
) -> f64 {
    let body: String = (0..count).map(element).collect();
    let document = Document::from_html(&format!("{}{body}{}", around[0], around[1]));
    let once = || {
        let before = running();
        read(&document);
        running() - before
    };
    let here =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    here.install(|| (0..RUNS).map(|_| once()).fold(f64::MAX, f64::min))
}

fn check(name: &str, around: [&str; 2], element: &dyn Fn(usize) -> String, read: &Read<'_>) {
    check_from(SMALL, name, around, element, read);
}

fn check_from(
    count: usize,
    name: &str,
    around: [&str; 2],
    element: &dyn Fn(usize) -> String,
    read: &Read<'_>,
) {
    let small = time(around, element, count, read);
    let large = time(around, element, count * TIMES, read);
    let growth = large / small.max(1.0);
    assert!(
        small == 0.0 || growth < MOST,
        "{name}: {TIMES} times the page took {growth:.1} times as long"
    );
}

#[test]
fn links_are_read_in_linear_time() {
    let page = Url::parse("https://shop.example/list").unwrap();
    let read = |document: &Document| drop(read_links(document, &page));
    let check = |name: &str, around: [&str; 2], element: &dyn Fn(usize) -> String| {
        check(name, around, element, &read);
    };
    let div = ["<div>", "</div>"];
    check("anchors", div, &|n| format!("<a href='/item/{n}'>Item {n}</a>"));
    check("items", ["<ul>", "</ul>"], &|n| {
        format!("<li><a href='/item/{n}'>Item {n}</a> text {n}</li>")
    });
    check("repeated", div, &|n| format!("<p>Text {n} <a href='/item/{}'>Item {n}</a></p>", n % 7));
    check("removals", div, &|n| format!("<a href='/?x={n}'>×</a>"));
    check("pages", ["<div class=pagination>", "</div>"], &|n| {
        format!("<a href='?page={n}'>{n}</a>")
    });
    check("next", div, &|n| format!("<a href='?page={n}'>next</a>"));
    check("orders", ["<div>Sort by: ", "</div>"], &|n| format!("<a href='?sort={n}'>Name {n}</a>"));
    check("exports", div, &|n| format!("<a href='/d/{n}.csv'>CSV</a>"));
    check("labels", div, &|n| {
        format!(
            "<div aria-labelledby=g{n}><p><a href='?f{n}=1'></a></p><p><a href='?f{n}=2'></a></p></div><i id=g{n}></i>"
        )
    });
    check("boxes", ["<form>", "</form>"], &|n| {
        format!("<input type=checkbox name=c{n} value=1> Choice {n} (3)")
    });
}

/// A table that is all of its site: rows without links on one page were compared with each of its texts.
#[test]
fn a_site_of_one_large_table_is_learned_in_linear_time() {
    let address = Url::parse("https://shop.example/list").unwrap();
    let read = |document: &Document| {
        drop(learn_site(&[SitePage { id: "page", address: &address, document }]));
    };
    check_from(
        3 * SMALL,
        "rows",
        ["<title>x</title><table>", "</table>"],
        &|n| format!("<tr><td>Name {n}<td>value {}", n * 7),
        &read,
    );
}

#[test]
fn specifications_are_read_in_linear_time() {
    let config = SpecConfig::default();
    let read =
        |document: &Document| drop(find_specs(&[SpecPage { id: "page", document }], &config));
    let check = |name: &str, around: [&str; 2], element: &dyn Fn(usize) -> String| {
        check(name, around, element, &read);
    };
    check("rows", ["<table>", "</table>"], &|n| {
        format!("<tr><th>Name {n}</th><td>Value {n}</td></tr>")
    });
    check("terms", ["<dl>", "</dl>"], &|n| format!("<dt>Name {n}</dt><dd>Value {n}</dd>"));
    check("boxes", ["<div>", "</div>"], &|n| {
        format!("<div><b>Name {n}</b> <i>Value {n}</i></div>")
    });
    check("lines", ["<p>", "</p>"], &|n| format!("Name {n}: Value {n}<br>"));
    check("tables", ["<div>", "</div>"], &|n| {
        format!("<table><tr><td>Name {n}</td><td>Value {n}</td></tr></table>")
    });
}

#[test]
fn storms_of_tags_are_read_in_linear_time() {
    let page = Url::parse("https://shop.example/list").unwrap();
    let config = RecordsConfig::default();
    let read = |document: &Document| {
        drop(read_links(document, &page));
        let marks = document.links(&page);
        let acting = |link: &quarry_dom::Link<'_>| LinkMarks::of(document, link.node).is_plain();
        assert!(marks.iter().filter(|link| acting(link)).count() <= marks.len());
        drop(find_records(&[PageInput { id: "page", document, cluster: None }], &config));
    };
    let check = |name: &str, around: [&str; 2], element: &dyn Fn(usize) -> String| {
        check(name, around, element, &read);
    };
    let body = ["<body>", ""];
    check("ends of paragraphs", body, &|_| "</p>".to_owned());
    check("open formats", body, &|n| format!("<p><b>{n}</p>"));
    check("links in a drawing", ["<svg>", ""], &|n| format!("<a href='/{n}'>t"));
    check("forms", body, &|n| format!("<form action=/s{n}><input name=q{n}></form>"));
}
