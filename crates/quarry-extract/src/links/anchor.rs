//! Facts about every link, gathered before links are classified: its address taken apart, its text,
//! what stands right before and behind it, and whether it stands in the frame of the site.

use std::collections::BTreeMap;

use quarry_dom::{Attr, Document, Kind, LinkKind, LinkTarget, NodeId, PageIndex, Tag};
use url::Url;

use super::attribute::{self, Gap, LabelNames};
use super::count::{self, Counted};
use super::shape::{Parts, UrlChange, changes_of};
use super::words::has;
use super::{PagingLink, PagingRole};

/// A part of the page that is the same everywhere on the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Frame {
    /// The content.
    None,
    /// A navigation: may hold facets.
    Nav,
    /// Breadcrumbs, header or footer: never holds them.
    Edge,
}

/// A link that can be followed.
#[derive(Debug)]
pub(super) struct Anchor<'a> {
    pub(super) node: NodeId,
    /// The address without fragment.
    pub(super) url: Url,
    pub(super) parts: Parts,
    /// The address as the page has it.
    written: &'a str,
    /// The text, the count included.
    pub(super) text: String,
    pub(super) rel: &'a str,
    pub(super) kind: LinkKind,
    /// Leads to this page.
    pub(super) is_self: bool,
    /// Differs from this page's address by its fragment only.
    pub(super) jumps: bool,
    pub(super) frame: Frame,
    /// What following it would change in the address of this page.
    pub(super) changes: Vec<UrlChange>,
    /// The largest element around it that has no other link in it.
    pub(super) item: NodeId,
    /// The element around the item.
    pub(super) container: NodeId,
    /// Taken by one of the readers.
    pub(super) taken: bool,
}

impl Anchor<'_> {
    /// The address as the page has it, resolved without regard to `<base>`: what labels are given as.
    pub(super) fn written_target(&self, page: &Url) -> String {
        let joined = page.join(self.written.trim());
        joined.map_or_else(|_| self.url.to_string(), |url| without_fragment(&url).to_string())
    }

    /// The link as one that pages.
    pub(super) fn paging(&self, role: PagingRole, number: Option<u32>) -> PagingLink {
        PagingLink { href: self.url.to_string(), written: self.written.to_owned(), role, number }
    }
}

/// All links of a page.
pub(super) struct Anchors<'a> {
    pub(super) index: &'a PageIndex<'a>,
    pub(super) document: &'a Document,
    /// The address of this page, and the same taken apart.
    pub(super) page: Url,
    pub(super) address: Parts,
    pub(super) list: Vec<Anchor<'a>>,
    /// What stands before each.
    pub(super) gaps: Vec<Gap>,
    /// For each node, how many links begin before it.
    before: Vec<u32>,
    pub(super) names: LabelNames<'a>,
}

impl<'a> Anchors<'a> {
    pub(super) fn of(index: &'a PageIndex<'a>, address: &Url) -> Self {
        let document = index.document;
        let frames = frames(document);
        let own = without_fragment(address);
        let here = Parts::of(&own);
        let mut list: Vec<Anchor<'a>> = Vec::new();
        for (link, jumps) in followable(document, &own) {
            let url = link.url;
            let parts = Parts::of(&url);
            list.push(Anchor {
                node: link.node,
                changes: changes_of(&here, &parts),
                parts,
                is_self: url == own,
                jumps,
                url,
                text: document.link_text(link.node).into_owned(),
                written: link.href,
                rel: document.known_attr(link.node, Attr::REL).unwrap_or_default(),
                kind: link.kind,
                frame: frames[link.node.index()],
                item: link.node,
                container: link.node,
                taken: false,
            });
        }
        let mut before = vec![0; document.len() + 1];
        for anchor in &list {
            before[anchor.node.index() + 1] += 1;
        }
        for at in 1..before.len() {
            before[at] += before[at - 1];
        }
        let gaps = attribute::gaps(document, list.iter().map(|anchor| anchor.node));
        let names = LabelNames::default();
        let mut anchors =
            Self { index, document, address: here, page: own, list, gaps, before, names };
        for at in 0..anchors.list.len() {
            let (item, container) = anchors.item(anchors.list[at].node);
            (anchors.list[at].item, anchors.list[at].container) = (item, container);
        }
        anchors
    }

    /// How many links the subtree has.
    pub(super) fn links_in(&self, node: NodeId) -> usize {
        let end = self.document.subtree_end(node);
        (self.before[end.index()] - self.before[node.index()]) as usize
    }

