//! Parses `Content-Encoding` fields: tokens of RFC 9110 §8.4.1, with the aliases that servers use.

use quarry_model::Headers;

/// A content coding that can be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coding {
    /// RFC 1952; also `x-gzip`.
    Gzip,
    /// RFC 1950, or RFC 1951 without the wrapper, as some servers send it.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

impl Coding {
    /// The token that names it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }

    /// The codings that the values of `Content-Encoding` fields name, in the order in which they
    /// were applied. As in browsers, a token that names no known coding (`identity`, `none`,
    /// `utf-8` …) stands for none.
    pub fn parse<'a>(values: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let tokens = values.into_iter().flat_map(|value| value.split(','));
        tokens.filter_map(|token| Self::from_token(token.trim())).collect()
    }

    /// The codings of a response with these header fields.
    #[must_use]
    pub fn of(headers: &Headers) -> Vec<Self> {
        Self::parse(headers.all("content-encoding"))
    }

    fn from_token(token: &str) -> Option<Self> {
        let is = |name: &str| token.eq_ignore_ascii_case(name);
        if is("gzip") || is("x-gzip") {
            Some(Self::Gzip)
        } else if is("deflate") || is("x-deflate") {
            Some(Self::Deflate)
        } else if is("br") {
            Some(Self::Brotli)
        } else if is("zstd") || is("x-zstd") {
            Some(Self::Zstd)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_content_encoding() {
        fn check(values: &[&str], expect: &[Coding]) {
            assert_eq!(Coding::parse(values.iter().copied()), expect, "{values:?}");
        }
        check(&[], &[]);
        check(&["identity"], &[]);
        check(&["GZIP"], &[Coding::Gzip]);
        check(&["x-gzip, br"], &[Coding::Gzip, Coding::Brotli]);
        check(&["deflate", " zstd ,"], &[Coding::Deflate, Coding::Zstd]);
        check(&["utf-8"], &[]);
    }
}
