//! Classifies the links of a page by where they stand, what their addresses change
//! and what is written around them: entities, promotions, facet values, pagination, sort orders, page
//! sizes, removals of a predicate, exports, and the rest (query-centric crawling, §3 and §4.1).
//!
//! ```
//! use quarry_dom::Document;
//! use quarry_extract::links::{PagingRole, read_links};
//!
//! let item = |n: u32| format!("<li><h3><a href='/shoe/{n}'>Shoe number {n}</a></h3>\
//!     <p>Some words about this very shoe, which costs {n}.99</p></li>");
//! let items: String = (1..=5).map(item).collect();
//! let page = Document::from_html(&format!(
//!     "<h3>Brand</h3><ul><li><a href='?brand=a'>Acme</a> (3)<li><a href='?brand=b'>Bolt</a> (2)</ul>\
//!      <ol>{items}</ol><a href='?page=2' rel=next>Next</a>"));
//! let map = read_links(&page, &url::Url::parse("https://shop.example/shoes").unwrap());
//! assert_eq!(map.entities[0].href, "https://shop.example/shoe/1");
//! assert_eq!(map.entities.len(), 5);
//! assert_eq!(map.pagination[0].role, PagingRole::Next);
//! let facet = map.facets().next().unwrap();
//! assert_eq!(facet.attribute.as_deref(), Some("Brand"));
//! assert_eq!((facet.links[0].value.as_str(), facet.links[0].count), ("Acme", Some(3)));
//! ```
//!
//! How: `docs/algorithms/links.md`.

mod anchor;
mod attribute;
mod control;
mod count;
mod crawled;
mod entity;
mod group;
mod kind;
mod known;
mod line;
mod paging;
mod shape;
mod switch;
mod target;
mod total;
mod tree;
mod words;

use quarry_dom::{Document, NodeId, PageIndex};
use rayon::prelude::*;
use serde::Serialize;
use url::Url;

use crate::find::{Region, find_alone};
use crate::forms::Submission;
use crate::page::template::signature;
use anchor::Anchors;

pub use crawled::KnownKinds;
pub(crate) use crawled::correct_by_crawl;
pub use kind::{PageKind, SeenPage, page_kinds};
pub use known::KnownEntities;
pub(crate) use known::{ListedEntity, known_entities};
pub use line::{LinksLine, links_line};
pub use paging::{LINK_FEATURES, PagingCandidates, PagingLesson, PagingWeights, SERIES_FEATURES};
pub use shape::{UrlChange, UrlShape, changes};
pub(crate) use target::target_name;

/// A group with a score of this or more holds facet values: as much speaks for them as against them. See
/// `docs/algorithms/links.md`.
pub const FACET_SCORE: f64 = 0.5;

/// Everything a page leads to, understood from this page alone. Addresses are absolute and without
/// fragment; links to the page itself are left out, except among facet values.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct LinkMap {
    /// Links of the records of the primary answer region, one a record, in document order.
    pub entities: Vec<EntityLink>,
    /// Links elsewhere with the URL shape of the entity links: promotions, related entities.
    pub promoted: Vec<EntityLink>,
    /// All other links, grouped, in document order of their first.
    pub groups: Vec<LinkGroup>,
    /// Ways to the other pages of the list.
    pub pagination: Vec<PagingLink>,
    /// Ways to the pages of single records, from inside them: the pages of a thread in a list of threads.
    pub record_pagination: Vec<PagingLink>,
    /// Other orders of the same list.
    pub sorts: Vec<LabelledLink>,
    /// Other page sizes of the same list.
    pub sizes: Vec<SizeLink>,
    /// Links that take a predicate away.
    pub removals: Vec<LabelledLink>,
    /// The same data in other forms: JSON, CSV, RSS, Atom, XML, print views.
    pub exports: Vec<LabelledLink>,
    /// How many entities the page says that there are.
    pub total: Option<u64>,
    /// The numbers of the first and the last entity of this page, as the page says.
    pub shown: Option<(u64, u64)>,
    /// Forms that search or narrow the list.
    pub forms: Vec<FormFacets>,
    /// The URL shape of the entity links, where there are entities.
    pub entity_shape: Option<String>,
    /// How the entity links look: hashes of the names and classes of the elements around them, each with
    /// the number of links. For [`KnownEntities`].
    #[serde(skip)]
    pub entity_looks: Vec<(u64, usize)>,
    /// What the page is made of: sorted hashes of the paths and classes of its elements. Pages of one
    /// template have most of them in common.
    #[serde(skip)]
    pub signature: Vec<u64>,
    /// The regions of like records, best first: also those with too little to be an answer.
    #[serde(skip)]
    pub regions: Vec<Region>,
}

