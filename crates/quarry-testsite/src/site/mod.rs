//! A generated site: [`Site::respond`] is a pure function of the specification and the
//! request: tests call it without a socket, the server calls it for every connection.

mod answer;
mod card;
mod changes;
mod flat;
mod json;
mod least;
mod list;
mod respond;
mod screens;
mod scripted;
mod shop;
mod truth;
mod urls;
mod wellknown;

pub use changes::SiteChange;
pub use least::LeastRequests;
pub use truth::{AttributeTruth, PageTruth, SlotTruth, TemplateTruth, TruthLine, Values};

use std::sync::OnceLock;

use crate::catalogue::{
    Catalogue, CatalogueEntityId, FacetPredicate, Generation, describe, generate,
};
use crate::faults::Fault;
use crate::pattern::{Pattern, PatternCost};
use crate::prng::{Rng, hash};
use crate::spec::{FacetStyle, Hidden, Layout, SearchForm, SiteSpec};
use crate::text::{NameKind, invent};
use crate::vertical::{Definition, definition};
use crate::view::PageClass;
use answer::Engine;
use changes::{Timeline, additions};
pub(crate) use screens::Page;
pub(crate) use urls::INFO;
pub(crate) use urls::read_form;
use urls::{Query, Urls};
pub(crate) use wellknown::gzip;

/// A generated site.
#[derive(Debug)]
pub struct Site {
    pub(crate) spec: SiteSpec,
    pub(crate) definition: &'static Definition,
    pub(crate) catalogue: Catalogue,
    timeline: Timeline,
    engine: Engine,
    pub(crate) name: String,
    pub(crate) slogan: &'static str,
    css: OnceLock<String>,
}

/// The entities that several sites draw from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) entities: usize,
}

/// What a site is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRequest {
    /// GET, HEAD or POST.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// A form-encoded body.
    pub body: String,
    /// The `Host` field, for absolute addresses in sitemaps.
    pub host: String,
    /// The `Cookie` field.
    pub cookie: Option<String>,
    /// The client accepts gzip.
    pub gzip: bool,
    /// The `If-None-Match` field.
    pub if_none_match: Option<String>,
    /// The `If-Modified-Since` field.
    pub if_modified_since: Option<String>,
    /// How many requests the site has answered before this one; changes follow it.
    pub count: u64,
    /// The how-manieth request for this target it is, from 1; some faults go away.
    pub attempt: u32,
}

impl Default for SiteRequest {
    fn default() -> Self {
        Self {
            method: "GET".to_owned(),
            target: "/".to_owned(),
            body: String::new(),
            host: "localhost".to_owned(),
            cookie: None,
            gzip: false,
            if_none_match: None,
            if_modified_since: None,
            count: 0,
            attempt: 1,
        }
    }
}

impl SiteRequest {
    /// A plain GET.
    #[must_use]
    pub fn get(target: impl Into<String>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    /// A form submission.
    #[must_use]
    pub fn post(target: impl Into<String>, body: impl Into<String>) -> Self {
        Self {
            method: "POST".to_owned(),
            target: target.into(),
            body: body.into(),
            ..Self::default()
        }
    }
}

/// What a site answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteResponse {
    /// The status code.
    pub status: u16,
    /// Header fields, without those that frame the body.
    pub headers: Vec<(String, String)>,
    /// The body, content-encoded as the headers say.
    pub body: Vec<u8>,
    /// What kind of page it is.
    pub class: PageClass,
    /// What the server still has to do to the answer on the wire.
    pub fault: Option<Fault>,
    /// The name of the trap that the request stepped into.
    pub violation: Option<&'static str>,
}

impl SiteResponse {
    /// The first value of a header field, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// The body as text; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Site {
    /// Generates a site.
    #[must_use]
    pub fn generate(spec: SiteSpec) -> Self {
        let start = if spec.layout == Layout::Catalogue { spec.entities } else { 0 };
        let total = start + additions(spec.seed, spec.changes);
        let bases: Vec<u64> = (0..total as u64).collect();
        let world = World { seed: spec.seed, entities: spec.entities };
        Self::from_world(spec, world, start, &bases, &[])
    }

    /// Generates a site over chosen entities of a world that other sites share.
    pub(crate) fn from_world(
        spec: SiteSpec,
        world: World,
        start: usize,
        bases: &[u64],
        without: &[String],
    ) -> Self {
        let definition = definition(spec.vertical);
        Self::from_definition(spec, definition, world, start, bases, without)
    }

