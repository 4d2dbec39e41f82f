//! Cookies in memory (RFC 6265 §5.3, §5.4): a jar for each
//! registrable domain, bounded, so that no site sees or crowds out another's.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard};

use quarry_model::{Headers, Timestamp};

use crate::cookie_parse;
use crate::target::Target;

/// Cookies of one site (RFC 6265 §6.1 asks for 50 at least); the oldest goes first.
const MAX_PER_SITE: usize = 64;
/// Bytes of a cookie's name and value (RFC 6265 §6.1).
const MAX_BYTES: usize = 4096;
/// Bytes of all cookies in one request: what a server with 8 KiB for a head can take.
const MAX_SENT_BYTES: usize = 6 * 1024;
/// Sites with cookies; the one that was asked longest ago goes first.
const MAX_SITES: usize = 4096;

#[derive(Default)]
pub(crate) struct CookieJar {
    sites: Mutex<BTreeMap<String, Site>>,
}

#[derive(Default)]
struct Site {
    /// In the order in which they were first set.
    cookies: Vec<Cookie>,
    used: Timestamp,
}

struct Cookie {
    name: String,
    value: String,
    domain: String,
    host_only: bool,
    path: String,
    secure: bool,
    expires: Option<Timestamp>,
}

impl CookieJar {
    /// The value of the `Cookie` field for a request, longest paths first.
    pub(crate) fn header(&self, target: &Target, now: Timestamp) -> Option<String> {
        let mut sites = self.lock();
        if sites.is_empty() {
            return None;
        }
        let site = sites.get_mut(site_of(&target.host))?;
        site.used = now;
        site.cookies.retain(|cookie| cookie.is_alive(now));
        let mut matching: Vec<_> =
            site.cookies.iter().filter(|cookie| cookie.applies_to(target)).collect();
        matching.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let mut header = String::new();
        for cookie in matching {
            if header.len() + cookie.name.len() + cookie.value.len() > MAX_SENT_BYTES {
                continue;
            }
            if !header.is_empty() {
                header.push_str("; ");
            }
            header.push_str(&cookie.name);
            header.push('=');
            header.push_str(&cookie.value);
        }
        (!header.is_empty()).then_some(header)
    }

    /// Takes what a response sets.
    pub(crate) fn store(&self, target: &Target, headers: &Headers, now: Timestamp) {
        for field in headers.all("set-cookie") {
            if let Some(cookie) = accept(field, target, now) {
                self.insert(target, cookie, now);
            }
        }
    }

