//! Pattern sites: small sites of plain mark-up, each with one way of linking that crawlers get wrong (orders, default
//! filters, addresses that carry the list, function pages, pagers of icons …), with known truth.
//!
//! With [`PatternWords::MadeUp`] every label, parameter and class is a made-up word: only what links return says what they are
//! for.

mod items;
mod pages;
mod respond;
mod words;

use serde::{Deserialize, Serialize};

use crate::format::choices;
pub(crate) use items::Pattern;

/// How a pattern site links its pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PatternSpec {
    /// Words of the site.
    pub words: PatternWords,
    /// Where the visitor arrives.
    pub entry: PatternEntry,
    /// What narrows the list.
    pub facets: PatternFacets,
    /// How the list is put in another order.
    pub order: PatternOrder,
    /// Links that group the list: all entities, in another order.
    pub grouping: bool,
    /// Whether the list leaves out closed entities by default, and how these are asked for.
    pub filter: PatternFilter,
    /// What entity addresses carry of the list that shows them.
    pub context: PatternContext,
    /// A second kind of entities, with a list of its own.
    pub second_kind: bool,
    /// Links in each record and on each entity's page to its edit form, history, print view and log-in.
    pub functions: bool,
    /// How one gets to the next page.
    pub pager: PatternPager,
    /// What the sitemap names.
    pub sitemap: PatternSitemap,
}

choices! {
    /// Words of a pattern site.
    PatternWords {
        /// English.
        Plain,
        /// Made-up labels, parameters and classes.
        MadeUp,
    }
}

choices! {
    /// Where a visitor of a pattern site arrives.
    PatternEntry {
        /// At the list.
        List,
        /// At an address that redirects to the list.
        Redirect,
        /// At a front page with some entities and a link to the list.
        Front,
        /// At a page of text with a link to the list.
        OneClickAway,
        /// At an address that redirects to the list of one value.
        Part,
        /// At a page that lists groups of entities, each with several lines about it; there is no list of all.
        ListOfLists,
    }
}

choices! {
    /// What narrows the list of a pattern site.
    PatternFacets {
        /// Links beside the list.
        Links,
        /// Selects of a form.
        Form,
        /// Boxes of a form, each set behind a plain text. Entities' own pages do not say what is ticked.
        Boxes,
        /// A menu beside every page without counts, which leads to lists of one value; further links are among it. Entities' own
        /// pages do not say which.
        Menu,
        /// Tags in the footer of every page, without counts.
        Footer,
        /// Links in each record to the lists of its values. Each entity's own page lists replies of people, as in a forum.
        Records,
        /// Nothing.
        None,
    }
}

choices! {
    /// How the list of a pattern site is put in another order.
    PatternOrder {
        /// Not at all.
        None,
        /// Links above the list.
        Links,
        /// A select.
        Select,
        /// Links in the header of a table.
        Headers,
    }
}

choices! {
    /// How the list of a pattern site leaves out closed entities by default.
    PatternFilter {
        /// Not at all.
        None,
        /// Until a link that asks for all is followed, which is also a facet.
        Link,
        /// Until a list with parameters is asked for; all its own links ask for open entities.
        Views,
        /// Always, unless a status is asked for; all its own links ask for open entities, those of another page for closed ones.
        Elsewhere,
    }
}

choices! {
    /// What entity addresses carry of the list.
    PatternContext {
        /// Nothing.
        None,
        /// A parameter with the query of the list.
        Parameter,
        /// A folder for each facet value.
        Path,
        /// Nothing; a year and a month stand before the entity's own part.
        Date,
    }
}

choices! {
    /// How one gets to the next page of a pattern site.
    PatternPager {
        /// Numbers and "next".
        Numbered,
        /// The same beside links to other page sizes, each a number of items; nothing else says how many there are.
        Sizes,
        /// Two icons without text.
        Icons,
        /// A page a year, with links to the years.
        Years,
        /// Buttons without addresses, which only a script understands.
        NoAddresses,
    }
}

choices! {
    /// What the sitemap of a pattern site names.
    PatternSitemap {
        /// There is none.
        None,
        /// All entities.
        All,
        /// All entities, and a tenth more that no list shows.
        More,
    }
}

/// What a complete crawl of a pattern site takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PatternCost {
    /// Pages of the lists of all entities.
    pub list_pages: usize,
    /// Entities, whose own pages say more than lists do.
    pub details: usize,
    /// Pages of the results of all facet values.
    pub facet_pages: usize,
}

impl PatternCost {
    /// Requests that a careful crawl may take: 60 to look around, and a tenth more for facets.
    #[must_use]
    pub fn most_requests(&self) -> usize {
        60 + self.list_pages + self.details + self.facet_pages * 11 / 10
    }

    /// The least number of requests.
    #[must_use]
    pub fn least(&self) -> usize {
        self.list_pages + self.details + self.facet_pages
    }
}
