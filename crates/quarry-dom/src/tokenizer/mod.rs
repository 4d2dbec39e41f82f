//! The tokenizer: the standard's tokenization (HTML §13.2.5) for
//! a page that is all there: no state has to survive a missing byte, so texts, names and values
//! are found by searching for their end, and most become slices of the page.
//!
//! html5ever's own tokenizer takes a character at a time, knows no bound on the number of
//! attributes and takes time quadratic in it. Its tree construction is what we use; the tests
//! compare this tokenizer with it on every kind of odd input.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::{LocalName, local_name};
use memchr::{memchr, memchr2, memchr3};

use crate::build::Built;
use crate::build::feed::{Feed, Next};
use crate::limits::Limits;

mod atoms;
mod char_ref;
mod markup;
mod raw_text;
mod tag;

use atoms::Atoms;

/// Reads a page that has no carriage returns and makes its tree.
pub(crate) fn parse(source: &StrTendril, limits: Limits) -> Built {
    let mut tokenizer = Tokenizer {
        source,
        text: source,
        bytes: source.as_bytes(),
        at: 0,
        state: State::Data,
        feed: Feed::new(limits, source.len()),
        atoms: Atoms::new(),
        last_start_tag: local_name!(""),
        max_attributes: limits.attributes,
    };
    while tokenizer.at < tokenizer.bytes.len() && !tokenizer.feed.is_full() {
        match tokenizer.state {
            State::Data => tokenizer.data(),
            State::Raw(kind) => tokenizer.raw_text(kind),
            State::Plaintext => tokenizer.plaintext(),
        }
    }
    tokenizer.feed.finish()
}

#[derive(Clone, Copy)]
enum State {
    Data,
    Raw(RawKind),
    Plaintext,
}

struct Tokenizer<'a> {
    source: &'a StrTendril,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    state: State,
    feed: Feed,
    atoms: Atoms,
    last_start_tag: LocalName,
    max_attributes: usize,
}

impl Tokenizer<'_> {
    /// The byte at an offset from here.
    #[inline]
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn starts_with_ignoring_case(&self, word: &[u8]) -> bool {
        (self.bytes.get(self.at..self.at + word.len()))
            .is_some_and(|here| here.eq_ignore_ascii_case(word))
    }

    /// A part of the page, without a copy where it is longer than a few bytes.
    #[inline]
    fn slice(&self, from: usize, to: usize) -> StrTendril {
        self.source.subtendril(from as u32, (to - from) as u32)
    }

    /// A part of the page in which NUL stands for U+FFFD.
    fn slice_without_nul(&self, from: usize, to: usize) -> StrTendril {
        match memchr(0, &self.bytes[from..to]) {
            None => self.slice(from, to),
            Some(_) => self.text[from..to].replace('\0', "\u{fffd}").into(),
        }
    }

    #[inline]
    fn emit_text(&mut self, from: usize, to: usize) {
        if from < to {
            let text = self.slice(from, to);
            self.feed.text(text);
        }
    }

    fn emit_text_without_nul(&mut self, from: usize, to: usize) {
        if from < to {
            let text = self.slice_without_nul(from, to);
            self.feed.text(text);
        }
    }

    /// §13.2.5.1, the data state, up to and with the next tag, comment or reference.
    fn data(&mut self) {
        let rest = &self.bytes[self.at..];
        let found = memchr3(b'<', b'&', 0, rest).map_or(self.bytes.len(), |found| self.at + found);
        self.emit_text(self.at, found);
        self.at = found;
        match self.peek(0) {
            Some(b'<') => self.tag_open(),
            Some(b'&') => self.reference(),
            Some(_) => {
                self.feed.null();
                self.at += 1;
            }
            None => {}
        }
    }

    /// §13.2.5.6, the tag open state.
    fn tag_open(&mut self) {
        match self.peek(1) {
            Some(letter) if letter.is_ascii_alphabetic() => {
                self.at += 1;
                self.tag(tag::Side::Start);
            }
            Some(b'/') => self.end_tag_open(),
            Some(b'!') => {
                self.at += 2;
                self.markup_declaration();
            }
            Some(b'?') => {
                self.at += 1;
                self.bogus_comment();
            }
            _ => {
                self.emit_text(self.at, self.at + 1);
                self.at += 1;
            }
        }
    }

    /// §13.2.5.7, the end tag open state.
    fn end_tag_open(&mut self) {
        match self.peek(2) {
            Some(letter) if letter.is_ascii_alphabetic() => {
                self.at += 2;
                self.tag(tag::Side::End);
            }
            Some(b'>') => self.at += 3,
            Some(_) => {
                self.at += 2;
                self.bogus_comment();
            }
            None => {
                self.emit_text(self.at, self.at + 2);
                self.at += 2;
            }
        }
    }

    /// A character reference in text; `at` is on its ampersand.
    fn reference(&mut self) {
        match char_ref::char_ref(&self.text[self.at + 1..], false) {
            Some((decoded, len)) => {
                let mut text = StrTendril::new();
                decoded.push_to(&mut text);
                self.feed.text(text);
                self.at += 1 + len;
            }
            None => {
                self.emit_text(self.at, self.at + 1);
                self.at += 1;
            }
        }
    }

    /// §13.2.5.5, the plaintext state: there is no way out of it.
    fn plaintext(&mut self) {
        let end = self.bytes.len();
        self.emit_text_without_nul(self.at, end);
        self.at = end;
    }

    /// What the tree builder wants after a tag.
    fn follow(&mut self, next: Next) {
        self.state = match next {
            Next::RawData(kind) => State::Raw(kind),
            Next::Plaintext => State::Plaintext,
            Next::Continue | Next::Script(_) | Next::EncodingIndicator(_) => State::Data,
        };
    }

    /// The next of two bytes from `from` on, or the end of the page.
    fn find2(&self, one: u8, other: u8, from: usize) -> usize {
        memchr2(one, other, &self.bytes[from..]).map_or(self.bytes.len(), |found| from + found)
    }

    /// The next `byte` from `from` on, or the end of the page.
    fn find(&self, byte: u8, from: usize) -> usize {
        memchr(byte, &self.bytes[from..]).map_or(self.bytes.len(), |found| from + found)
    }
}

/// §4.5 "ASCII whitespace", without the carriage return that no page has any more.
#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\x0c')
}

/// The page as the tokenizer wants it: CRLF and CR are LF (HTML §13.2.3.5 "preprocessing the
/// input stream"), and a byte order mark is no content.
pub(crate) fn normalize_newlines(text: &str) -> StrTendril {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    if memchr(b'\r', rest.as_bytes()).is_none() {
        return StrTendril::from_slice(rest);
    }
    let mut source = StrTendril::with_capacity(rest.len() as u32);
    while let Some(found) = memchr(b'\r', rest.as_bytes()) {
        source.push_slice(&rest[..found]);
        source.push_char('\n');
        rest = &rest[found + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    source.push_slice(rest);
    source
}
