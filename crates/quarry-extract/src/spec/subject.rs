//! What a page is about, as its title and main heading say, and which values repeat it.

use quarry_dom::{Document, Tag};

use super::consistency::squeezed;

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

    /// What stands around the page's heading, or the beginning of its title, in a value that holds more.
    pub(super) fn around(&self, value: &str) -> Option<String> {
        let value = squeezed(value);
        let heading = self.heading.as_deref().filter(|heading| value.contains(heading));
        let beginning = || {
            let ends = self.title.char_indices().map(|(at, char)| at + char.len_utf8());
            let ends = ends.take_while(|&end| value.contains(&self.title[..end]));
            ends.last().map(|end| &self.title[..end])
        };
        let subject = heading.or_else(beginning)?;
        let around = value.replacen(subject, "", 1);
        (subject.chars().count() >= MIN_SUBJECT_CHARS && !around.is_empty()).then_some(around)
    }
}
