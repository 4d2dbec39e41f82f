//! Tokenizes the name and attributes of a tag: HTML §13.2.5.8 and §13.2.5.32 to §13.2.5.40.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind};
use html5ever::{Attribute, QualName, ns};
use memchr::memchr2;

use super::char_ref::char_ref;
use super::{Tokenizer, is_space};

/// Whether a tag opens or closes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Start,
    End,
}

/// The page ended inside the tag: the tag is dropped, and nothing follows.
struct EndOfPage;

impl Tokenizer<'_> {
    /// Reads a tag from the first letter of its name on, and passes it on.
    pub(super) fn tag(&mut self, side: Side) {
        match self.read_tag(side) {
            Ok(tag) => {
                if side == Side::Start {
                    self.last_start_tag = tag.name.clone();
                }
                let next = self.feed.tag(tag);
                self.follow(next);
            }
            Err(EndOfPage) => self.at = self.bytes.len(),
        }
    }

    fn read_tag(&mut self, side: Side) -> Result<Tag, EndOfPage> {
        let start = self.at;
        let len = self.bytes[start..].iter().position(|&b| is_space(b) || b == b'/' || b == b'>');
        self.at = start + len.ok_or(EndOfPage)?;
        let name = self.atoms.get(&self.text[start..self.at]);
        let mut tag = Tag {
            kind: match side {
                Side::Start => TagKind::StartTag,
                Side::End => TagKind::EndTag,
            },
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        // The common case first: nothing but the name.
        if self.peek(0) == Some(b'>') {
            self.at += 1;
            return Ok(tag);
        }
        if side == Side::Start {
            tag.attrs = self.feed.spare_attrs();
        }
        loop {
            match self.peek(0).ok_or(EndOfPage)? {
                b'>' => {
                    self.at += 1;
                    return Ok(tag);
                }
                b'/' => {
                    self.at += 1;
                    if self.peek(0) == Some(b'>') {
                        self.at += 1;
                        tag.self_closing = true;
                        return Ok(tag);
                    }
                }
                byte if is_space(byte) => self.at += 1,
                _ => self.read_attribute(side, &mut tag)?,
            }
        }
    }

    fn read_attribute(&mut self, side: Side, tag: &mut Tag) -> Result<(), EndOfPage> {
        let start = self.at;
        // A name may begin with "=".
        let ends = |&b: &u8| is_space(b) || matches!(b, b'/' | b'>' | b'=');
        let len = self.bytes[start + 1..].iter().position(ends).ok_or(EndOfPage)?;
        let name = start..start + 1 + len;
        self.at = name.end;
        self.skip_space();
        let value = if self.peek(0) == Some(b'=') {
            self.at += 1;
            self.skip_space();
            self.read_value()?
        } else {
            StrTendril::new()
        };
        if side == Side::End {
            return Ok(());
        }
        if tag.attrs.len() >= self.max_attributes {
            self.feed.attributes_cut();
            return Ok(());
        }
        let name = self.atoms.get(&self.text[name]);
        if tag.attrs.iter().any(|attr| attr.name.local == name) {
            tag.had_duplicate_attributes = true;
        } else {
            tag.attrs.push(Attribute { name: QualName::new(None, ns!(), name), value });
        }
        Ok(())
    }

    fn read_value(&mut self) -> Result<StrTendril, EndOfPage> {
        let (start, end) = match self.peek(0).ok_or(EndOfPage)? {
            quote @ (b'"' | b'\'') => {
                let end = self.find(quote, self.at + 1);
                if end == self.bytes.len() {
                    return Err(EndOfPage);
                }
                let start = self.at + 1;
                self.at = end + 1;
                (start, end)
            }
            b'>' => return Ok(StrTendril::new()),
            _ => {
                let start = self.at;
                let ends = |&b: &u8| is_space(b) || b == b'>';
                let len = self.bytes[start..].iter().position(ends).ok_or(EndOfPage)?;
                self.at = start + len;
                (start, self.at)
            }
        };
        if memchr2(b'&', 0, &self.bytes[start..end]).is_none() {
            return Ok(self.slice(start, end));
        }
        Ok(decode_value(&self.text[start..end]))
    }

    fn skip_space(&mut self) {
        while self.peek(0).is_some_and(is_space) {
            self.at += 1;
        }
    }
}

/// The value with its references decoded. A reference never reaches beyond the value: what ends a
/// value cannot be part of one.
fn decode_value(raw: &str) -> StrTendril {
    let mut value = StrTendril::with_capacity(raw.len() as u32);
    let mut rest = raw;
    while let Some(found) = memchr2(b'&', 0, rest.as_bytes()) {
        value.push_slice(&rest[..found]);
        let special = rest.as_bytes()[found];
        rest = &rest[found + 1..];
        if special == 0 {
            value.push_char('\u{fffd}');
        } else if let Some((decoded, len)) = char_ref(rest, true) {
            decoded.push_to(&mut value);
            rest = &rest[len..];
        } else {
            value.push_char('&');
        }
    }
    value.push_slice(rest);
    value
}
