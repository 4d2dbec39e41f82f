//! Input that nobody meant: a clear answer within the limits, from every stage.

use std::fmt::Write as _;

use quarry_dom::{Document, Limits};
use quarry_extract::cluster::{ClusterConfig, PageSignature, cluster_pages};
use quarry_extract::explain::{draw, explain, record_frames};
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, find_records};
use quarry_extract::forms::{FormsLine, forms_line};
use url::Url;

/// What the stages say of pages.
struct Said {
    clusters: Vec<usize>,
    records: Vec<PageRecords>,
    forms: Vec<FormsLine>,
    documents: Vec<Document>,
}

fn ask(pages: &[&str]) -> Said {
    let parse = |html: &&str| Document::parse(html.as_bytes(), None, &Limits::default());
    let documents: Vec<Document> = pages.iter().map(parse).collect();
    let signatures: Vec<PageSignature> =
        documents.iter().zip(pages).map(|(doc, html)| PageSignature::of(doc, html.len())).collect();
    let ids: Vec<String> = (0..pages.len()).map(|n| format!("{n:03}.html")).collect();
    let inputs: Vec<PageInput<'_>> = documents
        .iter()
        .zip(&ids)
        .map(|(document, id)| PageInput { id, document, cluster: None })
        .collect();
    let address = Url::parse("http://site.example/").expect("an address");
    Said {
        clusters: cluster_pages(&signatures, &ClusterConfig::default()).assignment,
        records: find_records(&inputs, &RecordsConfig::default()),
        forms: documents.iter().zip(&ids).map(|(doc, id)| forms_line(doc, &address, id)).collect(),
        documents,
    }
}

const SEARCH: &str = "<form action=/find><input type=search name=q><button>Search</button></form>";

#[test]
fn no_pages() {
    let said = ask(&[]);
    assert!(said.clusters.is_empty() && said.records.is_empty() && said.forms.is_empty());
}

#[test]
fn one_page() {
    let mut html = SEARCH.to_owned();
    for n in 0..8 {
        write!(html, "<div><h3><a href=/{n}>The stone of {n} colours</a></h3><p>Found in the year 18{n}2</p></div>")
            .expect("a string takes everything");
    }
    let said = ask(&[&html]);
    assert_eq!(said.clusters, [0]);
    assert_eq!(said.records[0].regions[0].records.len(), 8);
    assert_eq!(said.forms[0].forms[0].kind.as_str(), "search");
}

#[test]
fn pages_with_nothing_in_them() {
    let said =
        ask(&["", "\0\0\0", "<!-- -->", "<html><body></body></html>", "<p>", "{\"json\": 1}"]);
    assert_eq!(said.clusters.len(), 6);
    assert!(said.records.iter().all(|page| page.regions.is_empty()));
    assert!(said.forms.iter().all(|page| page.forms.is_empty()));
}

#[test]
fn pages_of_unrelated_sites() {
    let list = |tag: &str, class: &str, topic: &str| {
        let mut html = format!("<main class='{class}'>");
        for n in 0..7 {
            let item = format!(
                "<{tag} class='{class}-item'><a href='/{topic}/{n}'>{topic} {n} and more</a> \
                 <em>some words on {topic} of kind {n}</em></{tag}>"
            );
            html.push_str(&item);
        }
        html + "</main>"
    };
    let pages = [
        format!("{SEARCH}{}", list("div", "hit", "granite")),
        list("article", "story", "cinema"),
        format!("<table><tr><td>{}</td></tr></table>", list("section", "box", "harbour")),
        "<h1>An essay</h1><p>Of one long thought that repeats nothing at all.</p>".to_owned(),
    ];
    let said = ask(&pages.each_ref().map(String::as_str));
    assert_eq!(said.clusters.len(), 4);
    let counts: Vec<usize> = said
        .records
        .iter()
        .map(|page| page.regions.first().map_or(0, |region| region.records.len()))
        .collect();
    assert_eq!(counts, [7, 7, 7, 0]);
    let forms: Vec<usize> = said.forms.iter().map(|page| page.forms.len()).collect();
    assert_eq!(forms, [1, 0, 0, 0]);
}

#[test]
fn a_page_of_50_megabytes() {
    let mut html = format!("{SEARCH}<table>");
    let words = "granite basalt and marble from quarries near the river ".repeat(8);
    let mut n = 0;
    while html.len() < 50 << 20 {
        write!(html, "<tr><td><a href='/{n}'>Stone {n}</a></td><td>{words}{n}</td></tr>")
            .expect("a string takes everything");
        n += 1;
    }
    let said = ask(&[&html]);
    assert!(said.documents[0].cut().bytes, "16 MiB are read");
    assert_eq!(said.clusters, [0]);
    let found = said.records[0].regions[0].records.len();
    assert!(found > 30_000 && found < n, "{found} of {n} records");
    assert_eq!(said.forms[0].forms[0].kind.as_str(), "search");
    assert!(explain(&said.documents[0], &said.records[0]).contains("region 1: "));
    assert!(draw(&said.documents[0], &record_frames(&said.records[0]), "", &[]).len() < 48 << 20);
}

#[test]
fn a_page_with_100_000_equal_rows() {
    let rows = "<tr><td>equal</td><td>row</td></tr>".repeat(100_000);
    let said = ask(&[&format!("{SEARCH}<table>{rows}</table>")]);
    assert_eq!(said.clusters, [0]);
    assert!(said.records[0].regions.is_empty(), "rows that all say the same answer nothing");
    assert_eq!(said.forms[0].forms.len(), 1);
}