impl LinkMap {
    /// The groups that hold facet values.
    pub fn facets(&self) -> impl Iterator<Item = &LinkGroup> {
        self.groups.iter().filter(|group| group.is_facet())
    }
}

/// A link to an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntityLink {
    /// Where it leads.
    pub href: String,
    /// The text of the link.
    pub text: String,
    /// The XPath of the link.
    pub path: String,
    /// The link.
    #[serde(skip)]
    pub node: NodeId,
}

/// Links that share a node path and a URL shape under one heading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkGroup {
    /// What names the group.
    pub attribute: Option<String>,
    /// Where that was found.
    pub attribute_from: AttributeSource,
    /// The links in document order.
    pub links: Vec<FacetLink>,
    /// How much it looks like facet values and not like navigation, from 0 to 1; see [`FACET_SCORE`].
    pub facet_score: f64,
    /// The path of the links without indices.
    pub path: String,
    /// What their addresses have in common.
    pub shape: String,
    /// Most of its links stand inside the records of a list: they are said of those records.
    pub in_records: bool,
}

impl LinkGroup {
    /// Whether the group holds facet values.
    #[must_use]
    pub fn is_facet(&self) -> bool {
        self.facet_score >= FACET_SCORE
    }
}

/// Where the name of a group was found, the most trustworthy first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttributeSource {
    /// A heading, legend, caption, summary, `dt` or `th` above the group.
    Heading,
    /// Other text right before the group.
    TextBefore,
    /// The `aria-label` or `aria-labelledby` of an element around the group.
    Aria,
    /// The parameter or path segment that the links change.
    UrlKey,
    /// Nothing names it.
    None,
}

/// One link of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FacetLink {
    /// The text of the link without the count.
    pub value: String,
    /// Where it leads.
    pub href: String,
    /// The count shown beside it.
    pub count: Option<u64>,
    /// Whether it is shown as chosen.
    pub selected: bool,
    /// Whether it leads to more values of the same group: "more…", "show all", "…".
    pub more: bool,
}

/// What a paging link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PagingRole {
    /// To the next page.
    Next,
    /// To the previous page.
    Prev,
    /// To a page by its number, the first or the last.
    Page,
}

impl PagingRole {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Prev => "prev",
            Self::Page => "page",
        }
    }
}

/// A way to another page of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PagingLink {
    /// Where it leads.
    pub href: String,
    /// The address as the page has it.
    pub written: String,
    /// What it does.
    pub role: PagingRole,
    /// The number of the page, where the link shows one.
    pub number: Option<u32>,
}

/// A link with the text that says what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelledLink {
    /// What it says.
    pub label: String,
    /// Where it leads.
    pub href: String,
}

/// A page-size switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SizeLink {
    /// What it says.
    pub label: String,
    /// Where it leads.
    pub href: String,
    /// The records on a page; `None` for "all".
    pub size: Option<u32>,
}

/// A form that searches or narrows the list, with what can be chosen in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormFacets {
    /// The n-th form of the page, from 0.
    pub form: usize,
    /// What the form is for.
    pub kind: crate::forms::FormKind,
    /// Whether it may be sent without fear of changing anything.
    pub safe: bool,
    /// How it is sent.
    #[serde(skip)]
    pub submission: Submission,
    /// Selects, groups of radio buttons and groups of boxes, one for each name.
    pub controls: Vec<FacetControl>,
    /// Submit buttons that lead to other pages of the list.
    pub paging_buttons: Vec<PagingButton>,
}

/// Something to choose in a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FacetControl {
    /// The name that it is sent under.
    pub name: String,
    /// What the page calls it.
    pub label: Option<String>,
    /// What kind of control it is.
    pub kind: FacetControlKind,
    /// What it is about.
    pub meaning: ControlMeaning,
    /// What can be chosen; "any" is left out.
    pub options: Vec<FacetOption>,
    /// What is sent for "any".
    pub any: Option<String>,
}

impl FacetControl {
    /// Whether it is worth asking what its options return. A control without a name from which nothing can be taken away may be
    /// the operator or the column of a filter, or a box for each record.
    #[must_use]
    pub fn may_narrow(&self) -> bool {
        self.label.is_some() || self.any.is_some()
    }
}

