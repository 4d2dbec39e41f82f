//! Reads what a single link says of paging: words, arrows, `rel`, labels and classes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use quarry_dom::{Attr, NodeId, Tag};

use super::super::PagingRole;
use super::super::anchor::{Anchor, Anchors, has_word};
use super::super::words::{FIRST_LAST, LOAD_MORE, NEXT, PREV, has, plain, says};

/// Other words beside a phrase that still let it speak.
const MORE_WORDS: usize = 3;
/// Words of the longest phrase.
const LONGEST_PHRASE: usize = 4;
/// Other letters beside a phrase of a script without blanks.
const MORE_LETTERS: usize = 4;

/// What a link says of paging; each part may be missing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Signal {
    pub(super) rel: Option<PagingRole>,
    /// The whole text.
    pub(super) text: Option<PagingRole>,
    /// A part of the text.
    pub(super) part: Option<PagingRole>,
    /// The text is one for the first or the last page.
    pub(super) first_last: bool,
    pub(super) load_more: bool,
    pub(super) glyph: Option<PagingRole>,
    /// `title`, `aria-label` or the text of an image.
    pub(super) label: Option<PagingRole>,
    pub(super) class: Option<PagingRole>,
}

impl Signal {
    pub(super) fn role(&self) -> Option<PagingRole> {
        let worded = self.text.or(self.glyph).or(self.part).or(self.label);
        let first_last = self.first_last.then_some(PagingRole::Page);
        let more = self.load_more.then_some(PagingRole::Next);
        self.rel
            .or(first_last)
            .or(self.class.filter(|_| worded.is_some()))
            .or(worded)
            .or(more)
            .or(self.class)
    }

    /// Whether words, arrows or `rel` say something.
    pub(super) fn says_something(&self) -> bool {
        self.role().is_some() && (self.class.is_none() || self.role_without_class().is_some())
    }

    fn role_without_class(&self) -> Option<PagingRole> {
        Self { class: None, ..*self }.role()
    }
}

/// Reads a link.
pub(super) fn signal(anchors: &Anchors<'_>, anchor: &Anchor<'_>) -> Signal {
    let document = anchors.document;
    let has_rel =
        |token: &str| anchor.rel.split_whitespace().any(|r| r.eq_ignore_ascii_case(token));
    let rel = if has_rel("next") {
        Some(PagingRole::Next)
    } else if has_rel("prev") || has_rel("previous") {
        Some(PagingRole::Prev)
    } else {
        None
    };
    let words = plain(&anchor.text);
    let mut signal =
        Signal { rel, class: role_of_class(anchors, anchor.node), ..Signal::default() };
    if words.is_empty() {
        signal.glyph = role_of_glyph(&anchor.text).or_else(|| role_of_icons(anchors, anchor.node));
        signal.first_last = signal.glyph == Some(PagingRole::Page);
    } else {
        signal.first_last = says(&words, FIRST_LAST, 0);
        signal.load_more = says(&words, LOAD_MORE, MORE_WORDS);
        signal.text = step_word(&words, says_whole);
        signal.part = step_word(&words, has_phrase);
        let is_short = words.split(' ').count() <= ICON_WORDS;
        signal.glyph = role_of_icon(&words).filter(|_| is_short);
    }
    let labels = [Attr::TITLE, Attr::ARIA_LABEL].into_iter();
    let labels = labels.filter_map(|name| document.known_attr(anchor.node, name)).map(plain);
    signal.label = labels.into_iter().find_map(|label| {
        step_word(&label, has_phrase).or(says(&label, FIRST_LAST, 1).then_some(PagingRole::Page))
    });
    signal
}

fn step_word(words: &str, test: fn(&str, &Phrases) -> bool) -> Option<PagingRole> {
    match (test(words, &NEXT_PHRASES), test(words, &PREV_PHRASES)) {
        (true, false) => Some(PagingRole::Next),
        (false, true) => Some(PagingRole::Prev),
        _ => None,
    }
}

static NEXT_PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(NEXT));
static PREV_PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(PREV));

/// Phrases by their first word, and those of scripts that part no words.
struct Phrases {
    by_first_word: BTreeMap<&'static str, Vec<&'static str>>,
    without_blanks: Vec<&'static str>,
}

impl Phrases {
    fn new(phrases: &[&'static str]) -> Self {
        let mut by_first_word: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for &phrase in phrases {
            let first = phrase.split(' ').next().unwrap_or(phrase);
            by_first_word.entry(first).or_default().push(phrase);
        }
        let without_blanks = phrases.iter().copied().filter(|phrase| is_without_blanks(phrase));
        Self { by_first_word, without_blanks: without_blanks.collect() }
    }
}

/// Whether a text is one of the phrases.
fn says_whole(words: &str, phrases: &Phrases) -> bool {
    let first = words.split(' ').next().unwrap_or(words);
    phrases.by_first_word.get(first).is_some_and(|phrases| phrases.contains(&words))
}

/// Whether a text has one of the phrases, with few words beside it.
fn has_phrase(words: &str, phrases: &Phrases) -> bool {
    let count = words.split(' ').count();
    if count <= LONGEST_PHRASE + MORE_WORDS {
        let mut rest = words;
        loop {
            let (word, next) = rest.split_once(' ').unwrap_or((rest, ""));
            let begins = |phrase: &&'static str| {
                let behind = rest.strip_prefix(phrase);
                behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(' '))
                    && count <= phrase.split(' ').count() + MORE_WORDS
            };
            if phrases.by_first_word.get(word).is_some_and(|known| known.iter().any(begins)) {
                return true;
            }
            if next.is_empty() {
                break;
            }
            rest = next;
        }
    }
    !words.is_ascii()
        && phrases.without_blanks.iter().any(|phrase| {
            let letters = phrase.chars().count();
            letters > 1 && words.chars().count() <= letters + MORE_LETTERS && words.contains(phrase)
        })
}

