//! Reads and parses the pages that a harvest works on, by site and a few at a time: memory does not grow with the site.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use quarry_crawl::Address;
use quarry_crawl::query::EntityIdentity;
use quarry_dom::{Document, Limits};
use quarry_extract::embedded::behind::read_answer;
use quarry_extract::links::PageKind;
use quarry_extract::site::SitePage;
use quarry_model::{InputPage, PageSource};
use rayon::prelude::*;
use regex::bytes::{Captures, Regex};
use url::Url;

use crate::HarvestError;
use crate::crawl::{DataSource, KnownPages};
use crate::times::TimeSpent;

/// Pages that are parsed at once.
const AT_ONCE: usize = 64;
/// What files without an address are called together.
const FILES: &str = "files";

/// Pages that belong together: a project, archives, or a folder of files.
pub struct PageInputs {
    /// What its pages without an address are called; where it is the only source, nothing.
    pub name: Option<String>,
    source: Box<dyn PageSource>,
    /// Time that parsing its pages took, on all threads.
    pub(crate) parsing: TimeSpent,
}

impl PageInputs {
    /// Pages of a source without a name.
    pub fn new(source: impl PageSource + 'static) -> Self {
        Self { name: None, source: Box::new(source), parsing: TimeSpent::default() }
    }
}

/// The pages of one site, by their names.
pub struct SitePages<'a> {
    /// `scheme://host:port`, or the folder.
    pub name: String,
    /// Which addresses lead to the same entity.
    pub identity: EntityIdentity,
    /// Which pages are entities and which are lists, by the crawl that brought them.
    pub known: KnownPages,
    /// The data behind its pages.
    pub data: Vec<DataSource>,
    /// By id.
    pages: Vec<PageOfSource<'a>>,
    /// The sources that have some of them.
    sources: Vec<&'a PageInputs>,
}

/// A page, and the source that has it.
#[derive(Clone, Copy)]
struct PageOfSource<'a> {
    id: &'a str,
    inputs: &'a PageInputs,
}

/// A page of a site, parsed.
pub struct ParsedPage {
    /// Its name in its source.
    pub id: String,
    /// Where it came from; for a file without an address, what stands for it.
    pub address: Url,
    /// Whether it is a file without an address.
    pub is_file: bool,
    /// Bytes that it had.
    pub size: usize,
    /// What it consists of.
    pub document: Document,
}

impl ParsedPage {
    /// Parses a page.
    #[must_use]
    pub fn parse(page: InputPage) -> Self {
        let InputPage { id, url, content_type, bytes } = page;
        let kind = content_type.as_deref().or_else(|| saved_as_utf8(&bytes));
        let document = Document::parse(&bytes, kind, &Limits::default());
        let address = url.and_then(|url| Url::parse(&url).ok());
        let is_file = address.is_none();
        let address = address.unwrap_or_else(|| file_address(&id));
        Self { id, address, is_file, size: bytes.len(), document }
    }

    /// What it is known by: its address, or the name of a file that has none.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.is_file { &self.id } else { self.address.as_str() }
    }

    /// Its address; one that stands for any where it has none.
    #[must_use]
    pub fn known_address(&self) -> &Url {
        static UNKNOWN: LazyLock<Url> = LazyLock::new(unknown_address);
        if self.is_file { &UNKNOWN } else { &self.address }
    }

    /// Its address; where it has none, the one that it says it has itself: what a link changes in it tells the next page from
    /// other links.
    #[must_use]
    pub fn likely_address(&self) -> Cow<'_, Url> {
        let unknown = self.known_address();
        let said =
            || self.document.canonical(unknown).filter(|said| said.origin() != unknown.origin());
        self.is_file.then(said).flatten().map_or(Cow::Borrowed(unknown), Cow::Owned)
    }

    /// As learning and reading take it.
    #[must_use]
    pub fn view(&self) -> SitePage<'_> {
        let Self { id, address, document, .. } = self;
        SitePage { id, address, document }
    }
}

