//! Addresses in one normal spelling, so that two spellings of one page are equal; the steps are listed
//! in `docs/algorithms/crawl.md`.

mod parameters;
pub mod seed;
mod spelling;

use std::fmt;

use thiserror::Error;
use url::Url;

pub(crate) use spelling::push_normal;

use parameters::{is_session_segment, keep_parameter, without_session};

/// Longest normalised address, in bytes. Servers and proxies begin to refuse at about 2,000
/// (RFC 9110 §4.1 asks for 8,000), and no page that people link to has a longer one.
pub const MAX_LENGTH: usize = 2_048;

/// A normalised `http` or `https` address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    url: String,
    /// End of `scheme://host:port`.
    host_end: u32,
    /// End of the path: where `?` stands, or the end.
    path_end: u32,
}

/// Why a text is not an address that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadAddress {
    /// `mailto:`, `javascript:`, `ftp:` …
    #[error("its scheme is not http or https")]
    Scheme,
    /// No syntax of an absolute address.
    #[error("it is not an absolute address: {0}")]
    Syntax(#[from] url::ParseError),
    /// No host.
    #[error("it names no host")]
    NoHost,
    /// Longer than [`MAX_LENGTH`].
    #[error("it has more than {MAX_LENGTH} bytes")]
    TooLong,
}

impl Address {
    /// Brings an absolute address into its one spelling. Normalising twice gives what normalising
    /// once gives.
    ///
    /// ```
    /// use quarry_crawl::Address;
    ///
    /// let address = Address::normalise("HTTP://Shop.Example:80/a/../b%7e?utm_source=x&id=7#top");
    /// assert_eq!(address.unwrap().as_str(), "http://shop.example/b~?id=7");
    /// ```
    pub fn normalise(text: &str) -> Result<Self, BadAddress> {
        let text = text.trim_matches(|c: char| c <= ' ');
        // A fragment names a place in a page, not another page; `#!` too (that scheme was
        // withdrawn by its author in 2015).
        let text = text.split_once('#').map_or(text, |(before, _)| before);
        if let Some(address) = spelling::already_normal(text) {
            return Ok(address);
        }
        // One pass nearly always reaches the fixed point; a segment that is left as `..` once its
        // session id is gone needs a second. What does not settle is no address worth asking.
        let mut now = Self::one_pass(text)?;
        for _ in 0..8 {
            let next = Self::one_pass(&now.url)?;
            if next == now {
                return Ok(now);
            }
            now = next;
        }
        Err(BadAddress::Syntax(url::ParseError::RelativeUrlWithoutBase))
    }

