//! Shapes of addresses, and changes between them. The shape of a set of addresses is what
//! they have in common; a change is a part of an address that another does not have.

use serde::{Deserialize, Serialize};
use url::Url;

/// An address taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    /// Scheme, host and port.
    pub(super) origin: String,
    /// Path segments, decoded; empty ones left out.
    pub(super) segments: Vec<String>,
    /// Parameters in their order; those without a value have "".
    pub(super) params: Vec<(String, String)>,
}

impl Parts {
    pub(super) fn of(url: &Url) -> Self {
        let origin = url.host_str().unwrap_or_default();
        let origin = origin.strip_prefix("www.").unwrap_or(origin);
        let origin = match url.port() {
            Some(port) => format!("{origin}:{port}"),
            None => origin.to_owned(),
        };
        let segments = url.path_segments().into_iter().flatten();
        let segments = segments.filter(|segment| !segment.is_empty()).map(decode).collect();
        let params = url.query_pairs().map(|(k, v)| (k.into_owned(), v.into_owned())).collect();
        Self { origin, segments, params }
    }

    /// Addresses of one shape have the same key: origin, number of segments, names of parameters.
    pub(super) fn coarse_key(&self) -> u64 {
        let mut names: Vec<&str> = self.params.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let text = format!("{}/{}?{}", self.origin, self.segments.len(), names.join("&"));
        quarry_dom::key::of(&text)
    }
}

fn decode(segment: &str) -> String {
    let bytes = segment.as_bytes();
    if !bytes.contains(&b'%') {
        return segment.to_owned();
    }
    let hex = |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, _, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Stands in a shape for any number. Dates and numbers of categories stand before the part that names an
/// entity: one page of a list may show the posts of one year only, and its next page those of another.
const NUMBER: &str = "#";

/// What the addresses of a set have in common: each path segment that all share, `#` where all have a
/// number before the last segment, `*` where they differ, and the names of the parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UrlShape {
    origin: String,
    segments: Vec<Option<String>>,
    params: Vec<String>,
}

impl UrlShape {
    /// The shape of some addresses; `None` where they have a different host or number of segments, or
    /// where there are none.
    pub fn of<'a>(urls: impl IntoIterator<Item = &'a Url>) -> Option<Self> {
        let parts: Vec<Parts> = urls.into_iter().map(Parts::of).collect();
        Self::of_parts(parts.iter())
    }

    pub(super) fn of_parts<'a>(mut parts: impl Iterator<Item = &'a Parts>) -> Option<Self> {
        let first = parts.next()?;
        let mut segments: Vec<Option<String>> = first.segments.iter().cloned().map(Some).collect();
        let mut params: Vec<String> = first.params.iter().map(|(name, _)| name.clone()).collect();
        params.sort_unstable();
        params.dedup();
        let mut several = false;
        let mut are_numbers: Vec<bool> = first.segments.iter().map(|own| is_number(own)).collect();
        for other in parts {
            several |= other != first;
            if other.origin != first.origin || other.segments.len() != segments.len() {
                return None;
            }
            for (own, others) in segments.iter_mut().zip(&other.segments) {
                if own.as_ref() != Some(others) {
                    *own = None;
                }
            }
            for (is_own, others) in are_numbers.iter_mut().zip(&other.segments) {
                *is_own &= is_number(others);
            }
            params.retain(|name| other.params.iter().any(|(others, _)| others == name));
        }
        // One address alone: what looks like a number or a slug differs in the others.
        if !several {
            for own in &mut segments {
                if own.as_deref().is_some_and(is_data) {
                    *own = None;
                }
            }
        }
        // The last segment is the entity's own: others may have words there.
        are_numbers.pop();
        for (own, _) in segments.iter_mut().zip(are_numbers).filter(|(_, is_number)| *is_number) {
            *own = Some(NUMBER.to_owned());
        }
        Some(Self { origin: first.origin.clone(), segments, params })
    }

    /// Whether an address has this shape.
    #[must_use]
    pub fn fits(&self, url: &Url) -> bool {
        self.fits_parts(&Parts::of(url))
    }

    pub(super) fn fits_parts(&self, parts: &Parts) -> bool {
        let segments = || self.segments.iter().zip(&parts.segments);
        parts.origin == self.origin
            && parts.segments.len() == self.segments.len()
            && segments()
                .all(|(own, other)| own.as_ref().is_none_or(|own| fits_segment(own, other)))
            && self.params.iter().all(|name| parts.params.iter().any(|(other, _)| other == name))
            && parts.params.iter().all(|(name, _)| self.params.contains(name))
    }

    /// The shape of all addresses of both shapes; `None` where they have too little in common.
    #[must_use]
    pub fn join(&self, other: &Self) -> Option<Self> {
        if self.origin != other.origin || self.segments.len() != other.segments.len() {
            return None;
        }
        let segments = self.segments.iter().zip(&other.segments);
        let join = |(one, other): (&Option<String>, &Option<String>)| match (one, other) {
            (Some(one), Some(other)) if fits_segment(one, other) => Some(one.clone()),
            (Some(one), Some(other)) if fits_segment(other, one) => Some(other.clone()),
            _ => None,
        };
        let segments = segments.map(join).collect();
        let params =
            self.params.iter().filter(|name| other.params.contains(name)).cloned().collect();
        Some(Self { origin: self.origin.clone(), segments, params })
    }

    /// Whether nothing but the number of segments is said: many different things have such a shape.
    #[must_use]
    pub fn is_vague(&self) -> bool {
        self.params.is_empty() && self.segments.iter().all(Option::is_none)
    }
}

