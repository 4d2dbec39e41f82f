//! Pages of one's own as a small web: an index of the ids that pages print, and the links between their sites.
//!
//! Only ids are looked up, so a map from id to pages does what a full-text index would
//! (`docs/decisions/0003-discovery-index.md`).

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::{LinkProvider, ProviderError, SearchProvider, site_of};

use super::normal;

/// Shorter texts are not ids.
const MIN_CHARS: usize = 5;
/// Longer ones neither.
const MAX_CHARS: usize = 40;
/// Words that one id may consist of.
const MAX_WORDS: usize = 3;

/// An index of pages.
#[derive(Debug, Clone, Default)]
pub struct OwnPageIndex {
    name: String,
    pages: Vec<String>,
    ids: BTreeMap<String, Vec<u32>>,
    to: BTreeMap<String, BTreeSet<String>>,
    from: BTreeMap<String, BTreeSet<String>>,
}

impl OwnPageIndex {
    /// An empty index.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a page: its address, its visible text, and where its links lead.
    pub fn add(&mut self, url: &str, text: &str, links: impl IntoIterator<Item = String>) {
        let Some(site) = site_of(url) else { return };
        let number = u32::try_from(self.pages.len()).unwrap_or(u32::MAX);
        self.pages.push(url.to_owned());
        let words: Vec<String> = text.split_whitespace().map(normal).collect();
        let mut own: BTreeSet<String> = BTreeSet::new();
        for start in 0..words.len() {
            let mut joined = String::new();
            for word in words.iter().skip(start).take(MAX_WORDS) {
                joined.push_str(word);
                let is_id = joined.chars().any(|char| char.is_ascii_digit())
                    && (MIN_CHARS..=MAX_CHARS).contains(&joined.chars().count());
                if is_id {
                    own.insert(joined.clone());
                }
            }
        }
        for id in own {
            self.ids.entry(id).or_default().push(number);
        }
        for target in links.into_iter().filter_map(|link| site_of(&link)) {
            if target != site {
                self.to.entry(target.clone()).or_default().insert(site.clone());
                self.from.entry(site.clone()).or_default().insert(target);
            }
        }
    }

    /// How many pages it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }
}

impl SearchProvider for OwnPageIndex {
    fn name(&self) -> &str {
        &self.name
    }

    fn search(
        &mut self,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        let answer = |query: &String| {
            let pages = self.ids.get(&normal(query)).into_iter().flatten();
            let urls = pages.map(|&page| self.pages[page as usize].clone());
            let mut seen = BTreeSet::new();
            urls.filter(|url| seen.insert(url.clone())).take(limit).collect()
        };
        Ok(queries.iter().map(answer).collect())
    }
}

fn neighbours(
    map: &BTreeMap<String, BTreeSet<String>>,
    names: &[String],
    limit: usize,
) -> Vec<Vec<String>> {
    let list = |name: &String| map.get(name).into_iter().flatten().take(limit).cloned().collect();
    names.iter().map(list).collect()
}

impl LinkProvider for OwnPageIndex {
    fn name(&self) -> &str {
        &self.name
    }

    fn backlinks(
        &mut self,
        sites: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        Ok(neighbours(&self.to, sites, limit))
    }

    fn forward_links(
        &mut self,
        hubs: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        Ok(neighbours(&self.from, hubs, limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_model::conformance::provider::{LINKS, PAGES, check_links, check_search};

    #[test]
    fn it_keeps_the_promises_of_both_ports() {
        let mut index = OwnPageIndex::new("pages");
        for (url, ids) in PAGES {
            index.add(url, &format!("EAN: {} in stock", ids.join(" and ")), []);
        }
        for (from, to) in LINKS {
            index.add(&format!("http://{from}/links"), "", [format!("https://www.{to}/x")]);
        }
        check_search(&mut index);
        check_links(&mut index);
        let found = index.search(&["\"XK 200B\"".to_owned()], 9).unwrap();
        assert_eq!(found[0].len(), 2, "spellings of an id are one");
    }
}
