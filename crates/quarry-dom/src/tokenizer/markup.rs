//! Tokenizes `<! … >`: comments, doctypes and CDATA sections: HTML §13.2.5.41 to §13.2.5.71.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::Doctype;

use super::{Tokenizer, is_space};

impl Tokenizer<'_> {
    /// §13.2.5.42, behind `<!`.
    pub(super) fn markup_declaration(&mut self) {
        if self.bytes[self.at..].starts_with(b"--") {
            self.at += 2;
            self.comment();
        } else if self.starts_with_ignoring_case(b"doctype") {
            self.at += 7;
            let doctype = self.read_doctype();
            self.feed.doctype(doctype);
        } else if self.bytes[self.at..].starts_with(b"[CDATA[") && self.feed.in_foreign_content() {
            self.at += 7;
            self.cdata();
        } else {
            self.bogus_comment();
        }
    }

    /// Everything up to the next `>`.
    pub(super) fn bogus_comment(&mut self) {
        let end = self.find(b'>', self.at);
        let text = self.slice_without_nul(self.at, end);
        self.feed.comment(text);
        self.at = end + 1;
    }

    /// Behind `<!--`. A comment ends with `-->` or `--!>`, at once with `>` or `->`.
    fn comment(&mut self) {
        let start = self.at;
        let rest = &self.bytes[start..];
        let (end, next) = if rest.starts_with(b">") {
            (start, start + 1)
        } else if rest.starts_with(b"->") {
            (start, start + 2)
        } else {
            self.end_of_comment(start)
        };
        let text = self.slice_without_nul(start, end);
        self.feed.comment(text);
        self.at = next;
    }

    fn end_of_comment(&self, start: usize) -> (usize, usize) {
        let mut at = start;
        loop {
            at = self.find(b'>', at);
            let content = &self.bytes[start..at];
            if at == self.bytes.len() {
                // The page ended inside of what could have been an end.
                let pending = [&b"--!"[..], b"--", b"-"];
                let pending = pending.iter().find(|pending| content.ends_with(pending));
                return (at - pending.map_or(0, |pending| pending.len()), at);
            }
            for end in [&b"--"[..], b"--!"] {
                if content.ends_with(end) {
                    return (at - end.len(), at + 1);
                }
            }
            at += 1;
        }
    }

    /// Behind `<![CDATA[`, in SVG or MathML.
    fn cdata(&mut self) {
        let rest = &self.bytes[self.at..];
        let (end, next) = match memchr::memmem::find(rest, b"]]>") {
            Some(found) => (self.at + found, self.at + found + 3),
            None => (self.bytes.len(), self.bytes.len()),
        };
        while self.at < end {
            let found = self.find(0, self.at).min(end);
            self.emit_text(self.at, found);
            if found < end {
                self.feed.null();
            }
            self.at = found + 1;
        }
        self.at = next;
    }

    /// §13.2.5.53 to §13.2.5.68, behind `<!doctype`. It matters for one thing only: whether a page
    /// is in quirks mode decides if a table closes a paragraph.
    fn read_doctype(&mut self) -> Doctype {
        let mut doctype = Doctype::default();
        if !self.read_doctype_parts(&mut doctype) {
            doctype.force_quirks = true;
        }
        self.at = (self.find(b'>', self.at) + 1).min(self.bytes.len());
        doctype
    }

    /// False where the page must be in quirks mode. Leaves `at` before the closing `>`.
    fn read_doctype_parts(&mut self, doctype: &mut Doctype) -> bool {
        self.skip_doctype_space();
        if matches!(self.peek(0), None | Some(b'>')) {
            return false;
        }
        let start = self.at;
        let ends = |&b: &u8| is_space(b) || b == b'>';
        let len = self.bytes[start..].iter().position(ends);
        self.at = len.map_or(self.bytes.len(), |len| start + len);
        let name = self.text[start..self.at].to_ascii_lowercase().replace('\0', "\u{fffd}");
        doctype.name = Some(name.into());
        self.skip_doctype_space();
        if self.starts_with_ignoring_case(b"public") {
            self.at += 6;
            if !self.read_identifier(&mut doctype.public_id) {
                return false;
            }
            self.skip_doctype_space();
            match self.peek(0) {
                Some(b'>') => true,
                Some(b'"' | b'\'') => self.read_last_identifier(doctype),
                _ => false,
            }
        } else if self.starts_with_ignoring_case(b"system") {
            self.at += 6;
            self.read_last_identifier(doctype)
        } else {
            self.peek(0) == Some(b'>')
        }
    }

    /// The system identifier; what stands behind it does no harm, unless the page ends there.
    fn read_last_identifier(&mut self, doctype: &mut Doctype) -> bool {
        self.read_identifier(&mut doctype.system_id) && {
            self.skip_doctype_space();
            self.peek(0).is_some()
        }
    }

    fn read_identifier(&mut self, id: &mut Option<StrTendril>) -> bool {
        self.skip_doctype_space();
        let Some(quote @ (b'"' | b'\'')) = self.peek(0) else { return false };
        let start = self.at + 1;
        let end = self.find2(quote, b'>', start);
        *id = Some(self.slice_without_nul(start, end));
        let closed = self.bytes.get(end) == Some(&quote);
        self.at = end + usize::from(closed);
        closed
    }

    fn skip_doctype_space(&mut self) {
        while self.peek(0).is_some_and(is_space) {
            self.at += 1;
        }
    }
}
