//! Which pages does a harvest work on? Those of a project, of archives or of folders, by site, parsed a few at
//! a time: memory does not grow with the site.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use quarry_dom::Document;
use quarry_store::{Input, InputPage, open_input};
use rayon::prelude::*;
use url::Url;

use super::times::Spent;
use crate::commands::stage;

/// Pages that are parsed at once.
const AT_ONCE: usize = 256;
/// What files without an address are called together.
const FILES: &str = "files";

/// Pages that belong together: a project, archives, or a folder of files.
pub(in crate::commands) struct Source {
    /// What its pages without an address are called; where it is the only source, nothing.
    pub(in crate::commands) name: Option<String>,
    input: Input,
    /// Time that parsing its pages took, on all threads.
    pub(super) parsing: Spent,
}

impl Source {
    /// Pages without a name of their own.
    pub(in crate::commands) fn of(input: Input) -> Self {
        Self { name: None, input, parsing: Spent::default() }
    }

    /// A project or a folder.
    pub(in crate::commands) fn open(folder: &Path, urls: Option<&Path>) -> Result<Self> {
        let input = open_input(&[folder.to_owned()], urls)?;
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Self { name, ..Self::of(input) })
    }
}

/// The pages of one site, by their names.
pub(in crate::commands) struct Site<'a> {
    /// `scheme://host:port`, or the folder.
    pub(in crate::commands) name: String,
    source: &'a Source,
    pub(in crate::commands) ids: Vec<&'a str>,
}

/// A page of a site.
pub(in crate::commands) struct Page {
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

/// The sites that the pages belong to, in the order in which they are met.
pub(in crate::commands) fn sites(sources: &[Source]) -> Vec<Site<'_>> {
    let mut sites: Vec<Site<'_>> = Vec::new();
    for source in sources {
        let Source { name, input, .. } = source;
        let first = sites.len();
        let mut place: BTreeMap<String, usize> = BTreeMap::new();
        for id in input.ids() {
            let origin = input.address(id).and_then(|text| Url::parse(text).ok());
            let origin = origin.and_then(|url| origin_of(&url));
            let name = origin.or_else(|| name.clone()).unwrap_or_else(|| FILES.to_owned());
            let at = *place.entry(name).or_insert_with_key(|name| {
                sites.push(Site { name: name.clone(), source, ids: Vec::new() });
                sites.len() - 1
            });
            sites[at].ids.push(id);
        }
        // By name: the order in which pages happened to come says nothing.
        sites[first..].sort_by(|a, b| a.name.cmp(&b.name));
        sites[first..].iter_mut().for_each(|site| site.ids.sort_unstable());
    }
    sites
}

/// `scheme://host:port`, where an address has them.
fn origin_of(url: &Url) -> Option<String> {
    let origin = url.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}

impl Site<'_> {
    /// So many pages, evenly over all.
    pub(in crate::commands) fn sample(&self, most: usize) -> Result<Vec<Page>> {
        let count = self.ids.len().min(most);
        let ids: Vec<&str> = (0..count).map(|n| self.ids[n * self.ids.len() / count]).collect();
        parse(self.source, &ids)
    }

    /// Shows all pages by name, a few at a time.
    pub(in crate::commands) fn each(
        &self,
        visit: &mut dyn FnMut(Vec<Page>) -> Result<()>,
    ) -> Result<()> {
        self.ids.chunks(AT_ONCE).try_for_each(|ids| visit(parse(self.source, ids)?))
    }
}

/// Reads and parses pages, on all cores.
fn parse(source: &Source, ids: &[&str]) -> Result<Vec<Page>> {
    let Source { input, parsing, .. } = source;
    let mut read: Vec<InputPage> = Vec::with_capacity(ids.len());
    for id in ids {
        read.extend(input.get(id)?);
    }
    Ok(read.into_par_iter().map(|read| parsing.on(|| page(read))).collect())
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
