//! Is every page a tree, and does everything that is asked of it agree with that tree?

use std::borrow::Cow;

use quarry_dom::{Document, Kind, Limits, NodeId, fold_whitespace};
use url::Url;

/// How many nodes are asked the questions that cost a walk each.
const ASKED: usize = 48;

/// Parses, walks and asks; twice, the second time within limits that most pages meet.
pub fn html(data: &[u8]) {
    let limits = Limits::default();
    let page = Document::parse(data, Some("text/html; charset=utf-8"), &limits);
    check_tree(&page, &limits);
    check_questions(&page);

    let tight = Limits { bytes: 600, nodes: 40, depth: 8, attributes: 2 };
    let page = Document::parse(data, None, &tight);
    check_tree(&page, &tight);
    check_questions(&page);
}

/// The laws of the arena: document order, nested ranges, merged texts.
pub(crate) fn check_tree(page: &Document, limits: &Limits) {
    let len = page.len();
    assert!(len <= limits.nodes, "{len} nodes");
    assert_eq!(page.subtree_end(NodeId::ROOT).index(), len);
    assert_eq!(page.kind(NodeId::ROOT), Kind::Document);
    for node in page.all() {
        let end = page.subtree_end(node);
        assert!(node < end);
        if let Some(parent) = page.parent(node) {
            assert!(parent < node && end <= page.subtree_end(parent), "{node:?} in {parent:?}");
            assert_eq!(page.depth(node), page.depth(parent) + 1);
            assert!(page.is_hidden(node) || !page.is_hidden(parent), "{node:?} shows");
            assert!(matches!(page.kind(parent), Kind::Document | Kind::Element));
        }
        if page.is_element(node) {
            assert!(page.depth(node) <= limits.depth, "depth {}", page.depth(node));
            assert!(page.attrs(node).count() <= limits.attributes.max(1));
        }
        check_children(page, node);
    }
    let mut last_seen = vec![false; len];
    for node in page.post_order(NodeId::ROOT) {
        assert!(!last_seen[node.index()], "{node:?} twice in post-order");
        assert!(page.children(node).all(|child| last_seen[child.index()]));
        last_seen[node.index()] = true;
    }
    assert!(last_seen.iter().all(|&seen| seen), "a node is missing in post-order");
}

fn check_children(page: &Document, node: NodeId) {
    let mut before: Option<NodeId> = None;
    let mut count = 0;
    for child in page.children(node) {
        assert_eq!(page.parent(child), Some(node));
        match before {
            None => assert_eq!(page.first_child(node), Some(child)),
            Some(before) => {
                assert_eq!(page.next_sibling(before), Some(child));
                assert_eq!(page.prev_sibling(child), Some(before));
                assert!(!(page.is_text(before) && page.is_text(child)), "texts not merged");
            }
        }
        before = Some(child);
        count += 1;
    }
    assert_eq!(page.fan_out(node), count);
    assert_eq!(page.last_child(node), before);
    assert!(before.is_none_or(|last| page.next_sibling(last).is_none()));
}

/// Paths lead back, texts are folded, links and forms and headings stand on the page.
pub(crate) fn check_questions(page: &Document) {
    let address = Url::parse("https://shop.example/a/b?c=d").expect("a plain address");
    let (paths, headings) = (page.xpaths(), page.headings());
    let step = page.len().div_ceil(ASKED).max(1);
    for node in page.all().step_by(step) {
        let path = page.xpath(node);
        assert_eq!(paths.xpath(node), path);
        assert_eq!(page.node_at(&path), Some(node), "{path}");
        page.tag_path(node);
        page.lang_of(node);
        check_text(page, node);
        let of = headings.of(node);
        assert!(of.iter().all(|&heading| !page.is_hidden(heading) && page.has_text(heading)));
    }
    for link in page.links(&address) {
        assert!(page.is_element(link.node));
        assert_eq!(fold_whitespace(&link.text), link.text);
    }
    for (at, form) in page.forms(&address).iter().enumerate() {
        assert_eq!(form.index, at);
        assert!(form.controls.is_sorted_by(|a, b| a.node < b.node), "controls out of order");
        for control in &form.controls {
            assert_eq!(page.control_kind(control.node), Some(control.kind));
            assert!(control.options.is_sorted_by(|a, b| a.node < b.node), "options out of order");
        }
    }
    page.title();
    page.meta("description");
    page.robots_meta();
    page.canonical(&address);
    page.element_by_id("x");
    page.dump();
}

fn check_text(page: &Document, node: NodeId) {
    let text = page.folded_text(node);
    assert!(matches!(fold_whitespace(&text), Cow::Borrowed(same) if same == text), "{text:?}");
    assert_eq!(page.folded_len(node), text.len());
    assert_eq!(page.folded_chars(node), text.chars().count());
    assert_eq!(page.has_text(node), !text.is_empty());
    let mut pushed = String::new();
    page.push_folded_text(node, &mut pushed);
    assert_eq!(pushed, text);
    // Folding leaves out what is hidden and keeps all other letters.
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    assert!(letters(&text) <= letters(&page.text_content(node)));
}
