//! A discovery in a project: seeds, rounds, and what is kept after each group of sites.

use std::collections::BTreeMap;

use quarry_discover::home::HomePageFilter;
use quarry_discover::page::{SiteDocument, read_product_pages};
use quarry_discover::provider::OwnPageIndex;
use quarry_discover::{
    DiscoverConfig, DiscoverError, DiscoveryPorts, DiscoveryState, Kept, RoundEnd, STATE_VERSION,
    SiteDiscovery, SiteFacts, SiteLine, SiteLookup, SiteSource, WebFacts,
};
use quarry_dom::NodeId;
use quarry_extract::spec::ProductId;
use quarry_model::{LinkProvider, ModelStore, PageSource, PortError, SearchProvider, site_of};

use crate::HarvestError;
use crate::crawl::JobOutcome;
use crate::observer::{Observer, StopSignal};
use crate::pages::ParsedPage;

/// The file in a project that keeps what was found out about sites.
pub const STATE_FILE: &str = "discover.json";
/// The file that keeps what providers said.
pub const WEB_FILE: &str = "discover-web.json";
/// The file that keeps what the home-page filter has learned, as text: it can be given to another discovery.
pub const FILTER_FILE: &str = "discover-filter.txt";

/// What a discovery begins with.
#[derive(Debug, Clone)]
pub enum DiscoverSeed {
    /// The home page of a site that is still to be looked at.
    Url(String),
    /// A site whose pages are there.
    Pages {
        /// The address of its home page.
        url: String,
        /// Its product pages.
        facts: SiteFacts,
    },
}

/// A discovery to run.
pub struct DiscoverJob<'a> {
    /// How it goes about it.
    pub config: DiscoverConfig,
    /// Rounds in all, those of earlier runs included.
    pub rounds: u32,
    /// The name of the category.
    pub category: Option<String>,
    /// What it begins with.
    pub seeds: Vec<DiscoverSeed>,
    /// Ids of products of the category that are known beside those of the seeds.
    pub ids: Vec<ProductId>,
    /// What another discovery's filter has learned.
    pub filter: Option<HomePageFilter>,
    /// Search engines.
    pub search: Vec<Box<dyn SearchProvider + 'a>>,
    /// Link graphs.
    pub links: Vec<Box<dyn LinkProvider + 'a>>,
}

/// The product pages of sites whose pages are there, as seeds: one for each host.
#[must_use]
pub fn seed_pages(pages: &[ParsedPage]) -> Vec<DiscoverSeed> {
    let mut sites: BTreeMap<String, Vec<SiteDocument<'_>>> = BTreeMap::new();
    for page in pages.iter().filter(|page| !page.is_file) {
        if let Some(site) = site_of(page.address.as_str()) {
            let document = SiteDocument { url: &page.address, document: &page.document };
            sites.entry(site).or_default().push(document);
        }
    }
    let seed = |documents: Vec<SiteDocument<'_>>| {
        let url = documents.first().and_then(|page| page.url.join("/").ok());
        let url = url.map(|url| url.to_string()).unwrap_or_default();
        let products = read_product_pages(&documents);
        let pages = documents.len() as u64;
        let facts = SiteFacts { url: url.clone(), products, pages, ..SiteFacts::default() };
        DiscoverSeed::Pages { url, facts }
    };
    sites.into_values().map(seed).collect()
}

/// An index of pages of one's own, which answers as a search engine and a link graph.
///
/// # Errors
/// When a page cannot be read.
pub fn index_pages(name: &str, pages: &dyn PageSource) -> Result<OwnPageIndex, HarvestError> {
    let mut index = OwnPageIndex::new(name);
    for id in pages.ids() {
        let Some(page) = pages.get(id)? else { continue };
        let page = ParsedPage::parse(page);
        if !page.is_file {
            let links =
                page.document.links(&page.address).into_iter().map(|link| link.url.to_string());
            index.add(page.address.as_str(), &page.document.folded_text(NodeId::ROOT), links);
        }
    }
    Ok(index)
}

/// What a project's discovery has found so far; `None` where there was none.
///
/// # Errors
/// When it cannot be read.
pub fn read_discovered<S: ModelStore + ?Sized>(
    store: &S,
) -> Result<Option<DiscoveryState>, HarvestError> {
    let state: Option<DiscoveryState> = read(store, STATE_FILE)?;
    Ok(state.filter(|state| state.version == STATE_VERSION))
}

fn read<T: serde::de::DeserializeOwned, S: ModelStore + ?Sized>(
    store: &S,
    name: &str,
) -> Result<Option<T>, HarvestError> {
    let Some(text) = store.read_model(name)? else { return Ok(None) };
    let damaged = |source| HarvestError::Damaged {
        place: store.model_place(name),
        remedy: "delete it to discover anew",
        source,
    };
    serde_json::from_str(&text).map(Some).map_err(damaged)
}