    fn one_pass(text: &str) -> Result<Self, BadAddress> {
        if text.len() > 16 * MAX_LENGTH {
            return Err(BadAddress::TooLong);
        }
        let parsed = Url::parse(text)?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(BadAddress::Scheme);
        }
        let host = parsed.host_str().unwrap_or_default();
        let host = host.strip_suffix('.').unwrap_or(host);
        if host.is_empty() {
            return Err(BadAddress::NoHost);
        }
        let mut url = String::with_capacity(text.len() + 8);
        url.push_str(parsed.scheme());
        url.push_str("://");
        url.push_str(host);
        if let Some(port) = parsed.port() {
            url.push(':');
            url.push_str(&port.to_string());
        }
        let host_end = url.len();
        for segment in parsed.path().trim_start_matches('/').split('/') {
            if is_session_segment(segment) {
                continue;
            }
            url.push('/');
            spelling::push_normal(&mut url, without_session(segment).as_ref());
        }
        // Leading empty segments (`//a`) were trimmed above: most servers answer both alike.
        if url.len() == host_end {
            url.push('/');
        }
        let path_end = url.len();
        let mut mark = '?';
        for parameter in parsed.query().unwrap_or_default().split('&') {
            if !parameter.is_empty() && keep_parameter(parameter) {
                url.push(mark);
                spelling::push_normal(&mut url, parameter);
                mark = '&';
            }
        }
        Self::of_parts(url, host_end, path_end)
    }

    /// The address of a seed as a user writes it: without a scheme it is `https://`, or `http://` on
    /// this machine.
    ///
    /// ```
    /// use quarry_crawl::Address;
    /// let address = |seed| Address::of_seed(seed).unwrap().into_string();
    /// assert_eq!(address("Shop.example/a"), "https://shop.example/a");
    /// assert_eq!(address("localhost:8080"), "http://localhost:8080/");
    /// ```
    ///
    /// # Errors
    /// As [`Address::normalise`].
    pub fn of_seed(seed: &str) -> Result<Self, BadAddress> {
        if seed.contains("://") {
            return Self::normalise(seed);
        }
        match Self::normalise(&format!("https://{seed}")) {
            Ok(address) if address.is_loopback() => Self::normalise(&format!("http://{seed}")),
            other => other,
        }
    }

    fn of_parts(url: String, host_end: usize, path_end: usize) -> Result<Self, BadAddress> {
        if url.len() > MAX_LENGTH {
            return Err(BadAddress::TooLong);
        }
        Ok(Self { url, host_end: host_end as u32, path_end: path_end as u32 })
    }

    /// The whole address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// `scheme://host`, with the port where it is not the scheme's own: the unit of politeness.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.url[..self.host_end as usize]
    }

    /// `host` or `host:port`, without the scheme.
    #[must_use]
    pub fn authority(&self) -> &str {
        let host = self.host();
        host.split_once("://").map_or(host, |(_, authority)| authority)
    }

    /// The host's name or number alone.
    #[must_use]
    pub fn host_name(&self) -> &str {
        self.host_and_port().0
    }

    /// The same, an IPv6 number without its brackets.
    #[must_use]
    pub fn plain_host(&self) -> &str {
        self.host_name().trim_matches(['[', ']'])
    }

    /// The port, where it is not the scheme's own.
    #[must_use]
    pub fn port(&self) -> Option<&str> {
        self.host_and_port().1
    }

    fn host_and_port(&self) -> (&str, Option<&str>) {
        let authority = self.authority();
        match authority.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (authority, None),
        }
    }

    /// The path, from its first `/`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.url[self.host_end as usize..self.path_end as usize]
    }

    /// What stands after `?`.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.url.get(self.path_end as usize + 1..)
    }

    /// Path and query: what robots.txt rules are matched with.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        &self.url[self.host_end as usize..]
    }

    /// The path's segments, without the empty ones.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.path().split('/').filter(|segment| !segment.is_empty())
    }

    /// The query's parameters as name and value, still encoded.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        let parts = self.query().unwrap_or_default().split('&');
        parts.filter(|part| !part.is_empty()).map(|part| part.split_once('=').unwrap_or((part, "")))
    }

    /// 64 bits that tell addresses apart; the same on every machine.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        fingerprint(&self.url)
    }

    /// Whether the host is this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        is_loopback(self.host_name())
    }

    /// The address as the text that it is.
    #[must_use]
    pub fn into_string(self) -> String {
        self.url
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

/// [`Address::fingerprint`] of a text that is known to be normalised.
pub(crate) fn fingerprint(url: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(url.as_bytes())
}

fn is_loopback(name: &str) -> bool {
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<std::net::IpAddr>() {
        Ok(ip) => ip.is_loopback(),
        Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_an_address() {
        let address = Address::normalise("http://[::1]:8080/a/b.html?x=1&y").unwrap();
        assert_eq!(address.host(), "http://[::1]:8080");
        assert_eq!(address.authority(), "[::1]:8080");
        assert_eq!(address.host_name(), "[::1]");
        assert_eq!(address.path(), "/a/b.html");
        assert_eq!(address.query(), Some("x=1&y"));
        assert_eq!(address.path_and_query(), "/a/b.html?x=1&y");
        assert_eq!(address.parameters().collect::<Vec<_>>(), [("x", "1"), ("y", "")]);
        assert!(address.is_loopback());
        let plain = Address::normalise("https://shop.example").unwrap();
        assert_eq!((plain.path(), plain.query()), ("/", None));
        assert_eq!(plain.host_name(), "shop.example");
        assert!(!plain.is_loopback());
        assert!(Address::normalise("http://localhost:1/").unwrap().is_loopback());
    }
}
