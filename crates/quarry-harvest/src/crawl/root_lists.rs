//! Chooses the lists that a crawl by queries begins with, among the pages around the seed that were looked at.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use quarry_crawl::guessed_next_page;
use quarry_extract::links::{
    ControlMeaning, EntityLink, FacetControl, FacetLink, FormFacets, LinkMap, PageKind, PagingRole,
    SeenPage, UrlShape, page_kinds,
};
use quarry_model::STATE_PREFIX;
use url::Url;

use super::decide::LIST;

/// Lists that a crawl begins with at most: a site has few kinds of entities worth a table.
const MAX_ROOTS: usize = 8;

/// The lists that a crawl begins with.
#[derive(Debug, Default)]
pub(super) struct RootLists {
    /// Of each kind of entity the largest list that can be narrowed.
    pub(super) narrowed: Vec<String>,
    /// Of the other kinds the largest list.
    plain: Vec<String>,
    /// Further lists of the same kinds, the largest last.
    pub(super) others: Vec<String>,
    /// None of them goes on or can be narrowed: the seed's own links may be all that was found.
    pub(super) is_poor: bool,
}

impl RootLists {
    pub(super) fn first(&self) -> Option<&String> {
        self.narrowed.first().or(self.plain.first())
    }

    pub(super) fn roots(&self) -> Vec<String> {
        self.narrowed.iter().chain(&self.plain).cloned().collect()
    }

    pub(super) fn reason(&self) -> String {
        let list = |lists: &[String]| match lists {
            [one] => format!("the list at {one}"),
            several => format!("the lists at {}", several.join(", ")),
        };
        match (self.narrowed.as_slice(), self.plain.as_slice()) {
            ([], plain) => format!("nothing narrows {}, to be read to the end", list(plain)),
            (narrowed, []) => format!("{} can be narrowed", list(narrowed)),
            (narrowed, plain) => {
                format!("{} can be narrowed, {} can be read", list(narrowed), list(plain))
            }
        }
    }
}

/// A list among the pages that were looked at.
struct LookedAtList<'l> {
    /// It can be narrowed, has further pages or is a seed: a crawl may begin with it.
    may_begin: bool,
    can_be_narrowed: bool,
    goes_on: bool,
    size: u64,
    url: &'l Url,
    entities: Vec<Url>,
    /// Addresses of further pages of this list.
    pages: BTreeSet<&'l str>,
    /// Further pages of this list that were looked at.
    joined: Vec<&'l Url>,
    is_seed: bool,
    is_first_page: bool,
}

/// Makes pages that lead to each other as pages of a list one list: the seed's, else its first page's, with the size that
/// any of them shows. A page in the middle often shows higher numbers than the first.
fn join_pages(lists: Vec<LookedAtList<'_>>) -> Vec<LookedAtList<'_>> {
    let mut joined: Vec<LookedAtList<'_>> = Vec::new();
    for mut list in lists {
        let is_same = |known: &LookedAtList<'_>| {
            known.pages.contains(list.url.as_str()) || list.pages.contains(known.url.as_str())
        };
        // A page may show that two lists so far are one.
        let (same, others): (Vec<_>, Vec<_>) = joined.into_iter().partition(is_same);
        joined = others;
        for mut known in same {
            let rank = |list: &LookedAtList<'_>| (list.is_seed, list.is_first_page);
            if rank(&known) >= rank(&list) {
                std::mem::swap(&mut list, &mut known);
            }
            list.size = list.size.max(known.size);
            list.may_begin |= known.may_begin;
            list.goes_on |= known.goes_on;
            list.pages.append(&mut known.pages);
            list.pages.insert(known.url.as_str());
            list.joined.append(&mut known.joined);
            list.joined.push(known.url);
        }
        joined.push(list);
    }
    joined
}

