//! Which addresses does a sitemap name?

use std::io::Write as _;

use proptest::prelude::*;
use quarry_crawl::sitemap::{MAX_ADDRESSES, read};

#[track_caller]
fn check(text: &str, pages: &[&str], sitemaps: &[&str], problem: Option<&str>) {
    let sitemap = read(text.as_bytes());
    assert_eq!(sitemap.pages, pages);
    assert_eq!(sitemap.sitemaps, sitemaps);
    match (&sitemap.problem, problem) {
        (None, None) => {}
        (Some(got), Some(part)) if got.contains(part) => {}
        (got, expect) => panic!("problem {got:?}, expected {expect:?}"),
    }
}

#[test]
fn urlsets() {
    check(
        "\u{feff}<?xml version=\"1.0\"?>\n<!-- <url><loc>no</loc></url> -->\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<url>\n\
         <loc>\n https://x.example/a?b=1&amp;c=&#50;&#x33; \n</loc><priority>1</priority></url>\
         <url><loc><![CDATA[https://x.example/d?e&f]]></loc>\
         <image:image><image:loc>https://x.example/i.jpg</image:loc></image:image></url>\
         <url><lastmod>2026-01-01</lastmod></url></urlset>",
        &["https://x.example/a?b=1&c=23", "https://x.example/d?e&f"],
        &[],
        None,
    );
    let prefixed =
        "<s:urlset xmlns:s='x'><s:url><s:loc>https://x.example/</s:loc></s:url></s:urlset>";
    check(prefixed, &["https://x.example/"], &[], None);
    check("<urlset></urlset>", &[], &[], None);
    check("<urlset/>", &[], &[], Some("breaks off"));
}

#[test]
fn indexes_and_feeds() {
    check(
        "<sitemapindex><sitemap><loc>https://x.example/1.xml.gz</loc></sitemap>\
         <sitemap><loc>https://x.example/2.xml</loc></sitemap></sitemapindex>",
        &[],
        &["https://x.example/1.xml.gz", "https://x.example/2.xml"],
        None,
    );
    check(
        "<rss><channel><link>https://x.example/</link><item><title>a</title>\
         <link>https://x.example/a</link></item></channel></rss>",
        &["https://x.example/a"],
        &[],
        None,
    );
    check(
        "<feed><link href='https://x.example/'/><entry><link rel='edit' href='https://x.example/e'/>\
         <link rel = \"alternate\" href = \"https://x.example/b?c&amp;d\"/></entry></feed>",
        &["https://x.example/b?c&d"],
        &[],
        None,
    );
}

#[test]
fn plain_text() {
    check(
        "https://x.example/a\r\n\r\n  http://x.example/b \n",
        &["https://x.example/a", "http://x.example/b"],
        &[],
        None,
    );
    check("https://x.example/a\nsome words\n", &["https://x.example/a"], &[], Some("no addresses"));
    check("", &[], &[], None);
}

#[test]
fn broken_ones_give_what_is_readable() {
    let cut = "<urlset><url><loc>https://x.example/a</loc></url><url><loc>https://x.exa";
    check(cut, &["https://x.example/a"], &[], Some("breaks off"));
    check("<urlset><url><loc>https://x.example/a", &[], &[], Some("breaks off"));
    check(
        "<!doctype html><html><title>Not found</title></html>",
        &[],
        &[],
        Some("<html> is no sitemap"),
    );
    check("<", &[], &[], Some("no element"));
    check("<!--", &[], &[], Some("no element"));
    let unclosed =
        "<urlset><url><loc>https://x.example/a</loc><url><loc>https://x.example/b</loc></urlset>";
    check(unclosed, &["https://x.example/a", "https://x.example/b"], &[], None);
}

#[test]
fn compressed() {
    let text = "<urlset><url><loc>https://x.example/a</loc></url></urlset>";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    let sitemap = read(&compressed);
    assert_eq!((sitemap.pages.len(), sitemap.problem), (1, None));
    let cut = read(&compressed[..compressed.len() - 12]);
    assert!(cut.problem.unwrap().contains("cannot decompress"));
}

#[test]
fn no_more_than_the_protocol_allows() {
    let lines: String =
        (0..MAX_ADDRESSES + 5).map(|n| format!("https://x.example/{n}\n")).collect();
    let sitemap = read(lines.as_bytes());
    assert_eq!(sitemap.pages.len(), MAX_ADDRESSES);
    assert!(sitemap.problem.unwrap().contains("more than 50,000"));
}

#[test]
fn signs_that_begin_no_reference_cost_no_search() {
    // To look for the end of each in all that follows would take minutes.
    let signs = "&".repeat(1 << 20);
    let text = format!("<urlset><url><loc>{signs}&#x26;&#00000000000038;</loc></url></urlset>");
    assert_eq!(read(text.as_bytes()).pages, [format!("{signs}&&")]);
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(
        text in "(<(/?)(url|loc|sitemap|urlset|rss|item|link|entry|a:b)( href=['\"]?x['\"]?)?/?>?|&(amp|#1|#x|é)?;?|<!\\[CDATA\\[|\\]\\]>|<!--|-->|<\\?|é|http://x/| |\n){0,30}",
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let _ = read(text.as_bytes());
        let _ = read(&bytes);
    }
}
