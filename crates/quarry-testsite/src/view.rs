//! The contents of pages without mark-up. Themes turn them into HTML, the truth
//! is read from them.

use serde::{Deserialize, Serialize};

use crate::catalogue::CatalogueEntityId;
use crate::spec::PagingStyle;

/// What kind of page an answer is: the classes that page clusters should recover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageClass {
    /// The home page.
    Home,
    /// A list of records: everything, a query, or a search with many matches.
    List,
    /// All values of one facet.
    Values,
    /// An entity.
    Entity,
    /// A search with one match that has a template of its own.
    OneMatch,
    /// A search or query without a match.
    NoMatch,
    /// A search that could not be done.
    Error,
    /// About, contact, terms.
    Info,
    /// Login, cart, calendar, compare: nothing to harvest.
    Service,
    /// 404, and what a fault made of a page.
    Failure,
    /// A small page of a flat site.
    Flat,
    /// Not a page: style sheet, picture, robots.txt, sitemap, redirect.
    Asset,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) href: String,
    pub(crate) text: String,
}

impl Link {
    pub(crate) fn new(href: impl Into<String>, text: impl Into<String>) -> Self {
        Self { href: href.into(), text: text.into() }
    }
}

/// What surrounds every page.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) title: String,
    pub(crate) nav: Vec<Link>,
    pub(crate) crumbs: Vec<Link>,
    pub(crate) account: Vec<Link>,
    pub(crate) footer: Vec<Link>,
    /// What the search field holds.
    pub(crate) keywords: String,
    pub(crate) canonical: Option<String>,
    pub(crate) json_ld: Option<String>,
}

/// The parts of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    Badge,
    Title,
    Maker,
    Fact,
    Joined,
    Teaser,
    Rating,
    Reviews,
    OldPrice,
    Price,
    Call,
    Constant,
}

/// One text of a record.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    pub(crate) slot: Slot,
    /// The name in the template's truth: the attribute, or the slot.
    pub(crate) name: &'static str,
    /// Template text before the value.
    pub(crate) label: Option<String>,
    pub(crate) text: String,
    /// The text with decorative tags inside.
    pub(crate) html: Option<String>,
}

/// A record of a list.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    /// `None` for what only looks like a record.
    pub(crate) entity: Option<CatalogueEntityId>,
    pub(crate) href: String,
    pub(crate) picture: Option<u64>,
    pub(crate) units: Vec<Unit>,
    /// "Add to cart" and the like: template text.
    pub(crate) action: Option<Link>,
    pub(crate) compare: Option<Link>,
}

impl Card {
    pub(crate) fn unit(&self, slot: Slot) -> Option<&Unit> {
        self.units.iter().find(|u| u.slot == slot)
    }

    pub(crate) fn title(&self) -> &str {
        self.unit(Slot::Title).map_or("", |u| &u.text)
    }

    /// The units that stand between title and price.
    pub(crate) fn facts(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|u| matches!(u.slot, Slot::Fact | Slot::Joined))
    }
}

/// One facet.
#[derive(Debug, Clone)]
pub(crate) struct FacetGroup {
    pub(crate) name: String,
    pub(crate) key: String,
    /// Checkboxes instead of a select in a form.
    pub(crate) several: bool,
    pub(crate) values: Vec<FacetValue>,
    pub(crate) more: Option<String>,
}

/// One value of a facet.
#[derive(Debug, Clone)]
pub(crate) struct FacetValue {
    pub(crate) text: String,
    pub(crate) slug: String,
    pub(crate) href: String,
    pub(crate) count: Option<usize>,
    pub(crate) chosen: bool,
}

/// A predicate of the query, with a link that takes it away.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) attribute: String,
    pub(crate) value: String,
    pub(crate) remove: Option<String>,
}

/// The way to the other pages of a list.
#[derive(Debug, Clone)]
pub(crate) struct Pager {
    pub(crate) style: PagingStyle,
    pub(crate) current: usize,
    pub(crate) prev: Option<String>,
    pub(crate) next: Option<String>,
    /// Page number and address, the current page included.
    pub(crate) pages: Vec<(usize, String)>,
    pub(crate) form: Option<FormTarget>,
}

/// Where a form goes and what it carries along.
#[derive(Debug, Clone)]
pub(crate) struct FormTarget {
    pub(crate) method: &'static str,
    pub(crate) action: String,
    pub(crate) hidden: Vec<(String, String)>,
    /// The name of the submit buttons.
    pub(crate) button: &'static str,
}

/// A choice among views of a list: sort orders, page sizes.
#[derive(Debug, Clone)]
pub(crate) struct Switch {
    pub(crate) link: Link,
    pub(crate) current: bool,
}

/// A list of records.
#[derive(Debug, Clone)]
pub(crate) struct ListView {
    pub(crate) heading: String,
    /// "41 shoes", "Results 21 - 40 of 310".
    pub(crate) summary: String,
    pub(crate) chosen: Vec<Chosen>,
    pub(crate) facets: Vec<FacetGroup>,
    pub(crate) facet_form: Option<FormTarget>,
    pub(crate) sorts: Vec<Switch>,
    pub(crate) sizes: Vec<Switch>,
    pub(crate) exports: Vec<Link>,
    pub(crate) cards: Vec<Card>,
    pub(crate) promotions: Vec<Card>,
    pub(crate) advertisements: Vec<Advertisement>,
    pub(crate) pager: Option<Pager>,
}

/// Something for sale that has nothing to do with the catalogue.
#[derive(Debug, Clone)]
pub(crate) struct Advertisement {
    pub(crate) headline: String,
    pub(crate) text: String,
    pub(crate) sponsor: String,
}

/// An entity page.
#[derive(Debug, Clone)]
pub(crate) struct EntityView {
    pub(crate) card: Card,
    pub(crate) specs: Vec<SpecGroup>,
    pub(crate) description: Vec<String>,
    pub(crate) related: Vec<Card>,
    pub(crate) actions: Vec<Link>,
    /// The lines above the page of a search with one match.
    pub(crate) only_match: Option<String>,
}

/// A section of a specification.
#[derive(Debug, Clone)]
pub(crate) struct SpecGroup {
    pub(crate) title: String,
    pub(crate) pairs: Vec<(String, String)>,
}

/// A page of text, links and perhaps a form.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextView {
    pub(crate) heading: String,
    pub(crate) paragraphs: Vec<String>,
    pub(crate) links: Vec<Link>,
    /// HTML of a form.
    pub(crate) form: Option<String>,
    /// A grid of days.
    pub(crate) days: Option<(u32, u32)>,
}

/// The home page.
#[derive(Debug, Clone)]
pub(crate) struct HomeView {
    pub(crate) heading: String,
    pub(crate) lead: String,
    pub(crate) tiles: Vec<Link>,
    pub(crate) featured: Vec<Card>,
    pub(crate) featured_heading: String,
    pub(crate) newsletter: bool,
}

/// What an address shows.
#[derive(Debug, Clone)]
pub(crate) enum Screen {
    Home(HomeView),
    List(Box<ListView>),
    Entity(Box<EntityView>),
    Values(String, FacetGroup),
    Text(TextView),
    Redirect(String),
}
