//! Presets: named specifications, each with the trap that it is for. D1 to D6
//! are shaped after Table 2 of the query-centric crawling paper, smaller by default.

use crate::faults::{Fault, FaultRule, Faults};
use crate::pattern::{
    PatternContext, PatternEntry, PatternFacets, PatternFilter, PatternOrder, PatternPager,
    PatternSitemap, PatternSpec, PatternWords,
};
use crate::spec::{
    Changes, Detail, FacetStyle, Facets, Hidden, Layout, Listing, Markup, OneMatch, Paging,
    PagingStyle, Protocol, Search, SearchForm, Shop, SiteSpec, Sitemap, SpecError, SpecStyle,
    Traps, UrlStyle,
};
use crate::theme::Theme;
use crate::vertical::Vertical;

/// A named specification.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    make: fn() -> SiteSpec,
}

const PRESETS: &[Preset] = &[
    preset(
        "shop",
        "the demonstration: hidden attributes, promotions, paging, specifications",
        shop,
    ),
    preset("d1-homes", "32 homes, every facet hidden from the pages", d1),
    preset("d2-recipes", "readable, order-dependent paths; several values per attribute", d2),
    preset("d3-restaurants", "everything also on the entity page", d3),
    preset("d4-shoes", "encoded addresses, sorts, promotions, changes while crawled", d4),
    preset("d5-electronics", "hundreds of values, category tree, dependent facets, more links", d5),
    preset("d6-phones", "promotions in every list, results capped", d6),
    preset("f1-get-form", "facets in a GET form", f1),
    preset("f2-post-form", "facets in a POST form, paging by submit buttons", f2),
    preset("k-keyword", "nothing to browse: every list needs a keyword", k),
    preset("h-tree", "three levels of categories, one at a time", h),
    preset(
        "whole-shop",
        "departments, categories, products, and a journal beside them",
        whole_shop,
    ),
    preset("search", "search with many, one and no match and an error page of their own", search),
    preset("search-post", "the same by POST, one match redirects", search_post),
    preset("books", "definition lists, JSON-LD, keyset paging, page sizes", books),
    preset(
        "records",
        "records with optional, alternative, decorated, constant, joined parts",
        records,
    ),
    preset("traps", "calendar, endless comparisons, session ids, exports, spirals, carts", traps),
    preset("faulty", "one address in five fails in some way", faulty),
    preset("changing", "something changes every 20 requests", changing),
    preset("flat", "20,000 small pages with 20 links each, to measure crawlers", flat),
    preset("p-orders-links", "orders and groupings as links beside facets", || {
        pattern(PatternSpec { order: PatternOrder::Links, grouping: true, ..LINKS })
    }),
    preset("p-orders-select", "orders in a select, facets in a form", || {
        pattern(PatternSpec { order: PatternOrder::Select, facets: PatternFacets::Form, ..LINKS })
    }),
    preset("p-boxes", "sets of boxes behind a plain text narrow the list", || {
        pattern(PatternSpec { order: PatternOrder::Select, facets: PatternFacets::Boxes, ..LINKS })
    }),
    preset("p-menu", "a menu of values, the list of all and other pages", || {
        let (entry, facets) = (PatternEntry::Front, PatternFacets::Menu);
        pattern(PatternSpec { entry, facets, order: PatternOrder::Headers, ..LINKS })
    }),
    preset("p-orders-headers", "orders in the header of a table", || {
        pattern(PatternSpec { order: PatternOrder::Headers, ..LINKS })
    }),
    preset("p-default-filter", "closed entities are left out unless asked for", || {
        pattern(PatternSpec { filter: PatternFilter::Link, ..LINKS })
    }),
    preset("p-filter-in-views", "closed entities are left out, and every order keeps that", || {
        let (filter, facets) = (PatternFilter::Views, PatternFacets::None);
        pattern(PatternSpec { filter, facets, order: PatternOrder::Headers, ..LINKS })
    }),
    preset(
        "p-filter-elsewhere",
        "closed entities are left out, and another page asks for some of them",
        || {
            let (filter, facets) = (PatternFilter::Elsewhere, PatternFacets::None);
            pattern(PatternSpec { filter, facets, order: PatternOrder::Headers, ..LINKS })
        },
    ),
    preset("p-sizes", "page sizes that read like totals", || {
        let (facets, pager) = (PatternFacets::None, PatternPager::Sizes);
        pattern(PatternSpec { facets, pager, ..LINKS })
    }),
    preset("p-context-parameter", "addresses of entities carry the list as a parameter", || {
        pattern(PatternSpec { context: PatternContext::Parameter, ..LINKS })
    }),
    preset(
        "p-context-path",
        "addresses of entities carry the value of the list as a folder",
        || pattern(PatternSpec { context: PatternContext::Path, ..LINKS }),
    ),
    preset("p-kinds", "two kinds of entities, each with its list", || {
        pattern(PatternSpec { second_kind: true, entry: PatternEntry::Front, ..LINKS })
    }),
    preset("p-list-of-lists", "a rich list of lists, and no list of all", || {
        pattern(PatternSpec { entry: PatternEntry::ListOfLists, ..LINKS })
    }),
    preset("p-threads", "a forum: records link to their values, own pages list replies", || {
        let (facets, pager) = (PatternFacets::Records, PatternPager::Icons);
        pattern(PatternSpec { facets, pager, ..LINKS })
    }),
    preset(
        "p-threads-part",
        "the same from the list of one value, to which its records link back",
        || {
            let (entry, facets) = (PatternEntry::Part, PatternFacets::Records);
            pattern(PatternSpec { entry, facets, pager: PatternPager::Icons, ..LINKS })
        },
    ),
    preset("p-functions", "edit forms, histories, print views and log-ins of every entity", || {
        pattern(PatternSpec { functions: true, ..LINKS })
    }),
    preset("p-functions-plain", "the same, and nothing narrows the list", || {
        pattern(PatternSpec { functions: true, facets: PatternFacets::None, ..LINKS })
    }),
    preset("p-redirect", "the seed redirects to the list", || {
        pattern(PatternSpec { entry: PatternEntry::Redirect, ..LINKS })
    }),
    preset("p-one-click", "the list, narrowed by a form, is one click away", || {
        let (entry, facets) = (PatternEntry::OneClickAway, PatternFacets::Form);
        pattern(PatternSpec { entry, facets, ..LINKS })
    }),
    preset("p-blog", "tags in the footer, a page a year", || {
        let (facets, pager) = (PatternFacets::Footer, PatternPager::Years);
        pattern(PatternSpec { facets, pager, ..LINKS })
    }),
    preset(
        "p-dated",
        "addresses begin with year and month, a page shows those of one year",
        || {
            let (facets, context) = (PatternFacets::Footer, PatternContext::Date);
            pattern(PatternSpec { facets, context, ..LINKS })
        },
    ),
    preset("p-icons", "a pager of two icons, tags in the footer", || {
        let (facets, pager) = (PatternFacets::Footer, PatternPager::Icons);
        pattern(PatternSpec { facets, pager, ..LINKS })
    }),
    preset("p-no-addresses", "a pager that only a script understands, beside a sitemap", || {
        let (facets, pager) = (PatternFacets::None, PatternPager::NoAddresses);
        pattern(PatternSpec { facets, pager, sitemap: PatternSitemap::All, ..LINKS })
    }),
    preset("p-sitemap-more", "the sitemap names entities that no list shows", || {
        pattern(PatternSpec { sitemap: PatternSitemap::More, ..LINKS })
    }),
];

