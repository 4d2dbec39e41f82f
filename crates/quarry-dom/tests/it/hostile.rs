//! Pages made to hurt: the limits hold, and the time stays in proportion to the page.

use std::time::{Duration, Instant};

use quarry_dom::{Cut, Document, Limits, NodeId, Tag};

use crate::laws::obey;

/// What no page here may take, even without optimisation on a busy machine. Quadratic time would
/// take minutes.
const LONG: Duration = Duration::from_secs(20);

fn parse(html: &str) -> Document {
    let start = Instant::now();
    let document = Document::parse(html.as_bytes(), None, &Limits::default());
    let took = start.elapsed();
    let shown: String = html.chars().take(40).collect();
    assert!(took < LONG, "{shown} took {took:?}");
    if document.len() < 200_000 {
        obey(&document, &Limits::default());
    }
    document
}

fn deepest(document: &Document) -> usize {
    document.all().map(|node| document.depth(node)).max().unwrap_or(0)
}

#[test]
fn nesting_stops_at_the_limit_and_what_follows_stands_where_it_should() {
    let n = 100_000;
    let html = format!("{}deep{}<p id=after>after", "<div>".repeat(n), "</div>".repeat(n));
    let document = parse(&html);
    assert_eq!(document.cut(), Cut { depth: true, ..Cut::default() });
    assert!(deepest(&document) <= 513);
    let after = document.element_by_id("after").unwrap();
    assert_eq!(document.xpath(after), "/html/body/p");
    assert_eq!(document.folded_text(NodeId::ROOT), "deep after");

    // What is never closed is closed by what surrounds it.
    let html = format!("<main><section>{}</section></main><p id=after>x", "<i><div>".repeat(n));
    let document = parse(&html);
    assert!(deepest(&document) <= 513);
}

#[test]
fn everything_that_nests() {
    let n = 8_000;
    for piece in [
        "<span>",
        "<b>",
        "<a>",
        "<ul><li>",
        "<table>",
        "<table><tr><td>",
        "<table><td><table>",
        "<table><b>",
        "<svg>",
        "<svg><g>",
        "<math><mi>",
        "<svg><foreignObject>",
        "<form>",
        "<select><option>",
        "<button>",
        "<object>",
        "<template>",
        "<template><td>",
        "<font><p>",
        "<b><p>",
        "<a><div>",
        "<nobr>",
        "<h1>",
        "<dl><dt>",
        "<ruby><rt>",
        "<x-a>",
        "<marquee>",
        "<svg><script>",
        "<frameset>",
        "<noscript>",
        "<details>",
        "<fieldset><legend>",
        "<i><b></i>",
        "<b><div></b>",
    ] {
        let document = parse(&piece.repeat(n));
        assert!(deepest(&document) <= 513, "{piece}");
    }
}

#[test]
fn formatting_bombs() {
    // Each element is different, so that none of them replaces another (the "Noah's Ark clause").
    let different: String = (0..8_000).map(|n| format!("<font size={n}>")).collect();
    parse(&different);
    parse(&format!("<p>{different}{}", "</p><p>x".repeat(400)));
    let one_each: String = (0..2_000).map(|n| format!("<p><font size={n}></p>x")).collect();
    assert!(parse(&one_each).cut().any());
    let crossed: String = (0..5_000).map(|n| format!("<b id={n}><i id={n}><div>x</b>")).collect();
    parse(&crossed);
    parse(&"<b><i><u><s><div></b></i></u></s>".repeat(5_000));
    parse(&"<a href=x>".repeat(50_000));
    parse(&"<a><table>".repeat(20_000));
}

#[test]
fn copies_of_long_attributes_are_bounded() {
    let long = "v".repeat(100_000);
    let html = format!("<p><b title='{long}'>{}", "</p><p>x".repeat(5_000));
    let document = parse(&html);
    assert!(document.cut().attributes);
    assert!(document.heap_bytes() < 12 * html.len(), "{}", document.heap_bytes());
}

