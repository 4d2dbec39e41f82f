//! What a page is about, as its title and main heading say, and which values repeat it.

use quarry_dom::{Document, Tag};

use super::value_texts::squeezed;

/// Shorter titles are in other texts by chance, in characters.
const MIN_SUBJECT_CHARS: usize = 4;

/// What a page is about, as its `<title>` and main heading say.
pub(super) struct Subject {
    title: String,
    heading: Option<String>,
}

impl Subject {
    pub(super) fn of(document: &Document) -> Self {
        let text = |tag: Tag| {
            document.elements(tag).next().map(|node| squeezed(&document.folded_text(node)))
        };
        Self { title: text(Tag::TITLE).unwrap_or_default(), heading: text(Tag::H1) }
    }

    /// Whether a value is the heading, or begins the title.
    pub(super) fn is(&self, value: &str) -> bool {
        let value = squeezed(value);
        self.title.starts_with(&value) || self.heading.as_ref() == Some(&value)
    }

    /// Whether a text is the heading, or the words that the title begins with.
    pub(super) fn is_named(&self, text: &str) -> bool {
        let text = squeezed(text);
        let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
        text.chars().count() >= MIN_SUBJECT_CHARS
            && (self.heading.as_ref() == Some(&text)
                || self.title.strip_prefix(&text).is_some_and(ends))
    }
}
