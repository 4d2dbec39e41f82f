//! Which further pages a look around a site's seeds asks for, beside the links of the seeds.

use std::collections::{BTreeMap, BTreeSet};

use quarry_crawl::query::common_addresses;
use quarry_dom::{Document, Limits};
use quarry_extract::links::{LinkMap, read_links};
use url::Url;

use super::SiteStore;
use super::decide::LIST;
use crate::HarvestError;

/// Links of the pages that were looked at, those of every folder by turns, as far as nobody has looked there.
pub(super) fn next_links<S: SiteStore>(
    store: &S,
    most: usize,
) -> Result<Vec<String>, HarvestError> {
    let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut met: BTreeSet<String> = BTreeSet::new();
    for (id, _) in store.archived_pages()? {
        let Ok(exchange) = store.read_page(id) else { continue };
        let Ok(url) = Url::parse(&exchange.request.url) else { continue };
        let content_type = exchange.response.headers.get("content-type");
        let content = exchange.response.content();
        let map = read_links(&Document::parse(content, content_type, &Limits::default()), &url);
        let grouped = map.groups.iter().flat_map(|group| group.links.iter().map(|link| &link.href));
        for href in grouped.chain(map.entities.iter().map(|link| &link.href)) {
            let Ok(target) = Url::parse(href) else { continue };
            if target.origin() != url.origin()
                || !met.insert(href.clone())
                || store.archived_answer(href)?.is_some()
            {
                continue;
            }
            let folder = target.path().trim_end_matches('/').rsplit_once('/');
            let folder = folder.map_or("", |(folder, _)| folder).to_owned();
            folders.entry(folder).or_default().push(href.clone());
        }
    }
    let turns = folders.values().map(Vec::len).max().unwrap_or(0);
    let by_turns = (0..turns).flat_map(|turn| folders.values().filter_map(move |of| of.get(turn)));
    Ok(by_turns.take(most).cloned().collect())
}

/// Lists that the pages around the seed may list parts of, as departments list categories: what the addresses of their
/// entries have in common, if nobody has looked there.
pub(super) fn wholes(looked: &[(Url, LinkMap)]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, map) in looked {
        let groups = map.groups.iter().map(|group| group.links.iter().map(|link| &link.href));
        let groups = groups.map(Iterator::collect::<Vec<&String>>);
        let entities = map.entities.iter().map(|entity| &entity.href).collect();
        for links in groups.chain([entities]).filter(|links| links.len() >= LIST) {
            let urls: Vec<Url> = links.iter().filter_map(|url| Url::parse(url).ok()).collect();
            // Of paths nearly everything has something in common.
            let narrowed = urls.iter().all(|url| url.query().is_some());
            let whole = common_addresses(&urls).pop().filter(|_| narrowed);
            let new = whole.filter(|url| !looked.iter().any(|(known, _)| known == url));
            new.into_iter().for_each(|url| *counts.entry(url.into()).or_default() += 1);
        }
    }
    let mut found: Vec<(String, usize)> = counts.into_iter().collect();
    found.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    found.into_iter().take(MAX_WHOLES).map(|(url, _)| url).collect()
}

/// Such lists that are looked at.
const MAX_WHOLES: usize = 3;
