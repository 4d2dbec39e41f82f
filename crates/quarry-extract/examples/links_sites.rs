//! How right are the links of generated sites? A table of precision and recall by preset, theme and
//! style of addresses.
//!
//! `cargo run --release -p quarry-extract --example links_sites [PAGES [SEEDS]]`

#![allow(clippy::print_stdout, missing_docs, unreachable_pub)]

#[path = "../tests/it/links_score.rs"]
mod links_score;

use links_score::{sample, score};
use quarry_testsite::{PagingStyle, Site, SiteSpec, Theme, UrlStyle};

fn main() {
    let mut args = std::env::args().skip(1);
    let pages: usize = args.next().and_then(|n| n.parse().ok()).unwrap_or(60);
    let seeds: u64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let presets = [
        "shop",
        "d1-homes",
        "d2-recipes",
        "d3-restaurants",
        "d4-shoes",
        "d5-electronics",
        "d6-phones",
        "h-tree",
        "books",
        "f1-get-form",
        "f2-post-form",
        "records",
        "traps",
    ];
    let mut specs: Vec<(String, SiteSpec)> = Vec::new();
    for preset in presets {
        for seed in 0..seeds {
            let spec = SiteSpec::preset(preset).expect("a known preset");
            let entities = spec.entities.min(400);
            specs.push((
                preset.to_owned(),
                SiteSpec { seed: spec.seed + 1000 * seed, entities, ..spec },
            ));
        }
    }
    for (at, &theme) in Theme::ALL.iter().enumerate() {
        for &urls in UrlStyle::ALL {
            let mut spec = SiteSpec {
                theme,
                urls,
                entities: 150,
                seed: 500 + at as u64,
                ..SiteSpec::preset("shop").expect("a known preset")
            };
            spec.paging.style = PagingStyle::ALL[(at + urls as usize) % PagingStyle::ALL.len()];
            spec.paging.sizes = vec![20, 40, 80];
            spec.facets.max_values = if at % 2 == 0 { 5 } else { 0 };
            spec.facets.counts = at != 2;
            spec.listing.promotions = 3;
            specs.push((format!("{theme:?} {urls:?}"), spec));
        }
    }
    let mut worst: Vec<String> = Vec::new();
    for (name, spec) in specs {
        let site = Site::generate(spec);
        let found = score(&site, &sample(&site, pages));
        let cells = found.rows.iter().map(|(what, tally, wrong)| {
            if let Some(wrong) = wrong {
                worst.push(format!("{name} {what}: {wrong}"));
            }
            format!("{what} {:.3}/{:.3}", tally.precision(), tally.recall())
        });
        println!("{name:<22} {:>4}  {}", found.pages, cells.collect::<Vec<_>>().join("  "));
    }
    for line in worst {
        println!("{}", line.chars().take(700).collect::<String>());
    }
}
