//! Are the rules of a robots.txt read as RFC 9309 has them, whatever else stands there?

use quarry_crawl::Address;
use quarry_crawl::robots::{Rules, product_token};

use crate::split_line;

/// The first line is the user agent, the second a path, the rest a robots.txt.
pub fn robots(data: &[u8]) {
    let (agent, rest) = split_line(data);
    let (path, text) = split_line(rest);
    let product = product_token(&agent);
    let rules = Rules::parse(text, product);
    let _ = rules.allows(&path);
    assert!(rules.allows("/robots.txt"));
    assert!(!rules.forbids_everything(), "only a missing answer does that");

    if let Ok(address) = Address::normalise(&format!("https://x.example/{path}")) {
        let path = address.path_and_query();
        let allowed = rules.allows(path);
        assert!(allowed || mentions_disallow(text), "nothing forbids {path}");
        let commented = [text, b"\n# Disallow: /\n"].concat();
        assert_eq!(Rules::parse(&commented, product), rules, "a comment counts");
        check_one_rule(&path.to_ascii_lowercase(), text);
    }
}

/// Whether some key of the text could be `Disallow` or a misspelling of it.
fn mentions_disallow(text: &[u8]) -> bool {
    let begins = |pair: &[u8]| pair.eq_ignore_ascii_case(b"di");
    text.windows(2).any(begins)
}

/// A pattern of plain characters, made of the text, against the simplest matcher there is.
fn check_one_rule(path: &str, text: &[u8]) {
    let sign = |&&byte: &&u8| matches!(byte, b'a'..=b'z' | b'/' | b'*' | b'$' | b'.' | b'-');
    let pattern: String = text.iter().filter(sign).take(24).map(|&b| char::from(b)).collect();
    let body = pattern.strip_suffix('$').unwrap_or(&pattern);
    // A `$` that is not the last sign stands for itself, which paths spell in their own way.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/.-".contains(&byte);
    if body.contains('$') || !path.bytes().all(plain) {
        return;
    }
    let rules = format!("User-agent: *\nDisallow: {pattern}\n");
    let rules = Rules::parse(rules.as_bytes(), "quarry");
    let slash = if pattern.starts_with(['/', '*', '$']) { "" } else { "/" };
    // An empty rule rules nothing, and robots.txt itself can always be asked for.
    let covered = !pattern.is_empty() && covers(&format!("{slash}{pattern}"), path);
    let expected = covered && path != "/robots.txt";
    assert_eq!(!rules.allows(path), expected, "{pattern} and {path}");
}

/// RFC 9309 §2.2.3, keeping all places of the path that the signs so far can end at.
fn covers(pattern: &str, path: &str) -> bool {
    let (body, anchored) = match pattern.strip_suffix('$') {
        Some(body) => (body, true),
        None => (pattern, false),
    };
    let mut ends = vec![false; path.len() + 1];
    ends[0] = true;
    for sign in body.bytes() {
        if sign == b'*' {
            let first = ends.iter().position(|&end| end).unwrap_or(ends.len());
            ends[first..].fill(true);
        } else {
            for at in (0..path.len()).rev() {
                ends[at + 1] = ends[at] && path.as_bytes()[at] == sign;
            }
            ends[0] = false;
        }
    }
    if anchored { ends[path.len()] } else { ends.contains(&true) }
}