/// A list with facets as links, which the patterns change in one way each.
const LINKS: PatternSpec = PatternSpec {
    words: PatternWords::Plain,
    entry: PatternEntry::List,
    facets: PatternFacets::Links,
    order: PatternOrder::None,
    grouping: false,
    filter: PatternFilter::None,
    context: PatternContext::None,
    second_kind: false,
    functions: false,
    pager: PatternPager::Numbered,
    sitemap: PatternSitemap::None,
};

fn pattern(spec: PatternSpec) -> SiteSpec {
    SiteSpec { seed: 120, entities: 150, layout: Layout::Pattern(spec), ..SiteSpec::default() }
}

const fn preset(name: &'static str, purpose: &'static str, make: fn() -> SiteSpec) -> Preset {
    Preset { name, purpose, make }
}

impl Preset {
    /// The specification.
    #[must_use]
    pub fn spec(&self) -> SiteSpec {
        (self.make)()
    }
}

impl SiteSpec {
    /// All presets.
    #[must_use]
    pub fn presets() -> &'static [Preset] {
        PRESETS
    }

    /// The preset of a name.
    ///
    /// # Errors
    /// When there is none.
    pub fn preset(name: &str) -> Result<Self, SpecError> {
        let found = PRESETS.iter().find(|p| p.name == name);
        let found = found.ok_or_else(|| SpecError::UnknownPreset { name: name.to_owned() })?;
        Ok(found.spec())
    }
}

