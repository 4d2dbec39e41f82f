//! When are two addresses the same?

use proptest::prelude::*;
use quarry_crawl::Address;

#[track_caller]
fn check(text: &str, expect: &str) {
    let got = Address::normalise(text);
    assert_eq!(got.as_ref().map(Address::as_str).map_err(ToString::to_string), Ok(expect));
    let again = Address::normalise(expect).unwrap();
    assert_eq!(again.as_str(), expect, "normalising twice");
    assert_eq!(Ok(again), got, "the parts are the same, too");
}

#[track_caller]
fn refused(text: &str, why: &str) {
    let error = Address::normalise(text).unwrap_err().to_string();
    assert!(error.contains(why), "{error}");
}

#[test]
fn scheme_host_and_port() {
    check("HTTP://WWW.Example.COM/", "http://www.example.com/");
    check("http://example.com:80/a", "http://example.com/a");
    check("https://example.com:443", "https://example.com/");
    check("https://example.com:80/", "https://example.com:80/");
    check("http://example.com:08080/", "http://example.com:8080/");
    check("https://example.com./a", "https://example.com/a");
    check("https://user:secret@example.com/", "https://example.com/");
    check("https://Bücher.example/", "https://xn--bcher-kva.example/");
    check("http://127.1/", "http://127.0.0.1/");
    check("http://0x7f.0.0.1:9/", "http://127.0.0.1:9/");
    check("http://[::1]:8080/", "http://[::1]:8080/");
    check("  https://example.com/a\n", "https://example.com/a");
    check("https:\\\\example.com\\a", "https://example.com/a");
}

#[test]
fn path() {
    check("https://x.example", "https://x.example/");
    check("https://x.example/a/./b/../c", "https://x.example/a/c");
    check("https://x.example/a/%2e%2E/c", "https://x.example/c");
    check("https://x.example/%7Euser/%41", "https://x.example/~user/A");
    check("https://x.example/a%2fb%c3%a9", "https://x.example/a%2Fb%C3%A9");
    check("https://x.example/é ü", "https://x.example/%C3%A9%20%C3%BC");
    check("https://x.example/100%", "https://x.example/100%25");
    check("https://x.example/%4%31", "https://x.example/%2541");
    check("https://x.example//a//b", "https://x.example/a//b");
    check("https://x.example/a/", "https://x.example/a/");
    check("https://x.example/Case/Matters", "https://x.example/Case/Matters");
}

#[test]
fn query_and_fragment() {
    check("https://x.example/?", "https://x.example/");
    check("https://x.example/a?#b", "https://x.example/a");
    check("https://x.example/#!/app/route", "https://x.example/");
    check("https://x.example/?b=2&a=1&b=3", "https://x.example/?b=2&a=1&b=3");
    check("https://x.example/?a=1&&b=&c", "https://x.example/?a=1&b=&c");
    check("https://x.example/?q=a+b%20c", "https://x.example/?q=a+b%20c");
    check("https://x.example/?f[]=%41&f[]='", "https://x.example/?f[]=A&f[]=%27");
    check("https://x.example/a?b?c=/d", "https://x.example/a?b?c=/d");
}

#[test]
fn tracking_parameters_go() {
    check("https://x.example/?utm_source=a&UTM_Campaign=b&id=1", "https://x.example/?id=1");
    check("https://x.example/?gclid=1&fbclid=2&msclkid=3", "https://x.example/");
    check("https://x.example/a?mc_eid=1&page=2&_ga=3", "https://x.example/a?page=2");
    check("https://x.example/?utm=1&source=2&pk=3", "https://x.example/?utm=1&source=2&pk=3");
}

#[test]
fn session_ids_go() {
    let id = "4f2a9c0b7d1e4f2a9c0b7d1e4f2a9c0b";
    check(&format!("https://x.example/a;jsessionid={id}?b=1"), "https://x.example/a?b=1");
    check(&format!("https://x.example/a;JSESSIONID={id};v=2/b"), "https://x.example/a;v=2/b");
    check(&format!("https://x.example/..;jsessionid={id}/b"), "https://x.example/b");
    check(&format!("https://x.example/?PHPSESSID={id}&b=1"), "https://x.example/?b=1");
    check(&format!("https://x.example/?sid={id}"), "https://x.example/");
    check("https://x.example/?sid=42", "https://x.example/?sid=42");
    check("https://x.example/?session=spring-2026", "https://x.example/?session=spring-2026");
    check("https://x.example/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "https://x.example/a.aspx");
}

#[test]
fn what_is_no_address() {
    refused("mailto:me@x.example", "scheme");
    refused("javascript:void(0)", "scheme");
    refused("ftp://x.example/", "scheme");
    refused("/a/b", "absolute");
    refused("", "absolute");
    refused("http://", "absolute");
    refused("http://x.example:99999/", "absolute");
    refused("http://a b/", "absolute");
    refused(&format!("http://x.example/{}", "a".repeat(2_048)), "2048");
    refused(&format!("http://x.example/{}", "a".repeat(100_000)), "2048");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn normalising_twice_is_normalising_once(
        scheme in "(http|https|HTTPS)://",
        host in "([a-zA-Z0-9.%-]{1,12}|127\\.[0-9]{1,3}\\.0\\.1|\\[::1\\]|[é字]{1,3}\\.example)(:[0-9]{0,5})?",
        rest in "([/?&=;.:%\\\\#]|%2[eEfF5]|%[0-9a-fA-F]{2}|jsessionid=|utm_a=|sid=|\\(S\\(|[a-zA-Z0-9é 字'\"|<>^{}\\[\\]]{1,6}){0,16}",
    ) {
        if let Ok(once) = Address::normalise(&format!("{scheme}{host}{rest}")) {
            let twice = Address::normalise(once.as_str());
            prop_assert_eq!(Ok(once), twice);
        }
    }

    #[test]
    fn any_text_is_normalised_or_refused(text in "\\PC{0,80}") {
        if let Ok(once) = Address::normalise(&text) {
            prop_assert_eq!(Ok(once.clone()), Address::normalise(once.as_str()));
            let parts = format!("{}{}", once.host(), once.path_and_query());
            prop_assert_eq!(parts.as_str(), once.as_str());
        }
    }
}

#[test]
fn hosts_of_seeds() {
    for (seed, host) in [
        ("https://Books.example/a?b", Some("books.example")),
        ("http://127.0.0.1:8080/", Some("127.0.0.1")),
        ("http://user@h.example:1/", Some("h.example")),
        ("http://[::1]:80/", Some("[::1]")),
        ("books.example/x", Some("books.example")),
        ("localhost:8080", Some("localhost")),
        ("https:///", None),
    ] {
        let address = Address::of_seed(seed).ok();
        assert_eq!(address.as_ref().map(Address::host_name), host, "{seed}");
    }
}
