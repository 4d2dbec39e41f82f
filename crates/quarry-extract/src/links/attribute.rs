//! Names a group of links by the heading, label or other text right before it (the paper's
//! "name of the attribute in the DOM structure above the link", §4.2), looked for between the last
//! link of another group and the first of this one.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use quarry_dom::{Attr, Document, Kind, NodeId, Tag};

use super::AttributeSource;
use super::anchor::Anchors;

/// Longer texts name nothing.
const LONGEST: usize = 60;
/// Texts that are remembered between two links: the last ones.
const TEXTS: usize = 6;

/// What stands between a link and the one before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Gap {
    /// The last heading, or text that ends with a colon.
    pub(super) label: Option<(NodeId, AttributeSource)>,
    /// The last texts with letters in them.
    texts: Vec<NodeId>,
}

impl Gap {
    /// The first text that stands in `node`.
    pub(super) fn first_text_in(&self, document: &Document, node: NodeId) -> Option<NodeId> {
        self.texts.iter().copied().find(|&text| document.contains(node, text))
    }

    /// The last text before the link, where it is short.
    pub(super) fn last_text(&self, document: &Document) -> Option<String> {
        self.texts.last().map(|&text| whole(document, text)).filter(|text| text.len() <= LONGEST)
    }
}

/// The gap before each link.
pub(super) fn gaps(document: &Document, links: impl Iterator<Item = NodeId>) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut from = 0;
    for link in links {
        let mut gap = Gap::default();
        for at in from..link.0 {
            look(document, NodeId(at), &mut gap);
        }
        // A link that is itself in a heading: the heading ends with the gap behind it.
        from = document.subtree_end(link).0.max(from);
        gaps.push(gap);
    }
    gaps
}

fn look(document: &Document, node: NodeId, gap: &mut Gap) {
    if document.kind(node) == Kind::Element {
        if is_heading(document, node) && document.has_text(node) {
            gap.label = Some((node, AttributeSource::Heading));
            gap.texts.clear();
        }
        return;
    }
    if document.kind(node) != Kind::Text || document.is_hidden(node) {
        return;
    }
    let text = document.text(node).trim();
    if !text.chars().any(char::is_alphabetic) || in_control(document, node) {
        return;
    }
    if let Some((heading, AttributeSource::Heading)) = gap.label
        && document.contains(heading, node)
    {
        return;
    }
    if text.ends_with([':', '：']) && text.chars().count() <= LONGEST {
        gap.label = Some((node, AttributeSource::TextBefore));
        gap.texts.clear();
        return;
    }
    if gap.texts.len() == TEXTS {
        gap.texts.remove(0);
    }
    gap.texts.push(node);
}

fn in_control(document: &Document, node: NodeId) -> bool {
    document.ancestors(node).take(3).any(|n| {
        [Tag::OPTION, Tag::BUTTON, Tag::SELECT, Tag::TEXTAREA]
            .iter()
            .any(|&tag| document.is(n, tag))
    })
}

/// Whether an element heads what follows.
pub(super) fn is_heading(document: &Document, node: NodeId) -> bool {
    matches!(
        document.tag(node),
        Some(
            Tag::H1
                | Tag::H2
                | Tag::H3
                | Tag::H4
                | Tag::H5
                | Tag::H6
                | Tag::LEGEND
                | Tag::SUMMARY
                | Tag::DT
                | Tag::CAPTION
                | Tag::TH
        )
    ) || document.known_attr(node, Attr::ROLE) == Some("heading")
}

