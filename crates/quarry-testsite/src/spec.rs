//! The specification of a site: [`SiteSpec`] and its settings. Every setting is plain data with a
//! default; [`SiteSpec::set`] changes one by its name.

use serde::{Deserialize, Serialize};

use crate::faults::Faults;
use crate::format::{ValueFormat, choices};
use crate::pattern::PatternSpec;
use crate::theme::Theme;
use crate::vertical::Vertical;

/// Everything that determines a site. The same specification gives the same bytes.
///
/// ```
/// use quarry_testsite::{Site, SiteRequest, SiteSpec};
/// let site = Site::generate(SiteSpec { entities: 50, ..SiteSpec::default() });
/// let home = site.respond(&SiteRequest::get("/"));
/// assert_eq!(home.status, 200);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SiteSpec {
    /// Where chance starts.
    pub seed: u64,
    /// What the site is about.
    pub vertical: Vertical,
    /// How many entities it has at the start.
    pub entities: usize,
    /// Its name; invented when empty.
    pub name: String,
    /// A catalogue with lists and entity pages, or a flat set of small pages.
    pub layout: Layout,
    /// Mark-up style of the pages.
    pub theme: Theme,
    /// Which part of a page its scripts fill.
    #[serde(default)]
    pub scripts: Scripts,
    /// Mark-up style of specifications on entity pages.
    pub specs: SpecStyle,
    /// What stands in the pages beside visible text.
    pub markup: Markup,
    /// How addresses of lists and entities look.
    pub urls: UrlStyle,
    /// Facets.
    pub facets: Facets,
    /// Pages of a long list.
    pub paging: Paging,
    /// Department pages and a journal.
    pub shop: Shop,
    /// What a list shows beside its records, and what varies in a record.
    pub listing: Listing,
    /// What an entity page shows.
    pub detail: Detail,
    /// The search form and its answers.
    pub search: Search,
    /// Links and forms that a careful crawler leaves alone.
    pub traps: Traps,
    /// How values are printed.
    pub format: ValueFormat,
    /// What changes while the site is crawled.
    pub changes: Changes,
    /// robots.txt, sitemap, compression, validators.
    pub protocol: Protocol,
    /// What goes wrong.
    pub faults: Faults,
}

impl Default for SiteSpec {
    fn default() -> Self {
        Self {
            seed: 1,
            vertical: Vertical::default(),
            entities: 200,
            name: String::new(),
            layout: Layout::default(),
            theme: Theme::default(),
            scripts: Scripts::default(),
            specs: SpecStyle::default(),
            markup: Markup::default(),
            urls: UrlStyle::default(),
            facets: Facets::default(),
            paging: Paging::default(),
            shop: Shop::default(),
            listing: Listing::default(),
            detail: Detail::default(),
            search: Search::default(),
            traps: Traps::default(),
            format: ValueFormat::default(),
            changes: Changes::default(),
            protocol: Protocol::default(),
            faults: Faults::default(),
        }
    }
}

/// Why a knob could not be set.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// There is no preset of this name.
    #[error("there is no preset {name:?}; `testsite presets` lists them")]
    UnknownPreset {
        /// The name that was asked for.
        name: String,
    },
    /// There is no knob of this name.
    #[error("there is no knob {name:?}; the knobs here are {known}")]
    UnknownKnob {
        /// The name that was asked for.
        name: String,
        /// The names that exist at this level.
        known: String,
    },
    /// The knob does not take this value.
    #[error("the knob {name:?} does not take {value:?}")]
    BadValue {
        /// The knob.
        name: String,
        /// The value.
        value: String,
        /// What was expected.
        source: serde_json::Error,
    },
}

