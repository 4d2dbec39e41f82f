//! Common Crawl's host-level web graph, as published: vertices (`id TAB reversed host name`) and edges (`from TAB to`),
//! read as streams. Memory grows with what is asked, not with the graph.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};

use quarry_model::{LinkProvider, ProviderError};

/// The files of a graph, decompressed; each call begins at the first line.
pub trait GraphFiles {
    /// The lines of vertices.
    ///
    /// # Errors
    /// When a file cannot be opened.
    fn vertices(&self) -> io::Result<Box<dyn BufRead + '_>>;

    /// The lines of edges.
    ///
    /// # Errors
    /// When a file cannot be opened.
    fn edges(&self) -> io::Result<Box<dyn BufRead + '_>>;
}

/// A graph of hosts. Hosts with and without `www.` are one site.
pub struct HostGraph<F> {
    name: String,
    files: F,
}

/// Which end of an edge is asked for.
#[derive(Clone, Copy)]
enum End {
    From,
    To,
}

impl<F: GraphFiles> HostGraph<F> {
    /// The graph in these files.
    pub fn new(name: impl Into<String>, files: F) -> Self {
        Self { name: name.into(), files }
    }

    fn failed(&self, error: &io::Error) -> ProviderError {
        ProviderError::Unavailable {
            provider: self.name.clone(),
            detail: format!("cannot be read: {error}"),
        }
    }

    fn each_vertex(&self, visit: &mut dyn FnMut(u64, &str)) -> Result<(), ProviderError> {
        let mut lines = self.files.vertices().map_err(|error| self.failed(&error))?;
        let mut line = String::new();
        let mut number = 0u64;
        loop {
            line.clear();
            if lines.read_line(&mut line).map_err(|error| self.failed(&error))? == 0 {
                return Ok(());
            }
            number += 1;
            let mut parts = line.trim_end().split('\t');
            let (Some(id), Some(host)) =
                (parts.next().and_then(|id| id.parse().ok()), parts.next())
            else {
                return Err(self.malformed("vertices", number, &line));
            };
            visit(id, host);
        }
    }

    fn each_edge(&self, visit: &mut dyn FnMut(u64, u64)) -> Result<(), ProviderError> {
        let mut lines = self.files.edges().map_err(|error| self.failed(&error))?;
        let mut line = Vec::new();
        let mut number = 0u64;
        loop {
            line.clear();
            if lines.read_until(b'\n', &mut line).map_err(|error| self.failed(&error))? == 0 {
                return Ok(());
            }
            number += 1;
            let Some((from, to)) = edge(&line) else {
                return Err(self.malformed("edges", number, &String::from_utf8_lossy(&line)));
            };
            visit(from, to);
        }
    }

    fn malformed(&self, file: &str, number: u64, line: &str) -> ProviderError {
        let detail = format!("line {number} of the {file} is {:?}", line.trim_end());
        ProviderError::Malformed { provider: self.name.clone(), detail }
    }

    /// For each site the sites at the other end of its edges. Three passes: ids of the sites, edges, names of the others.
    fn neighbours(
        &self,
        sites: &[String],
        asked: End,
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        if sites.is_empty() {
            return Ok(Vec::new());
        }
        let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
        for (at, site) in sites.iter().enumerate() {
            let reversed = reversed(site);
            wanted.insert(format!("{reversed}.www"), at);
            wanted.insert(reversed, at);
        }
        let mut ids: BTreeMap<u64, usize> = BTreeMap::new();
        self.each_vertex(&mut |id, host| {
            if let Some(at) = wanted.get(host) {
                ids.insert(id, *at);
            }
        })?;
        let mut found: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); sites.len()];
        self.each_edge(&mut |from, to| {
            let (own, other) = match asked {
                End::From => (from, to),
                End::To => (to, from),
            };
            // A few more than the limit: hosts with and without www. become one.
            if let Some(at) = ids.get(&own)
                && found[*at].len() < 2 * limit
            {
                found[*at].insert(other);
            }
        })?;
        let mut names: BTreeMap<u64, String> = BTreeMap::new();
        let others: BTreeSet<u64> = found.iter().flatten().copied().collect();
        self.each_vertex(&mut |id, host| {
            if others.contains(&id) {
                names.insert(id, site_of_reversed(host));
            }
        })?;
        let list = |(own, ids): (&String, BTreeSet<u64>)| {
            let all: BTreeSet<&String> = ids.iter().filter_map(|id| names.get(id)).collect();
            all.into_iter().filter(|name| *name != own).take(limit).cloned().collect()
        };
        Ok(sites.iter().zip(found).map(list).collect())
    }
}

fn edge(line: &[u8]) -> Option<(u64, u64)> {
    let text = std::str::from_utf8(line).ok()?.trim_end();
    let (from, to) = text.split_once('\t')?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

/// `shop.example.com` as `com.example.shop`.
fn reversed(host: &str) -> String {
    host.split('.').rev().collect::<Vec<_>>().join(".")
}

/// The site of a reversed host name.
fn site_of_reversed(host: &str) -> String {
    reversed(host.strip_suffix(".www").unwrap_or(host))
}

impl<F: GraphFiles> LinkProvider for HostGraph<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn backlinks(
        &mut self,
        sites: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        self.neighbours(sites, End::To, limit)
    }

    fn forward_links(
        &mut self,
        hubs: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        self.neighbours(hubs, End::From, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_model::conformance::provider::{LINKS, check_links};

    struct InMemory {
        vertices: String,
        edges: String,
    }

    impl GraphFiles for InMemory {
        fn vertices(&self) -> io::Result<Box<dyn BufRead + '_>> {
            Ok(Box::new(self.vertices.as_bytes()))
        }
        fn edges(&self) -> io::Result<Box<dyn BufRead + '_>> {
            Ok(Box::new(self.edges.as_bytes()))
        }
    }

    /// The links as files; shop-a is there with and without `www.`.
    fn files() -> InMemory {
        let mut hosts: BTreeSet<String> =
            LINKS.iter().flat_map(|(from, to)| [reversed(from), reversed(to)]).collect();
        hosts.insert("example.shop-a.www".to_owned());
        let hosts: Vec<String> = hosts.into_iter().collect();
        let id = |host: &str| hosts.iter().position(|own| own == host).unwrap();
        let vertices: String =
            hosts.iter().enumerate().map(|(at, host)| format!("{at}\t{host}\n")).collect();
        let mut edges: Vec<(usize, usize)> =
            LINKS.iter().map(|(from, to)| (id(&reversed(from)), id(&reversed(to)))).collect();
        edges.push((id(&reversed("hub-two.example")), id("example.shop-a.www")));
        edges.sort_unstable();
        let edges: String = edges.iter().map(|(from, to)| format!("{from}\t{to}\n")).collect();
        InMemory { vertices, edges }
    }

    #[test]
    fn it_keeps_the_promises_of_link_providers() {
        check_links(&mut HostGraph::new("graph", files()));
    }

    #[test]
    fn a_line_that_is_not_an_edge_is_named() {
        let mut graph =
            HostGraph::new("graph", InMemory { edges: "1\t2\nx\n".to_owned(), ..files() });
        let error = graph.backlinks(&["shop-a.example".to_owned()], 9).unwrap_err().to_string();
        assert!(error.contains("line 2 of the edges"), "{error}");
    }
}