/// The name of a group that begins with link `first`; its links stand in `container`.
pub(super) fn of(
    anchors: &Anchors<'_>,
    first: usize,
    container: NodeId,
) -> Option<(String, AttributeSource)> {
    let document = anchors.document;
    let gap = &anchors.gaps[first];
    // A heading that is a link: "<h3><a href=/brands>Brand</a></h3>".
    if gap.label.is_none()
        && gap.texts.is_empty()
        && let Some(before) = first.checked_sub(1).map(|at| &anchors.list[at])
        && let Some(heading) =
            document.ancestors(before.node).take(2).find(|&node| is_heading(document, node))
        && let Some(name) = name(&document.folded_text(heading))
    {
        return Some((name, AttributeSource::Heading));
    }
    // The first link of the row may be one that belongs to no group, such as "All".
    let mut start = first;
    let belongs_to_none = |at: usize| {
        let anchor = &anchors.list[at];
        (anchor.taken || anchor.is_self) && anchor.container == container
    };
    while anchors.gaps[start].label.is_none()
        && anchors.gaps[start].texts.is_empty()
        && start > 0
        && belongs_to_none(start - 1)
    {
        start -= 1;
    }
    // Only a heading reaches across such links: other text belongs to them.
    let gap = &anchors.gaps[if anchors.gaps[start].label.is_some() { start } else { first }];
    let inside = gap.texts.iter().copied().filter(|&text| document.contains(container, text));
    let mut near = gap.texts.iter().copied().filter(|&text| !document.contains(container, text));
    let mut candidates: Vec<(NodeId, AttributeSource)> = Vec::new();
    let before = AttributeSource::TextBefore;
    match gap.label {
        // Text between a heading and the links names them only if the groups that follow under the same heading have such a
        // text, too: then that is the heading of all of them ("Filters").
        Some((node, source)) => {
            let label = near.next_back().filter(|&text| names_next_groups(anchors, first, text));
            candidates.extend(label.map(|text| (text, before)));
            candidates.push((node, source));
        }
        None => {
            candidates.extend(inside.clone().next().map(|text| (text, before)));
            candidates.extend(near.next_back().map(|text| (text, before)));
        }
    }
    let found = candidates.into_iter().find_map(|(node, source)| {
        let text = match source {
            AttributeSource::Heading => document.folded_text(node).into_owned(),
            _ => whole(document, node),
        };
        name(&text).map(|name| (name, source))
    });
    found.or_else(|| aria(anchors, container))
}

/// Whether a text before links further on, without a heading of their own, stands in an element like that of `text`.
fn names_next_groups(anchors: &Anchors<'_>, first: usize, text: NodeId) -> bool {
    let document = anchors.document;
    let place = |text: NodeId| {
        let element = document.parent(text)?;
        let depth = document.ancestors(element).count();
        Some((document.tag_name(element), document.classes(element).collect::<Vec<_>>(), depth))
    };
    let own = place(text);
    let next = anchors.gaps.iter().skip(first + 1).take_while(|gap| gap.label.is_none());
    next.filter_map(|gap| gap.texts.last()).any(|&other| place(other) == own)
}

/// The text before each row of links, found once for all links of the row.
pub(super) struct RowLabels {
    /// The last link of each container that was asked for, the first link of its row, and the row's label.
    rows: BTreeMap<NodeId, (usize, usize, Option<String>)>,
}

impl RowLabels {
    pub(super) fn new() -> Self {
        Self { rows: BTreeMap::new() }
    }

    /// The text before the row of links that a link stands in. Links must be asked for in document order.
    pub(super) fn text_before(&mut self, anchors: &Anchors<'_>, at: usize) -> Option<&str> {
        let container = anchors.list[at].container;
        let known = self.rows.get(&container).map(|&(last, first, _)| (last, first));
        let mut first = at;
        while anchors.gaps[first].label.is_none()
            && anchors.gaps[first].texts.is_empty()
            && first > 0
            && anchors.document.contains(container, anchors.list[first - 1].node)
        {
            first -= 1;
            if let Some((_, start)) = known.filter(|&(last, _)| last == first) {
                first = start;
                break;
            }
        }
        let row = self.rows.entry(container).or_insert((at, usize::MAX, None));
        if row.1 != first {
            row.2 = of(anchors, first, container).map(|(text, _)| text);
        }
        (row.0, row.1) = (at, first);
        row.2.as_deref()
    }
}

/// The text before the row of links that a link stands in.
pub(super) fn text_before(anchors: &Anchors<'_>, at: usize) -> Option<String> {
    RowLabels::new().text_before(anchors, at).map(str::to_owned)
}

/// The text of the element that a text stands in, if it has no link in it and is short; else the
/// text alone.
fn whole(document: &Document, text: NodeId) -> String {
    let own = document.text(text).trim();
    let parent = document.parent(text).unwrap_or(NodeId::ROOT);
    let simple = document.subtree_size(parent) <= 4
        && document.subtree(parent).all(|node| !document.is(node, Tag::A));
    if simple { document.folded_text(parent).into_owned() } else { own.to_owned() }
}

