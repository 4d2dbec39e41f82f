//! How many target pages does `index` find, and which share of what it fetches are targets? Beside
//! strategy `all`, over generated shops: `cargo run --release -p quarry-crawl --example index_eval`.
//! `--each` prints a line for every shop, `--report` what the strategy says of it, `--index` leaves `all` out.
#![allow(clippy::print_stdout, clippy::unwrap_used, dead_code, unreachable_pub)]

#[path = "../tests/it/generated.rs"]
mod generated;
#[path = "../tests/it/shops.rs"]
mod shops;

use generated::Crawl;
use quarry_crawl::{IndexSettings, StrategyKind};
use quarry_testsite::{Site, SiteSpec, Theme, UrlStyle};
use shops::{Outcome, outcome, outcome_in};

/// Requests for one shop at the most: strategy `all` does not end where facets can be combined.
const MOST: usize = 1_000;

fn main() {
    let says = |flag: &str| std::env::args().any(|arg| arg == flag);
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    println!("{:<34} {:>6} {:>8} {:>7} {:>9}", "", "shops", "requests", "recall", "precision");
    for (group, specs) in groups() {
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
                if says("--report") && name == "index" {
                    println!("{:#?}", crawl.report);
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
    if only.is_none_or(|only| "categories".contains(only.as_str())) {
        categories(says("--each"), says("--report"));
    }
}

/// Shops by what they vary in, each with a name.
fn groups() -> Vec<(&'static str, Vec<(String, SiteSpec)>)> {
    let base = |seed: u64| SiteSpec { seed, entities: 200, ..SiteSpec::default() };
    let mut styles = Vec::new();
    for (n, theme) in (0..).zip(Theme::ALL) {
        for (m, urls) in (0..).zip(UrlStyle::ALL) {
            let vertical = shops::VERTICALS[((n + m) % 7) as usize];
            let spec =
                SiteSpec { theme: *theme, urls: *urls, vertical, ..base(3_000 + 10 * n + m) };
            styles.push((format!("{theme:?} {urls:?} {vertical:?}"), spec));
        }
    }
    let verticals = (0..)
        .zip(shops::VERTICALS)
        .map(|(n, vertical)| (format!("{vertical:?}"), SiteSpec { vertical, ..base(3_200 + n) }))
        .collect();
    let preset = |name: &str, entities: usize| {
        (name.to_owned(), SiteSpec { entities, ..SiteSpec::preset(name).unwrap() })
    };
    let presets =
        ["shop", "d1-homes", "d2-recipes", "d3-restaurants", "d4-shoes", "d5-electronics"]
            .into_iter()
            .chain(["h-tree", "books", "records"])
            .map(|name| preset(name, 300))
            .collect();
    let mut whole = Vec::new();
    for (n, theme) in (0..).zip(Theme::ALL) {
        let urls = UrlStyle::ALL[n % UrlStyle::ALL.len()];
        whole.push((format!("{theme:?} {urls:?}"), shops::whole_shop(*theme, urls, 300)));
    }
    vec![("whole shops", whole), ("styles", styles), ("verticals", verticals), ("presets", presets)]
}

/// One category of a whole shop at a time.
fn categories(each: bool, show: bool) {
    let mut sum = Outcome::default();
    let mut walks = 0;
    for (n, theme) in Theme::ALL.iter().enumerate() {
        let urls = UrlStyle::ALL[n % UrlStyle::ALL.len()];
        let site = Site::generate(shops::whole_shop(*theme, urls, 600));
        for (attribute, name, words) in shops::CATEGORIES {
            let settings = IndexSettings {
                category: Some(name.to_owned()),
                words: words.iter().map(|word| (*word).to_owned()).collect(),
                ..IndexSettings::default()
            };
            let mut crawl = Crawl::from(&site, "/", StrategyKind::Index(settings));
            crawl.run(MOST);
            let one = outcome_in(&site, &crawl, Some((attribute, name)));
            let shop = format!("{theme:?} {urls:?} {name}");
            if each {
                println!(
                    "  {shop:<32} {:>6} {:>8} {:>7.3} {:>9.3}",
                    one.there,
                    one.requests,
                    one.recall(),
                    one.precision()
                );
            }
            if show {
                println!("{:#?}", crawl.report);
            }
            assert_eq!(crawl.violations, [""; 0], "{shop}");
            walks += 1;
            sum += one;
        }
    }
    let label = "categories, index";
    println!(
        "{label:<34} {walks:>6} {:>8} {:>7.3} {:>9.3}",
        sum.requests,
        sum.recall(),
        sum.precision()
    );
}
