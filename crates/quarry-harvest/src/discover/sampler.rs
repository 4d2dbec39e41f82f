//! Looks at candidate sites for a discovery: home pages, and small polite crawls from category to products, several sites at
//! the same time, each as politely as alone.

use quarry_crawl::{Budget, CrawlSettings, IndexSettings, Reach, Scope, StrategyKind};
use quarry_discover::home::{category_words, read_home};
use quarry_discover::page::{SiteDocument, read_product_pages};
use quarry_discover::{SiteFacts, SiteLookup, SiteSource};
use quarry_dom::Document;
use quarry_model::Fetcher;
use url::Url;

use super::sample::{Pace, SiteSample, sample_site};
use crate::HarvestError;
use crate::observer::StopSignal;

/// How candidate sites are looked at.
#[derive(Debug, Clone)]
pub struct SampleSettings {
    /// Politeness, limits and user agent; seeds, strategy and budget are replaced.
    pub crawl: CrawlSettings,
    /// The category that is wanted.
    pub category: Option<String>,
    /// Pages of a site, at most. Default 40: two index pages and a dozen products are found within it on most shops.
    pub pages: u64,
    /// Requests to a site, at most, robots.txt and failed ones included. Default 80.
    pub requests: u64,
    /// Whether pauses are waited for.
    pub pace: Pace,
}

impl SampleSettings {
    /// The defaults, with these settings of a crawl.
    #[must_use]
    pub fn new(crawl: CrawlSettings, category: Option<String>) -> Self {
        Self { crawl, category, pages: 40, requests: 80, pace: Pace::Real }
    }

    fn crawl(&self, seeds: Vec<String>, strategy: StrategyKind, pages: u64) -> CrawlSettings {
        let scope = Scope { reach: Reach::Domain, ..self.crawl.scope.clone() };
        let budget =
            Budget { pages: Some(pages), requests: Some(self.requests), ..self.crawl.budget };
        CrawlSettings {
            seeds,
            strategy,
            scope,
            budget,
            sitemaps: false,
            probe_missing: false,
            ..self.crawl.clone()
        }
    }
}

/// Sites as a discovery looks at them. `make` gives a fetcher for the site of an address.
pub struct SiteSampler<'a, M> {
    make: M,
    settings: SampleSettings,
    stop: &'a StopSignal,
}

impl<'a, F: Fetcher, M: Fn(&str) -> Result<F, String> + Sync> SiteSampler<'a, M> {
    /// Looks at sites with fetchers of `make`.
    pub fn new(make: M, settings: SampleSettings, stop: &'a StopSignal) -> Self {
        Self { make, settings, stop }
    }

    /// The same for each site, on threads of their own.
    fn each(
        &self,
        sites: &[SiteLookup],
        look: &(dyn Fn(&SiteLookup) -> SiteFacts + Sync),
    ) -> Vec<SiteFacts> {
        if let [site] = sites {
            return vec![look(site)];
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                sites.iter().map(|site| scope.spawn(move || look(site))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, SiteFacts>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        })
    }

    fn sample(
        &self,
        seeds: Vec<String>,
        strategy: StrategyKind,
        pages: u64,
    ) -> Result<SiteSample, String> {
        let Some(first) = seeds.first() else { return Ok(SiteSample::default()) };
        let fetcher = (self.make)(first)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|source| HarvestError::Runtime { source }.to_string())?;
        let settings = self.settings.crawl(seeds, strategy, pages);
        let sampled =
            runtime.block_on(sample_site(settings, &fetcher, self.settings.pace, self.stop));
        runtime.shutdown_background();
        sampled.map_err(|error| error.to_string())
    }

    fn home_page(&self, site: &SiteLookup) -> SiteFacts {
        let addresses = match &site.url {
            Some(url) => vec![url.clone()],
            None => ["https", "http"].map(|scheme| format!("{scheme}://{}/", site.site)).to_vec(),
        };
        let words: Vec<String> =
            self.settings.category.iter().flat_map(|name| category_words(name)).collect();
        let mut facts = SiteFacts::default();
        for address in addresses {
            facts.url.clone_from(&address);
            match self.sample(vec![address], StrategyKind::SeedLinks(0), 2) {
                Ok(sample) => {
                    facts.requests += sample.requests;
                    facts.failure = sample.failure;
                    if let Some((url, document)) = sample.pages.first() {
                        facts.home = Some(read_home(document, url, &words));
                        facts.pages = 1;
                        break;
                    }
                }
                Err(why) => facts.failure = Some(why),
            }
        }
        facts
    }

    fn inside(&self, site: &SiteLookup) -> SiteFacts {
        let home = site.url.clone().unwrap_or_else(|| format!("https://{}/", site.site));
        let mut facts = SiteFacts { url: home.clone(), ..SiteFacts::default() };
        let index = StrategyKind::Index(IndexSettings {
            category: self.settings.category.clone(),
            ..IndexSettings::default()
        });
        let hits = site.hits.len() as u64;
        let looks = [
            (site.hits.clone(), StrategyKind::SeedLinks(0), hits + 1),
            (vec![home], index, self.settings.pages.saturating_sub(hits)),
        ];
        let mut pages: Vec<(Url, Document)> = Vec::new();
        for (seeds, strategy, most) in looks {
            match self.sample(seeds, strategy, most) {
                Ok(sample) => {
                    facts.requests += sample.requests;
                    facts.failure = sample.failure;
                    pages.extend(sample.pages);
                }
                Err(why) => facts.failure = Some(why),
            }
        }
        pages.sort_by(|one, other| one.0.cmp(&other.0));
        pages.dedup_by(|one, other| one.0 == other.0);
        facts.pages = pages.len() as u64;
        let documents: Vec<SiteDocument<'_>> =
            pages.iter().map(|(url, document)| SiteDocument { url, document }).collect();
        facts.products = read_product_pages(&documents);
        if facts.pages > 0 {
            facts.failure = None;
        }
        facts
    }
}

impl<F: Fetcher, M: Fn(&str) -> Result<F, String> + Sync> SiteSource for SiteSampler<'_, M> {
    fn home_pages(&mut self, sites: &[SiteLookup]) -> Vec<SiteFacts> {
        self.each(sites, &|site| self.home_page(site))
    }

    fn examine(&mut self, sites: &[SiteLookup]) -> Vec<SiteFacts> {
        self.each(sites, &|site| self.inside(site))
    }
}
