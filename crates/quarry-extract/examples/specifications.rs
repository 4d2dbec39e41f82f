//! The specifications of product pages: found on all pages of a site together, then read off a page that came later.
//!
//! `cargo run --release -p quarry-extract --example specifications`
#![allow(clippy::print_stdout)]

use std::error::Error;

use quarry_dom::Document;
use quarry_extract::spec::{
    KnownPairs, SpecConfig, SpecPage, extract_specs, learn_specs, product_ids,
};
use quarry_testsite::{Site, SiteRequest, SiteSpec};

fn main() -> Result<(), Box<dyn Error>> {
    let site = Site::generate(SiteSpec { entities: 30, ..SiteSpec::preset("shop")? });
    let pages: Vec<(String, Document)> = site
        .truth()
        .map(|product| {
            let html = site.respond(&SiteRequest::get(&*product.url)).text();
            (product.url, Document::from_html(&html))
        })
        .collect();
    let ((late, late_page), known) = pages.split_last().ok_or("the shop is empty")?;

    // Learned once: where this site keeps its specifications.
    let inputs: Vec<SpecPage<'_>> =
        known.iter().map(|(id, document)| SpecPage { id, document }).collect();
    let config = SpecConfig::default();
    let model = learn_specs(&inputs, &KnownPairs::default(), &config);

    // Read off any page of the site.
    println!("{late}");
    for spec in extract_specs(late_page, &model, &config) {
        println!("  at {} ({:.2})", late_page.xpath(spec.node), spec.score);
        for pair in &spec.pairs {
            println!("    {}: {}", pair.name, pair.value);
        }
        for id in product_ids(&spec.pairs) {
            println!("    known to the world as {:?} {}", id.kind, id.id);
        }
    }
    Ok(())
}
