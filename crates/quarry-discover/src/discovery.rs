//! The loop of a discovery: rounds of search, backlinks, ranking and filters, over ports.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::spec::{IdKind, ProductId};
use quarry_model::{LinkProvider, PortError, ProviderError, SearchProvider, site_of};

use crate::home::{HomePage, HomeVerdict, is_same_home};
use crate::ids::{next_ids, query_of};
use crate::in_site::{CategoryFacts, InSiteVerdict, MIN_PAGES, comparable, judge};
use crate::page::ProductPage;
use crate::rank::{RankMethod, RankedSite, forward_scores, hub_scores, merge, search_scores};
use crate::state::{DiscoveryState, KnownSite, SiteCandidate, SiteLine, WebFacts};

/// How a discovery goes about it.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscoverConfig {
    /// How candidates are ranked. Default: by the intersection, the paper's best (§5.1).
    pub method: RankMethod,
    /// Sites K that are judged in a round. Default 10, as in the paper's Figures 8 and 9.
    pub top: usize,
    /// Sites that should print an id before it is searched for. Default 4 (§5.1, "minimal redundancy").
    pub tau: usize,
    /// Ids that are searched for in a round. Default 40.
    pub queries_per_round: usize,
    /// Results of a query, at most. Default 250 (§5.1).
    pub results: usize,
    /// Backlinks of a site, at most. Default 250 (§5.1).
    pub backlinks: usize,
    /// Links of a hub that are followed, at most. Default 1,000.
    pub links_of_hub: usize,
    /// Hubs that are asked for their links in a round, the best first, at most. Default 500.
    pub hubs: usize,
    /// Whether home pages are filtered. Default: yes.
    pub home_page_filter: bool,
    /// Whether sites are filtered by what is inside. Default: yes.
    pub in_site_filter: bool,
    /// Sites that are looked at side by side. Default 4; the state is kept after each such group.
    pub parallel: usize,
    /// Result pages of a site that are looked at first. Default 3.
    pub hits_per_site: usize,
    /// Requests to sites in all, at most. Default 100,000.
    pub max_site_requests: u64,
}

impl Default for DiscoverConfig {
    fn default() -> Self {
        Self {
            method: RankMethod::Intersection,
            top: 10,
            tau: 4,
            queries_per_round: 40,
            results: 250,
            backlinks: 250,
            links_of_hub: 1_000,
            hubs: 500,
            home_page_filter: true,
            in_site_filter: true,
            parallel: 4,
            hits_per_site: 3,
            max_site_requests: 100_000,
        }
    }
}

/// A site to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteLookup {
    /// The site.
    pub site: String,
    /// The address of its home page, where it is known.
    pub url: Option<String>,
    /// Pages of it that a search returned.
    pub hits: Vec<String>,
}

/// What came of looking at a site's home page or into a site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteFacts {
    /// The address of its home page.
    pub url: String,
    /// The home page, where it could be had.
    pub home: Option<HomePage>,
    /// Its product pages.
    pub products: Vec<ProductPage>,
    /// Pages that were looked at.
    pub pages: u64,
    /// Requests that were sent.
    pub requests: u64,
    /// Why nothing could be had, if so.
    pub failure: Option<String>,
}

/// The port to the sites themselves.
pub trait SiteSource {
    /// Fetches home pages. The answers come in the order of the requests.
    fn home_pages(&mut self, sites: &[SiteLookup]) -> Vec<SiteFacts>;

    /// Crawls a part of each site and reads its product pages. The answers come in the order of the requests.
    fn examine(&mut self, sites: &[SiteLookup]) -> Vec<SiteFacts>;
}

/// What has changed and should be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// What providers said.
    Web,
    /// What was found out about sites.
    Sites,
}

