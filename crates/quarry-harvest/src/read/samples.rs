//! Draws a harmless copy of a list and of an entity's page, with frames around what was found.

use quarry_extract::explain::{Frame, FrameRole, Note, draw};
use quarry_extract::links::PageKind;
use quarry_extract::site::PageData;

use crate::pages::ParsedPage;

/// Samples of each kind of page, over all sites.
const LISTS: usize = 2;
const ENTITIES: usize = 1;

/// A page with frames around what was found.
#[derive(Clone)]
pub(crate) struct SamplePage {
    pub(crate) what: String,
    pub(crate) page: String,
    pub(crate) html: String,
    kind: PageKind,
}

/// Takes the page as a sample if more of its kind are wanted.
pub(crate) fn offer(samples: &mut Vec<SamplePage>, page: &ParsedPage, data: &PageData) {
    let most = match data.kind {
        PageKind::List => LISTS,
        PageKind::Entity => ENTITIES,
        PageKind::Other => 0,
    };
    if samples.iter().filter(|sample| sample.kind == data.kind).count() >= most {
        return;
    }
    let (what, frames, note) = match data.kind {
        PageKind::List => (
            "A list, its records and their data units",
            list(data),
            "records, and their data units",
        ),
        _ => ("An entity's page", entity(data), "the title and the specification"),
    };
    let legend = [Note { shade: FrameRole::Record, text: note.to_owned(), node: None }];
    samples.push(SamplePage {
        what: what.to_owned(),
        page: page.name().to_owned(),
        html: draw(&page.document, &frames, page.name(), &legend),
        kind: data.kind,
    });
}

fn list(data: &PageData) -> Vec<Frame> {
    let mut frames = Vec::new();
    for (number, record) in (1usize..).zip(&data.records) {
        let shade = if number % 2 == 1 { FrameRole::Record } else { FrameRole::NextRecord };
        frames.push(Frame { node: record.node, shade, caption: number.to_string() });
        for unit in record.units.iter().filter(|unit| unit.attribute.is_none()) {
            let caption = unit.label.clone().unwrap_or_default();
            frames.push(Frame { node: unit.node, shade: FrameRole::Unit, caption });
        }
    }
    frames
}

fn entity(data: &PageData) -> Vec<Frame> {
    let frame = |node, shade, caption: &str| Frame { node, shade, caption: caption.to_owned() };
    let mut frames = Vec::new();
    frames.extend(data.title.iter().map(|title| frame(title.node, FrameRole::Answer, "title")));
    for spec in &data.specs {
        frames.push(frame(spec.node, FrameRole::Record, "specification"));
        let pairs = spec.pairs.iter();
        frames.extend(pairs.map(|pair| frame(pair.value_node, FrameRole::Unit, &pair.name)));
    }
    frames
}
