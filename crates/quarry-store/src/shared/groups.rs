//! Which hosts keep the pause together: those of one registered domain, and those at one IP address.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use url::{Host, Url};

/// How long the addresses of a host are taken to be the same.
const ADDRESSES_HOLD: Duration = Duration::from_secs(10 * 60);
/// Hosts whose addresses are looked up at a time, at most.
const MAX_LOOKUPS: usize = 64;

type Lookup = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

/// Looks up the IP addresses of a host, given as `scheme://host:port`; it may wait for a name server.
#[derive(Clone)]
pub struct AddressLookup(Arc<Lookup>);

impl AddressLookup {
    /// Takes a function that gives no addresses where there are none, or where they do not matter.
    pub fn new(lookup: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Self {
        Self(Arc::new(lookup))
    }
}

impl fmt::Debug for AddressLookup {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("AddressLookup")
    }
}

/// The registered domain of a host (`scheme://host:port`); the name itself where it has none; nothing for an IP address.
pub(super) fn domain(host: &str) -> Option<String> {
    match Url::parse(host).ok()?.host()? {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            Some(psl::domain_str(name).unwrap_or(name).to_owned())
        }
        Host::Ipv4(_) | Host::Ipv6(_) => None,
    }
}

/// The addresses of hosts as they were looked up, each by a thread of its own.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    lookup: Option<AddressLookup>,
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    of_hosts: BTreeMap<String, (Instant, Vec<IpAddr>)>,
    asked: BTreeSet<String>,
}

impl Addresses {
    pub(super) fn new(lookup: Option<AddressLookup>) -> Self {
        Self { lookup, known: Arc::default() }
    }

    /// The addresses of a host; nothing while they are looked up.
    pub(super) fn of(&self, host: &str) -> Option<Vec<IpAddr>> {
        let Some(AddressLookup(lookup)) = &self.lookup else { return Some(Vec::new()) };
        if domain(host).is_none() {
            // An address already: nobody is asked for it.
            return Some(lookup(host));
        }
        let mut known = lock(&self.known);
        if let Some((at, addresses)) = known.of_hosts.get(host)
            && at.elapsed() < ADDRESSES_HOLD
        {
            return Some(addresses.clone());
        }
        if known.asked.len() < MAX_LOOKUPS && known.asked.insert(host.to_owned()) {
            let (lookup, kept, host) =
                (Arc::clone(lookup), Arc::clone(&self.known), host.to_owned());
            std::thread::spawn(move || {
                let mut addresses = lookup(&host);
                addresses.sort_unstable();
                addresses.dedup();
                let mut known = lock(&kept);
                known.asked.remove(&host);
                known.of_hosts.insert(host, (Instant::now(), addresses));
            });
        }
        None
    }
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parts of hosts that have no group in common, each with its hosts, in order of the first of them.
pub(super) fn apart<'h>(hosts: impl Iterator<Item = (&'h str, &'h [String])>) -> Vec<Vec<&'h str>> {
    let mut parts: Vec<(Vec<&str>, BTreeSet<&str>)> = Vec::new();
    let mut part_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (host, groups) in hosts {
        let mut joined: BTreeSet<usize> =
            groups.iter().filter_map(|group| part_of.get(group.as_str()).copied()).collect();
        let into = joined.pop_first().unwrap_or_else(|| {
            parts.push(Default::default());
            parts.len() - 1
        });
        for from in joined {
            let (hosts, groups) = std::mem::take(&mut parts[from]);
            part_of.extend(groups.iter().map(|group| (*group, into)));
            parts[into].0.extend(hosts);
            parts[into].1.extend(groups);
        }
        parts[into].0.push(host);
        for group in groups {
            part_of.insert(group, into);
            parts[into].1.insert(group);
        }
    }
    parts.into_iter().map(|(hosts, _)| hosts).filter(|hosts| !hosts.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_registered_ones() {
        for (host, expect) in [
            ("https://www.shop.example:8443", Some("shop.example")),
            ("http://a.b.co.uk", Some("b.co.uk")),
            ("http://co.uk", Some("co.uk")),
            ("http://localhost:80", Some("localhost")),
            ("http://127.0.0.1:80", None),
            ("http://[::1]:80", None),
        ] {
            assert_eq!(domain(host).as_deref(), expect, "{host}");
        }
    }

    #[test]
    fn hosts_with_a_group_in_common_are_one_part() {
        let hosts = [("a", "1 2"), ("b", "3"), ("c", ""), ("d", "2 3"), ("e", "4"), ("f", "3")];
        let hosts: Vec<(&str, Vec<String>)> = (hosts.iter())
            .map(|(host, groups)| (*host, groups.split_whitespace().map(str::to_owned).collect()))
            .collect();
        let parts = apart(hosts.iter().map(|(host, groups)| (*host, groups.as_slice())));
        assert_eq!(parts, [vec!["a", "b", "d", "f"], vec!["c"], vec!["e"]]);
    }
}
