//! Faults of a site's answers, chosen by path and rate, the same every time.

use serde::{Deserialize, Serialize};

use crate::prng::hash;

/// The faults of a site, first match first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Faults {
    /// The rules.
    pub rules: Vec<FaultRule>,
}

/// One fault and where it strikes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultRule {
    /// A path with `*` for any run of characters; it is compared with path and query.
    pub path: String,
    /// Share of the matching addresses that are struck.
    #[serde(default = "always")]
    pub rate: f64,
    /// Only the first so many requests of an address fail; 0 means all of them.
    #[serde(default)]
    pub times: u32,
    /// What happens.
    pub fault: Fault,
}

fn always() -> f64 {
    1.0
}

/// What can happen to an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The answer comes late.
    Latency {
        /// Milliseconds before the first byte.
        ms: u64,
    },
    /// The connection is accepted, the request is read, nothing ever comes.
    Stall,
    /// The connection is reset before the head.
    ResetBeforeHead,
    /// The connection is reset in the middle of the body.
    ResetMidBody,
    /// An error of the server.
    ServerError {
        /// 500 to 599.
        status: u16,
    },
    /// 429 with Retry-After.
    TooManyRequests {
        /// Seconds.
        retry_after: u32,
    },
    /// 403.
    Forbidden,
    /// A redirect to itself, by way of another address.
    RedirectLoop,
    /// A redirect somewhere else, as to a private address.
    RedirectTo {
        /// The `Location`.
        to: String,
    },
    /// Latin-1 bytes that claim to be UTF-8.
    WrongCharset,
    /// Windows-1252 bytes and nobody says so.
    MissingCharset,
    /// A body without end.
    EndlessBody,
    /// A few bytes at a time.
    SlowDrip {
        /// Milliseconds between pieces of 64 bytes.
        ms: u64,
    },
    /// A small compressed body that is large when decompressed.
    GzipBomb {
        /// Decompressed size.
        mib: u32,
    },
    /// Compressed, but the end is missing.
    GzipTruncated,
    /// Content-Length says more than comes.
    LengthTooLong,
    /// Content-Length says less than comes.
    LengthTooShort,
    /// Header fields of this size.
    HugeHeaders {
        /// Kibibytes.
        kib: u32,
    },
    /// Bytes that are not HTTP.
    Garbage,
    /// Chunked, with a broken chunk.
    BrokenChunks,
    /// 200 with a page that says "not found".
    Soft404,
    /// Every page redirects until the cookie that it sets comes back.
    CookieWall,
    /// Elements nested so deep that parsers overflow.
    DeepNesting {
        /// How deep.
        depth: u32,
    },
    /// 200 with no body.
    EmptyBody,
    /// A body that is not HTML, under an HTML content type.
    Binary,
}

impl Faults {
    /// A site on which one fault strikes every address that matches.
    #[must_use]
    pub fn one(path: &str, fault: Fault) -> Self {
        Self { rules: vec![FaultRule { path: path.to_owned(), rate: 1.0, times: 0, fault }] }
    }

    /// The fault that strikes the `attempt`-th request (from 1) of an address.
    #[must_use]
    pub fn strike(&self, seed: u64, target: &str, attempt: u32) -> Option<&Fault> {
        let struck = self.rules.iter().enumerate().find(|(i, rule)| {
            matches(&rule.path, target)
                && (rule.times == 0 || attempt <= rule.times)
                && (hash(seed, target, *i as u64) >> 11) as f64 / ((1u64 << 53) as f64) < rule.rate
        });
        struck.map(|(_, rule)| &rule.fault)
    }

    /// True when a rule counts the requests of an address.
    #[must_use]
    pub fn counts_attempts(&self) -> bool {
        self.rules.iter().any(|r| r.times > 0)
    }
}

/// Does the pattern, with `*` for any run of characters, fit the whole text?
#[must_use]
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, expect) in [
            ("/p/*", "/p/1", true),
            ("/p/*", "/q/1", false),
            ("*", "/anything?x=1", true),
            ("/a*b*c", "/aXbYc", true),
            ("/a*b*c", "/ac", false),
            ("/a", "/a", true),
            ("/a", "/ab", false),
            ("/a*a", "/a", false),
        ] {
            assert_eq!(matches(pattern, text), expect, "{pattern} {text}");
        }
    }

    #[test]
    fn the_rate_and_the_times_hold() {
        let rule = |rate, times| Faults {
            rules: vec![FaultRule { path: "/p/*".into(), rate, times, fault: Fault::Forbidden }],
        };
        let struck =
            |f: &Faults| (0..1000).filter(|i| f.strike(1, &format!("/p/{i}"), 1).is_some()).count();
        assert!((150..250).contains(&struck(&rule(0.2, 0))));
        assert_eq!(struck(&rule(0.0, 0)), 0);
        let twice = rule(1.0, 2);
        assert!(twice.strike(1, "/p/1", 2).is_some() && twice.strike(1, "/p/1", 3).is_none());
    }
}
