//! What holds for every document, whatever the bytes were.

use proptest::prelude::*;
use quarry_dom::{Document, Kind, Limits, NodeId};
use url::Url;

use crate::soup::{cases, soup};

/// Checks the laws of the arena and calls everything that reads it.
pub fn obey(document: &Document, limits: &Limits) {
    let len = document.len();
    assert!(len >= 4 && len <= limits.nodes, "{len} nodes");
    assert_eq!(document.subtree_end(NodeId::ROOT).index(), len);
    let mut fan_out = vec![0; len];
    for node in document.all().skip(1) {
        let parent = document.parent(node).unwrap();
        fan_out[parent.index()] += 1;
        assert!(parent < node);
        assert!(node < document.subtree_end(node));
        assert!(document.subtree_end(node) <= document.subtree_end(parent));
        assert_eq!(document.depth(node), document.depth(parent) + 1);
        assert!(document.depth(node) <= limits.depth + usize::from(!document.is_element(node)));
        assert!(document.is_hidden(node) || !document.is_hidden(parent));
        assert!(matches!(document.kind(parent), Kind::Element | Kind::Document));
        if let Some(next) = document.next_sibling(node) {
            assert_eq!(document.prev_sibling(next), Some(node));
            assert!(!(document.is_text(node) && document.is_text(next)), "texts are merged");
        } else {
            assert_eq!(document.last_child(parent), Some(node));
        }
        assert!(document.attrs(node).count() <= limits.attributes);
    }
    for node in document.all() {
        assert_eq!(document.fan_out(node), fan_out[node.index()]);
        assert_eq!(document.children(node).count(), fan_out[node.index()]);
    }
    let mut post: Vec<_> = document.post_order(NodeId::ROOT).collect();
    assert_eq!(post.last(), Some(&NodeId::ROOT));
    post.sort();
    assert!(post.into_iter().eq(document.all()));
    read_all(document);
}

fn read_all(document: &Document) {
    let page = Url::parse("https://site.example/a/b?c").unwrap();
    for link in document.links(&page) {
        assert!(document.is_element(link.node));
    }
    for form in document.forms(&page) {
        assert!(form.controls.iter().map(|control| control.node).is_sorted());
    }
    let headings = document.headings();
    for node in document.all().take(200) {
        assert!(headings.of(node).iter().all(|&heading| heading < node || node < heading));
    }
    let _ = (document.dump(), document.title(), document.lang(), document.robots_meta());
    let _ = (document.canonical(&page), document.meta("description"), document.heap_bytes());
}

fn paths_lead_back(document: &Document) {
    let paths = document.xpaths();
    for node in document.all() {
        let path = document.xpath(node);
        assert_eq!(document.node_at(&path), Some(node), "{path}");
        assert_eq!(paths.xpath(node), path);
    }
}

/// The folded text by its definition: each node on its own, recursively.
fn naive_text(document: &Document, node: NodeId) -> String {
    fn walk(document: &Document, node: NodeId, text: &mut String) {
        if document.is_hidden(node) {
            return;
        }
        let tag = document.tag(node);
        let html = document.namespace(node) == quarry_dom::Namespace::Html;
        let block = html && tag.is_some_and(|tag| tag.is_block() || tag == quarry_dom::Tag::BR);
        if block {
            text.push(' ');
        }
        if document.is_text(node) {
            text.push_str(document.text(node));
        }
        for child in document.children(node) {
            walk(document, child, text);
        }
        if block {
            text.push(' ');
        }
    }
    let mut text = String::new();
    walk(document, node, &mut text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn texts_are_as_defined(document: &Document) {
    for node in document.all() {
        let text = document.folded_text(node);
        assert_eq!(text, naive_text(document, node), "{}", document.xpath(node));
        assert_eq!(document.folded_len(node), text.len());
        assert_eq!(document.folded_chars(node), text.chars().count());
        assert_eq!(document.has_text(node), !text.is_empty());
        let mut buffer = "before ".to_owned();
        document.push_folded_text(node, &mut buffer);
        assert_eq!(buffer, format!("before {text}"));
    }
}

#[test]
fn names_that_xpath_cannot_say_lead_back_too() {
    let html = "<x[1]>a</x[1]><x[1]>b</x[1]><a'b>c</a'b><a\"b'c><\u{e9}></x><p(1)>d";
    let document = Document::from_html(html);
    paths_lead_back(&document);
}

#[test]
fn paths_that_lead_nowhere() {
    let document = Document::from_html("<p>a<p>b<ul><li>c</ul>");
    for path in [
        "",
        "html",
        "//p",
        "/html/body/p",
        "/html/body/p[0]",
        "/html/body/p[3]",
        "/html/body/p[x]",
        "/html/",
        "/html/body/p[1",
        "/html/body/ul/li[2]",
        "/html/body/ul/[1]",
        "/html/body/ul/text()",
        "/html[-1]",
        "/html/body/p[99999999999999999999]",
        "/html/body/*[local-name()=p]",
        "/html/body/p[1]]",
    ] {
        assert_eq!(document.node_at(path), None, "{path:?}");
    }
    assert_eq!(document.node_at("/"), Some(NodeId::ROOT));
    assert_eq!(
        document.node_at("/html[1]/body[1]/ul/li[1]"),
        document.node_at("/html/body/ul/li"),
        "an index of 1 does no harm"
    );
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn any_bytes_make_a_document(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let limits = Limits::default();
        obey(&Document::parse(&bytes, None, &limits), &limits);
    }

    #[test]
    fn any_content_type_is_survived(bytes in "[a-zé<>]{0,40}", content_type in ".{0,40}") {
        let limits = Limits::default();
        obey(&Document::parse(bytes.as_bytes(), Some(&content_type), &limits), &limits);
    }

    #[test]
    fn soup_makes_a_document(html in soup(60)) {
        let document = Document::from_html(&html);
        obey(&document, &Limits::default());
        paths_lead_back(&document);
        texts_are_as_defined(&document);
    }

    #[test]
    fn narrow_limits_hold(
        html in soup(120), bytes in 0usize..900, nodes in 8usize..60, depth in 4usize..12, attributes in 1usize..3,
    ) {
        let limits = Limits { bytes, nodes, depth, attributes };
        let document = Document::parse(html.as_bytes(), Some("text/html;charset=utf-8"), &limits);
        obey(&document, &limits);
        paths_lead_back(&document);
        texts_are_as_defined(&document);
        prop_assert_eq!(document.cut().bytes, html.len() > bytes);
    }
}
