//! Pages in memory: the [`PageStore`] for tests and small jobs.

use std::collections::BTreeMap;
use std::convert::Infallible;

use quarry_model::{Capture, Exchange, PageRow, PageStore};

use crate::warc::Sha1Digest;

/// Pages in memory. Its rows name no file: their offset is the page's number.
///
/// ```
/// use quarry_model::PageStore;
/// use quarry_model::conformance::page_store::{capture, page};
/// use quarry_store::MemoryStore;
///
/// let mut store = MemoryStore::default();
/// let exchange = page("https://shop.example/", b"<title>Home</title>");
/// let row = store.put(&capture(&exchange)).unwrap();
/// assert_eq!(store.read(&row).unwrap(), exchange);
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    captures: Vec<(PageRow, Exchange, bool)>,
    /// The newest page of a request key.
    newest: BTreeMap<String, usize>,
}

impl PageStore for MemoryStore {
    type Error = Infallible;

    fn put(&mut self, capture: &Capture<'_>) -> Result<PageRow, Infallible> {
        let exchange = capture.exchange;
        let response = &exchange.response;
        let number = self.captures.len();
        let key = exchange.request.key().into_owned();
        let row = PageRow {
            url: exchange.request.url.clone(),
            fetch_time: exchange.at,
            fetch_status: response.status,
            content_mime_detected: capture.mime_detected.to_owned(),
            content_digest: Sha1Digest::of(&response.body).to_string(),
            warc_filename: String::new(),
            warc_record_offset: number as u64,
            warc_record_length: response.body.len() as u64,
            key: key.clone(),
            content_mime_type: response.headers.get("content-type").map(str::to_owned),
            fetch_redirect: response.location().map(str::to_owned),
            content_truncated: response.truncated,
            depth: capture.depth,
            via: capture.via.map(str::to_owned),
        };
        let confirms = response.status == 304 && self.newest.contains_key(&key);
        if capture.is_page && !confirms {
            self.newest.insert(key, number);
        }
        self.captures.push((row.clone(), exchange.clone(), capture.is_page));
        Ok(row)
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn each(&self, visit: &mut dyn FnMut(PageRow)) -> Result<(), Infallible> {
        let pages = self.captures.iter().filter(|(_, _, is_page)| *is_page);
        pages.for_each(|(row, _, _)| visit(row.clone()));
        Ok(())
    }

    fn find(&self, key: &str) -> Result<Option<PageRow>, Infallible> {
        Ok(self.newest.get(key).map(|&number| self.captures[number].0.clone()))
    }

    /// # Panics
    /// If the row is not of this store.
    fn read(&self, row: &PageRow) -> Result<Exchange, Infallible> {
        let number = usize::try_from(row.warc_record_offset).unwrap_or(usize::MAX);
        let (own, exchange, _) = self.captures.get(number).expect("a row of this store");
        assert_eq!(own.key, row.key, "a row of this store");
        Ok(exchange.clone())
    }
}
