//! The links of a page, resolved against `<base>` and the page's own address.

use std::borrow::Cow;

use url::Url;

use crate::document::{Document, NodeId};
use crate::name::{Attr, Tag};
use crate::text::fold_whitespace;

/// What kind of element a link is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinkKind {
    /// `<a href>`
    Anchor,
    /// `<area href>` of an image map
    Area,
    /// `<iframe src>` or `<frame src>`
    Frame,
    /// `<link rel=canonical>`: the address that the page would like to have
    Canonical,
    /// `<link rel=next>`
    Next,
    /// `<link rel=prev>` or `previous`
    Prev,
}

/// A link of a page.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    /// The element.
    pub node: NodeId,
    /// What kind of element it is.
    pub kind: LinkKind,
    /// The address as it stands in the page.
    pub href: &'a str,
    /// The absolute address. May have any scheme, `mailto:` and `javascript:` included.
    pub url: Url,
    /// The visible text of an anchor; where it shows none, the `alt` of its first image that has
    /// one, else its `aria-label` or `title`.
    pub text: Cow<'a, str>,
    /// The `rel` attribute, "" where there is none.
    pub rel: &'a str,
}

/// Where a link leads.
#[derive(Clone, Debug)]
pub struct LinkTarget<'a> {
    /// The element.
    pub node: NodeId,
    /// What kind of element it is.
    pub kind: LinkKind,
    /// The address as it stands in the page.
    pub href: &'a str,
    /// The absolute address; see [`Link::url`].
    pub url: Url,
}

impl Link<'_> {
    /// Whether `rel` has this token, in any case.
    pub fn has_rel(&self, token: &str) -> bool {
        has_token(self.rel, token)
    }
}

impl Document {
    /// The address that relative ones are resolved against: the first `<base href>`, itself
    /// resolved against the page's address, or the page's address.
    pub fn base_url(&self, page: &Url) -> Url {
        let href = self.elements(Tag::BASE).find_map(|base| self.known_attr(base, Attr::HREF));
        href.and_then(|href| page.join(href).ok()).unwrap_or_else(|| page.clone())
    }

    /// All links in document order, hidden ones included. Addresses that no URL can be made of are
    /// left out.
    ///
    /// ```
    /// use quarry_dom::Document;
    /// let page = Document::from_html("<base href='/shop/'><a href='item?id=3'>Three</a>");
    /// let address = url::Url::parse("https://shop.example/index.html").unwrap();
    /// let links = page.links(&address);
    /// assert_eq!(links[0].url.as_str(), "https://shop.example/shop/item?id=3");
    /// assert_eq!(links[0].text, "Three");
    /// ```
    pub fn links(&self, page: &Url) -> Vec<Link<'_>> {
        let targets = self.link_targets(page).into_iter();
        let link = |LinkTarget { node, kind, href, url }| {
            let text = self.link_text(node);
            let rel = self.known_attr(node, Attr::REL).unwrap_or_default();
            Link { node, kind, href, url, text, rel }
        };
        targets.map(link).collect()
    }

    /// Where all links lead, without their texts; otherwise as [`Document::links`].
    pub fn link_targets(&self, page: &Url) -> Vec<LinkTarget<'_>> {
        let base = self.base_url(page);
        let resolver = Url::options().base_url(Some(&base));
        let mut targets = Vec::new();
        for node in self.all() {
            let Some(kind) = self.link_kind(node) else { continue };
            let address = if kind == LinkKind::Frame { Attr::SRC } else { Attr::HREF };
            let Some(href) = self.known_attr(node, address) else { continue };
            let Ok(url) = resolver.parse(href) else { continue };
            targets.push(LinkTarget { node, kind, href, url });
        }
        targets
    }

    fn link_kind(&self, node: NodeId) -> Option<LinkKind> {
        let tag = self.tag(node)?;
        // Only the names that can be links are worth a look at the namespace.
        let kind = match tag {
            Tag::A => LinkKind::Anchor,
            Tag::AREA => LinkKind::Area,
            Tag::IFRAME | Tag::FRAME => LinkKind::Frame,
            Tag::LINK => {
                let rel = self.known_attr(node, Attr::REL)?;
                if has_token(rel, "canonical") {
                    LinkKind::Canonical
                } else if has_token(rel, "next") {
                    LinkKind::Next
                } else if has_token(rel, "prev") || has_token(rel, "previous") {
                    LinkKind::Prev
                } else {
                    return None;
                }
            }
            _ => return None,
        };
        self.is(node, tag).then_some(kind)
    }

    /// The text of a link; see [`Link::text`].
    pub fn link_text(&self, node: NodeId) -> Cow<'_, str> {
        let text = self.folded_text(node);
        if !text.is_empty() {
            return text;
        }
        let images = self.subtree(node).filter(|&n| self.is(n, Tag::IMG) || self.is(n, Tag::AREA));
        let alt = images.filter_map(|image| self.known_attr(image, Attr::ALT));
        let own = [Attr::ARIA_LABEL, Attr::TITLE];
        let own = own.into_iter().filter_map(|name| self.known_attr(node, name));
        alt.chain(own).map(fold_whitespace).find(|text| !text.is_empty()).unwrap_or_default()
    }
}

/// Whether a list of tokens parted by white space has this one, in any case.
pub(crate) fn has_token(list: &str, token: &str) -> bool {
    list.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(token))
}
