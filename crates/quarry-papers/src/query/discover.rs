//! Finds the queries that can be asked below a page: Algorithm 2, `OnlineQueryDiscovery`.
//!
//! Three things are not as printed there. Line 23 returns when a query is equivalent to a known one; that
//! would end the search, so only this query is left. Its children are on the stack by then; they are put
//! there afterwards, so that an equivalent query is explored once (§4.3). And the appendix says
//! breadth-first where the listing has a stack: a queue is used.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use super::browse::{Browser, Spent, Web};
use super::cluster::{Cluster, OnlineClustering};
use super::drill::GraphBuilder;
use super::similar::inclusion;
use super::{Discovery, DiscoveryConfig};
use quarry_crawl::query::{Interner, PredicateId};

/// The predicates that a query can be drilled down by; pages and predicates of the queries below it.
type DrillDowns = (Vec<PredicateId>, Vec<(u32, Vec<PredicateId>)>);

/// A query with its entities as ascending numbers.
struct ClusteredQuery {
    cluster: Cluster,
    entities: Vec<u32>,
}

/// The search.
struct Search<'w> {
    web: Browser<'w>,
    config: &'w DiscoveryConfig,
    clustering: OnlineClustering,
    clusters: BTreeMap<u32, Option<Rc<ClusteredQuery>>>,
    entities: Interner,
    builder: GraphBuilder,
    /// F: u.O and u.Q of the queries that were explored.
    explored: BTreeSet<(Vec<u32>, Vec<PredicateId>)>,
    equivalent: usize,
}

/// Recovers the queries that can be reached from a list page, which is taken for the query for
/// everything.
pub fn online_query_discovery(
    web: &mut dyn Web,
    root: &str,
    config: &DiscoveryConfig,
) -> Discovery {
    let mut search = Search {
        web: Browser::new(web, config.budget),
        config,
        clustering: OnlineClustering::default(),
        clusters: BTreeMap::new(),
        entities: Interner::default(),
        builder: GraphBuilder::default(),
        explored: BTreeSet::new(),
        equivalent: 0,
    };
    let ended = search.run(root).is_ok();
    Discovery {
        graph: search.builder.graph,
        fetched: search.web.fetched,
        scans: search.web.scans,
        equivalent: search.equivalent,
        ended,
        growth: search.builder.growth,
    }
}

impl Search<'_> {
    fn run(&mut self, root: &str) -> Result<(), Spent> {
        let root = self.web.urls.intern(root);
        let mut tasks = VecDeque::from([(root, Vec::new())]);
        while let Some((page, predicates)) = tasks.pop_front() {
            let Some(query) = self.crawl_and_cluster(page)? else { continue };
            if predicates.is_empty() {
                self.add(&predicates, &query);
            }
            let (outgoing, below) = self.drill_downs(&query, &predicates)?;
            // Lines 21 to 24: equal entities and equal outgoing predicates.
            if self.explored.insert((query.entities.clone(), outgoing)) {
                tasks.extend(below);
            } else {
                self.equivalent += 1;
            }
        }
        Ok(())
    }

    /// Lines 8 to 20: the predicates that the query can be drilled down by, and where that leads.
    fn drill_downs(
        &mut self,
        query: &ClusteredQuery,
        predicates: &[PredicateId],
    ) -> Result<DrillDowns, Spent> {
        let mut outgoing = BTreeSet::new();
        let mut below = Vec::new();
        for (target, attribute, value) in &query.cluster.queries {
            let Some(narrow) = self.crawl_and_cluster(*target)? else { continue };
            let own = query.cluster.pages.contains(target);
            if own || inclusion(&narrow.entities, &query.entities) < self.config.inclusion {
                continue;
            }
            let predicate = self.builder.graph.add_predicate(attribute, value);
            if outgoing.insert(predicate) {
                let mut longer = predicates.to_vec();
                longer.push(predicate);
                longer.sort_unstable();
                longer.dedup();
                self.add(&longer, &narrow);
                below.push((*target, longer));
            }
        }
        Ok((outgoing.into_iter().collect(), below))
    }

    /// Adds an edge of F. An edge below an equivalent query counts for both.
    fn add(&mut self, predicates: &[PredicateId], query: &ClusteredQuery) {
        let urls = &self.web.urls;
        let entities = query.cluster.entities.iter();
        let entities = entities
            .map(|(entity, (page, path))| (entity.as_str(), urls.text(*page), path.as_str()));
        let pages = &query.cluster.pages;
        let request = urls.text(pages[0]);
        self.builder.add(predicates, request, entities, pages.len(), self.web.fetched);
    }

    /// The query of a page; pages of a known query are not clustered again.
    fn crawl_and_cluster(&mut self, page: u32) -> Result<Option<Rc<ClusteredQuery>>, Spent> {
        if let Some(known) = self.clusters.get(&page) {
            return Ok(known.clone());
        }
        let found = self.clustering.run(&mut self.web, page, self.config)?;
        let known = found.map(|cluster| {
            let addresses = cluster.entities.keys();
            let mut entities: Vec<u32> = addresses.map(|url| self.entities.intern(url)).collect();
            entities.sort_unstable();
            Rc::new(ClusteredQuery { cluster, entities })
        });
        self.clusters.insert(page, known.clone());
        if let Some(known) = &known {
            for page in &known.cluster.pages {
                self.clusters.insert(*page, Some(Rc::clone(known)));
            }
        }
        Ok(known)
    }
}
