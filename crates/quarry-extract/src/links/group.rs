//! Groups links, and tells which groups hold facet values. Links of one box with
//! the same path below it and the same shape of address are a group; a heading begins a new one.

use crate::logistic::logistic;
use std::collections::BTreeMap;

use quarry_dom::{NodeId, Tag};

use super::anchor::{Anchors, Frame};
use super::attribute;
use super::entity::PageList;
use super::shape::{UrlChange, UrlShape};
use super::tree;
use super::words::{FACET_MARKS, FUNCTIONS, MORE, has, plain, says};
use super::{AttributeSource, FacetLink, LinkGroup, LinkMap};
use quarry_dom::key;

/// A group under way.
struct Group {
    container: NodeId,
    heading: u32,
    members: Vec<usize>,
    more: Vec<usize>,
    /// Of a tree, the links at its top; none else.
    heads: Vec<usize>,
}

/// Groups what is left.
pub(super) fn take(anchors: &mut Anchors<'_>, found: &PageList, map: &mut LinkMap) {
    let mut groups: Vec<Group> = Vec::new();
    let mut open: BTreeMap<(u32, NodeId, u64), usize> = BTreeMap::new();
    let (trees, tree_of) = tree::trees(anchors);
    let mut of_trees: BTreeMap<usize, usize> = BTreeMap::new();
    let mut heading = 0;
    let mut last: Option<usize> = None;
    for (at, anchor) in anchors.list.iter().enumerate() {
        if anchors.gaps[at].label.is_some() {
            heading += 1;
        }
        if anchor.taken || anchor.jumps {
            continue;
        }
        if let Some(tree) = tree_of.get(&at) {
            let number = *of_trees.entry(*tree).or_insert_with(|| {
                let (container, heads) = (trees[*tree].container, trees[*tree].heads.clone());
                groups.push(Group {
                    container,
                    heading,
                    members: Vec::new(),
                    more: Vec::new(),
                    heads,
                });
                groups.len() - 1
            });
            groups[number].members.push(at);
            continue;
        }
        let (item, container) = (anchor.item, anchor.container);
        let mut key = anchor.parts.coarse_key();
        let mut node = anchor.node;
        while node > container {
            key = key::then(key, key::of(anchors.document.tag_name(node)));
            node = anchors.document.parent(node).unwrap_or(container);
        }
        // A facet with one value: its name stands in the same item.
        let own_name = anchors.gaps[at].first_text_in(anchors.document, item);
        key = key::then(key, own_name.map_or(0, |text| key::of(anchors.document.text(text))));
        // "all" can be a value: then it has a count, or stands among the others.
        if is_more(&anchor.text)
            && !open.contains_key(&(heading, container, key))
            && anchors.counted(anchor).count.is_none()
            && let Some(group) = last.filter(|&group| groups[group].heading == heading)
        {
            groups[group].more.push(at);
            continue;
        }
        let number = *open.entry((heading, container, key)).or_insert_with(|| {
            let (members, more, heads) = (Vec::new(), Vec::new(), Vec::new());
            groups.push(Group { container, heading, members, more, heads });
            groups.len() - 1
        });
        groups[number].members.push(at);
        last = Some(number);
    }
    for group in &groups {
        map.groups.push(finish(anchors, found, group));
    }
}

fn is_more(text: &str) -> bool {
    let marks = text.trim();
    if matches!(marks, "…" | "..." | "+" | "[+]" | "[…]") {
        return true;
    }
    let words = plain(text);
    says(&words, MORE, 0)
        || (words.split(' ').count() <= 4
            && says(&words, &["more", "show all", "see all", "view all", "mehr", "alle"], 2))
}

fn finish(anchors: &Anchors<'_>, found: &PageList, group: &Group) -> LinkGroup {
    let first = group.members[0];
    let mut links: Vec<FacetLink> = Vec::new();
    for (at, more) in
        group.members.iter().map(|&at| (at, false)).chain(group.more.iter().map(|&at| (at, true)))
    {
        let anchor = &anchors.list[at];
        let counted = anchors.counted(anchor);
        links.push(FacetLink {
            value: counted.value,
            href: anchor.url.to_string(),
            count: counted.count,
            selected: anchor.is_self || anchors.is_selected(anchor),
            more: more
                || (group.members.len() == 1 && counted.count.is_none() && is_more(&anchor.text)),
        });
    }
    let members = || group.members.iter().map(|&at| &anchors.list[at].parts);
    let shape = UrlShape::of_parts(members()).map(|shape| shape.to_string()).unwrap_or_default();
    let named = attribute::of(anchors, first, group.container);
    let (attribute, attribute_from) = match named {
        Some((name, source)) => (Some(name), source),
        None => match key(anchors, group) {
            Some(key) => (Some(key), AttributeSource::UrlKey),
            None => (None, AttributeSource::None),
        },
    };
    let facet_score = score(anchors, found, group, &links, attribute_from);
    let nodes = group.members.iter().map(|&at| anchors.list[at].node);
    let in_records = nodes.filter(|&node| found.in_records(anchors.document, node)).count();
    LinkGroup {
        attribute,
        attribute_from,
        links,
        facet_score,
        path: anchors.tag_path(anchors.list[first].node),
        shape,
        in_records: 2 * in_records > group.members.len(),
    }
}