/// Runs the rounds that are left, and says how it ended. Lines about sites go to `found` at the end: a site may be judged
/// again when more is known.
///
/// # Errors
/// When a provider or the store fails; what was found out until then is kept.
pub fn run_discovery(
    mut job: DiscoverJob<'_>,
    store: &dyn ModelStore,
    sites: &mut dyn SiteSource,
    stop: &StopSignal,
    observer: &mut dyn Observer,
    found: &mut dyn FnMut(&SiteLine),
) -> Result<JobOutcome, HarvestError> {
    let mut discovery = SiteDiscovery {
        state: read_discovered(store)?.unwrap_or_else(|| DiscoveryState {
            category: job.category.clone(),
            filter: job.filter.take().unwrap_or_default(),
            ..DiscoveryState::default()
        }),
        web: read::<WebFacts, _>(store, WEB_FILE)?.unwrap_or_default(),
    };
    let resumed = discovery.state.judged.len();
    if discovery.state.round > 0 {
        let (round, known) = (discovery.state.round, discovery.state.known.len());
        observer.line(&format!("going on after round {round}: {known} relevant sites are known"));
    }
    let mut keep = |discovery: &SiteDiscovery, what: Kept| keep(store, discovery, what);
    if !add_seeds(&mut discovery, &job, sites, stop, observer)? {
        return Ok(JobOutcome::Interrupted);
    }
    keep(&discovery, Kept::Sites)?;
    let mut shown = resumed;
    let stopped = || stop.is_stopped();
    let ending = loop {
        let is_between = discovery.state.pending.is_empty();
        if is_between && discovery.state.round >= job.rounds {
            break JobOutcome::Done;
        }
        let round = discovery.state.round + u32::from(is_between);
        observer.status(&format!("round {round}: asking who else has these products"));
        let mut ports = DiscoveryPorts {
            search: &mut job.search,
            links: &mut job.links,
            sites: &mut *sites,
            keep: &mut keep,
            stopped: &stopped,
        };
        let end = discovery.run_round(&job.config, &mut ports).map_err(failed)?;
        let judged = &discovery.state.judged[shown..];
        let (all, relevant) = (judged.len(), judged.iter().filter(|line| line.relevant).count());
        shown = discovery.state.judged.len();
        observer.line(&format!(
            "round {round}: {relevant} of {all} sites are relevant; {} known in all, {} requests to sites",
            discovery.state.known.len(),
            discovery.state.site_requests
        ));
        match end {
            RoundEnd::Over => {}
            RoundEnd::NoCandidates => {
                observer.line("no further site is named by any provider");
                break JobOutcome::Done;
            }
            RoundEnd::Budget => {
                observer.line("the requests to sites are used up; a higher --max-requests goes on");
                break JobOutcome::Done;
            }
            RoundEnd::Stopped => break JobOutcome::Interrupted,
        }
    };
    discovery.state.judged.iter().for_each(found);
    Ok(ending)
}

fn failed(error: DiscoverError) -> HarvestError {
    match error {
        DiscoverError::Keep(error) => HarvestError::Port(error),
        other => HarvestError::Port(PortError::new(other)),
    }
}

fn keep(store: &dyn ModelStore, discovery: &SiteDiscovery, what: Kept) -> Result<(), PortError> {
    let json = |text: Result<String, serde_json::Error>| text.map_err(PortError::new);
    match what {
        Kept::Web => store.write_model(WEB_FILE, &json(serde_json::to_string(&discovery.web))?),
        Kept::Sites => {
            store.write_model(FILTER_FILE, &discovery.state.filter.to_text())?;
            store.write_model(STATE_FILE, &json(serde_json::to_string(&discovery.state))?)
        }
    }
}

/// Adds the seeds that are not known yet; false where it was told to stop.
fn add_seeds(
    discovery: &mut SiteDiscovery,
    job: &DiscoverJob<'_>,
    sites: &mut dyn SiteSource,
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<bool, HarvestError> {
    discovery.state.given_ids.extend(job.ids.iter().cloned());
    discovery.state.given_ids.sort();
    discovery.state.given_ids.dedup();
    let mut fresh: Vec<SiteLookup> = Vec::new();
    for seed in &job.seeds {
        let (DiscoverSeed::Url(url) | DiscoverSeed::Pages { url, .. }) = seed;
        let Some(site) = site_of(url) else { continue };
        if discovery.state.known.contains_key(&site) {
            continue;
        }
        match seed {
            DiscoverSeed::Url(url) => {
                fresh.push(SiteLookup { site, url: Some(url.clone()), hits: Vec::new() });
            }
            DiscoverSeed::Pages { facts, .. } => discovery.add_seed(&site, facts),
        }
    }
    for group in fresh.chunks(job.config.parallel.max(1)) {
        let names: Vec<&str> = group.iter().map(|request| request.site.as_str()).collect();
        observer.status(&format!("looking at {}", names.join(", ")));
        let homes = sites.home_pages(group);
        let inside = sites.examine(group);
        if stop.is_stopped() {
            return Ok(false);
        }
        for ((request, home), facts) in group.iter().zip(homes).zip(inside) {
            let products = facts.products.len();
            let facts = SiteFacts { home: home.home, url: home.url, ..facts };
            discovery.add_seed(&request.site, &facts);
            observer.line(&format!("{}: {products} pages with specifications", request.site));
        }
    }
    let has_products = discovery.state.known.values().any(|site| !site.ids.is_empty());
    if !has_products && discovery.state.given_ids.is_empty() && !job.search.is_empty() {
        observer.line("no ids were found on the sites to begin with: only backlinks can lead on");
    }
    Ok(true)
}