/// A list that another one is a part of, by address and size, can be narrowed: links to categories look alike in the list of
/// one category and in the list of all, but only those in the list of all narrow it.
fn widen(lists: &mut [LookedAtList<'_>]) {
    let is_part = |part: &LookedAtList<'_>, whole: &LookedAtList<'_>| {
        let of_part: BTreeSet<_> = part.url.query_pairs().collect();
        let of_whole: BTreeSet<_> = whole.url.query_pairs().collect();
        part.size < whole.size
            && part.url.path() == whole.url.path()
            && of_whole.len() < of_part.len()
            && of_whole.is_subset(&of_part)
    };
    let wholes: Vec<bool> = lists
        .iter()
        .map(|whole| lists.iter().any(|part| part.can_be_narrowed && is_part(part, whole)))
        .collect();
    for (list, is_whole) in lists.iter_mut().zip(wholes) {
        list.can_be_narrowed |= is_whole && list.may_begin && !list.is_seed;
    }
}

/// The lists to begin with: of each kind of entity the largest, those that can be narrowed first. Lists whose entities have
/// addresses of one shape are of one kind. What an entity's page lists is only related to it; what lists lists has no
/// entities. The seeds were tried before, and nothing narrows them.
pub(super) fn lists_of_kinds(looked: &[(Url, LinkMap)], seeds: &BTreeSet<String>) -> RootLists {
    let pages: Vec<SeenPage<'_>> =
        looked.iter().map(|(url, map)| SeenPage { address: Some(url), map }).collect();
    let kinds = page_kinds(&pages);
    let are_lists: BTreeMap<&str, bool> = looked
        .iter()
        .zip(&kinds)
        .map(|((url, map), kind)| {
            (url.as_str(), *kind != PageKind::Entity && map.entities.len() >= LIST)
        })
        .collect();
    let listed: BTreeSet<&str> = looked
        .iter()
        .flat_map(|(_, map)| map.entities.iter().map(|link| link.href.as_str()))
        .collect();
    let mut lists: Vec<LookedAtList<'_>> = Vec::new();
    for ((url, map), kind) in looked.iter().zip(&kinds) {
        let is_paged = leads_on(url, map);
        // What an entity is related to has no further pages, whatever the page looks like.
        let is_related = *kind == PageKind::Entity && !is_paged;
        if is_related || map.entities.len() < LIST {
            continue;
        }
        let is_seed = seeds.contains(url.as_str());
        let can_be_narrowed = !is_seed && narrows(map);
        let may_begin = can_be_narrowed || is_seed || is_paged;
        let members = map.entities.iter().filter_map(|link| are_lists.get(link.href.as_str()));
        let (parts, own): (Vec<bool>, Vec<bool>) = members.partition(|is_list| **is_list);
        let is_hub = parts.len() > own.len()
            && !is_narrowed_by_records(url, map, looked)
            && !list_what_records_share(url, map, looked);
        if can_be_narrowed || !is_hub {
            let own: Vec<Url> =
                map.entities.iter().filter_map(|link| Url::parse(&link.href).ok()).collect();
            let bare = without_carried(url, &own);
            // What another list shows without the parameters of this one is the same.
            let is_same = bare.iter().any(|entity| listed.contains(entity.as_str()));
            lists.push(LookedAtList {
                may_begin,
                can_be_narrowed,
                goes_on: is_paged,
                size: list_size(map),
                url,
                entities: if is_same { bare } else { own },
                pages: map.pagination.iter().map(|link| link.href.as_str()).collect(),
                joined: Vec::new(),
                is_seed,
                is_first_page: map.pagination.iter().all(|link| link.role != PagingRole::Prev),
            });
        }
    }
    let mut lists = join_pages(lists);
    widen(&mut lists);
    // Among equals the seed's list comes first.
    lists.sort_by_key(|list| {
        std::cmp::Reverse((list.can_be_narrowed, list.may_begin, list.size, list.is_seed))
    });
    let is_poor = !lists.iter().any(|list| list.can_be_narrowed || list.goes_on);
    let mut found = RootLists { is_poor, ..RootLists::default() };
    let mut roots: Vec<(Option<UrlShape>, &[Url])> = Vec::new();
    for list in &lists {
        let shape = UrlShape::of(&list.entities);
        let is_of = |shape: &Option<UrlShape>, entities: &[Url]| {
            // Addresses without a common shape may be of any kind.
            shape.as_ref().is_none_or(|shape| entities.iter().any(|url| shape.fits(url)))
        };
        let is_known = roots
            .iter()
            .any(|(known, members)| is_of(known, &list.entities) || is_of(&shape, members));
        let place = match (is_known, list.can_be_narrowed) {
            (true, _) => &mut found.others,
            (false, _) if roots.len() >= MAX_ROOTS || !list.may_begin => continue,
            (false, true) => &mut found.narrowed,
            (false, false) => &mut found.plain,
        };
        place.push(list.url.to_string());
        // Pages that the list turns out not to lead on to (pages by year) are read for themselves.
        found.others.extend(list.joined.iter().map(ToString::to_string));
        if !is_known {
            roots.push((shape, &list.entities));
        }
    }
    found.others.reverse();
    found
}

/// Whether a link in the records of a list that goes on leads to a list of the same entities (the category of each topic of a
/// forum): then they are entities, however much their own pages list.
fn is_narrowed_by_records(address: &Url, list: &LinkMap, looked: &[(Url, LinkMap)]) -> bool {
    let urls: Vec<Url> =
        list.entities.iter().filter_map(|link| Url::parse(&link.href).ok()).collect();
    let Some(shape) = UrlShape::of(&urls).filter(|_| leads_on(address, list)) else {
        return false;
    };
    let groups = list.groups.iter().filter(|group| group.in_records);
    let in_records: BTreeSet<&str> =
        groups.flat_map(|group| &group.links).map(|link| link.href.as_str()).collect();
    let behind = looked.iter().filter(|(url, _)| in_records.contains(url.as_str()));
    let mut alike = behind.filter(|(url, part)| {
        let entities = part.entities.iter().filter_map(|link| Url::parse(&link.href).ok());
        let (own, others): (Vec<Url>, Vec<Url>) = entities.partition(|url| shape.fits(url));
        // What stands among the entities is not said of them.
        !urls.contains(url)
            && own.len() >= LIST
            && own.len() > others.len()
            && own.iter().any(|url| urls.contains(url))
    });
    alike.next().is_some()
}

/// Whether the pages behind the records of a list that goes on mostly list what several of these records link to (who has
/// written to a topic): then they are about entities, and list their values.
fn list_what_records_share(address: &Url, list: &LinkMap, looked: &[(Url, LinkMap)]) -> bool {
    if !leads_on(address, list) {
        return false;
    }
    let is_shared = |links: &[FacetLink]| {
        let different: BTreeSet<&str> = links.iter().map(|link| link.href.as_str()).collect();
        different.len() > 1 && different.len() < links.len()
    };
    let groups = list.groups.iter().filter(|group| group.in_records && is_shared(&group.links));
    let shapes: Vec<UrlShape> = groups
        .filter_map(|group| {
            let urls = group.links.iter().filter_map(|link| Url::parse(&link.href).ok());
            UrlShape::of(&urls.collect::<Vec<Url>>())
        })
        .collect();
    let members: BTreeSet<&str> = list.entities.iter().map(|link| link.href.as_str()).collect();
    let is_value = |link: &EntityLink| {
        !members.contains(link.href.as_str())
            && Url::parse(&link.href).is_ok_and(|url| shapes.iter().any(|shape| shape.fits(&url)))
    };
    let behind = looked
        .iter()
        .filter(|(url, map)| members.contains(url.as_str()) && !map.entities.is_empty());
    let (values, others): (Vec<_>, Vec<_>) = behind.partition(|(_, map)| {
        2 * map.entities.iter().filter(|link| is_value(link)).count() > map.entities.len()
    });
    values.len() > others.len()
}

/// The addresses of lists without their parameters, if nobody has looked there: what the links of a site restrict by default may
/// be whole there. What a seed restricts is what the user wants.
pub(super) fn without_parameters(
    lists: &[String],
    looked: &[(Url, LinkMap)],
    seeds: &BTreeSet<String>,
) -> Vec<String> {
    let mut bare: BTreeSet<Url> = BTreeSet::new();
    for list in lists {
        let Ok(mut url) = Url::parse(list) else { continue };
        let is_restricted = url.query().is_some();
        url.set_query(None);
        let is_wanted = |seed: &String| {
            Url::parse(seed).is_ok_and(|seed| seed.query().is_some() && seed.path() == url.path())
        };
        if is_restricted
            && !seeds.iter().any(is_wanted)
            && !looked.iter().any(|(known, _)| *known == url)
        {
            bare.insert(url);
        }
    }
    bare.into_iter().map(String::from).collect()
}

/// Addresses of a list's entities without the parameters that the list itself has and all of them carry on: which view of the
/// list they were reached from.
pub(super) fn without_carried(list: &Url, entities: &[Url]) -> Vec<Url> {
    let carries = |(name, value): &(Cow<'_, str>, Cow<'_, str>)| {
        let has = |url: &Url| url.query_pairs().any(|pair| pair.0 == *name && pair.1 == *value);
        entities.iter().all(has)
    };
    let carried: BTreeSet<String> =
        list.query_pairs().filter(carries).map(|(name, _)| name.into_owned()).collect();
    let bare = |url: &Url| {
        let kept: Vec<_> =
            url.query_pairs().filter(|(name, _)| !carried.contains(&**name)).collect();
        let mut bare = url.clone();
        match kept.is_empty() {
            true => bare.set_query(None),
            false => _ = bare.query_pairs_mut().clear().extend_pairs(kept),
        }
        bare
    };
    match carried.is_empty() {
        true => entities.to_vec(),
        false => entities.iter().map(bare).collect(),
    }
}

/// Leaves out the states of pages that show no entity which the page as it was sent lacks: a control that marks or folds
/// what is there begins no crawl.
pub(super) fn drop_mere_states(looked: &mut Vec<(Url, LinkMap)>) {
    let mut sent: BTreeMap<Url, BTreeSet<String>> = BTreeMap::new();
    for (url, map) in looked.iter().filter(|(url, _)| page_of_state(url).is_none()) {
        let entities = map.entities.iter().map(|link| link.href.clone());
        sent.entry(url.clone()).or_default().extend(entities);
    }
    looked.retain(|(url, map)| {
        let Some(known) = page_of_state(url).and_then(|page| sent.get(&page)) else { return true };
        map.entities.iter().any(|link| !known.contains(&link.href))
    });
}

/// The page that an address names a state of.
fn page_of_state(url: &Url) -> Option<Url> {
    let (states, own): (Vec<_>, Vec<_>) =
        url.query_pairs().partition(|(name, _)| name.starts_with(STATE_PREFIX));
    if states.is_empty() {
        return None;
    }
    let mut page = url.clone();
    match own.is_empty() {
        true => page.set_query(None),
        false => _ = page.query_pairs_mut().clear().extend_pairs(own),
    }
    Some(page)
}

/// Whether a list has further pages: a link says so, or the address of one is that of the page with a number counted on.
fn leads_on(url: &Url, map: &LinkMap) -> bool {
    let says_so = map.pagination.iter().any(|link| link.role == PagingRole::Next);
    let links = map.groups.iter().flat_map(|group| group.links.iter().map(|link| &*link.href));
    says_so || guessed_next_page(url, links, map.entities.len()).is_some()
}

/// How many entities a list has: as it claims, or by the highest number of its pages.
fn list_size(map: &LinkMap) -> u64 {
    let shown = map.entities.len() as u64;
    let last = map.pagination.iter().filter_map(|link| link.number).max();
    let is_paged = map.pagination.iter().any(|link| link.role == PagingRole::Next);
    let pages = last.map_or(1 + u64::from(is_paged), u64::from);
    map.total.unwrap_or(shown * pages)
}

/// Whether a list can be narrowed: by links, or by a form that may be sent.
fn narrows(map: &LinkMap) -> bool {
    let control = |control: &FacetControl| {
        control.meaning == ControlMeaning::Facet
            && control.may_narrow()
            && control.options.len() > 1
    };
    let form = |form: &FormFacets| form.safe && form.controls.iter().any(control);
    map.facets().any(|group| group.links.len() > 1) || map.forms.iter().any(form)
}

#[cfg(test)]
mod tests {
    use quarry_dom::Document;
    use quarry_extract::links::read_links;

    use super::*;

    fn looked(address: &str, entities: std::ops::Range<u32>) -> (Url, LinkMap) {
        let rows: String = entities
            .map(|n| format!("<li><a href='/item/{n}'>Borl number {n}</a> <b>{n}0 fam</b></li>"))
            .collect();
        let document = Document::from_html(&format!("<h1>Gost</h1><ul>{rows}</ul>"));
        let url = Url::parse(address).unwrap();
        let map = read_links(&document, &url);
        (url, map)
    }

    #[test]
    fn what_all_entities_carry_of_their_list_is_left_out() {
        let urls = |text: &str| -> Vec<Url> {
            (1..4).map(|n| Url::parse(&text.replace('N', &n.to_string())).unwrap()).collect()
        };
        let list = Url::parse("http://h/gost?view=fam&page=2").unwrap();
        assert_eq!(
            without_carried(&list, &urls("http://h/gost/N?view=fam")),
            urls("http://h/gost/N")
        );
        assert_eq!(
            without_carried(&list, &urls("http://h/gost?id=N&view=fam")),
            urls("http://h/gost?id=N")
        );
        let others = urls("http://h/gost/N?view=plo");
        assert_eq!(without_carried(&list, &others), others);
    }

    #[test]
    fn a_list_that_others_are_parts_of_can_be_narrowed() {
        let urls = ["m=l&k=5", "m=l", "m=l&k=5&s=10", "m=z"]
            .map(|query| Url::parse(&format!("http://h/i.php?{query}")).unwrap());
        let sizes = [40, 200, 40, 900];
        let mut lists: Vec<LookedAtList<'_>> = urls
            .iter()
            .zip(sizes)
            .map(|(url, size)| LookedAtList {
                may_begin: true,
                can_be_narrowed: url.query() == Some("m=l&k=5"),
                size,
                goes_on: false,
                url,
                entities: Vec::new(),
                pages: BTreeSet::new(),
                joined: Vec::new(),
                is_seed: false,
                is_first_page: true,
            })
            .collect();
        widen(&mut lists);
        let narrowed: Vec<bool> = lists.iter().map(|list| list.can_be_narrowed).collect();
        assert_eq!(narrowed, [true, true, false, false]);
    }

    #[test]
    fn lists_without_their_parameters_are_looked_at_unless_the_user_set_some() {
        let lists = ["http://h/gost?fam=1&p=2", "http://h/borl?k=1", "http://h/zib"];
        let lists = lists.map(str::to_owned);
        let known = [looked("http://h/borl", 0..9)];
        let none = BTreeSet::new();
        assert_eq!(without_parameters(&lists, &known, &none), ["http://h/gost"]);
        let seeds = BTreeSet::from(["http://h/gost?fam=3".to_owned()]);
        assert!(without_parameters(&lists, &known, &seeds).is_empty());
    }

    #[test]
    fn states_begin_no_crawl_unless_they_show_more() {
        let list = || looked("http://h/list?a=1", 0..9);
        let marked = looked("http://h/list?a=1&quarry.check.row=all", 0..9);
        let mut pages = vec![list(), marked];
        drop_mere_states(&mut pages);
        assert_eq!(pages.len(), 1);
        let filled = looked("http://h/list?a=1&quarry.check.row=more", 5..14);
        let mut pages = vec![list(), filled];
        drop_mere_states(&mut pages);
        assert_eq!(pages.len(), 2);
    }
}
