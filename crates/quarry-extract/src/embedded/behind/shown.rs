//! What a page shows: its texts and the addresses that it links to.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, NodeId, Tag};
use url::Url;

use crate::page::hash;

/// Elements with longer texts are looked at by their parts only.
const MAX_TEXT_BYTES: usize = 2_000;

/// The texts and links of a page, for comparison with data.
#[derive(Debug, Clone)]
pub struct ShownPage {
    base: Url,
    /// Hashes of the texts of text nodes and of elements, with the first node that has each.
    texts: BTreeMap<u64, NodeId>,
    /// Hashes of the texts of links and headings.
    names: BTreeSet<u64>,
    /// Addresses of links.
    links: BTreeSet<String>,
}

impl ShownPage {
    /// What a document at an address shows.
    #[must_use]
    pub fn of(document: &Document, address: &Url) -> Self {
        let base = document.elements(Tag::BASE).next();
        let base = base.and_then(|node| document.known_attr(node, Attr::HREF));
        let base = base.and_then(|to| address.join(to).ok()).unwrap_or_else(|| address.clone());
        let mut shown =
            Self { base, texts: BTreeMap::new(), names: BTreeSet::new(), links: BTreeSet::new() };
        let hidden = [Tag::SCRIPT, Tag::STYLE, Tag::NOSCRIPT, Tag::TEMPLATE];
        let mut at = 0;
        while at < document.len() as u32 {
            let node = NodeId(at);
            at += 1;
            if hidden.iter().any(|&tag| document.is(node, tag)) {
                at = document.subtree_end(node).0;
                continue;
            }
            let is_large = document.is_element(node)
                && document.subtree_end(node).0 - node.0 > MAX_TEXT_BYTES as u32;
            if is_large || !(document.is_text(node) || document.is_element(node)) {
                continue;
            }
            let text = document.folded_text(node);
            let text = text.trim();
            if !text.is_empty() && text.len() <= MAX_TEXT_BYTES {
                shown.texts.entry(hash::of(text)).or_insert(node);
                let names = [Tag::A, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::TH];
                if names.iter().any(|&tag| document.is(node, tag)) {
                    shown.names.insert(hash::of(text));
                }
            }
            if document.is(node, Tag::A)
                && let Some(to) = document.known_attr(node, Attr::HREF)
                && let Ok(to) = shown.base.join(to)
            {
                shown.links.insert(to.into());
            }
        }
        shown
    }

    /// Whether a value stands on the page as a text of its own.
    #[must_use]
    pub fn shows(&self, value: &str) -> bool {
        self.place(value).is_some()
    }

    /// Where a value stands on the page first.
    pub(super) fn place(&self, value: &str) -> Option<NodeId> {
        self.texts.get(&hash::of(value.trim())).copied()
    }

    /// Whether a link or a heading is called so.
    #[must_use]
    pub fn calls(&self, value: &str) -> bool {
        self.names.contains(&hash::of(value.trim()))
    }

    /// Whether it links to an address.
    #[must_use]
    pub fn links_to(&self, address: &str) -> bool {
        self.links.contains(address)
    }

    /// The addresses that it links to.
    pub fn links(&self) -> impl Iterator<Item = &str> {
        self.links.iter().map(String::as_str)
    }

    /// The address of something that the page writes so.
    #[must_use]
    pub fn resolve(&self, to: &str) -> Option<String> {
        self.base.join(to).ok().map(String::from)
    }
}
