//! Does every sitemap give a bounded list of addresses?

use quarry_crawl::Address;
use quarry_crawl::sitemap::{MAX_ADDRESSES, read};

/// Reads the bytes as a sitemap, an index, a feed, a list of lines, or any of them compressed.
pub fn sitemap(data: &[u8]) {
    let found = read(data);
    assert!(found.pages.len() + found.sitemaps.len() <= MAX_ADDRESSES);
    for address in found.pages.iter().chain(&found.sitemaps) {
        assert!(!address.is_empty());
    }
    for address in found.pages.iter().chain(&found.sitemaps).take(64) {
        // Whether it is one does not matter here.
        let _ = Address::normalise(address);
    }
    assert_eq!(read(data), found);
}