/// The outside of a discovery.
pub struct DiscoveryPorts<'a, 'p> {
    /// Search engines; a query goes to each.
    pub search: &'a mut [Box<dyn SearchProvider + 'p>],
    /// Link graphs; a site is looked up in each.
    pub links: &'a mut [Box<dyn LinkProvider + 'p>],
    /// The sites.
    pub sites: &'a mut dyn SiteSource,
    /// Is told when something should be kept.
    pub keep: &'a mut dyn FnMut(&SiteDiscovery, Kept) -> Result<(), PortError>,
    /// Whether to stop as soon as possible.
    pub stopped: &'a dyn Fn() -> bool,
}

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundEnd {
    /// All its candidates were judged.
    Over,
    /// There are no candidates left.
    NoCandidates,
    /// The requests to sites are used up.
    Budget,
    /// It was told to stop; the same call goes on.
    Stopped,
}

/// Why a discovery could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoverError {
    /// A provider could not answer.
    #[error("{0}")]
    Provider(#[from] ProviderError),
    /// The state could not be kept.
    #[error("cannot keep what was discovered: {0}")]
    Keep(#[from] PortError),
    /// No seed has a product page.
    #[error(
        "none of the sites to begin with has specifications that can be read; name other sites, or give ids with --ids"
    )]
    NoSeeds,
}

/// A discovery with its state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteDiscovery {
    /// What is known of sites.
    pub state: DiscoveryState,
    /// What providers said.
    pub web: WebFacts,
}

/// Sites that are judged again after each round, at most: their product pages are kept.
const MAX_JUDGED_AGAIN: usize = 500;
/// Ids and hubs that a line names.
const NAMED_VOTERS: usize = 5;

impl SiteDiscovery {
    /// Adds a seed: a site that is relevant because the user says so. Of a site with pages of several categories only
    /// those count that have a word of the category, if there are any.
    pub fn add_seed(&mut self, site: &str, facts: &SiteFacts) {
        let category: Vec<String> =
            self.state.category.iter().flat_map(|name| crate::home::category_words(name)).collect();
        let is_named = |page: &&ProductPage| {
            let words = page.terms.iter().filter_map(|term| term.strip_prefix("word "));
            words.into_iter().any(|word| crate::home::is_of_category(word, &category))
        };
        let mut pages: Vec<&ProductPage> = facts.products.iter().filter(is_named).collect();
        if pages.len() < crate::in_site::MIN_PAGES {
            pages = facts.products.iter().collect();
        }
        self.add_known(site, &facts.url, 0, facts.home.as_ref(), &pages);
        if let Some(home) = &facts.home
            && !pages.is_empty()
        {
            self.state.filter.learn(home, true, false);
        }
        self.state.site_requests += facts.requests;
    }

    fn add_known(
        &mut self,
        site: &str,
        url: &str,
        round: u32,
        home: Option<&HomePage>,
        pages: &[&ProductPage],
    ) {
        let ids: BTreeSet<ProductId> = pages.iter().flat_map(|page| page.ids.clone()).collect();
        let fingerprints = pages.iter().map(|page| page.fingerprint).collect();
        self.state.vocabulary.add(true, pages.iter().copied());
        let (ids, url) = (ids.into_iter().collect(), url.to_owned());
        let home_links = home.map(|home| home.links.clone()).unwrap_or_default();
        let known = KnownSite { url, round, ids, fingerprints, home_links };
        self.state.known.insert(site.to_owned(), known);
    }

    /// The known site that has this home page, too.
    fn same_home(&self, home: Option<&HomePage>) -> Option<&str> {
        let home = home?;
        let is_same = |known: &KnownSite| is_same_home(&known.home_links, &home.links);
        self.state.known.iter().find(|(_, known)| is_same(known)).map(|(site, _)| site.as_str())
    }

    /// The relevant sites that were found, in the order in which they were.
    pub fn found(&self) -> impl Iterator<Item = &SiteLine> {
        self.state.judged.iter().filter(|line| line.relevant)
    }

