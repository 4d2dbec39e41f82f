//! Splits a short text into digits, words, white space and marks.
//!
//! One pass cuts a text into runs of digits, words, white space and single marks, kept in an array on
//! the stack: deciding the kind of a value allocates nothing.

/// More pieces than this are prose, not one value. The longest dates ("Wednesday, 12 September 2024 at
/// 10:30:45 AM GMT+02:00") have 25.
pub(super) const MAX_TOKENS: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Digits,
    Word,
    Space,
    Mark(char),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) class: Class,
    pub(super) text: &'a str,
    pub(super) start: usize,
}

/// A text in pieces.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    text: &'a str,
    tokens: [Token<'a>; MAX_TOKENS],
    len: usize,
}

impl<'a> Scan<'a> {
    /// The pieces of a text, or nothing if there are too many for one value.
    pub(super) fn new(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let empty = Token { class: Class::Space, text: "", start: 0 };
        let mut scan = Scan { text, tokens: [empty; MAX_TOKENS], len: 0 };
        let mut chars = text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            let class = class(c);
            let mut end = start + c.len_utf8();
            if !matches!(class, Class::Mark(_)) {
                while let Some((at, next)) = chars.next_if(|&(_, next)| self::class(next) == class)
                {
                    end = at + next.len_utf8();
                }
            }
            *scan.tokens.get_mut(scan.len)? = Token { class, text: &text[start..end], start };
            scan.len += 1;
        }
        Some(scan)
    }

    pub(super) fn cursor(&self) -> Cursor<'_, 'a> {
        Cursor { scan: self, at: 0 }
    }
}

fn class(c: char) -> Class {
    if c.is_ascii_alphabetic() {
        Class::Word
    } else if c.is_ascii_digit() {
        Class::Digits
    } else if c.is_alphabetic() {
        Class::Word
    } else if c.is_whitespace() {
        Class::Space
    } else {
        Class::Mark(c)
    }
}

/// A place between two pieces. Copy it to come back to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'s, 'a> {
    scan: &'s Scan<'a>,
    at: usize,
}

impl<'a> Cursor<'_, 'a> {
    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, n: usize) -> Option<Token<'a>> {
        self.scan.tokens[..self.scan.len].get(self.at + n).copied()
    }

    pub(super) fn skip(&mut self, n: usize) {
        self.at += n;
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.scan.len
    }

    /// What is still to be read.
    pub(super) fn rest(&self) -> &'a str {
        self.peek().map_or("", |token| &self.scan.text[token.start..])
    }

    /// Goes on to the piece that starts at this many bytes after the present one, if one starts there.
    pub(super) fn skip_bytes(&mut self, bytes: usize) -> bool {
        let Some(here) = self.peek() else { return bytes == 0 };
        let wanted = here.start + bytes;
        let mut to = *self;
        while let Some(token) = to.peek() {
            if token.start == wanted {
                *self = to;
                return true;
            }
            to.at += 1;
        }
        let ended = wanted == self.scan.text.len();
        if ended {
            *self = to;
        }
        ended
    }

    pub(super) fn eat_space(&mut self) -> bool {
        let found = self.peek().is_some_and(|token| token.class == Class::Space);
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat_mark(&mut self, marks: &[char]) -> Option<char> {
        match self.peek()?.class {
            Class::Mark(c) if marks.contains(&c) => {
                self.at += 1;
                Some(c)
            }
            _ => None,
        }
    }

    pub(super) fn eat_digits(
        &mut self,
        lengths: std::ops::RangeInclusive<usize>,
    ) -> Option<&'a str> {
        let token = self.peek()?;
        (token.class == Class::Digits && lengths.contains(&token.text.len())).then(|| {
            self.at += 1;
            token.text
        })
    }

    /// Reads a word that the test accepts; it sees the word in lower case.
    pub(super) fn eat_word<T>(&mut self, test: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let token = self.peek()?;
        if token.class != Class::Word {
            return None;
        }
        let found = Folded::new(token.text).and_then(|word| test(word.as_str()))?;
        self.at += 1;
        Some(found)
    }

    pub(super) fn eat_one_of(&mut self, words: &[&str]) -> bool {
        let Some(token) = self.peek().filter(|token| token.class == Class::Word) else {
            return false;
        };
        let found = if token.text.is_ascii() {
            words.iter().any(|word| word.eq_ignore_ascii_case(token.text))
        } else {
            Folded::new(token.text).is_some_and(|word| words.contains(&word.as_str()))
        };
        self.at += usize::from(found);
        found
    }
}

/// A short word in lower case, on the stack.
#[derive(Debug)]
pub(super) struct Folded {
    bytes: [u8; Self::MAX],
    len: usize,
}

impl Folded {
    /// Longer words are in none of the tables.
    const MAX: usize = 40;

    pub(super) fn new(word: &str) -> Option<Self> {
        let mut folded = Folded { bytes: [0; Self::MAX], len: 0 };
        if word.is_ascii() {
            folded.len = word.len();
            folded.bytes.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
            folded.bytes.make_ascii_lowercase();
            return Some(folded);
        }
        for c in word.chars().flat_map(char::to_lowercase) {
            let end = folded.len + c.len_utf8();
            c.encode_utf8(folded.bytes.get_mut(folded.len..end)?);
            folded.len = end;
        }
        Some(folded)
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
    }
}

/// The first piece of a text in lower case, if it is a word.
pub(super) fn first_word(text: &str) -> Option<Folded> {
    let end = text.find(|c| class(c) != Class::Word).unwrap_or(text.len());
    (end > 0).then(|| Folded::new(&text[..end])).flatten()
}

/// Finds a word in a table sorted by word.
pub(super) fn look_up<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.binary_search_by(|(entry, _)| (*entry).cmp(word)).ok().map(|at| table[at].1)
}
