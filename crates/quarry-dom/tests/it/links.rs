//! Links and what a page says about itself.

use quarry_dom::{Document, LinkKind};
use url::Url;

fn page() -> Url {
    Url::parse("https://shop.example/a/b.html?q=1").unwrap()
}

#[test]
fn links_of_all_kinds() {
    let document = Document::from_html(
        "<link rel=canonical href=/c><link rel='x NEXT' href=?p=3><link rel=prev href=?p=1><link rel=stylesheet href=s.css>
         <a href='x y'>One <b>two</b></a><a name=anchor>no</a><a href=''>self</a><a href='  #top  '> </a>
         <a href='//other.example:99/'><img alt=' Logo '></a><a href=mailto:a@b.example title=Mail></a>
         <map><area href=m alt=Map></map><iframe src=f></iframe><a href='http://['>bad</a>
         <a href=/n rel='nofollow UGC'>n</a><svg><a href=no>svg</a></svg><a href='\nx\ty'>tabs</a>",
    );
    let links = document.links(&page());
    let found: Vec<(LinkKind, &str, &str)> =
        links.iter().map(|link| (link.kind, link.url.as_str(), &*link.text)).collect();
    assert_eq!(
        found,
        [
            (LinkKind::Canonical, "https://shop.example/c", ""),
            (LinkKind::Next, "https://shop.example/a/b.html?p=3", ""),
            (LinkKind::Prev, "https://shop.example/a/b.html?p=1", ""),
            (LinkKind::Anchor, "https://shop.example/a/x%20y", "One two"),
            (LinkKind::Anchor, "https://shop.example/a/b.html?q=1", "self"),
            (LinkKind::Anchor, "https://shop.example/a/b.html?q=1#top", ""),
            (LinkKind::Anchor, "https://other.example:99/", "Logo"),
            (LinkKind::Anchor, "mailto:a@b.example", "Mail"),
            (LinkKind::Area, "https://shop.example/a/m", "Map"),
            (LinkKind::Frame, "https://shop.example/a/f", ""),
            (LinkKind::Anchor, "https://shop.example/n", "n"),
            (LinkKind::Anchor, "https://shop.example/a/xy", "tabs"),
        ]
    );
    let rel: Vec<_> = links.iter().filter(|link| link.has_rel("nofollow")).collect();
    assert_eq!(rel.len(), 1);
    assert_eq!(document.canonical(&page()).unwrap().as_str(), "https://shop.example/c");
}

#[test]
fn base_is_the_first_one_with_an_address() {
    let check = |html: &str, base: &str| {
        assert_eq!(Document::from_html(html).base_url(&page()).as_str(), base, "{html}");
    };
    check("", "https://shop.example/a/b.html?q=1");
    check("<base target=_top><base href=../x/><base href=/no>", "https://shop.example/x/");
    check("<base href='https://cdn.example/y'>", "https://cdn.example/y");
    check("<base href='http://['>", "https://shop.example/a/b.html?q=1");
}

#[test]
fn pages_about_themselves() {
    let document = Document::from_html(
        "<html lang=' de '><svg><title>not this</title></svg><title> A \n B </title>
         <meta name=Description content='What it is'><meta property=og:title content=T>
         <meta name=robots content='nofollow'><meta name=ROBOTS content='max-snippet:3 , NoIndex'>
         <p lang=fr><b>x</b>",
    );
    assert_eq!(document.title().as_deref(), Some("A B"));
    assert_eq!(document.lang(), Some("de"));
    assert_eq!(document.meta("description"), Some("What it is"));
    assert_eq!(document.meta("OG:title"), Some("T"));
    assert_eq!(document.meta("keywords"), None);
    let robots = document.robots_meta();
    assert!(robots.noindex && robots.nofollow);
    let bold = document.elements(quarry_dom::Tag::B).next().unwrap();
    assert_eq!(document.lang_of(bold), Some("fr"));

    let silent = Document::from_html("<p>x");
    assert_eq!((silent.title(), silent.lang()), (None, None));
    assert_eq!(silent.robots_meta(), quarry_dom::RobotsMeta::default());
    assert_eq!(silent.canonical(&page()), None);
}