/// Kinds of controls that offer values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FacetControlKind {
    /// `select`
    Select,
    /// Radio buttons of one name.
    Radio,
    /// Boxes of one name.
    Checkbox,
}

/// What a control of a form changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ControlMeaning {
    /// Which entities are shown.
    Facet,
    /// Their order.
    Sort,
    /// How many at a time.
    Size,
    /// Which page.
    Page,
    /// How something typed is compared: column, field, operator.
    Operator,
}

/// One value on offer in a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FacetOption {
    /// What is sent.
    pub value: String,
    /// What the visitor sees, without the count.
    pub label: String,
    /// The count shown beside it.
    pub count: Option<u64>,
    /// Whether it is chosen now.
    pub selected: bool,
}

/// A submit button that leads to another page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PagingButton {
    /// The name that it is sent under.
    pub name: String,
    /// What it sends.
    pub value: String,
    /// What it does.
    pub role: PagingRole,
    /// The number of the page, where the button shows one.
    pub number: Option<u32>,
}

/// Whether an address looks as if following it does something: carts, log-ins, deletions.
#[must_use]
pub fn names_action(address: &str) -> bool {
    words::has(address, words::FUNCTIONS)
}

/// Tells the links of a page apart. `address` is where the page came from.
#[must_use]
pub fn read_links(document: &Document, address: &Url) -> LinkMap {
    read_links_knowing(document, address, &KnownEntities::default())
}

/// The same with what other pages of the site have taught: also lists of one record are found.
#[must_use]
pub fn read_links_knowing(document: &Document, address: &Url, known: &KnownEntities) -> LinkMap {
    read_index_links(&PageIndex::new(document), address, known)
}

/// The same of a page that has its index.
pub(crate) fn read_index_links(
    index: &PageIndex<'_>,
    address: &Url,
    known: &KnownEntities,
) -> LinkMap {
    read_links_in(index, address, find_alone(index, &entity::records_config()), known)
}

/// The same of a page whose regions are known.
fn read_links_in(
    index: &PageIndex<'_>,
    address: &Url,
    regions: Vec<Region>,
    known: &KnownEntities,
) -> LinkMap {
    let document = index.document;
    let mut anchors = Anchors::of(index, address);
    let mut map = LinkMap { signature: signature(index), ..LinkMap::default() };
    let said = total::read(document);
    (map.total, map.shown) = (said.total, said.shown);
    let mut found = entity::find(&anchors, regions, &said, known);
    map.entity_looks = std::mem::take(&mut found.looks);
    map.regions = std::mem::take(&mut found.regions);
    paging::take(&mut anchors, &found, &mut map);
    switch::take(&mut anchors, &found, &mut map);
    entity::take(&mut anchors, &found, &mut map);
    group::take(&mut anchors, &found, &mut map);
    map.forms = control::read(document, address);
    // Numbers that fit what the page shows say more than a number before a word.
    if map.shown.is_none() {
        let shown = map.entities.len();
        let is_in_record = |node| found.in_records(document, node);
        let by_count = total::read_by_count(document, shown, is_in_record);
        let fitting = by_count.or_else(|| total::read_by_pages(document, &map.pagination, shown));
        map.total = fitting.or(map.total);
    }
    // Behind a page that shows as many come further ones: the number is that of a page's entities.
    let leads_on = map.pagination.iter().any(|link| link.role == PagingRole::Next);
    let shown = map.entities.len() as u64;
    if leads_on && map.shown.is_none() && map.total.is_some_and(|total| total <= shown) {
        map.total = None;
    }
    map
}

/// Reads the pages of one site: each alone, then those whose entity links do not look like those of the others once more
/// with what all have taught.
#[must_use]
pub fn read_site_links(pages: &[(&Document, &Url)]) -> Vec<LinkMap> {
    learn_site_links(pages).0
}

/// The same, with what was learned of the site's entity links.
#[must_use]
pub fn learn_site_links(pages: &[(&Document, &Url)]) -> (Vec<LinkMap>, KnownEntities) {
    let mut maps: Vec<LinkMap> =
        pages.par_iter().map(|(document, address)| read_links(document, address)).collect();
    let mut known = KnownEntities::new();
    for ((_, address), map) in pages.iter().zip(&maps) {
        known.learn(address, map);
    }
    if !known.is_empty() {
        maps.par_iter_mut().zip(pages).for_each(|(map, (document, address))| {
            if !known.agrees(map) {
                *map = read_links_knowing(document, address, &known);
            }
        });
    }
    (maps, known)
}
