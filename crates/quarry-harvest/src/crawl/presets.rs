//! Finds the other half of lists that are restricted by default (open tickets): where all views of a list keep a parameter, and
//! links of the site's pages give it other values, the list with those values is looked at, too.

use std::collections::BTreeMap;

use quarry_crawl::{preset_parameters, values_of};
use quarry_extract::links::LinkMap;
use url::Url;

use super::decide::LIST;

/// Lists with other values that are looked at: presets have few alternatives.
const MAX_ALTERNATIVES: usize = 3;

/// Addresses of the lists with other values of what they are preset to, the most frequent first; those that were looked at
/// are left out.
pub(super) fn alternatives(looked: &[(Url, LinkMap)]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let lists = looked.iter().filter(|(url, map)| url.query().is_none() && is_list(map));
    for (list, map) in lists {
        for (name, preset) in preset_parameters(list, map) {
            for url in looked.iter().flat_map(|(_, map)| links(map)) {
                let is_own = url.origin() == list.origin() && url.path() == list.path();
                let values = if is_own { values_of(&url, &name) } else { Vec::new() };
                if values.is_empty() || values == preset {
                    continue;
                }
                let mut other = list.clone();
                other.query_pairs_mut().extend_pairs(values.iter().map(|value| (&name, value)));
                *counts.entry(other.into()).or_default() += 1;
            }
        }
    }
    let is_new = |url: &String| !looked.iter().any(|(known, _)| known.as_str() == url);
    let mut found: Vec<(String, usize)> =
        counts.into_iter().filter(|(url, _)| is_new(url)).collect();
    found.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    found.into_iter().take(MAX_ALTERNATIVES).map(|(url, _)| url).collect()
}

fn is_list(map: &LinkMap) -> bool {
    map.entities.len() >= LIST
}

/// The links of a page that may lead to lists.
fn links(map: &LinkMap) -> impl Iterator<Item = Url> {
    let grouped = map.groups.iter().flat_map(|group| &group.links).map(|link| &link.href);
    let entities = map.entities.iter().map(|link| &link.href);
    let pages = map.pagination.iter().map(|link| &link.href);
    let switches = map.removals.iter().chain(&map.sorts).map(|link| &link.href);
    let all = grouped.chain(entities).chain(pages).chain(switches);
    all.filter_map(|href| Url::parse(href).ok())
}

#[cfg(test)]
mod tests {
    use quarry_dom::Document;
    use quarry_extract::links::read_links;

    use super::*;

    fn looked(address: &str, html: &str) -> (Url, LinkMap) {
        let url = Url::parse(address).unwrap();
        let map = read_links(&Document::from_html(html), &url);
        (url, map)
    }

    #[test]
    fn other_values_of_a_preset_are_lists_to_look_at() {
        let head: String = ["qu", "wex", "zib", "fro"]
            .iter()
            .map(|name| format!("<th><a href='/gost?fam=%21plo&o={name}'>{name}</a></th>"))
            .collect();
        let rows: String = (0..9)
            .map(|n| {
                format!("<tr><td><a href='/borl/{n}'>Borl {n}</a><td>Wex of {n}<td>Fro {n}</tr>")
            })
            .collect();
        let list = format!("<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>");
        let beside = "<ul><li><a href='/gost?fam=plo&g=1'>Plo</a><li><a href='/gost?fam=plo&g=2'>\
                      Plo two</a><li><a href='/gost?fam=%21plo'>Others</a></ul>";
        let pages = [looked("http://h/gost", &list), looked("http://h/part", beside)];
        assert_eq!(alternatives(&pages), ["http://h/gost?fam=plo"]);
    }
}
