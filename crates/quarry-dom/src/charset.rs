//! Detects and decodes character encodings. The encoding is found in the order that the HTML
//! standard gives (§13.2.3.2 "determining the character encoding"): byte order mark, transport
//! layer, `meta` in the first 1024 bytes, and where nobody says, the bytes themselves.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

mod prescan;

/// The encoding of a page and how it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charset {
    encoding: &'static Encoding,
    source: CharsetSource,
    malformed: bool,
}

/// Who said what the encoding is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CharsetSource {
    /// A byte order mark at the beginning.
    ByteOrderMark,
    /// The `charset` of the `Content-Type` header.
    Header,
    /// A `meta` element in the first 1024 bytes, or an XML declaration.
    Meta,
    /// Nobody; the bytes look like it.
    Detected,
    /// The page came as text.
    Text,
}

impl Default for Charset {
    fn default() -> Self {
        Self { encoding: UTF_8, source: CharsetSource::Text, malformed: false }
    }
}

impl Charset {
    /// The encoding's name as the Encoding standard writes it: `UTF-8`, `windows-1252` …
    pub fn name(&self) -> &'static str {
        self.encoding.name()
    }

    /// Who said so.
    pub fn source(&self) -> CharsetSource {
        self.source
    }

    /// Whether some bytes made no sense in this encoding and became U+FFFD.
    pub fn malformed(&self) -> bool {
        self.malformed
    }
}

/// Finds the encoding and decodes; the byte order mark is not part of the text.
pub(crate) fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> (Cow<'a, str>, Charset) {
    let (encoding, source, bom) = decide(bytes, content_type);
    let (text, malformed) = encoding.decode_without_bom_handling(&bytes[bom..]);
    (text, Charset { encoding, source, malformed })
}

fn decide(bytes: &[u8], content_type: Option<&str>) -> (&'static Encoding, CharsetSource, usize) {
    if let Some((encoding, bom)) = Encoding::for_bom(bytes) {
        return (encoding, CharsetSource::ByteOrderMark, bom);
    }
    if let Some(encoding) = content_type.and_then(header_charset) {
        return (encoding, CharsetSource::Header, 0);
    }
    if let Some(encoding) = prescan::prescan(&bytes[..bytes.len().min(prescan::LENGTH)]) {
        return (encoding, CharsetSource::Meta, 0);
    }
    (detect(bytes), CharsetSource::Detected, 0)
}

/// The `charset` parameter of a `Content-Type` header.
fn header_charset(content_type: &str) -> Option<&'static Encoding> {
    let mut parameters = content_type.split(';').skip(1);
    let value = parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then_some(value)
    })?;
    Encoding::for_label(value.trim().trim_matches(['"', '\'']).as_bytes())
}

/// What the bytes look like. Valid UTF-8 is taken as such: a page that says nothing is far more
/// often UTF-8 than text in which the sequences of UTF-8 are chance.
fn detect(bytes: &[u8]) -> &'static Encoding {
    if is_utf8_but_for_the_end(bytes) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// A page that was cut may end inside of a character.
fn is_utf8_but_for_the_end(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

/// What a `meta` means: it could not have been read if the page were UTF-16, and nobody writes
/// x-user-defined (§13.2.3.2, step 2 of the prescan's "processing").
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}
