//! Does every stage that reads a page come to an end on any page, and say the same twice?

use quarry_dom::{Document, Limits};
use quarry_extract::embedded::embedded_things;
use quarry_extract::find::{PageInput, RecordsConfig, find_records};
use quarry_extract::forms::forms_line;
use quarry_extract::links::read_site_links;
use quarry_extract::spec::{KnownPairs, SpecConfig, SpecPage, read_specs};
use quarry_extract::template::{TemplateConfig, learn};
use url::Url;

/// The bytes are a page; a second page of the site ends in the middle of it.
pub fn stages(data: &[u8]) {
    let limits = Limits { nodes: 5_000, ..Limits::default() };
    let parse = |bytes| Document::parse(bytes, Some("text/html; charset=utf-8"), &limits);
    let pages = [parse(data), parse(&data[..data.len() / 2])];
    let said = read(&pages);
    assert_eq!(said, read(&pages), "the same pages, read twice");
}

/// What all stages say of these pages, as text.
fn read(pages: &[Document; 2]) -> String {
    let address = Url::parse("http://fuzz.test/list?page=2").expect("an address");
    let documents: Vec<&Document> = pages.iter().collect();
    let inputs = ["one", "two"].into_iter().zip(pages);
    let inputs: Vec<PageInput<'_>> =
        inputs.map(|(id, document)| PageInput { id, document, cluster: None }).collect();
    let found = find_records(&inputs, &RecordsConfig::every_list());
    let model = learn(&documents, &found, &TemplateConfig::default());
    let linked: Vec<(&Document, &Url)> = pages.iter().map(|page| (page, &address)).collect();
    let links = read_site_links(&linked);
    let specs: Vec<SpecPage<'_>> =
        inputs.iter().map(|page| SpecPage { id: page.id, document: page.document }).collect();
    let specs = read_specs(&specs, &KnownPairs::default(), &SpecConfig::default());
    let forms = forms_line(&pages[0], &address, "one");
    let embedded: Vec<_> = pages.iter().map(embedded_things).collect();
    format!("{found:?} {model:?} {links:?} {specs:?} {forms:?} {embedded:?}")
}
