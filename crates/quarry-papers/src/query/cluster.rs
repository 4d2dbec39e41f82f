//! Finds the pages that belong to the query of a page: Algorithm 1, `OnlineClustering`.
//!
//! Two things are not as printed there. C is one set for all levels of the recursion: with a new one in
//! each, two pages that link to each other would call each other for ever. And a page counts as linking
//! to itself: pages print the link to where one is, or leave it out.

use std::collections::{BTreeMap, BTreeSet};

use super::browse::{Browser, Spent};
use super::similar::jaccard;
use super::{Compare, DiscoveryConfig};

/// ⟨O, Q, C⟩: a query as its pages show it.
#[derive(Debug, Clone, Default)]
pub(super) struct Cluster {
    /// C, the first page first.
    pub(super) pages: Vec<u32>,
    /// O: address of each entity, with the page and the node path where it was first seen.
    pub(super) entities: BTreeMap<String, (u32, String)>,
    /// Q: where each query link leads, and what it adds.
    pub(super) queries: Vec<(u32, String, String)>,
}

/// Finds clusters, and keeps what it has learned about pages.
#[derive(Debug, Default)]
pub(super) struct OnlineClustering {
    /// l_x of pages, ascending.
    links: BTreeMap<u32, Vec<u32>>,
}

impl OnlineClustering {
    /// The cluster of a page; `None` if that is no list page.
    pub(super) fn run(
        &mut self,
        web: &mut Browser<'_>,
        x: u32,
        config: &DiscoveryConfig,
    ) -> Result<Option<Cluster>, Spent> {
        if web.list(x)?.is_none() {
            return Ok(None);
        }
        let mut pages = vec![x];
        let mut members = BTreeSet::from([x]);
        let mut open = vec![x];
        while let Some(x) = open.pop() {
            let l_x = self.list_links(web, x, config.compare)?;
            for y in l_x.iter().copied() {
                if members.contains(&y) || web.list(y)?.is_none() {
                    continue;
                }
                let l_y = self.list_links(web, y, config.compare)?;
                if jaccard(&l_x, &l_y) > 1.0 - config.epsilon {
                    members.insert(y);
                    pages.push(y);
                    open.push(y);
                }
            }
        }
        let mut cluster = Cluster { pages, ..Cluster::default() };
        let mut known = BTreeSet::new();
        for page in cluster.pages.clone() {
            let Some(read) = web.list(page)? else { continue };
            for (entity, path) in &read.page.entities {
                cluster.entities.entry(entity.clone()).or_insert_with(|| (page, path.clone()));
            }
            for (link, target) in read.page.links.iter().zip(&read.targets) {
                if let Some((attribute, value)) = &link.predicate
                    && known.insert(*target)
                {
                    cluster.queries.push((*target, attribute.clone(), value.clone()));
                }
            }
        }
        Ok(Some(cluster))
    }

    /// l_x, ascending, with the page itself.
    fn list_links(
        &mut self,
        web: &mut Browser<'_>,
        x: u32,
        compare: Compare,
    ) -> Result<Vec<u32>, Spent> {
        web.scans += 1;
        if let Some(known) = self.links.get(&x) {
            return Ok(known.clone());
        }
        let Some(read) = web.page(x)? else { return Ok(Vec::new()) };
        let mut links = vec![x];
        for (link, target) in read.page.links.iter().zip(read.targets.iter().copied()) {
            let compared = match compare {
                Compare::ListLinks => web.list(target)?.is_some(),
                Compare::QueryLinks => link.is_query,
            };
            if compared {
                links.push(target);
            }
        }
        links.sort_unstable();
        links.dedup();
        self.links.insert(x, links.clone());
        Ok(links)
    }
}