    fn insert(&self, target: &Target, cookie: Cookie, now: Timestamp) {
        let mut sites = self.lock();
        let key = site_of(&target.host);
        if sites.len() >= MAX_SITES && !sites.contains_key(key) {
            let oldest = sites.iter().min_by_key(|(_, site)| site.used).map(|(k, _)| k.clone());
            oldest.and_then(|key| sites.remove(&key));
        }
        let site = sites.entry(key.to_owned()).or_default();
        site.used = now;
        let same = |other: &Cookie| {
            other.name == cookie.name && other.domain == cookie.domain && other.path == cookie.path
        };
        let old = site.cookies.iter().position(same);
        match (old, cookie.is_alive(now)) {
            (Some(i), true) => site.cookies[i] = cookie,
            (Some(i), false) => drop(site.cookies.remove(i)),
            (None, true) => {
                site.cookies.retain(|other| other.is_alive(now));
                if site.cookies.len() >= MAX_PER_SITE {
                    site.cookies.remove(0);
                }
                site.cookies.push(cookie);
            }
            (None, false) => {}
        }
        if site.cookies.is_empty() {
            sites.remove(key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Site>> {
        self.sites.lock().expect("nobody panics while holding the cookies")
    }
}

impl Cookie {
    fn is_alive(&self, now: Timestamp) -> bool {
        self.expires.is_none_or(|at| at > now)
    }

    fn applies_to(&self, target: &Target) -> bool {
        let host = &target.host;
        let same_host =
            if self.host_only { *host == self.domain } else { domain_match(host, &self.domain) };
        same_host && (target.https || !self.secure) && path_match(target.url.path(), &self.path)
    }
}

/// The cookie that a field sets, if this host may set it.
fn accept(field: &str, target: &Target, now: Timestamp) -> Option<Cookie> {
    let set = cookie_parse::parse(field, now)?;
    if set.name.len() + set.value.len() > MAX_BYTES || set.path.is_some_and(|p| p.len() > 1024) {
        return None;
    }
    let (domain, host_only) = match set.domain.map(str::to_ascii_lowercase) {
        None => (target.host.clone(), true),
        Some(domain) if domain == target.host => {
            let host_only = is_public_suffix(&domain) || domain.parse::<IpAddr>().is_ok();
            (domain, host_only)
        }
        Some(domain) if is_public_suffix(&domain) => return None,
        Some(domain) if domain_match(&target.host, &domain) => (domain, false),
        Some(_) => return None,
    };
    if set.secure && !target.https {
        return None;
    }
    let path = set.path.map_or_else(|| default_path(target.url.path()), str::to_owned);
    // RFC 6265bis §4.1.3: names that promise something.
    let starts = |prefix: &str| {
        set.name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    if starts("__Secure-") && !set.secure
        || starts("__Host-") && !(set.secure && host_only && path == "/")
    {
        return None;
    }
    let (name, value) = (set.name.to_owned(), set.value.to_owned());
    Some(Cookie { name, value, domain, host_only, path, secure: set.secure, expires: set.expires })
}

/// The registrable domain; the host itself where it has none (an address, `localhost`).
fn site_of(host: &str) -> &str {
    if host.parse::<IpAddr>().is_ok() {
        return host;
    }
    psl::domain_str(host).unwrap_or(host)
}

fn is_public_suffix(domain: &str) -> bool {
    psl::suffix_str(domain) == Some(domain)
}

fn domain_match(host: &str, domain: &str) -> bool {
    host == domain
        || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
            && host.parse::<IpAddr>().is_err()
}

fn path_match(path: &str, cookie_path: &str) -> bool {
    path.strip_prefix(cookie_path)
        .is_some_and(|rest| rest.is_empty() || cookie_path.ends_with('/') || rest.starts_with('/'))
}

fn default_path(path: &str) -> String {
    match path.rfind('/') {
        None | Some(0) => "/".to_owned(),
        Some(slash) => path[..slash].to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_794_772_800_000);

    fn store(jar: &CookieJar, url: &str, cookies: &[&str]) {
        let fields = cookies.iter().map(|c| ("set-cookie".to_owned(), (*c).to_owned()));
        jar.store(&Target::parse(url).unwrap(), &Headers(fields.collect()), NOW);
    }

    fn sent(jar: &CookieJar, url: &str) -> String {
        jar.header(&Target::parse(url).unwrap(), NOW).unwrap_or_default()
    }

    #[test]
    fn cookies_go_where_they_belong() {
        fn check(set_by: &str, cookie: &str, asked: &str, expect: &str) {
            let jar = CookieJar::default();
            store(&jar, set_by, &[cookie]);
            assert_eq!(sent(&jar, asked), expect, "{cookie} set by {set_by}, asked {asked}");
        }
        let shop = "http://www.shop.co.uk/a/b";
        check(shop, "s=1", "http://www.shop.co.uk/a/c", "s=1");
        check(shop, "s=1", "http://www.shop.co.uk/a", "s=1");
        check(shop, "s=1", "http://www.shop.co.uk/", "");
        check(shop, "s=1", "http://www.shop.co.uk/ab", "");
        check(shop, "s=1; path=/", "http://www.shop.co.uk:81/", "s=1");
        check(shop, "s=1; path=/", "https://www.shop.co.uk/", "s=1");
        check(shop, "s=1; path=/", "http://shop.co.uk/", "");
        check(shop, "s=1; path=/", "http://x.www.shop.co.uk/", "");
        check(shop, "s=1; path=/; domain=shop.co.uk", "http://img.shop.co.uk/", "s=1");
        check(shop, "s=1; path=/; domain=.SHOP.co.uk", "http://shop.co.uk/", "s=1");
        check(shop, "s=1; path=/; domain=co.uk", "http://other.co.uk/", "");
        check(shop, "s=1; path=/; domain=co.uk", shop, "");
        check(shop, "s=1; path=/; domain=other.co.uk", "http://other.co.uk/", "");
        check(shop, "s=1; path=/; domain=op.co.uk", "http://op.co.uk/", "");
        check(shop, "s=1; path=/; secure", "https://www.shop.co.uk/", "");
        let tls = "https://www.shop.co.uk/";
        check(tls, "s=1; secure", tls, "s=1");
        check(tls, "s=1; secure", "http://www.shop.co.uk/", "");
        check(tls, "__Host-s=1; secure; path=/", tls, "__Host-s=1");
        check(tls, "__Host-s=1; secure; path=/; domain=shop.co.uk", tls, "");
        check(tls, "__Secure-s=1", tls, "");
        check(tls, "s=1; max-age=0", tls, "");
        check(tls, "s=1; max-age=9", tls, "s=1");
        check(tls, "s=1; expires=Sun, 06 Nov 1994 08:49:37 GMT", tls, "");
        check("http://127.0.0.1/", "s=1", "http://127.0.0.1:8080/", "s=1");
        check("http://127.0.0.1/", "s=1; domain=127.0.0.1", "http://127.0.0.1/", "s=1");
        check("http://127.0.0.1/", "s=1; domain=0.0.1", "http://127.0.0.1/", "");
        check("http://localhost/", "s=1", "http://localhost/", "s=1");
        // A host that is itself a public suffix (as a page on a hosting domain) speaks for itself.
        check("http://github.io/", "s=1; domain=github.io", "http://a.github.io/", "");
        check("http://github.io/", "s=1; domain=github.io", "http://github.io/", "s=1");
    }

    #[test]
    fn cookies_are_replaced_deleted_and_sorted() {
        let jar = CookieJar::default();
        let url = "http://h.example/a/b/c";
        store(&jar, url, &["one=1; path=/", "two=2; path=/a/b", "three=3; path=/a"]);
        assert_eq!(sent(&jar, url), "two=2; three=3; one=1");
        store(&jar, url, &["one=9; path=/", "three=; path=/a; max-age=0"]);
        assert_eq!(sent(&jar, url), "two=2; one=9");
        store(&jar, url, &["two=; path=/a/b; max-age=0", "one=; path=/; max-age=-1"]);
        assert_eq!(sent(&jar, url), "");
        assert!(jar.lock().is_empty());
    }

    #[test]
    fn the_jar_is_bounded() {
        let jar = CookieJar::default();
        for i in 0..MAX_PER_SITE + 10 {
            store(&jar, "http://a.example/", &[&format!("c{i}=1")]);
        }
        let header = sent(&jar, "http://a.example/");
        assert_eq!(header.split("; ").count(), MAX_PER_SITE);
        assert!(header.starts_with("c10=1; "), "{header}");
        store(&jar, "http://b.example/", &[&format!("big={}", "x".repeat(MAX_BYTES))]);
        assert_eq!(sent(&jar, "http://b.example/"), "");
        for i in 0..MAX_SITES + 10 {
            store(&jar, &format!("http://s{i}.example/"), &["s=1"]);
        }
        assert_eq!(jar.lock().len(), MAX_SITES);
    }
}
