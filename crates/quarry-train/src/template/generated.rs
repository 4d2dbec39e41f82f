//! More samples of template texts. Generated sites: their records are known to the letter, labels
//! and marks apart from values. Labelled pages of real sites say little about them, since people
//! copy `by Ann` as it stands.

use quarry_testsite::{Listing, Paging, Site, SiteRequest, SiteSpec, Theme, Traps, Vertical};

/// A page of a generated site, and the texts of its records.
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) html: String,
    pub(crate) records: Vec<Vec<String>>,
}

/// Records of a site.
const ENTITIES: usize = 90;
const PAGE_SIZE: usize = 30;
const SEED: u64 = 7_100;

const THEMES: [Theme; 6] = [
    Theme::Cards,
    Theme::Classic,
    Theme::Semantic,
    Theme::Utility,
    Theme::Definitions,
    Theme::Loose,
];

/// The pages of each site: every theme and kind of data, with parts that vary in turn.
pub(crate) fn sites(verticals: &[Vertical]) -> Vec<Vec<Page>> {
    let mut sites = Vec::new();
    for (number, &vertical) in verticals.iter().enumerate() {
        for (place, theme) in THEMES.into_iter().enumerate() {
            for joined in [false, true] {
                let turn = number + place;
                let listing = Listing {
                    optional: turn.is_multiple_of(2),
                    disjunctive: (turn / 2).is_multiple_of(2),
                    decorated: (turn / 4).is_multiple_of(2),
                    constant: turn.is_multiple_of(3),
                    joined,
                    ..Listing::default()
                };
                let site = Site::generate(SiteSpec {
                    seed: SEED + sites.len() as u64,
                    entities: ENTITIES,
                    theme,
                    vertical,
                    listing,
                    paging: Paging { size: PAGE_SIZE, ..Paging::default() },
                    traps: Traps { actions: false, compare: false, ..Traps::default() },
                    ..SiteSpec::default()
                });
                sites.push(pages(&site));
            }
        }
    }
    sites
}

/// The pages of the list of everything.
fn pages(site: &Site) -> Vec<Page> {
    let mut pages = Vec::new();
    let mut next = Some(site.root().to_owned());
    while let Some(address) = next {
        let request = SiteRequest::get(&address);
        let html = site.respond(&request).text().to_owned();
        let truth = site.page_truth(&request);
        next = truth.next.clone();
        pages.push(Page { name: truth.page, html, records: truth.records });
    }
    pages
}