    /// Runs one round, or what is left of it.
    ///
    /// # Errors
    /// When a provider or the keeping fails; what was found out until then is kept.
    pub fn run_round(
        &mut self,
        config: &DiscoverConfig,
        ports: &mut DiscoveryPorts<'_, '_>,
    ) -> Result<RoundEnd, DiscoverError> {
        if self.state.pending.is_empty() {
            if self.state.known.is_empty() && self.state.given_ids.is_empty() {
                return Err(DiscoverError::NoSeeds);
            }
            if !self.ask_providers(config, ports)? {
                return Ok(RoundEnd::Stopped);
            }
            let mut ranked = self.rank(config);
            ranked.truncate(config.top);
            if ranked.is_empty() {
                return Ok(RoundEnd::NoCandidates);
            }
            let candidate = |RankedSite { site, score, search, backlinks }| SiteCandidate {
                site,
                score,
                search,
                backlinks,
            };
            self.state.round += 1;
            self.state.pending = ranked.into_iter().map(candidate).collect();
            (ports.keep)(self, Kept::Sites)?;
        }
        while !self.state.pending.is_empty() {
            if (ports.stopped)() {
                return Ok(RoundEnd::Stopped);
            }
            if self.state.site_requests >= config.max_site_requests {
                return Ok(RoundEnd::Budget);
            }
            let many = config.parallel.max(1).min(self.state.pending.len());
            let group: Vec<SiteCandidate> = self.state.pending[..many].to_vec();
            let Some(lines) = self.judge_group(config, &group, ports) else {
                return Ok(RoundEnd::Stopped);
            };
            self.state.pending.drain(..many);
            self.state.judged.extend(lines);
            if self.state.pending.is_empty() {
                self.judge_undecided();
            }
            (ports.keep)(self, Kept::Sites)?;
        }
        Ok(RoundEnd::Over)
    }

    /// Asks for what is not known yet; false where it was told to stop.
    fn ask_providers(
        &mut self,
        config: &DiscoverConfig,
        ports: &mut DiscoveryPorts<'_, '_>,
    ) -> Result<bool, DiscoverError> {
        if config.method != RankMethod::Backlinks && !ports.search.is_empty() {
            let queries = self.next_queries(config);
            let batch = ports.search.iter().map(|p| p.batch()).min().unwrap_or(1).max(1);
            for group in queries.chunks(batch) {
                if (ports.stopped)() {
                    return Ok(false);
                }
                let mut found: Vec<BTreeMap<String, String>> = vec![BTreeMap::new(); group.len()];
                for provider in ports.search.iter_mut() {
                    let answers = provider.search(group, config.results)?;
                    for (sites, urls) in found.iter_mut().zip(answers) {
                        for url in urls {
                            if let Some(site) = site_of(&url) {
                                sites.entry(site).or_insert(url);
                            }
                        }
                    }
                }
                let answers = found.into_iter().map(|sites| sites.into_values().collect());
                self.web.searched.extend(group.iter().cloned().zip(answers));
                (ports.keep)(self, Kept::Web)?;
            }
        }
        if config.method != RankMethod::Search && !ports.links.is_empty() {
            self.ask_links(config, ports)?;
        }
        Ok(!(ports.stopped)())
    }

    fn next_queries(&self, config: &DiscoverConfig) -> Vec<String> {
        let searched: BTreeSet<String> = self.web.searched.keys().cloned().collect();
        let known = self.state.known.values().map(|site| site.ids.as_slice());
        let given = std::iter::once(self.state.given_ids.as_slice());
        let ids = next_ids(known.chain(given), &searched, config.tau, config.queries_per_round);
        ids.iter().map(|(id, _)| query_of(id)).collect()
    }

