//! Resolves links as the WHATWG URL standard does, with short cuts for most links: absolute addresses,
//! and paths on the same host.

use url::Url;

use crate::{Address, BadAddress};

/// The address that links are relative to.
#[derive(Debug)]
pub(super) struct Base {
    address: Address,
    /// Room for the address under construction.
    room: std::cell::RefCell<String>,
}

impl Base {
    pub(super) fn new(address: Address) -> Self {
        Self { address, room: std::cell::RefCell::default() }
    }

    /// The normalised address that a trimmed `href` leads to.
    pub(super) fn resolve(&self, href: &str) -> Result<Address, BadAddress> {
        if href.bytes().any(|byte| byte == b'\\' || byte.is_ascii_control()) {
            let joined = Url::parse(self.address.as_str())?.join(href)?;
            return Address::normalise(joined.as_str());
        }
        let (before, after) = match href.as_bytes() {
            [b'/', b'/', ..] => (self.scheme(), href),
            [b'/', ..] => (self.address.host(), href),
            [] | [b'#', ..] => return Ok(self.address.clone()),
            [b'?', ..] => (self.without_query(), href),
            _ if has_scheme(href) => return absolute(href),
            _ => (self.folder(), href),
        };
        let mut room = self.room.borrow_mut();
        room.clear();
        room.push_str(before);
        room.push_str(after);
        Address::normalise(&room)
    }

    /// `https:`
    fn scheme(&self) -> &str {
        let url = self.address.as_str();
        &url[..=url.find(':').unwrap_or(0)]
    }

    fn without_query(&self) -> &str {
        &self.address.as_str()[..self.address.host().len() + self.address.path().len()]
    }

    fn folder(&self) -> &str {
        let url = self.without_query();
        &url[..=url.rfind('/').unwrap_or(url.len() - 1)]
    }
}

/// An address with a scheme. `https:path` is relative by the standard, and nobody means it.
fn absolute(href: &str) -> Result<Address, BadAddress> {
    let scheme = href.split_once(':').map_or("", |(scheme, _)| scheme);
    if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") {
        Address::normalise(href)
    } else {
        Err(BadAddress::Scheme)
    }
}

/// Whether it begins with `name:`, RFC 3986 §3.1.
fn has_scheme(href: &str) -> bool {
    let end = href.bytes().position(|b| !(b.is_ascii_alphanumeric() || b"+-.".contains(&b)));
    href.as_bytes()[0].is_ascii_alphabetic() && end.is_some_and(|end| href.as_bytes()[end] == b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, href: &str, expect: &str) {
        let got = Base::new(Address::normalise(base).unwrap()).resolve(href);
        assert_eq!(got.map_or_else(|error| error.to_string(), Address::into_string), expect);
    }

    #[test]
    fn links_resolve_as_in_a_browser() {
        let base = "https://x.example/shop/list.html?page=2";
        check(base, "/a", "https://x.example/a");
        check(base, "b?c=1#d", "https://x.example/shop/b?c=1");
        check(base, "../e/./f", "https://x.example/e/f");
        check(base, "../../../g", "https://x.example/g");
        check(base, "?page=3", "https://x.example/shop/list.html?page=3");
        check(base, "//cdn.example/h", "https://cdn.example/h");
        check(base, "HTTP://Y.example", "http://y.example/");
        check(base, "a:b/c", "its scheme is not http or https");
        check(base, "./a:b", "https://x.example/shop/a:b");
        check(base, "mailto:me@x.example", "its scheme is not http or https");
        check(base, "\\i\\j", "https://x.example/i/j");
        check(base, "k\n/l", "https://x.example/shop/k/l");
        check(base, "m n", "https://x.example/shop/m%20n");
        check(base, "über", "https://x.example/shop/%C3%BCber");
        check("https://x.example", "o", "https://x.example/o");
        check(base, "", base);
        check(base, "#p", base);
    }
}
