//! What the evidence asks about every record of every list, gathered in one pass over the page: headings, links, choices of
//! forms, words of the query.

use std::collections::BTreeSet;

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
        Self { headings_before, links, choice_chars_before, echo: QueryEcho::of(page) }
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

    /// Characters of the subtree that name choices of a form.
    pub(crate) fn choice_chars(&self, page: &PageIndex<'_>, node: NodeId) -> u32 {
        let range = page.leaf_range(node);
        self.choice_chars_before[range.end] - self.choice_chars_before[range.start]
    }
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
}