impl SiteSpec {
    /// Sets one knob by its dotted name, as in `set("paging.size", "48")`. Values are JSON; a word
    /// needs no quotes.
    ///
    /// # Errors
    /// When there is no such knob or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SpecError> {
        let mut tree = serde_json::to_value(&*self).expect("a specification is plain data");
        let mut node = &mut tree;
        for part in name.split('.') {
            let known = match node.as_object() {
                Some(map) => map.keys().cloned().collect::<Vec<_>>().join(", "),
                None => "none below it".to_owned(),
            };
            node = match node.get_mut(part) {
                Some(node) => node,
                None => return Err(SpecError::UnknownKnob { name: name.to_owned(), known }),
            };
        }
        *node = serde_json::from_str(value)
            .unwrap_or_else(|_| serde_json::Value::String(value.to_owned()));
        *self = serde_json::from_value(tree).map_err(|source| SpecError::BadValue {
            name: name.to_owned(),
            value: value.to_owned(),
            source,
        })?;
        Ok(())
    }
}

/// The shape of the site.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Home, lists, entity pages, search and the rest.
    #[default]
    Catalogue,
    /// `entities` small pages that link to each other: a site to measure crawlers with.
    Flat {
        /// Links on each page.
        links: usize,
        /// Length of a page, about.
        bytes: usize,
    },
    /// `entities` entities in plain mark-up, linked in a way that crawlers get wrong.
    Pattern(PatternSpec),
}

choices! {
    /// Which part of a page its scripts fill.
    Scripts {
        /// None: pages are whole as they are sent.
        Absent,
        /// All, from state in the page.
        State,
        /// All, by a request for it.
        Fetched,
        /// None, but scripts put the same content in place.
        Hydrated,
        /// All, from records that they fetch as JSON: one list in several answers, and an answer for each entity.
        Records,
        /// All, into shadow trees, from records that stand in a script.
        Bundled,
        /// All, from JSON: a list of sections, a list of records for each, and an answer for each entity.
        Sections,
    }
}

choices! {
    /// Mark-up of a specification.
    SpecStyle {
        /// `<table>` with `th` and `td`.
        Table,
        /// `<dl>`.
        Definitions,
        /// Pairs of `div`s.
        Divs,
        /// `<ul>` with "Name: value".
        Items,
        /// A table with a column for the section, one for the name, one for the value.
        ThreeColumns,
        /// A heading and a table for each section.
        Sections,
        /// Rows of two `td`, no `th`.
        PlainTable,
        /// Paragraphs with a bold name.
        Paragraphs,
    }
}

/// What stands in the pages beside visible text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Markup {
    /// JSON-LD on entity pages.
    pub json_ld: bool,
    /// Microdata on entity pages and records.
    pub microdata: bool,
    /// Pictures.
    pub pictures: Pictures,
}

impl Default for Markup {
    fn default() -> Self {
        Self { json_ld: false, microdata: false, pictures: Pictures::Files }
    }
}

/// What a whole shop has beside its lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shop {
    /// The home page leads to departments, these to categories, and only those list entities.
    pub hubs: bool,
    /// Articles of a journal.
    pub articles: usize,
}

choices! {
    /// Pictures of entities.
    Pictures {
        /// `<img>` that points to a generated SVG file.
        Files,
        /// SVG inside the page.
        Inline,
        /// None.
        None,
    }
}

choices! {
    /// How addresses look.
    UrlStyle {
        /// `/shoes?brand=norva&color=red`
        Query,
        /// `/shoes/brand-norva/color-red`, in the order in which the links were followed.
        Path,
        /// `/b/1k9zq2.77xw0e`: nothing to read in them, and order-dependent.
        Opaque,
    }
}

/// Facets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Facets {
    /// Links, a form, or none.
    pub style: FacetStyle,
    /// Show how many entities each value has.
    pub counts: bool,
    /// At most this many values of a facet, then a "more" link; 0 shows all.
    pub max_values: usize,
    /// Offer some facets only after another was chosen (heel types for pumps only).
    pub dependent: bool,
    /// Offer a category only below its department.
    pub tree: bool,
    /// A link that takes a chosen value away again.
    pub removals: bool,
    /// Names of attributes (as the vertical defines them) that are facets; empty takes the
    /// vertical's choice.
    pub only: Vec<String>,
}