/// Whether a phrase is in a script that parts no words.
fn is_without_blanks(phrase: &str) -> bool {
    phrase.chars().all(
        |c| matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'),
    )
}

/// What a text of marks alone says.
pub(super) fn role_of_glyph(text: &str) -> Option<PagingRole> {
    const RIGHT: &[char] = &[
        '»', '›', '>', '→', '▶', '►', '⟩', '❯', '⇒', '➔', '➜', '➡', '▷', '▸', '＞', '〉', '》',
        '⟫', '⏵', '\u{f105}', '\u{f054}',
    ];
    const LEFT: &[char] = &[
        '«', '‹', '<', '←', '◀', '◄', '⟨', '❮', '⇐', '⬅', '◁', '◂', '＜', '〈', '《', '⟪', '⏴',
        '\u{f104}', '\u{f053}',
    ];
    const END: &[char] = &['|', '⏮', '⏭', '⇤', '⇥', '⟼', '▏', '❘'];
    let has = |set: &[char]| text.contains(set);
    match (has(RIGHT), has(LEFT), has(END)) {
        (true, true, _) => None,
        (true, _, true) | (_, true, true) => Some(PagingRole::Page),
        (true, ..) => Some(PagingRole::Next),
        (_, true, _) => Some(PagingRole::Prev),
        _ if text.contains(['⏮', '⏭', '⇤', '⇥']) => Some(PagingRole::Page),
        _ => None,
    }
}

/// Words of the longest name of an arrow that fonts of icons write as text: "keyboard_arrow_right".
const ICON_WORDS: usize = 3;

/// What the name of an icon says: "chevron_right", `fa-angle-left`, `#arrow-right`.
fn role_of_icon(name: &str) -> Option<PagingRole> {
    if !has(name, &["angle", "arrow", "caret", "chevron", "navigate"]) {
        return None;
    }
    let right = has(name, &["right", "next", "forward"]);
    let left = has(name, &["left", "before", "back", "prev"]);
    (right != left).then_some(if right { PagingRole::Next } else { PagingRole::Prev })
}

/// What the icons in a link without text say.
fn role_of_icons(anchors: &Anchors<'_>, node: NodeId) -> Option<PagingRole> {
    let document = anchors.document;
    document.subtree(node).filter(|&inside| document.is_element(inside)).take(ICONS).find_map(
        |inside| {
            let used =
                ["href", "xlink:href"].into_iter().filter_map(|name| document.attr(inside, name));
            let used = used.filter(|address| inside != node && address.starts_with('#'));
            document.classes(inside).chain(used).find_map(role_of_icon)
        },
    )
}

/// Elements of a link that are looked at for icons.
const ICONS: usize = 8;

/// What the classes of a link or of the element around it say: "Older posts" can be either way.
fn role_of_class(anchors: &Anchors<'_>, node: NodeId) -> Option<PagingRole> {
    let document = anchors.document;
    let around = document.parent(node).filter(|&parent| anchors.links_in(parent) == 1);
    let inside = document
        .subtree(node)
        .skip(1)
        .filter(|&n| document.is(n, Tag::I) || document.is(n, Tag::SPAN))
        .take(2);
    for node in std::iter::once(node).chain(around).chain(inside) {
        let next = has_word(document, node, &["next", "newer", "nextpostslink"]);
        let prev = has_word(document, node, &["prev", "previous", "older", "previouspostslink"]);
        if next != prev {
            return Some(if next { PagingRole::Next } else { PagingRole::Prev });
        }
    }
    None
}

/// What a text says about paging.
pub(in crate::links) fn role_of(text: &str) -> Option<PagingRole> {
    let words = plain(text);
    if words.is_empty() {
        return role_of_glyph(text);
    }
    let step = step_word(&words, says_whole);
    let more = says(&words, LOAD_MORE, 0).then_some(PagingRole::Next);
    step.or(more).or(says(&words, FIRST_LAST, 0).then_some(PagingRole::Page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_icons() {
        for (name, role) in [
            ("keyboard arrow right", Some(PagingRole::Next)),
            ("fa-angle-left", Some(PagingRole::Prev)),
            ("#icon-chevronRight", Some(PagingRole::Next)),
            ("#icon-chevron-right", Some(PagingRole::Next)),
            ("right", None),
            ("arrow-left-right", None),
        ] {
            assert_eq!(role_of_icon(name), role, "{name}");
        }
    }

    #[test]
    fn words_and_arrows() {
        for (text, role) in [
            ("Next", Some(PagingRole::Next)),
            ("‹ zurück", Some(PagingRole::Prev)),
            ("»", Some(PagingRole::Next)),
            ("|<", Some(PagingRole::Page)),
            ("letzte Seite", Some(PagingRole::Page)),
            ("The next thing", None),
        ] {
            assert_eq!(role_of(text), role, "{text}");
        }
        let has = |text: &str| has_phrase(text, &NEXT_PHRASES);
        assert!(has("go to the next page") && has("下一页 2") && has("2 下一页"));
        assert!(!has("what comes next in the long story of it") && !has("nextly"));
    }
}
