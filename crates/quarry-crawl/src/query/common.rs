//! The addresses that several list addresses have in common: one may be the list that they all narrow.

use url::Url;

/// Prefixes of paths that are worth a try.
const MAX_PREFIXES: usize = 2;

/// What addresses have in common: without the parameters that differ, or without the last parts of the path. The
/// longest last.
///
/// ```
/// use quarry_crawl::query::common_addresses;
/// use url::Url;
/// let url = |text: &str| Url::parse(text).unwrap();
/// let urls = [url("http://a.test/lamps?color=red"), url("http://a.test/lamps?color=blue")];
/// assert_eq!(common_addresses(&urls), [url("http://a.test/lamps")]);
/// let urls = [url("http://a.test/lamps/red"), url("http://a.test/lamps/blue")];
/// assert_eq!(common_addresses(&urls), [url("http://a.test/lamps")]);
/// ```
#[must_use]
pub fn common_addresses(urls: &[Url]) -> Vec<Url> {
    let Some((first, others)) = urls.split_first() else { return Vec::new() };
    if others.is_empty() || others.iter().any(|url| url.origin() != first.origin()) {
        return Vec::new();
    }
    let mut whole = first.clone();
    whole.set_fragment(None);
    if others.iter().all(|url| url.path() == first.path()) {
        let common = first
            .query_pairs()
            .filter(|pair| others.iter().all(|url| url.query_pairs().any(|other| other == *pair)));
        let common: Vec<(String, String)> = common.map(|(a, b)| (a.into(), b.into())).collect();
        whole.set_query(None);
        if !common.is_empty() {
            whole.query_pairs_mut().extend_pairs(common);
        }
        return vec![whole];
    }
    whole.set_query(None);
    let parts = |url: &Url| url.path().split('/').map(str::to_owned).collect::<Vec<String>>();
    let own = parts(first);
    let shared = |url: &Url| own.iter().zip(parts(url)).take_while(|(a, b)| *a == b).count();
    let common = others.iter().map(shared).min().unwrap_or(0);
    // The first part is empty, before the first slash.
    let from = 2.max((common + 1).saturating_sub(MAX_PREFIXES));
    let prefix = |end: usize| {
        let mut whole = whole.clone();
        whole.set_path(&own[..end].join("/"));
        whole
    };
    (from..=common).map(prefix).collect()
}