    fn ask_links(
        &mut self,
        config: &DiscoverConfig,
        ports: &mut DiscoveryPorts<'_, '_>,
    ) -> Result<(), DiscoverError> {
        let known = self.state.known.keys();
        let new: Vec<String> =
            known.filter(|site| !self.web.backlinks.contains_key(*site)).cloned().collect();
        if !new.is_empty() {
            let mut found: Vec<BTreeSet<String>> = vec![BTreeSet::new(); new.len()];
            for provider in ports.links.iter_mut() {
                let answers = provider.backlinks(&new, config.backlinks)?;
                found.iter_mut().zip(answers).for_each(|(all, hubs)| all.extend(hubs));
            }
            let found = found.into_iter().map(|hubs| hubs.into_iter().collect());
            self.web.backlinks.extend(new.into_iter().zip(found));
        }
        let mut hubs: Vec<(String, f64)> = self.hub_scores().into_iter().collect();
        hubs.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        hubs.truncate(config.hubs);
        let new: Vec<String> = hubs
            .into_iter()
            .map(|(hub, _)| hub)
            .filter(|hub| !self.web.forward.contains_key(hub))
            .collect();
        if !new.is_empty() {
            let mut found: Vec<BTreeSet<String>> = vec![BTreeSet::new(); new.len()];
            for provider in ports.links.iter_mut() {
                let answers = provider.forward_links(&new, config.links_of_hub)?;
                found.iter_mut().zip(answers).for_each(|(all, sites)| all.extend(sites));
            }
            let found = found.into_iter().map(|sites| sites.into_iter().collect());
            self.web.forward.extend(new.into_iter().zip(found));
            (ports.keep)(self, Kept::Web)?;
        }
        Ok(())
    }

    /// Hubs by the known sites that they link to. Those of a single known site are pruned once there are a few (§3.1.2).
    fn hub_scores(&self) -> BTreeMap<String, f64> {
        /// Known sites from which on a hub should link to two of them.
        const SEVERAL: usize = 4;
        let known: BTreeSet<&str> = self.state.known.keys().map(String::as_str).collect();
        let min_sites = if known.len() < SEVERAL { 1 } else { 2 };
        hub_scores(&self.web.backlinks, &known, min_sites)
    }

    /// The candidates, best first: neither known nor judged yet.
    #[must_use]
    pub fn rank(&self, config: &DiscoverConfig) -> Vec<RankedSite> {
        let mut done: BTreeSet<&str> = self.state.known.keys().map(String::as_str).collect();
        done.extend(self.state.judged.iter().map(|line| line.site.as_str()));
        let skip = |site: &str| done.contains(site);
        let sites = |urls: &Vec<String>| urls.iter().filter_map(|url| site_of(url)).collect();
        let answers: Vec<BTreeSet<String>> = self.web.searched.values().map(sites).collect();
        let search = search_scores(answers.iter(), &skip);
        let links = forward_scores(&self.hub_scores(), &self.web.forward, &skip);
        merge(config.method, &search, &links)
    }

    /// Passes a group of candidates through the filters, side by side. `None` where it was told to stop meanwhile: what
    /// came is not whole.
    fn judge_group(
        &mut self,
        config: &DiscoverConfig,
        group: &[SiteCandidate],
        ports: &mut DiscoveryPorts<'_, '_>,
    ) -> Option<Vec<SiteLine>> {
        let requests: Vec<SiteLookup> =
            group.iter().map(|candidate| self.request(config, candidate)).collect();
        let homes = ports.sites.home_pages(&requests);
        if (ports.stopped)() {
            return None;
        }
        let filter_before = self.state.filter.clone();
        let verdicts: Vec<Option<HomeVerdict>> =
            homes.iter().map(|facts| Some(self.state.filter.judge(facts.home.as_ref()?))).collect();
        let passes = |verdict: &Option<HomeVerdict>| {
            verdict.is_some_and(|verdict| verdict.passes || !config.home_page_filter)
        };
        // A copy is known by its home page: nothing else of it is asked for.
        let is_copy = |home: &SiteFacts| {
            config.in_site_filter && self.same_home(home.home.as_ref()).is_some()
        };
        let is_examined: Vec<bool> = homes
            .iter()
            .zip(&verdicts)
            .map(|(home, verdict)| passes(verdict) && !is_copy(home))
            .collect();
        let inside: Vec<SiteLookup> = requests
            .into_iter()
            .zip(&homes)
            .zip(&is_examined)
            .filter(|(_, is_examined)| **is_examined)
            .map(|((request, facts), _)| SiteLookup { url: Some(facts.url.clone()), ..request })
            .collect();
        let mut examined = ports.sites.examine(&inside).into_iter();
        if (ports.stopped)() {
            self.state.filter = filter_before;
            return None;
        }
        let mut lines = Vec::new();
        for (at, (candidate, home)) in group.iter().zip(&homes).enumerate() {
            self.state.site_requests += home.requests;
            let mut line = self.line(candidate, home, verdicts[at]);
            let facts = if is_examined[at] { examined.next() } else { None };
            self.state.site_requests += facts.as_ref().map_or(0, |facts| facts.requests);
            let page = home.home.as_ref();
            // One of the same group may be the original.
            let original = self.same_home(page).filter(|_| config.in_site_filter);
            lines.push(match (original, facts) {
                (Some(original), _) if passes(&verdicts[at]) => {
                    line.reason += &format!("; its home page is that of {original}: a copy");
                    line.in_site = Some(false);
                    line
                }
                (_, Some(facts)) => self.look_inside(config, line, &facts, page.zip(verdicts[at])),
                _ => line,
            });
        }
        Some(lines)
    }

