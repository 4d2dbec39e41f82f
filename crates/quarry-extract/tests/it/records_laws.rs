//! What must hold for records whatever the pages: laws, and input that nobody meant.

use proptest::prelude::*;
use quarry_dom::Document;
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, find_records};
use quarry_extract::lines::page_line;

use crate::records::{find, shop, snippet, title};

/// Everything about a page's records that can be seen.
fn shown(document: &Document, found: &PageRecords) -> String {
    let mut line = page_line(document, found);
    // Clusters are numbered over all pages; who belongs together is what counts.
    line.cluster = 0;
    serde_json::to_string(&line).expect("plain data becomes JSON")
}

fn answers(page: usize, count: usize, tag: &str) -> String {
    let record = |n: usize| {
        let (title, snippet) = (title(page, n), snippet(page, n));
        format!("<{tag} class='hit'><a href='/{page}/{n}'>{title}</a><p>{snippet}</p></{tag}>")
    };
    (0..count).map(record).collect()
}

/// A page of another make: an article.
fn article(seed: usize) -> String {
    let paragraphs: String =
        (0..7).map(|n| format!("<p class='text'>{}</p>", snippet(seed + 50, n))).collect();
    format!(
        "<html><body class='story'><article><h1>{}</h1>{paragraphs}</article></body></html>",
        title(seed, 0)
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_pages_changes_nothing(counts in prop::collection::vec(1usize..9, 1..6), turn in 0usize..6) {
        let documents: Vec<Document> = counts
            .iter()
            .enumerate()
            .map(|(page, &count)| Document::from_html(&shop(page, &answers(page, count, "div"))))
            .collect();
        let ids: Vec<String> = (0..counts.len()).map(|n| format!("{n}.html")).collect();
        let inputs: Vec<PageInput<'_>> = documents
            .iter()
            .zip(&ids)
            .map(|(document, id)| PageInput { id, document, cluster: None })
            .collect();
        let mut turned = inputs.clone();
        turned.rotate_left(turn % inputs.len());
        let config = RecordsConfig::default();
        let straight = find_records(&inputs, &config);
        let mut other = find_records(&turned, &config);
        other.rotate_right(turn % inputs.len());
        for ((document, one), other) in documents.iter().zip(&straight).zip(&other) {
            prop_assert_eq!(shown(document, one), shown(document, other));
        }
    }

    #[test]
    fn a_page_of_another_template_changes_nothing(counts in prop::collection::vec(1usize..9, 1..5), seed in 0usize..20) {
        let pages: Vec<String> = counts
            .iter()
            .enumerate()
            .map(|(page, &count)| shop(page, &format!("<ul>{}</ul>", answers(page, count, "li"))))
            .collect();
        let (documents, alone) = find(&pages, &RecordsConfig::default());
        let mut more = pages.clone();
        more.push(article(seed));
        let (_, with_another) = find(&more, &RecordsConfig::default());
        for ((document, one), other) in documents.iter().zip(&alone).zip(&with_another) {
            prop_assert_eq!(shown(document, one), shown(document, other));
        }
    }

    #[test]
    fn records_lie_in_their_region_and_apart(soup in soup()) {
        let pages = [soup.clone(), soup.repeat(2), shop(1, &soup)];
        let config = RecordsConfig { min_score: 0.0, min_other_score: 0.0, max_regions: 50, overlapping: true, ..RecordsConfig::default() };
        let (documents, found) = find(&pages, &config);
        for (document, page) in documents.iter().zip(&found) {
            for region in &page.regions {
                let mut end = 0;
                for &node in region.records.iter().flat_map(|record| &record.nodes) {
                    prop_assert!(document.contains(region.node, node) && node != region.node);
                    prop_assert!(node.0 >= end, "records overlap");
                    end = document.subtree_end(node).0;
                }
                prop_assert!(region.records.iter().all(|record| !record.nodes.is_empty()));
                prop_assert!(region.score.is_finite());
            }
        }
    }
}

/// Tag soup: tags of all kinds, opened and closed at will, with words between.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<ul>",
            "<li>",
            "</li>",
            "</ul>",
            "<table>",
            "<tr>",
            "<td>",
            "</td>",
            "</tr>",
            "</table>",
            "<div class='a'>",
            "<div class='b c'>",
            "</div>",
            "<p>",
            "</p>",
            "<dl>",
            "<dt>",
            "<dd>",
            "<a href='/x'>",
            "</a>",
            "<b>",
            "</b>",
            "<img src=x>",
            "<br>",
            "<hr>",
            "<h3>",
            "</h3>",
            "<span>",
            "</span>",
            "<select><option>",
            "<svg><text>",
            "</svg>",
            "<font>",
            "<form>",
        ])
        .prop_map(str::to_owned),
        "[a-z]{3,9} [a-z0-9]{2,9} ",
    ];
    prop::collection::vec(piece, 1..120).prop_map(|pieces| pieces.concat())
}

#[test]
fn no_pages_and_empty_pages() {
    let (_, none) = find(&[], &RecordsConfig::default());
    assert!(none.is_empty());
    let (_, empty) = find(&[String::new(), "  ".into(), "<p>".into()], &RecordsConfig::default());
    assert!(empty.iter().all(|page| page.regions.is_empty()));
}

#[test]
fn a_page_with_very_many_rows() {
    let rows: String = (0..100_000)
        .map(|n| format!("<tr><td>row number {n} of the list</td><td>{n}</td></tr>"))
        .collect();
    let (_, found) = find(&[format!("<table>{rows}</table>")], &RecordsConfig::default());
    assert_eq!(found[0].regions[0].records.len(), 100_000);
}

#[test]
fn equal_pages_and_unrelated_pages() {
    let page = shop(3, &format!("<ul>{}</ul>", answers(3, 8, "li")));
    let (_, same) = find(&[page.clone(), page.clone()], &RecordsConfig::default());
    assert_eq!(same[0].regions[0].records.len(), 8);
    let (_, mixed) =
        find(&[page, article(1), article(2), "<p>lost".into()], &RecordsConfig::default());
    assert_eq!(mixed[0].regions[0].records.len(), 8);
    assert_ne!(mixed[0].cluster, mixed[1].cluster);
    assert_eq!(mixed[1].cluster, mixed[2].cluster);
}