/// Browsers save pages as UTF-8 and leave the old encoding's name in them. Text of another encoding with letters outside ASCII
/// is hardly ever valid UTF-8 throughout.
fn saved_as_utf8(bytes: &[u8]) -> Option<&'static str> {
    let valid = !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok();
    valid.then_some("text/html; charset=utf-8")
}

/// The sites that the pages belong to, in the order in which they are met. Sources that have pages of one host are parts of one site;
/// where two have a page of the same name, that of the later one counts.
#[must_use]
pub fn sites(sources: &[PageInputs]) -> Vec<SitePages<'_>> {
    let mut sites: Vec<SitePages<'_>> = Vec::new();
    // Pages without an address are told apart by their source.
    let mut place: BTreeMap<(String, Option<usize>), usize> = BTreeMap::new();
    for (number, inputs) in sources.iter().enumerate() {
        // By name: the order in which pages happened to come says nothing.
        let mut own: BTreeMap<(String, Option<usize>), Vec<PageOfSource<'_>>> = BTreeMap::new();
        for id in inputs.source.ids() {
            let origin = inputs.source.address(id).and_then(|text| Url::parse(text).ok());
            let key = match origin.and_then(|url| origin_of(&url)) {
                Some(origin) => (origin, None),
                None => (inputs.name.clone().unwrap_or_else(|| FILES.to_owned()), Some(number)),
            };
            own.entry(key).or_default().push(PageOfSource { id, inputs });
        }
        for (key, pages) in own {
            let at = *place.entry(key).or_insert_with_key(|(name, _)| {
                let (name, identity) = (name.clone(), EntityIdentity::default());
                let (known, data) = (KnownPages::default(), Vec::new());
                let (pages, sources) = (Vec::new(), Vec::new());
                sites.push(SitePages { name, identity, known, data, pages, sources });
                sites.len() - 1
            });
            sites[at].pages.extend(pages);
            sites[at].sources.push(inputs);
        }
    }
    for site in &mut sites {
        site.pages.reverse();
        site.pages.sort_by_key(|page| page.id);
        site.pages.dedup_by_key(|page| page.id);
    }
    sites
}

/// `scheme://host:port`, where an address has them.
fn origin_of(url: &Url) -> Option<String> {
    let origin = url.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}

impl SitePages<'_> {
    /// How many pages there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pages.len()
    }

    /// The data of the archived answer to an address that a page asked for, as JSON.
    pub(crate) fn json(&self, url: &str) -> Result<Option<serde_json::Value>, HarvestError> {
        let normal = Address::normalise(url).map(Address::into_string).ok();
        for inputs in &self.sources {
            for address in [Some(url), normal.as_deref()].into_iter().flatten() {
                if let Some(bytes) = inputs.source.part(address)? {
                    return Ok(read_answer(&bytes));
                }
            }
        }
        Ok(None)
    }

    /// So many pages, evenly over all; but where the crawl knows entities' own pages, these are a quarter at least, and so are the
    /// others: a few details beside many lists may be all that tells kinds of entities apart.
    pub fn sample(&self, most: usize) -> Result<Vec<ParsedPage>, HarvestError> {
        let is_entity = |page: &PageOfSource<'_>| {
            let address = page.inputs.source.address(page.id);
            let address = address.and_then(|text| Url::parse(text).ok());
            address.is_some_and(|url| self.known.kind(&url) == Some(PageKind::Entity))
        };
        let (own, others): (Vec<_>, Vec<_>) = self.pages.iter().copied().partition(is_entity);
        let of_own = shares(own.len(), others.len(), most);
        let mut pages = match of_own {
            Some((of_own, of_others)) => {
                [evenly(&own, of_own), evenly(&others, of_others)].concat()
            }
            None => evenly(&self.pages, most),
        };
        pages.sort_by_key(|page| page.id);
        parse(&pages, &carried(&self.identity))
    }

    /// Shows all pages by name, a few at a time.
    pub fn each(
        &self,
        visit: &mut dyn FnMut(Vec<ParsedPage>) -> Result<(), HarvestError>,
    ) -> Result<(), HarvestError> {
        let carried = carried(&self.identity);
        self.pages.chunks(AT_ONCE).try_for_each(|pages| visit(parse(pages, &carried)?))
    }
}

