//! Words that hint at what a link does: short lists in many languages, compared with whole texts or whole
//! words, and the names of parameters.

mod facet;
mod function;
mod list;
mod paging;

pub(super) use facet::*;
pub(super) use function::FUNCTIONS;
pub(super) use list::*;
pub(super) use paging::*;

use crate::text::name_parts;

/// Longer texts say none of what is asked here.
const LONGEST: usize = 100;

/// A text in lower case, its words parted by single spaces, marks left out; "" for a long one.
pub(super) fn plain(text: &str) -> String {
    if text.len() > LONGEST {
        return String::new();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !c.is_ascii() && c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with(' ') && !out.is_empty() {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Whether a plain text is one of the phrases or begins or ends with one and has at most `more` words
/// beside it.
pub(super) fn says(plain: &str, phrases: &[&str], more: usize) -> bool {
    let few = |rest: &str| rest.split(' ').count() <= more;
    let blank_at = |at: usize| plain.as_bytes()[at] == b' ';
    phrases.iter().any(|phrase| {
        let Some(rest) = plain.len().checked_sub(phrase.len()) else { return false };
        if rest == 0 || more == 0 {
            return plain == *phrase;
        }
        // The blank first: one byte tells most texts apart.
        (blank_at(phrase.len()) && plain.starts_with(phrase) && few(&plain[phrase.len() + 1..]))
            || (blank_at(rest - 1) && plain.ends_with(phrase) && few(&plain[..rest - 1]))
    })
}

/// Whether one of the words is among those of a text or name.
pub(super) fn has(text: &str, words: &[&str]) -> bool {
    if !text.is_ascii() {
        return name_parts(text).any(|part| words.contains(&part.as_str()));
    }
    // As name_parts, without copies: most names are plain.
    let bytes = text.as_bytes();
    let mut start = 0;
    for at in 0..=bytes.len() {
        let ends = at == bytes.len()
            || !bytes[at].is_ascii_alphabetic()
            || (at > 0 && bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase());
        if ends {
            let part = &text[start..at];
            if !part.is_empty() && words.iter().any(|word| word.eq_ignore_ascii_case(part)) {
                return true;
            }
            start = at + usize::from(at < bytes.len() && !bytes[at].is_ascii_alphabetic());
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        let words = ["search", "é", "page", "nav"];
        for text in [
            "edt_searchKeyword",
            "PageNav",
            "page-2",
            "x page",
            "pageé",
            "é",
            "spage",
            "",
            "NAVx nav",
        ] {
            let slow = name_parts(text).any(|part| words.contains(&part.as_str()));
            assert_eq!(has(text, &words), slow, "{text}");
        }
        assert_eq!(plain("  « Page  2 » "), "page 2");
        assert!(says("next page", &["next"], 1) && !says("next great page", &["next"], 1));
    }
}
