//! `quarry inspect`: why did a region of this page win, where did its records' boundaries come from,
//! and how does that look? Other pages of the site tell what is the same on all of them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quarry_dom::{Document, Limits};
use quarry_extract::explain::{FrameRole, Note, draw, explain_choice, legend, record_frames};
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, find_records};
use quarry_model::InputPage;
use quarry_store::{StoreError, open_input, write_whole};
use rayon::prelude::*;

/// Other pages that are read: enough to tell what changes from page to page (three are, on most
/// sites), few enough to wait for.
const OTHERS: usize = 40;

/// Pages of the same site, those with names most like `name` first; never the page itself, known by
/// its bytes.
pub(super) fn others(
    inputs: &[PathBuf],
    name: &str,
    content: &[u8],
) -> Result<Vec<(String, Document)>> {
    if inputs.is_empty() {
        return Ok(Vec::new());
    }
    let input = match open_input(inputs, None) {
        Err(StoreError::NoPages { .. }) => return Ok(Vec::new()),
        opened => opened?,
    };
    let mut ids: Vec<&str> = input.ids().collect();
    let alike = |id: &str| id.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    ids.sort_by_key(|id| (std::cmp::Reverse(alike(id)), *id));
    let mut pages = Vec::new();
    // One more, because the page itself may be among them.
    for id in ids.into_iter().take(OTHERS + 1) {
        pages.extend(input.get(id)?.filter(|page| page.bytes != content));
    }
    pages.truncate(OTHERS);
    let parse = |page: InputPage| {
        let kind = page.content_type.as_deref();
        (page.id, Document::parse(&page.bytes, kind, &Limits::default()))
    };
    Ok(pages.into_par_iter().map(parse).collect())
}

/// What was found on a page, and what was considered.
pub(super) struct Findings {
    found: PageRecords,
    considered: PageRecords,
}

/// Looks for the records of a page among other pages of its site.
pub(super) fn look(
    name: &str,
    document: &Document,
    others: &[(String, Document)],
) -> Result<Findings> {
    let mut pages = vec![PageInput { id: name, document, cluster: None }];
    pages.extend(others.iter().map(|(id, document)| PageInput { id, document, cluster: None }));
    let first = |config: &RecordsConfig| {
        find_records(&pages, config).into_iter().next().context("internal error: no result")
    };
    Ok(Findings {
        found: first(&RecordsConfig::default())?,
        considered: first(&RecordsConfig::considered())?,
    })
}

impl Findings {
    /// The reasons, in words.
    pub(super) fn text(&self, document: &Document, others: usize) -> String {
        let beside = match others {
            0 => "looked at alone; --with FOLDER names other pages of the site".to_owned(),
            1 => "looked at beside 1 other page".to_owned(),
            more => format!("looked at beside {more} other pages"),
        };
        format!("{}{beside}\n", explain_choice(document, &self.found, &self.considered))
    }

    /// Writes the copy of the page with frames. The file appears when it is whole.
    pub(super) fn write_copy(&self, document: &Document, file: &Path) -> Result<()> {
        let mut lines = legend(document, &self.found);
        if lines.is_empty() {
            let none = "no list of records is more likely an answer than not".to_owned();
            lines.push(Note { shade: FrameRole::Other, text: none, node: None });
        }
        let copy = draw(document, &record_frames(&self.found), &self.found.page, &lines);
        Ok(write_whole(file, copy)?)
    }
}