    fn request(&self, config: &DiscoverConfig, candidate: &SiteCandidate) -> SiteLookup {
        let of_site = |url: &&String| site_of(url).as_deref() == Some(&candidate.site);
        let mut hits: Vec<String> =
            self.web.searched.values().flatten().filter(of_site).cloned().collect();
        hits.sort();
        hits.dedup();
        hits.truncate(config.hits_per_site);
        let root = |url: &String| {
            let scheme = url.split_once("://")?.0;
            let host = url.split("://").nth(1)?.split(['/', '?', '#']).next()?;
            Some(format!("{scheme}://{host}/"))
        };
        let url = hits.first().and_then(root);
        SiteLookup { site: candidate.site.clone(), url, hits }
    }

    /// The line of a candidate as far as its home page says.
    fn line(
        &self,
        candidate: &SiteCandidate,
        home: &SiteFacts,
        verdict: Option<HomeVerdict>,
    ) -> SiteLine {
        let SiteCandidate { site, score, search, backlinks } = candidate.clone();
        let leads = |urls: &Vec<String>| {
            urls.iter().any(|url| site_of(url).as_deref() == Some(site.as_str()))
        };
        let searched = self.web.searched.iter().filter(|(_, urls)| leads(urls));
        let ids: Vec<String> = searched.map(|(query, _)| query.clone()).collect();
        let scores = self.hub_scores();
        let linking =
            |hub: &&String| self.web.forward.get(*hub).is_some_and(|sites| sites.contains(&site));
        let hubs: Vec<String> = scores.keys().filter(linking).cloned().collect();
        let mut reason = voters(ids.len(), self.web.searched.len(), hubs.len());
        match verdict {
            Some(verdict) if verdict.passes => {}
            Some(verdict) => {
                let words = home.home.iter().flat_map(|page| self.state.filter.explain(page, 3));
                let words: Vec<String> = words
                    .filter(|(_, part)| *part < 0.0)
                    .map(|(name, _)| name.to_owned())
                    .collect();
                reason += &format!("; stopped by its home page ({:.2}", verdict.probability);
                if !words.is_empty() {
                    reason += &format!(": {}", words.join(", "));
                }
                reason.push(')');
            }
            None => {
                let why = home.failure.as_deref().unwrap_or("no page");
                reason += &format!("; its home page could not be had: {why}");
            }
        }
        SiteLine {
            site,
            score,
            search,
            backlinks,
            home_page: verdict.map(|verdict| verdict.probability),
            in_site: None,
            round: self.state.round,
            reason,
            relevant: false,
            url: home.url.clone(),
            ids: ids.into_iter().take(NAMED_VOTERS).collect(),
            hubs: hubs.into_iter().take(NAMED_VOTERS).collect(),
            pages: (home.pages, 0),
        }
    }