    /// The same for a subject that is not one of the verticals.
    pub(crate) fn from_definition(
        spec: SiteSpec,
        definition: &'static Definition,
        world: World,
        start: usize,
        bases: &[u64],
        without: &[String],
    ) -> Self {
        let mut catalogue = generate(&Generation {
            definition,
            seed: world.seed,
            bases,
            world: world.entities,
            format: spec.format,
            without,
        });
        choose_shown(&spec, &mut catalogue);
        let timeline = Timeline::new(spec.seed, spec.changes, start);
        let mut rng = Rng::of(spec.seed, "site", 0);
        let word = invent(NameKind::Brand, &mut rng);
        let name = match spec.name.as_str() {
            "" => rng.pick(definition.site_names).replace("{}", &word),
            name => name.to_owned(),
        };
        let slogan = *rng.pick(definition.slogans);
        let searchable = spec.search.form != SearchForm::None;
        let engine = {
            let entities = catalogue.entities().filter(|_| searchable);
            let texts = entities.map(|e| {
                let mut text = catalogue.titles[e.0 as usize].clone();
                for sentence in describe(definition, &catalogue, e, spec.seed, usize::MAX) {
                    text.push(' ');
                    text.push_str(&sentence);
                }
                text
            });
            Engine::new(&catalogue, texts)
        };
        Self { spec, definition, catalogue, timeline, engine, name, slogan, css: OnceLock::new() }
    }

    /// The specification that the site was made from.
    #[must_use]
    pub fn spec(&self) -> &SiteSpec {
        &self.spec
    }

    /// The database behind the site.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The site's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The pattern site that this is, if it is one.
    pub(crate) fn pattern(&self) -> Option<Pattern> {
        let Layout::Pattern(spec) = self.spec.layout else { return None };
        Some(Pattern::new(spec, self.spec.entities, self.spec.seed))
    }

    /// What a complete crawl of a pattern site takes; `None` for other sites.
    #[must_use]
    pub fn pattern_cost(&self) -> Option<PatternCost> {
        self.pattern().map(|pattern| pattern.cost())
    }

    /// The path of the list of everything; of a pattern site, where the visitor arrives.
    #[must_use]
    pub fn root(&self) -> String {
        if self.pattern().is_some() {
            return "/".to_owned();
        }
        self.urls().root()
    }

    /// The path of an entity's page.
    #[must_use]
    pub fn entity_url(&self, entity: CatalogueEntityId) -> String {
        self.urls().entity(entity)
    }

    /// All changes, in the order in which they happen.
    #[must_use]
    pub fn changes(&self) -> &[SiteChange] {
        &self.timeline.changes
    }

    /// How many changes have happened after so many requests.
    #[must_use]
    pub fn step(&self, requests: u64) -> u32 {
        self.timeline.step(requests)
    }

    /// The search words that match exactly `count` entities.
    pub fn search_words(&self, count: usize) -> impl Iterator<Item = &str> {
        self.engine.words_with(count)
    }

    /// A search word that matches exactly `count` entities, if there is one.
    #[must_use]
    pub fn search_word(&self, count: usize) -> Option<&str> {
        self.engine.words_with(count).next()
    }

    /// The addresses of all pages of a list.
    pub(crate) fn list_addresses(&self, predicates: &[FacetPredicate]) -> Vec<String> {
        let query = Query { predicates: predicates.to_vec(), ..Query::default() };
        let total = self.answer(&query, self.step(0)).entities.len();
        let pages = total.div_ceil(self.spec.paging.size.max(1));
        let mut all = vec![self.urls().list(&query)];
        // A list without end is over where it begins to repeat itself.
        while all.len() < pages
            && let Some(next) = all.last().and_then(|url| self.next_page(url))
        {
            all.push(next);
        }
        all
    }

    fn next_page(&self, url: &str) -> Option<String> {
        self.page_truth(&SiteRequest::get(url)).next
    }

    /// Can facets be followed as links?
    pub(crate) fn by_links(&self) -> bool {
        self.spec.facets.style == FacetStyle::Links
    }

    /// Is the entity there at the start?
    pub(crate) fn there(&self, entity: CatalogueEntityId) -> bool {
        self.timeline.alive(entity, self.step(0))
    }

    pub(crate) fn urls(&self) -> Urls<'_> {
        Urls { spec: &self.spec, definition: self.definition, catalogue: &self.catalogue }
    }

    pub(crate) fn description(&self, entity: CatalogueEntityId, most: usize) -> Vec<String> {
        describe(self.definition, &self.catalogue, entity, self.spec.seed, most)
    }

    /// The main colour of the site, in degrees.
    pub(crate) fn hue(&self) -> u64 {
        hash(self.spec.seed, "hue", 0) % 360
    }
}

/// Decides where attributes are shown, as the knobs say.
fn choose_shown(spec: &SiteSpec, catalogue: &mut Catalogue) {
    for attribute in &mut catalogue.attributes {
        if !spec.facets.only.is_empty() {
            attribute.facet = !attribute.words().is_empty()
                && spec.facets.only.iter().any(|name| name == attribute.canonical);
        }
        match spec.detail.hidden {
            Hidden::Some => {}
            Hidden::None => attribute.spec |= attribute.facet,
            Hidden::All if attribute.facet => {
                attribute.list = false;
                attribute.spec = false;
            }
            Hidden::All => {}
        }
        if spec.facets.style == FacetStyle::None {
            attribute.facet = false;
        }
    }
}

/// The text with its first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