fn shop() -> SiteSpec {
    SiteSpec {
        seed: 7,
        entities: 240,
        listing: Listing {
            promotions: 3,
            advertisements: 1,
            disjunctive: true,
            ..Listing::default()
        },
        ..SiteSpec::default()
    }
}

fn d1() -> SiteSpec {
    SiteSpec {
        seed: 101,
        vertical: Vertical::Homes,
        entities: 32,
        theme: Theme::Semantic,
        specs: SpecStyle::Definitions,
        paging: Paging { size: 8, ..Paging::default() },
        detail: Detail { hidden: Hidden::All, related: 2 },
        ..SiteSpec::default()
    }
}

fn d2() -> SiteSpec {
    SiteSpec {
        seed: 102,
        vertical: Vertical::Recipes,
        entities: 2000,
        theme: Theme::Utility,
        specs: SpecStyle::Items,
        urls: UrlStyle::Path,
        paging: Paging { size: 25, ..Paging::default() },
        ..SiteSpec::default()
    }
}

fn d3() -> SiteSpec {
    SiteSpec {
        seed: 103,
        vertical: Vertical::Restaurants,
        entities: 560,
        theme: Theme::Classic,
        specs: SpecStyle::PlainTable,
        detail: Detail { hidden: Hidden::None, related: 4 },
        ..SiteSpec::default()
    }
}

fn d4() -> SiteSpec {
    SiteSpec {
        seed: 104,
        vertical: Vertical::Shoes,
        entities: 2000,
        urls: UrlStyle::Opaque,
        paging: Paging { size: 24, sizes: vec![24, 48, 96], ..Paging::default() },
        listing: Listing {
            promotions: 4,
            advertisements: 1,
            disjunctive: true,
            ..Listing::default()
        },
        changes: Changes { every: 50, most: 200, ..Changes::default() },
        ..SiteSpec::default()
    }
}

fn d5() -> SiteSpec {
    SiteSpec {
        seed: 105,
        vertical: Vertical::Electronics,
        entities: 5000,
        theme: Theme::Utility,
        specs: SpecStyle::Sections,
        facets: Facets { max_values: 12, dependent: true, tree: true, ..Facets::default() },
        paging: Paging { size: 30, sizes: vec![30, 60], ..Paging::default() },
        listing: Listing { promotions: 2, ..Listing::default() },
        ..SiteSpec::default()
    }
}

fn d6() -> SiteSpec {
    SiteSpec {
        seed: 106,
        vertical: Vertical::Phones,
        entities: 3000,
        specs: SpecStyle::ThreeColumns,
        urls: UrlStyle::Query,
        paging: Paging { size: 40, cap: 10, ..Paging::default() },
        listing: Listing { promotions: 6, advertisements: 2, ..Listing::default() },
        ..SiteSpec::default()
    }
}

fn f1() -> SiteSpec {
    SiteSpec {
        seed: 107,
        vertical: Vertical::Books,
        entities: 300,
        theme: Theme::Definitions,
        facets: Facets { style: FacetStyle::GetForm, ..Facets::default() },
        ..SiteSpec::default()
    }
}

fn f2() -> SiteSpec {
    SiteSpec {
        seed: 108,
        vertical: Vertical::Homes,
        entities: 300,
        theme: Theme::Classic,
        facets: Facets { style: FacetStyle::PostForm, ..Facets::default() },
        ..SiteSpec::default()
    }
}

fn k() -> SiteSpec {
    SiteSpec {
        seed: 109,
        vertical: Vertical::Recipes,
        entities: 400,
        theme: Theme::Loose,
        search: Search { required: true, one_match: OneMatch::List, ..Search::default() },
        protocol: Protocol { sitemap: Sitemap::None, ..Protocol::default() },
        ..SiteSpec::default()
    }
}

