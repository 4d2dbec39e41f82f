//! `quarry discover`: finds further sites with the same kind of data, and says of each why.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use quarry_discover::home::HomePageFilter;
use quarry_discover::{DiscoverConfig, SiteLine};
use quarry_extract::spec::{IdKind, ProductId, product_id};
use quarry_fetch::{FetchSettings, HttpFetcher};
use quarry_harvest::discover::{
    DiscoverJob, DiscoverSeed, SampleSettings, SiteSampler, run_discovery, seed_pages,
};
use quarry_harvest::text::shorten;
use quarry_harvest::{JobOutcome, Observer};
use quarry_store::{Project, StoreSettings};

use crate::args::{DiscoverArgs, Global, LineFormat};
use crate::config::Layer;
use crate::interrupt;
use crate::job::{Job, providers};
use crate::printer::Printer;
use crate::screen::Screen;
use crate::stage::read_pages;

pub(crate) fn run(
    global: &Global,
    args: &DiscoverArgs,
    printer: &mut Printer,
) -> Result<JobOutcome> {
    let mut screen = Screen::new(global);
    let (folders, urls): (Vec<String>, Vec<String>) =
        args.from.iter().cloned().partition(|from| Path::new(from).exists());
    let mut seeds: Vec<DiscoverSeed> = urls.into_iter().map(DiscoverSeed::Url).collect();
    for folder in &folders {
        let found = seed_pages(&read_pages(&[PathBuf::from(folder)], None)?);
        if found.is_empty() {
            bail!("'{folder}' has no pages with addresses; name a project, WARC files or a site");
        }
        seeds.extend(found);
    }
    let named =
        seeds.iter().map(|(DiscoverSeed::Url(url) | DiscoverSeed::Pages { url, .. })| url.clone());
    let layers = (Layer::default(), args.settings.clone());
    let (job, _) = Job::new(global, args.project.clone(), named.collect(), layers, Vec::new())?;
    let (crawl, fetch) = (job.crawl_job()?, job.fetch_settings()?);
    let stop = interrupt::listen()?;
    let project = Project::create_or_open(&args.project, &StoreSettings::default())?;
    let opened = providers::open(&args.provider, &fetch, &project, &stop)?;
    let category = crawl.index.category.clone();
    let filter = args.filter.as_deref().map(read_filter).transpose()?;
    let config = DiscoverConfig {
        method: args.method.ranking(),
        top: args.top,
        tau: args.tau,
        max_site_requests: match job.settings.max_requests {
            0 => DiscoverConfig::default().max_site_requests,
            most => most,
        },
        ..DiscoverConfig::default()
    };
    let settings = SampleSettings {
        pages: args.site_pages,
        requests: args.site_pages * 2,
        ..SampleSettings::new(crawl.settings, category.clone())
    };
    // A site that is discovered was named by nobody: the guard keeps it off private addresses.
    let make = |_: &str| {
        let settings = FetchSettings { headers: Vec::new(), ..fetch.clone() };
        HttpFetcher::new(settings).map_err(|error| error.to_string())
    };
    let mut sites = SiteSampler::new(make, settings, &stop);
    let ids = args.ids.as_deref().map(read_ids).transpose()?.unwrap_or_default();
    let (search, links) = (opened.search, opened.links);
    let work =
        DiscoverJob { config, rounds: args.rounds, category, seeds, ids, filter, search, links };
    let as_table = match args.format {
        Some(format) => format == LineFormat::Table,
        None => printer.is_terminal(),
    };
    let (mut rows, mut failed) = (Vec::new(), None);
    let mut show = |line: &SiteLine| {
        if !(line.relevant || args.all) {
            return;
        }
        if as_table {
            rows.push(row(line));
        } else if let Err(error) = printer.json(line) {
            failed = Some(error);
        }
    };
    let ending = run_discovery(work, &project, &mut sites, &stop, &mut screen, &mut show);
    screen.finish();
    if let Some(error) = failed {
        return Err(error).context("cannot print the sites");
    }
    if as_table {
        let names =
            ["site", "score", "search", "backlinks", "home page", "in site", "round", "reason"];
        printer.table(&names, &[1, 2, 3, 4, 6], rows)?;
    }
    ending.context(
        "the discovery could not go on; what was found is kept, and the same command goes on",
    )
}

fn row(line: &SiteLine) -> Vec<String> {
    let share =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    vec![
        line.site.clone(),
        format!("{:.2}", line.score),
        share(line.search),
        share(line.backlinks),
        share(line.home_page),
        line.in_site.map_or("–", |yes| if yes { "yes" } else { "no" }).to_owned(),
        line.round.to_string(),
        shorten(&line.reason, 160),
    ]
}

fn read_filter(path: &Path) -> Result<HomePageFilter> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the filter {}", path.display()))?;
    HomePageFilter::from_text(&text).with_context(|| format!("cannot use {}", path.display()))
}

/// Ids of products, one a line: what has a right check digit is a GTIN, the rest are numbers of makers.
fn read_ids(path: &Path) -> Result<Vec<ProductId>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the ids in {}", path.display()))?;
    let id = |line: &str| {
        product_id("gtin", line)
            .unwrap_or_else(|| ProductId { kind: IdKind::Mpn, id: line.to_owned() })
    };
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(id).collect())
}