impl UrlShape {
    /// The path segments that all addresses share.
    pub(crate) fn constants(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flatten().map(String::as_str).filter(|segment| *segment != NUMBER)
    }
}

impl std::fmt::Display for UrlShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.origin)?;
        if self.segments.is_empty() {
            f.write_str("/")?;
        }
        for segment in &self.segments {
            write!(f, "/{}", segment.as_deref().unwrap_or("*"))?;
        }
        for (at, name) in self.params.iter().enumerate() {
            write!(f, "{}{name}", if at == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

/// Whether a segment of an address is what a shape says of it.
fn fits_segment(own: &str, other: &str) -> bool {
    own == other || (own == NUMBER && is_number(other))
}

pub(super) fn is_number(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a path segment looks like a number, an id or a slug.
fn is_data(segment: &str) -> bool {
    let stem = segment.rsplit_once('.').map_or(segment, |(stem, _)| stem);
    stem.chars().any(|c| c.is_ascii_digit()) || stem.contains(['-', '_', '+', ' ', ','])
}

/// A part of an address that differs from another's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UrlChange {
    /// A parameter that the other does not have, or one more value of it.
    Added {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// A parameter that only the other has.
    Removed {
        /// Its name.
        name: String,
        /// Its value there.
        value: String,
    },
    /// A parameter with another value.
    Changed {
        /// Its name.
        name: String,
        /// Its value there.
        from: String,
        /// Its value here.
        to: String,
    },
    /// Path segments that the other does not have.
    SegmentsAdded(Vec<String>),
    /// Path segments that only the other has.
    SegmentsRemoved(Vec<String>),
    /// A path segment that differs.
    SegmentChanged {
        /// What the other has there.
        from: String,
        /// What this has there.
        to: String,
    },
    /// Another host, or a path that has too little in common.
    Elsewhere,
}

/// What changes on the way from one address to another: nothing for the same address.
#[must_use]
pub fn changes(from: &Url, to: &Url) -> Vec<UrlChange> {
    changes_of(&Parts::of(from), &Parts::of(to))
}

pub(super) fn changes_of(from: &Parts, to: &Parts) -> Vec<UrlChange> {
    if from.origin != to.origin {
        return vec![UrlChange::Elsewhere];
    }
    let mut found = Vec::new();
    path_changes(&from.segments, &to.segments, &mut found);
    let mut gone: Vec<&(String, String)> =
        from.params.iter().filter(|pair| !to.params.contains(pair)).collect();
    for pair in to.params.iter().filter(|pair| !from.params.contains(pair)) {
        match gone.iter().position(|other| other.0 == pair.0) {
            Some(at) => {
                let before = gone.remove(at).1.clone();
                let (name, to) = pair.clone();
                found.push(UrlChange::Changed { name, from: before, to });
            }
            None => found.push(UrlChange::Added { name: pair.0.clone(), value: pair.1.clone() }),
        }
    }
    for (name, value) in gone {
        found.push(UrlChange::Removed { name: name.clone(), value: value.clone() });
    }
    found
}

fn path_changes(from: &[String], to: &[String], found: &mut Vec<UrlChange>) {
    let before = from.iter().zip(to).take_while(|(one, other)| one == other).count();
    let (from, to) = (&from[before..], &to[before..]);
    let behind =
        from.iter().rev().zip(to.iter().rev()).take_while(|(one, other)| one == other).count();
    let (from, to) = (&from[..from.len() - behind], &to[..to.len() - behind]);
    match (from, to) {
        ([], []) => {}
        ([], added) => found.push(UrlChange::SegmentsAdded(added.to_vec())),
        (gone, []) => found.push(UrlChange::SegmentsRemoved(gone.to_vec())),
        ([one], [other]) if before + behind > 0 => {
            found.push(UrlChange::SegmentChanged { from: one.clone(), to: other.clone() });
        }
        _ => found.push(UrlChange::Elsewhere),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn shapes_keep_what_all_share() {
        let shape = |urls: &[&str]| {
            let urls: Vec<Url> = urls.iter().map(|u| url(u)).collect();
            UrlShape::of(&urls).map(|s| s.to_string()).unwrap_or_default()
        };
        assert_eq!(shape(&["http://a.b/shoe/x", "http://a.b/shoe/y"]), "a.b/shoe/*");
        assert_eq!(shape(&["http://a.b/shoe/red-12"]), "a.b/shoe/*");
        assert_eq!(shape(&["http://a.b/i?id=1&x=2", "http://www.a.b/i?id=3"]), "a.b/i?id");
        assert_eq!(shape(&["http://a.b/x", "http://a.b/x/y"]), "");
        assert_eq!(shape(&["http://a.b/2024/5/x-y", "http://a.b/2024/7/z"]), "a.b/#/#/*");
        assert_eq!(shape(&["http://a.b/2024/5/x-y"]), "a.b/#/#/*");
        let dated =
            UrlShape::of([&url("http://a.b/2024/5/x"), &url("http://a.b/2024/5/y")]).unwrap();
        assert!(
            dated.fits(&url("http://a.b/2019/11/z")) && !dated.fits(&url("http://a.b/tag/x/2"))
        );
        let one = UrlShape::of([&url("http://a.b/k/p-1"), &url("http://a.b/k/p-2")]).unwrap();
        let other = UrlShape::of([&url("http://a.b/m/p-3"), &url("http://a.b/m/p-4")]).unwrap();
        assert_eq!(one.join(&other).map(|s| s.to_string()).unwrap_or_default(), "a.b/*/*");
        let shape = UrlShape::of([&url("http://a.b/p/1"), &url("http://a.b/p/2")]).unwrap();
        assert!(shape.fits(&url("https://a.b/p/77")));
        assert!(!shape.fits(&url("https://a.b/p/77?x=1")) && !shape.fits(&url("http://a.b/q/7")));
    }

    #[test]
    fn changes_name_the_part_that_differs() {
        let check = |from: &str, to: &str, expect: &str| {
            let found = changes(&url(from), &url(to));
            assert_eq!(serde_json::to_string(&found).unwrap(), expect, "{from} {to}");
        };
        let (a, b) = ("http://a.b/s?c=1", "http://a.b/s?c=1&d=2");
        check(a, b, r#"[{"added":{"name":"d","value":"2"}}]"#);
        check(b, a, r#"[{"removed":{"name":"d","value":"2"}}]"#);
        check(a, "http://a.b/s?c=3", r#"[{"changed":{"name":"c","from":"1","to":"3"}}]"#);
        check("http://a.b/s", "http://a.b/s/x/", r#"[{"segments-added":["x"]}]"#);
        check("http://a.b/s/x/t", "http://a.b/s/t", r#"[{"segments-removed":["x"]}]"#);
        check("http://a.b/s/x", "http://a.b/s/y", r#"[{"segment-changed":{"from":"x","to":"y"}}]"#);
        check("http://a.b/s", "http://c.d/s", r#"["elsewhere"]"#);
    }
}
