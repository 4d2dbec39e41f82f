//! Has every address exactly one spelling?

use quarry_crawl::{Address, MAX_LENGTH};
use url::Url;

use crate::split_line;

/// The first line is an address, the rest a reference that is resolved against it.
pub fn url(data: &[u8]) {
    let (base, reference) = split_line(data);
    let reference = String::from_utf8_lossy(reference);
    check(&base);
    check(&reference);
    if let Ok(joined) = Url::parse(&base).and_then(|base| base.join(&reference)) {
        check(joined.as_str());
    }
}

fn check(text: &str) {
    let Ok(address) = Address::normalise(text) else { return };
    let url = address.as_str();
    assert_eq!(Address::normalise(url).as_ref(), Ok(&address), "{text:?} changes again");
    check_parts(&address);

    // The parser that browsers' behaviour is written down in reads the same parts.
    let parsed = Url::parse(url).expect("a normalised address is an address");
    assert_eq!(parsed.as_str(), url);
    assert_eq!(parsed.host_str(), Some(address.host_name()));
    assert_eq!(parsed.path(), address.path());
    assert_eq!(parsed.query(), address.query());
    assert_eq!(parsed.username(), "");

    // There is a short cut for what looks normal; a scheme in capitals is not let through it.
    let (scheme, rest) = url.split_once(':').expect("an address has a scheme");
    let long_way = format!("{}:{rest}", scheme.to_ascii_uppercase());
    assert_eq!(Address::normalise(&long_way).as_ref(), Ok(&address), "the short cut");
    if let Some((scheme, rest)) = text.split_once(':')
        && scheme.eq_ignore_ascii_case("http") | scheme.eq_ignore_ascii_case("https")
    {
        let long_way = format!("{}:{rest}", scheme.to_ascii_uppercase());
        assert_eq!(Address::normalise(&long_way).as_ref(), Ok(&address), "{text:?}: the short cut");
    }
    // What says nothing about which page is asked.
    assert_eq!(Address::normalise(&format!(" {url}#f#g\n")).as_ref(), Ok(&address));
}

fn check_parts(address: &Address) {
    let url = address.as_str();
    assert!(url.len() <= MAX_LENGTH);
    assert!(url.is_ascii() && !url.contains(['#', ' ']), "{url}");
    assert_eq!(format!("{}{}", address.host(), address.path_and_query()), url);
    let (_, authority) = address.host().split_once("://").expect("a host has its scheme");
    assert_eq!(address.authority(), authority);
    assert!(authority.starts_with(address.host_name()) && !address.host_name().is_empty());
    assert!(address.path().starts_with('/'));
    match address.query() {
        Some(query) => {
            assert!(!query.is_empty());
            assert_eq!(format!("{}?{query}", address.path()), address.path_and_query());
        }
        None => assert_eq!(address.path(), address.path_and_query()),
    }
    assert!(address.segments().all(|segment| !segment.is_empty() && segment != ".."));
    assert_eq!(address.parameters().count(), address.query().map_or(0, |q| q.split('&').count()));
    let _ = address.is_loopback();
}