/// The least share of a sample that entities' own pages have, and that others have.
const LEAST_SHARE: usize = 4;

/// How many of each of two kinds of pages a sample has, where one of them would be too few in an even one.
fn shares(own: usize, others: usize, most: usize) -> Option<(usize, usize)> {
    let all = own + others;
    if all <= most {
        return None;
    }
    let even = most * own / all;
    let least = |count: usize| count.min(most / LEAST_SHARE);
    let of_own = even.max(least(own)).min(most - least(others));
    (of_own != even).then_some((of_own, most - of_own))
}

/// So many of these, evenly over all.
fn evenly<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    let count = all.len().min(most);
    (0..count).map(|n| all[n * all.len() / count]).collect()
}

/// Reads and parses pages, on all cores.
fn parse(pages: &[PageOfSource<'_>], carried: &[Regex]) -> Result<Vec<ParsedPage>, HarvestError> {
    let mut read: Vec<(InputPage, &TimeSpent)> = Vec::with_capacity(pages.len());
    for PageOfSource { id, inputs } in pages {
        read.extend(inputs.source.get(id)?.map(|page| (page, &inputs.parsing)));
    }
    let parse = |mut page: InputPage| {
        page.bytes = without(page.bytes, carried);
        ParsedPage::parse(page)
    };
    Ok(read.into_par_iter().map(|(page, parsing)| parsing.on(|| parse(page))).collect())
}

/// Patterns of the parameters in links that only say from which list an entity was reached: links are read
/// without them.
fn carried(identity: &EntityIdentity) -> Vec<Regex> {
    let pattern = |name: &String| {
        let name = regex::escape(name);
        Regex::new(&format!(r#"(?P<mark>\?|&amp;|&){name}=[^"'&\s<>]*(?P<more>&amp;|&)?"#)).ok()
    };
    identity.parameters().iter().filter_map(pattern).collect()
}

fn without(mut bytes: Vec<u8>, carried: &[Regex]) -> Vec<u8> {
    for pattern in carried {
        let keep_mark = |found: &Captures<'_>| match found.name("more") {
            Some(_) => found["mark"].to_vec(),
            None => Vec::new(),
        };
        bytes = pattern.replace_all(&bytes, keep_mark).into_owned();
    }
    bytes
}

/// An address for a file that has none: links between files lead where they lead on disk.
fn file_address(id: &str) -> Url {
    let mut url = unknown_address();
    url.set_path(id);
    url
}

/// Stands for the address of a page whose own is not known.
#[must_use]
pub fn unknown_address() -> Url {
    Url::parse("http://unknown.invalid/").expect("a constant address")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_details_beside_many_lists_are_in_the_sample() {
        assert_eq!(shares(20, 1_771, 300), Some((20, 280)));
        assert_eq!(shares(1_000, 30, 300), Some((270, 30)));
        assert_eq!(shares(500, 500, 300), None);
        assert_eq!(shares(20, 100, 300), None);
    }

    #[test]
    fn links_are_read_without_what_they_carry_of_the_list() {
        let pattern =
            Regex::new(r#"(?P<mark>\?|&amp;|&)zz=[^"'&\s<>]*(?P<more>&amp;|&)?"#).unwrap();
        let check = |link: &str, expect: &str| {
            let bytes = without(link.as_bytes().to_vec(), std::slice::from_ref(&pattern));
            assert_eq!(String::from_utf8(bytes).unwrap(), expect);
        };
        check("<a href='/t/5?zz=k%3D1'>", "<a href='/t/5'>");
        check("<a href='/t/5?zz=k&amp;x=2'>", "<a href='/t/5?x=2'>");
        check("<a href='/t/5?x=2&zz=k'>", "<a href='/t/5?x=2'>");
        check("<a href='/t/5?x=2&amp;zz=k&amp;y=3'>", "<a href='/t/5?x=2&amp;y=3'>");
    }
}
