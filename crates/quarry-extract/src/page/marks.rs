//! What the evidence asks about every record of every list, gathered in one pass over the page: headings, links, choices of
//! forms, words of the query.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, NodeId, PageIndex, Tag, key};

use super::echo::QueryEcho;

/// Sums over any subtree of a page.
pub(crate) struct PageMarks {
    /// For each node and the end, the headings before it.
    headings_before: Vec<u32>,
    /// Links with an address in document order: node and hash of the address.
    links: Vec<(NodeId, u64)>,
    /// For each leaf and the end, the characters before it that name a choice of a form.
    choice_chars_before: Vec<u32>,
    /// Elements with content, by path and style.
    twins: Vec<((u64, u64), NodeId)>,
    pub(crate) echo: Option<QueryEcho>,
}

impl PageMarks {
    pub(crate) fn of(page: &PageIndex<'_>) -> Self {
        let document = page.document;
        let mut headings_before = Vec::with_capacity(document.len() + 1);
        let (mut headings, mut links) = (0, Vec::new());
        for node in document.all() {
            headings_before.push(headings);
            let Some(tag) = document.tag(node) else { continue };
            headings += u32::from(tag.heading_level().is_some());
            if tag == Tag::A
                && let Some(address) = document.known_attr(node, Attr::HREF)
            {
                links.push((node, key::of(address)));
            }
        }
        headings_before.resize(document.len() + 1, headings);
        let mut choices = choice_leaves(page).into_iter().peekable();
        let mut choice_chars_before = Vec::with_capacity(page.leaves.len() + 1);
        let mut sum = 0;
        choice_chars_before.push(0);
        for (at, leaf) in page.leaves.iter().enumerate() {
            sum += if choices.next_if_eq(&at).is_some() { leaf.chars } else { 0 };
            choice_chars_before.push(sum);
        }
        let elements = page.visible_elements().filter(|&node| page.has_content(node));
        let mut twins: Vec<_> = elements.map(|node| (build(page, node), node)).collect();
        twins.sort_unstable();
        Self { headings_before, links, choice_chars_before, twins, echo: QueryEcho::of(page) }
    }

    pub(crate) fn has_heading(&self, document: &Document, node: NodeId) -> bool {
        let end = document.subtree_end(node).index();
        self.headings_before[node.index()] < self.headings_before[end]
    }

    /// The hash of the address of the first link in the subtree.
    pub(crate) fn first_target(&self, document: &Document, node: NodeId) -> Option<u64> {
        let next = self.links.partition_point(|link| link.0 < node);
        self.links.get(next).filter(|link| link.0 < document.subtree_end(node)).map(|link| link.1)
    }

    /// The other elements that have the path and the style of several of these nodes, and the fields that most of them have,
    /// in document order.
    pub(crate) fn twins(&self, page: &PageIndex<'_>, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut builds: Vec<(u64, u64)> = nodes.iter().map(|&node| build(page, node)).collect();
        builds.sort_unstable();
        let mut twins: Vec<NodeId> = Vec::new();
        for same in builds.chunk_by(|one, other| one == other).filter(|same| same.len() > 1) {
            let start = self.twins.partition_point(|twin| twin.0 < same[0]);
            let found = self.twins[start..].iter().take_while(|twin| twin.0 == same[0]);
            let others = found.map(|twin| twin.1).filter(|twin| nodes.binary_search(twin).is_err());
            twins.extend(others);
        }
        if !twins.is_empty() {
            let common = common_fields(page, nodes);
            let shares = |node: NodeId| {
                let fields = fields(page, node);
                let shared = common.iter().filter(|field| fields.binary_search(field).is_ok());
                shared.count() as f64 >= TWIN_FIELDS * common.len() as f64
            };
            let parents: BTreeMap<NodeId, (NodeId, NodeId)> = extents(page, nodes);
            let between = |node: NodeId| {
                let parent = page.document.parent(node).and_then(|parent| parents.get(&parent));
                parent.is_some_and(|&(first, last)| first < node && node < last)
            };
            twins.retain(|&twin| between(twin) || shares(twin));
            twins.sort_unstable();
        }
        twins
    }

    /// Characters of the subtree that name choices of a form.
    pub(crate) fn choice_chars(&self, page: &PageIndex<'_>, node: NodeId) -> u32 {
        let range = page.leaf_range(node);
        self.choice_chars_before[range.end] - self.choice_chars_before[range.start]
    }
}

