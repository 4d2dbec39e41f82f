//! Which pages are targets, which are indexes? Decided by what leads where over a sample of the site's
//! pages (`links::page_kinds`), and by the template of the targets.

use quarry_extract::links::{PageKind, SeenPage, page_kinds};
use url::Url;

use super::desk::Page;
use super::sight::Sight;

/// Pages that are kept to judge others by. The kinds of pages of a site are few.
const SAMPLES: usize = 96;
/// Pages of one collection among them.
const OF_ONE: usize = 12;
/// Pages that have this share of what they are made of in common come from one template.
const ONE_TEMPLATE: f64 = 0.6;

/// A page that is kept.
#[derive(Debug)]
struct Sample {
    url: Url,
    /// As it was asked.
    asked: String,
    page: Page,
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
    pub(super) fn keep(&mut self, asked: &str, page: &Page, via: Option<usize>) {
        let of_one = self.pages.iter().filter(|kept| kept.via == via).count();
        if self.pages.len() < SAMPLES
            && of_one < OF_ONE
            && let Ok(url) = Url::parse(&page.address)
            && !self.pages.iter().any(|known| known.url == url)
        {
            let (asked, page) = (asked.to_owned(), page.clone());
            self.pages.push(Sample { url, asked, page, via });
        }
    }

    /// What kept pages are, now that more is known: address as asked, collection, page, kind.
    pub(super) fn again(&self) -> Vec<(String, usize, Page, PageKind)> {
        let pages: Vec<&Page> = self.pages.iter().map(|sample| &sample.page).collect();
        let kinds = self.kinds(&pages);
        let again = self.pages.iter().zip(kinds).filter_map(|(sample, kind)| {
            Some((sample.asked.clone(), sample.via?, sample.page.clone(), kind))
        });
        again.collect()
    }

    /// The kinds of some pages, given all samples.
    pub(super) fn kinds(&self, pages: &[&Page]) -> Vec<PageKind> {
        let urls: Vec<Option<Url>> =
            pages.iter().map(|page| Url::parse(&page.address).ok()).collect();
        let fresh = pages
            .iter()
            .zip(&urls)
            .map(|(page, url)| SeenPage { address: url.as_ref(), map: &page.sight.map });
        let kept = self
            .pages
            .iter()
            .filter(|kept| !urls.iter().any(|own| own.as_ref() == Some(&kept.url)))
            .map(|kept| SeenPage { address: Some(&kept.url), map: &kept.page.sight.map });
        let all: Vec<SeenPage<'_>> = fresh.chain(kept).collect();
        let mut kinds = page_kinds(&all);
        kinds.truncate(pages.len());
        kinds
    }
}

/// What the target pages of a site are made of.
#[derive(Debug, Clone)]
pub(super) struct Template {
    /// Some of them shows a price.
    pub(super) sells: bool,
    /// What stands on them and not on the home page: the site's frame says nothing of the page.
    own: Vec<u64>,
}

impl Template {
    /// `home` is the signature of the home page, in order.
    pub(super) fn of(sight: &Sight, home: &[u64]) -> Self {
        let own = sight.map.signature.iter().filter(|item| home.binary_search(item).is_err());
        Self { sells: sight.sells, own: own.copied().collect() }
    }

    /// Whether a page was made by it.
    pub(super) fn made(&self, other: &Self) -> bool {
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
        one.is_empty() == two.is_empty() && f64::from(common) >= ONE_TEMPLATE * sizes
    }
}
