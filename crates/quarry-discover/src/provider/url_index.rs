//! Common Crawl's URL index (CDXJ: `reversed host)/path timestamp {"url": …}`), read as a stream: shops print ids in the
//! addresses of their products. All queries of a round are looked for in one pass.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};

use quarry_model::{ProviderError, SearchProvider};
use serde::Deserialize;

use super::normal;

/// A file of lines, decompressed; each call begins at the first.
pub trait LineFile {
    /// The lines.
    ///
    /// # Errors
    /// When the file cannot be opened.
    fn lines(&self) -> io::Result<Box<dyn BufRead + '_>>;
}

/// Files of a URL index.
pub struct UrlIndex<F> {
    name: String,
    files: Vec<F>,
}

/// Parts of an address that one id may be split into.
const MAX_PARTS: usize = 4;
/// Queries of a pass.
const BATCH: usize = 10_000;

#[derive(Deserialize)]
struct Capture {
    url: String,
    #[serde(default)]
    status: Option<String>,
}

impl<F: LineFile> UrlIndex<F> {
    /// An index in these files.
    pub fn new(name: impl Into<String>, files: Vec<F>) -> Self {
        Self { name: name.into(), files }
    }
}

/// The queries whose id stands in an address: parts between marks, also several together.
fn ids_in<'a>(path: &str, wanted: &'a BTreeMap<String, usize>) -> BTreeSet<&'a usize> {
    let parts: Vec<String> = path
        .split(|char: char| !char.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut found = BTreeSet::new();
    for start in 0..parts.len() {
        let mut joined = String::new();
        for part in parts.iter().skip(start).take(MAX_PARTS) {
            joined.push_str(part);
            found.extend(wanted.get(&joined));
        }
    }
    found
}

impl<F: LineFile> SearchProvider for UrlIndex<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn search(
        &mut self,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        let mut answers: Vec<Vec<String>> = vec![Vec::new(); queries.len()];
        if queries.is_empty() {
            return Ok(answers);
        }
        let wanted: BTreeMap<String, usize> =
            queries.iter().map(|query| normal(query)).zip(0..).collect();
        let failed = |error: io::Error| ProviderError::Unavailable {
            provider: self.name.clone(),
            detail: format!("cannot be read: {error}"),
        };
        for file in &self.files {
            let mut lines = file.lines().map_err(failed)?;
            let mut line = String::new();
            loop {
                line.clear();
                if lines.read_line(&mut line).map_err(failed)? == 0 {
                    break;
                }
                // The host says nothing of a product.
                let Some((_, rest)) = line.split_once(')') else { continue };
                let Some((path, rest)) = rest.split_once(' ') else { continue };
                let found = ids_in(path, &wanted);
                if found.is_empty() {
                    continue;
                }
                let Some(at) = rest.find('{') else { continue };
                let Ok(capture) = serde_json::from_str::<Capture>(&rest[at..]) else { continue };
                if capture.status.as_deref().is_some_and(|status| status != "200") {
                    continue;
                }
                for &query in found {
                    let urls = &mut answers[query];
                    if urls.len() < limit && !urls.contains(&capture.url) {
                        urls.push(capture.url.clone());
                    }
                }
            }
        }
        // Queries that mean the same id have the same answer.
        for (at, query) in queries.iter().enumerate() {
            if let Some(&same) = wanted.get(&normal(query)) {
                answers[at] = answers[same].clone();
            }
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_model::conformance::provider::{PAGES, check_search};
    use quarry_model::site_of;

    struct InMemory(String);

    impl LineFile for InMemory {
        fn lines(&self) -> io::Result<Box<dyn BufRead + '_>> {
            Ok(Box::new(self.0.as_bytes()))
        }
    }

    fn line(url: &str, status: u16) -> String {
        let host = site_of(url).unwrap().split('.').rev().collect::<Vec<_>>().join(",");
        let path = url.splitn(4, '/').nth(3).unwrap();
        format!(
            "{host})/{path} 20260101120000 {{\"url\": \"{url}\", \"mime\": \"text/html\", \"status\": \"{status}\", \
             \"digest\": \"X\", \"length\": \"1\", \"offset\": \"1\", \"filename\": \"f.warc.gz\"}}\n"
        )
    }

    #[test]
    fn it_keeps_the_promises_of_search_providers() {
        let mut text: String = PAGES.iter().map(|(url, _)| line(url, 200)).collect();
        text += &line("http://shop-c.example/p/4006381333931", 404);
        text += "not a line of an index\n";
        check_search(&mut UrlIndex::new("index", vec![InMemory(text)]));
    }

    #[test]
    fn ids_of_several_parts_are_found_in_addresses() {
        let text = line("http://a.example/norva-xk-200-b-television.html", 200);
        let mut index = UrlIndex::new("index", vec![InMemory(text)]);
        let found = index.search(&["\"XK 200B\"".to_owned(), "XK-20".to_owned()], 9).unwrap();
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0]);
    }
}
