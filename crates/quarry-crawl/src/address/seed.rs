//! Seeds as users type them: the user names and passwords in them, and the hosts and ports that they name.

use std::collections::{BTreeMap, BTreeSet};

use url::form_urlencoded;

use super::Address;

/// User name and password by origin (`scheme://host:port`).
pub type Logins = BTreeMap<String, (String, String)>;

/// Parts seeds from the user names and passwords in them.
#[must_use]
pub fn without_logins(seeds: &[String]) -> (Vec<String>, Logins) {
    let mut logins = Logins::new();
    let plain = |seed: &String| {
        let Some((scheme, rest)) = seed.split_once("://") else { return seed.clone() };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let Some((login, host)) = rest[..end].rsplit_once('@') else { return seed.clone() };
        let plain = format!("{scheme}://{host}{}", &rest[end..]);
        let (user, password) = login.split_once(':').unwrap_or((login, ""));
        if let Ok(address) = Address::of_seed(&plain) {
            let login = (percent_decoded(user), percent_decoded(password));
            logins.insert(address.host().to_owned(), login);
        }
        plain
    };
    (seeds.iter().map(plain).collect(), logins)
}

fn percent_decoded(text: &str) -> String {
    // A `+` in a password is a plus.
    let pair = format!("p={}", text.replace('+', "%2B"));
    let decoded = form_urlencoded::parse(pair.as_bytes()).next();
    decoded.map_or_else(|| text.to_owned(), |(_, value)| value.into_owned())
}

/// The origins that get what users send along to their seeds: also https where a seed says http without a port.
#[must_use]
pub fn secret_origins(seeds: &[String]) -> BTreeSet<String> {
    let mut origins = BTreeSet::new();
    for address in seeds.iter().filter_map(|seed| Address::of_seed(seed).ok()) {
        if address.port().is_none() {
            origins.insert(format!("https://{}", address.authority()));
        }
        origins.insert(address.host().to_owned());
    }
    origins
}

/// Host and port that a seed names, as the guard against private addresses knows them: with a scheme's own port, both
/// schemes' ports, so that a redirect from http to https stays within what was named.
#[must_use]
pub fn named_ports(seed: &str) -> Vec<String> {
    let Ok(address) = Address::of_seed(seed) else { return Vec::new() };
    let host = address.plain_host();
    match address.port() {
        Some(port) => vec![format!("{host}:{port}")],
        None => vec![format!("{host}:80"), format!("{host}:443")],
    }
}

/// Addresses by host, in their order; a host by the name of its folder.
#[must_use]
pub fn by_host(urls: &[String]) -> Vec<(String, Vec<String>)> {
    let mut hosts: Vec<(String, Vec<String>)> = Vec::new();
    for url in urls {
        let host = folder_name(url);
        match hosts.iter_mut().find(|(known, _)| *known == host) {
            Some((_, own)) => own.push(url.clone()),
            None => hosts.push((host, vec![url.clone()])),
        }
    }
    hosts
}

/// Host and port, as a name for a folder.
fn folder_name(url: &str) -> String {
    let Ok(address) = Address::of_seed(url) else { return url.to_owned() };
    let port = address.port().map(|port| format!("-{port}")).unwrap_or_default();
    format!("{}{port}", address.host_name().replace([':', '[', ']'], "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_of_seeds_are_kept_apart() {
        let typed = ["https://anna:p%40ss%2B+1@shop.example:8443/a?b=c@d", "http://plain.example/"];
        let (plain, logins) = without_logins(&typed.map(str::to_owned));
        assert_eq!(plain, ["https://shop.example:8443/a?b=c@d", "http://plain.example/"]);
        let login = ("anna".to_owned(), "p@ss++1".to_owned());
        assert_eq!(logins, [("https://shop.example:8443".to_owned(), login)].into());
        let origins = secret_origins(&plain);
        let expect = ["http://plain.example", "https://plain.example", "https://shop.example:8443"];
        assert_eq!(origins.iter().map(String::as_str).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn a_seed_names_its_port() {
        assert_eq!(named_ports("http://127.0.0.1:8080/"), ["127.0.0.1:8080"]);
        assert_eq!(named_ports("https://intranet/x"), ["intranet:80", "intranet:443"]);
        assert_eq!(named_ports("http://[::1]:81/"), ["::1:81"]);
        assert_eq!(named_ports("http://[::1]/"), ["::1:80", "::1:443"]);
    }
}
