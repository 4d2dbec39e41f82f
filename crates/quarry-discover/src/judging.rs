//! Passes candidates through the home-page filter and the in-site filter, and learns from what is inside (DEXTER §3.1.3).

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::spec::IdKind;
use quarry_model::site_of;

use crate::config::DiscoverConfig;
use crate::discovery::SiteDiscovery;
use crate::explain::found_inside;
use crate::home::{HomePage, HomeVerdict};
use crate::in_site::{CategoryFacts, InSiteVerdict, MIN_PAGES, comparable, judge};
use crate::page::ProductPage;
use crate::ports::{DiscoveryPorts, SiteFacts, SiteLookup};
use crate::state::{SiteCandidate, SiteLine};

/// Sites that are judged again after each round, at most: their product pages are kept.
const MAX_JUDGED_AGAIN: usize = 500;

impl SiteDiscovery {
    /// Passes a group of candidates through the filters, side by side. False where it was told to stop meanwhile: what
    /// came is not whole, and nothing was judged.
    pub(crate) fn judge_group(
        &mut self,
        config: &DiscoverConfig,
        group: &[SiteCandidate],
        ports: &mut DiscoveryPorts<'_, '_>,
    ) -> bool {
        let requests: Vec<SiteLookup> =
            group.iter().map(|candidate| self.request(config, candidate)).collect();
        let homes = ports.sites.home_pages(&requests);
        if (ports.stopped)() {
            return false;
        }
        let filter_before = self.state.filter.clone();
        let verdicts: Vec<Option<HomeVerdict>> = homes
            .iter()
            .map(|facts| Some(self.state.filter.judge(facts.home.as_ref()?, &config.home_page)))
            .collect();
        let passes = |verdict: &Option<HomeVerdict>| {
            verdict.is_some_and(|verdict| verdict.passes || !config.home_page_filter)
        };
        // A copy is known by its home page: nothing else of it is asked for.
        let is_copy = |candidate: &SiteCandidate, home: &SiteFacts| {
            let known = self
                .same_home(home.home.as_ref().map(|home| &home.links))
                .filter(|_| config.in_site_filter);
            known.is_some_and(|known| !self.is_original(&candidate.site, known))
        };
        let is_examined: Vec<bool> = group
            .iter()
            .zip(&homes)
            .zip(&verdicts)
            .map(|((candidate, home), verdict)| passes(verdict) && !is_copy(candidate, home))
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
            return false;
        }
        for (at, (candidate, home)) in group.iter().zip(&homes).enumerate() {
            self.state.site_requests += home.requests;
            let mut line = self.line(candidate, home, verdicts[at]);
            let facts = if is_examined[at] { examined.next() } else { None };
            self.state.site_requests += facts.as_ref().map_or(0, |facts| facts.requests);
            let page = home.home.as_ref();
            // One of the same group may be the original.
            let known =
                self.same_home(page.map(|page| &page.links)).filter(|_| config.in_site_filter);
            let original = known.filter(|known| !self.is_original(&line.site, known));
            let line = match (original, facts) {
                (Some(original), _) if passes(&verdicts[at]) => {
                    line.reason += &format!("; its home page is that of {original}: a copy");
                    line.in_site = Some(false);
                    line
                }
                (_, Some(facts)) => self.look_inside(config, line, &facts, page.zip(verdicts[at])),
                _ => line,
            };
            self.state.judged.push(line);
        }
        true
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

