//! Matches paths with robots.txt rules (RFC 9309 §2.2.2 and §2.2.3): prefix match, `*` for any
//! run of characters, `$` for the end, percent-encodings compared in one spelling.

use std::borrow::Cow;

use crate::address::push_normal;

/// The path of an `Allow` or `Disallow` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// What stands between the `*`.
    literals: Vec<String>,
    /// Whether it ends with `$`.
    anchored: bool,
    /// Its length in octets, by which the most specific rule is found.
    len: usize,
    /// Length of the shortest path that it can match.
    shortest: usize,
    /// Whether its end was cut off, so that it covers more than it says.
    pub(super) is_cut: bool,
}

/// Most `*` of one pattern; those of real sites have one to four. Beyond, the pattern ends.
const MAX_WILDCARDS: usize = 16;

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.literals.join("*"))?;
        f.write_str(if self.anchored { "$" } else { "" })
    }
}

impl Pattern {
    /// `None` for an empty line, which rules nothing.
    pub(super) fn parse(value: &str) -> Option<Self> {
        if value.is_empty() {
            return None;
        }
        // A path begins with `/`; a rule that forgets it is taken as if it had it.
        let slash = if value.starts_with(['/', '*', '$']) { "" } else { "/" };
        let (value, anchored) = match value.strip_suffix('$') {
            Some(before) => (before, true),
            None => (value, false),
        };
        let mut encoded = String::with_capacity(value.len() + 1);
        encoded.push_str(slash);
        for c in value.chars() {
            if c.is_ascii_graphic() {
                encoded.push(c);
            } else {
                let mut buffer = [0; 4];
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    encoded.push_str(&format!("%{byte:02X}"));
                }
            }
        }
        let mut normal = String::with_capacity(encoded.len());
        push_normal(&mut normal, &encoded);
        let decoded = decode_query(&normal);
        let len = decoded.len() + usize::from(anchored);
        let mut literals: Vec<String> = Vec::new();
        for (n, literal) in decoded.split('*').enumerate() {
            // `**` is `*`; the first literal and the last have their own meaning.
            if n > 0
                && literal.is_empty()
                && literals.len() > 1
                && literals.last().is_some_and(String::is_empty)
            {
                continue;
            }
            literals.push(literal.replace('$', "%24"));
        }
        let is_cut = literals.len() > MAX_WILDCARDS + 1;
        if is_cut {
            literals.truncate(MAX_WILDCARDS);
            literals.push(String::new());
        }
        let shortest = literals.iter().map(String::len).sum();
        Some(Self { literals, anchored: anchored && !is_cut, len, shortest, is_cut })
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The second byte of everything that matches, or 0 where it can be any.
    pub(super) fn second_byte(&self) -> u8 {
        self.literals[0].as_bytes().get(1).copied().unwrap_or(0)
    }

    /// Whether the pattern covers a path in [`matching_form`].
    pub(super) fn matches(&self, path: &str) -> bool {
        if path.len() < self.shortest {
            return false;
        }
        let (first, others) = self.literals.split_first().expect("a split gives one part at least");
        let Some(mut rest) = path.strip_prefix(first.as_str()) else { return false };
        let Some((last, middle)) = others.split_last() else {
            return !self.anchored || rest.is_empty();
        };
        // The leftmost place for each literal leaves the most room for those after it.
        for literal in middle {
            let Some(at) = rest.find(literal.as_str()) else { return false };
            rest = &rest[at + literal.len()..];
        }
        if self.anchored { rest.ends_with(last.as_str()) } else { rest.contains(last.as_str()) }
    }
}

/// A normalised path and query as patterns are compared with it: `*` and `$` encoded (in a pattern
/// they are signs), and `:` and `/` of the query decoded (RFC 9309 §2.2.2, table).
pub(super) fn matching_form(path: &str) -> Cow<'_, str> {
    let path = decode_query(path);
    if !path.contains(['*', '$']) {
        return path;
    }
    Cow::Owned(path.replace('*', "%2A").replace('$', "%24"))
}

fn decode_query(path: &str) -> Cow<'_, str> {
    match path.split_once('?') {
        Some((before, query)) if query.contains("%3A") || query.contains("%2F") => {
            let query = query.replace("%3A", ":").replace("%2F", "/");
            Cow::Owned(format!("{before}?{query}"))
        }
        _ => Cow::Borrowed(path),
    }
}
