//! Finds what a list is preset to by default: parameters that its address lacks and that all its views (orders, page
//! sizes) carry with one value. A view without them shows whether they restrict the list.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::{LinkGroup, LinkMap};
use quarry_model::STATE_PREFIX;
use url::Url;

/// Views that must carry a parameter with one value: two may agree by chance.
const MIN_VIEWS: usize = 3;

/// Views without presets that are asked: one kind of view may be a facet, two seldom are.
const MAX_VIEWS: usize = 2;

/// Names and values of an address, in their order.
type Pairs = Vec<(String, String)>;

/// Views of the list at `address` without the parameters that all its views keep, one for each kind of view; none where they keep
/// none. Links that are known to be orders and sizes come first, then those that look least like facets.
pub(super) fn without_presets(address: &Url, map: &LinkMap) -> Vec<String> {
    let views = views(address, map);
    let presets = presets_of(address, map, &views);
    if presets.is_empty() {
        return Vec::new();
    }
    let mut kinds: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut lifted: Vec<String> = Vec::new();
    for view in &views {
        let pairs: Pairs = view.query_pairs().into_owned().collect();
        let kept: Pairs =
            pairs.iter().filter(|(name, _)| !presets.contains_key(name)).cloned().collect();
        let kind: Vec<String> = kept.iter().map(|(name, _)| name.clone()).collect();
        // Without any parameter it is the list itself.
        if kept.is_empty() || kept.len() == pairs.len() || !kinds.insert(kind) {
            continue;
        }
        let mut url = address.clone();
        url.query_pairs_mut().clear().extend_pairs(kept);
        lifted.push(url.into());
        if lifted.len() == MAX_VIEWS {
            break;
        }
    }
    lifted
}

/// What the views and further pages of the list at `address` all keep and its address lacks: names, each with its values.
#[must_use]
pub fn preset_parameters(address: &Url, map: &LinkMap) -> BTreeMap<String, Vec<String>> {
    presets_of(address, map, &views(address, map))
}

/// Links to the list with other parameters, further pages aside.
fn views(address: &Url, map: &LinkMap) -> Vec<Url> {
    let mut groups: Vec<&LinkGroup> = map.groups.iter().collect();
    groups.sort_by(|a, b| a.facet_score.total_cmp(&b.facet_score));
    let grouped = groups.iter().flat_map(|group| &group.links).map(|link| &link.href);
    let switches = map.sorts.iter().map(|link| &link.href);
    let switches = switches.chain(map.sizes.iter().map(|link| &link.href));
    switches.chain(grouped).filter_map(|href| own(address, href)).collect()
}

fn presets_of(address: &Url, map: &LinkMap, views: &[Url]) -> BTreeMap<String, Vec<String>> {
    // Its further pages carry what its views keep, and are no views to begin with.
    let pages = map.pagination.iter().filter_map(|link| own(address, &link.href));
    let all: BTreeSet<Url> = pages.chain(views.iter().cloned()).collect();
    if all.len() < MIN_VIEWS {
        return BTreeMap::new();
    }
    let mut values: BTreeMap<String, (usize, BTreeSet<Vec<String>>)> = BTreeMap::new();
    for url in &all {
        for name in names(url) {
            let known = values.entry(name.clone()).or_default();
            known.0 += 1;
            known.1.insert(values_of(url, &name));
        }
    }
    let set = names(address);
    values
        .into_iter()
        .filter(|(name, (views, _))| *views == all.len() && !set.contains(name))
        .filter_map(|(name, (_, values))| {
            let mut values = values.into_iter();
            Some((name, values.next().filter(|_| values.next().is_none())?))
        })
        .collect()
}

/// The values of a parameter, in their order.
#[must_use]
pub fn values_of(url: &Url, name: &str) -> Vec<String> {
    let own = url.query_pairs().filter(|(own, _)| own == name);
    own.map(|(_, value)| value.into_owned()).collect()
}

/// The address, if it is that of the same list with parameters.
fn own(address: &Url, href: &str) -> Option<Url> {
    let url = address.join(href).ok()?;
    let is_same = url.origin() == address.origin() && url.path() == address.path();
    // What a browser does to the page is no view that the site offers.
    let is_state = url.query_pairs().any(|(name, _)| name.starts_with(STATE_PREFIX));
    (is_same && url.query().is_some() && !is_state).then_some(url)
}

fn names(url: &Url) -> BTreeSet<String> {
    url.query_pairs().map(|(name, _)| name.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use quarry_dom::Document;
    use quarry_extract::links::read_links;

    use super::*;

    /// A table whose headers order it, with these parameters in every link of its own.
    fn lifted(address: &str, preset: &str) -> Vec<String> {
        let head: String = ["qu", "wex", "zib", "fro"]
            .iter()
            .map(|name| format!("<th><a href='/gost?{preset}o={name}'>{name}</a></th>"))
            .collect();
        let rows: String = (0..9)
            .map(|n| {
                format!("<tr><td><a href='/borl/{n}'>Borl {n}</a><td>{n}<td>x{n}<td>y{n}</tr>")
            })
            .collect();
        let text = format!(
            "<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>\
             <p><a href='/gost?{preset}p=2'>2</a> <a href='/gost?{preset}p=3'>3</a></p>"
        );
        let url = Url::parse(address).unwrap();
        without_presets(&url, &read_links(&Document::from_html(&text), &url))
    }

    #[test]
    fn what_all_views_keep_is_left_out() {
        assert_eq!(lifted("http://h/gost", "fam=%21plo&"), ["http://h/gost?o=qu"]);
        assert!(lifted("http://h/gost", "").is_empty());
        // What the address itself says is what was asked for.
        assert!(lifted("http://h/gost?fam=%21plo", "fam=%21plo&").is_empty());
    }
}