/// A field is common to nodes if this share of them has it.
const MIN_FIELD_SHARE: f64 = 0.5;
/// Of the common fields, a twin has this share: a head of columns or an advertisement in the dress of the records has fewer.
const TWIN_FIELDS: f64 = 0.6;

/// The fields in the subtree of a node, sorted, without repeats.
fn fields(page: &PageIndex<'_>, node: NodeId) -> Vec<u64> {
    let mut fields: Vec<u64> = page.leaves_of(node).iter().map(|leaf| page.field(leaf)).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// The fields that most of the nodes have.
fn common_fields(page: &PageIndex<'_>, nodes: &[NodeId]) -> Vec<u64> {
    let mut all: Vec<u64> = nodes.iter().flat_map(|&node| fields(page, node)).collect();
    all.sort_unstable();
    let same = all.chunk_by(|one, other| one == other);
    let most = same.filter(|same| same.len() as f64 >= MIN_FIELD_SHARE * nodes.len() as f64);
    most.map(|same| same[0]).collect()
}

/// For each parent of nodes, the first and the last of them.
fn extents(page: &PageIndex<'_>, nodes: &[NodeId]) -> BTreeMap<NodeId, (NodeId, NodeId)> {
    let mut extents = BTreeMap::new();
    for &node in nodes {
        let parent = page.document.parent(node).unwrap_or(NodeId::ROOT);
        extents.entry(parent).or_insert((node, node)).1 = node;
    }
    extents
}

/// The path and style of an element.
fn build(page: &PageIndex<'_>, node: NodeId) -> (u64, u64) {
    (page.path(node).0, page.style(node).0)
}

/// The leaves that name an option, a checkbox or a radio button, in document order.
fn choice_leaves(page: &PageIndex<'_>) -> Vec<usize> {
    let document = page.document;
    let is_choice = |node: NodeId| {
        let kind = document.known_attr(node, Attr::TYPE).unwrap_or_default();
        kind.eq_ignore_ascii_case("checkbox") || kind.eq_ignore_ascii_case("radio")
    };
    let boxes: Vec<NodeId> =
        document.elements(Tag::INPUT).filter(|&node| is_choice(node)).collect();
    let mut chosen: Vec<usize> = Vec::new();
    for option in document.elements(Tag::OPTION) {
        chosen.extend(page.leaf_range(option));
    }
    if !boxes.is_empty() {
        let ids: BTreeSet<&str> = boxes.iter().filter_map(|&node| document.id(node)).collect();
        for label in document.elements(Tag::LABEL) {
            let named = document.attr(label, "for").is_some_and(|id| ids.contains(id));
            let next = boxes.partition_point(|&node| node < label);
            let holds = boxes.get(next).is_some_and(|&node| document.contains(label, node));
            if named || holds {
                chosen.extend(page.leaf_range(label));
            }
        }
        for &node in &boxes {
            // Without a label, the text that follows the box in its parent names it.
            let parent = document.parent(node).unwrap_or(NodeId::ROOT);
            let after = page.leaf_range(node).end;
            chosen.extend((after < page.leaf_range(parent).end).then_some(after));
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_marked() {
        let page = Document::from_html(
            "<form><select><option>Red</select><label><input type=checkbox> Blue</label>\
             <input type=radio> <i>Green</i> <b>or not</b></form><p>Size (large)</p>",
        );
        let index = PageIndex::new(&page);
        let marks = PageMarks::of(&index);
        assert_eq!(marks.choice_chars(&index, NodeId::ROOT), 3 + 4 + 5);
    }

    #[test]
    fn twins_have_path_style_and_fields_of_the_records() {
        let row =
            |n: u32| format!("<tr class=r><td><a href=/{n}>Case {n}</a></td><td>May {n}</td></tr>");
        let page = Document::from_html(&format!(
            "<div><table>{}{}</table></div><div><table><tr class=r><th>Case</th><th>Date</th></tr>{}</table></div>\
             <ul><li class=r><a href=/9>Case 9</a></li></ul>",
            row(1),
            row(2),
            row(3)
        ));
        let index = PageIndex::new(&page);
        let marks = PageMarks::of(&index);
        let rows: Vec<NodeId> = page.elements(Tag::TR).collect();
        // The head of the second table and the item of the list are not built like the rows.
        assert_eq!(marks.twins(&index, &rows[..2]), [rows[3]]);
        assert_eq!(marks.twins(&index, &rows[..1]), []);
    }
}
