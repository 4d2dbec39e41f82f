//! Harvests a site as the program does: `cargo run -p quarry-harvest --example harvest -- URL FOLDER`.

use std::error::Error;
use std::path::Path;

use quarry_fetch::{FetchSettings, HttpFetcher};
use quarry_harvest::{
    CrawlJob, Harvest, Harvested, NullObserver, PageInputs, SiteCrawl, StopSignal, report,
};
use quarry_store::{DiskEvidence, Project, StoreSettings, open_input};

/// Crawls the site into a project folder, and leaves its tables there.
pub(crate) fn harvest(url: &str, folder: &Path) -> Result<Harvested, Box<dyn Error>> {
    let host = url::Url::parse(url)?.host_str().map(str::to_owned);
    let allowed_private_hosts = host.into_iter().collect();
    let fetcher = HttpFetcher::new(FetchSettings { allowed_private_hosts, ..Default::default() })?;
    let store = Project::create_or_open(folder, &StoreSettings::default())?;
    let job = CrawlJob::new(vec![url.to_owned()]);
    let mut site = SiteCrawl { name: url.to_owned(), job, store, fetcher };
    let crawl = site.run(&StopSignal::default(), &mut NullObserver)?;
    let pages = vec![PageInputs::new(open_input(&[folder.to_owned()], None)?)];
    let harvest = Harvest { pages, crawls: vec![crawl], ..Harvest::default() };
    let mut evidence = DiskEvidence::create(&folder.join("evidence"), 128 << 20)?;
    Ok(harvest.run(&mut site.store, &mut evidence, &mut NullObserver)?)
}

#[allow(dead_code, clippy::print_stdout, reason = "a test includes this file; an example prints")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("give an address and a folder".into());
    };
    for (site, fit) in harvest(&url, Path::new(&folder))?.sites {
        println!("{}", report::site_line(&site, &fit));
    }
    Ok(())
}
