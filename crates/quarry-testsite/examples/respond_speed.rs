//! How many list pages of 20 records does a site render per second of one core?
//!
//! `cargo run --release -p quarry-testsite --example respond_speed [ENTITIES]`

#![allow(clippy::print_stdout, reason = "printing is what an example is for")]

use std::time::Instant;

use quarry_testsite::{Site, SiteRequest, SiteSpec, Theme};

/// Seconds that this thread has had a core, where the system says so; else the time of day.
fn core_seconds(since: Instant) -> f64 {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = said.and_then(|s| s.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn main() {
    let birth = Instant::now();
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
        let (start, before) = (Instant::now(), core_seconds(birth));
        while start.elapsed().as_millis() < 1000 {
            for target in &targets {
                bytes += site.respond(&SiteRequest::get(&**target)).body.len();
                pages += 1;
            }
        }
        let seconds = core_seconds(birth) - before;
        println!(
            "{theme:?}: {:.0} pages per core-second, {:.1} KB a page, {entities} entities generated in {:.2} s",
            f64::from(pages) / seconds,
            bytes as f64 / f64::from(pages) / 1000.0,
            generated.as_secs_f64()
        );
    }
}