    /// The positions of the subtree's links in [`Anchors::list`].
    pub(super) fn range_in(&self, node: NodeId) -> std::ops::Range<usize> {
        let end = self.document.subtree_end(node);
        self.before[node.index()] as usize..self.before[end.index()] as usize
    }

    /// The largest element that has no other link in it, and the element around it.
    fn item(&self, node: NodeId) -> (NodeId, NodeId) {
        let mut item = node;
        loop {
            let parent = self.document.parent(item).unwrap_or(NodeId::ROOT);
            if parent == NodeId::ROOT || self.links_in(parent) > 1 {
                return (item, parent);
            }
            item = parent;
        }
    }

    /// The first text behind a link that is neither white space nor a mark, before the next link.
    pub(super) fn text_behind(&self, node: NodeId) -> &'a str {
        const NEAR: u32 = 12;
        let document = self.document;
        let start = document.subtree_end(node);
        let next = self.before[start.index()] as usize;
        let next = self.list.get(next).map_or(document.len() as u32, |anchor| anchor.node.0);
        for at in start.0..next.min(start.0 + NEAR) {
            let text = document.text(NodeId(at)).trim();
            if document.kind(NodeId(at)) == Kind::Text && text.chars().any(char::is_alphanumeric) {
                return if document.is_hidden(NodeId(at)) { "" } else { text };
            }
        }
        ""
    }

    /// The text of a link without its count, and the count in it or right behind it.
    pub(super) fn counted(&self, anchor: &Anchor<'_>) -> Counted {
        let document = self.document;
        // A count in an element of its own needs no brackets.
        let last = document.subtree(anchor.node).rfind(|&node| {
            document.kind(node) == Kind::Text && !document.text(node).trim().is_empty()
        });
        if let Some(last) = last {
            let own = document.parent(last) != Some(anchor.node);
            if own && let Some(count) = count::alone(document.text(last)) {
                let value = anchor.text.trim_end();
                let tail = document.text(last).trim();
                if let Some(value) = value.strip_suffix(tail)
                    && value.chars().any(char::is_alphanumeric)
                {
                    return Counted { value: count::tidy(value), count: Some(count) };
                }
            }
        }
        let inside = count::split(&anchor.text);
        if inside.count.is_some() {
            return inside;
        }
        let count = count::alone(self.text_behind(anchor.node));
        Counted { value: count::tidy(&anchor.text), count }
    }

    /// The path of a node without indices.
    pub(super) fn tag_path(&self, node: NodeId) -> String {
        let mut names: Vec<&str> = vec![self.document.tag_name(node)];
        names.extend(
            self.document
                .ancestors(node)
                .filter(|&n| n != NodeId::ROOT)
                .map(|n| self.document.tag_name(n)),
        );
        names.iter().rev().fold(String::new(), |path, name| path + "/" + name)
    }

    /// Whether the classes or id of a node or of the `levels` elements around it have one of the
    /// words.
    pub(super) fn marked(&self, node: NodeId, levels: usize, words: &[&str]) -> bool {
        std::iter::once(node)
            .chain(self.document.ancestors(node))
            .take(levels + 1)
            .any(|node| has_word(self.document, node, words))
    }

    /// Whether a link is shown as chosen.
    pub(super) fn is_selected(&self, anchor: &Anchor<'_>) -> bool {
        let document = self.document;
        let item = anchor.item;
        let mut around =
            std::iter::once(anchor.node).chain(document.ancestors(anchor.node).take(2));
        around.any(|node| {
            if node < item && node != anchor.node {
                return false;
            }
            let says =
                |name| document.attr(node, name).is_some_and(|v| v != "false" && !v.is_empty());
            says("aria-current")
                || says("aria-checked")
                || says("aria-selected")
                || document.classes(node).any(|class| {
                    let class = class.to_ascii_lowercase();
                    ["selected", "active", "current", "checked", "is-active", "is-selected"]
                        .contains(&class.as_str())
                })
        })
    }
}

/// An address without its fragment.
pub(super) fn without_fragment(address: &Url) -> Url {
    let mut bare = address.clone();
    bare.set_fragment(None);
    bare
}

