//! Metadata of a page: title, language, descriptions, and whether robots may index
//! and follow it.

use std::borrow::Cow;

use url::Url;

use crate::document::{Document, NodeId};
use crate::link::has_token;
use crate::name::{Attr, Tag};
use crate::text::fold_whitespace;

/// What the page's `<meta name=robots>` forbids.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RobotsMeta {
    /// The page shall not be shown in results.
    pub noindex: bool,
    /// The page's links shall not be followed.
    pub nofollow: bool,
}

impl Document {
    /// The text of the first `title`, white space folded.
    pub fn title(&self) -> Option<Cow<'_, str>> {
        let title = self.elements(Tag::TITLE).next()?;
        Some(match self.text_content(title) {
            Cow::Borrowed(text) => fold_whitespace(text),
            Cow::Owned(text) => Cow::Owned(fold_whitespace(&text).into_owned()),
        })
    }

    /// The language of the node by its own or its nearest ancestor's `lang`; for the page's own
    /// see [`Document::lang`].
    pub fn lang_of(&self, node: NodeId) -> Option<&str> {
        let own = std::iter::once(node).chain(self.ancestors(node));
        let lang = own.filter_map(|node| self.known_attr(node, Attr::LANG));
        lang.map(str::trim).find(|lang| !lang.is_empty())
    }

    /// The `lang` of the `html` element.
    pub fn lang(&self) -> Option<&str> {
        self.lang_of(self.elements(Tag::HTML).next()?)
    }

    /// The `content` of the first `meta` with this `name` or `property`, in any case:
    /// `meta("description")`, `meta("og:title")`.
    pub fn meta(&self, name: &str) -> Option<&str> {
        self.metas(name).next()
    }

    fn metas(&self, name: &str) -> impl Iterator<Item = &str> {
        self.elements(Tag::META).filter_map(move |meta| {
            let named = [Attr::NAME, Attr::PROPERTY].into_iter().any(|attr| {
                let value = self.known_attr(meta, attr);
                value.is_some_and(|value| value.trim().eq_ignore_ascii_case(name))
            });
            named.then(|| self.known_attr(meta, Attr::CONTENT)).flatten()
        })
    }

    /// What all `<meta name=robots>` together forbid to every robot.
    ///
    /// ```
    /// let page = quarry_dom::Document::from_html("<meta name=Robots content='NOINDEX, follow'>");
    /// assert!(page.robots_meta().noindex && !page.robots_meta().nofollow);
    /// ```
    pub fn robots_meta(&self) -> RobotsMeta {
        let mut robots = RobotsMeta::default();
        for rule in self.metas("robots").flat_map(|content| content.split(',')) {
            let is = |word: &str| rule.trim().eq_ignore_ascii_case(word);
            robots.noindex |= is("noindex") || is("none");
            robots.nofollow |= is("nofollow") || is("none");
        }
        robots
    }

    /// The address that the page would like to have: its first `<link rel=canonical>`.
    pub fn canonical(&self, page: &Url) -> Option<Url> {
        let href = self.elements(Tag::LINK).find_map(|link| {
            let rel = self.known_attr(link, Attr::REL)?;
            has_token(rel, "canonical").then(|| self.known_attr(link, Attr::HREF)).flatten()
        })?;
        self.base_url(page).join(href).ok()
    }
}
