//! Which links lead to the other pages of the list? Numbers whose addresses count with them, and words
//! and arrows beside them or with an address that pages.

use std::collections::BTreeMap;

use quarry_dom::{LinkKind, NodeId};

use super::anchor::{Anchor, Anchors};
use super::entity::Found;
use super::shape::Change;
use super::words::{FIRST_LAST, LOAD_MORE, NEXT, PAGE_KEYS, PREV, plain, says};
use super::{LinkMap, PagingLink, PagingRole};

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

/// Takes the paging links out of the list.
pub(super) fn take(anchors: &mut Anchors<'_>, found: &Found, map: &mut LinkMap) {
    let mut roles: BTreeMap<usize, (PagingRole, Option<u32>)> = BTreeMap::new();
    numbered(anchors, found, &mut roles);
    let boxes: Vec<NodeId> =
        roles.keys().map(|&at| anchors.item(anchors.list[at].node).1).collect();
    for (at, anchor) in anchors.list.iter().enumerate() {
        if roles.contains_key(&at) || anchor.jumps || found.is_entity(at) {
            continue;
        }
        if let Some(role) = worded(anchors, found, at, anchor, &boxes) {
            roles.insert(at, (role, None));
        }
    }
    for (at, (role, number)) in roles {
        let anchor = &mut anchors.list[at];
        anchor.taken = true;
        let href = anchor.url.to_string();
        let known = map.pagination.iter().any(|other| other.href == href && other.role == role);
        if !anchor.is_self && !known {
            map.pagination.push(PagingLink { href, role, number });
        }
    }
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
            boxes.entry(anchors.item(anchor.node).1).or_default().push((at, number));
        }
    }
    for (container, links) in boxes {
        if pages(anchors, container, &links) {
            for (at, number) in links {
                roles.insert(at, (PagingRole::Page, Some(number)));
            }
        }
    }
}

/// Whether numbered links of one box lead to the pages of a list.
fn pages(anchors: &Anchors<'_>, container: NodeId, links: &[(usize, u32)]) -> bool {
    let marked = anchors.marked(container, 2, MARKS);
    let keyed =
        links.iter().filter(|&&(at, _)| pages_by_key(&anchors.changes(&anchors.list[at]))).count();
    if links.len() == 1 {
        return marked || keyed == 1;
    }
    let ascending = links.windows(2).filter(|pair| pair[0].1 < pair[1].1).count();
    let in_order = ascending + 1 >= links.len() - links.len() / 5;
    let years = links.iter().all(|&(_, number)| (1900..=2100).contains(&number));
    let points: Vec<(u32, u64)> = links
        .iter()
        .filter_map(|&(at, number)| Some((number, counter(anchors, &anchors.list[at])?)))
        .collect();
    in_order
        && !years
        && (keyed * 2 >= links.len()
            || (linear(&points) && points.len() + 1 >= links.len())
            || marked)
}

/// The number in an address that the address of this page has not.
fn counter(anchors: &Anchors<'_>, anchor: &Anchor<'_>) -> Option<u64> {
    anchors.changes(anchor).iter().find_map(|change| match change {
        Change::Added { value, .. } | Change::Changed { to: value, .. } => last_number(value),
        Change::SegmentsAdded(segments) => segments.iter().rev().find_map(|s| last_number(s)),
        Change::SegmentChanged { to, .. } => last_number(to),
        _ => None,
    })
}

fn last_number(text: &str) -> Option<u64> {
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = text[..end].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
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

/// Whether the changes of an address only turn the page.
fn pages_by_key(changes: &[Change]) -> bool {
    let mut turned = false;
    for change in changes {
        match change {
            Change::Added { name, .. } | Change::Changed { name, .. } if is_page_key(name) => {
                turned = true
            }
            Change::Removed { name, .. } if is_page_key(name) => turned = true,
            Change::SegmentsAdded(segments) | Change::SegmentsRemoved(segments)
                if is_page_path(segments) =>
            {
                turned = true;
            }
            Change::SegmentChanged { from, to }
                if stem(from) == stem(to) || is_page_path(std::slice::from_ref(to)) =>
            {
                turned = true;
            }
            _ => return false,
        }
    }
    turned
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

/// What the text of a link says about paging.
pub(super) fn role_of(text: &str) -> Option<PagingRole> {
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
    if says(&words, NEXT, 0) || says(&words, LOAD_MORE, 0) {
        Some(PagingRole::Next)
    } else if says(&words, PREV, 0) {
        Some(PagingRole::Prev)
    } else if says(&words, FIRST_LAST, 0) {
        Some(PagingRole::Page)
    } else {
        None
    }
}

fn worded(
    anchors: &Anchors<'_>,
    found: &Found,
    _at: usize,
    anchor: &Anchor<'_>,
    boxes: &[NodeId],
) -> Option<PagingRole> {
    let _ = found;
    let changes = anchors.changes(anchor);
    let keyed = pages_by_key(&changes);
    match anchor.kind {
        LinkKind::Next => return keyed.then_some(PagingRole::Next),
        LinkKind::Prev => return keyed.then_some(PagingRole::Prev),
        _ => {}
    }
    let has_rel =
        |token: &str| anchor.rel.split_whitespace().any(|r| r.eq_ignore_ascii_case(token));
    let says = role_of(&anchor.text);
    let by_rel = if has_rel("next") {
        Some(PagingRole::Next)
    } else if has_rel("prev") || has_rel("previous") {
        Some(PagingRole::Prev)
    } else {
        None
    };
    let role = by_rel.filter(|_| keyed || says.is_some()).or(says)?;
    let (_, container) = anchors.item(anchor.node);
    let beside = boxes.contains(&container);
    let marked = anchors.marked(anchor.node, 3, MARKS);
    (keyed || beside || by_rel.is_some() || (marked && role != PagingRole::Page)).then_some(role)
}