fn h() -> SiteSpec {
    SiteSpec {
        seed: 110,
        vertical: Vertical::Electronics,
        entities: 600,
        theme: Theme::Semantic,
        urls: UrlStyle::Path,
        facets: Facets {
            tree: true,
            only: ["Department", "Type", "Line", "Color"].map(str::to_owned).to_vec(),
            ..Facets::default()
        },
        ..SiteSpec::default()
    }
}

fn whole_shop() -> SiteSpec {
    SiteSpec {
        seed: 119,
        shop: Shop { hubs: true, articles: 30 },
        urls: UrlStyle::Query,
        theme: Theme::Cards,
        facets: Facets {
            only: ["Department", "Type", "Line", "Brand", "Color"].map(str::to_owned).to_vec(),
            ..Facets::default()
        },
        ..h()
    }
}

fn search() -> SiteSpec {
    SiteSpec {
        seed: 111,
        vertical: Vertical::Books,
        entities: 400,
        theme: Theme::Definitions,
        facets: Facets { style: FacetStyle::None, ..Facets::default() },
        search: Search { one_match: OneMatch::Page, ..Search::default() },
        listing: Listing { decorated: true, advertisements: 2, ..Listing::default() },
        ..SiteSpec::default()
    }
}

fn search_post() -> SiteSpec {
    SiteSpec {
        seed: 112,
        vertical: Vertical::Electronics,
        theme: Theme::Utility,
        search: Search { form: SearchForm::Post, field: "query".to_owned(), ..Search::default() },
        ..search()
    }
}

fn books() -> SiteSpec {
    SiteSpec {
        seed: 113,
        vertical: Vertical::Books,
        entities: 500,
        theme: Theme::Definitions,
        specs: SpecStyle::Divs,
        markup: Markup { json_ld: true, microdata: true, ..Markup::default() },
        paging: Paging {
            style: PagingStyle::Keyset,
            size: 20,
            sizes: vec![20, 50],
            ..Paging::default()
        },
        ..SiteSpec::default()
    }
}

fn records() -> SiteSpec {
    SiteSpec {
        seed: 114,
        vertical: Vertical::Phones,
        entities: 300,
        theme: Theme::Utility,
        listing: Listing {
            optional: true,
            disjunctive: true,
            decorated: true,
            constant: true,
            joined: true,
            false_records: 0.05,
            ..Listing::default()
        },
        ..SiteSpec::default()
    }
}

fn traps() -> SiteSpec {
    SiteSpec {
        seed: 115,
        entities: 120,
        traps: Traps {
            actions: true,
            forms: true,
            calendar: true,
            compare: true,
            sessions: true,
            exports: true,
            spiral: true,
        },
        paging: Paging { endless: true, ..Paging::default() },
        ..SiteSpec::default()
    }
}

fn faulty() -> SiteSpec {
    let rule = |fault| FaultRule { path: "/shoe/*".to_owned(), rate: 0.02, times: 0, fault };
    let passing = |fault| FaultRule { times: 1, ..rule(fault) };
    SiteSpec {
        seed: 116,
        entities: 500,
        faults: Faults {
            rules: vec![
                passing(Fault::ServerError { status: 503 }),
                passing(Fault::TooManyRequests { retry_after: 1 }),
                passing(Fault::ResetBeforeHead),
                rule(Fault::ResetMidBody),
                rule(Fault::Forbidden),
                rule(Fault::Soft404),
                rule(Fault::RedirectLoop),
                rule(Fault::WrongCharset),
                rule(Fault::GzipBomb { mib: 64 }),
                rule(Fault::LengthTooLong),
            ],
        },
        ..SiteSpec::default()
    }
}

fn changing() -> SiteSpec {
    SiteSpec {
        seed: 117,
        entities: 400,
        changes: Changes { every: 20, most: 60, ..Changes::default() },
        ..SiteSpec::default()
    }
}

fn flat() -> SiteSpec {
    SiteSpec {
        seed: 118,
        entities: 20_000,
        layout: Layout::Flat { links: 20, bytes: 2048 },
        ..SiteSpec::default()
    }
}
