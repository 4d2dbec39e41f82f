//! What reads the answers and files of those who know the web as a whole. Sockets, files and clocks come in as ports.
//!
//! | provider | here |
//! |---|---|
//! | SearXNG, Brave Search, any service that answers a GET with JSON | [`JsonSearch`] with a [`JsonApi`] |
//! | Common Crawl's host-level web graph | [`HostGraph`] |
//! | Common Crawl's URL index (CDXJ) | [`UrlIndex`] |
//! | pages of one's own: archives, crawls | [`OwnPageIndex`] |

mod graph;
mod json;
mod pages;
mod quota;
mod url_index;

pub use graph::{GraphFiles, HostGraph};
pub use json::{ApiAnswer, ApiPort, JsonApi, JsonSearch};
pub use pages::OwnPageIndex;
pub use quota::{Permit, Quota};
pub use url_index::{LineFile, UrlIndex};

/// Letters and digits in lower case: what two spellings of an id have in common.
fn normal(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
