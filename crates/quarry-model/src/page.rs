//! The [`PageStore`] port: archived pages, each with a row in the table of pages.

use serde::{Deserialize, Serialize};

use crate::{Exchange, Timestamp, Truncation};

/// An exchange about to be archived, with what the crawl knows of it.
#[derive(Debug, Clone, Copy)]
pub struct Capture<'a> {
    /// What was asked and what came.
    pub exchange: &'a Exchange,
    /// Links from a seed.
    pub depth: u32,
    /// The address of the page that the link stood on.
    pub via: Option<&'a str>,
    /// The kind of content found by looking at it, such as `text/html`.
    pub mime_detected: &'a str,
    /// False for what is archived but is no page of the site, such as robots.txt.
    pub is_page: bool,
}

/// One archived page. The first eight fields have Common Crawl's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRow {
    /// The address that was asked (each redirect hop has a row of its own).
    pub url: String,
    /// When it was asked.
    pub fetch_time: Timestamp,
    /// The status code.
    pub fetch_status: u16,
    /// The kind of content found by looking at it.
    pub content_mime_detected: String,
    /// SHA-1 of the body as sent, in base 32, as in `WARC-Payload-Digest` without `sha1:`.
    pub content_digest: String,
    /// The archive file, relative to the project folder.
    pub warc_filename: String,
    /// Where the record begins in it.
    pub warc_record_offset: u64,
    /// How many bytes it takes there.
    pub warc_record_length: u64,
    /// What makes the request unique ([`crate::Request::key`]): the url, but for a POST.
    pub key: String,
    /// The kind of content that the server said it was.
    pub content_mime_type: Option<String>,
    /// Where a redirect points.
    pub fetch_redirect: Option<String>,
    /// Why the body is not whole.
    pub content_truncated: Option<Truncation>,
    /// Links from a seed.
    pub depth: u32,
    /// The address of the page that the link stood on.
    pub via: Option<String>,
}

/// Keeps pages.
///
/// Implementations pass [`crate::conformance::page_store`].
pub trait PageStore {
    /// What can go wrong with the storage behind it.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Archives an exchange. The page exists once [`PageStore::commit`] has returned.
    fn put(&mut self, capture: &Capture<'_>) -> Result<PageRow, Self::Error>;

    /// Makes everything put so far last.
    fn commit(&mut self) -> Result<(), Self::Error>;

    /// Calls `visit` with every page, in the order in which they were put.
    fn each(&self, visit: &mut dyn FnMut(PageRow)) -> Result<(), Self::Error>;

    /// The newest page with this request key. After a 304 answer it is the page before, which still holds.
    fn find(&self, key: &str) -> Result<Option<PageRow>, Self::Error>;

    /// The exchange behind a page, body included, also where the archive holds a revisit record.
    fn read(&self, row: &PageRow) -> Result<Exchange, Self::Error>;
}
