//! One part of an address or of a name in the mark-up (`add-to-cart`, `deleteItem5`), split into words and
//! looked up.

use super::lexicon::{self, Classes, FILLER, VERB, push_folded, split};

/// Longest part that is looked at, in characters: longer ones are titles.
const MAX_CHARS: usize = 64;
/// Most words of a part that is written as programmers write names and begins with a verb.
const MAX_IDENTIFIER_WORDS: usize = 4;

/// A part, looked up.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    /// Its letters, folded; digits and single Latin letters left out.
    pub(super) folded: String,
    /// The classes of its words, if all of them are known.
    pub(super) known: Option<Classes>,
    /// Words that count, if all are known.
    pub(super) known_words: u8,
    /// The classes of its first and of its last word, each alone or with its neighbour.
    first: Classes,
    last: Classes,
    words: usize,
    /// Written as in a program: `delete_item`, `deleteItem`.
    pub(super) is_identifier: bool,
    /// A number or a long code, as things are named in addresses.
    pub(super) is_id: bool,
    /// All digits, with at least one.
    pub(super) is_number: bool,
}

impl Part {
    /// Looks up a part; its percent-encoding is undone.
    pub(super) fn of(text: &str) -> Self {
        let mut part = Self::default();
        // Ends of words in `folded`.
        let mut ends: Vec<usize> = Vec::new();
        let (mut start, mut before) = (0, ' ');
        let (mut digits, mut hex, mut chars) = (0, 0, 0);
        for c in text.chars() {
            chars += 1;
            if chars > MAX_CHARS {
                return Self::default();
            }
            let is_letter =
                !c.is_ascii_digit() && (c.is_alphanumeric() || !c.is_ascii() && !c.is_whitespace());
            let camel = before.is_lowercase() && c.is_uppercase();
            if !is_letter || camel {
                close(&mut part.folded, &mut start, &mut ends);
            }
            part.is_identifier |= camel || c == '_';
            digits += usize::from(c.is_ascii_digit());
            hex += usize::from(c.is_ascii_hexdigit());
            if is_letter {
                push_folded(&mut part.folded, c);
            }
            before = c;
        }
        close(&mut part.folded, &mut start, &mut ends);
        part.words = ends.len();
        part.is_number = digits > 0 && part.folded.is_empty() && digits <= 20;
        let marks = text.bytes().filter(|byte| matches!(byte, b'-' | b'.')).count();
        part.is_id = part.is_number || (digits > 1 && hex >= 8 && hex + marks == chars);
        if part.folded.is_empty() || part.is_id {
            return part;
        }
        if let Some(found) = split(&part.folded) {
            part.known = Some(found.classes);
            part.known_words = found.words;
        }
        if ends.len() > 1 {
            let classes = |from: usize, to: usize| {
                lexicon::classes_of(&part.folded[from..to]).unwrap_or_default()
            };
            let n = ends.len();
            let begin_of_last = ends[n - 2];
            let begin_of_last_two = if n > 2 { ends[n - 3] } else { 0 };
            part.first = classes(0, ends[0]) | classes(0, ends[1]);
            part.last =
                classes(begin_of_last, ends[n - 1]) | classes(begin_of_last_two, ends[n - 1]);
        }
        part
    }

    /// Whether all its words are known and one of them is of these classes.
    pub(super) fn is(&self, classes: Classes) -> bool {
        self.known.is_some_and(|known| known & classes != 0)
    }

    /// Whether it is nothing but a verb of these classes (and small words).
    pub(super) fn is_only(&self, classes: Classes) -> bool {
        self.is(classes)
            && self.known.is_some_and(|known| {
                known & !(classes | VERB | FILLER) == 0 || self.known_words == 1
            })
    }

    /// Whether it joins a verb and an object: `add-to-cart`, `reportPost`.
    pub(super) fn joins_verb_and_object(&self) -> bool {
        self.known.is_some_and(|known| known & VERB != 0 && known & lexicon::OBJECT != 0)
            && self.known_words > 1
    }

    /// Whether it is a name as in a program that begins with a verb of these classes: `delete_mailbox`.
    pub(super) fn begins_with(&self, classes: Classes) -> bool {
        self.known.is_none() && self.words <= MAX_IDENTIFIER_WORDS && self.first & classes != 0
    }

    /// The same for its end: `user_logout`.
    pub(super) fn ends_with(&self, classes: Classes) -> bool {
        self.known.is_none() && self.words <= MAX_IDENTIFIER_WORDS && self.last & classes != 0
    }

    /// Words of it.
    pub(super) fn words(&self) -> usize {
        self.words
    }
}

/// Ends a word at the end of `folded`; a single Latin letter is no word.
fn close(folded: &mut String, start: &mut usize, ends: &mut Vec<usize>) {
    let word = &folded[*start..];
    if word.len() == 1 {
        folded.truncate(*start);
    } else if !word.is_empty() {
        ends.push(folded.len());
    }
    *start = folded.len();
}

/// Undoes percent-encoding, twice where it was done twice, and `+`.
pub(super) fn decode(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return text.into();
    }
    let once = decode_once(text);
    if once.contains('%') { decode_once(&once).into() } else { once.into() }
}

fn decode_once(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'+', ..) => {
                decoded.push(b' ');
                at += 1;
            }
            (byte, ..) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