/// The links of a page that can be followed, their addresses without fragment and session mark, and whether each leads
/// to a fragment of the page itself. `page` has no fragment.
pub(super) fn followable<'a>(document: &'a Document, page: &Url) -> Vec<(LinkTarget<'a>, bool)> {
    let mut links = document.link_targets(page);
    let mark = session_mark(page, links.iter().map(|link| &link.url));
    links.retain(|link| {
        !matches!(link.kind, LinkKind::Frame | LinkKind::Canonical)
            && matches!(link.url.scheme(), "http" | "https")
            && !link.href.trim_start().starts_with('#')
    });
    let clean = |mut link: LinkTarget<'a>| {
        let is_fragment = link.url.fragment().is_some();
        link.url.set_fragment(None);
        let jumps = is_fragment && link.url == *page;
        if let Some(mark) = &mark {
            unmark(&mut link.url, mark);
        }
        (link, jumps)
    };
    links.into_iter().map(clean).collect()
}

/// Whether the classes or the id of an element have one of the words.
pub(super) fn has_word(document: &Document, node: NodeId, words: &[&str]) -> bool {
    let names = document.classes(node).chain(document.id(node));
    names.into_iter().any(|name| has(name, words))
}

/// For each node, the frame that it stands in.
fn frames(document: &Document) -> Vec<Frame> {
    let mut frames = vec![Frame::None; document.len()];
    for node in document.all().skip(1) {
        let around = document.parent(node).map_or(Frame::None, |parent| frames[parent.index()]);
        let own = if document.is_element(node) { frame(document, node) } else { Frame::None };
        frames[node.index()] = around.max(own);
    }
    frames
}

/// An element with a larger share of the page's nodes is not the frame of it, whatever it is called.
const FRAME_SHARE: f64 = 0.5;

fn frame(document: &Document, node: NodeId) -> Frame {
    let Some(tag) = document.tag(node) else { return Frame::None };
    let role = document.known_attr(node, Attr::ROLE).unwrap_or_default();
    let in_article = || document.ancestors(node).any(|n| document.is(n, Tag::ARTICLE));
    let own = match tag {
        Tag::HTML | Tag::BODY | Tag::MAIN => Frame::None,
        Tag::HEADER | Tag::FOOTER if !in_article() => Frame::Edge,
        Tag::NAV => Frame::Nav,
        _ if matches!(role, "banner" | "contentinfo") => Frame::Edge,
        _ if role == "navigation" => Frame::Nav,
        Tag::DIV | Tag::UL | Tag::OL | Tag::P | Tag::TABLE | Tag::TD | Tag::SECTION => {
            if has_word(document, node, &["footer", "breadcrumb", "breadcrumbs", "crumbs"]) {
                Frame::Edge
            } else if has_word(document, node, &["nav", "navbar", "navigation", "menu", "topbar"]) {
                Frame::Nav
            } else {
                Frame::None
            }
        }
        _ => Frame::None,
    };
    let size = document.subtree_size(node) as f64;
    if own != Frame::None && size > FRAME_SHARE * document.len() as f64 { Frame::None } else { own }
}

/// Fewer links show no mark that all have.
const MARKED: usize = 8;
/// The share of a page's own links that have it.
const NEARLY_ALL: f64 = 0.9;
/// A mark has at least so many characters.
const MARK_LENGTH: usize = 8;

/// The parameter, `sid=08bd58c0fc37`, that a site puts into nearly all links of a page to know the visitor again. It says
/// nothing of what they lead to.
fn session_mark<'u>(page: &Url, links: impl Iterator<Item = &'u Url>) -> Option<String> {
    let is_mark = |pair: &str| {
        let value = pair.split_once('=').map_or("", |(_, value)| value);
        value.len() >= MARK_LENGTH && value.bytes().any(|byte| byte.is_ascii_digit())
    };
    let of = |url: &Url| url.query().unwrap_or_default().to_owned();
    let own = of(page);
    let (mut all, mut counts) = (0, BTreeMap::<String, usize>::new());
    for url in links.filter(|url| url.origin() == page.origin()) {
        all += 1;
        for pair in of(url).split('&').filter(|pair| is_mark(pair)) {
            *counts.entry(pair.to_owned()).or_default() += 1;
        }
    }
    let enough = |count: usize| all >= MARKED && count as f64 >= NEARLY_ALL * all as f64;
    let found = counts.into_iter().find(|(_, count)| enough(*count)).map(|(pair, _)| pair);
    found.filter(|mark| !own.split('&').any(|pair| pair == mark))
}

fn unmark(url: &mut Url, mark: &str) {
    let Some(query) = url.query().filter(|query| query.contains(mark)) else { return };
    let kept: Vec<&str> = query.split('&').filter(|pair| *pair != mark).collect();
    let kept = kept.join("&");
    url.set_query((!kept.is_empty()).then_some(kept.as_str()));
}
