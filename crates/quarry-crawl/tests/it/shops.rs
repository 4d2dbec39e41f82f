//! Generated shops, and how well a crawl has found their products.

use std::collections::BTreeSet;

use quarry_testsite::{PageClass, Site, SiteSpec, Theme, TruthLine, UrlStyle, Vertical};

use crate::generated::{Crawl, ROOT};

pub(crate) const VERTICALS: [Vertical; 7] = [
    Vertical::Shoes,
    Vertical::Electronics,
    Vertical::Phones,
    Vertical::Recipes,
    Vertical::Restaurants,
    Vertical::Homes,
    Vertical::Books,
];

/// Entity pages that came, entity pages that there are, pages in all.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) found: usize,
    pub(crate) there: usize,
    pub(crate) pages: usize,
    pub(crate) requests: usize,
}

impl Outcome {
    pub(crate) fn recall(&self) -> f64 {
        self.found as f64 / self.there.max(1) as f64
    }

    pub(crate) fn precision(&self) -> f64 {
        self.found as f64 / self.pages.max(1) as f64
    }
}

impl std::ops::AddAssign for Outcome {
    fn add_assign(&mut self, other: Self) {
        self.found += other.found;
        self.there += other.there;
        self.pages += other.pages;
        self.requests += other.requests;
    }
}

/// What a crawl has brought.
pub(crate) fn outcome(site: &Site, crawl: &Crawl<'_>) -> Outcome {
    outcome_in(site, crawl, None)
}

/// What a crawl has brought of the entities with one value of an attribute.
pub(crate) fn outcome_in(site: &Site, crawl: &Crawl<'_>, wanted: Option<(&str, &str)>) -> Outcome {
    let is_wanted = |truth: &TruthLine| {
        wanted.is_none_or(|(name, value)| {
            let values = truth.attributes.get(name);
            values.is_some_and(|values| values.texts().iter().any(|text| text == value))
        })
    };
    let there: BTreeSet<String> =
        site.truth().filter(is_wanted).map(|truth| format!("{ROOT}{}", truth.url)).collect();
    let found: BTreeSet<&String> = crawl
        .asked
        .iter()
        .filter(|(request, class)| *class == PageClass::Entity && there.contains(&request.url))
        .map(|(request, _)| &request.url)
        .collect();
    let pages = crawl.asked.iter().filter(|(_, class)| *class != PageClass::Asset).count();
    Outcome { found: found.len(), there: there.len(), pages, requests: crawl.asked.len() }
}

/// A shop with departments, categories and a journal.
pub(crate) fn whole_shop(theme: Theme, urls: UrlStyle, entities: usize) -> SiteSpec {
    SiteSpec { theme, urls, entities, ..SiteSpec::preset("whole-shop").unwrap() }
}

/// Categories of such a shop, each with the attribute that it is a value of and some words of it.
pub(crate) const CATEGORIES: [(&str, &str, &[&str]); 5] = [
    ("Type", "Cameras", &["mirrorless", "photography"]),
    ("Type", "Headphones", &["audio"]),
    ("Type", "Coffee machines", &[]),
    ("Department", "Computers", &["laptop", "tablet"]),
    ("Type", "Cables", &["accessories"]),
];
