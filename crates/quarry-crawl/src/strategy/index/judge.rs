//! Tells target pages from index pages by which pages link to which, over a sample of the site's pages
//! (`links::page_kinds`), and by the template of the targets.

use quarry_extract::links::{PageKind, SeenPage, page_kinds};
use url::Url;

use super::batch::FetchedPage;
use super::facts::IndexFacts;

/// Sampled pages that are kept: enough for every kind of page of a site.
const MAX_SAMPLES: usize = 96;
/// Sampled pages of one collection.
const MAX_OF_COLLECTION: usize = 12;
/// Least share of their signatures that pages of one template have in common.
const TEMPLATE_SIMILARITY: f64 = 0.6;

/// A page that is kept.
#[derive(Debug)]
struct Sample {
    url: Url,
    /// As it was asked.
    asked: String,
    page: FetchedPage,
    /// The collection that led to it.
    via: Option<usize>,
}

/// Pages to judge by.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pages: Vec<Sample>,
}

impl Samples {
    /// Keeps a page, if there is room.
    pub(super) fn keep(&mut self, asked: &str, page: &FetchedPage, via: Option<usize>) {
        let of_one = self.pages.iter().filter(|kept| kept.via == via).count();
        if self.pages.len() < MAX_SAMPLES
            && of_one < MAX_OF_COLLECTION
            && let Ok(url) = Url::parse(&page.address)
            && !self.pages.iter().any(|known| known.url == url)
        {
            let (asked, page) = (asked.to_owned(), page.clone());
            self.pages.push(Sample { url, asked, page, via });
        }
    }

    /// Kept pages with their kinds, now that more is known: requested address, collection, page, kind.
    pub(super) fn judged_again(&self) -> Vec<(String, usize, FetchedPage, PageKind)> {
        let pages: Vec<&FetchedPage> = self.pages.iter().map(|sample| &sample.page).collect();
        let kinds = self.kinds(&pages);
        let again = self.pages.iter().zip(kinds).filter_map(|(sample, kind)| {
            Some((sample.asked.clone(), sample.via?, sample.page.clone(), kind))
        });
        again.collect()
    }

    /// The kinds of some pages, given all samples.
    pub(super) fn kinds(&self, pages: &[&FetchedPage]) -> Vec<PageKind> {
        let urls: Vec<Option<Url>> =
            pages.iter().map(|page| Url::parse(&page.address).ok()).collect();
        let fresh = pages
            .iter()
            .zip(&urls)
            .map(|(page, url)| SeenPage { address: url.as_ref(), map: &page.facts.map });
        let kept = self
            .pages
            .iter()
            .filter(|kept| !urls.iter().any(|own| own.as_ref() == Some(&kept.url)))
            .map(|kept| SeenPage { address: Some(&kept.url), map: &kept.page.facts.map });
        let all: Vec<SeenPage<'_>> = fresh.chain(kept).collect();
        let mut kinds = page_kinds(&all);
        kinds.truncate(pages.len());
        kinds
    }
}

/// The template of target pages.
#[derive(Debug, Clone)]
pub(super) struct Template {
    /// Some page shows a price.
    pub(super) has_price: bool,
    /// Signature items that the home page lacks: the site's frame is on every page.
    own: Vec<u64>,
}

impl Template {
    /// `home` is the signature of the home page, in order.
    pub(super) fn of(facts: &IndexFacts, home: &[u64]) -> Self {
        let own = facts.map.signature.iter().filter(|item| home.binary_search(item).is_err());
        Self { has_price: facts.has_price, own: own.copied().collect() }
    }

    /// Whether two pages have one template.
    pub(super) fn is_similar(&self, other: &Self) -> bool {
        let (one, two) = (&self.own, &other.own);
        let (mut at, mut common) = (0, 0);
        for item in one {
            while two.get(at).is_some_and(|other| other < item) {
                at += 1;
            }
            if two.get(at) == Some(item) {
                common += 1;
            }
        }
        let sizes = (one.len() as f64 * two.len() as f64).sqrt();
        one.is_empty() == two.is_empty() && f64::from(common) >= TEMPLATE_SIMILARITY * sizes
    }
}
