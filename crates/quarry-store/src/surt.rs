//! Sort keys of addresses, by which a site's pages stand together: SURT, as CDX indexes use it:
//! `com,example)/path?query`.

use url::Url;

/// The sort key of an address: host reversed, `www.` and default ports dropped, lower case, query
/// parts sorted.
///
/// ```
/// use quarry_store::surt;
///
/// assert_eq!(surt("https://www.Example.com/A/?b=2&a=1#x"), "com,example)/a?a=1&b=2");
/// assert_eq!(surt("http://127.0.0.1:8080/"), "127.0.0.1:8080)/");
/// ```
#[must_use]
pub fn surt(address: &str) -> String {
    let Ok(url) = Url::parse(address) else { return address.to_ascii_lowercase() };
    let Some(host) = url.host() else { return address.to_ascii_lowercase() };
    let mut key = match host {
        url::Host::Domain(domain) => {
            let domain = strip_www(domain);
            let mut labels: Vec<&str> = domain.split('.').collect();
            labels.reverse();
            labels.join(",")
        }
        address => address.to_string(),
    };
    if let Some(port) = url.port() {
        key.push_str(&format!(":{port}"));
    }
    key.push(')');
    let path = url.path();
    key.push_str(if path.len() > 1 { path.strip_suffix('/').unwrap_or(path) } else { path });
    if let Some(query) = url.query().filter(|query| !query.is_empty()) {
        let mut parts: Vec<&str> = query.split('&').collect();
        parts.sort_unstable();
        key.push('?');
        key.push_str(&parts.join("&"));
    }
    key.to_ascii_lowercase()
}

/// Also `www2.`, as indexes do.
fn strip_www(domain: &str) -> &str {
    let Some(rest) = domain.strip_prefix("www") else { return domain };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix('.').filter(|rest| rest.contains('.')).unwrap_or(domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        fn check(address: &str, expect: &str) {
            assert_eq!(surt(address), expect, "{address}");
        }
        check("http://example.com", "com,example)/");
        check("https://www2.shop.example.co.uk:443/x", "uk,co,example,shop)/x");
        check("http://www.com/", "com,www)/");
        check("http://example.com:81/a/b/", "com,example:81)/a/b");
        check("http://example.com/?", "com,example)/");
        check("http://[::1]/a", "[::1])/a");
        check("not an address", "not an address");
    }
}
