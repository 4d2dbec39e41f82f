//! What does a robots.txt mean? The RFC's examples, and published corner cases of the parser that
//! its authors maintain.

use std::time::Duration;

use proptest::prelude::*;
use quarry_crawl::Address;
use quarry_crawl::robots::{MAX_BYTES, Rules, product_token};

/// Whether a crawler named `FooBot` may ask for a path.
#[track_caller]
fn check(robots: &str, path: &str, allowed: bool) {
    let rules = Rules::parse(robots.as_bytes(), "FooBot");
    let address = Address::normalise(&format!("https://x.example{path}")).unwrap();
    assert_eq!(rules.allows(address.path_and_query()), allowed, "{path} in\n{robots}");
}

/// Whether a rule covers a path.
#[track_caller]
fn covers(rule: &str, path: &str, yes: bool) {
    check(&format!("user-agent: foobot\ndisallow: {rule}\n"), path, !yes);
}

/// RFC 9309 §5.1.
const SIMPLE: &str = "\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
EOD
";

#[test]
fn the_simple_example_of_the_rfc() {
    for (agent, path, allowed) in [
        ("anybot", "/example/", false),
        ("anybot", "/a.gif", false),
        ("anybot", "/a.gif?x", true),
        ("anybot", "/publications/", true),
        ("foobot", "/", false),
        ("foobot", "/publications/", false),
        ("FooBot", "/example/page.html", true),
        ("foobot", "/example/allowed.gif", true),
        ("barbot", "/example/page.html", false),
        ("bazbot", "/example/page.html", false),
        ("bazbot", "/example/", true),
        ("quxbot", "/example/page.html", true),
    ] {
        let rules = Rules::parse(SIMPLE.as_bytes(), agent);
        assert_eq!(rules.allows(path), allowed, "{agent} {path}");
    }
}

#[test]
fn the_longest_match_of_the_rfc() {
    let robots =
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
    check(robots, "/example/page/", true);
    check(robots, "/example/page/disallowed.gif", false);
    check(robots, "/example/page/disallowed.gif/more", false);
    let order = "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n";
    check(order, "/x/page.html", false);
    check(order, "/x/", true);
    let tie = "user-agent: FooBot\ndisallow: /same\nallow: /same\n";
    check(tie, "/same", true);
    let wild = "user-agent: FooBot\ndisallow: /x/page.html\nallow: /*.html\n";
    check(wild, "/x/page.html", false);
    check(wild, "/x/y.html", true);
}

#[test]
fn groups() {
    check("allow: /foo/bar/\nuser-agent: FooBot\ndisallow: /\n", "/foo/bar/", false);
    let merged = "user-agent: FooBot\ndisallow: /a\n\nuser-agent: BarBot\ndisallow: /b\n\
                  user-agent: FooBot\ndisallow: /c\n";
    check(merged, "/a", false);
    check(merged, "/b", true);
    check(merged, "/c", false);
    check("user-agent: *\ndisallow: /x\nuser-agent: FooBot\nallow: /y\n", "/x", true);
    check("user-agent: BarBot\ndisallow: /\n", "/x", true);
    check("user-agent: *\ndisallow: /\n", "/x", false);
    check("user-agent: * baz\ndisallow: /\n", "/x", false);
    check("user-agent: *baz\ndisallow: /\n", "/x", true);
    check("user-agent: FooBot/2.1\ndisallow: /\n", "/x", false);
    check("user-agent: FooBot Extra\ndisallow: /\n", "/x", false);
    check("user-agent: FooBots\ndisallow: /\n", "/x", true);
    check("user-agent: Foo\ndisallow: /\n", "/x", true);
    // Lines of other kinds do not end a list of user agents.
    let sitemap = "user-agent: FooBot\nsitemap: https://x.example/s.xml\n\nuser-agent: BarBot\n\
                   disallow: /\n";
    check(sitemap, "/x", false);
    check("user-agent: FooBot\n\n\ndisallow: /x\n", "/x", false);
}

#[test]
fn lines() {
    check("User-Agent: FooBot\rDisallow: /x\r", "/x", false);
    check("User-Agent: FooBot\r\nDisallow: /x\r\n", "/x", false);
    check("\u{feff}User-Agent: FooBot\nDisallow: /x\n", "/x", false);
    check("USER-AGENT : FooBot # us\n  DISALLOW :  /x   # not this\n", "/x", false);
    check("user-agent FooBot\ndisallow /x\n", "/x", false);
    check("user agent: FooBot\ndissallow: /x\n", "/x", false);
    check("user-agent: FooBot\ndisallow: /x # y\n", "/x%20", false);
    check("user-agent: FooBot\ndisallow:\n", "/x", true);
    check("user-agent: FooBot\nfoo: /x\n<html>\ndisallow: /x", "/x", false);
    check("<!doctype html><title>Not found</title>", "/x", true);
    check("", "/x", true);
    check("user-agent: FooBot\ndisallow: /\n", "/robots.txt", true);
}

