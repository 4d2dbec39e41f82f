//! The ports to what knows the web as a whole: search engines, and graphs of links between sites.

use std::error::Error;
use std::fmt;

use crate::Timestamp;

/// A search engine: which pages print a text?
///
/// Implementations pass [`crate::conformance::provider::check_search`].
pub trait SearchProvider {
    /// What it is called in messages and in the memory of quotas.
    fn name(&self) -> &str;

    /// Queries that are best asked in one call: 1 for a service, many where a call reads whole files.
    fn batch(&self) -> usize {
        1
    }

    /// Requests that have been sent so far; 0 where nothing is sent.
    fn requests(&self) -> u64 {
        0
    }

    /// The addresses of pages for each query, best first, at most `limit` each; no address twice.
    ///
    /// # Errors
    /// When it cannot answer at all. A query without results is no error.
    fn search(
        &mut self,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError>;
}

/// A graph of links between sites. Sites and hubs are host names without `www.`.
///
/// Implementations pass [`crate::conformance::provider::check_links`].
pub trait LinkProvider {
    /// What it is called in messages.
    fn name(&self) -> &str;

    /// For each site the hubs that link to it, sorted, at most `limit` each, without itself.
    ///
    /// # Errors
    /// When it cannot answer at all. A site that it does not know has no hubs.
    fn backlinks(
        &mut self,
        sites: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError>;

    /// For each hub the sites that it links to, sorted, at most `limit` each, without itself.
    ///
    /// # Errors
    /// When it cannot answer at all. A hub that it does not know has no links.
    fn forward_links(
        &mut self,
        hubs: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError>;
}

/// Why a provider could not answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProviderError {
    /// Its quota is used up.
    Quota {
        /// Which provider.
        provider: String,
        /// When it may be asked again.
        until: Timestamp,
    },
    /// It cannot be reached, or refuses.
    Unavailable {
        /// Which provider.
        provider: String,
        /// What happened, and what can be done.
        detail: String,
    },
    /// Its answer or its files are not as documented.
    Malformed {
        /// Which provider.
        provider: String,
        /// What is wrong.
        detail: String,
    },
}

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quota { provider, until } => write!(
                f,
                "the quota of {provider} is used up until {until}; the same command goes on then"
            ),
            Self::Unavailable { provider, detail } => write!(f, "{provider}: {detail}"),
            Self::Malformed { provider, detail } => {
                write!(f, "{provider} answered in an unexpected form: {detail}")
            }
        }
    }
}

impl Error for ProviderError {}

/// The site of an address: its host name in lower case, without `www.` and without a port that its scheme implies.
///
/// ```
/// use quarry_model::site_of;
/// assert_eq!(site_of("https://www.Shop.example/p/1?q"), Some("shop.example".to_owned()));
/// assert_eq!(site_of("http://shop.example:8080/"), Some("shop.example:8080".to_owned()));
/// assert_eq!(site_of("mailto:a@b.example"), None);
/// ```
#[must_use]
pub fn site_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let implied = match scheme.to_ascii_lowercase().as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest[..end].rsplit('@').next()?.to_ascii_lowercase();
    let host = authority.strip_suffix(implied).unwrap_or(&authority);
    let host = host.strip_prefix("www.").unwrap_or(host).trim_end_matches('.');
    (!host.is_empty()).then(|| host.to_owned())
}
