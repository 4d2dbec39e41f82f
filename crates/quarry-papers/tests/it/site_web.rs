//! Generated sites for the paper's algorithms: small ones, read in process.

use quarry_dom::{Document, Limits};
use quarry_papers::query::{LinkReader, PageLinks, Web};
use quarry_testsite::{Site, SiteRequest, SiteSpec};
use url::Url;

use crate::generated::ROOT;

/// A generated site as a web of links.
pub(crate) struct SiteWeb<'s> {
    site: &'s Site,
    reader: LinkReader,
    requests: u64,
}

impl<'s> SiteWeb<'s> {
    pub(crate) fn new(site: &'s Site) -> Self {
        Self { site, reader: LinkReader::default(), requests: 0 }
    }
}

impl Web for SiteWeb<'_> {
    fn read(&mut self, url: &str) -> Option<PageLinks> {
        let target = url.strip_prefix(ROOT)?;
        let request = SiteRequest { count: self.requests, ..SiteRequest::get(target) };
        self.requests += 1;
        let answer = self.site.respond(&request);
        let mime = answer.header("Content-Type").filter(|mime| mime.starts_with("text/html"));
        if answer.status != 200 || mime.is_none() {
            return None;
        }
        let document = Document::parse(&answer.body, mime, &Limits::default());
        Some(self.reader.read(&document, &Url::parse(url).ok()?))
    }
}

/// The address of a site's list of everything.
pub(crate) fn seed(site: &Site) -> String {
    format!("{ROOT}{}", site.root())
}

/// The site with so many entities and only so many facets: of those that most entities have, those with
/// the fewest values. What changes while it is crawled concerns one entity in ten.
pub(crate) fn small(mut spec: SiteSpec, entities: usize, facets: usize) -> SiteSpec {
    spec.entities = entities;
    spec.changes.most = spec.changes.most.min(entities as u32 / 10);
    if spec.facets.only.is_empty() {
        let mut attributes = Site::generate(spec.clone()).attributes();
        attributes.retain(|attribute| attribute.facet && attribute.values > 1);
        attributes.retain(|attribute| attribute.pairs * 10 >= entities * 8);
        attributes.sort_by_key(|attribute| attribute.values);
        let names = attributes.into_iter().take(facets).map(|attribute| attribute.canonical);
        spec.facets.only = names.collect();
    }
    spec
}
