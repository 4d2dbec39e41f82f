//! Makes texts of pages safe to show: control, escape and bidirectional characters are written out, so that no page
//! can move the cursor, change colours or reverse what is read.

use std::borrow::Cow;
use std::io::{self, Write};

/// Whether a character may change how a terminal shows what comes after it.
fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}'
        // Marks of direction, embeddings, overrides, isolates; line and paragraph separators; invisible operators.
        | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with such characters written as `\u{1b}`. Line ends and tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Writes to a terminal what is visible of the bytes.
pub(crate) struct VisibleWriter<W: Write> {
    out: W,
    /// The beginning of a character whose end has not come.
    pending: Vec<u8>,
}

impl<W: Write> VisibleWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, pending: Vec::new() }
    }
}

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.pending) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.pending.len(),
        };
        let text = String::from_utf8_lossy(&self.pending[..whole]);
        self.out.write_all(visible(&text).as_bytes())?;
        self.pending.drain(..whole);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        let hostile = "a\x1b[31mred\x07\u{202e}txt\u{9b}2J\r\n\tÄ 語";
        let shown = visible(hostile);
        assert_eq!(shown, "a\\u{1b}[31mred\\u{7}\\u{202e}txt\\u{9b}2J\\u{d}\n\tÄ 語");
        assert!(matches!(visible("plain Ä 語"), Cow::Borrowed(_)));
        let mut out = VisibleWriter::new(Vec::new());
        for byte in hostile.as_bytes() {
            out.write_all(&[*byte]).unwrap();
        }
        assert_eq!(String::from_utf8(out.out).unwrap(), shown);
    }
}