fn aria(anchors: &Anchors<'_>, container: NodeId) -> Option<(String, AttributeSource)> {
    const LEVELS: usize = 3;
    let document = anchors.document;
    let around = std::iter::once(container).chain(document.ancestors(container)).take(LEVELS);
    // The label of a landmark ("Main") says what the navigation is for, not what its links have in common.
    let is_landmark = |node: NodeId| {
        document.is(node, Tag::NAV) || document.attr(node, "role") == Some("navigation")
    };
    for node in around.take_while(|&node| !is_landmark(node)) {
        let label = document.known_attr(node, Attr::ARIA_LABEL);
        let by = document.known_attr(node, Attr::ARIA_LABELLEDBY);
        let name = match (label, by) {
            (Some(label), _) => name(label),
            (None, Some(by)) => anchors.names.of(document, by),
            (None, None) => None,
        };
        if let Some(name) = name {
            return Some((name, AttributeSource::Aria));
        }
    }
    None
}

/// What the elements say that `aria-labelledby` refers to, each read once.
#[derive(Default)]
pub(super) struct LabelNames<'a> {
    ids: OnceCell<BTreeMap<&'a str, NodeId>>,
    names: RefCell<BTreeMap<NodeId, Option<String>>>,
}

impl<'a> LabelNames<'a> {
    /// The name that the first of some ids refers to.
    fn of(&self, document: &'a Document, ids: &str) -> Option<String> {
        let elements = self.ids.get_or_init(|| document.ids());
        let node = *elements.get(ids.split_whitespace().next()?)?;
        let mut names = self.names.borrow_mut();
        names.entry(node).or_insert_with(|| name(&document.folded_text(node))).clone()
    }
}

/// A text as a name: without colon, brackets at the end and marks around it; `None` where it is too
/// long or has no letters.
fn name(text: &str) -> Option<String> {
    let mut text = text.trim();
    loop {
        let before = text;
        text = text
            .trim_end_matches([':', '：', '▾', '▼', '▸', '►', '+', '-', '–', '>', '»', '*'])
            .trim();
        text = text.trim_start_matches(['▾', '▼', '▸', '►', '•', '+', '-', '>', '»', '«']).trim();
        // "works_with (array) >20", "Brand (12)"
        let end = text.rsplit(' ').next().unwrap_or_default();
        let bare = end.trim_start_matches(['>', '<', '≥', '~']);
        if !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_digit()) && bare.len() < end.len() {
            text = text[..text.len() - end.len()].trim();
        }
        if let Some(at) = text.rfind(['(', '[']).filter(|&at| at > 0 && text.ends_with([')', ']']))
        {
            text = text[..at].trim();
        }
        if text == before {
            break;
        }
    }
    let fits = text.chars().count() <= LONGEST && text.chars().any(char::is_alphabetic);
    fits.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use quarry_dom::Document;
    use url::Url;

    use super::name;
    use crate::links::read_links;

    #[test]
    fn a_heading_of_several_groups_names_none_of_them() {
        let groups = |heads: [&str; 2]| -> Vec<Option<String>> {
            let group = |(at, head): (usize, &str)| {
                let links: String = ["bo", "lu", "ze"]
                    .iter()
                    .map(|value| format!("<a href='/zu?p{at}={value}'>{value}{at}</a>"))
                    .collect();
                format!("<div><div class=h>{head}</div><div>{links}</div></div>")
            };
            let groups: String = heads.into_iter().enumerate().map(group).collect();
            let rows: String = (0..9)
                .map(|n| format!("<tr><td><a href='/zu/{n}'>Borl {n}</a><td>Wex {n}</tr>"))
                .collect();
            let html = format!("<h3>Filters</h3>{groups}<table>{rows}</table>");
            let url = Url::parse("http://h/zu").unwrap();
            let map = read_links(&Document::from_html(&html), &url);
            map.groups.iter().map(|group| group.attribute.clone()).collect()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(groups(["Fam", "Ix"]), [some("Fam"), some("Ix")]);
    }

    #[test]
    fn names_are_bare() {
        let check = |text: &str, expect: &str| assert_eq!(name(text).as_deref(), Some(expect));
        check("Brand:", "Brand");
        check("Color (12)", "Color");
        check("works_with (array) >20", "works_with");
        check("▸ Shoe size", "Shoe size");
        assert_eq!(name("12"), None);
    }
}