    /// Judges what is inside a site, and learns from it.
    fn look_inside(
        &mut self,
        config: &DiscoverConfig,
        mut line: SiteLine,
        facts: &SiteFacts,
        home: Option<(&HomePage, HomeVerdict)>,
    ) -> SiteLine {
        let products = &facts.products;
        let mut verdict = self.judge_products(config, products, None);
        let home_links = home.map(|(page, _)| &page.links);
        let copy = match config.in_site_filter {
            true => self.copy_to_replace(&line.site, home_links, &verdict),
            false => None,
        };
        if let Some(copy) = &copy {
            verdict = self.judge_products(config, products, Some(copy));
        }
        line.in_site = Some(verdict.is_relevant);
        line.pages = (facts.pages, verdict.matching.len() as u64);
        line.reason += &format!("; {}", found_inside(products.len(), &verdict, facts));
        line.relevant = verdict.is_relevant || !config.in_site_filter;
        if let Some((page, by_home)) = home
            && config.in_site_filter
            && !verdict.is_undecided
        {
            let importance = by_home.importance(&config.home_page);
            self.state.filter.learn(page, verdict.is_relevant, importance);
        }
        if line.relevant {
            let every: Vec<usize> = (0..products.len()).collect();
            let which = if config.in_site_filter { &verdict.matching } else { &every };
            let pages: Vec<&ProductPage> = which.iter().map(|&at| &products[at]).collect();
            match copy {
                // The terms of its copy are its own: they count once.
                Some(copy) => line.reason += &self.drop_copy(&copy, &line.site),
                None => self.state.vocabulary.add(true, pages.iter().copied()),
            }
            self.add_known(&line.site, &line.url, line.round, home_links, &pages);
        } else if !products.is_empty() && verdict.copy_of.is_none() {
            self.state.vocabulary.add(false, products.iter());
            let again = &self.state.undecided;
            if products.len() >= MIN_PAGES && again.len() < MAX_JUDGED_AGAIN {
                self.state.undecided.insert(line.site.clone(), products.clone());
                let links = home_links.cloned().unwrap_or_default();
                self.state.undecided_links.insert(line.site.clone(), links);
            }
        }
        line
    }

    /// Whether product pages are those of a relevant site, by what is known so far.
    #[must_use]
    pub fn judges(&self, config: &DiscoverConfig, products: &[ProductPage]) -> bool {
        self.judge_products(config, products, None).is_relevant
    }

    /// `copy` is a known site that is not compared with: a copy of the one that is judged.
    fn judge_products(
        &self,
        config: &DiscoverConfig,
        products: &[ProductPage],
        copy: Option<&String>,
    ) -> InSiteVerdict {
        let known = self.state.known.values().flat_map(|site| &site.ids);
        let ids: BTreeSet<(IdKind, String)> =
            known.chain(&self.state.given_ids).map(comparable).collect();
        let fingerprints: BTreeMap<String, BTreeSet<u64>> = self
            .state
            .known
            .iter()
            .filter(|(site, _)| Some(*site) != copy)
            .map(|(site, facts)| (site.clone(), facts.fingerprints.clone()))
            .collect();
        let vocabulary = &self.state.vocabulary;
        let (ids, fingerprints, config) = (&ids, &fingerprints, config.in_site);
        judge(products, &CategoryFacts { ids, vocabulary, fingerprints, config })
    }

    /// Judges the sites again that were not relevant by what was known when they came, each without what it said itself.
    pub(crate) fn judge_undecided(&mut self, config: &DiscoverConfig) {
        if !self.state.vocabulary.is_ready() {
            return;
        }
        for (site, products) in std::mem::take(&mut self.state.undecided) {
            self.state.vocabulary.remove(false, products.iter());
            let links = self.state.undecided_links.remove(&site).unwrap_or_default();
            let mut verdict = self.judge_products(config, &products, None);
            let copy = self.copy_to_replace(&site, Some(&links), &verdict);
            if let Some(copy) = &copy {
                verdict = self.judge_products(config, &products, Some(copy));
            }
            let original = self.same_home(Some(&links)).filter(|_| copy.is_none());
            if let Some(original) = original.map(str::to_owned) {
                self.amend(&site, |line| {
                    line.reason += &format!("; its home page is that of {original}: a copy");
                });
                continue;
            }
            if !verdict.is_relevant {
                self.state.vocabulary.add(false, products.iter());
                self.state.undecided_links.insert(site.clone(), links);
                self.state.undecided.insert(site, products);
                continue;
            }
            let pages: Vec<&ProductPage> =
                verdict.matching.iter().map(|&at| &products[at]).collect();
            let of_copy = match copy {
                Some(copy) => self.drop_copy(&copy, &site),
                None => {
                    self.state.vocabulary.add(true, pages.iter().copied());
                    String::new()
                }
            };
            let matching = pages.len() as u64;
            let line = self.amend(&site, |line| {
                line.relevant = true;
                line.in_site = Some(true);
                line.pages.1 = matching;
                line.reason += "; judged again: its attributes are those of the category";
                line.reason += &of_copy;
            });
            let Some(SiteLine { url, round, .. }) = line else { continue };
            self.add_known(&site, &url, round, Some(&links), &pages);
        }
    }

    /// Changes the line of a site that was judged before.
    pub(crate) fn amend(
        &mut self,
        site: &str,
        change: impl FnOnce(&mut SiteLine),
    ) -> Option<SiteLine> {
        let line = self.state.judged.iter_mut().find(|line| line.site == site)?;
        change(line);
        Some(line.clone())
    }
}
