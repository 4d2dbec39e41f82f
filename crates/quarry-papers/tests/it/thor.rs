//! THOR's regions on small shops.

use std::collections::BTreeSet;

use quarry_dom::Document;
use quarry_extract::cluster::PageSignature;
use quarry_extract::find::{PageInput, RecordsConfig};
use quarry_papers::thor::{ThorConfig, thor_clusters, thor_records};
use quarry_testsite::{PageClass, Site};
use rayon::prelude::*;

use crate::probed::{entropy, probe, specs};

const STONES: [&str; 7] =
    ["amber", "basalt", "cobalt", "dolomite", "emerald", "feldspar", "granite"];

/// A page as shops make them: menu, facets, eight answers, footer.
fn shop(page: usize) -> String {
    let stone = |n: usize| STONES[(page * 3 + n * 5) % STONES.len()];
    let menu: String =
        (0..14).map(|n| format!("<li><a href='/{n}'>Section {n}</a></li>")).collect();
    let facets: String = (0..9)
        .map(|n| format!("<li><a href='?f={n}'>{}</a> <span>({})</span></li>", stone(n), page + n))
        .collect();
    let answers: String = (0..8)
        .map(|n| {
            let number = page * 100 + n;
            format!(
                "<li class='hit'><h3><a href='/p/{number}'>{} {} ring {number}</a></h3><p>A {} piece with {}, \
                 number {number} of its series</p><span class='price'>${n}.99</span></li>",
                stone(n),
                stone(n + 1),
                stone(n + 2),
                stone(n + 3),
            )
        })
        .collect();
    format!(
        "<title>Stones</title><body><div class='header'><ul class='nav'>{menu}</ul></div>\
         <div class='page'><div class='sidebar'><h4>Refine by stone</h4><ul>{facets}</ul></div>\
         <div class='main'><h1>Results for query {page}</h1><ul class='hits'>{answers}</ul></div></div>\
         <div class='footer'><p>About this shop and its terms of sale</p><p>Imprint and contact</p></div>"
    )
}

#[test]
fn the_changing_part_is_found() {
    let documents: Vec<Document> = (0..4).map(|page| Document::from_html(&shop(page))).collect();
    let ids = ["0", "1", "2", "3"];
    let pages: Vec<PageInput<'_>> = ids
        .iter()
        .zip(&documents)
        .map(|(id, document)| PageInput { id, document, cluster: None })
        .collect();
    let found = thor_records(&pages, &RecordsConfig::default(), &ThorConfig::default());
    for (document, found) in documents.iter().zip(&found) {
        // The facets change from page to page, too, and the paper has nothing against them; but the
        // menu and the footer are left out, and no record is lost.
        let region = &found.regions[0];
        assert_eq!(document.xpath(region.node), "/html/body/div[2]");
        assert!(region.records.len() >= 8);
    }
}

/// The paper reports an entropy of 0.04 over 50 sites.
#[test]
fn answers_come_apart_when_the_number_of_classes_is_told() {
    let entropies: Vec<f64> = specs(18)
        .into_par_iter()
        .map(|spec| {
            let answers = probe(&Site::generate(spec), 40);
            let signature = |html: &str| PageSignature::of(&Document::from_html(html), html.len());
            let pages: Vec<PageSignature> = answers.iter().map(|a| signature(&a.html)).collect();
            let classes: Vec<PageClass> = answers.iter().map(|a| a.class).collect();
            let distinct = classes.iter().collect::<BTreeSet<_>>().len();
            let found = thor_clusters(&pages, distinct);
            let mut reversed = pages.clone();
            reversed.reverse();
            let again = thor_clusters(&reversed, distinct);
            assert_eq!(found.clusters, again.clusters, "the order of pages does not matter");
            let assigned = found.assignment.iter().copied().zip(classes.iter().copied());
            entropy(&assigned.collect::<Vec<_>>())
        })
        .collect();
    let mean = entropies.iter().sum::<f64>() / entropies.len() as f64;
    assert!(mean <= 0.08, "entropy {mean:.3}");
}
