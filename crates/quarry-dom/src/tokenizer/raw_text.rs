//! Tokenizes texts in which tags are not tags: HTML §13.2.5.2 to §13.2.5.4 (title, textarea;
//! style, iframe and the like; script) and §13.2.5.9 to §13.2.5.31.

use html5ever::tokenizer::states::RawKind;
use memchr::memchr2;

use super::{Tokenizer, char_ref, is_space, tag};

/// How much of a script counts as being inside a comment, and inside a script in that comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    Escaped,
    Double,
}

impl Tokenizer<'_> {
    /// Reads the text up to its end tag, and that tag.
    pub(super) fn raw_text(&mut self, kind: RawKind) {
        let (start, end) = (self.at, self.end_of_raw_text(kind));
        if kind == RawKind::Rcdata {
            self.emit_with_references(start, end);
        } else {
            self.emit_text_without_nul(start, end);
        }
        self.at = end;
        if end < self.bytes.len() {
            self.at += 2;
            self.tag(tag::Side::End);
        }
    }

    /// Where the end tag begins, or the end of the page.
    fn end_of_raw_text(&self, kind: RawKind) -> usize {
        if kind == RawKind::ScriptData {
            return self.end_of_script();
        }
        let mut at = self.find(b'<', self.at);
        while at < self.bytes.len() && !self.is_end_tag(at) {
            at = self.find(b'<', at + 1);
        }
        at
    }

    /// A script may be in a comment, and "<script>" in such a comment opens another one, whose end
    /// tag is not the end.
    fn end_of_script(&self) -> usize {
        let mut escape = Escape::None;
        let mut at = self.at;
        loop {
            at = match escape {
                Escape::None => self.find(b'<', at),
                Escape::Escaped | Escape::Double => self.find2(b'<', b'>', at),
            };
            if at == self.bytes.len() {
                return at;
            }
            let rest = &self.bytes[at..];
            if rest[0] == b'>' {
                if self.bytes[self.at..at].ends_with(b"--") {
                    escape = Escape::None;
                }
                at += 1;
                continue;
            }
            match escape {
                Escape::None if rest.starts_with(b"<!--") => {
                    escape = Escape::Escaped;
                    at += 4;
                    continue;
                }
                Escape::None | Escape::Escaped if self.is_end_tag(at) => return at,
                Escape::Escaped if opens_script(&rest[1..]) => {
                    escape = Escape::Double;
                    at += "<script>".len();
                    continue;
                }
                Escape::Double if rest.get(1) == Some(&b'/') && opens_script(&rest[2..]) => {
                    escape = Escape::Escaped;
                    at += "</script>".len();
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Whether `</` and the name of the last start tag stand here, and the name ends there: the
    /// standard's "appropriate end tag token".
    fn is_end_tag(&self, at: usize) -> bool {
        let Some(rest) = self.bytes[at..].strip_prefix(b"</") else { return false };
        let name = self.last_start_tag.as_bytes();
        let (Some(here), Some(&behind)) = (rest.get(..name.len()), rest.get(name.len())) else {
            return false;
        };
        here.eq_ignore_ascii_case(name) && ends_name(behind)
    }

    fn emit_with_references(&mut self, start: usize, end: usize) {
        self.at = start;
        while self.at < end {
            let found = memchr2(b'&', 0, &self.bytes[self.at..end]);
            let found = found.map_or(end, |found| self.at + found);
            self.emit_text(self.at, found);
            self.at = found;
            if found == end {
                return;
            }
            if self.bytes[found] == 0 {
                self.feed.text("\u{fffd}".into());
                self.at += 1;
            } else if let Some((decoded, len)) =
                char_ref::char_ref(&self.text[found + 1..end], false)
            {
                let mut text = html5ever::tendril::StrTendril::new();
                decoded.push_to(&mut text);
                self.feed.text(text);
                self.at += 1 + len;
            } else {
                self.emit_text(found, found + 1);
                self.at += 1;
            }
        }
    }
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}

fn opens_script(rest: &[u8]) -> bool {
    rest.len() > 6 && rest[..6].eq_ignore_ascii_case(b"script") && ends_name(rest[6])
}