#[test]
fn attributes_without_end() {
    let many: String = (0..1_000_000).map(|n| format!(" a{n}")).collect();
    let document = parse(&format!("<p{many}>x"));
    assert!(document.cut().attributes);
    let p = document.elements(Tag::P).next().unwrap();
    assert_eq!(document.attrs(p).count(), Limits::default().attributes);

    let huge = "x".repeat(4_000_000);
    let document = parse(&format!("<p title='{huge}'>y"));
    let p = document.elements(Tag::P).next().unwrap();
    assert_eq!(document.attr(p, "title").map(str::len), Some(huge.len()));
    assert!(!document.cut().any());

    let again: String = (0..50_000).map(|n| format!("<html a{n}=1><body b{n}=2>")).collect();
    parse(&again);
    let names: String = (0..40_000).map(|n| format!("<x{n} y{n}></x{n}>")).collect();
    assert!(parse(&names).cut().attributes);
}

#[test]
fn nodes_without_end() {
    let document = parse(&"<br>".repeat(1_500_000));
    assert!(document.cut().nodes);
    assert_eq!(document.len(), Limits::default().nodes);
}

#[test]
fn texts_that_are_put_together_from_pieces() {
    // Two texts that grow in turn: before the table, and in its cell.
    let document = parse(&format!("<table>{}", "<tr><td>a</td></tr>b".repeat(10_000)));
    assert!(!document.cut().any());
    let before = document.first_child(document.elements(Tag::BODY).next().unwrap()).unwrap();
    assert_eq!(document.text(before), "b".repeat(10_000));
    parse(&"&amp;".repeat(300_000));
    parse(&"&ampx&;&#".repeat(200_000));
    parse(&"\0".repeat(500_000));
    parse(&"<table>\0 x".repeat(50_000));
}

#[test]
fn what_is_never_closed() {
    let n = 300_000;
    for start in [
        "<!--",
        "<!-- -",
        "<!--<!",
        "<!doctype ",
        "<!doctype html public '",
        "<a b='",
        "<a b=",
        "<a ",
        "<",
        "</",
        "<!",
        "<?",
        "<script>",
        "<script><!--",
        "<script><!--<script>",
        "<title>",
        "<style>",
        "<textarea>",
        "<plaintext>",
        "<svg><![CDATA[",
        "&",
    ] {
        for filler in [
            "<", "-", "</", "<!--", "--", "]]", "&", "=", "'", "</script", "<script ", "</title",
            " ",
        ] {
            parse(&format!("{start}{}", filler.repeat(n / 8)));
        }
    }
}

#[test]
fn end_tags_of_nothing() {
    // Each costs a look at the whole stack: this is the price of the depth limit.
    let n = 2_000;
    for piece in [
        "</p>",
        "</div>",
        "</b>",
        "</a>",
        "</br>",
        "</table>",
        "</body>",
        "</html>",
        "</x>",
        "</form>",
        "</template>",
    ] {
        parse(&piece.repeat(n));
        parse(&format!("{}{}", "<div>".repeat(600), piece.repeat(n)));
        parse(&format!("{}{}", "<b>".repeat(600), piece.repeat(n)));
    }
}

#[test]
fn labels_and_lists_that_many_controls_share() {
    let n = 5_000;
    let address = url::Url::parse("https://x.example/").unwrap();
    for html in [
        format!("<form><label>{}", "<input>four".repeat(n)),
        format!("<form>{}", "<label>four<input>".repeat(n)),
        format!(
            "<label for=a>{}</label><form>{}",
            "x<i>y</i> ".repeat(n),
            "<input id=a>".repeat(n)
        ),
        format!(
            "<b id=a>{}</b><form><input aria-labelledby='{}'>",
            "x<i>y</i> ".repeat(n),
            "a ".repeat(n)
        ),
        format!(
            "<form><datalist id=a>{}</datalist>{}",
            "<option>x".repeat(n),
            "<input list=a>".repeat(n)
        ),
    ] {
        let document = Document::from_html(&html);
        let start = Instant::now();
        let forms = document.forms(&address);
        let controls = || forms.iter().flat_map(|form| &form.controls);
        let labels = controls().filter_map(|control| control.label.as_ref());
        assert!(labels.map(|label| label.text.len()).max().unwrap_or(0) < 9_000);
        assert!(controls().map(|control| control.options.len()).sum::<usize>() <= 100_000);
        let shown: String = html.chars().take(40).collect();
        assert!(start.elapsed() < LONG, "{shown} took {:?}", start.elapsed());
    }
}
