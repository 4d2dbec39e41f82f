//! Which pages does a harvest work on? Those of a project, of archives or of folders, by site, parsed a few at
//! a time: memory does not grow with the site.

use std::collections::BTreeMap;

use anyhow::Result;
use quarry_dom::Document;
use quarry_store::{Input, InputPage};
use rayon::prelude::*;
use url::Url;

use crate::commands::stage;

/// Pages that are parsed at once.
const AT_ONCE: usize = 256;

/// The pages of one site, by their names.
pub(super) struct Site {
    /// `scheme://host:port`, or the folder.
    pub(super) name: String,
    pub(super) ids: Vec<String>,
}

/// A page of a site.
pub(super) struct Page {
    pub(super) id: String,
    /// Where it came from; for a file without an address, what stands for it.
    pub(super) address: Url,
    is_file: bool,
    pub(super) document: Document,
}

impl Page {
    /// What it is known by: its address, or the name of a file that has none.
    pub(super) fn name(&self) -> &str {
        if self.is_file { &self.id } else { self.address.as_str() }
    }
}

/// The sites that the pages belong to, each with its pages in their order.
pub(super) fn sites(input: &Input) -> Vec<Site> {
    let mut sites: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in input.ids() {
        let origin = input.address(id).and_then(|text| Url::parse(text).ok());
        let name = origin.map_or_else(|| "files".to_owned(), |url| origin_of(&url));
        sites.entry(name).or_default().push(id.to_owned());
    }
    sites.into_iter().map(|(name, ids)| Site { name, ids }).collect()
}

/// `scheme://host:port`, or what stands for it.
fn origin_of(url: &Url) -> String {
    match url.origin() {
        origin if origin.is_tuple() => origin.ascii_serialization(),
        _ => "files".to_owned(),
    }
}

impl Site {
    /// So many pages, evenly over all.
    pub(super) fn sample(&self, most: usize) -> Vec<String> {
        let count = self.ids.len().min(most);
        (0..count).map(|n| self.ids[n * self.ids.len() / count].clone()).collect()
    }

    /// Shows all pages in their order, a few at a time.
    pub(super) fn each(
        &self,
        input: &Input,
        visit: &mut dyn FnMut(Vec<Page>) -> Result<()>,
    ) -> Result<()> {
        self.ids.chunks(AT_ONCE).try_for_each(|ids| visit(parse(input, ids)?))
    }
}

/// Reads and parses pages, on all cores.
pub(super) fn parse(input: &Input, ids: &[String]) -> Result<Vec<Page>> {
    let mut read: Vec<InputPage> = Vec::with_capacity(ids.len());
    for id in ids {
        read.extend(input.get(id)?);
    }
    Ok(read.into_par_iter().map(page).collect())
}

fn page(page: InputPage) -> Page {
    let stage::Page { id, url, document, .. } = stage::parse(page);
    let address = url.and_then(|url| Url::parse(&url).ok());
    let is_file = address.is_none();
    let address = address.unwrap_or_else(|| file_address(&id));
    Page { id, address, is_file, document }
}

/// An address for a file that has none: links between files lead where they lead on disk.
fn file_address(id: &str) -> Url {
    let mut url = super::super::unknown_address();
    url.set_path(id);
    url
}