#[test]
fn paths() {
    covers("/fish", "/fish", true);
    covers("/fish", "/fish.html", true);
    covers("/fish", "/fishheads/yummy.html", true);
    covers("/fish", "/fish.php?id=anything", true);
    covers("/fish", "/Fish.asp", false);
    covers("/fish", "/catfish", false);
    covers("/fish", "/desert/fish", false);
    covers("/fish*", "/fish/salmon.html", true);
    covers("/fish*", "/catfish", false);
    covers("/fish/", "/fish/", true);
    covers("/fish/", "/fish", false);
    covers("/*.php", "/index.php", true);
    covers("/*.php", "/folder/any.php.file.html", true);
    covers("/*.php", "/windows.PHP", false);
    covers("/*.php$", "/filename.php", true);
    covers("/*.php$", "/filename.php?parameters", false);
    covers("/*.php$", "/filename.php/", false);
    covers("/fish*.php", "/fishheads/catfish.php?parameters", true);
    covers("/fish*.php", "/Fish.PHP", false);
    covers("/$", "/", true);
    covers("/$", "/page", false);
    covers("*/a*b$", "/x/a-b-b", true);
    covers("*/a*b$", "/x/a-b-c", false);
    covers("/a**b", "/a-x-b", true);
    covers("fish", "/fish", true);
}

#[test]
fn percent_encoding() {
    // The table of RFC 9309 §2.2.2.
    covers("/foo/bar?baz=quux", "/foo/bar?baz=quux", true);
    covers("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", true);
    covers("/foo/bar?baz=http%3A%2F%2Ffoo.bar", "/foo/bar?baz=http://foo.bar", true);
    covers("/foo/bar/ツ", "/foo/bar/%E3%83%84", true);
    covers("/foo/bar/%E3%83%84", "/foo/bar/ツ", true);
    covers("/foo/bar/%e3%83%84", "/foo/bar/ツ", true);
    covers("/foo/bar/%62%61%7A", "/foo/bar/baz", true);
    // §2.2.3: signs that are meant as characters.
    covers("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", true);
    covers("/path/file-with-a-%2A.html", "/path/file-with-a-b.html", false);
    covers("/path/foo-%24", "/path/foo-$", true);
    covers("/path/foo-%24", "/path/foo-", false);
    covers("/a$b", "/a$b", true);
    covers("/a%2Fb", "/a/b", false);
}

#[test]
fn crawl_delay_and_sitemaps() {
    let robots = "Sitemap: https://x.example/one.xml\nUser-agent: *\nCrawl-delay: 7\n\
                  User-agent: FooBot\nCrawl-delay: 0.5\nDisallow: /x\nsitemap:/two.xml\n";
    let ours = Rules::parse(robots.as_bytes(), "foobot");
    assert_eq!(ours.crawl_delay(), Some(Duration::from_millis(500)));
    assert_eq!(ours.sitemaps(), ["https://x.example/one.xml", "/two.xml"]);
    let others = Rules::parse(robots.as_bytes(), "otherbot");
    assert_eq!(others.crawl_delay(), Some(Duration::from_secs(7)));
    for odd in ["-1", "soon", "NaN", ""] {
        let rules = Rules::parse(format!("user-agent: *\ncrawl-delay: {odd}\n").as_bytes(), "x");
        assert_eq!(rules.crawl_delay(), None, "{odd}");
    }
    let endless = Rules::parse(b"user-agent: *\ncrawl-delay: 1e300\n", "x");
    assert_eq!(endless.crawl_delay(), Some(Duration::MAX));
}

#[test]
fn what_lies_beyond_the_limit_is_ignored() {
    let mut robots = b"user-agent: *\ndisallow: /a\n".to_vec();
    robots.resize(MAX_BYTES, b'#');
    robots.extend_from_slice(b"\ndisallow: /b\n");
    let rules = Rules::parse(&robots, "x");
    assert!(!rules.allows("/a"));
    assert!(rules.allows("/b"));
}

#[test]
fn product_tokens() {
    assert_eq!(product_token("Quarry/1.0 (+https://x.example/bot)"), "Quarry");
    assert_eq!(product_token("my-bot_x"), "my-bot_x");
    assert_eq!(product_token("7zip"), "");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), path in "/\\PC{0,30}") {
        let rules = Rules::parse(&bytes, "quarry");
        let _ = rules.allows(&path);
    }

    #[test]
    fn no_lines_make_it_panic(
        lines in "((user-agent|disallow|allow|crawl-delay|sitemap):? ?[*$/a%é0-9.]{0,8}[\r\n]{0,2}){0,12}",
        path in "/[*$/a%é0-9.]{0,12}",
    ) {
        let rules = Rules::parse(lines.as_bytes(), "a");
        let _ = rules.allows(&path);
    }
}

#[test]
fn patterns_with_hundreds_of_wildcards_cost_little_and_err_on_the_side_of_the_host() {
    let wild = |n: usize, end: &str| format!("/a{}{end}", "*b".repeat(n));
    let mut text = String::from("User-agent: *\n");
    for n in 0..1_100 {
        text.push_str(&format!("Disallow: {}\n", wild(200, &format!("z{n}"))));
    }
    text.push_str(&format!("Allow: {}\n", wild(300, "q")));
    let rules = Rules::parse(text.as_bytes(), "quarry");
    let long = format!("/a{}", "b".repeat(1_500));
    // A rule that is too long to be read to its end forbids what its beginning covers.
    assert!(!rules.allows(&long));
    assert!(rules.allows("/a"));
    assert!(rules.allows("/other"));
    for n in 0..20_000 {
        assert!(rules.allows(&format!("/item/{n}")));
    }
    let double = Rules::parse(b"User-agent: *\nDisallow: /x**y***z$\n", "quarry");
    assert!(!double.allows("/x1y2z") && !double.allows("/xyz") && double.allows("/xyza"));
}
