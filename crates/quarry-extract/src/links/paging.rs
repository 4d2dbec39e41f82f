//! Which links lead to the other pages of the list? Numbers whose addresses count with them, and words
//! and arrows beside them or with an address that pages.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, LinkKind, NodeId, Tag};

use super::anchor::{Anchor, Anchors, has_word};
use super::attribute;
use super::count;
use super::entity::Found;
use super::shape::UrlChange;
use super::switch::{is_size_key, is_size_label};
use super::words::{FIRST_LAST, LOAD_MORE, NEXT, PAGE_KEYS, PREV, plain, says};
use super::{LinkMap, PagingRole};

/// Words in classes and ids of paging.
const MARKS: &[&str] = &[
    "pagination",
    "paginate",
    "paginator",
    "paging",
    "pager",
    "pages",
    "pagenav",
    "pagenavi",
    "paginav",
    "pagelinks",
    "pagelink",
    "pagenumbers",
    "navigation",
    "page",
    "seiten",
    "nav",
    "numbers",
];

/// Those of them that mean nothing else.
const STRONG_MARKS: &[&str] = &[
    "pagination",
    "paginate",
    "paginator",
    "paging",
    "pager",
    "pagenav",
    "pagenavi",
    "paginav",
    "pagelinks",
    "pagenumbers",
];

/// Takes the paging links out of the list.
pub(super) fn take(anchors: &mut Anchors<'_>, found: &Found, map: &mut LinkMap) {
    let mut roles: BTreeMap<usize, (PagingRole, Option<u32>)> = BTreeMap::new();
    numbered(anchors, found, &mut roles);
    let boxes: BTreeSet<NodeId> = roles.keys().map(|&at| anchors.list[at].container).collect();
    for (at, anchor) in anchors.list.iter().enumerate() {
        if roles.contains_key(&at) || anchor.jumps || found.is_entity(at) {
            continue;
        }
        if matches!(anchor.kind, LinkKind::Next | LinkKind::Prev) {
            continue;
        }
        if let Some(role) = worded(anchors, anchor, &boxes) {
            roles.insert(at, (role, None));
        }
    }
    let mut known: BTreeSet<(String, PagingRole)> = BTreeSet::new();
    for (at, (role, number)) in roles {
        let anchor = &mut anchors.list[at];
        anchor.taken = true;
        if !anchor.is_self && known.insert((anchor.url.to_string(), role)) {
            map.pagination.push(anchor.paging(role, number));
        }
    }
    in_head(anchors, map);
}

/// The number that a link shows, and nothing else but marks and the word for page.
fn page_number(text: &str) -> Option<u32> {
    let words = plain(text);
    let mut words = words.split(' ');
    let (first, second) = (words.next()?, words.next());
    if words.next().is_some() {
        return None;
    }
    let number = match second {
        None => first,
        Some(second) if PAGE_KEYS.contains(&first) => second,
        Some(_) => return None,
    };
    number.parse().ok().filter(|&number: &u32| number < 100_000)
}

fn numbered(
    anchors: &Anchors<'_>,
    found: &Found,
    roles: &mut BTreeMap<usize, (PagingRole, Option<u32>)>,
) {
    let mut boxes: BTreeMap<NodeId, Vec<(usize, u32)>> = BTreeMap::new();
    for (at, anchor) in anchors.list.iter().enumerate() {
        if anchor.jumps || found.is_entity(at) {
            continue;
        }
        if let Some(number) = page_number(&anchor.text) {
            boxes.entry(anchor.container).or_default().push((at, number));
        }
    }
    for (container, links) in boxes {
        if pages(anchors, container, &links) && !in_calendar(anchors, container) {
            for (at, number) in links {
                roles.insert(at, (PagingRole::Page, Some(number)));
            }
        }
    }
}

/// Whether numbered links of one box lead to the pages of a list.
fn pages(anchors: &Anchors<'_>, container: NodeId, links: &[(usize, u32)]) -> bool {
    let marked = anchors.marked(container, 2, MARKS);
    let changes: Vec<&[UrlChange]> =
        links.iter().map(|&(at, _)| anchors.list[at].changes.as_slice()).collect();
    let keyed = changes.iter().filter(|changes| pages_by_key(changes)).count();
    let sized = changes.iter().filter(|changes| sizes(changes)).count();
    let counted = links.iter().filter(|&&(at, _)| {
        // "2 3 4" behind each other are no counts of each other.
        let behind = anchors.text_behind(anchors.list[at].node);
        behind.starts_with(['(', '[']) && count::alone(behind).is_some()
    });
    if sized * 2 > links.len() || counted.count() * 2 > links.len() {
        return false;
    }
    if attribute::text_before(anchors, links[0].0).is_some_and(|label| is_size_label(&label)) {
        return false;
    }
    if links.len() == 1 {
        return marked || keyed == 1;
    }
    let ascending = links.windows(2).filter(|pair| pair[0].1 < pair[1].1).count();
    let in_order = ascending + 1 >= links.len() - links.len() / 5;
    let years = links.iter().all(|&(_, number)| (1900..=2100).contains(&number));
    if !in_order || years {
        return false;
    }
    // Where nothing else says so, pages begin with the first.
    let points = links.iter().zip(&changes);
    let points: Vec<(u32, u64)> =
        points.filter_map(|(&(_, number), changes)| Some((number, counter(changes)?))).collect();
    let begins = links.iter().any(|&(_, number)| number <= 2);
    let in_step = begins && linear(&points) && points.len() + 1 >= links.len();
    let named = anchors.marked(container, 2, STRONG_MARKS);
    keyed * 2 >= links.len() || in_step || (marked && begins) || named
}