impl Default for Facets {
    fn default() -> Self {
        Self {
            style: FacetStyle::Links,
            counts: true,
            max_values: 0,
            dependent: false,
            tree: false,
            removals: true,
            only: Vec::new(),
        }
    }
}

choices! {
    /// How facets are offered.
    FacetStyle {
        /// A link for each value.
        Links,
        /// A form with selects and checkboxes, sent by GET.
        GetForm,
        /// The same, sent by POST.
        PostForm,
        /// Not at all.
        None,
    }
}

/// Pages of a long list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Paging {
    /// What the links look like.
    pub style: PagingStyle,
    /// Records on a page.
    pub size: usize,
    /// Page sizes that the visitor can choose from; empty offers none.
    pub sizes: Vec<usize>,
    /// No page beyond this one is shown; 0 shows all.
    pub cap: usize,
    /// There is always a next page, which repeats records.
    pub endless: bool,
}

impl Default for Paging {
    fn default() -> Self {
        Self { style: PagingStyle::Numbered, size: 20, sizes: Vec::new(), cap: 0, endless: false }
    }
}

choices! {
    /// How one gets to the next page.
    PagingStyle {
        /// Previous, 1, 2, 3, next; `page=2`.
        Numbered,
        /// Next only; `page=2`.
        NextOnly,
        /// A "show more" link at the end; `page=2`.
        LoadMore,
        /// Numbered, with the first record's number in the address; `start=20`.
        Offset,
        /// Next only, with a token that stands for the last record shown; `after=…`.
        Keyset,
        /// Submit buttons in a form.
        Buttons,
    }
}

/// What a list shows beside its records, and what varies in a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Listing {
    /// Links to sort by price and name.
    pub sorts: bool,
    /// Promoted entities in a box of their own, whether or not they match the query.
    pub promotions: usize,
    /// Advertisements between or beside the records.
    pub advertisements: usize,
    /// Share of places in the list taken by something that only looks like a record.
    pub false_records: f64,
    /// Parts that some records lack: badge, rating, teaser.
    pub optional: bool,
    /// Parts of which a record has one or the other: price, or old and new price.
    pub disjunctive: bool,
    /// Words in bold or italics inside texts.
    pub decorated: bool,
    /// Texts that are the same in every record.
    pub constant: bool,
    /// Two values in one text: "Black | Leather".
    pub joined: bool,
}

impl Default for Listing {
    fn default() -> Self {
        Self {
            sorts: true,
            promotions: 0,
            advertisements: 0,
            false_records: 0.0,
            optional: true,
            disjunctive: false,
            decorated: false,
            constant: true,
            joined: false,
        }
    }
}

/// What an entity page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Detail {
    /// Which attributes appear on no entity page and in no record.
    pub hidden: Hidden,
    /// Related entities at the end.
    pub related: usize,
}

impl Default for Detail {
    fn default() -> Self {
        Self { hidden: Hidden::Some, related: 4 }
    }
}

choices! {
    /// Which attributes can be learned from facets only.
    Hidden {
        /// Those that the vertical hides.
        Some,
        /// None: the entity page shows everything.
        None,
        /// All facets.
        All,
    }
}

/// The search form and its answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    /// How the form is sent.
    pub form: SearchForm,
    /// What happens when one entity matches.
    pub one_match: OneMatch,
    /// Nothing can be browsed: every list needs a keyword.
    pub required: bool,
    /// The name of the text field.
    pub field: String,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            form: SearchForm::Get,
            one_match: OneMatch::Redirect,
            required: false,
            field: "q".to_owned(),
        }
    }
}

choices! {
    /// How the search form is sent.
    SearchForm {
        /// By GET.
        Get,
        /// By POST.
        Post,
        /// There is no search.
        None,
    }
}

choices! {
    /// What a search with one match gives.
    OneMatch {
        /// A redirect to the entity.
        Redirect,
        /// A page of its own template.
        Page,
        /// A list with one record.
        List,
    }
}

