//! How many requests does probing take, and which kinds of answers does it see? The paper's way
//! beside ours, over generated search sites: `cargo run --release -p quarry-crawl --example probe_eval`.
#![allow(clippy::print_stdout, clippy::unwrap_used, dead_code, unreachable_pub)]

#[path = "../tests/it/generated.rs"]
mod generated;
#[path = "../tests/it/search_sites.rs"]
mod search_sites;

use generated::Crawl;
use quarry_crawl::{ProbeSettings, StrategyKind};
use quarry_testsite::{OneMatch, PageClass, Site};

/// Sites that are asked.
const SITES: u64 = 105;

fn main() {
    println!(
        "{:<16} {:>8} {:>6} {:>6} {:>6} {:>6}",
        "", "requests", "many", "one", "none", "error"
    );
    for (name, settings) in
        [("paper", ProbeSettings::paper()), ("default", ProbeSettings::default())]
    {
        let (mut requests, mut sites, mut with_one) = (0, 0, 0);
        let mut seen = [0; 4];
        for seed in 0..SITES {
            let site = Site::generate(search_sites::spec(seed));
            let mut crawl = Crawl::new(&site, StrategyKind::Probe(settings.clone()));
            crawl.run(usize::MAX);
            requests += crawl.asked.len();
            sites += 1;
            let unique = site.search_words(1).count() >= 20;
            with_one += usize::from(unique);
            let one = match site.spec().search.one_match {
                OneMatch::Page => PageClass::OneMatch,
                OneMatch::Redirect | OneMatch::List => PageClass::Entity,
            };
            let classes = crawl.classes();
            let has = [
                classes.contains(&PageClass::List),
                unique && classes.contains(&one),
                classes.contains(&PageClass::NoMatch),
                classes.contains(&PageClass::Error),
            ];
            for (count, has) in seen.iter_mut().zip(has) {
                *count += usize::from(has);
            }
        }
        let share = |at: usize| {
            let of = if at == 1 { with_one } else { sites };
            format!("{:.2}", seen[at] as f64 / of as f64)
        };
        println!(
            "{name:<16} {:>8.1} {:>6} {:>6} {:>6} {:>6}",
            requests as f64 / sites as f64,
            share(0),
            share(1),
            share(2),
            share(3)
        );
    }
}
