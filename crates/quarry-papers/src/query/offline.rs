//! Finds the queries that the pages of a whole site show (§4.2): crawl everything, cluster the list pages by
//! their links, find drill-downs by inclusion, name queries by the longest paths to them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::browse::Web;
use super::drill::GraphBuilder;
use super::page::PageLinks;
use super::similar::{inclusion, jaccard};
use super::{Compare, DiscoveryConfig};
use quarry_crawl::query::{Interner, PredicateId, QueryGraph};

/// All pages of a site with their addresses, in the order in which they were fetched.
#[derive(Debug, Clone, Default)]
pub struct Archive {
    /// Addresses and what is there.
    pub pages: Vec<(String, PageLinks)>,
    /// Requests that were made, also for what turned out to be no page.
    pub fetched: usize,
    /// Whether everything came within the budget.
    pub ended: bool,
}

/// Fetches every page that can be reached, breadth first, entity pages too.
pub fn crawl_all(web: &mut dyn Web, root: &str, budget: usize) -> Archive {
    let mut archive = Archive::default();
    let mut seen = BTreeSet::from([root.to_owned()]);
    let mut open = VecDeque::from([root.to_owned()]);
    while let Some(url) = open.pop_front() {
        if archive.fetched == budget {
            return archive;
        }
        archive.fetched += 1;
        let Some(page) = web.read(&url) else { continue };
        let entities = page.entities.iter().map(|(entity, _)| entity);
        for target in entities.chain(page.links.iter().map(|link| &link.url)) {
            if seen.insert(target.clone()) {
                open.push_back(target.clone());
            }
        }
        archive.pages.push((url, page));
    }
    archive.ended = true;
    archive
}

/// Recovers queries and entities from the pages of a site.
#[must_use]
pub fn mine(pages: &[(String, PageLinks)], config: &DiscoveryConfig) -> QueryGraph {
    let lists: Vec<&(String, PageLinks)> =
        pages.iter().filter(|(_, page)| page.is_list()).collect();
    let clusters = cluster(&lists, config);
    let mut cluster_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, members) in clusters.iter().enumerate() {
        cluster_of.extend(members.iter().map(|page| (lists[*page].0.as_str(), number)));
    }
    let mut names = Interner::default();
    let entities: Vec<Vec<u32>> = clusters
        .iter()
        .map(|members| {
            let links = members.iter().flat_map(|page| &lists[*page].1.entities);
            let found: BTreeSet<u32> = links.map(|(entity, _)| names.intern(entity)).collect();
            found.into_iter().collect()
        })
        .collect();
    let mut builder = GraphBuilder::default();
    let mut edges: Vec<BTreeMap<usize, PredicateId>> = vec![BTreeMap::new(); clusters.len()];
    for (number, members) in clusters.iter().enumerate() {
        for link in members.iter().flat_map(|page| &lists[*page].1.links) {
            let Some((attribute, value)) = &link.predicate else { continue };
            let Some(target) = cluster_of.get(link.url.as_str()).copied() else { continue };
            if target != number
                && inclusion(&entities[target], &entities[number]) >= config.inclusion
            {
                let predicate = builder.graph.add_predicate(attribute, value);
                edges[number].entry(target).or_insert(predicate);
            }
        }
    }
    for (number, predicates) in longest_paths(&edges).iter().enumerate() {
        let members = &clusters[number];
        let places = members.iter().flat_map(|page| {
            let (url, page) = lists[*page];
            page.entities
                .iter()
                .map(move |(entity, path)| (entity.as_str(), url.as_str(), path.as_str()))
        });
        let request = &lists[members[0]].0;
        builder.add(predicates, request, places, members.len(), pages.len());
    }
    builder.graph
}

