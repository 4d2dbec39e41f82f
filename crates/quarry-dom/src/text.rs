//! The text of a part of a page: visible text with its white space folded: runs of white space
//! (Unicode's) are one space, none at the ends, and where a block begins or ends, or at a `br`,
//! there is a space, too. Inline mark-up does not part words.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use crate::document::{BREAK_BEFORE, Document, HIDDEN, Kind, NodeId};

impl Document {
    /// The visible text of the subtree, white space folded. Borrowed where it stands in one piece,
    /// as it does for most cells, links and labels.
    ///
    /// ```
    /// use quarry_dom::{Document, NodeId};
    /// let text = |html: &str| Document::from_html(html).folded_text(NodeId::ROOT).into_owned();
    /// assert_eq!(text("<p>a</p><p> b\n c</p>"), "a b c");
    /// assert_eq!(text("a<b>b</b>"), "ab");
    /// assert_eq!(text("a<br>b<script>c</script><i hidden>d</i>"), "a b");
    /// ```
    pub fn folded_text(&self, node: NodeId) -> Cow<'_, str> {
        let mut folded = Cow::Borrowed("");
        self.fold(node, &mut |piece| {
            append(&mut folded, piece);
            ControlFlow::Continue(())
        });
        folded
    }

    /// Appends [`Document::folded_text`] to `buffer`.
    pub fn push_folded_text(&self, node: NodeId, buffer: &mut String) {
        self.fold(node, &mut |piece| {
            buffer.push_str(piece);
            ControlFlow::Continue(())
        });
    }

    /// The length of [`Document::folded_text`] in bytes, without making it.
    pub fn folded_len(&self, node: NodeId) -> usize {
        let mut len = 0;
        self.fold(node, &mut |piece| {
            len += piece.len();
            ControlFlow::Continue(())
        });
        len
    }

    /// The length of [`Document::folded_text`] in characters, without making it.
    pub fn folded_chars(&self, node: NodeId) -> usize {
        let mut chars = 0;
        self.fold(node, &mut |piece| {
            chars += piece.chars().count();
            ControlFlow::Continue(())
        });
        chars
    }

    /// Whether the subtree shows any text at all.
    pub fn has_text(&self, node: NodeId) -> bool {
        let mut any = false;
        self.fold(node, &mut |_| {
            any = true;
            ControlFlow::Break(())
        });
        any
    }

    /// All text of the subtree as it stands, hidden or not: the DOM's `textContent`. This is how
    /// to read a `script`.
    pub fn text_content(&self, node: NodeId) -> Cow<'_, str> {
        let mut content = Cow::Borrowed("");
        for id in self.subtree(node) {
            if self.is_text(id) {
                let text = self.text(id);
                if content.is_empty() {
                    content = Cow::Borrowed(text);
                } else {
                    content.to_mut().push_str(text);
                }
            }
        }
        content
    }

    /// The beginning of [`Document::folded_text`]: what stands in the first `nodes` nodes, and no
    /// more than `bytes` of it. Where many parts of a page can have the same large text, this
    /// bounds what they cost together.
    pub fn folded_head(&self, node: NodeId, nodes: u32, bytes: usize) -> Cow<'_, str> {
        let mut folded = Cow::Borrowed("");
        let end = self.node(node).end.min(node.0.saturating_add(nodes));
        let mut folder = Folder { started: false, space: false };
        // Whether it had enough is the receiver's business.
        let _ = self.fold_range(node.0..end, &mut folder, &mut |piece| {
            let head = head(piece, bytes - folded.len());
            if folded.is_empty() {
                folded = Cow::Borrowed(head);
            } else {
                folded.to_mut().push_str(head);
            }
            if head.len() < piece.len() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        folded
    }

    /// [`Document::folded_head`] without the text of one subtree inside; from behind that subtree
    /// come at most `nodes` nodes, too.
    pub(crate) fn folded_head_without(
        &self,
        node: NodeId,
        left_out: NodeId,
        nodes: u32,
        bytes: usize,
    ) -> String {
        let mut folded = String::new();
        let mut folder = Folder { started: false, space: false };
        let mut receive = |piece: &str| {
            let head = head(piece, bytes - folded.len());
            folded.push_str(head);
            if head.len() < piece.len() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let before = node.0..left_out.0.min(node.0.saturating_add(nodes));
        let behind = self.node(left_out).end;
        let after = behind..self.node(node).end.min(behind.saturating_add(nodes));
        for range in [before, after] {
            if self.fold_range(range, &mut folder, &mut receive).is_break() {
                break;
            }
        }
        folded
    }

    /// Gives the folded text piece by piece, each a slice of the document or one space, until the
    /// receiver has had enough.
    fn fold<'a>(&'a self, root: NodeId, receive: &mut dyn FnMut(&'a str) -> ControlFlow<()>) {
        let mut folder = Folder { started: false, space: false };
        // Whether it had enough is the receiver's business.
        let _ = self.fold_range(root.0..self.node(root).end, &mut folder, receive);
    }

    fn fold_range<'a>(
        &'a self,
        range: Range<u32>,
        folder: &mut Folder,
        receive: &mut dyn FnMut(&'a str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut at = range.start;
        while at < range.end {
            let node = self.node(NodeId(at));
            folder.space |= node.flags & BREAK_BEFORE != 0;
            if node.flags & HIDDEN != 0 {
                at = node.end;
                continue;
            }
            if node.kind == Kind::Text {
                folder.fold(self.span(node), receive)?;
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }
}

/// `text` with its white space folded.
///
/// ```
/// assert_eq!(quarry_dom::fold_whitespace("  a \u{a0} b\n"), "a b");
/// ```
pub fn fold_whitespace(text: &str) -> Cow<'_, str> {
    let mut folded = Cow::Borrowed("");
    let mut folder = Folder { started: false, space: false };
    // The receiver never stops.
    let _ = folder.fold(text, &mut |piece| {
        append(&mut folded, piece);
        ControlFlow::Continue(())
    });
    folded
}

/// Adds a piece; a text of one piece stays borrowed.
fn append<'a>(folded: &mut Cow<'a, str>, piece: &'a str) {
    if folded.is_empty() {
        *folded = Cow::Borrowed(piece);
    } else {
        folded.to_mut().push_str(piece);
    }
}

/// The longest beginning of whole characters that fits.
fn head(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

struct Folder {
    /// Something was given already.
    started: bool,
    /// A space is due before the next word.
    space: bool,
}

impl Folder {
    fn fold<'a>(
        &mut self,
        text: &'a str,
        receive: &mut dyn FnMut(&'a str) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            while let Some(len) = space_at(bytes, at) {
                at += len;
                self.space = true;
            }
            if at == bytes.len() {
                return ControlFlow::Continue(());
            }
            let end = end_of_piece(bytes, at);
            if self.space && self.started {
                receive(" ")?;
            }
            receive(&text[at..end])?;
            (self.started, self.space) = (true, false);
            at = end;
        }
    }
}

