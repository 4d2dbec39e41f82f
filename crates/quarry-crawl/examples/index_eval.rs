//! How many target pages does `index` find, and which share of what it fetches are targets? Beside
//! strategy `all`, over generated shops: `cargo run --release -p quarry-crawl --example index_eval`.
//! `--each` prints a line for every shop, `--account` what the strategy says of it, `--index` leaves `all` out.
#![allow(clippy::print_stdout, clippy::unwrap_used, dead_code, unreachable_pub)]

#[path = "../tests/it/generated.rs"]
mod generated;
#[path = "../tests/it/shops.rs"]
mod shops;

use generated::Crawl;
use quarry_crawl::{IndexSettings, StrategyKind};
use quarry_testsite::Site;
use shops::{Outcome, outcome};

/// Requests for one shop at the most: strategy `all` does not end where facets can be combined.
const MOST: usize = 1_000;

fn main() {
    let says = |flag: &str| std::env::args().any(|arg| arg == flag);
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    println!("{:<34} {:>6} {:>8} {:>7} {:>9}", "", "shops", "requests", "recall", "precision");
    for (group, specs) in shops::groups() {
        if only.as_ref().is_some_and(|only| !group.contains(only.as_str())) {
            continue;
        }
        for (name, strategy) in
            [("all", StrategyKind::All), ("index", StrategyKind::Index(IndexSettings::default()))]
        {
            if says("--index") && name == "all" {
                continue;
            }
            let mut sum = Outcome::default();
            for (shop, spec) in &specs {
                let site = Site::generate(spec.clone());
                let mut crawl = Crawl::from(&site, "/", strategy.clone());
                crawl.run(MOST);
                let one = outcome(&site, &crawl);
                if says("--each") && name == "index" {
                    println!(
                        "  {shop:<32} {:>15} {:>7.3} {:>9.3}",
                        one.requests,
                        one.recall(),
                        one.precision()
                    );
                }
                if says("--account") && name == "index" {
                    println!("{:#?}", crawl.account);
                }
                assert_eq!(crawl.violations, [""; 0], "{shop}");
                sum += one;
            }
            let label = format!("{group}, {name}");
            println!(
                "{label:<34} {:>6} {:>8} {:>7.3} {:>9.3}",
                specs.len(),
                sum.requests,
                sum.recall(),
                sum.precision()
            );
        }
    }
}
