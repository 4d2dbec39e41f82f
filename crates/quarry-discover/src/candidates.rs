//! Names the candidates of a round: asks search engines and link graphs for what is not known yet, and ranks the sites that
//! they name (DEXTER §3.1.1, §3.1.2).

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::site_of;

use crate::config::DiscoverConfig;
use crate::discovery::{DiscoverError, SiteDiscovery};
use crate::ids::{next_ids, query_of};
use crate::ports::{DiscoveryPorts, Kept};
use crate::rank::{RankMethod, RankedSite, forward_scores, hub_scores, merge, search_scores};

impl SiteDiscovery {
    /// Asks for what is not known yet; false where it was told to stop.
    pub(crate) fn ask_providers(
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
    pub(crate) fn hub_scores(&self) -> BTreeMap<String, f64> {
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
}