/// Groups list pages whose links agree, those to entities left out: pairs with a Jaccard coefficient
/// above 1 − ε, and what they connect. Such a pair shares one of the first ε·|l| + 1 links in the
/// order from rare to frequent, so that only those need looking up.
fn cluster(lists: &[&(String, PageLinks)], config: &DiscoveryConfig) -> Vec<Vec<usize>> {
    let known: BTreeSet<&str> = lists.iter().map(|(url, _)| url.as_str()).collect();
    let mut names = Interner::default();
    let links: Vec<Vec<u32>> = lists
        .iter()
        .map(|(url, page)| {
            let compared = page.links.iter().filter(|link| match config.compare {
                Compare::ListLinks => known.contains(link.url.as_str()),
                Compare::QueryLinks => link.is_query,
            });
            let mut found = BTreeSet::from([names.intern(url)]);
            found.extend(compared.map(|link| names.intern(&link.url)));
            found.into_iter().collect()
        })
        .collect();
    let mut frequency = vec![0u32; names.len()];
    for link in links.iter().flatten() {
        frequency[*link as usize] += 1;
    }
    let mut group: Vec<usize> = (0..lists.len()).collect();
    let mut pages_with: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (page, own) in links.iter().enumerate() {
        let mut rare = own.clone();
        rare.sort_by_key(|link| (frequency[*link as usize], *link));
        rare.truncate((config.epsilon * own.len() as f64).floor() as usize + 1);
        let mut near = BTreeSet::new();
        for link in &rare {
            let with = pages_with.entry(*link).or_default();
            near.extend(with.iter().copied());
            with.push(page);
        }
        for other in near {
            if jaccard(own, &links[other]) > 1.0 - config.epsilon {
                let (a, b) = (leader(&mut group, page), leader(&mut group, other));
                group[a.max(b)] = a.min(b);
            }
        }
    }
    let mut clusters: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for page in 0..lists.len() {
        clusters.entry(leader(&mut group, page)).or_default().push(page);
    }
    clusters.into_values().collect()
}

fn leader(group: &mut [usize], mut member: usize) -> usize {
    while group[member] != member {
        group[member] = group[group[member]];
        member = group[member];
    }
    member
}

/// The labels of a longest path from a query without incoming edges to each query, ascending. Edges
/// that close a cycle are left out.
fn longest_paths(edges: &[BTreeMap<usize, PredicateId>]) -> Vec<Vec<PredicateId>> {
    let order = topological(edges);
    let place: BTreeMap<usize, usize> =
        order.iter().enumerate().map(|(place, query)| (*query, place)).collect();
    let mut paths: Vec<Vec<PredicateId>> = vec![Vec::new(); edges.len()];
    for query in order {
        for (target, predicate) in &edges[query] {
            let mut longer = paths[query].clone();
            longer.push(*predicate);
            if place[&query] < place[target] && longer.len() > paths[*target].len() {
                paths[*target] = longer;
            }
        }
    }
    for path in &mut paths {
        path.sort_unstable();
        path.dedup();
    }
    paths
}

/// Queries in an order in which edges lead forwards, those that close a cycle excepted: depth first
/// from the queries without incoming edges, last finished first.
fn topological(edges: &[BTreeMap<usize, PredicateId>]) -> Vec<usize> {
    let targets: BTreeSet<usize> = edges.iter().flat_map(BTreeMap::keys).copied().collect();
    let (roots, inner): (Vec<usize>, Vec<usize>) =
        (0..edges.len()).partition(|query| !targets.contains(query));
    let mut visited = vec![false; edges.len()];
    let mut finished = Vec::with_capacity(edges.len());
    for start in roots.into_iter().chain(inner) {
        if std::mem::replace(&mut visited[start], true) {
            continue;
        }
        let mut stack = vec![(start, edges[start].keys())];
        while let Some((query, below)) = stack.last_mut() {
            match below.next() {
                Some(next) if std::mem::replace(&mut visited[*next], true) => {}
                Some(next) => stack.push((*next, edges[*next].keys())),
                None => {
                    finished.push(*query);
                    stack.pop();
                }
            }
        }
    }
    finished.reverse();
    finished
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_level_does_not_shorten_a_query() {
        // 0 -a-> 1 -b-> 2 and a link that adds both at once; 3 links back to 1.
        let edges = [vec![(1, 10), (2, 99)], vec![(2, 11)], vec![(3, 12)], vec![(1, 13)]];
        let edges = edges.map(|out| out.into_iter().map(|(to, p)| (to, PredicateId(p))).collect());
        let paths = longest_paths(&edges);
        let expected = [vec![], vec![10], vec![10, 11], vec![10, 11, 12]];
        assert_eq!(
            paths,
            expected.map(|path| path.into_iter().map(PredicateId).collect::<Vec<_>>())
        );
    }
}
