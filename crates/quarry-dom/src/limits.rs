//! Limits of parsing (bytes, nodes, depth), as settings; a document that was cut says at which.

use std::fmt;

/// Bounds on one document. What lies beyond a bound is dropped, and
/// [`Document::cut`](crate::Document::cut) tells which bounds were met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of input that are read. Default 16 MiB: search engines stop at 10 to 15 MB, and the
    /// largest of the 10,315 pages that this was tried on has 1.1 MB. At most `u32::MAX / 4` is used.
    pub bytes: usize,
    /// Nodes that are kept, and that the tree builder may create. Default 1,000,000: a node takes
    /// at least some 4 bytes of honest mark-up, and unclosed formatting elements can make hundreds
    /// of nodes out of one short paragraph.
    pub nodes: usize,
    /// Levels of elements below the document. Default 512, as in Blink; the standard's algorithms
    /// look through the stack of open elements for most tags, so that their cost per tag grows
    /// with it.
    pub depth: usize,
    /// Attributes that are kept on one element. Default 256: finding a repeated attribute costs a
    /// look at each earlier one.
    pub attributes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 16 << 20, nodes: 1_000_000, depth: 512, attributes: 256 }
    }
}

impl Limits {
    /// The limits as the parser can use them: offsets are 32 bits wide, depths 16.
    pub(crate) fn usable(self) -> Self {
        Self {
            bytes: self.bytes.min(u32::MAX as usize / 4),
            nodes: self.nodes.clamp(8, u32::MAX as usize / 4),
            depth: self.depth.clamp(4, 30_000),
            attributes: self.attributes.clamp(1, usize::from(u16::MAX) - 1),
        }
    }
}

/// Which bounds a page met. Prints as a list: `bytes, depth`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cut {
    /// The input was longer than [`Limits::bytes`].
    pub bytes: bool,
    /// There were more nodes than [`Limits::nodes`].
    pub nodes: bool,
    /// Elements were nested deeper than [`Limits::depth`]; what they held stands flat at that depth.
    pub depth: bool,
    /// Attributes were dropped: too many on one element, too many bytes in copies of them, or too
    /// many different names.
    pub attributes: bool,
}

impl Cut {
    /// Whether any bound was met.
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.bytes, "bytes"),
            (self.nodes, "nodes"),
            (self.depth, "depth"),
            (self.attributes, "attributes"),
        ];
        let mut separator = "";
        for (_, name) in parts.iter().filter(|(hit, _)| *hit) {
            write!(f, "{separator}{name}")?;
            separator = ", ";
        }
        Ok(())
    }
}
