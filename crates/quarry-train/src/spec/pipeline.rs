//! Measures what `quarry specs` prints with trees that have not seen the site: detector, agreement over pages and
//! all rules together, strict pairs as `score specs` counts them.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::spec::{KnownPairs, Spec, SpecConfig, SpecPage, Trees, read_specs};
use rayon::prelude::*;

use super::data::{Page, Site, key};

/// Precision, recall and F1 of each labelled site, and their mean by data set.
pub(super) fn table<'t>(sites: &[Site], trees: impl Fn(usize) -> &'t Trees) {
    let mut means: BTreeMap<(&str, &str), Vec<[f64; 3]>> = BTreeMap::new();
    println!("what is printed, with the site left out (strict P R F1)");
    for (at, site) in sites.iter().enumerate().filter(|(_, site)| !site.weak) {
        let config = SpecConfig { trees: trees(at).clone(), ..SpecConfig::default() };
        let collection = site.collection.split(' ').next().unwrap_or_default();
        let pages: Vec<SpecPage<'_>> = site
            .pages
            .iter()
            .map(|page| SpecPage { id: &page.id, document: &page.document })
            .collect();
        let together = features(&site.pages, &read_specs(&pages, &KnownPairs::default(), &config));
        let alone: Vec<Vec<Spec>> = pages
            .par_iter()
            .flat_map(|page| {
                read_specs(std::slice::from_ref(page), &KnownPairs::default(), &config)
            })
            .collect();
        let alone = features(&site.pages, &alone);
        for (way, [p, r, f1]) in [("together", together), ("alone", alone)] {
            means.entry((collection, way)).or_default().push([p, r, f1]);
            if collection != "generated" {
                println!("  {:<40} {way:<9} P {p:.3} R {r:.3} F1 {f1:.3}", site.name);
            }
        }
    }
    for ((collection, way), sites) in means {
        let mean = |at: usize| sites.iter().map(|site| site[at]).sum::<f64>() / sites.len() as f64;
        println!("{collection:<16} {way:<9} P {:.3} R {:.3} F1 {:.3}", mean(0), mean(1), mean(2));
    }
}

fn features(pages: &[Page], found: &[Vec<Spec>]) -> [f64; 3] {
    let (mut out, mut right, mut answered, mut wanted) = (0, 0, 0, 0);
    for (page, specs) in pages.iter().zip(found).filter(|(page, _)| !page.truth.is_empty()) {
        let pairs: BTreeSet<(String, String)> = specs
            .iter()
            .flat_map(|spec| &spec.pairs)
            .map(|pair| (key(&pair.name), key(&pair.value)))
            .filter(|(name, value)| !name.is_empty() && !value.is_empty())
            .collect();
        let agrees = |(name, value): &(String, String), truth: &super::Truth| {
            truth.1 == *value && truth.0.contains(name)
        };
        out += pairs.len();
        right +=
            pairs.iter().filter(|pair| page.truth.iter().any(|truth| agrees(pair, truth))).count();
        answered +=
            page.truth.iter().filter(|truth| pairs.iter().any(|pair| agrees(pair, truth))).count();
        wanted += page.truth.len();
    }
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let (p, r) = (share(right, out), share(answered, wanted));
    [p, r, if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 }]
}