/// The parameter that all links of a group add or change.
fn key(anchors: &Anchors<'_>, group: &Group) -> Option<String> {
    let mut names = group.members.iter().map(|&at| {
        anchors.list[at].changes.iter().find_map(|change| match change {
            UrlChange::Added { name, .. } | UrlChange::Changed { name, .. } => Some(name.clone()),
            _ => None,
        })
    });
    let first = names.next()??;
    names.all(|name| name.as_ref() == Some(&first)).then_some(first)
}

/// How much a group looks like facet values.
fn score(
    anchors: &Anchors<'_>,
    found: &PageList,
    group: &Group,
    links: &[FacetLink],
    source: AttributeSource,
) -> f64 {
    let document = anchors.document;
    let members = || group.members.iter().map(|&at| &anchors.list[at]);
    let share = |count: usize| count as f64 / group.members.len() as f64;
    let counted = links.iter().filter(|link| !link.more && link.count.is_some()).count();
    // What is below a value of a tree narrows as that does, with a longer address.
    let tops = if group.heads.is_empty() { &group.members } else { &group.heads };
    let refining = tops.iter().filter(|&&at| refines(&anchors.list[at].changes)).count();
    let refining = refining as f64 / tops.len() as f64;
    let away = members().filter(|anchor| anchor.parts.origin != anchors.address.origin).count();
    let edge = members().filter(|anchor| anchor.frame == Frame::Edge).count();
    let nav = members().filter(|anchor| anchor.frame == Frame::Nav).count();
    let in_record = members().filter(|anchor| found.in_records(document, anchor.node)).count();
    let long = links.iter().filter(|link| link.value.chars().count() > 40).count();
    let blank = links.iter().filter(|link| link.value.is_empty()).count();
    let constant = links.len() > 1 && links.iter().all(|link| link.value == links[0].value);
    let mut sum = -2.0;
    sum += 3.0 * share(counted);
    sum += 2.5 * refining;
    sum += match source {
        AttributeSource::Heading => 1.0,
        AttributeSource::TextBefore => 0.8,
        AttributeSource::Aria => 0.3,
        AttributeSource::UrlKey | AttributeSource::None => -1.0,
    };
    if matches!(source, AttributeSource::UrlKey | AttributeSource::None) {
        // Neither name nor counts: navigation looks just like that.
        sum -= 1.5 * (1.0 - share(counted));
        sum -= if group.members.len() == 1 { 2.0 } else { 0.0 };
    }
    let all_more = links.iter().all(|link| link.more);
    sum -= if all_more { 4.0 } else { 0.0 };
    let acts = members().filter(|anchor| {
        has(&anchor.text, FUNCTIONS)
            || anchor.parts.segments.iter().any(|segment| has(segment, FUNCTIONS))
    });
    sum -= 4.0 * share(acts.count());
    let up = members().filter(|anchor| {
        let changes = &anchor.changes;
        !changes.is_empty()
            && changes
                .iter()
                .all(|c| matches!(c, UrlChange::Removed { .. } | UrlChange::SegmentsRemoved(_)))
    });
    sum -= 3.0 * share(up.count());
    sum += if group.members.len() > 1 { 0.3 } else { -0.3 };
    sum += if group.more.is_empty() { 0.0 } else { 0.7 };
    let first = anchors.list[group.members[0]].node;
    sum += if anchors.marked(first, 8, FACET_MARKS) { 1.0 } else { 0.0 };
    sum += if document.ancestors(first).any(|n| document.is(n, Tag::ASIDE)) { 0.2 } else { 0.0 };
    sum -= 4.0 * share(edge) + 1.2 * share(nav) + 4.0 * share(away) + 4.0 * share(in_record);
    sum -= 2.0 * share(long.min(group.members.len())) + 2.0 * share(blank.min(group.members.len()));
    sum -= if constant { 3.0 } else { 0.0 };
    logistic(1.5 * sum)
}

/// Whether an address is this page's with one more part, or with one part in another's place.
fn refines(changes: &[UrlChange]) -> bool {
    let mut added = 0;
    for change in changes {
        match change {
            UrlChange::Added { .. } => added += 1,
            UrlChange::SegmentsAdded(segments) if segments.len() <= 2 => added += 1,
            UrlChange::Changed { .. } | UrlChange::SegmentChanged { .. } => added += 1,
            // The page number goes when a predicate comes.
            UrlChange::Removed { name, .. } if super::paging::is_page_key(name) => {}
            _ => return false,
        }
    }
    added == 1
}
