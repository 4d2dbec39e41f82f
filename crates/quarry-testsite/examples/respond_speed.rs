//! How many list pages of 20 records does a site render per second, on one thread?
//!
//! `cargo run --release -p quarry-testsite --example respond_speed [ENTITIES]`

#![allow(clippy::print_stdout, reason = "printing is what an example is for")]

use std::time::Instant;

use quarry_testsite::{Site, SiteRequest, SiteSpec, Theme};

fn main() {
    let entities = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(2000);
    for theme in Theme::ALL {
        let start = Instant::now();
        let site = Site::generate(SiteSpec { entities, theme: *theme, ..SiteSpec::default() });
        let generated = start.elapsed();
        let root = site.page_truth(&SiteRequest::get(site.root()));
        let mut targets = vec![site.root()];
        targets.extend(root.facets.into_iter().map(|f| f.2));
        targets.extend((2..20).map(|p| format!("{}?page={p}", site.root())));
        // Once to fill the cache of answers, as the pages of a list after its first do.
        for target in &targets {
            let _ = site.respond(&SiteRequest::get(&**target));
        }
        let (mut pages, mut bytes) = (0u32, 0usize);
        let start = Instant::now();
        while start.elapsed().as_millis() < 1000 {
            for target in &targets {
                bytes += site.respond(&SiteRequest::get(&**target)).body.len();
                pages += 1;
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{theme:?}: {:.0} pages/s, {:.1} KB a page, {entities} entities generated in {:.2} s",
            f64::from(pages) / seconds,
            bytes as f64 / f64::from(pages) / 1000.0,
            generated.as_secs_f64()
        );
    }
}
