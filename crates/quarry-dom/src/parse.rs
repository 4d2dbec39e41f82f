//! Parses a page into a document: decode, normalise newlines, tokenize, build, lay out.

use std::borrow::Cow;

use crate::charset;
use crate::document::Document;
use crate::limits::Limits;
use crate::tokenizer;

impl Document {
    /// Parses a page as the HTML standard prescribes, with scripting off. Never fails: any bytes
    /// make a document. `content_type` is the value of the HTTP header, for its `charset`.
    ///
    /// ```
    /// use quarry_dom::{Document, Limits};
    /// let page = Document::parse(b"<p>caf\xe9", Some("text/html; charset=latin1"), &Limits::default());
    /// assert_eq!(page.folded_text(quarry_dom::NodeId::ROOT), "café");
    /// assert_eq!(page.charset().name(), "windows-1252");
    /// assert!(!page.cut().any());
    /// ```
    pub fn parse(bytes: &[u8], content_type: Option<&str>, limits: &Limits) -> Document {
        let limits = limits.usable();
        let taken = &bytes[..bytes.len().min(limits.bytes)];
        let (text, charset) = charset::decode(taken, content_type);
        let mut document = Self::parse_text(text, limits);
        document.charset = charset;
        document.cut.bytes |= taken.len() < bytes.len();
        document
    }

    /// Parses a page that is text already, within the default limits.
    pub fn from_html(html: &str) -> Document {
        let limits = Limits::default().usable();
        let mut end = html.len().min(limits.bytes);
        while !html.is_char_boundary(end) {
            end -= 1;
        }
        let mut document = Self::parse_text(Cow::Borrowed(&html[..end]), limits);
        document.cut.bytes |= end < html.len();
        document
    }

    /// Each form of the page is dropped as soon as the next one is there.
    fn parse_text(text: Cow<'_, str>, limits: Limits) -> Document {
        let source = tokenizer::normalize_newlines(&text);
        drop(text);
        let built = tokenizer::parse(&source, limits);
        drop(source);
        built.lay_out()
    }
}
