//! Generated web sites with known truth.
//!
//! A [`SiteSpec`] says what the site is about, how its pages are marked up, and what goes wrong; a
//! [`Site`] is made from it, the same bytes every time. [`Site::respond`] answers requests without a
//! socket; [`Server`] puts a site on loopback; [`Site::truth`] says what a harvest should find.
//!
//! ```
//! use quarry_testsite::{Site, SiteRequest, SiteSpec};
//! let site = Site::generate(SiteSpec::preset("shop").unwrap());
//! let list = site.respond(&SiteRequest::get(site.root()));
//! assert!(list.text().contains("Showing 1 to 20"));
//! assert_eq!(site.truth().count(), site.spec().entities);
//! ```

mod catalogue;
mod family;
mod faults;
mod format;
mod page_set;
mod pattern;
mod presets;
mod prng;
mod server;
mod site;
mod spec;
mod text;
mod theme;
mod vertical;
mod view;
mod warc;
mod web;
mod write;

pub use catalogue::{
    Attribute, Catalogue, CatalogueAttributeId, CatalogueColumn, CatalogueEntityId, FacetPredicate,
    Word,
};
pub use family::{FamilySpec, SiteFamily};
pub use faults::{Fault, FaultRule, Faults};
pub use format::{
    AddressFormat, DateFormat, PeopleFormat, PhoneFormat, PriceFormat, SiteValue, TitleFormat,
    Unit, Units, ValueFormat,
};
pub use page_set::{PageSet, SetEntity, SetPage};
pub use pattern::{
    PatternContext, PatternCost, PatternEntry, PatternFacets, PatternFilter, PatternOrder,
    PatternPager, PatternSitemap, PatternSpec, PatternWords,
};
pub use presets::Preset;
pub use server::{LogLine, Server, WebServer};
pub use site::{
    AttributeTruth, LeastRequests, PageTruth, Site, SiteChange, SiteRequest, SiteResponse,
    SlotTruth, TemplateTruth, TruthLine, Values,
};
pub use spec::{
    Changes, Detail, FacetStyle, Facets, Hidden, Layout, Listing, Markup, OneMatch, Paging,
    PagingStyle, Pictures, Protocol, Robots, Scripts, Search, SearchForm, Shop, SiteSpec, Sitemap,
    SpecError, SpecStyle, Traps, UrlStyle,
};
pub use theme::Theme;
pub use vertical::{Category, Vertical};
pub use view::PageClass;
pub use web::{TestWeb, WebKind, WebProduct, WebSearch, WebSite, WebSpec, WebTruth};
