//! The frames of a drawn page, and their legend.

use quarry_dom::{Document, NodeId};

use crate::find::PageRecords;

/// What a frame is around. Each has its own colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FrameRole {
    /// The page's primary answer region.
    Answer,
    /// Another region.
    Other,
    /// A record of the primary region; neighbours differ in colour.
    Record,
    /// The next record of the primary region.
    NextRecord,
    /// A record of another region.
    OtherRecord,
    /// A data unit of a record.
    Unit,
}

impl FrameRole {
    /// The word that the copy's style sheet knows it by.
    pub(crate) fn word(self) -> &'static str {
        match self {
            FrameRole::Answer => "answer",
            FrameRole::Other => "other",
            FrameRole::Record => "record",
            FrameRole::NextRecord => "next-record",
            FrameRole::OtherRecord => "other-record",
            FrameRole::Unit => "unit",
        }
    }
}

/// A frame to draw around a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The node; a text node gets an element of its own.
    pub node: NodeId,
    /// What it is.
    pub shade: FrameRole,
    /// A few words at its top; none where empty.
    pub caption: String,
}

/// A line of the legend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Its colour.
    pub shade: FrameRole,
    /// What it says.
    pub text: String,
    /// The node that it leads to.
    pub node: Option<NodeId>,
}

/// Frames around the regions of a page and their records. Records are numbered; one that spans
/// several nodes has its number at the first.
pub fn record_frames(found: &PageRecords) -> Vec<Frame> {
    let mut frames = Vec::new();
    for (number, region) in (1..).zip(&found.regions) {
        let (shade, what) = match number {
            1 => (FrameRole::Answer, "answer"),
            _ => (FrameRole::Other, "region"),
        };
        let caption = format!(
            "{what} {number}: score {:.2}, {}",
            region.score,
            records(region.records.len())
        );
        frames.push(Frame { node: region.node, shade, caption });
        for (place, record) in (1usize..).zip(&region.records) {
            let shade = match (number, place % 2) {
                (1, 1) => FrameRole::Record,
                (1, _) => FrameRole::NextRecord,
                _ => FrameRole::OtherRecord,
            };
            for (part, &node) in record.nodes.iter().enumerate() {
                let caption = if part == 0 { place.to_string() } else { String::new() };
                frames.push(Frame { node, shade, caption });
            }
        }
    }
    frames
}

/// Lines of the legend: one for each region, in its colour.
pub fn legend(document: &Document, found: &PageRecords) -> Vec<Note> {
    let line = |(number, region): (usize, &crate::find::Region)| {
        let shade = if number == 1 { FrameRole::Answer } else { FrameRole::Other };
        let path = document.xpath(region.node);
        let count = records(region.records.len());
        let text = format!("{number}. score {:.2}, {count} at {path}", region.score);
        Note { shade, text, node: Some(region.node) }
    };
    (1..).zip(&found.regions).map(line).collect()
}

fn records(count: usize) -> String {
    if count == 1 { "1 record".to_owned() } else { format!("{count} records") }
}