/// Links and forms that a careful crawler leaves alone. What is requested is logged as a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Traps {
    /// Links that add to a cart, delete, or log out.
    pub actions: bool,
    /// A login form, a newsletter form.
    pub forms: bool,
    /// A calendar without end.
    pub calendar: bool,
    /// "Compare" links whose combinations have no end.
    pub compare: bool,
    /// A session id in every address.
    pub sessions: bool,
    /// JSON, CSV, RSS and print versions of every list.
    pub exports: bool,
    /// Relative links that add a path segment each time.
    pub spiral: bool,
}

impl Default for Traps {
    fn default() -> Self {
        Self {
            actions: true,
            forms: true,
            calendar: false,
            compare: false,
            sessions: false,
            exports: false,
            spiral: false,
        }
    }
}

/// What changes while the site is crawled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Changes {
    /// One change after this many requests; 0 means never.
    pub every: u64,
    /// At most this many changes.
    pub most: u32,
    /// So many of them have happened before the first request: the same site, later.
    pub passed: u32,
    /// A vanished entity's page answers with 410 in place of 404.
    pub gone: bool,
}

impl Changes {
    /// So many changes, of which the first `passed` have happened and no other ever does. Two sites that differ in
    /// `passed` only are one site at two times: addresses stay, and so does every page that no change is about.
    #[must_use]
    pub fn fixed(most: u32, passed: u32) -> Self {
        Self { every: u64::MAX, most, passed, ..Self::default() }
    }
}

/// robots.txt, sitemap, compression, validators.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Protocol {
    /// What robots.txt is.
    pub robots: Robots,
    /// Seconds of Crawl-delay; 0 gives none.
    pub crawl_delay: u32,
    /// Which sitemap there is.
    pub sitemap: Sitemap,
    /// Compress answers for clients that accept gzip.
    pub gzip: bool,
    /// `ETag` and `Last-Modified`, answered by 304 when they fit.
    pub validators: bool,
    /// Seconds for which a page may be kept without asking again (`Cache-Control`); 0 says nothing.
    pub max_age: u32,
}

impl Default for Protocol {
    fn default() -> Self {
        Self {
            robots: Robots::Allow,
            crawl_delay: 0,
            sitemap: Sitemap::Plain,
            gzip: true,
            validators: true,
            max_age: 0,
        }
    }
}

choices! {
    /// What robots.txt is.
    Robots {
        /// Actions and account pages are disallowed, the rest is free.
        Allow,
        /// Everything is disallowed.
        DisallowAll,
        /// Entity pages are disallowed.
        DisallowEntities,
        /// 404.
        Missing,
        /// 403.
        Forbidden,
        /// 500.
        Error,
        /// More than 500 KiB, with the rule that counts at the start.
        Huge,
        /// An HTML page.
        Html,
    }
}

choices! {
    /// Which sitemap there is.
    Sitemap {
        /// One file.
        Plain,
        /// None.
        None,
        /// An index and parts.
        Index,
        /// An index and compressed parts.
        Compressed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_are_set_by_name() {
        let mut spec = SiteSpec::default();
        for (name, value) in [
            ("paging.size", "48"),
            ("paging.style", "keyset"),
            ("paging.sizes", "[20,50]"),
            ("theme", "classic"),
            ("facets.dependent", "true"),
            ("name", "Norva Shoes"),
        ] {
            spec.set(name, value).unwrap();
        }
        assert_eq!(spec.paging.size, 48);
        assert_eq!(spec.paging.style, PagingStyle::Keyset);
        assert_eq!(spec.theme, Theme::Classic);
        assert_eq!(spec.name, "Norva Shoes");
    }

    #[test]
    fn wrong_knobs_say_what_there_is() {
        let check = |name: &str, value: &str, expect: &str| {
            let error = SiteSpec::default().set(name, value).unwrap_err().to_string();
            assert!(error.contains(expect), "{error}");
        };
        check("paging.colour", "1", "cap, endless, size, sizes, style");
        check("theme", "baroque", "does not take \"baroque\"");
        check("seed.x", "1", "none below it");
    }
}
