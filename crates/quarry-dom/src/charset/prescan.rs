//! Finds the encoding that a page declares in `<meta>`: the standard's "prescan a byte stream to determine
//! its encoding" (HTML §13.2.3.2), on bytes, before there is any text.

use encoding_rs::Encoding;

use super::as_declared;

/// How far the standard looks.
pub(super) const LENGTH: usize = 1024;

/// The encoding that a `meta` element, or an XML declaration, names in `bytes`.
pub(super) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan { bytes, at: 0 };
    while scan.at < bytes.len() {
        if scan.starts_with(b"<!--") {
            // The dashes of "<!-->" are those of its end, too.
            scan.at += 2;
            scan.skip_past(b"-->");
        } else if scan.starts_with(b"<meta") && scan.peek(5).is_some_and(ends_name) {
            scan.at += 5;
            if let Some(encoding) = meta(&mut scan) {
                return Some(as_declared(encoding));
            }
        } else if scan.is_tag() {
            scan.skip_tag_name();
            while scan.attribute().is_some() {}
        } else if scan.starts_with(b"<!") || scan.starts_with(b"</") || scan.starts_with(b"<?") {
            scan.skip_past(b">");
        } else {
            scan.at += 1;
        }
    }
    xml_declaration(bytes)
}

fn meta(scan: &mut Scan<'_>) -> Option<&'static Encoding> {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let mut got_pragma = false;
    let mut need_pragma = None;
    let mut charset = None;
    while let Some((name, value)) = scan.attribute() {
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => got_pragma |= value == b"content-type",
            b"content" if charset.is_none() => {
                if let Some(encoding) = in_content(&value) {
                    charset = Some(Some(encoding));
                    need_pragma = Some(true);
                }
            }
            b"charset" => {
                charset = Some(Encoding::for_label(&value));
                need_pragma = Some(false);
            }
            _ => {}
        }
        seen.push(name);
    }
    if need_pragma? && !got_pragma {
        return None;
    }
    charset?
}

/// The "algorithm for extracting a character encoding from a meta element" (HTML §2.5.4).
fn in_content(value: &[u8]) -> Option<&'static Encoding> {
    let mut rest = value;
    loop {
        let at = rest.windows(7).position(|word| word.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[at + 7..].trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let label = match value.first()? {
            quote @ (b'"' | b'\'') => {
                let value = &value[1..];
                &value[..value.iter().position(|byte| byte == quote)?]
            }
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
                &value[..value.iter().position(ends).unwrap_or(value.len())]
            }
        };
        return Encoding::for_label(label);
    }
}

/// `<?xml version="1.0" encoding="…"?>`, which the standard reads where no `meta` was found.
fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..declaration.iter().position(|&byte| byte == b'>')?];
    let at = declaration.windows(8).position(|word| word == b"encoding")?;
    let value = declaration[at + 8..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let label = &value[1..];
    let label = &label[..label.iter().position(|byte| byte == quote)?];
    Encoding::for_label(label).map(as_declared)
}

fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'/'
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn starts_with(&self, word: &[u8]) -> bool {
        (self.bytes.get(self.at..self.at + word.len()))
            .is_some_and(|here| here.eq_ignore_ascii_case(word))
    }

    /// Moves behind the next `word`, or to the end where there is none.
    fn skip_past(&mut self, word: &[u8]) {
        let found = self.bytes[self.at..].windows(word.len()).position(|here| here == word);
        self.at = found.map_or(self.bytes.len(), |found| self.at + found + word.len());
    }

    /// `<` or `</` and a letter.
    fn is_tag(&self) -> bool {
        let letter = if self.starts_with(b"</") { 2 } else { 1 };
        self.peek(0) == Some(b'<') && self.peek(letter).is_some_and(|b| b.is_ascii_alphabetic())
    }

    fn skip_tag_name(&mut self) {
        while self.peek(0).is_some_and(|byte| !byte.is_ascii_whitespace() && byte != b'>') {
            self.at += 1;
        }
    }

    /// The standard's "get an attribute": name and value in lower case.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        while self.peek(0).is_some_and(ends_name) {
            self.at += 1;
        }
        if self.peek(0)? == b'>' {
            return None;
        }
        let mut name = Vec::new();
        loop {
            match self.peek(0)? {
                b'=' if !name.is_empty() => {
                    self.at += 1;
                    break;
                }
                byte if byte.is_ascii_whitespace() => {
                    self.skip_whitespace();
                    if self.peek(0)? != b'=' {
                        return Some((name, Vec::new()));
                    }
                    self.at += 1;
                    break;
                }
                b'/' | b'>' => return Some((name, Vec::new())),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.skip_whitespace();
        let mut value = Vec::new();
        match self.peek(0)? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                while self.peek(0)? != quote {
                    value.push(self.peek(0)?.to_ascii_lowercase());
                    self.at += 1;
                }
                self.at += 1;
            }
            _ => {
                while !matches!(self.peek(0)?, b'>') && !self.peek(0)?.is_ascii_whitespace() {
                    value.push(self.peek(0)?.to_ascii_lowercase());
                    self.at += 1;
                }
            }
        }
        Some((name, value))
    }

    fn skip_whitespace(&mut self) {
        while self.peek(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }
}