/// Where the words that begin at `at` stop being parted by single plain spaces.
#[inline]
fn end_of_piece(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        if let Some(len) = space_at(bytes, at) {
            let next = at + len;
            if bytes[at] != b' ' || next == bytes.len() || space_at(bytes, next).is_some() {
                return at;
            }
        }
        at += 1;
    }
    at
}

/// The length of the white space character at `at`, if there is one. As `char::is_whitespace`, on
/// bytes of UTF-8.
#[inline]
fn space_at(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b' ' | b'\t'..=b'\r' => Some(1),
        0..=0xc1 => None,
        0xc2 => matches!(bytes.get(at + 1), Some(0x85 | 0xa0)).then_some(2),
        0xe1 => matches!(bytes.get(at + 1..at + 3), Some([0x9a, 0x80])).then_some(3),
        0xe2 => match bytes.get(at + 1..at + 3) {
            Some([0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf] | [0x81, 0x9f]) => Some(3),
            _ => None,
        },
        0xe3 => matches!(bytes.get(at + 1..at + 3), Some([0x80, 0x80])).then_some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_what_unicode_says() {
        for char in '\0'..=char::MAX {
            let text = char.to_string();
            let expected = char.is_whitespace().then_some(text.len());
            assert_eq!(space_at(text.as_bytes(), 0), expected, "{char:?}");
        }
    }

    #[test]
    fn folding_borrows_where_it_can() {
        let check = |text: &str, expected: &str, borrowed: bool| {
            let folded = fold_whitespace(text);
            assert_eq!(folded, expected, "{text:?}");
            assert_eq!(matches!(folded, Cow::Borrowed(_)), borrowed, "{text:?}");
        };
        check("", "", true);
        check(" \n", "", true);
        check("\n  one two three ", "one two three", true);
        check("one\ntwo", "one two", false);
        check("one  two", "one two", false);
        check("one\u{a0}two", "one two", false);
        check("zero\u{200b}width", "zero\u{200b}width", true);
    }
}
