//! The parts of an address that a request needs, parsed once per hop.

use quarry_model::Failure;
use url::{Position, Url};

use crate::guard::normalise;

/// The address of one hop.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) url: Url,
    pub(crate) https: bool,
    /// Lower case, no brackets around an IPv6 literal, no dot at the end.
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Target {
    pub(crate) fn parse(url: &str) -> Result<Self, Failure> {
        let url = Url::parse(url).map_err(|e| Failure::BadUrl { detail: e.to_string() })?;
        Self::of(url)
    }

    pub(crate) fn of(url: Url) -> Result<Self, Failure> {
        let https = match url.scheme() {
            "http" => false,
            "https" => true,
            other => {
                let detail = format!("the scheme is {other}, not http or https");
                return Err(Failure::BadUrl { detail });
            }
        };
        let no_host = || Failure::BadUrl { detail: "there is no host in it".to_owned() };
        let host = normalise(url.host_str().ok_or_else(no_host)?);
        if host.is_empty() {
            return Err(no_host());
        }
        let port = url.port_or_known_default().ok_or_else(no_host)?;
        if port == 0 {
            return Err(Failure::BadUrl { detail: "port 0 cannot be asked".to_owned() });
        }
        Ok(Self { url, https, host, port })
    }

    /// Path and query: the request target in origin form.
    pub(crate) fn path_and_query(&self) -> &str {
        &self.url[Position::BeforePath..Position::AfterQuery]
    }

    /// The address without user name and fragment: the request target in absolute form.
    pub(crate) fn absolute(&self) -> String {
        format!("{}://{}{}", self.url.scheme(), self.authority(), self.path_and_query())
    }

    /// Host and port as the `Host` field has them.
    pub(crate) fn authority(&self) -> &str {
        &self.url[Position::BeforeHost..Position::AfterPort]
    }

    /// Scheme, host and port: connections to equal origins can be exchanged.
    pub(crate) fn origin(&self) -> String {
        format!("{}://{}", self.url.scheme(), self.authority())
    }

    /// Whether a secret meant for `self` may be sent to `other`: same host and port, and not from
    /// https to http.
    pub(crate) fn trusts(&self, other: &Self) -> bool {
        self.host == other.host
            && (self.port == other.port && self.https == other.https
                || !self.https && other.https && self.port == 80 && other.port == 443)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_addresses_apart() {
        fn check(url: &str, expect: (&str, u16, &str, &str)) {
            let t = Target::parse(url).unwrap();
            assert_eq!((&*t.host, t.port, t.authority(), t.path_and_query()), expect, "{url}");
        }
        check("http://Example.COM/a?b=c#d", ("example.com", 80, "example.com", "/a?b=c"));
        check("https://u:p@h.test:8443", ("h.test", 8443, "h.test:8443", "/"));
        check("http://h.test.:80/", ("h.test", 80, "h.test.", "/"));
        check("http://[::1]:81/x", ("::1", 81, "[::1]:81", "/x"));
        check("http://[::ffff:127.0.0.1]/", ("::ffff:7f00:1", 80, "[::ffff:7f00:1]", "/"));
        for odd in ["http://2130706433/", "http://0x7f.1/", "http://017700000001/", "http://127.1"]
        {
            check(odd, ("127.0.0.1", 80, "127.0.0.1", "/"));
        }
    }

    #[test]
    fn refuses_what_cannot_be_asked() {
        for url in ["", "x", "ftp://h/", "mailto:a@b", "http://", "http://[", "http://h:0/"] {
            assert!(matches!(Target::parse(url), Err(Failure::BadUrl { .. })), "{url}");
        }
    }

    proptest::proptest! {
        /// What can be asked has a host, a port, and a request target without a fragment.
        #[test]
        fn never_panics(url in "(http://|https://)?[a-z0-9.:@/?#%\\[\\]\\\\|é ]{0,40}") {
            if let Ok(target) = Target::parse(&url) {
                proptest::prop_assert!(!target.host.is_empty() && target.port > 0);
                proptest::prop_assert!(target.path_and_query().starts_with('/'));
                proptest::prop_assert!(!target.absolute().contains('#'));
            }
        }
    }

    #[test]
    fn secrets_stay_with_their_host() {
        let check = |a: &str, b: &str, expect: bool| {
            assert_eq!(Target::parse(a).unwrap().trusts(&Target::parse(b).unwrap()), expect);
        };
        check("http://a.test/1", "http://a.test/2", true);
        check("http://a.test/1", "https://a.test/", true);
        check("https://a.test/1", "http://a.test/", false);
        check("http://a.test/", "http://b.test/", false);
        check("http://a.test/", "http://a.test:81/", false);
        check("http://a.test/", "http://sub.a.test/", false);
    }
}
