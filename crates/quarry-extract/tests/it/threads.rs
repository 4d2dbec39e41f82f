//! Do the lines of a stage depend on the number of threads, or on the order of the pages?

use quarry_dom::Document;
use quarry_extract::cluster::{ClusterConfig, PageSignature, cluster_pages};
use quarry_extract::find::{PageInput, RecordsConfig, find_records};
use quarry_extract::forms::forms_line;
use quarry_extract::lines::page_line;
use quarry_testsite::Site;
use rayon::prelude::*;
use url::Url;

use crate::probed;

/// A page: its name and its HTML.
type Page = (String, String);

/// Answers of a few generated sites, as if they were one: several templates, many pages of each.
fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    for (number, spec) in probed::specs(3).into_iter().enumerate() {
        let site = Site::generate(spec);
        for (at, answer) in probed::probe(&site, 20).into_iter().enumerate() {
            pages.push((format!("{number}/{at:03}.html"), answer.html));
        }
    }
    pages
}

fn json(line: &impl serde::Serialize) -> String {
    serde_json::to_string(line).expect("plain data becomes JSON")
}

/// The lines of all three stages, in the order of the pages.
fn lines(pages: &[Page]) -> Vec<String> {
    let documents: Vec<Document> =
        pages.par_iter().map(|(_, html)| Document::from_html(html)).collect();
    let names: Vec<String> = pages.iter().map(|(name, _)| name.clone()).collect();
    let signatures: Vec<PageSignature> = documents
        .par_iter()
        .zip(pages)
        .map(|(document, (_, html))| PageSignature::of(document, html.len()))
        .collect();
    let clusters = cluster_pages(&signatures, &ClusterConfig::default());
    let mut lines: Vec<String> = clusters.lines(&names).map(|line| json(&line)).collect();
    let inputs: Vec<PageInput<'_>> = documents
        .iter()
        .zip(&names)
        .map(|(document, id)| PageInput { id, document, cluster: None })
        .collect();
    let found = find_records(&inputs, &RecordsConfig::default());
    lines.extend(found.iter().zip(&documents).map(|(page, doc)| json(&page_line(doc, page))));
    let address = Url::parse("http://site.example/").expect("an address");
    let forms = documents.par_iter().zip(&names);
    let forms: Vec<String> =
        forms.map(|(document, name)| json(&forms_line(document, &address, name))).collect();
    lines.extend(forms);
    lines
}

#[test]
fn one_thread_or_many_give_the_same_bytes() {
    let pages = pages();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads can be started").install(|| lines(&pages))
    };
    let one = on(1);
    assert_eq!(one.len(), 3 * pages.len());
    for threads in [2, 4] {
        assert_eq!(one, on(threads), "{threads} threads");
    }
}

#[test]
fn any_order_of_pages_gives_the_same_lines() {
    let mut pages = pages();
    let mut straight = lines(&pages);
    straight.sort();
    // Every 37th page next: all pages, far from their neighbours.
    let count = pages.len();
    assert_ne!(count % 37, 0);
    pages = (0..count).map(|at| pages[at * 37 % count].clone()).collect();
    let mut mixed = lines(&pages);
    mixed.sort();
    assert_eq!(straight, mixed);
}
