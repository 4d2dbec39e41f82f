//! Resolves host names to addresses that have passed the guard. Only these are connected to, so that a
//! name which changes its address between check and connection cannot evade the guard.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use quarry_model::Failure;

use crate::guard::{Guard, normalise};
use crate::target::Target;

pub(crate) struct Resolver {
    guard: Guard,
    overrides: BTreeMap<String, Vec<IpAddr>>,
}

impl Resolver {
    pub(crate) fn new(guard: Guard, overrides: &BTreeMap<String, Vec<IpAddr>>) -> Self {
        let overrides = overrides.iter().map(|(h, a)| (normalise(h), a.clone())).collect();
        Self { guard, overrides }
    }

    /// The addresses of a host that we connect to ourselves: at least one, all permitted.
    pub(crate) async fn permitted(&self, target: &Target) -> Result<Vec<SocketAddr>, Failure> {
        let addresses = self.lookup(&target.host, target.port).await?;
        self.filter(target, addresses)
    }

    /// For a host that a proxy connects to by name: refuses what can be seen from here to be
    /// private. Where the name means nothing here, the proxy has to know. `ask` says whether the
    /// name may be shown to the resolver.
    pub(crate) async fn screen(&self, target: &Target, ask: bool) -> Result<(), Failure> {
        let known = target.host.parse::<IpAddr>().is_ok()
            || self.overrides.contains_key(&target.host)
            || target.host == "localhost"
            || target.host.ends_with(".localhost");
        if !(known || ask) {
            return Ok(());
        }
        match self.lookup(&target.host, target.port).await {
            Ok(addresses) => self.filter(target, addresses).map(drop),
            Err(_) => Ok(()),
        }
    }

    fn filter(&self, target: &Target, all: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Failure> {
        let addresses: Vec<IpAddr> = all.iter().map(SocketAddr::ip).collect();
        let permitted = self.guard.permitted(&target.host, target.port, &addresses);
        match addresses.first() {
            Some(&address) if permitted.is_empty() => {
                Err(Failure::PrivateAddress { host: target.host.clone(), address })
            }
            _ => Ok(all.into_iter().filter(|a| permitted.contains(&a.ip())).collect()),
        }
    }

    async fn lookup(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, Failure> {
        if let Ok(literal) = host.parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(literal, port)]);
        }
        if let Some(addresses) = self.overrides.get(host) {
            return Ok(addresses.iter().map(|&ip| SocketAddr::new(ip, port)).collect());
        }
        addresses_of(host, port).await
    }
}

/// What the system's resolver says; at least one address.
pub(crate) async fn addresses_of(host: &str, port: u16) -> Result<Vec<SocketAddr>, Failure> {
    let found = tokio::net::lookup_host((host, port)).await;
    let addresses: Vec<_> =
        found.map_err(|e| Failure::Dns { detail: format!("{host}: {e}") })?.collect();
    if addresses.is_empty() {
        return Err(Failure::Dns { detail: format!("{host}: no address") });
    }
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn private_addresses_are_left_out_beside_public_ones() {
        let ips = |list: &[&str]| list.iter().map(|ip| ip.parse().unwrap()).collect();
        let overrides = [
            ("Mixed.test.".to_owned(), ips(&["127.0.0.1", "8.8.8.8", "10.0.0.1", "2606::1"])),
            ("inside.test".to_owned(), ips(&["192.168.1.1", "fe80::1"])),
        ];
        let guard = Guard::new(&["inside.test:81".to_owned()].into());
        let resolver = Resolver::new(guard, &overrides.into());
        let check = async |url: &str, expect: Result<&[&str], &str>| {
            let found = resolver.permitted(&Target::parse(url).unwrap()).await;
            let found = found
                .map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>())
                .map_err(|failure| failure.kind());
            let expect = expect.map(|list| list.iter().map(ToString::to_string).collect());
            assert_eq!(found, expect, "{url}");
        };
        check("http://mixed.test/", Ok(&["8.8.8.8:80", "[2606::1]:80"])).await;
        check("http://inside.test/", Err("private_address")).await;
        check("http://inside.test:81/", Ok(&["192.168.1.1:81", "[fe80::1]:81"])).await;
        check("http://1.1.1.1/", Ok(&["1.1.1.1:80"])).await;
        check("http://0x7f.1/", Err("private_address")).await;
    }
}