    /// Judges what is inside a site, and learns from it.
    fn look_inside(
        &mut self,
        config: &DiscoverConfig,
        mut line: SiteLine,
        facts: &SiteFacts,
        home: Option<(&HomePage, HomeVerdict)>,
    ) -> SiteLine {
        let products = &facts.products;
        let verdict = self.judge_products(products);
        line.in_site = Some(verdict.is_relevant);
        line.pages = (facts.pages, verdict.matching.len() as u64);
        line.reason += &format!("; {}", inside(products.len(), &verdict, facts));
        line.relevant = verdict.is_relevant || !config.in_site_filter;
        if let Some((page, by_home)) = home
            && config.in_site_filter
            && !verdict.is_undecided
        {
            self.state.filter.learn(page, verdict.is_relevant, by_home.is_audit);
        }
        if line.relevant {
            let every: Vec<usize> = (0..products.len()).collect();
            let which = if config.in_site_filter { &verdict.matching } else { &every };
            let pages: Vec<&ProductPage> = which.iter().map(|&at| &products[at]).collect();
            let home = home.map(|(page, _)| page);
            self.add_known(&line.site, &line.url, line.round, home, &pages);
        } else if !products.is_empty() && verdict.copy_of.is_none() {
            self.state.vocabulary.add(false, products.iter());
            let again = &self.state.undecided;
            if products.len() >= MIN_PAGES && again.len() < MAX_JUDGED_AGAIN {
                self.state.undecided.insert(line.site.clone(), products.clone());
            }
        }
        line
    }

    /// Whether product pages are those of a relevant site, by what is known so far.
    #[must_use]
    pub fn judges(&self, products: &[ProductPage]) -> bool {
        self.judge_products(products).is_relevant
    }

    fn judge_products(&self, products: &[ProductPage]) -> InSiteVerdict {
        let known = self.state.known.values().flat_map(|site| &site.ids);
        let ids: BTreeSet<(IdKind, String)> =
            known.chain(&self.state.given_ids).map(comparable).collect();
        let fingerprints: BTreeMap<String, BTreeSet<u64>> = self
            .state
            .known
            .iter()
            .map(|(site, facts)| (site.clone(), facts.fingerprints.clone()))
            .collect();
        let vocabulary = &self.state.vocabulary;
        judge(products, &CategoryFacts { ids: &ids, vocabulary, fingerprints: &fingerprints })
    }

    /// Judges the sites again that were not relevant by what was known when they came, each without what it said itself.
    fn judge_undecided(&mut self) {
        if !self.state.vocabulary.is_ready() {
            return;
        }
        for (site, products) in std::mem::take(&mut self.state.undecided) {
            self.state.vocabulary.remove(false, products.iter());
            let verdict = self.judge_products(&products);
            if !verdict.is_relevant {
                self.state.vocabulary.add(false, products.iter());
                self.state.undecided.insert(site, products);
                continue;
            }
            let pages: Vec<&ProductPage> =
                verdict.matching.iter().map(|&at| &products[at]).collect();
            let Some(at) = self.state.judged.iter().position(|line| line.site == site) else {
                continue;
            };
            let line = &mut self.state.judged[at];
            line.relevant = true;
            line.in_site = Some(true);
            line.pages.1 = pages.len() as u64;
            line.reason += "; judged again: its attributes are those of the category";
            let (url, round) = (line.url.clone(), line.round);
            self.add_known(&site, &url, round, None, &pages);
        }
    }
}

fn voters(ids: usize, of_ids: usize, hubs: usize) -> String {
    match (ids, hubs) {
        (0, hubs) => format!("{hubs} hubs link to it"),
        (ids, 0) => format!("{ids} of {of_ids} ids lead to it"),
        (ids, hubs) => format!("{ids} of {of_ids} ids lead to it, {hubs} hubs link to it"),
    }
}

fn inside(products: usize, verdict: &InSiteVerdict, facts: &SiteFacts) -> String {
    let pages = facts.pages;
    if let Some(original) = &verdict.copy_of {
        return format!("a copy of {original}");
    }
    if let Some(failure) = &facts.failure {
        return format!("could not be looked into: {failure}");
    }
    match (products, verdict.matching.len()) {
        (0, _) => format!("none of {pages} pages has a specification"),
        (products, 0) => {
            format!("{products} of {pages} pages have specifications, none of this category")
        }
        (_, matching) => format!(
            "{matching} of {pages} pages have specifications of this category, {} of them known ids",
            verdict.with_known_id
        ),
    }
}