/// Whether the changes of an address set the page size and do not turn the page.
fn sizes(changes: &[UrlChange]) -> bool {
    let names = || {
        changes.iter().filter_map(|change| match change {
            UrlChange::Added { name, .. } | UrlChange::Changed { name, .. } => Some(name),
            _ => None,
        })
    };
    names().any(|name| is_size_key(name)) && !names().any(|name| is_page_key(name))
}

/// The number in an address that the address of this page has not.
fn counter(changes: &[UrlChange]) -> Option<u64> {
    changes.iter().find_map(|change| match change {
        UrlChange::Added { value, .. } | UrlChange::Changed { to: value, .. } => last_number(value),
        UrlChange::SegmentsAdded(segments) => segments.iter().rev().find_map(|s| last_number(s)),
        UrlChange::SegmentChanged { to, .. } => last_number(to),
        _ => None,
    })
}

fn last_number(text: &str) -> Option<u64> {
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = text[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    text[start..end].parse().ok()
}

/// Whether the numbers in the addresses grow in step with the numbers shown.
fn linear(points: &[(u32, u64)]) -> bool {
    let [first, .., last] = points else { return false };
    if last.0 <= first.0 || last.1 <= first.1 {
        return false;
    }
    let step = (last.1 - first.1) as f64 / f64::from(last.0 - first.0);
    points.iter().all(|point| {
        let expected = first.1 as f64 + step * (f64::from(point.0) - f64::from(first.0));
        (expected - point.1 as f64).abs() < 0.51
    })
}

/// Whether a parameter or path segment of this name says which page it is.
pub(super) fn is_page_key(name: &str) -> bool {
    let whole: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    PAGE_KEYS.contains(&whole.to_lowercase().as_str())
}

/// Whether the changes of an address only turn the page. Parameters may get lost on the way: those
/// that only say how one came here.
fn pages_by_key(changes: &[UrlChange]) -> bool {
    let (mut turned, mut back, mut lost) = (false, false, false);
    for change in changes {
        match change {
            UrlChange::Added { name, .. } | UrlChange::Changed { name, .. }
                if is_page_key(name) =>
            {
                turned = true;
            }
            UrlChange::SegmentsAdded(segments) if is_page_path(segments) => turned = true,
            UrlChange::SegmentChanged { from, to }
                if stem(from) == stem(to) || is_page_path(std::slice::from_ref(to)) =>
            {
                turned = true;
            }
            UrlChange::Removed { name, .. } if is_page_key(name) => back = true,
            UrlChange::SegmentsRemoved(segments) if is_page_path(segments) => back = true,
            UrlChange::Removed { .. } => lost = true,
            _ => return false,
        }
    }
    turned || (back && !lost)
}

/// Whether the changes turn the page and set other parameters, as some sites spell out their
/// defaults in such links.
fn turns(changes: &[UrlChange]) -> bool {
    let turns = |change: &UrlChange| matches!(change, UrlChange::Added { name, .. } | UrlChange::Changed { name, .. } if is_page_key(name));
    let stays =
        |change: &UrlChange| matches!(change, UrlChange::Added { .. } | UrlChange::Changed { .. });
    changes.iter().any(turns) && changes.iter().all(stays)
}

/// A segment without its digits.
fn stem(segment: &str) -> String {
    segment.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// "page/2", "p2", "page-2", "seite2.html".
fn is_page_path(segments: &[String]) -> bool {
    match segments {
        [word, number] => is_page_key(word) && number.bytes().all(|b| b.is_ascii_digit()),
        [one] => {
            let name = one.rsplit_once('.').map_or(one.as_str(), |(stem, _)| stem);
            last_number(name).is_some() && is_page_key(&stem(name))
        }
        _ => false,
    }
}

/// What a text says about paging.
pub(super) fn role_of(text: &str) -> Option<PagingRole> {
    role_of_words(text, 0)
}

/// The same, with up to `more` words beside those that say it.
fn role_of_words(text: &str, more: usize) -> Option<PagingRole> {
    let words = plain(text);
    if words.is_empty() {
        return match text.trim() {
            "»" | "›" | ">" | ">>" | "→" | "▶" | "►" | "⟩" | "❯" | "⇒" => {
                Some(PagingRole::Next)
            }
            "«" | "‹" | "<" | "<<" | "←" | "◀" | "◄" | "⟨" | "❮" | "⇐" => {
                Some(PagingRole::Prev)
            }
            "|<" | ">|" | "⏮" | "⏭" | "|‹" | "›|" => Some(PagingRole::Page),
            _ => None,
        };
    }
    if says(&words, NEXT, more) || says(&words, LOAD_MORE, 0) {
        Some(PagingRole::Next)
    } else if says(&words, PREV, more) {
        Some(PagingRole::Prev)
    } else if says(&words, FIRST_LAST, 0) {
        Some(PagingRole::Page)
    } else {
        None
    }
}

fn worded(
    anchors: &Anchors<'_>,
    anchor: &Anchor<'_>,
    boxes: &BTreeSet<NodeId>,
) -> Option<PagingRole> {
    let document = anchors.document;
    let changes = &anchor.changes;
    let keyed = pages_by_key(changes) || turns(changes);
    let has_rel =
        |token: &str| anchor.rel.split_whitespace().any(|r| r.eq_ignore_ascii_case(token));
    let by_rel = if has_rel("next") {
        Some(PagingRole::Next)
    } else if has_rel("prev") || has_rel("previous") {
        Some(PagingRole::Prev)
    } else {
        None
    };
    // An icon alone is named by its title; with an address that pages, "Older articles" is enough.
    let more = if keyed { 2 } else { 0 };
    let by_text = role_of_words(&anchor.text, more).or_else(|| {
        let named = [Attr::TITLE, Attr::ARIA_LABEL].into_iter();
        let mut named = named.filter_map(|name| document.known_attr(anchor.node, name));
        let short = anchor.text.chars().count() <= 3;
        named.find_map(|text| role_of_words(text, more)).filter(|_| short || keyed)
    });
    let role = by_rel.filter(|_| keyed || by_text.is_some()).or(by_text)?;
    let beside = boxes.contains(&anchor.container);
    let marked = anchors.marked(anchor.node, 3, MARKS);
    let counts = keyed || beside || by_rel.is_some() || (marked && role != PagingRole::Page);
    counts.then(|| by_rel.or_else(|| role_of_class(anchors, anchor.node)).unwrap_or(role))
}

/// What the classes of a link or of the element around it say: "Older posts" can be either way.
fn role_of_class(anchors: &Anchors<'_>, node: NodeId) -> Option<PagingRole> {
    let document = anchors.document;
    let around = document.parent(node).filter(|&parent| anchors.links_in(parent) == 1);
    for node in std::iter::once(node).chain(around) {
        let next = has_word(document, node, &["next", "nextpostslink"]);
        let prev = has_word(document, node, &["prev", "previous", "previouspostslink"]);
        if next != prev {
            return Some(if next { PagingRole::Next } else { PagingRole::Prev });
        }
    }
    None
}

/// Where the head of the page says that the next and previous pages are, if no link does.
fn in_head(anchors: &Anchors<'_>, map: &mut LinkMap) {
    for anchor in &anchors.list {
        let role = match anchor.kind {
            LinkKind::Next => PagingRole::Next,
            LinkKind::Prev => PagingRole::Prev,
            _ => continue,
        };
        let known = map.pagination.iter().any(|other| other.role == role);
        if !known && !anchor.is_self && pages_by_key(&anchor.changes) {
            map.pagination.push(anchor.paging(role, None));
        }
    }
}

/// Whether numbered links stand in a table of days: some of the days have no link.
fn in_calendar(anchors: &Anchors<'_>, container: NodeId) -> bool {
    const DAYS: std::ops::RangeInclusive<usize> = 20..=60;
    let document = anchors.document;
    if anchors.marked(
        container,
        4,
        &["calendar", "calender", "kalender", "calendario", "calendrier"],
    ) {
        return true;
    }
    let Some(table) = std::iter::once(container)
        .chain(document.ancestors(container))
        .find(|&node| document.is(node, Tag::TABLE))
    else {
        return false;
    };
    let cells = document.subtree(table).filter(|&node| document.is(node, Tag::TD));
    let days = cells.filter(|&cell| {
        document.folded_len(cell) <= 2
            && document.folded_text(cell).parse::<u32>().is_ok_and(|n| (1..=31).contains(&n))
    });
    DAYS.contains(&days.count())
}

#[cfg(test)]
mod tests {
    use super::last_number;

    #[test]
    fn the_last_number_stands_behind_letters_of_any_script() {
        for (text, number) in [
            ("page-12", Some(12)),
            ("7", Some(7)),
            ("제4차 국가철도망", Some(4)),
            ("é", None),
            ("12 of 40…", Some(40)),
        ] {
            assert_eq!(last_number(text), number, "{text}");
        }
    }
}
